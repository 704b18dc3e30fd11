"""Reads and writes files of the dialect: text in its two forms, and MLIR's bytecode."""

from __future__ import annotations

import io
import re
from typing import Any

from ..ir import MindError, Module, Source
from .encoding import Form

BYTECODE = b"ML\xefR"
"""The first bytes of a file of MLIR bytecode."""

_GENERIC = re.compile(r'^[^/\n]*"mind\.\w+"\s*\(', re.MULTILINE)
_SHORT = re.compile(r"^\s*(?:%[\w#:, %]+=\s*)?mind\.\w+(?!\s*=)\b", re.MULTILINE)


def form_of_text(source: Source) -> Form | None:
    """The form of the dialect that MLIR text needs: native for the short form; None if it does not use the dialect."""
    if _SHORT.search(source.text):
        return "native"
    return "irdl" if _GENERIC.search(source.text) else None


def parse_dialect(source: Source) -> Any:
    """An MLIR module with operations of the dialect, from text. E7008 if MLIR refuses it.

    Only the dialect in C++ reads the short form, `mind.add %x, %y`: E7014 if that is not built.
    """
    from ..lowering.mlir.context import new_context
    from ..lowering.mlir.pass_driver import parse_mlir
    from .registration import register

    context = new_context()
    try:
        register(context, form_of_text(source) or "irdl")
    except MindError as why:
        if why.code != "E7014":
            raise
        help = 'write the generic form, "mind.add"(%x, %y), which needs nothing built; mlir-opt --mlir-print-op-generic'
        raise MindError.of("E7014", f"{source.name} is in the short form: {why.message}", help=help) from None
    return parse_mlir(source, context)


def read_dialect(name: str, data: bytes) -> Module:
    """A Core IR module from the text or the bytecode of a file, not verified. E1001, E7008, E7016."""
    from .from_mind import from_mind

    if data.startswith(BYTECODE):
        return from_mind(_parse_bytecode(name, data))
    source = Source.from_bytes(name, data)
    return from_mind(parse_dialect(source), source)


def _parse_bytecode(name: str, data: bytes) -> Any:
    from mlir import ir

    from ..lowering.mlir.context import new_context
    from ..lowering.mlir.pass_driver import mlir_messages
    from .registration import register

    context = new_context()
    register(context, "irdl")
    try:
        with context:
            return ir.Module.parse(data)
    except ir.MLIRError as why:
        raise MindError.of(
            "E7008", f"{name} is no bytecode that MLIR reads", note="; ".join(mlir_messages(why))
        ) from None


def dialect_text(m: Module, form: Form = "irdl", *, name: str = "main", locations: bool = False) -> str:
    """A verified module as text: in the generic form, or with `form` native in the short one (E7014, if not built)."""
    from ..lowering.mlir.pass_driver import mlir_text

    return mlir_text(_made(m, form, name), locations)


def dialect_bytecode(m: Module, *, name: str = "main") -> bytes:
    """A verified module as MLIR bytecode, which either form of the dialect reads."""
    out = io.BytesIO()
    _made(m, "irdl", name).operation.write_bytecode(out)
    return out.getvalue()


def _made(m: Module, form: Form, name: str) -> Any:
    from ..lowering.mlir.context import new_context
    from .registration import register
    from .to_mind import to_mind

    context = new_context()
    register(context, form)
    return to_mind(m, context, name=name)
