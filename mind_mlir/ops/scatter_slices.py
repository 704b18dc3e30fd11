"""Slices replaced by index vectors. Not in the specification; docs/semantics.md, Slices at positions."""

from ..ir import DType, Growth, Linearity, Rounding, f32, f64, i32, i64, op
from ._slices import Slices, update_samples


@op
class ScatterSlices(Slices):
    """`input`, with `updates` instead of the slices that GatherSlices with the same attributes takes.

    Of several updates of one element the last in row-major order stays. A slice that does not fit is E6001; `oob =
    "clip"` takes the nearest one that does, `oob = "fill"` drops its updates.
    """

    linearity = Linearity.JOINT
    updates_operand = True
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input, indices, updates):
        self.check_updates(input, indices, updates)
        return input

    def evaluate(self, input, indices, updates):
        places, updates = self.updated(input, indices, updates)
        result = input.copy()
        result[places] = updates  # where positions meet, NumPy keeps the last
        return result

    def adjoint(self, b, ct, operands, wrt):
        # y = x, y[i] = u  ->  x̄ += ȳ with 0 at i,  ū += ȳ[i] where u has stayed, else 0
        _, indices, updates = operands
        if wrt == 0:
            return b.emit(self, ct, indices, b.zeros(updates.type))
        taken = b.GatherSlices(ct, indices, self.axes, self.batch_axes, self.sizes, self.oob)
        if not updates.type.size:
            return taken
        number = b.Iota(shape=(updates.type.size,), axis=0, dtype=DType.I64)
        numbers = b.Reshape(number, new_shape=updates.shape)
        last = b.emit(self, b.full(i64(*ct.shape), 0), indices, numbers)
        found = b.GatherSlices(last, indices, self.axes, self.batch_axes, self.sizes, self.oob)
        return b.Select(b.Greater(found, numbers), b.zeros(ct.type.with_shape(())), taken)

    def fold(self, b, input, indices, updates):
        return None if updates.type.size else input

    def dims(self, input, indices, updates):
        whole, vectors, slices = self.named(input, indices, at_once=True)
        return f"{whole}, {vectors}, {slices} -> {whole}"

    def lower(self, e, result, input, indices, updates):
        axes, batch = self.positive(result.rank)
        return e.slices.scattered(input, indices, updates, axes, batch, self.sizes, self.oob, "set", "ScatterSlices")

    @classmethod
    def samples(cls):
        return [
            *update_samples(cls),
            (cls((0,), (), ()), (f32(3), i64(9, 1), f32(9))),  # more updates than elements
            (cls((0,), (), (3,)), (f64(5), i32(4, 1), f64(4, 3))),  # windows that meet
        ]
