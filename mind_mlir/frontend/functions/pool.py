"""Pooling: one element for each window that moves over spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ...ir import np
from ..operands import dtype_of, operand
from ..place import error
from ..promotion import binary
from ._made import applied
from ._spatial import dilated, each, pads
from .statistical import floats

__all__ = ["avg_pool", "max_pool"]

ALIASES: dict[str, str] = {}

_LAYOUTS = {3: "NWC", 4: "NHWC", 5: "NDHWC"}
"""The layout that is meant if none is given, by rank."""

Each = int | Sequence[int]
"""A number for each spatial axis, or one for all."""


def max_pool(
    x: Any,
    window: Each,
    strides: Each,
    padding: str | int | Sequence[Any] = "VALID",
    *,
    dilation: Each = 1,
    layout: str | None = None,
) -> Any:
    """The largest element of each window over the spatial axes of x; NaN wins. docs/semantics.md, Windows.

    Windows have `window` elements along each spatial axis, `dilation` apart, and begin `strides` apart, which has no
    default, because libraries differ in it: PyTorch's is `window`, that of Flax and ONNX is 1. `padding` is "SAME",
    "VALID", a number, or a pair (low, high) for each spatial axis, and is below all numbers. `layout` names the axes of
    x: N for batches, C for channels, other letters for spatial axes. Without it, channels are last.

    >>> x = np.float32([[1, 5, 2], [4, 3, 0], [7, 6, 8]]).reshape(1, 3, 3, 1)
    >>> mind.max_pool(x, 2, 1).reshape(2, 2)
    array([[5., 5.],
           [7., 8.]], dtype=float32)
    """
    x = operand("max_pool", x)
    return _pooled("WindowMax", x, *_windows("max_pool", x, window, strides, padding, dilation, layout))


def avg_pool(
    x: Any,
    window: Each,
    strides: Each,
    padding: str | int | Sequence[Any] = "VALID",
    *,
    count_include_pad: bool = True,
    layout: str | None = None,
) -> Any:
    """The mean of each window over the spatial axes of x; the other arguments are those of max_pool.

    Padding counts as zeros, or not at all with `count_include_pad=False`, which divides by the elements of x alone.

    >>> x = np.float32([1, 3, 5]).reshape(1, 3, 1)
    >>> mind.avg_pool(x, 2, 1).reshape(-1)
    array([2., 4.], dtype=float32)
    >>> mind.avg_pool(x, 3, 3, "SAME", count_include_pad=False).reshape(-1)
    array([3.], dtype=float32)
    """
    x = floats("avg_pool", x)
    windows = _windows("avg_pool", x, window, strides, padding, 1, layout)
    total = _pooled("WindowSum", x, *windows)
    if count_include_pad or not any([*windows[2], *windows[3]]):
        return binary("Div", total, float(prod(windows[0])))
    ones = np.ones([1 if w == 1 else n for w, n in zip(windows[0], x.shape)], np.float64)
    counts = _pooled("WindowSum", ones, *windows)  # along axes without windows all are the same
    return binary("Div", total, counts.astype(dtype_of(x).numpy))


def _pooled(opcode: str, x: Any, *windows: Sequence[int]) -> Any:
    return applied(opcode, tuple(tuple(values) for values in windows), x)


def _windows(
    name: str, x: Any, window: Each, strides: Each, padding: Any, dilation: Each, layout: str | None
) -> list[list[int]]:
    """Window, strides, padding before and after, and dilation, for each axis of x. E3002, E4010, E4013."""
    terms = _terms(name, x, layout)
    spatial = [n for n, letter in enumerate(terms) if letter not in "NC"]
    count = len(spatial)
    extents, steps = _listed("window", window, count), _listed("strides", strides, count)
    gaps = _listed("dilation", dilation, count)
    spans = [dilated(w, d) for w, d in zip(extents, gaps)]
    low, high = pads(padding, [x.shape[n] for n in spatial], spans, steps)
    whole = []
    for values, other in ((extents, 1), (steps, 1), (low, 0), (high, 0), (gaps, 1)):
        numbers = iter(values)
        whole.append([next(numbers) if n in spatial else other for n in range(x.ndim)])
    return whole


def _listed(what: str, values: Each, count: int) -> tuple[int, ...]:
    """A number of 1 or more for each spatial axis. E4010."""
    found = each(what, values, count)
    if len(found) != count:
        raise error("E4010", f"{what} takes a number for each of {count} spatial axes, found {values!r}")
    if any(n < 1 for n in found):
        raise error("E4010", f"{what} is 1 or more, found {values!r}")
    return found


def _terms(name: str, x: Any, layout: str | None) -> str:
    """The letters of the axes of x."""
    if layout is None:
        if x.ndim not in _LAYOUTS:
            found = f"{name} takes 1 to 3 spatial axes between batch and channels, x has rank {x.ndim}"
            raise error("E3002", found, help="layout names the axes of other ranks")
        return _LAYOUTS[x.ndim]
    if not isinstance(layout, str) or len({*layout}) != len(layout) or not layout.isalpha():
        raise error("E4013", f"layout is a text with a letter for each axis, found {layout!r}", help='such as "NCHW"')
    if len(layout) != x.ndim:
        raise error("E3002", f"{name} takes x of rank {len(layout)} for {layout}, found rank {x.ndim}")
    return layout
