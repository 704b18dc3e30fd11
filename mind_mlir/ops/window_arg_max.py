"""Where the largest element of each window is. Core v1 has none; the derivative of WindowMax chooses by it."""

from ..ir import DType, Growth, Linearity, Rounding, TensorType, np, op
from ..ir.attributes import Ints
from ._extremes import least
from ._rules import numbers_only
from ._window import Windowed, along_axes, samples


@op
class WindowArgMax(Windowed):
    """The position in its window of the first largest element, counted in row-major order, as i32. NaN wins.

    Windows are as in WindowMax. -0 and +0 are equal here.
    """

    window: Ints
    strides: Ints
    low: Ints = ()
    high: Ints = ()
    dilation: Ints = ()

    linearity = Linearity.CONSTANT
    rounding = Rounding(Growth.WHOLE)

    def infer_type(self, input):
        numbers_only(self.opcode, input)
        return TensorType(DType.I32, self.windows_of("input", input.shape))

    def evaluate(self, input):
        x = self.around(input, least(input.dtype))
        _, found = along_axes(self, x, (x, np.zeros(x.shape, np.int32)), _later_if_larger)
        return found

    def dims(self, input):
        d = " ".join(self.named(input.shape))
        return f"{d} -> {d}"

    def scratch(self, input):
        return self.with_padding(input)

    def lower(self, e, result, input):
        given = (self.window, self.strides, *self.pads(len(self.window)), self.dilations(len(self.window)))
        return e.window.arg_max(input, *given, result)

    @classmethod
    def samples(cls):
        return samples(cls)


def _later_if_larger(a, b, distance):
    later = (b[0] > a[0]) | ((b[0] != b[0]) & (a[0] == a[0]))
    return np.where(later, b[0], a[0]), np.where(later, b[1] + np.int32(distance), a[1])
