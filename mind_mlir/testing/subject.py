"""The subject of `check_grads`: a module at arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir import Module, np
from ..passes import canonicalize
from ..runtime.arguments import bind, random_arguments
from ..runtime.interpret import interpret
from .in_f64 import in_f64

if TYPE_CHECKING:
    import numpy


def _as_it_is(m: Module) -> Module:
    return m


@dataclass(frozen=True)
class Subject:
    """A module at arguments, which is differentiated with respect to the Inputs at the positions `wrt`.

    The other fields are for modules with operations that cannot run: `forward` makes of a linearized module one that
    can be linearized again, `finish` of a module one that runs, and both are called within the context `errors`.
    """

    module: Module
    values: list[numpy.ndarray]
    wrt: tuple[int, ...] | None
    forward: Callable[[Module], Module] = _as_it_is
    finish: Callable[[Module], Module] = _as_it_is
    errors: Callable[[], AbstractContextManager[None]] = nullcontext


def of_module(m: Module, args: Sequence[Any] | None, wrt: Sequence[int] | None, seed: int) -> Subject:
    """A module in canonical form and f64, at these arguments or random ones. MindError: any code of `verify`, E6009."""
    m = in_f64(canonicalize(m))
    return Subject(m, _arguments(m, args, seed), None if wrt is None else tuple(wrt))


def _arguments(m: Module, args: Sequence[Any] | None, seed: int) -> list[numpy.ndarray]:
    names = [o.op.name for o in m.inputs]  # type: ignore[attr-defined]
    types = [o.type for o in m.inputs]
    if args is not None:
        cast = [np.asarray(a, np.float64) if np.asarray(a).dtype.kind in "fV" else a for a in args]
        return list(bind(names, types, tuple(cast), {}))
    values = list(random_arguments(m, seed).values())
    if all(np.isfinite(y).all() for y in interpret(m, *values)):
        return values
    return [np.abs(x) + 0.5 if x.dtype.kind in "fV" else x for x in values]  # positive, so that Log and Div are smooth
