"""Registers the dialect `mind` in a context: in C++ if that is built, else by IRDL."""

from __future__ import annotations

import functools
from typing import Any, Literal

from ..gate import unforked
from ..ir import MindError
from ..ir.forks import ForkLock
from ..lowering.toolchain.installed import require_mlir
from .encoding import DIALECT, Form, dialect_ops, op_name
from .irdl import irdl_text
from .native_dialect import find_native, native_registry

_lock = ForkLock()


@unforked
def register(context: Any, prefer: Literal["auto", "native", "irdl"] = "auto") -> Form:
    """Let `context` read, hold and verify operations of the dialect; returns the form that the context has.

    "native" is the dialect in C++: it has type inference, verifiers and the short form of the text, `mind.add %x, %y`.
    "irdl" needs no build: it has the generic form, `"mind.add"(%x, %y)`, and checks operand counts and attributes;
    other rules are checked when it is converted or read. "auto" takes native if that can be used. A context that has
    the dialect keeps its form.

    Raises MindError: E7006 if MLIR is not installed, E7007 for another kind of argument, E7014 if native is asked
    for and cannot be used, E7015 if the context has the dialect in the other form than the one asked for.
    """
    require_mlir()
    from mlir import ir

    if not isinstance(context, ir.Context):
        raise MindError.of("E7007", f"context is an mlir.ir.Context, found {context!r}")
    if prefer not in ("auto", "native", "irdl"):
        raise MindError.of("E7007", f"no form of the dialect is named {prefer}", help="forms: auto, native, irdl")
    with _lock:
        _find_classes()
        present = form_of(context)
        if present is None:
            return _register(context, prefer)
    if prefer not in ("auto", present):
        raise MindError.of(
            "E7015",
            f"the context has the dialect {DIALECT} already, in the form {present}",
            help=f"a context has one form; use {present}, or a context of its own",
        )
    return present


@functools.cache
def _find_classes() -> None:
    """Let the bindings return operations as instances of the classes in mind_mlir.dialects.mind; once a process."""
    from mlir.dialects import _ods_common

    _ods_common._cext.globals.append_dialect_search_prefix(__package__)


def form_of(context: Any) -> Form | None:
    """The form of the dialect that a context has; None if it has none."""
    try:
        context.dialects[DIALECT]  # loads it if a registry of the context has it
    except (AttributeError, IndexError, KeyError, ValueError):
        return None
    return "native" if _infers_types(context) else "irdl"


def _register(context: Any, prefer: str) -> Form:
    if prefer != "irdl":
        try:
            context.append_dialect_registry(native_registry(find_native()))
            context.dialects[DIALECT]  # loads it
            return "native"
        except MindError:
            if prefer == "native":
                raise
    from mlir import ir
    from mlir.dialects import irdl

    with context, ir.Location.unknown():
        irdl.load_dialects(ir.Module.parse(irdl_text()))
    return "irdl"


class _Probe:
    """A class that the bindings accept as the class of an operation."""

    OPERATION_NAME = op_name(dialect_ops()[0])


def _infers_types(context: Any) -> bool:
    """True for the dialect in C++, where alone an operation infers its type."""
    from mlir import ir

    with context:
        try:
            ir.InferTypeOpInterface(_Probe)
        except ValueError:
            return False
    return True
