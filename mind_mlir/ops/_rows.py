"""What Gather and ScatterAdd share: the checks of indices into the rows of a tensor, and indices into some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Builder, Reject, TensorType, Value, np

if TYPE_CHECKING:
    import numpy


def check_rows(name: str, input: TensorType, indices: TensorType, oob: str) -> None:
    """E3002 unless `input` has rows, E4011 unless indices are integers, E3006 where clipping finds no row."""
    if input.rank < 1:
        raise Reject("E3002", f"{name} takes rank 1 or more, input is {input}", at="operand 0")
    if indices.dtype.is_float:
        raise Reject("E4011", f"{name} takes i32 or i64 indices, found {indices.dtype}", at="operand 1")
    if oob == "clip" and input.shape[0] == 0 and indices.size:
        raise Reject(
            "E3006",
            f'{name} with oob = "clip" finds no row in {input}',
            note=f"indices are {indices}",
            at="operand 0",
        )


def out_of_bounds(name: str, input: numpy.ndarray, indices: numpy.ndarray, oob: str) -> numpy.ndarray:
    """Where an index names no row of `input`.  E6001 at the first such place, in row-major order, if oob is "error"."""
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
    """The name of the rows in `Op.dims`: they can be cut where an index can say where each piece begins."""
    return "#r" if input.shape[0] < 1 << (8 * indices.dtype.width - 1) else "_"


def indices_from(b: Builder, indices: Value, start: Value, extent: int, oob: str) -> Value:
    """Indices into the rows from `start` on of so many; what names another row is out of bounds of any piece of them.

    Where each row's piece begins is picked by the index, so an index that names no row is E6001 if oob is "error".
    """
    if oob == "clip":
        first, last = (b.full(indices.type.with_shape(()), n) for n in (0, extent - 1))
        indices = b.Select(b.Greater(first, indices), first, b.Select(b.Greater(indices, last), last, indices))
    begins = b.Gather(b.Broadcast(start, (extent,)), indices, "fill" if oob == "fill" else "error")
    return b.Sub(indices, begins)
