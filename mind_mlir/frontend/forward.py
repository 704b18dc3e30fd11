"""Forward mode for functions: jvp, linearize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir import Module, TensorType
from ..passes import canonicalize, linearize as linearized
from .calls import forward, rule_errors
from .gradients import check_result, float_positions
from .memo import Memo
from .operands import Operand
from .place import error
from .program import Options, Program, in_two_parts
from .staging import SPECIALISATIONS, Traced, leaves_of, trace_function
from .tangents import matching, with_zeros
from .trees import Tree


def jvp(
    fn: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], target: str = "cpu"
) -> tuple[Any, Any]:
    """The value of `fn` at `primals`, and its derivative in the direction of `tangents`.

    >>> mind.jvp(lambda x: x * x, (np.float32([1, 2]),), (np.float32([1, 10]),))
    (array([1., 4.], dtype=float32), array([ 2., 40.], dtype=float32))

    `primals` and `tangents` are tuples of arguments, nested alike. Tangents of integers are zeros, in the arguments
    as in the result.
    """
    for name, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, (tuple, list)):
            raise error("E6009", f"{name} is a tuple of arguments, found a {type(given).__name__}", help="(x,) is one")
    arrays, tree, types = leaves_of(fn, primals, {})
    directions = matching("tangents", tuple(tangents), tree.child(0), types)
    options = Options(target)
    traced, wrt = _traced(fn, tree, types)
    program = _jvps.get((traced.module, wrt, options), lambda: Program(_linearized(traced.module, wrt), options))
    results = program([*arrays, *traced.captured, *directions])
    return _value(traced, results), _tangent(traced, results[len(traced.out_types) :])


def linearize(fn: Callable[..., Any], *primals: Any, target: str = "cpu") -> tuple[Any, Callable[..., Any]]:
    """The value of `fn` at these arguments, and its derivative there, which is a linear function of tangents.

    >>> y, derivative = mind.linearize(lambda x: x * x, np.float32([1, 2]))
    >>> derivative(np.float32([1, 0])), derivative(np.float32([0, 1]))
    (array([2., 0.], dtype=float32), array([0., 4.], dtype=float32))

    Values of the computation that the derivative needs are kept, not computed again. Tangents of integers are zeros.
    """
    options = Options(target)
    arrays, tree, types = leaves_of(fn, primals, {})
    traced, wrt = _traced(fn, tree, types)
    count = len(traced.out_types)
    first, second = _linear.get((traced.module, wrt, options), lambda: _value_and_linear(traced.module, wrt, options))
    results = list(first([*arrays, *traced.captured]))
    residuals = results[count:]

    def derivative(*tangents: Any) -> Any:
        directions = matching("tangents", tangents, tree.child(0), types)
        return _tangent(traced, second([*residuals, *directions]))

    return _value(traced, results), derivative


_jvps: Memo[Program] = Memo(SPECIALISATIONS)
_linear: Memo[tuple[Program, Program]] = Memo(SPECIALISATIONS)
"""What `jvp` and `linearize` run, for modules that were traced before, as in `gradients.py`."""


def _traced(fn: Callable[..., Any], tree: Tree, types: Sequence[TensorType]) -> tuple[Traced, tuple[int, ...]]:
    """The function as a module, and the positions of the floats among its arguments' leaves."""
    traced = trace_function(fn, tree, types)
    check_result(traced)
    return traced, float_positions(fn, types)


def _value_and_linear(module: Module, wrt: tuple[int, ...], options: Options) -> tuple[Program, Program]:
    return in_two_parts(_linearized(module, wrt), len(module.inputs), len(module.outputs), options)


def _linearized(module: Module, wrt: tuple[int, ...]) -> Module:
    with rule_errors():
        return canonicalize(forward(linearized(module, wrt=wrt)), verified=True)


def _value(traced: Traced, results: Sequence[Operand]) -> Any:
    return traced.out_tree.unflatten(results[: len(traced.out_types)])


def _tangent(traced: Traced, results: Sequence[Operand]) -> Any:
    """The tangent of the result from those of its float leaves."""
    return traced.out_tree.unflatten(with_zeros(results, traced.out_types))
