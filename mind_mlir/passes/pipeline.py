"""Reads and runs pipelines over both levels, in MLIR's syntax, read left to right with the level of the IR.

    verify,canonicalize,lower-to-linalg,canonicalize,func.func(linalg-generalize-named-ops)
    '----- core -----'  '- crossing -'  '----------------- mlir -----------------------'

A name means the pass of the current level: `canonicalize` is Core's before lower-to-linalg and MLIR's after it. Anchors
may be written, as `core.module(…)` and `builtin.module(…)`, and `--dump-pipeline` prints them. The whole text is
checked before anything runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir import MindError, Module, Reject, Source, Span
from .registry import MLIR, PASSES, PIPELINES, Level, PassInfo, read_option, show_option


@dataclass(frozen=True)
class Element:
    """One element as written: `name`, `name{options}` or `anchor(nested)`, with its span."""

    name: str
    options: str | None
    nested: str | None
    span: Span
    nested_start: int = 0

    def __str__(self) -> str:
        options = f"{{{self.options}}}" if self.options else ""
        return self.name + options + (f"({self.nested})" if self.nested is not None else "")


_NAME = re.compile(r"\s*([A-Za-z_][\w.-]*)\s*")


def parse_elements(source: Source, start: int, end: int) -> Iterator[Element]:
    """Split a text at commas outside of braces and parentheses. E7001 with a caret."""
    text, at = source.text, start
    if not text[start:end].strip():
        return
    while True:
        m = _NAME.match(text, at, end)
        if m is None:
            while at < end and text[at].isspace():
                at += 1
            found = f"`{text[at]}`" if at < end else "the end"
            raise MindError.of(
                "E7001", f"found {found}, expected the name of a pass", source, Span(at, min(at + 1, end))
            )
        options = nested = None
        nested_start = 0
        at = m.end()
        if text[at:end].startswith("{"):
            stop = _matching(source, at, end, "{", "}")
            options, at = text[at + 1 : stop].strip(), stop + 1
        if text[at:end].startswith("("):
            stop = _matching(source, at, end, "(", ")")
            nested, nested_start, at = text[at + 1 : stop], at + 1, stop + 1
        yield Element(m[1], options, nested, Span(m.start(1), m.end(1)), nested_start)
        while at < end and text[at].isspace():
            at += 1
        if at >= end:
            return
        if text[at] != ",":
            raise MindError.of("E7001", f"found `{text[at]}`, expected `,` between passes", source, Span(at, at + 1))
        at += 1


def _matching(source: Source, at: int, end: int, open: str, close: str) -> int:
    """The offset at which the bracket at `at` is closed; brackets in quotes do not count. E7001."""
    depth, quote = 0, ""
    for i in range(at, end):
        c = source.text[i]
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        else:
            depth += (c == open) - (c == close)
            if depth == 0:
                return i
    raise MindError.of("E7001", f"`{open}` is never closed", source, Span(at, at + 1))


@dataclass(frozen=True)
class Step:
    """A checked step: a pass of ours with its options, or the text of one MLIR pass."""

    text: str
    level: Level
    info: PassInfo | None = None
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        return self.info.name if self.info else self.text.partition("{")[0]

    @property
    def target(self) -> Level:
        return self.info.target if self.info else self.level

    @property
    def keywords(self) -> dict[str, Any]:
        """The options, as the keyword arguments of the pass."""
        return {k.replace("-", "_"): v for k, v in self.options}

    def with_option(self, name: str, value: Any) -> Step:
        """The step with one more option, unless it has that option or its pass does not."""
        if self.info is None or name not in self.info.options or name in dict(self.options):
            return self
        return _step_of(self.info, self.level, (*self.options, (name, value)))

    def run(self, state: Any) -> Any:
        """Apply the step. Core modules are not changed; MLIR modules are."""
        if self.info is None:
            MLIR.run(self.text, state)
            return state
        result = self.info.run(state, **self.keywords)
        return state if result is None else result


Watcher = Callable[[str, Step, Any], None]
"""A function that is called with "before" or "after", the step, and the IR."""


@dataclass(frozen=True)
class Pipeline:
    """A list of checked steps."""

    steps: tuple[Step, ...]
    start: Level = Level.CORE

    @classmethod
    def parse(cls, text: str, start: Level = Level.CORE) -> Pipeline:
        """Read and check a pipeline for IR of level `start`. E7001 syntax, E7002 unknown pass, E7003 bad option."""
        source = Source("<pipeline>", text)
        steps: list[Step] = []
        _read(source, 0, len(text), start, steps, ())
        return cls(tuple(steps), start)

    @property
    def end(self) -> Level:
        return self.steps[-1].target if self.steps else self.start

    @property
    def crosses(self) -> bool:
        """True if any step needs MLIR."""
        return self.start is Level.MLIR or any(Level.MLIR in (s.level, s.target) for s in self.steps)

    def run(self, state: Any, watch: Sequence[Watcher] = ()) -> Any:
        """Run the steps in order on a Module or an MLIR module; returns the last result."""
        for step in self.steps:
            for w in watch:
                w("before", step, state)
            state = step.run(state)
            for w in watch:
                w("after", step, state)
        return state

    def __str__(self) -> str:
        """The pipeline with its anchors; parses back to an equal pipeline."""
        parts: list[str] = []
        group: list[str] = []
        level = self.start

        def close() -> None:
            if group:
                anchor = "core.module" if level is Level.CORE else "builtin.module"
                parts.append(f"{anchor}({','.join(group)})")
                group.clear()

        for step in self.steps:
            if step.level is step.target:
                group.append(step.text)
                continue
            close()
            parts.append(step.text)
            level = step.target
        close()
        return ",".join(parts)


def _read(source: Source, start: int, end: int, level: Level, steps: list[Step], within: tuple[str, ...]) -> Level:
    """Append the steps of a part of the text, named pipelines expanded; returns the level after them.

    `within` are the named pipelines around it.
    """
    for e in parse_elements(source, start, end):
        if e.nested is not None and e.name in ("core.module", "builtin.module"):
            anchor = Level.CORE if e.name == "core.module" else Level.MLIR
            if anchor is not level:
                back = "nothing leads from MLIR back to Core IR"
                hint = "MLIR comes after lower-to-linalg" if level is Level.CORE else back
                raise MindError.of("E7002", f"{e.name} comes where the IR is {level.value}", source, e.span, help=hint)
            level = _read(source, e.nested_start, e.nested_start + len(e.nested), level, steps, within)
        elif e.nested is None and (level, e.name) in PIPELINES:
            if e.name in within:
                raise MindError.of("E7001", f"pipeline {e.name} contains itself", source, e.span)
            if e.options:
                raise MindError.of("E7003", f"pipeline {e.name} takes no options", source, e.span)
            text = PIPELINES[level, e.name]
            level = _read(Source(f"<pipeline {e.name}>", text), 0, len(text), level, steps, (*within, e.name))
        else:
            step = _step(source, e, level)
            if step.info is not None and step.info.stands_for is not None:
                text = step.info.stands_for(**step.keywords)
                level = _read(Source(f"<pipeline {e.name}>", text), 0, len(text), level, steps, within)
                continue
            steps.append(step)
            level = step.target
    return level


def _step(source: Source, e: Element, level: Level) -> Step:
    info = PASSES.get((level, e.name)) if e.nested is None else None
    if info is not None:
        return _step_of(info, level, _options(source, e, info))
    if level is Level.CORE:
        if (level, e.name) in PASSES:
            braces = f"options are in braces: {e.name}{{{e.nested}}}"
            help = braces if "=" in str(e.nested) else f"passes are separated by commas: {e.name},{e.nested}"
            raise MindError.of("E7001", f"{e.name} holds no passes", source, e.span, help=help)
        raise _unknown(source, e)
    try:
        MLIR.check(str(e))
    except Reject as why:
        if why.code == "E7002" and (Level.CORE, e.name) in PASSES:
            why.help = f"{e.name} works on Core IR: it comes first"
        raise MindError([why.located(source, e.span)]) from None
    return Step(str(e), level)


def _step_of(info: PassInfo, level: Level, options: tuple[tuple[str, Any], ...]) -> Step:
    shown = " ".join(f"{k}={show_option(v)}" for k, v in options)
    return Step(info.name + (f"{{{shown}}}" if shown else ""), level, info, options)


def _unknown(source: Source, e: Element) -> MindError:
    import difflib

    here = sorted(n for (level, n) in (*PASSES, *PIPELINES) if level is Level.CORE)
    if (Level.MLIR, e.name) in PASSES or (Level.MLIR, e.name) in PIPELINES:
        hint = f"{e.name} works on MLIR: it comes after lower-to-linalg"
    elif near := difflib.get_close_matches(e.name, here, n=1):
        hint = f"did you mean {near[0]}?"
    else:
        hint = f"Core passes: {', '.join(here)}; MLIR's own come after lower-to-linalg"
    return MindError.of("E7002", f"no Core pass is named {e.name}", source, e.span, help=hint)


def _options(source: Source, e: Element, info: PassInfo) -> tuple[tuple[str, Any], ...]:
    out: dict[str, Any] = {}
    for item in re.findall(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""", e.options or ""):
        name, equals, text = item.partition("=")
        name = name.replace("_", "-")
        if name not in info.options:
            has = f"its options: {', '.join(info.options) or 'none'}"
            help = has if equals else f"{has}; options are name=value with spaces between them, and none within"
            raise MindError.of("E7003", f"{info.name} has no option {name}", source, e.span, help=help)
        if name in out:
            raise MindError.of("E7003", f"option {name} of {info.name} is given twice", source, e.span)
        try:
            out[name] = read_option(info.options[name], text.strip("\"'") if equals else "true")
        except ValueError as why:
            raise MindError.of("E7003", f"option {name} of {info.name}: {why}", source, e.span) from None
    return tuple(out.items())


def begins_in_core(text: str) -> bool:
    """True if the first pass of a pipeline is one of Core IR, or there is none."""
    first = next(parse_elements(Source("<pipeline>", text), 0, len(text)), None)
    return (
        first is None or first.name == "core.module" or any((Level.CORE, first.name) in t for t in (PASSES, PIPELINES))
    )


def is_core(state: Any) -> bool:
    """True for a Core IR module, False for an MLIR one."""
    return isinstance(state, Module)
