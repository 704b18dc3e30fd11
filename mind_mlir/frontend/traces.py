"""`trace`: gives the module of a function, to be read, transformed and compiled, and gradients from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir import Module, TensorType, np
from ..ir.kept import kept_property
from ..passes import canonicalize, linearize as linearized, transpose, unzip
from .calls import plain, rule_errors
from .operands import Operand
from .place import error
from .program import Options, Program
from .staging import Traced, check_function, trace_function
from .tangents import matching, with_zeros
from .trees import Tree, argument_paths, as_arrays, flatten, type_of


@dataclass(frozen=True, repr=False)
class Trace:
    """A function as a module, with the structure of its arguments and of its result. Made by `mind.trace`."""

    traced: Traced
    arguments: tuple[Operand, ...] | None
    """The arguments' leaves; None if one of them was given as a type."""

    @kept_property
    def module(self) -> Module:
        """The module in canonical form.

        Inputs are named after parameters and the path to the leaf: x, params.w, params.layers.0. Calls of functions
        with user-defined rules are replaced by their bodies.
        """
        return canonicalize(plain(self.traced.closed_module()))

    @property
    def in_tree(self) -> Tree:
        """The structure of `(args, kwargs)`."""
        return self.traced.tree

    @property
    def out_tree(self) -> Tree:
        """The structure of the result."""
        return self.traced.out_tree

    def __str__(self) -> str:
        """The module's text."""
        return str(self.module)

    def __repr__(self) -> str:
        inputs = [f"{o.op.name}: {o.type}" for o in self.module.inputs]  # type: ignore[attr-defined]
        return (
            f"<Trace of {self.traced.name}: ({', '.join(inputs)}) -> {', '.join(map(str, self.module.output_types))}>"
        )


def trace(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Trace:
    """Trace a function for these arguments: arrays, numbers, or types instead of them.

    >>> print(mind.trace(lambda x, w: mind.relu(x @ w), mind.f32(4, 3), mind.f32(3, 2)))
    %0 = Input {name = "x"} : tensor<f32[4, 3]>
    %1 = Input {name = "w"} : tensor<f32[3, 2]>
    %2 = MatMul (%0, %1) : tensor<f32[4, 2]>
    %3 = Relu (%2) : tensor<f32[4, 2]>
    outputs: %3
    <BLANKLINE>

    Errors: MindError with the line of `fn`; E6009 unless `fn` is a function, and for an argument that is no array,
    number or type.
    """
    check_function(fn)
    leaves, tree = flatten((args, kwargs))
    has_types = any(isinstance(x, TensorType) for x in leaves)
    stand_ins = [np.zeros((), x.dtype.numpy) if isinstance(x, TensorType) else x for x in leaves]
    arrays = as_arrays(stand_ins, lambda: argument_paths(fn, tree))
    types = [x if isinstance(x, TensorType) else type_of(a) for x, a in zip(leaves, arrays)]
    kept = [np.array(a) if isinstance(a, np.ndarray) else a for a in arrays]  # callers may change the arrays later
    return Trace(trace_function(fn, tree, types), None if has_types else tuple(kept))


def backward_on_trace(trace: Trace, cotangents: Any, target: str = "cpu") -> tuple[Any, ...]:
    """The gradients of a trace's arguments, from cotangents, which are nested as its result.

    >>> t = mind.trace(lambda x, w: x @ w, np.float32([1, 2]), np.float32([3, 4]))
    >>> mind.backward_on_trace(t, np.float32(1))
    (array([3., 4.], dtype=float32), array([1., 2.], dtype=float32))

    They are a tuple with an entry for each argument by position, nested as that; leaves of integers have zeros. The
    trace keeps its arguments; one made from types has none (E6009).
    """
    if not isinstance(trace, Trace):
        message = f"backward_on_trace takes what mind.trace gives, found a {type(trace).__name__}"
        raise error("E6009", message, help="backward_on_trace(mind.trace(f, x), cotangents)")
    if trace.arguments is None:
        raise error("E6009", "the trace was made from types, so it has no arguments", help="trace with arrays")
    traced = trace.traced
    directions = matching("the cotangent", cotangents, traced.out_tree, traced.out_types)
    wrt = tuple(n for n, t in enumerate(traced.types) if t.dtype.is_float)
    found: Sequence[Any] = ()
    if wrt:
        with rule_errors():
            module = transpose(unzip(linearized(traced.module, wrt=wrt)), seed="input")
        results = Program(module, Options(target))([*trace.arguments, *traced.captured, *directions])
        found = results[len(traced.out_types) :]
    nested: Any = traced.tree.unflatten(with_zeros(found, traced.types))
    return nested[0]  # type: ignore[no-any-return]
