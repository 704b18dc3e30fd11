"""What Gather and ScatterAdd share: checks of indices into the rows of a tensor, and indices into some of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Builder, Reject, TensorType, Value, np

if TYPE_CHECKING:
    import numpy


def check_rows(name: str, input: TensorType, indices: TensorType, oob: str) -> None:
    """E3002 unless `input` has rows, E4011 unless indices are integers, E3006 where clipping finds no row."""
    if input.rank < 1:
        raise Reject("E3002", f"{name} takes rank 1 or more, input is {input}", at="operand 0")
    if not indices.dtype.is_integer:
        raise Reject("E4011", f"{name} takes indices of integers, found {indices.dtype}", at="operand 1")
    if oob == "clip" and input.shape[0] == 0 and indices.size:
        raise Reject(
            "E3006",
            f'{name} with oob = "clip" finds no row in {input}',
            note=f"indices are {indices}",
            at="operand 0",
        )


def out_of_bounds(name: str, input: numpy.ndarray, indices: numpy.ndarray, oob: str) -> numpy.ndarray:
    """True for each index that names no row of `input`. If oob is "error", E6001 for the first, in row-major order."""
    extent = input.shape[0]
    bad = (indices < 0) | (indices >= extent)
    if oob == "error" and bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise Reject(
            "E6001",
            f"{name} index {int(indices[where])} is out of bounds for extent {extent}",
            label=f"indices{list(where)} of {list(indices.shape)}",
            note=f"input has shape {list(input.shape)}",
            help='indices run from 0; oob = "clip" or "fill" (profile extended) allows others',
        )
    return np.asarray(bad)


def rows_name(input: TensorType, indices: TensorType) -> str:
    """The name of the rows in `Op.dims`, by which they can be cut, if an index can hold where each piece begins."""
    return "#r" if input.shape[0] <= indices.dtype.largest else "_"


def indices_from(b: Builder, indices: Value, start: Value, extent: int, oob: str) -> Value:
    """Indices into a piece of the rows, which begins at row `start`; those of other rows are out of bounds there.

    `extent` is the number of all rows. An index that names none of them is E6001 if oob is "error".
    """
    if oob == "clip":
        first, last = (b.full(indices.type.with_shape(()), n) for n in (0, extent - 1))
        indices = b.Select(b.Greater(first, indices), first, b.Select(b.Greater(indices, last), last, indices))
    begins = b.Gather(b.Broadcast(start, (extent,)), indices, "fill" if oob == "fill" else "error")
    return b.Sub(indices, begins)
