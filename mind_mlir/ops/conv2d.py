"""Two-dimensional convolution. Spec: Core IR, Linear and tensor algebra; docs/semantics.md, Conv2d, Contractions."""

from ..ir import Growth, Linearity, Op, Rounding, TensorType, f32, f64, i64, np, op
from ..ir.attributes import Ints, Padding
from ._convolution import convolution, padded, pads, windows


@op
class Conv2d(Op):
    """`result[n, y, x, f] = Σ_(i, j, c) input[n, y·s + i - p, x·s + j - p, c] · filter[i, j, c, f]`, zeros outside.

    input: [N, H, W, C]   filter: [KH, KW, C, F]   result: [N, OH, OW, F]. The sum runs in ascending (i, j, c).
    """

    strides: Ints
    padding: Padding

    linearity = Linearity.EACH
    core_v1_gradient = False
    rounding = Rounding(Growth.PRODUCTS)

    def infer_type(self, input, filter):
        return convolution("Conv2d", input, filter, self.strides, self.padding)

    def scratch(self, input, filter):
        return (input.with_shape(padded(input.shape, filter.shape, self.strides, self.padding)),)

    def evaluate(self, input, filter):
        result = convolution(
            "Conv2d", TensorType.of_array(input), TensorType.of_array(filter), self.strides, self.padding
        )
        x = np.pad(input, ((0, 0), *pads(input.shape, filter.shape, self.strides, self.padding), (0, 0)))
        total = np.zeros(result.shape, input.dtype)
        for i, j, seen in windows(x, filter.shape[:2], self.strides, result.shape[1:3]):
            for c in range(filter.shape[2]):
                total = total + seen[..., c, np.newaxis] * filter[i, j, c]
        return total

    def adjoint(self, b, ct, operands, wrt):
        # y = x ∗ w  ->  x̄ += the input that ȳ reaches through w,  w̄ += the products of x and ȳ
        input, filter = operands
        if wrt == 0:
            return b.Conv2dBackwardInput(ct, filter, input.shape, self.strides, self.padding)
        return b.Conv2dBackwardFilter(input, ct, filter.shape, self.strides, self.padding)

    def dims(self, input, filter):
        return "n _ _ c, _ _ c f -> n _ _ f"

    def lower(self, e, result, input, filter):
        around = pads(e.type(input).shape, e.type(filter).shape, self.strides, self.padding)
        return e.convolution.convolved(e.linalg.padded(input, ((0, 0), *around, (0, 0))), filter, self.strides, result)

    @classmethod
    def samples(cls):
        return [
            (cls((1, 1), "Valid"), (f32(2, 5, 6, 3), f32(3, 2, 3, 4))),
            (cls((2, 2), "Same"), (f32(1, 4, 4, 1), f32(3, 3, 1, 1))),
            (cls((2, 3), "Same"), (f64(1, 7, 8, 2), f64(1, 1, 2, 3))),  # strides larger than the window
            (cls((2, 2), ((1, 0), (2, 1))), (f32(1, 5, 5, 2), f32(3, 3, 2, 1))),
            (cls((1, 1), "Valid"), (i64(1, 3, 3, 2), i64(2, 2, 2, 2))),
            (cls((1, 1), "Same"), (f32(1, 4, 4, 4), f32(3, 3, 4, 4))),  # H = W = C = F
            (cls((1, 1), "Valid"), (f32(0, 3, 3, 1), f32(2, 2, 1, 1))),
            (cls((1, 1), "Valid"), (f32(1, 3, 3, 0), f32(2, 2, 0, 2))),
            (cls((1, 1), "Valid"), (f32(1, 3, 3, 2), f32(0, 2, 2, 1))),  # an empty window sums nothing
        ]
