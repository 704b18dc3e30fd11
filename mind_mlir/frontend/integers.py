"""Integers among the arguments of functions: shapes, axes, positions of arguments."""

from __future__ import annotations

import operator
from typing import Any

from ..ir import Value
from .place import error


def integers(name: str, given: Any) -> tuple[int, ...]:
    """One integer or several, as a tuple. E4013 for anything else."""
    if not hasattr(given, "__iter__") or isinstance(given, Value):
        return (integer(name, given),)
    return tuple([integer(name, n) for n in given])


def integer(name: str, given: Any) -> int:
    """A Python integer. E4013 for anything else."""
    try:
        return operator.index(given)
    except TypeError:
        raise error("E4013", f"{name} takes integers, found a {type(given).__name__}") from None


def axis_of(what: str, axis: Any, rank: int) -> int:
    """An axis, counted from 0. E3004 if it is out of range."""
    n = integer("axis", axis)
    if not -rank <= n < rank:
        raise error("E3004", f"{what}: axis {n} is out of range for rank {rank}")
    return n % rank


def axes_of(what: str, axes: Any, rank: int) -> tuple[int, ...]:
    """Several axes, counted from 0. E3004 out of range, E3005 if one is there twice."""
    found = tuple([axis_of(what, n, rank) for n in integers("axis", axes)])
    if len(set(found)) < len(found):
        raise error("E3005", f"{what}: axes {list(found)} name one twice")
    return found
