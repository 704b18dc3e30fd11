"""The adjoint of Conv2d in its input. Core v1 has none. Spec: Autodiff, Linear and tensor algebra."""

from dataclasses import replace

from ..ir import Growth, Linearity, Op, Rounding, f32, f64, i64, np, op
from ..ir.attributes import Extents, Ints, Padding
from ._convolution import check_cotangent, check_shape, padded, pads, windows
from ._rules import same_numbers


@op
class Conv2dBackwardInput(Op):
    """`result[n, y'·s + i - p, x'·s + j - p, c] = Σ_(i, j, f) cotangent[n, y', x', f] · filter[i, j, c, f]`.

    cotangent: [N, OH, OW, F], the shape that Conv2d gives for `input_shape` [N, H, W, C]   filter: [KH, KW, C, F]
    result: `input_shape`. The sum runs in ascending (i, j, f), over those terms only whose y' and x' exist.
    """

    input_shape: Extents
    strides: Ints
    padding: Padding

    linearity = Linearity.EACH
    core_v1 = False
    rounding = Rounding(Growth.PRODUCTS)

    def infer_type(self, cotangent, filter):
        name = "Conv2dBackwardInput"
        same_numbers(name, cotangent, filter, ("cotangent", "filter"))
        check_shape(name, "input_shape", self.input_shape)
        input = cotangent.with_shape(self.input_shape)
        check_cotangent(name, cotangent, 0, input, filter, self.strides, self.padding)
        return input

    def scratch(self, cotangent, filter):
        around = padded(self.input_shape, filter.shape, self.strides, self.padding)
        return cotangent.with_shape(around), cotangent, filter

    def evaluate(self, cotangent, filter):
        _, h, w, _ = self.input_shape
        (top, _), (left, _) = pads(self.input_shape, filter.shape, self.strides, self.padding)
        total = np.zeros(padded(self.input_shape, filter.shape, self.strides, self.padding), cotangent.dtype)
        for i, j, seen in windows(total, filter.shape[:2], self.strides, cotangent.shape[1:3]):
            for f in range(filter.shape[3]):
                seen += cotangent[..., f, np.newaxis] * filter[i, j, :, f]
        return total[:, top : top + h, left : left + w, :]

    def adjoint(self, b, ct, operands, wrt):
        # g = what ȳ reaches through w  ->  the cotangent of ȳ += ḡ ∗ w,  w̄ += the products of ḡ and ȳ
        cotangent, filter = operands
        if wrt == 0:
            return b.Conv2d(ct, filter, self.strides, self.padding)
        return b.Conv2dBackwardFilter(ct, cotangent, filter.shape, self.strides, self.padding)

    def dims(self, cotangent, filter):
        return "n _ _ f, _ _ c f -> n _ _ c"

    def localized(self, result, cotangent, filter):
        return replace(self, input_shape=result.shape)

    def lower(self, e, result, cotangent, filter):
        shape = e.type(filter).shape
        around = padded(self.input_shape, shape, self.strides, self.padding)
        (top, _), (left, _) = pads(self.input_shape, shape, self.strides, self.padding)
        total = e.convolution.convolved_back(cotangent, filter, self.strides, result.with_shape(around))
        return e.tensor.slice(total, (0, top, left, 0), (1, 1, 1, 1), result)

    @classmethod
    def samples(cls):
        return [
            (cls((2, 5, 6, 3), (1, 1), "Valid"), (f32(2, 3, 5, 4), f32(3, 2, 3, 4))),
            (cls((1, 4, 4, 1), (2, 2), "Same"), (f32(1, 2, 2, 1), f32(3, 3, 1, 1))),
            (cls((1, 7, 8, 2), (2, 3), "Same"), (f64(1, 4, 3, 3), f64(1, 1, 2, 3))),  # strides larger than the window
            (cls((1, 5, 5, 2), (2, 2), ((1, 0), (2, 1))), (f32(1, 2, 3, 1), f32(3, 3, 2, 1))),
            (cls((1, 6, 8, 2), (2, 3), "Valid"), (f32(1, 2, 3, 2), f32(3, 2, 2, 2))),  # no window sees the last row
            (cls((1, 3, 3, 2), (1, 1), "Valid"), (i64(1, 2, 2, 2), i64(2, 2, 2, 2))),
            (cls((1, 4, 4, 4), (1, 1), "Same"), (f32(1, 4, 4, 4), f32(3, 3, 4, 4))),
            (cls((0, 3, 3, 1), (1, 1), "Valid"), (f32(0, 2, 2, 1), f32(2, 2, 1, 1))),
            (cls((1, 3, 3, 0), (1, 1), "Valid"), (f32(1, 2, 2, 2), f32(2, 2, 0, 2))),
            (cls((1, 3, 3, 2), (1, 1), "Valid"), (f32(1, 2, 2, 0), f32(2, 2, 2, 0))),  # no filters: zeros
            (cls((1, 3, 3, 2), (1, 1), "Valid"), (f32(1, 4, 2, 1), f32(0, 2, 2, 1))),  # an empty window: zeros
            (cls((1, 0, 3, 2), (1, 1), "Same"), (f32(1, 0, 3, 1), f32(3, 3, 2, 1))),
        ]
