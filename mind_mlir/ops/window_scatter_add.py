"""Updates added to one element of each window. Core v1 has none; the adjoint of WindowGather."""

from dataclasses import replace

from ..ir import Growth, Linearity, Rounding, f32, f64, i32, np, op
from ..ir.attributes import Extents, Ints
from ._rules import numbers_only
from ._window import GEOMETRIES, Windowed, check_for_each_window, check_indices


@op
class WindowScatterAdd(Windowed):
    """Zeros of `shape`, with `updates` added to the element of each window at its position `indices`.

    Windows are as in WindowMax; what falls into the padding is dropped. A position outside of the window is taken to be
    the nearest one in it. Updates of one element are added in the row-major order of their windows.
    """

    shape: Extents
    window: Ints
    strides: Ints
    low: Ints = ()
    high: Ints = ()
    dilation: Ints = ()

    linearity = Linearity.JOINT
    rounding = Rounding(Growth.TERMS)

    def infer_type(self, updates, indices):
        numbers_only(self.opcode, updates)
        windows = self.windows_of("shape", self.shape)
        check_for_each_window(self.opcode, "updates", updates, windows, 0)
        check_indices(self.opcode, indices, windows)
        return updates.with_shape(self.shape)

    def evaluate(self, updates, indices):
        low, _ = self.pads(len(self.shape))
        result = np.zeros(self.padded(self.shape), updates.dtype)
        np.add.at(result, self.positions(self.shape, indices), updates)
        return result[tuple(slice(l, l + n) for l, n in zip(low, self.shape))]

    def adjoint(self, b, ct, operands, wrt):
        # y[i] = Σ x_o over the windows o whose element is i  ->  x̄_o += ȳ[the element of window o]
        given = (self.window, self.strides, self.low, self.high, self.dilation)
        return b.WindowGather(ct, operands[1], *given)

    def dims(self, updates, indices):
        d = " ".join(self.named(self.shape))
        return f"{d}, {d} -> {d}"

    def localized(self, result, updates, indices):
        return replace(self, shape=result.shape)

    def scratch(self, updates, indices):
        return self.with_padding(updates.with_shape(self.shape))

    def lower(self, e, result, updates, indices):
        given = (self.window, self.strides, *self.pads(len(self.window)), self.dilations(len(self.window)))
        return e.window.scattered(updates, indices, *given, result)

    @classmethod
    def samples(cls):
        found = []
        for given, shape in GEOMETRIES:
            made = cls(shape, **given)
            windows = made.windows_of("shape", shape)
            found.append((made, (f32(*windows), i32(*windows))))
        found.append((cls((4, 6), (2, 2), (2, 2)), (f64(2, 3), i32(2, 3))))
        return [*found, (cls((5,), (2,), (1,)), (i32(4), i32(4)))]
