"""Locates the parts of a module: in its source, or in its text if it has none."""

from __future__ import annotations

from .diagnostics import Diagnostic, Reject, Source, Span
from .module import Module
from .operation import Operation
from .parser import locate
from .printer import lines_before, print_module


def place(m: Module, o: Operation, why: Reject) -> Diagnostic:
    """The diagnostic for `why` at the part of `o` that it names, in the module's source or else in its text."""
    source, span = where(m, o, why.at)
    return why.located(source, span)


def where(m: Module, o: Operation, part: str) -> tuple[Source, Span]:
    """The location of a part of an operation; modules without a source are printed to have one."""
    if m.source is not None and o.span is not None:
        return m.source, locate(m.source, o.span, part)
    text = print_module(m)
    lines = text.splitlines(keepends=True)
    index = next((i for i, other in enumerate(m.operations) if other is o), 0) + lines_before(m)
    start = sum(map(len, lines[:index]))
    source = Source("<module>", text)
    return source, locate(source, Span(start, start + len(lines[index]) - 1), part)


def written(m: Module, o: Operation, part: str = "value") -> str:
    """A part of an operation as written in the module's source, such as `%7`, its value."""
    source, span = where(m, o, part)
    return source.text[span.start : span.end]


def interface_line(m: Module, what: str) -> tuple[Source, Span]:
    """The line of the outputs, gradients or tangents (`what` in the singular); printed if the module has no source."""
    span = {"output": m.outputs_span, "gradient": m.gradients_span, "tangent": m.tangents_span}[what]
    if m.source is not None and span is not None:
        return m.source, span
    text = print_module(m)
    start = text.rindex(f"{what}s: ")
    return Source("<module>", text), Span(start, text.index("\n", start))
