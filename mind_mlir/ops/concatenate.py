"""Tensors after one another along an axis. Not in the specification; docs/semantics.md, Elements at other positions."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, i64, np, op
from ..ir.attributes import Count
from ._rules import check_extents, names, one_axis, same_dtype


@op
class Concatenate(Op):
    """`parts`, one or more, one after the other along `axis`; their other extents are equal."""

    axis: Count

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, *parts):
        if not parts:
            raise Reject("E2007", "Concatenate takes 1 operand or more, found 0")
        first = parts[0]
        one_axis("Concatenate", self.axis, first)
        for n, part in enumerate(parts):
            same_dtype("Concatenate", first, part, ("parts[0]", f"parts[{n}]"))
            if part.rank != first.rank:
                raise Reject(
                    "E3002",
                    f"Concatenate takes parts of one rank, parts[{n}] is {part}, parts[0] is {first}",
                    at=f"operand {n}",
                )
            for i, extent in enumerate(part.shape):
                if i != self.axis and extent != first.shape[i]:
                    raise Reject(
                        "E3003",
                        f"Concatenate along axis {self.axis}: parts[{n}] has extent {extent} at axis {i}, "
                        f"parts[0] has {first.shape[i]}",
                        note=f"parts[0] is {first}, parts[{n}] is {part}",
                        at=f"operand {n}",
                    )
        whole = sum([part.shape[self.axis] for part in parts])
        shape = (*first.shape[: self.axis], whole, *first.shape[self.axis + 1 :])
        return first.with_shape(check_extents("Concatenate", shape))

    def evaluate(self, *parts):
        return np.concatenate(parts, axis=self.axis)

    def adjoint(self, b, ct, operands, wrt):
        # y = (x₀, x₁, …)  ->  x̄_n += the part of ȳ where x_n is
        starts, ends = [0] * ct.type.rank, list(ct.shape)
        starts[self.axis] = sum([x.shape[self.axis] for x in operands[:wrt]])
        ends[self.axis] = starts[self.axis] + operands[wrt].shape[self.axis]
        return b.Slice(ct, starts, ends, [1] * ct.type.rank)

    def fold(self, b, *parts):
        result = self.infer_type(*[part.type for part in parts])
        for part in parts:
            if part.type == result and result.size:
                return part
        kept = [part for part in parts if part.shape[self.axis]]
        if len(kept) == len(parts) or not kept:
            return parts[0] if len(parts) == 1 else None
        return b.Concatenate(*kept, axis=self.axis)

    def dims(self, *parts):
        term = " ".join("_" if i == self.axis else d for i, d in enumerate(names(parts[0].rank)))
        return f"{', '.join([term] * len(parts))} -> {term}"

    def lower(self, e, result, *parts):
        whole, start = e.tensor.empty(result), 0
        for part in parts:
            extent = e.type(part).shape[self.axis]
            if e.type(part) == result:
                return part
            if extent:
                starts = [start if i == self.axis else 0 for i in range(result.rank)]
                whole = e.tensor.inserted(part, whole, starts, result)
            start = start + extent
        return whole

    @classmethod
    def samples(cls):
        return [
            (cls(0), (f32(2, 3), f32(1, 3), f32(4, 3))),
            (cls(1), (f64(3, 2), f64(3, 5))),
            (cls(1), (i32(2, 1, 4), i32(2, 3, 4), i32(2, 1, 4))),
            (cls(0), (f32(4),)),  # one part
            (cls(0), (i64(0), i64(3), i64(0))),  # parts without elements
            (cls(1), (f32(0, 2), f32(0, 3))),
            (cls(0), (f32(1),) * 9),
        ]
