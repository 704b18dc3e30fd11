"""Runs MLIR passes in this process, and makes diagnostics of what MLIR reports."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from ...ir import Diagnostic, MindError, Module, Reject, Source, Span
from ...passes.pipeline import Pipeline, parse_elements
from ..pipelines import PIPELINES
from ..toolchain.installed import require_mlir
from .failure import MlirPassFailed
from .reproducer import mlir_reproducer, write_reproducer

require_mlir()

from mlir import ir  # noqa: E402
from mlir.passmanager import PassManager  # noqa: E402

from .context import new_context  # noqa: E402


@functools.cache
def _checking_context() -> Any:
    return new_context()


@functools.cache
def _known() -> frozenset[str]:
    """The passes of the named pipelines."""
    sources = [Source("<pipeline>", text) for text in PIPELINES.values()]
    return frozenset(str(e) for s in sources for e in parse_elements(s, 0, len(s.text)))


@functools.cache  # 0.2 ms for each pass
def check_mlir_pass(text: str) -> None:
    """E7002 or E7003 unless `text` is one MLIR pass, with options and nesting, that MLIR knows."""
    if text in _known():
        return  # a context to check it in would take 6 ms
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
    """Run one MLIR pass on a module, in place. MlirPassFailed with MLIR's own messages."""
    try:
        PassManager.parse(f"builtin.module({text})", module.context).run(module.operation)
    except ir.MLIRError as why:
        raise MlirPassFailed(text, mlir_messages(why)) from None


_NOWHERE = ("unknown", '"-":0:0')


def mlir_messages(error: Any) -> list[str]:
    """MLIR's diagnostics, each as one text with its source location."""
    out = []
    for d in getattr(error, "error_diagnostics", ()):
        location = str(d.location).removeprefix("loc(").removesuffix(")")
        out.append(d.message if location in _NOWHERE else f"{d.message} at {location}")
    return out or [str(getattr(error, "message", error))]


def parse_mlir(source: Source, context: Any = None) -> Any:
    """An MLIR module from text, verified by MLIR, in `context` or a new one. E7008 at the location that MLIR names."""
    context = context or new_context()
    try:
        with context:
            return ir.Module.parse(source.text)
    except ir.MLIRError as why:
        diagnostics = [
            Diagnostic("E7008", d.message, source, span_of(source, str(d.location))) for d in why.error_diagnostics
        ]
        message = str(getattr(why, "message", why))
        raise MindError(diagnostics or [Diagnostic("E7008", message, source)]) from None


def span_of(source: Source, location: str) -> Span | None:
    """The first position in a location of MLIR that is in the parsed text."""
    m = re.search(r'"-":(\d+):(\d+)', location)
    if m is None:
        return None
    start = source.offset(int(m[1]), max(int(m[2]), 1))
    word = re.compile(r"[\w.%@]+|.").match(source.text, start)
    return Span(start, word.end() if word else start)


def mlir_text(module: Any, locations: bool = False) -> str:
    """A module's text; block arguments keep the names of the Inputs. `locations` adds the source locations."""
    return module.operation.get_asm(use_name_loc_as_prefix=True, enable_debug_info=locations)  # type: ignore[no-any-return]


def pass_failed(
    pipeline: Pipeline, start: Module | Source, why: MlirPassFailed, read: Callable[[Source], Any] = parse_mlir
) -> MindError:
    """The error for a pass over MLIR that failed, with a reproducer that stock mlir-opt reads.

    E9001 if the toolchain made the MLIR module, E7008 if `read` read it from text.
    """
    state: Any = read(start) if isinstance(start, Source) else start
    text, ours = "", False
    for step in pipeline.steps:  # passes change MLIR in place, so make the state before the failure once more
        text, ours = "" if isinstance(state, Module) else mlir_text(state), step.info is not None
        try:
            state = step.run(state)
        except MlirPassFailed:
            break
    name = re.split(r"[{(]", why.step)[0]
    if ours:
        again = f"mind-opt {write_reproducer(text, '.mlir')} --{name}"
    else:
        again = f"mlir-opt --run-reproducer {write_reproducer(mlir_reproducer(text, why.step), '.mlir')}"
    return MindError.of(
        "E7008" if isinstance(start, Source) else "E9001",
        f"the MLIR pass {name} failed",
        note="; ".join(why.messages),
        help=f"{why.help}{'; ' if why.help else ''}see it again with: {again}",
    )
