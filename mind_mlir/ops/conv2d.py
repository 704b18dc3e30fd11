"""Two-dimensional convolution.  Spec: Core IR, Linear and tensor algebra; docs/deviations.md, Conv2d, Contractions."""

from ..ir import Linearity, Op, Reject, f32, f64, i64, np, op
from ..ir.attributes import Ints, Padding
from ._rules import same_dtype


def window(extent, kernel, stride, padding, axis):
    """Low padding, high padding and output extent of one spatial axis (0 height, 1 width).

    Valid pads nothing.  Same gives ceil(extent / stride) outputs and splits the padding low = floor, high = rest,
    never negative.  Both gradients of Conv2d rest on the same three numbers.
    """
    if padding == "Valid":
        low, high = 0, 0
    elif padding == "Same":
        total = max((-(-extent // stride) - 1) * stride + kernel - extent, 0)
        low, high = total // 2, total - total // 2
    else:
        low, high = padding[axis]
    return low, high, (low + extent + high - kernel) // stride + 1


@op
class Conv2d(Op):
    """`result[n, y, x, f] = Σ_(i, j, c) input[n, y·s + i - p, x·s + j - p, c] · filter[i, j, c, f]`, zeros outside.

    input: [N, H, W, C]   filter: [KH, KW, C, F]   result: [N, OH, OW, F].  The sum runs in ascending (i, j, c).
    """

    strides: Ints
    padding: Padding

    linearity = Linearity.EACH
    core_v1_gradient = False

    def infer_type(self, input, filter):
        same_dtype("Conv2d", input, filter)
        for i, (name, x) in enumerate((("input", input), ("filter", filter))):
            if x.rank != 4:
                raise Reject("E3002", f"Conv2d takes rank 4, {name} is {x}", at=f"operand {i}")
        if len(self.strides) != 2 or min(self.strides) < 1:
            raise Reject("E4010", f"Conv2d strides are two positive numbers, found {list(self.strides)}", at="strides")
        if input.shape[3] != filter.shape[2]:
            raise Reject(
                "E4009",
                f"Conv2d input has {input.shape[3]} channels, the filter takes {filter.shape[2]}",
                note=f"input is {input}, filter is {filter}",
                help="the input is NHWC, the filter [height, width, channels in, channels out]",
            )
        n, h, w, _ = input.shape
        kh, kw, _, f = filter.shape
        spatial = []
        for axis, (extent, kernel, stride) in enumerate(zip((h, w), (kh, kw), self.strides)):
            low, high, out = window(extent, kernel, stride, self.padding, axis)
            if kernel > low + extent + high and not (extent == 0 and self.padding == "Same"):
                raise Reject(
                    "E4010",
                    f"Conv2d window of extent {kernel} is larger than the padded input of {low + extent + high}",
                    label=f"{('height', 'width')[axis]}: {low} + {extent} + {high} is less than {kernel}",
                    at="padding",
                )
            spatial.append(max(out, 0))
        return input.with_shape((n, *spatial, f))

    def pads(self, input, filter):
        """((top, bottom), (left, right)) for operands of these shapes."""
        return tuple(window(input[1 + a], filter[a], self.strides[a], self.padding, a)[:2] for a in (0, 1))

    def scratch(self, input, filter):
        n, h, w, c = input.shape
        (top, bottom), (left, right) = self.pads(input.shape, filter.shape)
        return (input.with_shape((n, top + h + bottom, left + w + right, c)),)

    def evaluate(self, input, filter):
        pads = self.pads(input.shape, filter.shape)
        x = np.pad(input, ((0, 0), *pads, (0, 0)))
        kh, kw, c, f = filter.shape
        sh, sw = self.strides
        oh, ow = (x.shape[1] - kh) // sh + 1, (x.shape[2] - kw) // sw + 1
        total = np.zeros((x.shape[0], max(oh, 0), max(ow, 0), f), x.dtype)
        if not total.size:
            return total
        for i in range(kh):
            for j in range(kw):
                part = x[:, i : i + (oh - 1) * sh + 1 : sh, j : j + (ow - 1) * sw + 1 : sw, :]
                for k in range(c):
                    total = total + part[..., k, np.newaxis] * filter[i, j, k]
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
        top_bottom, left_right = self.pads(e.type(input).shape, e.type(filter).shape)
        padded = e.padded(input, ((0, 0), top_bottom, left_right, (0, 0)))
        return e.convolved(padded, filter, self.strides, result)

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
