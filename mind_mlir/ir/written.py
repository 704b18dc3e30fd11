"""Attribute values as they are written, before their kinds are known.

Numbers are `str`, quoted strings `Quoted`, bare words `Word`, lists `list`, calls such as `splat(0.0)` `Call`, slices
such as `0:2:1` `Range`, base64 data `Encoded`, and names of functions, `@step`, `Symbol`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .diagnostics import short


class Quoted(str):
    """A string literal, unescaped."""

    __slots__ = ()


class Word(str):
    """A bare word: `true`, `f32`, `Same`."""

    __slots__ = ()


class Symbol(str):
    """The name of a function, without its `@`."""

    __slots__ = ()


@dataclass(frozen=True)
class Call:
    """`name(argument, …)` inside an attribute."""

    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Range:
    """`start:end` or `start:end:step`, as in `Slice(%0, [0:2:1])`."""

    parts: tuple[str, ...]


@dataclass(frozen=True)
class Encoded:
    """`base64("…")`, decoded."""

    data: bytes


def is_element(syntax: object) -> bool:
    """True for what may be an element of a literal: a number, `true` or `false`."""
    return type(syntax) is str or (type(syntax) is Word and syntax in ("true", "false"))


def describe(syntax: object) -> str:
    """A description of what was written, for a message."""
    match syntax:
        case Quoted():
            return f'the string "{short(syntax)}"'
        case Word():
            return f"the word {short(syntax)}"
        case Symbol():
            return f"@{short(syntax)}"
        case str():
            return f"the number {short(syntax)}"
        case list():
            return "a list"
        case Call():
            return f"{syntax.name}(…)"
        case Encoded():
            return "base64 data"
        case Range():
            return "a range " + ":".join(syntax.parts)
    return repr(syntax)


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quote(text: str) -> str:
    """A string literal. Characters that do not print become escapes."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    out = [_ESCAPES.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text]
    return f'"{"".join(out)}"'
