"""Traces a Python function at arguments, for `check_grads`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..frontend.calls import forward, plain, rule_errors
from ..frontend.gradients import float_positions, wrt_of
from ..frontend.place import error
from ..frontend.staging import leaves_of, trace_function
from ..frontend.tracer import Tracer
from ..ir import Module
from .subject import Subject


def of_function(fn: Callable[..., Any], args: Sequence[Any], wrt: Sequence[int] | None) -> Subject:
    """The trace of `fn` at these arguments, which are pytrees. `wrt` are positions of arguments; None takes all floats.

    Functions with user-defined rules stay calls, so that the rules are checked. Errors: those of tracing, E5005 for
    arguments without floats, E6010 for traced ones.
    """
    arrays, tree, types = leaves_of(fn, args, {})
    traced = trace_function(fn, tree, types)
    values = [*arrays, *traced.captured]
    if any(isinstance(v, Tracer) for v in values):
        raise error("E6010", "check_grads takes arrays, found a traced value", help="call it outside of the trace")
    positions = float_positions(fn, types) if wrt is None else tuple(sorted(wrt_of(fn, traced, tuple(wrt))[0]))
    return Subject(traced.module, values, positions, forward, _without_calls, rule_errors)  # type: ignore[arg-type]


def _without_calls(m: Module) -> Module:
    return plain(forward(m))
