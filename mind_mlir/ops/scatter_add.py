"""Rows added by an index tensor. Core v1 has none; the adjoint of Gather. Spec: Autodiff, Indexing and slicing."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, i64, np, op
from ..ir.attributes import OutOfBounds
from ._rows import check_rows, indices_from, out_of_bounds, rows_name
from ._rules import names, same_numbers


@op
class ScatterAdd(Op):
    """`input`, with `updates[i…, d…]` added to `result[indices[i…], d…]`: rows added along the first axis.

    Updates of one row are added one after the other, in row-major order of `indices`. An index below 0 or beyond the
    extent is E6001, from native code too; `oob = "clip"` adds to the nearest row instead, `oob = "fill"` adds nothing.
    """

    oob: OutOfBounds = "error"

    linearity = Linearity.JOINT
    lowers_empty = True
    updates_operand = True
    core_v1 = False
    rounding = Rounding(Growth.TERMS)

    def infer_type(self, input, indices, updates):
        check_rows("ScatterAdd", input, indices, self.oob)
        same_numbers("ScatterAdd", input, updates, ("input", "updates"))
        expected = indices.shape + input.shape[1:]
        if updates.rank != len(expected):
            raise Reject(
                "E3002",
                f"ScatterAdd takes updates of rank {len(expected)}, updates are {updates}",
                note=f"input is {input}, indices are {indices}",
                at="operand 2",
            )
        for axis, (found, n) in enumerate(zip(updates.shape, expected)):
            if found != n:
                raise Reject(
                    "E3003",
                    f"ScatterAdd updates have extent {found} at axis {axis}, where indices and rows give {n}",
                    note=f"input is {input}, indices are {indices}, updates are {updates}",
                    at="operand 2",
                )
        return input

    def evaluate(self, input, indices, updates):
        bad = out_of_bounds("ScatterAdd", input, indices, self.oob)
        if self.oob == "fill":
            indices, updates = indices[~bad], updates[~bad]
        elif self.oob == "clip":
            indices = np.clip(indices, 0, max(input.shape[0] - 1, 0))
        result = input.copy()
        np.add.at(result, indices, updates)  # one after the other, unlike result[indices] += updates
        return result

    def adjoint(self, b, ct, operands, wrt):
        # y = x, and y[i] += u  ->  x̄ += ȳ,  ū += ȳ[i]
        if wrt == 0:
            return ct
        return b.Gather(ct, operands[1], oob=self.oob)

    def fold(self, b, input, indices, updates):
        return None if indices.type.size else input

    def dims(self, input, indices, updates):
        r, d, i = rows_name(input, indices), " ".join(names(input.rank)[1:]), " ".join(names(indices.rank, "i"))
        return f"{r} {d}, {i}, {i} {d} -> {r} {d}"

    def from_row(self, b, start, extent, input, indices, updates):
        # a row that is another piece's is added there
        return b.ScatterAdd(input, indices_from(b, indices, start, extent, self.oob), updates, "fill")

    def lower(self, e, result, input, indices, updates):
        return e.rows.scatter_add(input, indices, updates, self.oob)

    @classmethod
    def samples(cls):
        return [
            (cls(), (f32(5, 3), i64(4), f32(4, 3))),
            (cls(), (f64(3, 4), i32(5, 2), f64(5, 2, 4))),  # more updates than rows
            (cls(), (i64(3), i64(), i64())),  # one row, a scalar
            (cls(), (f32(2), i32(9), f32(9))),  # rows of rank 0
            (cls(), (f32(4, 2, 3), i64(0, 2), f32(0, 2, 2, 3))),  # no updates
            (cls(), (f32(4, 2, 3), i64(3, 1), f32(3, 1, 2, 3))),
            (cls(), (f32(4, 0), i64(3), f32(3, 0))),
            (cls("clip"), (f32(5, 3), i64(2, 4), f32(2, 4, 3))),
            (cls("fill"), (f32(5, 3), i64(7), f32(7, 3))),
            (cls("fill"), (i32(0, 3), i32(2), i32(2, 3))),  # no row to add to
        ]
