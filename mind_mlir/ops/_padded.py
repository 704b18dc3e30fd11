"""What Pad and PadWith share: where elements are. Spec: Autodiff; docs/semantics.md, Elements at other positions."""

from dataclasses import dataclass

from ..ir import Growth, Linearity, Op, Reject, Rounding, np
from ..ir.attributes import Ints
from ._rules import check_extents, names


@dataclass(frozen=True)
class Padding(Op):
    """Elements of `input` with `low[i]` others before, `high[i]` after, and `interior[i]` between neighbours."""

    low: Ints
    high: Ints
    interior: Ints

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def padded_type(self, input):
        """The type of the result. E4007 for lists of another length, E4016 for numbers that no axis has."""
        name = self.opcode
        for list_, values in (("low", self.low), ("high", self.high), ("interior", self.interior)):
            if len(values) != input.rank:
                raise Reject(
                    "E4007",
                    f"{name} of a rank-{input.rank} operand takes {input.rank} numbers as {list_}, found {len(values)}",
                    note=f"input is {input}",
                    at=list_,
                )
        for i, n in enumerate(self.interior):
            if n < 0:
                raise Reject("E4016", f"entry {i} of interior of {name} is {n}", at="interior")
        shape = tuple([end + h for end, h in zip(self.ends(input.shape), self.high)])
        for i, n in enumerate(shape):
            if n < 0:
                raise Reject(
                    "E4016",
                    f"low {self.low[i]} and high {self.high[i]} of {name} remove more than axis {i} has",
                    note=f"input is {input}",
                    at="low" if self.low[i] < 0 else "high",
                )
        return input.with_shape(check_extents(name, shape))

    def ends(self, shape):
        """For each axis, one more than the position in the result of the operand's last element."""
        return [l + n + max(n - 1, 0) * k for n, l, k in zip(shape, self.low, self.interior)]

    def kept(self, shape):
        """For each axis: the operand's first element that is kept, one more than the last, and where the first goes."""
        found = []
        for n, l, h, k, end in zip(shape, self.low, self.high, self.interior, self.ends(shape)):
            first = min(-(min(l, 0) // (k + 1)), n)
            last = n if h >= 0 or n == 0 else max((end + h - l + k) // (k + 1), first)
            found.append((first, last, l + first * (k + 1)) if first < last else (0, 0, 0))
        return found

    def steps(self, counts):
        """How far apart this many neighbours are; a gap between no neighbours may be larger than any extent."""
        return [k + 1 if n > 1 else 1 for n, k in zip(counts, self.interior)]

    def padded(self, input, value):
        """The result, in NumPy."""
        ends, kept = self.ends(input.shape), self.kept(input.shape)
        result = np.full([end + h for end, h in zip(ends, self.high)], value, input.dtype)
        steps = self.steps([last - first for first, last, _ in kept])
        places = [(at, at + (last - first) * step, step) for (first, last, at), step in zip(kept, steps)]
        if all(first < last for first, last, _ in kept):
            inner = input[tuple([slice(first, last) for first, last, _ in kept])]
            result[tuple([slice(*place) for place in places])] = inner
        return result

    def unpadded(self, b, ct, shape):
        """The adjoint in `input`, which has this shape: 0 for elements that the result lacks."""
        kept = self.kept(shape)
        counts = [last - first for first, last, _ in kept]
        starts = [at for _, _, at in kept]
        steps = self.steps(counts)
        ends = [at + max(n - 1, 0) * step + min(n, 1) for at, n, step in zip(starts, counts, steps)]
        inner = b.Slice(ct, starts, ends, steps)
        low, high = [first for first, _, _ in kept], [n - last for n, (_, last, _) in zip(shape, kept)]
        return b.Pad(inner, low, high, [0] * len(shape)) if any(low) or any(high) else inner

    def changes_nothing(self, input):
        return not any(self.low) and not any(self.high) and self.padded_type(input) == input

    def axes_text(self, input):
        """The dimensions of the operand, which the result has too, as `dims` writes them."""
        whole = [not (l or h or k) for l, h, k in zip(self.low, self.high, self.interior)]
        return " ".join([name if w else "_" for w, name in zip(whole, names(input.rank))])

    def placed(self, e, result, input, paddings):
        """The elements in a tensor full of paddings, which `paddings` makes."""
        shape = e.type(input).shape
        kept = self.kept(shape)
        counts = tuple([last - first for first, last, _ in kept])
        if counts == result.shape and counts == shape:
            return input
        inner = e.type(input).with_shape(counts)
        if not inner.size:
            return paddings(e)
        part = e.tensor.slice(input, [first for first, _, _ in kept], [1] * result.rank, inner)
        return e.tensor.inserted(part, paddings(e), [at for _, _, at in kept], result, self.steps(counts))
