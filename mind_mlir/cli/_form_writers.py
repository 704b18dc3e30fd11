"""Writes a verified module in the forms of mind-translate that are not for GPUs.

Each function takes the module and the options, and writes to the output that they name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Module, text_pieces
from ._files import write_output
from ._graphviz import dot
from ._translate_options import Options

if TYPE_CHECKING:
    from ..lowering.interface import codegen


def write_core(m: Module, options: Options) -> None:
    """Write Core IR text."""
    write_output(options.output, text_pieces(m))


def write_dot(m: Module, options: Options) -> None:
    """Write the graph of values, for Graphviz."""
    write_output(options.output, [dot(m)])


def write_dialect(m: Module, options: Options) -> None:
    """Write MLIR of the dialect `mind`, as text or bytecode."""
    from ..dialects.text import dialect_bytecode, dialect_text

    name = _name(options)
    if options.bytecode:
        write_output(options.output, dialect_bytecode(m, name=name))
        return
    text = dialect_text(m, "native" if options.pretty else "irdl", name=name, locations=options.locations)
    write_output(options.output, [text])


def write_linalg(m: Module, options: Options) -> None:
    """Write MLIR: linalg on tensors."""
    from ..lowering.emit.to_linalg import to_linalg
    from ..lowering.mlir.pass_driver import mlir_text

    lowered = to_linalg(m, name=_name(options), numerics=options.numerics.value, threads=options.threads)
    write_output(options.output, [mlir_text(lowered, options.locations)])


def write_shard(m: Module, options: Options) -> None:
    """Write MLIR: linalg on tensors, with shardings."""
    from ..lowering.emit.to_shard import to_shard
    from ..lowering.mlir.pass_driver import mlir_text

    lowered = to_shard(m, name=_name(options), numerics=options.numerics.value, threads=options.threads)
    write_output(options.output, [mlir_text(lowered, options.locations)])


def write_llvmir(m: Module, options: Options) -> None:
    """Write LLVM IR."""
    from ..lowering.interface.codegen import llvm_ir

    write_output(options.output, llvm_ir(m, _code_options(options, _name(options))))


def write_asm(m: Module, options: Options) -> None:
    """Write assembly."""
    from ..lowering.interface.codegen import machine_code

    write_output(options.output, machine_code(m, "asm", _code_options(options, _name(options))))


def write_obj(m: Module, options: Options) -> None:
    """Write an object file, and its header if asked."""
    from ..lowering.interface.codegen import machine_code

    name = _linked_name(options)
    write_output(options.output, machine_code(m, "obj", _code_options(options, name)))
    _write_header(m, options, name)


def write_shared_library(m: Module, options: Options) -> None:
    """Write a shared library, and its header if asked."""
    from ..lowering.interface.codegen import shared_library

    name = _linked_name(options)
    write_output(options.output, shared_library(m, options.output, _code_options(options, name)))
    _write_header(m, options, name)


def _name(options: Options) -> str:
    """The function's name in forms that nothing is linked with."""
    return "main" if options.name is None else options.name


def _linked_name(options: Options) -> str:
    """The function's name for programs that are linked with it. E7007 for one that C cannot have."""
    from ..lowering.abi.c_header import check_name, name_from

    name = name_from(options.file) if options.name is None else options.name
    check_name(name)
    return name


def _code_options(options: Options, name: str) -> codegen.Options:
    from ..lowering.interface import codegen

    return codegen.Options(name, options.mcpu, options.numerics.value, options.threads, options.tuning)


def _write_header(m: Module, options: Options, name: str) -> None:
    if options.header is not None:
        from ..lowering.abi.c_header import c_header

        write_output(options.header, c_header(m, name))
