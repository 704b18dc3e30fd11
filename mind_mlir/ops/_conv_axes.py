"""Windows of convolutions in general: the axes that letters name, and extents with dilation and padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir import Reject, np
from ..ir.types import MAX_EXTENT

if TYPE_CHECKING:
    import numpy


def layout_terms(layout: str) -> list[list[str]]:
    """The letters of input, filter and result. E4013 unless the layout is of the form `NHWC, HWIO -> NHWC`."""
    letters = [c for c in layout if c not in " ,->"]
    rank = len(letters) // 3
    terms = [letters[:rank], letters[rank : 2 * rank], letters[2 * rank :]]
    input, filter, result = terms
    spatial = [c for c in filter if c not in "IO"]
    fits = len(letters) == 3 * rank and rank >= 2 and len(spatial) == rank - 2
    for term, own in ((input, "NC"), (filter, "IO"), (result, "NC")):
        for c in [own[0], own[1], *spatial]:
            fits = fits and term.count(c) == 1
    if not fits or "".join([c for c in layout if c != " "]) != "".join([*input, ",", *filter, "->", *result]):
        raise Reject(
            "E4013",
            f"Conv cannot read the layout {layout}",
            help="it names the axes of input, filter and result, such as NHWC, HWIO -> NHWC: N and C are batch and"
            " channels, I and O channels in and out, the other letters the same in all three",
            at="layout",
        )
    return terms


def layout_text(terms: Sequence[Sequence[str]]) -> str:
    """The layout of these letters."""
    input, filter, result = ["".join(term) for term in terms]
    return f"{input}, {filter} -> {result}"


def dilated(extent: int, step: int) -> int:
    """The extent of elements that are `step` apart."""
    return (extent - 1) * step + 1 if extent > 0 else 0


def outputs(
    name: str,
    axes: Sequence[str],
    input: Sequence[int],
    filter: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[Sequence[int]],
) -> list[int]:
    """The spatial extents of a convolution, from dilated ones. E4010 if a window is larger than the padded input."""
    out: list[int] = []
    for axis, n, window, step, pad in zip(axes, input, filter, strides, pads):
        low, high = pad
        padded = low + n + high
        if window > padded or padded < 0:
            raise Reject(
                "E4010",
                f"{name} window of extent {window} is larger than the padded input of {padded}",
                label=f"{axis}: {low} + {n} + {high} is {padded}",
                at="low",
            )
        if max(low, 0) + n + max(high, 0) > MAX_EXTENT:
            found = f"{name} pads {n} to more than {MAX_EXTENT}"
            raise Reject("E4010", found, label=axis, at="low")
        out.append((padded - window) // step + 1)
    return out


def spread(x: numpy.ndarray, axis: int, low: int, high: int, step: int) -> numpy.ndarray:
    """`x` with its elements `step` apart along an axis, after `low` and before `high` zeros; negative ones remove."""
    n = x.shape[axis]
    shape = [*x.shape[:axis], low + dilated(n, step) + high, *x.shape[axis + 1 :]]
    if n <= 1:
        step = 1  # no neighbours, however far apart
    first = max(0, -(low // step)) if low < 0 else 0
    kept = [i for i in range(first, n) if low + i * step < shape[axis]]
    result = np.zeros(shape, x.dtype)
    np.moveaxis(result, axis, 0)[[low + i * step for i in kept]] = np.moveaxis(x, axis, 0)[kept]
    return result
