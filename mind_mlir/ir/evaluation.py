"""The values of a module on arrays, by one `evaluate` per operation: of a program, and of the body of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .diagnostics import MindError, Reject
from .environment import Environment
from .lazy import np
from .module import Function, Module
from .places import place

if TYPE_CHECKING:
    import numpy


def evaluated(m: Module, values: Sequence[Any], across: Callable[[Any, Any], Any] | None = None) -> list[numpy.ndarray]:
    """The outputs of a verified module for arrays of its Inputs' types, each in memory of its own or a view.

    `across` gives the result on this rank of an operation between ranks; without it, there is one rank. E6001, E8007.
    """
    env: Environment[Any] = Environment((o.id, a) for o, a in zip(m.inputs, values))
    last_use = m.last_use
    kept = set(m.outputs)
    with np.errstate(all="ignore"):
        for n, o in enumerate(m.operations):
            if not env.has(o):
                try:
                    operands = env.read(o)
                    if o.op.across_ranks and across is not None:
                        env.write(o, (across(o.op, *operands),))
                    else:
                        env.write(o, o.op.result_arrays(*operands))
                except Reject as why:
                    raise MindError([place(m, o, why)]) from None
            for i in o.operands:
                if last_use[i] == n and i not in kept:
                    env.pop(i, None)  # let the memory go
    return env.of(m.outputs)


def applied(function: Function, *arrays: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
    """The results of a function for arrays of its parameters' types: what `evaluate` of an op that holds it calls."""
    return tuple(evaluated(function.body, arrays))
