"""What Gather and ScatterAdd share: the checks of indices into the rows of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Reject, TensorType, np

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
