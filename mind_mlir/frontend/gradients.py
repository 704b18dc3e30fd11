"""Reverse mode for functions: grad, value_and_grad, vjp."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..ir import Builder, Module
from ..passes import canonicalize, gradient, linearize, transpose, unzip
from .calls import rule_errors
from .memo import Memo
from .meshed import Meshed
from .place import error
from .program import Options, Program, in_two_parts
from .staging import SPECIALISATIONS, ProgramRunner, Traced, leaves_of, name_of, staged, trace_function
from .tangents import matching, with_zeros
from .trees import LEAF, Tree, argument_paths, nesting, tuple_of


def grad(
    fn: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, target: str = "cpu"
) -> Callable[..., Any]:
    """The function that gives the gradient of `fn`, whose result is a float scalar, with respect to an argument.

    >>> mind.grad(lambda x: mind.sum(x * x))(np.float32([1, 2, 3]))
    array([2., 4., 6.], dtype=float32)

    `argnums` are positions of arguments, counted from the end if negative; for several the result is a tuple. A
    gradient is nested as its argument, whose leaves are floats. With `has_aux` the function returns a pair, whose
    second part is returned beside the gradient: `(gradient, aux)`. Keyword arguments are not differentiated.

    Like `jit`, it traces and compiles once for each structure, shape and dtype, and keeps what `fn` closes over as it
    was then. It composes with itself and with the other transforms, to any order.

    Errors: E5004 if the result is no float scalar, E5005 for an argument that is not there or not of floats, E5001
    for an operation without a derivative.
    """
    options = Options(target)
    check_argnums(argnums)
    if isinstance(fn, Meshed):
        return fn.transformed(lambda f: grad(f, argnums, has_aux, target))

    def build(traced: Traced) -> ProgramRunner:
        g = _gradients(fn, traced, argnums, has_aux)
        if not has_aux:
            return ProgramRunner(g.outputs(g.gradients), g.tree, options)
        return ProgramRunner(g.outputs([*g.gradients, *g.aux]), tuple_of([g.tree, g.aux_tree]), options)

    return staged(fn, build)


def value_and_grad(
    fn: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, target: str = "cpu"
) -> Callable[..., Any]:
    """Like `grad`, with the value: `(value, gradient)`, or `((value, aux), gradient)` with `has_aux`.

    >>> mind.value_and_grad(lambda x: mind.sum(x * x))(np.float32([1, 2, 3]))
    (array(14., dtype=float32), array([2., 4., 6.], dtype=float32))
    """
    options = Options(target)
    check_argnums(argnums)
    if isinstance(fn, Meshed):
        return fn.transformed(lambda f: value_and_grad(f, argnums, has_aux, target))

    def build(traced: Traced) -> ProgramRunner:
        g = _gradients(fn, traced, argnums, has_aux)
        value = tuple_of([LEAF, g.aux_tree]) if has_aux else LEAF
        return ProgramRunner(g.outputs([0, *g.aux, *g.gradients]), tuple_of([value, g.tree]), options)

    return staged(fn, build)


def vjp(fn: Callable[..., Any], *primals: Any, has_aux: bool = False, target: str = "cpu") -> Any:
    """The value of `fn` at these arguments, and the function from cotangents of the result to those of the arguments.

    >>> y, pullback = mind.vjp(lambda x, w: x @ w, np.float32([1, 2]), np.float32([3, 4]))
    >>> pullback(np.float32(1))
    (array([3., 4.], dtype=float32), array([1., 2.], dtype=float32))

    The cotangent is nested as the result, its leaves have the result's types; the function returns a tuple, one entry
    for each argument. Leaves of integers have zeros. Values of the forward run that the reverse run needs are kept, not
    computed again. With `has_aux` the function returns a pair, and vjp `(value, pullback, aux)`.
    """
    options = Options(target)
    arrays, tree, types = leaves_of(fn, primals, {})
    traced = trace_function(fn, tree, types)
    out_tree, aux_tree = _parts(traced, has_aux)
    check_result(traced)
    wrt = float_positions(fn, types)
    count = len(traced.out_types)
    shared = out_tree.num_leaves
    key = traced.module, shared, wrt, options
    forward, backward = _vjps.get(key, lambda: _forward_and_backward(traced.module, shared, wrt, options))
    results = list(forward([*arrays, *traced.captured]))
    outputs, residuals = results[:count], results[count:]
    out_types = traced.out_types[: out_tree.num_leaves]

    def pullback(cotangent: Any) -> tuple[Any, ...]:
        found = backward([*residuals, *matching("the cotangent", cotangent, out_tree, out_types)])
        return tree.child(0).unflatten(with_zeros(found, types))  # type: ignore[return-value]

    value = out_tree.unflatten(outputs[: out_tree.num_leaves])
    if not has_aux:
        return value, pullback
    return value, pullback, aux_tree.unflatten(outputs[out_tree.num_leaves :])


_vjps: Memo[tuple[Program, Program]] = Memo(SPECIALISATIONS)
"""Both parts of what `vjp` runs, for modules that were traced before: making them takes longer than tracing."""


def _forward_and_backward(
    module: Module, outputs: int, wrt: tuple[int, ...], options: Options
) -> tuple[Program, Program]:
    """The run to the outputs and the residuals, and the one back to the cotangents of the first `outputs`."""
    with rule_errors():
        linear = unzip(linearize(_first(module, outputs), wrt=wrt))
        joined = _joined(module, transpose(linear, seed="input"), outputs)
    return in_two_parts(joined, len(module.inputs), len(module.outputs), options)


def float_positions(fn: Callable[..., Any], types: Sequence[Any]) -> tuple[int, ...]:
    """The positions of leaves of a float dtype. E5005 if there is none."""
    positions = tuple(n for n, t in enumerate(types) if t.dtype.is_float)
    if not positions:
        raise error("E5005", f"{name_of(fn)} has no float among its arguments", help="f32 and f64 have derivatives")
    return positions


def check_result(traced: Traced) -> None:
    """E5004 for a function whose result has no array in it."""
    if not traced.out_types:
        raise error("E5004", f"{traced.name} returns no array to differentiate")


@dataclass(frozen=True)
class _Gradients:
    """A module whose outputs are a value, aux, and gradients."""

    module: Module
    aux_tree: Tree
    gradients: list[int]
    """The positions of the outputs that are gradients, in the order of `tree`."""
    tree: Tree

    @property
    def aux(self) -> range:
        """The positions of the outputs that are aux."""
        return range(1, 1 + self.aux_tree.num_leaves)

    def outputs(self, which: Sequence[int]) -> Module:
        """The module with these of its outputs."""
        outputs = tuple([self.module.outputs[n] for n in which])
        pairs = tuple(pair for pair in self.module.gradients if pair[1] in outputs)
        return replace(self.module, outputs=outputs, gradients=pairs)


def _gradients(fn: Callable[..., Any], traced: Traced, argnums: int | Sequence[int], has_aux: bool) -> _Gradients:
    """The module whose outputs are the value, the leaves of aux, and the gradients in the order of the Inputs."""
    positions, tree = wrt_of(fn, traced, argnums)
    value_tree, aux_tree = _parts(traced, has_aux)
    if value_tree.num_leaves != 1 or not value_tree.is_leaf():
        raise error(
            "E5004",
            f"grad takes a function with a scalar result, {traced.name} gives {nesting(value_tree)}",
            help=_OTHERS,
        )
    type = traced.out_types[0]
    if type.shape or not type.dtype.is_float:
        raise error(
            "E5004", f"grad takes a function with a float scalar as result, {traced.name} gives {type}", help=_OTHERS
        )
    order = sorted(positions)
    if not positions:  # arguments without leaves
        return _Gradients(traced.module, aux_tree, [], tree)
    with rule_errors():
        module = gradient(_first(traced.module, 1), wrt=tuple(order))
    if has_aux:
        module = _joined(traced.module, module, 1)
    at = 1 + aux_tree.num_leaves
    return _Gradients(module, aux_tree, [at + order.index(p) for p in positions], tree)


_OTHERS = "mind.sum or mind.mean makes a scalar; vjp takes a cotangent, jacrev and jacfwd give every derivative"


def check_argnums(argnums: Any) -> None:
    """E5005 unless `argnums` is an integer or several."""
    for n in argnums if isinstance(argnums, (tuple, list)) else [argnums]:
        _integer(n)


def wrt_of(fn: Callable[..., Any], traced: Traced, argnums: int | Sequence[int]) -> tuple[list[int], Tree]:
    """The positions of the leaves of the arguments `argnums`, in its order, and their structure. E5005."""
    arguments = traced.tree.child(0).children()
    starts = [0]
    for a in arguments:
        starts.append(starts[-1] + a.num_leaves)
    is_one = not isinstance(argnums, (tuple, list))
    chosen = [_argument(n, len(arguments)) for n in ([argnums] if is_one else argnums)]  # type: ignore[union-attr]
    if len(set(chosen)) < len(chosen):
        raise error("E5005", f"argnums {argnums} names an argument twice")
    positions = [p for n in chosen for p in range(starts[n], starts[n + 1])]
    for p in positions:
        if not traced.types[p].dtype.is_float:
            path = argument_paths(fn, traced.tree)[p]
            help = "pass floats: 3.0 for 3, x.astype(np.float32) for an array; argnums chooses the arguments"
            raise error("E5005", f"{path} is {traced.types[p]}; only f32 and f64 have gradients", help=help)
    trees = [arguments[n] for n in chosen]
    return positions, trees[0] if is_one else tuple_of(trees)


def _argument(n: Any, count: int) -> int:
    n = _integer(n)
    if not -count <= n < count:
        have = f"arguments by position are 0 to {count - 1}" if count else "no argument is given by position"
        raise error("E5005", f"argnums names argument {n}, which does not exist", help=have)
    return n % count  # type: ignore[no-any-return]


def _integer(n: Any) -> int:
    try:
        return operator.index(n)
    except TypeError:
        help = "argnums=0 or argnums=(0, 1) are positions; arguments are passed to the result: grad(f)(x)"
        raise error("E5005", f"argnums takes integers, found a {type(n).__name__}", help=help) from None


def _parts(traced: Traced, has_aux: bool) -> tuple[Tree, Tree]:
    """The structures of the value and of aux."""
    tree = traced.out_tree
    if not has_aux:
        return tree, tuple_of([])
    if tree.type is not tuple or tree.num_children != 2:
        help = "return (value, aux)"
        raise error(
            "E5004", f"has_aux takes a function with a pair as result, {traced.name} gives {nesting(tree)}", help=help
        )
    return tree.child(0), tree.child(1)


def _first(m: Module, outputs: int) -> Module:
    return replace(m, outputs=m.outputs[:outputs])


def _joined(full: Module, derived: Module, shared: int) -> Module:
    """All outputs of a module, then those of one derived from it, without the first ones, which they share."""
    b = Builder()
    inputs: list[Any] = [b.append(o.op, (), o.types)[0] for o in derived.inputs]
    first, second = b.replay(full, inputs), b.replay(derived, inputs)
    outputs = [first[i] for i in full.outputs] + [second[i] for i in derived.outputs[shared:]]
    pairs = [(second[x], second[g]) for x, g in derived.gradients]
    return canonicalize(b.finish(outputs, pairs), verified=True)
