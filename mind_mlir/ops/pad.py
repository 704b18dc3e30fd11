"""Zeros around and between elements. Core v1 has none; the adjoint of Slice. Spec: Autodiff, Indexing and slicing."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, np, op
from ..ir.attributes import Ints
from ._rules import check_extents, names


@op
class Pad(Op):
    """`low[i]` zeros before, `high[i]` after, and `interior[i]` between neighbours, along every axis i.

    An axis of extent n gets extent `low + n + (n - 1) · interior + high`, where n - 1 is 0 for n = 0.
    """

    low: Ints
    high: Ints
    interior: Ints

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        for name in ("low", "high", "interior"):
            values = getattr(self, name)
            if len(values) != input.rank:
                raise Reject(
                    "E4007",
                    f"Pad of a rank-{input.rank} operand takes {input.rank} numbers as {name}, found {len(values)}",
                    note=f"input is {input}",
                    at=name,
                )
            for i, n in enumerate(values):
                if n < 0:
                    raise Reject("E4016", f"entry {i} of {name} of Pad is {n}", help="Slice removes elements", at=name)
        shape = tuple(end + h for end, h in zip(self.ends(input.shape), self.high))
        return input.with_shape(check_extents("Pad", shape))

    def ends(self, shape):
        """For each axis, one more than the position in the result of the operand's last element."""
        return [l + n + max(n - 1, 0) * k for n, l, k in zip(shape, self.low, self.interior)]

    def evaluate(self, input):
        ends = self.ends(input.shape)
        result = np.zeros([end + h for end, h in zip(ends, self.high)], input.dtype)
        result[tuple(slice(l, end, k + 1) for l, end, k in zip(self.low, ends, self.interior))] = input
        return result

    def adjoint(self, b, ct, operands, wrt):
        # y[low::interior + 1] = x  ->  x̄ += ȳ[low::interior + 1]
        shape = operands[0].shape
        steps = [k + 1 if n > 1 else 1 for n, k in zip(shape, self.interior)]  # without neighbours k may be anything
        return b.Slice(ct, self.low, self.ends(shape), steps)

    def fold(self, b, input):
        return input if self.infer_type(input.type) == input.type else None

    def dims(self, input):
        whole = [not (l or h or k) for l, h, k in zip(self.low, self.high, self.interior)]
        d = [name if w else "_" for w, name in zip(whole, names(input.rank))]
        return f"{' '.join(d)} -> {' '.join(d)}"

    def lower(self, e, result, input):
        return e.linalg.padded(input, list(zip(self.low, self.high)), self.interior)

    @classmethod
    def samples(cls):
        return [
            (cls((1, 0), (2, 1), (0, 0)), (f32(2, 3),)),
            (cls((0, 1), (0, 0), (2, 1)), (f64(3, 2),)),
            (cls((1,), (1,), (3,)), (i32(1),)),  # no neighbours
            (cls((1, 0), (0, 0), (2**63 - 1, 1)), (f32(1, 2),)),  # however large the gap
            (cls((0, 0), (0, 2), (0, 0)), (f32(3, 4),)),
            (cls((), (), ()), (f32(),)),
            (cls((2,), (3,), (1,)), (f32(0),)),
            (cls((0, 1), (0, 1), (0, 0)), (f32(0, 2),)),
            (cls((0,), (0,), (0,)), (f32(3),)),
        ]
