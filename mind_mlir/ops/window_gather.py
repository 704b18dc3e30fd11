"""One element of each window. Core v1 has none; the derivative of WindowMax. docs/semantics.md, Windows."""

from ..ir import Growth, Linearity, Rounding, f32, f64, i32, op
from ..ir.attributes import Ints
from ._rules import numbers_only
from ._window import GEOMETRIES, Windowed, check_indices


@op
class WindowGather(Windowed):
    """The element of each window over `input` at its position `indices`, as WindowArgMax counts. 0 in the padding.

    Windows are as in WindowMax. A position outside of the window is taken to be the nearest one in it.
    """

    window: Ints
    strides: Ints
    low: Ints = ()
    high: Ints = ()
    dilation: Ints = ()

    linearity = Linearity.JOINT
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input, indices):
        numbers_only(self.opcode, input)
        check_indices(self.opcode, indices, self.windows_of("input", input.shape))
        return input.with_shape(indices.shape)

    def evaluate(self, input, indices):
        return self.around(input, 0)[self.positions(input.shape, indices)]

    def adjoint(self, b, ct, operands, wrt):
        # y_o = x[the element of window o]  ->  x̄[that element] += ȳ_o
        input, indices = operands
        given = (self.window, self.strides, self.low, self.high, self.dilation)
        return b.WindowScatterAdd(ct, indices, input.shape, *given)

    def dims(self, input, indices):
        d = " ".join(self.named(input.shape))
        return f"{d}, {d} -> {d}"

    def scratch(self, input, indices):
        return self.with_padding(input)

    def lower(self, e, result, input, indices):
        given = (self.window, self.strides, *self.pads(len(self.window)), self.dilations(len(self.window)))
        return e.window.gathered(input, indices, *given, result)

    @classmethod
    def samples(cls):
        found = []
        for given, shape in GEOMETRIES:
            made = cls(**given)
            found.append((made, (f32(*shape), i32(*made.windows_of("input", shape)))))
        return [*found, (cls((2, 2), (2, 2)), (f64(4, 6), i32(2, 3))), (cls((2,), (1,)), (i32(5), i32(4)))]
