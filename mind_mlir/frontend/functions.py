"""NumPy-like functions of traced values and arrays; `elementwise.py` has those of element-wise operations.

Each is traced if one of its operands is a traced value, and evaluated at once, as the interpreter does, if all are
arrays. Scalars beside another operand take its dtype; arrays keep theirs, and nothing else is converted.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ..ir import OPS, Op, Reject, check_operand_count
from .indexing import gathered, positions
from .operands import common, dtype_of, operand
from .place import error, located
from .trace_builder import apply as _apply, binary
from .unknown import Unknown

__all__ = [
    "apply",
    "broadcast_to",
    "conv2d",
    "dot",
    "expand_dims",
    "matmul",
    "mean",
    "reshape",
    "squeeze",
    "sum",
    "take",
    "transpose",
    "where",
]


def apply(op: Op, *operands: Any) -> Any:
    """Apply an operation of Core IR, or a user-defined one; `op` is an instance, which has the attributes.

    >>> from mind_mlir.ops.pad import Pad
    >>> mind.apply(Pad(low=(1,), high=(2,), interior=(0,)), np.float32([1, 2]))
    array([0., 1., 2., 0., 0.], dtype=float32)
    """
    if not isinstance(op, Op):
        what = op.__name__ if isinstance(op, type) else f"a {type(op).__name__}"
        made = (
            f"{op.__name__}(…) with its attributes" if isinstance(op, type) else "Pad(…), say, from mind_mlir.ops.pad"
        )
        raise error("E6009", f"apply takes an operation, found {what}", help=f"pass an instance: {made}")
    try:
        check_operand_count(op, len(operands))
    except Reject as why:
        raise located(why) from None
    return _apply(op, *[operand(op.opcode, x) for x in operands])


def sum(x: Any, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """The sum along `axis`: an integer, several, or None for all. docs/semantics.md, Sums, has the order.

    >>> mind.sum(np.float32([[1, 2], [3, 4]]), axis=0)
    array([4., 6.], dtype=float32)
    """
    return _reduced("Sum", x, axis, keepdims)


def mean(x: Any, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """The arithmetic mean along `axis`, of f32 or f64; NaN over nothing.

    >>> mind.mean(np.float32([[1, 2], [3, 4]]), axis=1, keepdims=True)
    array([[1.5],
           [3.5]], dtype=float32)
    """
    return _reduced("Mean", x, axis, keepdims)


def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition is true, or an integer that is not 0, else y; broadcasting.

    Elements that are not chosen have no influence on the result. But they are differentiated too, with the cotangent 0,
    and 0 times an infinite derivative is NaN: mind.where(x > 0, mind.log(x), 0) has the gradient NaN at 0. Choose the
    operand too: mind.log(mind.where(x > 0, x, 1)).

    >>> mind.where(np.array([True, False]), np.float32([1, 2]), 0)
    array([1., 0.], dtype=float32)
    """
    condition = operand("where", condition)
    if dtype_of(condition).is_float:
        help = "x > y gives one, and so do arrays of truth values"
        raise error("E2005", f"where takes truth values as its condition, found {dtype_of(condition)}", help=help)
    if dtype_of(condition).is_integer:
        condition = _apply(_op("NotEqual"), *common("where", condition, 0))
    return _apply(_op("Select"), condition, *common("where", x, y))


def matmul(x: Any, y: Any) -> Any:
    """The matrix product over the last axis of x and the last but one of y; what x @ y gives.

    A vector on the left is a row, on the right a column, and the result lacks its axis; leading axes are batches and
    broadcast.

    >>> mind.matmul(np.float32([[1, 2], [3, 4]]), np.float32([1, 1]))
    array([3., 7.], dtype=float32)
    """
    x, y = common("matmul", x, y)
    if x.ndim == 0 or y.ndim == 0:
        raise error("E3002", "matmul takes rank 1 or more, found a scalar", help="* multiplies by a scalar")
    if x.ndim <= 2 and y.ndim <= 2 and x.ndim + y.ndim < 4:
        return _apply(_op("Dot"), x, y)
    row, column = x.ndim == 1, y.ndim == 1
    x = _apply(_op("ExpandDims", (0,)), x) if row else x
    y = _apply(_op("ExpandDims", (1,)), y) if column else y
    result = _apply(_op("MatMul"), x, y)
    return squeeze(result, -2 if row else -1) if row or column else result


def dot(x: Any, y: Any) -> Any:
    """The sum of products over the last axis of x and the first of y, which have rank 1 or 2; a scalar multiplies.

    >>> mind.dot(np.float32([1, 2]), np.float32([3, 4]))
    array(11., dtype=float32)
    """
    x, y = common("dot", x, y)
    if x.ndim == 0 or y.ndim == 0:
        return binary("Mul", x, y)
    return _apply(_op("Dot"), x, y)


