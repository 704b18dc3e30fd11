"""Runs a Core IR module in NumPy, one `evaluate` for each operation: the oracle, which shares no code with lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import Module, evaluation, np
from ..passes.preflight import check_before_run
from ..passes.verify import verify
from .arguments import bind

if TYPE_CHECKING:
    import numpy


def interpret(m: Module, /, *arrays: Any, **named: Any) -> tuple[numpy.ndarray, ...]:
    """The outputs of a module for these arguments, by position or by Input name.

    Arguments are C-ordered arrays of exactly the Inputs' types (E6009). The results are new arrays. Raises
    MindError: any code of `verify`, E6001 for an index out of bounds, E6004 for a value that cannot be allocated.
    """
    check_before_run(verify(m))
    inputs = m.inputs
    values = bind([o.op.name for o in inputs], [o.type for o in inputs], arrays, named)  # type: ignore[attr-defined]
    return evaluated(m, values)


def evaluated(
    m: Module, values: Sequence[Any], across: Callable[[Any, Any], Any] | None = None
) -> tuple[numpy.ndarray, ...]:
    """The outputs of a verified module for arrays of its Inputs' types.

    `across` computes this rank's result of an operation between ranks; without it, there is one rank. E6001, E8007.
    """
    return tuple([np.array(x, order="C", copy=True) for x in evaluation.evaluated(m, values, across)])
