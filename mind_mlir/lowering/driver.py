"""Run MLIR passes in this process, and turn what MLIR reports into diagnostics."""

from __future__ import annotations

import ctypes
import functools
import re
from typing import Any

from ..ir import Diagnostic, MindError, Module, Reject, Source, Span
from ..passes.pipeline import Pipeline
from .reproducer import mlir_reproducer, write_reproducer
from .toolchain import require_mlir

require_mlir()

from mlir import ir  # noqa: E402
from mlir.execution_engine import ExecutionEngine  # noqa: E402
from mlir.passmanager import PassManager  # noqa: E402

from .to_linalg import new_context  # noqa: E402


@functools.cache
def _checking_context() -> Any:
    return new_context()


def check_mlir_pass(text: str) -> None:
    """E7002 or E7003 unless `text` is one MLIR pass, with options and nesting, that MLIR knows."""
    try:
        PassManager.parse(f"builtin.module({text})", _checking_context())
    except ValueError as why:
        lines = [line for line in str(why).splitlines() if line.strip() and line.strip() != "^"]
        note = re.sub(r"^.*?error: ", "", lines[0]) if lines else ""
        name = re.split(r"[{(]", text)[0]
        if "does not refer to a registered" in note:
            named = re.search(r"'([^']*)'", note)
            raise Reject("E7002", f"MLIR has no pass named {named[1] if named else name}") from None
        raise Reject("E7003", f"MLIR refuses {name}", note=note.removeprefix("<Pass-Options-Parser>: ")) from None


def run_mlir_pass(text: str, module: Any) -> None:
    """Run one MLIR pass on a module, in place.  MlirPassFailed with MLIR's own diagnostics."""
    try:
        PassManager.parse(f"builtin.module({text})", module.context).run(module.operation)
    except ir.MLIRError as why:
        raise MlirPassFailed(text, mlir_messages(why)) from None


class MlirPassFailed(Exception):
    """An MLIR pass failed; `messages` are MLIR's."""

    def __init__(self, step: str, messages: list[str]) -> None:
        super().__init__(step, messages)
        self.step, self.messages = step, messages


_NOWHERE = ("unknown", '"-":0:0')


def mlir_messages(error: Any) -> list[str]:
    """MLIR's diagnostics, one text each, with their places."""
    out = []
    for d in getattr(error, "error_diagnostics", ()):
        place = str(d.location).removeprefix("loc(").removesuffix(")")
        out.append(d.message if place in _NOWHERE else f"{d.message} at {place}")
    return out or [str(getattr(error, "message", error))]


def parse_mlir(source: Source) -> Any:
    """An MLIR module from text, verified by MLIR.  E7008 at the place that MLIR names."""
    context = new_context()
    try:
        with context:
            return ir.Module.parse(source.text)
    except ir.MLIRError as why:
        diagnostics = [
            Diagnostic("E7008", d.message, source, _span(source, str(d.location))) for d in why.error_diagnostics
        ]
        message = str(getattr(why, "message", why))
        raise MindError(diagnostics or [Diagnostic("E7008", message, source)]) from None


def _span(source: Source, location: str) -> Span | None:
    """The first place in a location that lies in the parsed text."""
    m = re.search(r'"-":(\d+):(\d+)', location)
    if m is None:
        return None
    line, column = int(m[1]), max(int(m[2]), 1)
    offset = 0
    for _ in range(line - 1):
        next_line = source.text.find("\n", offset)
        if next_line < 0:
            break
        offset = next_line + 1
    word = re.compile(r"[\w.%@]+|.").match(source.text, min(offset + column - 1, len(source.text)))
    start = min(offset + column - 1, len(source.text))
    return Span(start, word.end() if word else start)


def mlir_text(module: Any, locations: bool = False) -> str:
    """A module's text; block arguments keep the names of the Inputs.  `locations` adds where operations come from."""
    return module.operation.get_asm(use_name_loc_as_prefix=True, enable_debug_info=locations)  # type: ignore[no-any-return]


