"""Elements in ascending order along an axis. Not in the specification; docs/semantics.md, Order."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, i64, np, op
from ..ir.attributes import Count, Flag
from ._order import check_axis, sorted_order, taken


@op
class Sort(Op):
    """The elements of the first of `parts` in ascending order along `axis`, and those of the others moved with them.

    With `descending`, in descending order. Equal elements keep their order; a NaN is above every number.
    """

    axis: Count
    descending: Flag = False

    linearity = Linearity.NONLINEAR
    result_names = ("*sorted",)
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, *parts):
        if not parts:
            raise Reject("E2007", "Sort takes 1 operand or more, found 0")
        check_axis("Sort", self.axis, parts[0])
        for n, part in enumerate(parts):
            if part.shape != parts[0].shape:
                raise Reject(
                    "E3003",
                    f"Sort takes parts of one shape, parts[{n}] is {part}, parts[0] is {parts[0]}",
                    at=f"operand {n}",
                )
        return parts

    def evaluate(self, *parts):
        order = sorted_order(parts[0], self.axis, self.descending)
        return tuple([np.take_along_axis(part, order, self.axis) for part in parts])

    def jvp(self, b, primals, tangents, result):
        # y = x[p], p sorts x₀  ->  ẏ = ẋ[p]
        order = b.ArgSort(primals[0], axis=self.axis, descending=self.descending)
        found = [None if t is None else taken(b, t, order, self.axis) for t in tangents]
        return tuple(found) if len(found) > 1 else found[0]

    def fold(self, b, *parts):
        return tuple(parts) if parts[0].shape[self.axis] < 2 else None

    def lower(self, e, result, *parts):
        return e.order.sorted(parts, self.axis, self.descending)

    def smooth_at(self, *parts):
        ascending = np.sort(parts[0].astype(np.float64), self.axis)
        return bool((np.diff(ascending, axis=self.axis) > 1e-3).all())

    @classmethod
    def samples(cls):
        return [
            (cls(0), (f32(7),)),
            (cls(1), (f64(3, 5),)),
            (cls(0, True), (i32(4, 3),)),
            (cls(1), (f32(2, 40, 3), i64(2, 40, 3))),
            (cls(0, True), (f64(9), f64(9), f32(9))),
            (cls(0), (i64(300),)),
            (cls(0), (f32(1, 2),)),
            (cls(1), (f32(2, 0),)),
        ]
