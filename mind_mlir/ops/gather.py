"""Rows picked by an index tensor. Spec: Core IR, Indexing and slicing; docs/semantics.md, Gather."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, TensorType, f32, f64, i32, i64, np, op
from ..ir.attributes import OutOfBounds
from ._rows import check_rows, indices_from, out_of_bounds, rows_name
from ._rules import names


@op
class Gather(Op):
    """`result[i…, d…] = input[indices[i…], d…]`: rows of `input` along its first axis.

    An index below 0 or beyond the extent is E6001, from native code too. As an extension, `oob = "clip"` takes the
    nearest row instead, and `oob = "fill"` a row of zeros.
    """

    oob: OutOfBounds = "error"

    linearity = Linearity.JOINT
    lowers_empty = True
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input, indices):
        check_rows("Gather", input, indices, self.oob)
        return TensorType(input.dtype, indices.shape + input.shape[1:])

    def check_core_v1(self, input, indices):
        if self.oob != "error":
            raise Reject(
                "E4012",
                f'oob = "{self.oob}" of Gather is not part of profile core-v1',
                help="--profile=extended has it",
                at="oob",
            )

    def evaluate(self, input, indices):
        bad, extent = out_of_bounds("Gather", input, indices, self.oob), input.shape[0]
        if extent == 0:
            return np.zeros(indices.shape + input.shape[1:], input.dtype)
        rows = np.take(input, np.clip(indices, 0, extent - 1), axis=0)
        if self.oob == "fill":
            rows = np.where(bad.reshape(bad.shape + (1,) * (input.ndim - 1)), np.zeros((), input.dtype), rows)
        return rows

    def adjoint(self, b, ct, operands, wrt):
        # y = x[i]  ->  x̄[i] += ȳ, rows named twice add up
        input, indices = operands
        return b.ScatterAdd(b.zeros(input.type), indices, ct, oob=self.oob)

    def dims(self, input, indices):
        d, i = names(input.rank)[1:], names(indices.rank, "i")
        return f"{rows_name(input, indices)} {' '.join(d)}, {' '.join(i)} -> {' '.join(i + d)}"

    def from_row(self, b, start, extent, input, indices):
        # a row that is another piece's is zeros here, and the pieces are added
        return b.Gather(input, indices_from(b, indices, start, extent, self.oob), "fill")

    def lower(self, e, result, input, indices):
        return e.rows.gather(input, indices, result, self.oob)

    @classmethod
    def samples(cls):
        return [
            (cls(), (f32(5, 3), i64(4))),
            (cls(), (f64(10, 4), i32(5, 1))),
            (cls(), (i64(3), i64())),  # one row, a scalar
            (cls(), (f32(4, 2, 3), i64(0, 2))),
            (cls(), (f32(4, 0), i64(3))),
            (cls("clip"), (f32(5, 3), i64(2, 2))),
            (cls("fill"), (f32(5, 3), i64(7))),
            (cls("fill"), (i32(0, 3), i32(2))),
        ]
