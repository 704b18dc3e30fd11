"""The adjoint of Conv2d in its filter. Core v1 has none. Spec: Autodiff, Linear and tensor algebra."""

from dataclasses import replace

from ..ir import Growth, Linearity, Op, Rounding, f32, f64, i64, np, op
from ..ir.attributes import Extents, Ints, Padding
from ._convolution import check_cotangent, check_shape, padded, pads
from ._rules import same_numbers


@op
class Conv2dBackwardFilter(Op):
    """`result[i, j, c, f] = Σ_(n, y, x) input[n, y·s + i - p, x·s + j - p, c] · cotangent[n, y, x, f]`, zeros outside.

    input: [N, H, W, C]   cotangent: [N, OH, OW, F], the shape that Conv2d gives for `filter_shape` [KH, KW, C, F]
    result: `filter_shape`. The sum runs in ascending (n, y, x).
    """

    filter_shape: Extents
    strides: Ints
    padding: Padding

    linearity = Linearity.EACH
    core_v1 = False
    rounding = Rounding(Growth.PRODUCTS)

    def infer_type(self, input, cotangent):
        name = "Conv2dBackwardFilter"
        same_numbers(name, input, cotangent, ("input", "cotangent"))
        check_shape(name, "filter_shape", self.filter_shape)
        filter = input.with_shape(self.filter_shape)
        check_cotangent(name, cotangent, 1, input, filter, self.strides, self.padding)
        return filter

    def scratch(self, input, cotangent):
        return input.with_shape(padded(input.shape, self.filter_shape, self.strides, self.padding)), cotangent

    def evaluate(self, input, cotangent):
        x = np.pad(input, ((0, 0), *pads(input.shape, self.filter_shape, self.strides, self.padding), (0, 0)))
        (kh, kw), (sh, sw) = self.filter_shape[:2], self.strides
        total = np.zeros(self.filter_shape, input.dtype)
        for n, oy, ox in np.ndindex(cotangent.shape[:3]):
            window = x[n, oy * sh : oy * sh + kh, ox * sw : ox * sw + kw]
            total += window[..., np.newaxis] * cotangent[n, oy, ox]
        return total

    def adjoint(self, b, ct, operands, wrt):
        # g = the products of x and ȳ  ->  x̄ += what ȳ reaches through ḡ as the filter,  the cotangent of ȳ += x ∗ ḡ
        input, cotangent = operands
        if wrt == 0:
            return b.Conv2dBackwardInput(cotangent, ct, input.shape, self.strides, self.padding)
        return b.Conv2d(input, ct, self.strides, self.padding)

    def dims(self, input, cotangent):
        return "n _ _ c, n _ _ f -> _ _ c f"

    def localized(self, result, input, cotangent):
        return replace(self, filter_shape=result.shape)

    def lower(self, e, result, input, cotangent):
        around = pads(e.type(input).shape, self.filter_shape, self.strides, self.padding)
        return e.convolution.correlated(input, ((0, 0), *around, (0, 0)), cotangent, self.strides, result)

    @classmethod
    def samples(cls):
        return [
            (cls((3, 2, 3, 4), (1, 1), "Valid"), (f32(2, 5, 6, 3), f32(2, 3, 5, 4))),
            (cls((3, 3, 1, 1), (2, 2), "Same"), (f32(1, 4, 4, 1), f32(1, 2, 2, 1))),
            (cls((1, 1, 2, 3), (2, 3), "Same"), (f64(1, 7, 8, 2), f64(1, 4, 3, 3))),  # strides larger than the window
            (cls((3, 3, 2, 1), (2, 2), ((1, 0), (2, 1))), (f32(1, 5, 5, 2), f32(1, 2, 3, 1))),
            (cls((3, 2, 2, 2), (2, 3), "Valid"), (f32(1, 6, 8, 2), f32(1, 2, 3, 2))),  # no window sees the last row
            (cls((2, 2, 2, 2), (1, 1), "Valid"), (i64(1, 3, 3, 2), i64(1, 2, 2, 2))),
            (cls((3, 3, 4, 4), (1, 1), "Same"), (f32(1, 4, 4, 4), f32(1, 4, 4, 4))),
            (cls((2, 2, 1, 1), (1, 1), "Valid"), (f32(0, 3, 3, 1), f32(0, 2, 2, 1))),  # no examples: zeros
            (cls((2, 2, 0, 2), (1, 1), "Valid"), (f32(1, 3, 3, 0), f32(1, 2, 2, 2))),
            (cls((2, 2, 2, 0), (1, 1), "Valid"), (f32(1, 3, 3, 2), f32(1, 2, 2, 0))),
            (cls((0, 2, 2, 1), (1, 1), "Valid"), (f32(1, 3, 3, 2), f32(1, 4, 2, 1))),  # an empty window
            (cls((3, 3, 2, 1), (1, 1), "Same"), (f32(1, 0, 3, 2), f32(1, 0, 3, 1))),
            (cls((2, 1, 2, 1), (1, 1), ((0, 2), (1, 0))), (f32(1, 0, 1, 2), f32(1, 1, 2, 1))),  # padding alone
        ]
