"""The largest element of each window: max pooling. Core v1 has none; docs/semantics.md, Windows."""

from ..ir import Growth, Linearity, Rounding, np, op
from ..ir.attributes import Ints
from ._extremes import larger, least
from ._rules import numbers_only
from ._window import Windowed, along_axes, samples


@op
class WindowMax(Windowed):
    """The largest element of each window over `input`. NaN wins, -0 is below +0, and padding is below all.

    Windows have `window` elements along each axis, `dilation` apart, and begin `strides` apart; `low` and `high`
    elements of padding are before and after each axis. Left out, there is no padding, and windows have no gaps.
    """

    window: Ints
    strides: Ints
    low: Ints = ()
    high: Ints = ()
    dilation: Ints = ()

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.EXTREMES)

    def infer_type(self, input):
        numbers_only(self.opcode, input)
        return input.with_shape(self.windows_of("input", input.shape))

    def evaluate(self, input):
        x = self.around(input, least(input.dtype))
        (found,) = along_axes(self, x, (x,), lambda a, b, _: (larger(a[0], b[0]),))
        return found

    def jvp(self, b, primals, tangents, result):
        # y = max x over each window  ->  ẏ = ẋ at the first element that is the largest
        given = (self.window, self.strides, self.low, self.high, self.dilation)
        return b.WindowGather(tangents[0], b.WindowArgMax(primals[0], *given), *given)

    def fold(self, b, input):
        plain = all(d != "_" for d in self.named(input.type.shape))
        return input if plain else None

    def dims(self, input):
        d = " ".join(self.named(input.shape))
        return f"{d} -> {d}"

    def scratch(self, input):
        return self.with_padding(input)

    def smooth_at(self, input):
        x = self.around(input.astype(np.float64), -np.inf)
        first, second = along_axes(self, x, (x, np.full(x.shape, -np.inf)), _two_largest)
        with np.errstate(invalid="ignore"):  # of windows of padding alone
            return bool((np.isinf(second) | (first - second > 1e-2)).all())

    def lower(self, e, result, input):
        given = (self.window, self.strides, *self.pads(len(self.window)), self.dilations(len(self.window)))
        return e.window.pooled("max", input, *given, result)

    @classmethod
    def samples(cls):
        return samples(cls)


def _two_largest(a, b, _):
    both = np.sort(np.stack([*a, *b]), axis=0)
    return both[-1], both[-2]
