"""What operations on slices at index vectors share: the slices that are named, and their positions.

    indices[i…, k]    where slice i… begins along axis axes[k]
    points            sizes = []: a slice is one element along `axes`, which the result does not have
    windows           otherwise: a slice has sizes[k] elements along axes[k], in the result too
    batch_axes[n]     runs along with axis n of `indices`: slice i… is of the input at i_n there

Slices are whole along all other axes. A slice fits if it has no element outside of the input.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..ir import Op, Reject, Shape, TensorType, f32, f64, i32, i64, np
from ..ir.attributes import Axes, Extents, OutOfBounds
from ._rules import names, normal_axes, same_dtype

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Slices(Op):
    """Slices of `input` that begin where the last axis of `indices` says."""

    axes: Axes
    batch_axes: Axes
    sizes: Extents
    oob: OutOfBounds = "error"

    core_v1 = False
    lowers_empty = True

    def check_slices(self, input, indices):
        """E3004, E3005, E4007, E4011, E3002, E3003, E3011 or E3006 unless `indices` name slices of `input`."""
        name, axes, batch = self.opcode, self.axes, self.batch_axes
        normal_axes(name, [*axes, *batch], input.rank)
        if not axes:
            raise Reject("E4007", f"{name} takes one axis or more", at="axes")
        if self.sizes and len(self.sizes) != len(axes):
            raise Reject(
                "E4007",
                f"{name} takes a size for each of {len(axes)} axes, or none, found {len(self.sizes)}",
                at="sizes",
            )
        if not indices.dtype.is_integer:
            raise Reject("E4011", f"{name} takes indices of integers, found {indices.dtype}", at="operand 1")
        if indices.rank < len(batch) + 1:
            raise Reject(
                "E3002",
                f"{name} takes indices of rank {len(batch) + 1} or more, indices are {indices}",
                help="the last axis is the index vector; the first ones run along batch_axes",
                at="operand 1",
            )
        if indices.shape[-1] != len(axes):
            raise Reject(
                "E3003",
                f"{name} names {len(axes)} axes, index vectors have extent {indices.shape[-1]}",
                note=f"indices are {indices}",
                at="operand 1",
            )
        for n, a in enumerate(batch):
            if indices.shape[n] != input.shape[a]:
                raise Reject(
                    "E3003",
                    f"{name}: axis {a} of input has extent {input.shape[a]}, axis {n} of indices {indices.shape[n]}",
                    note=f"input is {input}, indices are {indices}",
                    at="batch_axes",
                )
        for n, span in enumerate(self.spans(input.shape)):
            size = self.sizes[n] if self.sizes else 1
            if span < 1 and self.sizes:
                raise Reject(
                    "E3011",
                    f"{name} takes {size} elements of extent {input.shape[axes[n]]} of dimension {axes[n]}",
                    note=f"input is {input}",
                    at="sizes",
                )
            if span < 1 and self.oob == "clip" and indices.size:
                raise Reject(
                    "E3006",
                    f'{name} with oob = "clip" finds no element along axis {axes[n]} of {input}',
                    note=f"indices are {indices}",
                    at="operand 0",
                )

    def spans(self, shape):
        """How many positions along each of `axes` a slice may begin at."""
        return [shape[a] - size + 1 for a, size in zip(self.axes, self.sizes or [1] * len(self.axes))]

    def span(self, input):
        return max(min(self.spans(input.shape)), 0)

    def window_axes(self, rank):
        """The axes of the input that slices have, ascending."""
        axes, batch = self.positive(rank)
        return [a for a in range(rank) if a not in batch and (self.sizes or a not in axes)]

    def positive(self, rank):
        """`axes` and `batch_axes`, counted from 0."""
        both = normal_axes(self.opcode, [*self.axes, *self.batch_axes], rank)
        return both[: len(self.axes)], both[len(self.axes) :]

    def slices_type(self, input, indices):
        """The type of all slices: `[i…, window…]`."""
        axes, _ = self.positive(input.rank)
        window = [self.sizes[axes.index(a)] if a in axes else input.shape[a] for a in self.window_axes(input.rank)]
        return TensorType(input.dtype, indices.shape[:-1] + tuple(window))

    def check_updates(self, input, indices, updates):
        """E2004, E3002 or E3003 unless `updates` have the type of the slices."""
        name = self.opcode
        self.check_slices(input, indices)
        same_dtype(name, input, updates, ("input", "updates"))
        expected = self.slices_type(input, indices)
        if updates.rank != expected.rank:
            raise Reject(
                "E3002",
                f"{name} takes updates of rank {expected.rank}, updates are {updates}",
                note=f"the slices are {expected}",
                at="operand 2",
            )
        for axis, (found, n) in enumerate(zip(updates.shape, expected.shape)):
            if found != n:
                raise Reject(
                    "E3003",
                    f"{name} updates have extent {found} at axis {axis}, where the slices have {n}",
                    note=f"the slices are {expected}, updates are {updates}",
                    at="operand 2",
                )

    def canonical(self, input, indices, *updates):
        axes, batch = self.positive(input.rank)
        return replace(self, axes=axes, batch_axes=batch)

    # Values, in NumPy

    def outside(self, input, indices):
        """True for each index vector whose slice does not fit. If oob is "error", E6001 for the first."""
        spans = self.spans(input.shape)
        bad = np.zeros(indices.shape, bool)
        for k, span in enumerate(spans):
            bad[..., k] = (indices[..., k] < 0) | (indices[..., k] >= span)
        if self.oob == "error" and bad.any():
            where = tuple(int(i) for i in np.argwhere(bad)[0])
            a = self.axes[where[-1]]
            what = f" for slices of {self.sizes[where[-1]]}" if self.sizes else ""
            raise Reject(
                "E6001",
                f"{self.opcode} index {int(indices[where])} is out of bounds for extent {input.shape[a]}{what}",
                label=f"indices{list(where)} of {list(indices.shape)}",
                note=f"input has shape {list(input.shape)}, the index is along axis {a}",
                help='indices run from 0; oob = "clip" or "fill" allows others',
            )
        return bad.any(axis=-1)

    def places(self, shape: Shape, indices: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
        """For each axis of the input the positions of all elements of slices, which broadcast to the slices' shape.

        A slice that does not fit is moved to where it does.
        """
        axes, batch = self.positive(len(shape))
        window, lead, spans = self.window_axes(len(shape)), indices.ndim - 1, self.spans(shape)

        def along(dim: int, extent: int) -> numpy.ndarray:
            """0, 1, … along a dimension of the slices."""
            ones = [1] * (lead + len(window))
            ones[dim] = extent
            return np.arange(extent).reshape(ones)

        found = []
        for a, n in enumerate(shape):
            if a in batch:
                dim = batch.index(a)
                found.append(along(dim, n))
                continue
            at = np.zeros((1,) * (lead + len(window)), np.int64)
            size = n
            if a in axes:
                k = axes.index(a)
                begins = np.clip(indices[..., k], 0, max(spans[k] - 1, 0)).astype(np.int64)
                at = begins.reshape(begins.shape + (1,) * len(window))
                size = self.sizes[k] if self.sizes else 1
            found.append(at + along(lead + window.index(a), size) if a in window else at)
        return tuple(found)

    def updated(self, input, indices, updates):
        """The positions of all updates that are not dropped, row-major, and these."""
        places = self.places(input.shape, indices)
        if self.oob != "fill":
            self.outside(input, indices)
            return places, updates
        kept = ~self.outside(input, indices)
        kept = np.broadcast_to(kept.reshape(kept.shape + (1,) * (updates.ndim - kept.ndim)), updates.shape)
        return tuple([np.broadcast_to(at, updates.shape)[kept] for at in places]), updates[kept]

    # Partition

    def named(self, input, indices, at_once=False):
        """The terms of `dims`: of the input, of the indices and of the slices.

        With `at_once` index vectors count together: only those of batches can be cut.
        """
        axes, batch = self.positive(input.rank)
        i, d = names(indices.rank - 1, "i"), names(input.rank)
        i = [name if n < len(batch) or not at_once else "_" for n, name in enumerate(i)]
        whole = ["_" if a in axes else i[batch.index(a)] if a in batch else d[a] for a in range(input.rank)]
        window = [whole[a] for a in self.window_axes(input.rank)]
        return " ".join(whole), " ".join([*i, "_"]), " ".join([*i, *window])


def update_samples(cls):
    """Samples of an operation with updates."""
    return [
        (cls((0, 1), (), ()), (f32(5, 3), i64(4, 2), f32(4))),  # points
        (cls((2, 0), (), ()), (f64(3, 4, 5), i32(2, 3, 2), f64(2, 3, 4))),
        (cls((1,), (0,), ()), (f32(3, 4), i64(3, 2, 1), f32(3, 2))),
        (cls((1,), (0, 2), ()), (f64(2, 4, 3), i64(2, 3, 2, 1), f64(2, 3, 2))),
        (cls((0, 1), (), (2, 3)), (f32(5, 6), i64(4, 2), f32(4, 2, 3))),  # windows
        (cls((-1,), (0,), (2,)), (i32(2, 3, 5), i32(2, 1), i32(2, 3, 2))),
        (cls((0,), (), ()), (i64(3), i64(1), i64())),  # one point, a scalar
        (cls((0,), (), ()), (f32(4, 2, 3), i64(0, 2, 1), f32(0, 2, 2, 3))),
        (cls((1,), (), (2,), "clip"), (f32(2, 5), i64(6, 1), f32(6, 2, 2))),
        (cls((0, 1), (), (), "fill"), (f32(5, 3), i64(7, 2), f32(7))),
        (cls((0,), (), (2,), "fill"), (f64(4, 3), i64(5, 1), f64(5, 2, 3))),
        (cls((0,), (), (), "fill"), (i32(0, 3), i32(2, 1), i32(2, 3))),
    ]
