"""The sum of each window: average pooling, but for the division. Core v1 has none; docs/semantics.md, Windows."""

from ..ir import Growth, Linearity, Rounding, op
from ..ir.attributes import Ints
from ._rules import numbers_only
from ._window import Windowed, along_axes, samples


@op
class WindowSum(Windowed):
    """The sum of the elements of each window over `input`, where padding is zeros. Integers wrap.

    Windows are as in WindowMax. The order of additions is in docs/semantics.md, Windows.
    """

    window: Ints
    strides: Ints
    low: Ints = ()
    high: Ints = ()
    dilation: Ints = ()

    linearity = Linearity.JOINT
    rounding = Rounding(Growth.TERMS)

    def infer_type(self, input):
        numbers_only(self.opcode, input)
        return input.with_shape(self.windows_of("input", input.shape))

    def evaluate(self, input):
        x = self.around(input, 0)
        (found,) = along_axes(self, x, (x,), lambda a, b, _: (a[0] + b[0],))
        return found

    def adjoint(self, b, ct, operands, wrt):
        # y_o = Σ_k x[o s + k d - low]  ->  x̄[i] += Σ of ȳ_o over o, k where o s + k d - low = i: a sum of windows, too
        shape = operands[0].shape
        rank = len(shape)
        if not ct.type.size:
            return b.zeros(operands[0].type)
        low, _ = self.pads(rank)
        zeros, ones = (0,) * rank, (1,) * rank
        reach = [(w - 1) * d for w, d in zip(self.window, self.dilations(rank))]
        gaps = [s - 1 if n > 1 else 0 for s, n in zip(self.strides, ct.shape)]
        if any(gaps):
            ct = b.Pad(ct, zeros, zeros, gaps)
        spread = b.WindowSum(ct, self.window, ones, reach, reach, self.dilation)
        ends = [min(l + n, m) for l, n, m in zip(low, shape, spread.shape)]
        starts = [min(l, e) for l, e in zip(low, ends)]
        found = b.Slice(spread, starts, ends, ones)
        return b.Pad(found, zeros, [n - m for n, m in zip(shape, found.shape)], zeros)

    def fold(self, b, input):
        plain = all(d != "_" for d in self.named(input.type.shape))
        return input if plain else None

    def dims(self, input):
        d = " ".join(self.named(input.shape))
        return f"{d} -> {d}"

    def scratch(self, input):
        return self.with_padding(input)

    def lower(self, e, result, input):
        given = (self.window, self.strides, *self.pads(len(self.window)), self.dilations(len(self.window)))
        return e.window.pooled("sum", input, *given, result)

    @classmethod
    def samples(cls):
        return samples(cls)
