"""Slices picked by index vectors. Not in the specification; docs/semantics.md, Slices at positions."""

from ..ir import Growth, Linearity, Rounding, f32, f64, i32, i64, np, op
from ._slices import Slices


@op
class GatherSlices(Slices):
    """The slices of `input` that begin at index vectors: `result[i…, d…] = input[indices[i…] along axes, d…]`.

    With `sizes = []` a slice is one element along `axes`, which the result does not have; else it has `sizes[k]`
    elements along `axes[k]`. `batch_axes[n]` of `input` runs along with axis n of `indices`. Other axes are whole. A
    slice that does not fit is E6001; `oob = "clip"` takes the nearest one that does, `oob = "fill"` zeros.
    """

    linearity = Linearity.JOINT
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input, indices):
        self.check_slices(input, indices)
        return self.slices_type(input, indices)

    def evaluate(self, input, indices):
        outside = self.outside(input, indices)
        window = self.window_axes(input.ndim)
        if min(self.spans(input.shape)) < 1:
            return np.zeros(indices.shape[:-1] + tuple([input.shape[a] for a in window]), input.dtype)
        found = input[self.places(input.shape, indices)]
        if self.oob == "fill":
            outside = outside.reshape(outside.shape + (1,) * len(window))
            found = np.where(outside, np.zeros((), input.dtype), found)
        return found

    def adjoint(self, b, ct, operands, wrt):
        # y = x[i]  ->  x̄[i] += ȳ, slices that meet add up
        input, indices = operands
        return b.ScatterAddSlices(b.zeros(input.type), indices, ct, self.axes, self.batch_axes, self.sizes, self.oob)

    def dims(self, input, indices):
        whole, vectors, slices = self.named(input, indices)
        return f"{whole}, {vectors} -> {slices}"

    def lower(self, e, result, input, indices):
        axes, batch = self.positive(e.type(input).rank)
        return e.slices.gathered(input, indices, axes, batch, self.sizes, self.oob, result)

    @classmethod
    def samples(cls):
        return [
            (cls((0, 1), (), ()), (f32(5, 3), i64(4, 2))),  # points
            (cls((2, 0), (), ()), (f64(3, 4, 5), i32(2, 3, 2))),
            (cls((1,), (0,), ()), (f32(3, 4), i64(3, 2, 1))),  # as take_along_axis
            (cls((1,), (0, 2), ()), (f64(2, 4, 3), i64(2, 3, 2, 1))),
            (cls((0, 1), (), (2, 3)), (f32(5, 6), i64(4, 2))),  # windows
            (cls((-1,), (0,), (2,)), (i32(2, 3, 5), i32(2, 1))),
            (cls((0,), (), ()), (i64(3), i64(1))),  # one point, a scalar
            (cls((0,), (), ()), (f32(4, 2, 3), i64(0, 2, 1))),
            (cls((0,), (), (0,)), (f32(4), i64(3, 1))),
            (cls((1,), (), (2,), "clip"), (f32(2, 5), i64(6, 1))),
            (cls((0, 1), (), (), "fill"), (f32(5, 3), i64(7, 2))),
            (cls((0,), (), (2,), "fill"), (f64(4, 3), i64(5, 1))),
            (cls((0,), (), (), "fill"), (i32(0, 3), i32(2, 1))),
        ]
