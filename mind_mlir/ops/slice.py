"""A strided range of every axis. Spec: Core IR, Indexing and slicing; docs/semantics.md, Slice."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, op
from ..ir.attributes import Ints
from ._rules import names


@op
class Slice(Op):
    """Elements `starts[i]`, `starts[i] + steps[i]`, … before `ends[i]` along every axis i.

    Negative starts and ends count from the end; an empty range gives extent 0.
    """

    starts: Ints
    ends: Ints
    steps: Ints

    linearity = Linearity.JOINT
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        lengths = [len(self.starts), len(self.ends), len(self.steps)]
        if lengths != [input.rank] * 3:
            raise Reject(
                "E4007",
                f"Slice of a rank-{input.rank} operand takes {input.rank} starts, ends and steps, "
                f"found {lengths[0]}, {lengths[1]} and {lengths[2]}",
                note=f"input is {input}",
                at="starts" if lengths[0] != input.rank else "ends" if lengths[1] != input.rank else "steps",
            )
        for i, step in enumerate(self.steps):
            if step <= 0:
                raise Reject(
                    "E4008",
                    f"step {i} of Slice is {step}",
                    help="steps are positive; Reverse puts elements in the opposite order",
                    at="steps",
                )
        starts, ends = self.bounds(input.shape)
        return input.with_shape(tuple(-(-max(e - s, 0) // k) for s, e, k in zip(starts, ends, self.steps)))

    def bounds(self, shape):
        """Starts and ends for an operand of this shape, counted from 0. E3011 beyond the extent."""
        out = []
        for what, values in (("starts", self.starts), ("ends", self.ends)):
            for i, (v, n) in enumerate(zip(values, shape)):
                if not -n <= v <= n:
                    raise Reject(
                        "E3011",
                        f"{what[:-1]} {v} of Slice is outside extent {n} of dimension {i}",
                        help=f"{what} are between {-n} and {n}",
                        at=what,
                    )
            out.append(tuple(v + n if v < 0 else v for v, n in zip(values, shape)))
        return out

    def canonical(self, input):
        starts, ends = self.bounds(input.shape)
        return Slice(starts, ends, self.steps)

    def evaluate(self, input):
        starts, ends = self.bounds(input.shape)
        return input[tuple(slice(s, max(s, e), k) for s, e, k in zip(starts, ends, self.steps))]

    def adjoint(self, b, ct, operands, wrt):
        # y = x[s:e:k]  ->  x̄[s:e:k] += ȳ
        shape = operands[0].shape
        starts, _ = self.bounds(shape)
        gaps = [k - 1 for k in self.steps]
        reach = [n + max(n - 1, 0) * gap for n, gap in zip(ct.shape, gaps)]
        return b.Pad(ct, starts, [n - s - r for n, s, r in zip(shape, starts, reach)], gaps)

    def fold(self, b, input):
        whole = all(
            s == 0 and e == n and k == 1 for s, e, k, n in zip(self.starts, self.ends, self.steps, input.type.shape)
        )
        return input if whole else None

    def dims(self, input):
        whole = zip(names(input.rank), input.shape, self.infer_type(input).shape)
        d = [name if n == r else "_" for name, n, r in whole]
        return f"{' '.join(d)} -> {' '.join(d)}"

    def localized(self, result, input):
        given = zip(self.starts, self.ends, self.steps, input.shape, result.shape)
        return Slice(*zip(*[(0, n, 1) if n == r else (s, e, k) for s, e, k, n, r in given])) if input.rank else self

    def lower(self, e, result, input):
        starts, _ = self.bounds(e.type(input).shape)
        return e.tensor.slice(input, starts, self.steps, result)

    @classmethod
    def samples(cls):
        return [
            (cls((1, 0), (3, 4), (1, 1)), (f32(5, 4),)),
            (cls((0, 1), (4, 3), (1, 1)), (f32(4, 5),)),  # whole rows
            (cls((1,), (10,), (4,)), (f64(10),)),
            (cls((1,), (3,), (4,)), (f32(6),)),  # a step past the end: one element
            (cls((-3, -4), (-1, 4), (1, 3)), (i32(5, 4),)),
            (cls((2,), (2,), (2,)), (f32(5),)),  # empty
            (cls((4,), (2,), (1,)), (f32(5),)),  # ends before it starts: empty
            (cls((5,), (5,), (1,)), (f32(5),)),  # starts at the extent
            (cls((), (), ()), (f32(),)),
            (cls((0, 0), (0, 2), (1, 1)), (f32(0, 2),)),
        ]
