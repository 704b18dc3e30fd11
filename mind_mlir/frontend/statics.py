"""Static arguments: they are part of the structure, and not traced."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .integers import integers
from .place import error
from .tracer import Tracer
from .trees import Static, flatten


@dataclass(frozen=True)
class Statics:
    """The static arguments of a function: by position, counted from the end if negative, and by name."""

    numbers: tuple[int, ...]
    names: frozenset[str]

    def marked(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with the static ones as part of the structure.

        E6009 unless they can be compared, E6010 for traced ones.
        """
        out = list(args)
        for n in self.numbers:
            if -len(args) <= n < len(args):
                out[n] = _static(args[n], f"argument {n}")
        named = {name: _static(a, f"argument {name}") for name, a in kwargs.items() if name in self.names}
        return tuple(out), {**kwargs, **named} if named else kwargs


def statics_of(fn: Any, static_argnums: int | Sequence[int], static_argnames: str | Sequence[str]) -> Statics | None:
    """The static arguments by `static_argnums` and `static_argnames`; None if there are none.

    A parameter that either of them names is static by position and by keyword. E4013 for other values of these, and for
    a name that is no parameter.
    """
    numbers, names = list(integers("static_argnums", static_argnums)), _names(static_argnames)
    if not numbers and not names:
        return None
    positional, by_keyword, is_open = _parameters(fn)
    for name in names:
        if name not in by_keyword and not is_open:
            help = f"its parameters: {', '.join(by_keyword)}" if by_keyword else "no parameter is passed by keyword"
            raise error("E4013", f"static_argnames names {name}, which is no parameter", help=help)
    if positional is None:
        return Statics(tuple(numbers), frozenset(names))
    numbers = [n + len(positional) if -len(positional) <= n < 0 else n for n in numbers]
    found = [positional[n] for n in numbers if 0 <= n < len(positional)]
    numbers += [n for n, name in enumerate(positional) if name in names]
    return Statics(tuple(dict.fromkeys(numbers)), frozenset([*names, *found]))


def _names(given: Any) -> list[str]:
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, (tuple, list, set, frozenset)) or not all(isinstance(name, str) for name in names):
        help = 'static_argnames="n" or static_argnames=("n", "mode")'
        raise error("E4013", f"static_argnames takes names of parameters, found {given!r}", help=help)
    return list(names)


def _parameters(fn: Callable[..., Any]) -> tuple[list[str] | None, list[str], bool]:
    """Parameters by position, None if there may be more; those by keyword; whether there may be others by keyword."""
    try:
        found = list(inspect.signature(fn).parameters.values())
    except (ValueError, TypeError):  # a built-in without a signature, or no function
        return None, [], True
    positional = [p.name for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_keyword = [p.name for p in found if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    kinds = {p.kind for p in found}
    return (
        None if inspect.Parameter.VAR_POSITIONAL in kinds else positional,
        by_keyword,
        inspect.Parameter.VAR_KEYWORD in kinds,
    )


def _static(value: Any, which: str) -> Static:
    if any(isinstance(leaf, Tracer) for leaf in flatten(value)[0]):
        raise error("E6010", f"{which} is static and traced: its numbers are not known yet")
    try:
        hash(value)
    except TypeError:
        message = f"{which} is static and a {type(value).__name__}, which cannot be hashed"
        raise error("E6009", message, help="a tuple can be, a list or an array cannot") from None
    return Static(value)
