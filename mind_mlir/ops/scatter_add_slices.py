"""Slices added by index vectors; the adjoint of GatherSlices. docs/semantics.md, Slices at positions."""

from ..ir import Growth, Linearity, Rounding, f32, f64, i32, i64, np, op
from ._rules import numbers_only
from ._slices import Slices, update_samples


@op
class ScatterAddSlices(Slices):
    """`input`, with `updates` added to the slices that GatherSlices with the same attributes takes.

    Updates of one element are added one after the other, in row-major order. A slice that does not fit is E6001; `oob =
    "clip"` takes the nearest one that does, `oob = "fill"` drops its updates.
    """

    linearity = Linearity.JOINT
    updates_operand = True
    rounding = Rounding(Growth.TERMS)

    def infer_type(self, input, indices, updates):
        numbers_only("ScatterAddSlices", input)
        self.check_updates(input, indices, updates)
        return input

    def evaluate(self, input, indices, updates):
        places, updates = self.updated(input, indices, updates)
        result = input.copy()
        np.add.at(result, places, updates)
        return result

    def adjoint(self, b, ct, operands, wrt):
        # y = x, and y[i] += u  ->  x̄ += ȳ,  ū += ȳ[i]
        if wrt == 0:
            return ct
        return b.GatherSlices(ct, operands[1], self.axes, self.batch_axes, self.sizes, self.oob)

    def fold(self, b, input, indices, updates):
        return None if updates.type.size else input

    def dims(self, input, indices, updates):
        whole, vectors, slices = self.named(input, indices)
        return f"{whole}, {vectors}, {slices} -> {whole}"

    def lower(self, e, result, input, indices, updates):
        axes, batch = self.positive(result.rank)
        return e.slices.scattered(input, indices, updates, axes, batch, self.sizes, self.oob, "add", "ScatterAddSlices")

    @classmethod
    def samples(cls):
        return [
            *update_samples(cls),
            (cls((0,), (), ()), (f32(3), i64(9, 1), f32(9))),  # more updates than elements
            (cls((0,), (), (3,)), (f64(5), i32(4, 1), f64(4, 3))),  # windows that meet
        ]