def pass_failed(pipeline: Pipeline, start: Module | Source, why: MlirPassFailed) -> MindError:
    """The error for an MLIR pass that failed, with a reproducer that stock mlir-opt reads.

    E9001 if the toolchain made the code, E7008 if it was read as MLIR text.
    """
    state: Any = parse_mlir(start) if isinstance(start, Source) else start
    text = ""
    for step in pipeline.steps:  # passes change MLIR in place: make the state before the failure once more
        text = "" if isinstance(state, Module) else mlir_text(state)
        try:
            state = step.run(state)
        except MlirPassFailed:
            break
    path = write_reproducer(mlir_reproducer(text, why.step), ".mlir")
    name = re.split(r"[{(]", why.step)[0]
    return MindError.of(
        "E7008" if isinstance(start, Source) else "E9001",
        f"the MLIR pass {name} failed",
        note="; ".join(why.messages),
        help=f"see it again with: mlir-opt --run-reproducer {path}",
    )


LONG = 64
"""Operations above which a module is compiled by the pipeline cpu-long."""


def to_llvm(m: Module) -> Any:
    """The module in MLIR's LLVM dialect, by the pipeline cpu, or cpu-long if it has more than 64 operations."""
    pipeline = Pipeline.parse(f"lower-to-linalg,{'cpu' if len(m) <= LONG else 'cpu-long'}")
    try:
        return pipeline.run(m)
    except MlirPassFailed as why:
        raise pass_failed(pipeline, m, why) from None


def native_functions(m: Module, array_offset: int | None) -> tuple[Any, int, int | None]:
    """Compile a module; returns the engine that owns the code, and the addresses of two functions.

    The first is `main`, which takes data pointers.  The second takes the array objects themselves and reads their data
    pointers `array_offset` bytes in; None if no offset is given.
    """
    module = to_llvm(m)
    count = len(m.inputs) + len(m.outputs)
    with module.context, ir.Location.unknown():
        helpers = ir.Module.parse(_helpers(count, array_offset))
        for f in list(helpers.body.operations)[1:]:  # without the declaration of main
            module.body.append(f.operation.clone(ir.InsertionPoint(module.body)))
        engine = ExecutionEngine(module, opt_level=2)
    main = _address(engine, "mind_address_of_main")
    return engine, main, None if array_offset is None else _address(engine, "mind_address_of_mind_call")


def _helpers(count: int, array_offset: int | None) -> str:
    """MLIR text of the functions that stand beside `main` in compiled code."""
    pointers = ", ".join(["!llvm.ptr"] * count)
    text = f"llvm.func @main({pointers}) -> i64\n" + _address_function("main")
    if array_offset is None:
        return text
    arguments = ", ".join(f"%a{i}: !llvm.ptr" for i in range(count))
    loads = "".join(
        f"  %f{i} = llvm.getelementptr %a{i}[{array_offset}] : (!llvm.ptr) -> !llvm.ptr, i8\n"
        f"  %d{i} = llvm.load %f{i} : !llvm.ptr -> !llvm.ptr\n"
        for i in range(count)
    )
    data = ", ".join(f"%d{i}" for i in range(count))
    return text + (
        f"llvm.func @mind_call({arguments}) -> i64 {{\n{loads}"
        f"  %s = llvm.call @main({data}) {{no_inline}} : ({pointers}) -> i64\n  llvm.return %s : i64\n}}\n"
        + _address_function("mind_call")
    )


def _address_function(name: str) -> str:
    return (
        f"llvm.func @mind_address_of_{name}() -> !llvm.ptr {{\n"
        f"  %0 = llvm.mlir.addressof @{name} : !llvm.ptr\n  llvm.return %0 : !llvm.ptr\n}}\n"
    )


def _address(engine: Any, name: str) -> int:
    """What an address function returns.  The engine's own look-up gives wrappers that take packed arguments."""
    result = ctypes.c_void_p()
    slots = (ctypes.c_void_p * 1)(ctypes.addressof(result))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(name))(ctypes.addressof(slots))
    assert result.value, "the code knows its own address"
    return result.value
