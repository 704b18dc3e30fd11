"""What Conv2d and its two adjoints share: the type rule, the padding, the windows.

All three speak of the same numbers: an input [N, H, W, C], padded to [N, …, …, C]; a filter [KH, KW, C, F]; and what
convolving them gives, [N, OH, OW, F], whose element (y, x) sees the window of the padded input at (y · s, x · s).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..ir import Reject, Shape, TensorType
from ..ir.types import MAX_EXTENT
from ._rules import check_extents, same_numbers

if TYPE_CHECKING:
    import numpy

Pads: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""((top, bottom), (left, right))."""


def window(extent: int, kernel: int, stride: int, padding: Any, axis: int) -> tuple[int, int, int]:
    """Low padding, high padding and output extent of one spatial axis (0 height, 1 width).

    Valid pads nothing. Same gives ceil(extent / stride) outputs and splits the padding low = floor, high = rest,
    never negative.
    """
    if padding == "Valid":
        low, high = 0, 0
    elif padding == "Same":
        total = max((-(-extent // stride) - 1) * stride + kernel - extent, 0)
        low, high = total // 2, total - total // 2
    else:
        low, high = padding[axis]
    return low, high, (low + extent + high - kernel) // stride + 1


def pads(input: Shape, filter: Shape, strides: Sequence[int], padding: Any) -> Pads:
    """The zeros before and after both spatial axes of an input of this shape."""
    top, bottom, _ = window(input[1], filter[0], strides[0], padding, 0)
    left, right, _ = window(input[2], filter[1], strides[1], padding, 1)
    return (top, bottom), (left, right)


def padded(input: Shape, filter: Shape, strides: Sequence[int], padding: Any) -> Shape:
    """The shape of an input with its padding."""
    (top, bottom), (left, right) = pads(input, filter, strides, padding)
    n, h, w, c = input
    return n, top + h + bottom, left + w + right, c


def convolution(name: str, input: TensorType, filter: TensorType, strides: Sequence[int], padding: Any) -> TensorType:
    """The type of a convolution. E2004 dtypes, E3002 ranks, E4009 channels, E4010 strides or window."""
    same_numbers(name, input, filter, ("input", "filter"))
    for i, (what, x) in enumerate((("input", input), ("filter", filter))):
        if x.rank != 4:
            raise Reject("E3002", f"{name} takes rank 4, {what} is {x}", at=f"operand {i}")
    if len(strides) != 2 or min(strides) < 1:
        raise Reject("E4010", f"{name} strides are two positive numbers, found {list(strides)}", at="strides")
    if input.shape[3] != filter.shape[2]:
        raise Reject(
            "E4009",
            f"{name} input has {input.shape[3]} channels, the filter takes {filter.shape[2]}",
            note=f"input is {input}, filter is {filter}",
            help="the input is NHWC, the filter [height, width, channels in, channels out]",
        )
    spatial = []
    for axis, (extent, kernel, stride) in enumerate(zip(input.shape[1:3], filter.shape, strides)):
        low, high, out = window(extent, kernel, stride, padding, axis)
        if kernel > low + extent + high and not (extent == 0 and padding == "Same"):
            raise Reject(
                "E4010",
                f"{name} window of extent {kernel} is larger than the padded input of {low + extent + high}",
                label=f"{('height', 'width')[axis]}: {low} + {extent} + {high} is less than {kernel}",
                at="padding",
            )
        if low + extent + high > MAX_EXTENT:
            found = f"{name} pads {extent} to {low + extent + high}, larger than {MAX_EXTENT}"
            raise Reject("E4010", found, label=("height", "width")[axis], at="padding")
        spatial.append(max(out, 0))
    return input.with_shape(check_extents(name, (input.shape[0], *spatial, filter.shape[3])))


def check_cotangent(
    name: str,
    cotangent: TensorType,
    at: int,
    input: TensorType,
    filter: TensorType,
    strides: Sequence[int],
    padding: Any,
) -> None:
    """Like `convolution`, and E3002 or E3003 unless operand `at` has the shape that convolving gives."""
    expected = convolution(name, input, filter, strides, padding)
    if cotangent.rank != 4:
        raise Reject("E3002", f"{name} takes rank 4, cotangent is {cotangent}", at=f"operand {at}")
    for axis, (found, n) in enumerate(zip(cotangent.shape, expected.shape)):
        if found != n:
            raise Reject(
                "E3003",
                f"{name} cotangent has extent {found} at axis {axis}, where Conv2d gives {n}",
                note=f"cotangent is {cotangent}; Conv2d of {input} and {filter} gives {expected}",
                at=f"operand {at}",
            )


def check_shape(name: str, what: str, shape: Shape) -> None:
    """E3002 unless the attribute `what` names four extents."""
    if len(shape) != 4:
        raise Reject("E3002", f"{name} takes four extents as {what}, found {len(shape)}", at=what)


def windows(
    x: numpy.ndarray, kernel: Sequence[int], strides: Sequence[int], out: Sequence[int]
) -> Iterator[tuple[int, int, numpy.ndarray]]:
    """(i, j, what position (i, j) of every window sees of the padded `x`: a view), in ascending order."""
    (kh, kw), (sh, sw), (oh, ow) = kernel, strides, out
    for i in range(kh):
        for j in range(kw):
            yield i, j, x[:, i : i + oh * sh : sh, j : j + ow * sw : sw, :]
