"""What passes and named pipelines there are, and how an option is read from text."""

from __future__ import annotations

import enum
import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class Level(enum.Enum):
    """Which IR a pass takes or gives."""

    CORE = "core"
    MLIR = "mlir"


@dataclass(frozen=True)
class PassInfo:
    """A registered pass: an arrow on a level or between levels, and what `--list-passes` says of it."""

    name: str
    run: Callable[..., Any]
    source: Level
    target: Level
    options: dict[str, Any] = field(default_factory=dict)  # name -> annotation
    defaults: dict[str, Any] = field(default_factory=dict)
    stands_for: Callable[..., str] | None = None  # the options -> the pipeline that runs in its place

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.run) or "").partition("\n")[0]


PASSES: dict[tuple[Level, str], PassInfo] = {}
"""Our passes, by the level they take and by name."""

PIPELINES: dict[tuple[Level, str], str] = {}
"""Named pipelines, by level and name."""


class MlirSide:
    """How passes of MLIR itself are checked and run.  lowering/ fills it in; this package knows no mlir."""

    check: Callable[[str], None]
    """Raises Reject unless the text is one pass that MLIR knows."""

    run: Callable[[str, Any], None]
    """Runs the pass of that text on an MLIR module, in place."""


MLIR = MlirSide()


def register(
    name: str,
    *,
    source: Level = Level.CORE,
    target: Level | None = None,
    stands_for: Callable[..., str] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register `fn(module, *, option=default, …)`: its docstring is the help, its keyword parameters the options.

    A pass that `stands_for` a pipeline is replaced by it where it is named in one.
    """

    def add(fn: Callable[..., Any]) -> Callable[..., Any]:
        hints = typing.get_type_hints(fn)
        parameters = [p for p in inspect.signature(fn).parameters.values() if p.kind is p.KEYWORD_ONLY]
        options = {p.name.replace("_", "-"): hints[p.name] for p in parameters}
        defaults = {p.name.replace("_", "-"): p.default for p in parameters}
        PASSES[source, name] = PassInfo(name, fn, source, target or source, options, defaults, stands_for)
        return fn

    return add


def read_option(annotation: Any, text: str) -> Any:
    """An option's value from its text, by the parameter's annotation.  ValueError says what was expected."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return read_option(next(a for a in arguments if a is not type(None)), text)
    if origin is typing.Literal:
        if text in arguments:
            return text
        raise ValueError(f"expected {' or '.join(arguments)}, found {text}")
    if annotation is bool:
        if text in ("true", "false", "1", "0"):
            return text in ("true", "1")
        raise ValueError(f"expected true or false, found {text}")
    if annotation is int:
        return _int(text)
    if origin is tuple:
        return _entries(text, names=_takes_names(arguments[0]))
    return text


def option_choices(annotation: Any) -> str:
    """What an option's text may be: `ones|input`, `true|false`, `N`, `N|NAME,…`."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return option_choices(next(a for a in arguments if a is not type(None)))
    if origin is typing.Literal:
        return "|".join(arguments)
    if origin is tuple:
        return "N|NAME,…" if _takes_names(arguments[0]) else "N,N,…"
    return "true|false" if annotation is bool else "N" if annotation is int else "TEXT"


def show_option(value: Any) -> str:
    """An option's value as text, which `read_option` reads; … stands for what was left out."""
    match value:
        case None:
            return "…"
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(map(str, value))
        case str() if set(value) & set(" \t{}()',"):
            return f'"{value}"'  # a path, for example
    return str(value)


def _takes_names(entry: Any) -> bool:
    """True for `int | str`, False for `int`."""
    return str in typing.get_args(entry)


def _entries(text: str, *, names: bool) -> tuple[int | str, ...]:
    """The integers, or names, with commas between them.  ValueError."""
    entries = text.removesuffix(",").split(",") if text else []
    integers = [e.lstrip("+-").isdecimal() for e in entries]
    if not all(entries) or not (names or all(integers)):
        kind = "positions or names" if names else "integers"
        raise ValueError(f"expected {kind} with commas between them, as in 0,1, found {text[:40]}")
    return tuple(int(e) if is_integer else e for e, is_integer in zip(entries, integers))


def _int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"expected an integer, found {text[:40] or 'nothing'}") from None
