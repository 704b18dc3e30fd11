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
    return inside_domain(lambda *arrays: interpret(m, *arrays), values)


def inside_domain(run: Callable[..., Sequence[numpy.ndarray]], arrays: Sequence[numpy.ndarray]) -> list[numpy.ndarray]:
    """The arrays, moved to where the results are finite: positive for Log and Div, above 1 for Acosh, or below."""

    def as_they_are(x: numpy.ndarray) -> numpy.ndarray:
        return x

    for move in (as_they_are, _positive, lambda x: np.abs(x) + 1.5, lambda x: 0.8 * x / (1 + np.abs(x))):
        moved = [np.asarray(move(x)).astype(x.dtype) if x.dtype.kind in "fV" else x for x in arrays]
        with np.errstate(all="ignore"):
            if all(np.isfinite(y).all() for y in run(*moved)):
                return moved
    return [_positive(x) if x.dtype.kind in "fV" else x for x in arrays]


def _positive(x: numpy.ndarray) -> numpy.ndarray:
    return np.asarray(np.abs(x) + 0.5)