def conv2d(x: Any, w: Any, strides: int | Sequence[int] = (1, 1), padding: Any = "Valid") -> Any:
    """The convolution of images x [N, H, W, C] with filters w [height, width, C, F]: [N, height, width, F].

    `padding` is "Valid", "Same" or ((top, bottom), (left, right)). docs/semantics.md, Conv2d.

    >>> image = np.arange(9, dtype=np.float32).reshape(1, 3, 3, 1)
    >>> mind.conv2d(image, np.ones((2, 2, 1, 1), np.float32)).reshape(2, 2)
    array([[ 8., 12.],
           [20., 24.]], dtype=float32)
    """
    x, w = common("conv2d", x, w)
    steps = integers("strides", strides)
    return _apply(_op("Conv2d", steps if hasattr(strides, "__iter__") else steps * 2, padding), x, w)


def reshape(x: Any, shape: int | Sequence[int]) -> Any:
    """The same elements, row by row, in another shape, of which one entry may be -1 and is computed.

    >>> mind.reshape(np.arange(6), (2, -1))
    array([[0, 1, 2],
           [3, 4, 5]])
    """
    x = operand("reshape", x)
    return _apply(_op("Reshape", integers("shape", shape)), x)


def transpose(x: Any, axes: Sequence[int] | None = None) -> Any:
    """The axes in another order; reversed if `axes` is None.

    >>> mind.transpose(np.float32([[1, 2], [3, 4]]))
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """
    x = operand("transpose", x)
    if axes is None:
        order: tuple[int, ...] = tuple(reversed(range(x.ndim)))
    else:
        order = tuple(a + x.ndim if -x.ndim <= a < 0 else a for a in integers("axes", axes))
    return _apply(_op("Transpose", order), x)


def expand_dims(x: Any, axis: int | Sequence[int]) -> Any:
    """x with new axes of extent 1, at these positions of the result.

    >>> mind.expand_dims(np.float32([1, 2]), 0).shape
    (1, 2)
    """
    return _apply(_op("ExpandDims", integers("axis", axis)), operand("expand_dims", x))


def squeeze(x: Any, axis: int | Sequence[int] | None = None) -> Any:
    """x without these axes of extent 1; None removes all of them.

    >>> mind.squeeze(np.zeros((1, 2, 1))).shape
    (2,)
    """
    x = operand("squeeze", x)
    axes = tuple(i for i, n in enumerate(x.shape) if n == 1) if axis is None else integers("axis", axis)
    return _apply(_op("Squeeze", axes) if axes else _op("Reshape", x.shape), x)


def broadcast_to(x: Any, shape: int | Sequence[int]) -> Any:
    """x stretched to a shape, as in NumPy.

    >>> mind.broadcast_to(np.float32([1, 2]), (2, 2))
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """
    return _apply(_op("Broadcast", integers("shape", shape)), operand("broadcast_to", x))


def take(x: Any, indices: Any, axis: int = 0, mode: str = "error") -> Any:
    """The parts of x at these positions of an axis, which the axes of `indices` replace.

    Out of bounds is E6001 in mode "error", the nearest part in "clip" and zeros in "fill". In mode "error" known
    indices may count from the end; traced ones, and those of the other modes, count from 0.

    >>> mind.take(np.float32([10, 20, 30]), [2, 0, -1])
    array([30., 10., 30.], dtype=float32)
    """
    x = operand("take", x)
    if mode not in ("error", "clip", "fill"):
        raise error("E4013", f'take has the modes "error", "clip" and "fill", found {mode!r}')
    if not -x.ndim <= (axis := _integer("axis", axis)) < x.ndim:
        raise error("E3004", f"take: axis {axis} is out of range for rank {x.ndim}")
    axis %= x.ndim
    indices = positions("take", indices, x.shape[axis] if mode == "error" else None, axis)
    return gathered(x, [axis], [indices], axis, mode)


def names() -> list[str]:
    """The names of all functions, also of `elementwise.py`, in alphabetical order."""
    return sorted([*__all__, *OPS.function_names()])


def exists(name: str) -> bool:
    """True for the name of a function, also of `elementwise.py`."""
    return name in __all__ or OPS.of_function(name) is not None


def _op(opcode: str, *attributes: Any) -> Any:
    try:
        return OPS[opcode](*attributes)
    except Reject as why:
        raise located(why) from None


def _reduced(opcode: str, x: Any, axis: Any, keepdims: bool) -> Any:
    x = operand(opcode, x)
    if axis is None:
        axes = tuple(range(x.ndim)) if keepdims else ()  # no axes: all are reduced, whatever keepdims says
    elif not (axes := integers("axis", axis)):
        return _apply(_op("Reshape", x.shape), x)  # as in NumPy, () reduces no axis
    return _apply(_op(opcode, axes, bool(keepdims)), x)


def integers(name: str, given: Any) -> tuple[int, ...]:
    """One integer or several, as a tuple. E4013 for anything else."""
    if not hasattr(given, "__iter__") or isinstance(given, Unknown):
        return (_integer(name, given),)
    return tuple([_integer(name, n) for n in given])


def _integer(name: str, given: Any) -> int:
    try:
        return operator.index(given)
    except TypeError:
        raise error("E4013", f"{name} takes integers, found a {type(given).__name__}") from None
