"""Nested arguments and results: tuples, lists, dicts, named tuples, and classes registered with optree.

Leaves are arrays, NumPy and Python numbers, and traced values; None is an empty subtree. A user-defined class is
registered in the namespace "mind_mlir": `optree.register_pytree_node(cls, flatten, unflatten, namespace="mind_mlir")`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import optree

from ..ir import TensorType, Value, np
from ..passes.derivative_rules import fresh
from .operands import DTYPES, Operand, array_type
from .place import error
from .tracer import Tracer

if TYPE_CHECKING:
    import numpy

NAMESPACE = "mind_mlir"

Tree: TypeAlias = optree.PyTreeSpec
"""The structure of nested values."""

_BEYOND_F32 = 2.0**128 - 2.0**103
"""The least float that rounds to infinity in f32."""


def flatten(nested: Any, none_is_leaf: bool = False) -> tuple[list[Any], Tree]:
    """The leaves and the structure. E6009 if a value is nested too deep, or contains itself."""
    try:
        leaves, tree = optree.tree_flatten(nested, none_is_leaf=none_is_leaf, namespace=NAMESPACE)
    except RecursionError:
        help = f"Python goes {sys.getrecursionlimit()} calls deep (sys.setrecursionlimit); a list may not hold itself"
        raise error("E6009", "an argument or a result is nested too deep, or contains itself", help=help) from None
    return leaves, tree


def flatten_with_none(nested: Any) -> tuple[list[Any], Tree]:
    """The same, with None as a leaf."""
    return flatten(nested, none_is_leaf=True)


def tuple_of(trees: Sequence[Tree]) -> Tree:
    """The structure of a tuple whose elements have these structures."""
    return optree.treespec_tuple(trees, namespace=NAMESPACE)


LEAF: Tree = optree.treespec_leaf()


def nesting(tree: Tree) -> str:
    """A structure as text: `{'w': *, 'b': None}`, with `*` for an array."""
    inner = str(tree).removeprefix("PyTreeSpec(")[:-1]
    inner = inner.removesuffix(f", namespace='{NAMESPACE}'").removesuffix(", NoneIsLeaf")
    return "an array" if inner == "*" else inner


def as_arrays(leaves: Sequence[Any], paths: Callable[[], Sequence[str]]) -> list[Tracer | numpy.ndarray]:
    """Leaves as traced values, or as C-ordered, aligned arrays of an element type. E6009 with the leaf's path."""
    out = []
    for n, leaf in enumerate(leaves):
        try:
            out.append(_as_array(leaf))
        except _Unfit as why:
            raise error("E6009", f"{paths()[n]} is {why.found}", help=why.help) from None
    return out


def type_of(x: Operand) -> TensorType:
    """The type of a leaf."""
    return x.type if isinstance(x, Value) else TensorType.of_array(x)


def argument_paths(fn: Callable[..., Any], tree: Tree) -> list[str]:
    """The text by which a user writes each leaf of `(args, kwargs)`: `params['w'][0]`."""
    parameters = _parameters(fn)
    return [a[2:].codify(_parameter(parameters, a)) for a in tree.accessors()]


def result_paths(tree: Tree) -> list[str]:
    """The text by which a user writes each leaf of a result."""
    return [a.codify("the result") for a in tree.accessors()]


def argument_names(fn: Callable[..., Any], tree: Tree) -> list[str]:
    """A unique name for each leaf of `(args, kwargs)`: x, params.w, params.layers.0."""
    parameters, taken = _parameters(fn), set[str]()
    out = []
    for accessor in tree.accessors():
        steps = [e.field if isinstance(e, optree.NamedTupleEntry) else str(e.entry) for e in accessor[2:]]
        name = ".".join([_parameter(parameters, accessor), *steps])
        out.append(fresh(name.encode(errors="backslashreplace").decode(), taken))  # half of a surrogate pair is no text
    return out


class Static:
    """A static argument: it is part of the structure, and compared by type and value; -0.0 is not 0.0."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _static(kept: Any, _: Any) -> Any:
    return Static(kept[1])


_register: Any = optree.register_pytree_node
_register(Static, lambda s: ((), (_kind(s.value), s.value)), _static, namespace=NAMESPACE)


def _kind(value: Any) -> Any:
    """A key that differs for equal values such as 1, 1.0 and True, or 0.0 and -0.0, also in tuples."""
    if isinstance(value, tuple):
        return type(value), *map(_kind, value)
    if isinstance(value, frozenset):
        return type(value), frozenset(map(_kind, value))
    if isinstance(value, (float, complex, np.inexact)):
        return type(value), repr(value)
    return type(value)


class _Unfit(Exception):
    """Raised for a value that cannot be a leaf, with the reason."""

    def __init__(self, found: str, help: str) -> None:
        self.found, self.help = found, help


def _as_array(leaf: Any) -> Tracer | numpy.ndarray:
    if isinstance(leaf, Tracer):
        return leaf
    if isinstance(leaf, (np.ndarray, np.generic)):
        if isinstance(leaf, (np.matrix, np.ma.MaskedArray)):
            raise _Unfit(f"a {type(leaf).__name__}", "np.asarray makes a plain array")
        a = np.asarray(leaf)
        if array_type(a) is None:
            raise _Unfit(f"an array of dtype {a.dtype}", f"dtypes are {DTYPES}: x.astype(np.float32)")
        a = np.asarray(a, a.dtype.newbyteorder("="), order="C")
        return a if a.flags.aligned else a.copy()
    if isinstance(leaf, float):
        if _BEYOND_F32 <= abs(leaf) < float("inf"):
            raise _Unfit(f"{leaf}, beyond the largest f32", "np.float64(x) is f64")
        return np.array(leaf, np.float32)
    if isinstance(leaf, bool):
        return np.array(leaf)
    if isinstance(leaf, int):
        if not -(2**63) <= leaf < 2**63:
            raise _Unfit("an integer beyond i64", "np.float64(x) is f64")
        return np.array(leaf, np.int64)
    help = "pass arrays and numbers; static_argnums of jit keeps an argument as it is, and so does a closure"
    raise _Unfit(f"a {type(leaf).__name__}", help)


def _parameter(parameters: Callable[[int], str], accessor: optree.PyTreeAccessor) -> str:
    """The parameter to which a leaf of `(args, kwargs)` belongs."""
    named, which = accessor[0].entry, accessor[1].entry
    return str(which) if named else parameters(which)


def _parameters(fn: Callable[..., Any]) -> Callable[[int], str]:
    """The name of the parameter that takes a positional argument."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (ValueError, TypeError):  # a built-in without a signature
        parameters = []
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    variadic = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "arg")

    def name(n: int) -> str:
        return positional[n] if n < len(positional) else f"{variadic}{n - len(positional)}"

    return name
