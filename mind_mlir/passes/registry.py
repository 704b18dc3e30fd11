"""Registers passes and named pipelines, and reads options from text."""

from __future__ import annotations

import enum
import functools
import importlib
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class Level(enum.Enum):
    """The IR that a pass takes or gives."""

    CORE = "core"
    MLIR = "mlir"


Function = Callable[..., Any]


@dataclass(frozen=True)
class PassInfo:
    """A registered pass: the levels that it takes and gives, and what `--list-passes` prints about it.

    Its implementation is imported when it is needed.
    """

    name: str
    source: Level
    target: Level
    home: Function | str
    """The function, or its location: `package.module:function`."""
    pipeline: Function | str | None = None
    """For a pass that stands for a pipeline, the function from options to the pipeline's text, or its location."""

    @property
    def run(self) -> Function:
        """The function of the pass."""
        return _function(self.home)

    @property
    def stands_for(self) -> Function | None:
        """The function from the options to the pipeline that runs instead."""
        return None if self.pipeline is None else _function(self.pipeline)

    @property
    def options(self) -> dict[str, Any]:
        """Option -> its annotation."""
        return _parameters(self.run)[0]

    @property
    def defaults(self) -> dict[str, Any]:
        """Option -> its default value."""
        return _parameters(self.run)[1]

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (self.run.__doc__ or "").strip().partition("\n")[0]


@functools.cache
def _function(home: Function | str) -> Function:
    if not isinstance(home, str):
        return home
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]


@functools.cache
def _parameters(fn: Function) -> tuple[dict[str, Any], dict[str, Any]]:
    """The annotations and defaults of keyword-only parameters, which are the options of a pass."""
    import inspect

    hints = typing.get_type_hints(fn)
    parameters = [p for p in inspect.signature(fn).parameters.values() if p.kind is p.KEYWORD_ONLY]
    return (
        {p.name.replace("_", "-"): hints[p.name] for p in parameters},
        {p.name.replace("_", "-"): p.default for p in parameters},
    )


PASSES: dict[tuple[Level, str], PassInfo] = {}
"""(Level that a pass takes, name) -> our pass."""

PIPELINES: dict[tuple[Level, str], str] = {}
"""(Level, name) -> the text of a named pipeline."""


class MlirSide:
    """The functions that check and run passes of MLIR itself; lowering/ sets them, as this package imports no mlir."""

    check: Callable[[str], None]
    """Raises Reject unless the text is one pass of MLIR."""

    run: Callable[[str, Any], None]
    """Runs a pass, given as text, on an MLIR module, in place."""


MLIR = MlirSide()


def register(
    name: str,
    *,
    source: Level = Level.CORE,
    target: Level | None = None,
    stands_for: Function | None = None,
) -> Callable[[Function], Function]:
    """Register `fn(module, *, option=default, …)`: its docstring is the help, its keyword parameters the options.

    A pass that `stands_for` a pipeline is replaced by it when a pipeline is read.
    """

    def add(fn: Function) -> Function:
        PASSES[source, name] = PassInfo(name, source, target or source, fn, stands_for)
        return fn

    return add


def register_late(name: str, home: str, stands_for: str | None = None) -> None:
    """Register a pass over Core IR that is imported when it is used: `home` is `package.module:function`."""
    PASSES[Level.CORE, name] = PassInfo(name, Level.CORE, Level.CORE, home, stands_for)


def read_option(annotation: Any, text: str) -> Any:
    """An option's value from its text, by the parameter's annotation. ValueError says what was expected."""
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
    """The values that an option may have, as text: `ones|input`, `true|false`, `N`, `N|NAME,…`."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return option_choices(next(a for a in arguments if a is not type(None)))
    if origin is typing.Literal:
        return "|".join(arguments)
    if origin is tuple:
        return "N|NAME,…" if _takes_names(arguments[0]) else "N,N,…"
    return "true|false" if annotation is bool else "N" if annotation is int else "TEXT"


def show_option(value: Any) -> str:
    """An option's value as text, which `read_option` reads; … stands for None."""
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
    """Integers, or names, separated by commas. ValueError."""
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
