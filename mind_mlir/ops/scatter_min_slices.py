"""The smallest of elements and updates, by index vectors. docs/semantics.md, Slices at positions."""

from ..ir import f32, f64, i32, i64, np, op
from ._extreme_slices import ExtremeSlices, joined_at
from ._slices import update_samples


@op
class ScatterMinSlices(ExtremeSlices):
    """`input`, with each element of the slices that GatherSlices takes the smallest of it and its updates.

    A NaN wins; -0 is below +0. A slice that does not fit is E6001; `oob = "clip"` takes the nearest one that does,
    `oob = "fill"` drops its updates.
    """

    def evaluate(self, input, indices, updates):
        positions, updates = self.updated(input, indices, updates)
        return joined_at(np.minimum, input, positions, updates, nan_first=True)

    def jvp(self, b, primals, tangents, result):
        # y = min(x, u…)  ->  ẏ = (ẋ where x = y, + Σ u̇ where u = y) / how many are y
        return self.tangent(b, primals, tangents, result, lambda y, x: b.Greater(x, y))

    def lower(self, e, result, input, indices, updates):
        axes, batch = self.positive(result.rank)
        return e.slices.scattered(input, indices, updates, axes, batch, self.sizes, self.oob, "min", "ScatterMinSlices")

    @classmethod
    def samples(cls):
        return [
            *update_samples(cls),
            (cls((0,), (), ()), (f32(3), i64(9, 1), f32(9))),  # more updates than elements
            (cls((0,), (), (3,)), (f64(5), i32(4, 1), f64(4, 3))),  # windows that meet
        ]
