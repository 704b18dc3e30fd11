"""Convolutions in general, by the names of JAX's `conv_general_dilated` and `conv_transpose`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir import OPS
from ..integers import integers
from ..place import error
from ..trace_builder import apply
from ._preferred import preferred
from ._spatial import dilated, each, pads

__all__ = ["conv", "conv_transpose"]

ALIASES: dict[str, str] = {"conv_general_dilated": "conv"}

_LAYOUTS = {1: ("NWC", "WIO", "NWC"), 2: ("NHWC", "HWIO", "NHWC"), 3: ("NDHWC", "DHWIO", "NDHWC")}
"""The layout that is meant if none is given, by the number of spatial axes."""


def conv(
    x: Any,
    w: Any,
    window_strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[Any] = "VALID",
    lhs_dilation: int | Sequence[int] = 1,
    rhs_dilation: int | Sequence[int] = 1,
    dimension_numbers: Sequence[str] | None = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:
    """The convolution of x with filters w over any number of spatial axes; docs/semantics.md, Conv.

    The arguments are those of `jax.lax.conv_general_dilated`. `padding` is "SAME", "VALID", a number, or a pair (low,
    high) for each spatial axis, where negative numbers remove elements. `dimension_numbers` names the axes of x, w and
    the result; without it they are ("NHWC", "HWIO", "NHWC"), with W or DHW for 1 or 3 spatial axes. A number stands for
    one for each spatial axis. `precision` changes nothing: products are as exact as elements are. Sums and result are
    of the `preferred_element_type`, if there is one.

    >>> x = np.arange(5, dtype=np.float32).reshape(1, 5, 1)
    >>> mind.conv(x, np.ones((3, 1, 1), np.float32), padding="SAME").reshape(-1)
    array([1., 3., 6., 9., 7.], dtype=float32)
    >>> mind.conv(x, np.ones((3, 1, 1), np.float32), rhs_dilation=2).reshape(-1)
    array([6.], dtype=float32)
    """
    (x, w), dtype = preferred("conv", preferred_element_type, x, w)
    input, filter, result = _terms("conv", x, w, dimension_numbers)
    spatial = [c for c in filter if c not in "IO"]
    count = len(spatial)
    strides = each("window_strides", window_strides, count)
    gaps, steps = each("lhs_dilation", lhs_dilation, count), each("rhs_dilation", rhs_dilation, count)
    extents = [dilated(x.shape[input.index(c)], gap) for c, gap in zip(spatial, gaps)]
    windows = [dilated(w.shape[filter.index(c)], step) for c, step in zip(spatial, steps)]
    low, high = pads(padding, extents, windows, strides)
    groups = (_count("feature_group_count", feature_group_count), _count("batch_group_count", batch_group_count))
    layout = f"{input}, {filter} -> {result}"
    return apply(OPS["Conv"](layout, strides, low, high, gaps, steps, False, *groups, dtype), x, w)  # type: ignore[call-arg]


def conv_transpose(
    x: Any,
    w: Any,
    strides: int | Sequence[int] = 1,
    padding: str | Sequence[Any] = "SAME",
    rhs_dilation: int | Sequence[int] = 1,
    dimension_numbers: Sequence[str] | None = None,
    transpose_kernel: bool = False,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:
    """The transposed convolution of x with w, `strides` times as long and wide as x; as `jax.lax.conv_transpose`.

    It is a convolution of x with `strides - 1` zeros between neighbours. With `transpose_kernel` it is the adjoint of
    `conv` in x with the filter w, whose channels in and out are then swapped and whose windows are read from their end.
    `padding` is "SAME", "VALID", or a pair for each spatial axis, of the dilated x. `precision` and
    `preferred_element_type` are as for `conv`.

    >>> x = np.float32([1, 2]).reshape(1, 2, 1)
    >>> mind.conv_transpose(x, np.ones((2, 1, 1), np.float32), strides=2).reshape(-1)
    array([1., 1., 2., 2.], dtype=float32)
    """
    (x, w), dtype = preferred("conv_transpose", preferred_element_type, x, w)
    input, filter, result = _terms("conv_transpose", x, w, dimension_numbers)
    spatial = [c for c in filter if c not in "IO"]
    steps, gaps = each("rhs_dilation", rhs_dilation, len(spatial)), each("strides", strides, len(spatial))
    windows = [dilated(w.shape[filter.index(c)], step) for c, step in zip(spatial, steps)]
    if isinstance(padding, str) and padding.upper() in ("SAME", "VALID"):
        around = [_transposed_pads(k, gap, padding.upper()) for k, gap in zip(windows, gaps)]
    else:
        around = list(zip(*pads(padding, [0] * len(spatial), windows, gaps)))
    if transpose_kernel:
        filter = filter.translate(str.maketrans("IO", "OI"))
    low, high = ([pair[n] for pair in around] for n in (0, 1))
    layout = f"{input}, {filter} -> {result}"
    return apply(OPS["Conv"](layout, (), low, high, gaps, steps, bool(transpose_kernel), 1, 1, dtype), x, w)  # type: ignore[call-arg]


def _terms(what: str, x: Any, w: Any, numbers: Sequence[str] | None) -> tuple[str, str, str]:
    """The letters of the axes of x, w and the result. E3002 for other ranks, E4013 if there are not three texts."""
    if numbers is None:
        if x.ndim - 2 not in _LAYOUTS:
            help = "dimension_numbers names the axes of other ranks"
            found = f"{what} takes 1 to 3 spatial axes between batch and channels, x has rank {x.ndim}"
            raise error("E3002", found, help=help)
        return _LAYOUTS[x.ndim - 2]
    if len(numbers) != 3 or not all(isinstance(term, str) for term in numbers):
        help = 'such as ("NCHW", "OIHW", "NCHW")'
        raise error("E4013", f"{what} takes three texts as dimension_numbers, found {numbers!r}", help=help)
    input, filter, result = numbers
    for name, term, value in (("x", input, x), ("w", filter, w)):
        if len(term) != value.ndim:
            raise error("E3002", f"{what} takes {name} of rank {len(term)} for {term}, found rank {value.ndim}")
    return input, filter, result


def _count(name: str, value: Any) -> int:
    (found,) = integers(name, value)
    if found < 1:
        raise error("E4009", f"{name} is 1 or more, found {found}")
    return found


def _transposed_pads(window: int, stride: int, padding: str) -> tuple[int, int]:
    """The padding of a dilated input for which the result is that of the transposed convolution."""
    if padding == "SAME":
        total = window + stride - 2
        low = window - 1 if stride > window - 1 else -(-total // 2)
    else:
        total = window + stride - 2 + max(window - stride, 0)
        low = window - 1
    return low, total - low
