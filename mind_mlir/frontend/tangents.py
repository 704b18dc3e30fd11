"""Tangents and cotangents of nested values: nested in the same way, of the same types, and zeros for integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..ir import TensorType, np
from .operands import Operand, is_scalar, scalar
from .place import error
from .trees import Tree, as_arrays, flatten, nesting, type_of


def matching(what: str, given: Any, tree: Tree, types: Sequence[TensorType]) -> list[Operand]:
    """The leaves for floats. E6009 for another structure or type, E5005 for integers other than zeros.

    Python and NumPy numbers can be used for scalars of any float dtype.
    """
    leaves, found = flatten(given)
    if found != tree:
        raise error("E6009", f"{what} is {nesting(found)}, expected {nesting(tree)}")
    leaves = [scalar(what, x, t.dtype) if is_scalar(x) and t.dtype.is_float else x for x, t in zip(leaves, types)]

    def paths() -> list[str]:
        return [a.codify(what) for a in tree.accessors()]

    arrays = as_arrays(leaves, paths)
    for n, (x, t) in enumerate(zip(arrays, types)):
        if type_of(x) != t:
            raise error("E6009", f"{paths()[n]} is {type_of(x)}, expected {t}")
        if not t.dtype.is_float and isinstance(x, np.ndarray) and x.any():
            raise error("E5005", f"{paths()[n]} belongs to integers, which do not vary: pass zeros")
    return [x for x, t in zip(arrays, types) if t.dtype.is_float]


def with_zeros(floats: Iterable[Any], types: Sequence[TensorType]) -> list[Any]:
    """The leaves of tangents or cotangents, from those for floats: integers have zeros, of their type."""
    found = iter(floats)
    return [next(found) if t.dtype.is_float else np.zeros(t.shape, t.dtype.numpy) for t in types]
