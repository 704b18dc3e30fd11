"""Defines what is computed: for each kind of work, a function from its extents to a Problem.

The kinds are also the names of the peers' methods, which take the problem's arrays and its options.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

WIDTH = {"f32": 4, "f64": 8, "i64": 8}
"""The bytes of an element."""

LOOSE, TIGHT, EXACT = 1e-4, 2e-6, 0.0
FLIPS = 3e-3
"""The tolerance of gradients: if rounding moves the argument of a Relu across 0, an image's share of them changes."""


@dataclass(frozen=True)
class Array:
    """An argument: uniform numbers in [low, high), or one-hot rows if `one_hot`."""

    shape: tuple[int, ...]
    low: float = -1.0
    high: float = 1.0
    dtype: str = "f32"
    one_hot: bool = False

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * WIDTH[self.dtype]


@dataclass(frozen=True)
class Problem:
    """The arguments, and the amount of work, which either the operations or the bytes limit."""

    inputs: tuple[Array, ...]
    flops: int = 0
    """The additions and multiplications; 0 if memory limits the speed."""
    read: int = 0
    written: int = 0
    """The bytes that have to be read and written if everything is moved once."""
    tolerance: float = LOOSE
    """How far the results of two peers may be apart, over the size of ours, both as root mean squares."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments for the peers' methods."""

    @property
    def moved(self) -> int:
        """The bytes read and written."""
        return self.read + self.written

    @property
    def work(self) -> int:
        """The amount with which time is compared: operations, or bytes if there are none."""
        return self.flops or self.moved


KINDS: dict[str, Callable[..., Problem]] = {}


def kind(make: Callable[..., Problem]) -> Callable[..., Problem]:
    """Enter a kind of work under the function's name."""
    KINDS[make.__name__] = make
    return make


# Contractions


@kind
def matmul(m: int, k: int, n: int, batch: tuple[int, ...] = ()) -> Problem:
    """a @ b, also over a batch."""
    a, b = Array((*batch, m, k)), Array((*batch, k, n))
    count = math.prod(batch)
    return Problem((a, b), 2 * count * m * k * n, a.nbytes + b.nbytes, 4 * count * m * n)


@kind
def matvec(m: int, n: int) -> Problem:
    """A matrix by a vector: each element of the matrix is used once, so memory limits the speed."""
    a, x = Array((m, n)), Array((n,))
    return Problem((a, x), 0, a.nbytes + x.nbytes, 4 * m)


def _conv(n: int, h: int, w: int, c: int, f: int, window: int, stride: int) -> tuple[Array, Array, Array, int, dict]:
    """Image, filter, result, operations and options of a convolution padded by half of its window."""
    low = window // 2
    oh, ow = ((extent + 2 * low - window) // stride + 1 for extent in (h, w))
    image, filter, result = Array((n, h, w, c)), Array((window, window, c, f)), Array((n, oh, ow, f))
    return image, filter, result, 2 * n * oh * ow * f * window * window * c, {"stride": stride, "pad": low}


@kind
def conv(n: int, h: int, w: int, c: int, f: int, window: int, stride: int = 1) -> Problem:
    """Images [n, h, w, c] with filters [window, window, c, f]."""
    image, filter, result, flops, options = _conv(n, h, w, c, f, window, stride)
    return Problem((image, filter), flops, image.nbytes + filter.nbytes, result.nbytes, options=options)


@kind
def conv_input_gradient(n: int, h: int, w: int, c: int, f: int, window: int, stride: int = 1) -> Problem:
    """From the cotangent of a convolution to that of its images."""
    image, filter, result, flops, options = _conv(n, h, w, c, f, window, stride)
    options["shape"] = image.shape
    return Problem((result, filter), flops, result.nbytes + filter.nbytes, image.nbytes, options=options)


@kind
def conv_filter_gradient(n: int, h: int, w: int, c: int, f: int, window: int, stride: int = 1) -> Problem:
    """From images and the cotangent of a convolution to that of its filters."""
    image, filter, result, flops, options = _conv(n, h, w, c, f, window, stride)
    options["shape"] = filter.shape
    return Problem((image, result), flops, image.nbytes + result.nbytes, filter.nbytes, options=options)


@kind
def grouped_conv(n: int, h: int, w: int, c: int, groups: int, stride: int = 1) -> Problem:
    """Images [n, h, w, c] with filters [3, 3, c / groups, c], the channels in groups; depthwise for c groups."""
    image, filter, result, flops, options = _conv(n, h, w, c // groups, c, 3, stride)
    image = Array((n, h, w, c))
    options["groups"] = groups
    return Problem((image, filter), flops, image.nbytes + filter.nbytes, result.nbytes, options=options)


@kind
def einsum(text: str, extents: dict[str, int]) -> Problem:
    """The product of two arrays over named axes, such as `bqhd,bkhd->bhqk`."""
    x, y, result = (Array(tuple(extents[d] for d in term)) for term in text.replace("->", ",").split(","))
    flops = 2 * math.prod(extents.values())
    return Problem((x, y), flops, x.nbytes + y.nbytes, result.nbytes, options={"text": text})


# Element by element


@kind
def chain(n: int) -> Problem:
    """relu(a * b + c) - d"""
    return Problem((Array((n,)),) * 4, 0, 16 * n, 4 * n, TIGHT)


@kind
def exp(n: int, dtype: str) -> Problem:
    """The exponential function."""
    return _unary(Array((n,), -2.0, 2.0, dtype))


@kind
def log(n: int, dtype: str) -> Problem:
    """The natural logarithm."""
    return _unary(Array((n,), 0.01, 10.0, dtype))


@kind
def sqrt(n: int, dtype: str) -> Problem:
    """The square root."""
    return _unary(Array((n,), 0.01, 10.0, dtype))


@kind
def tanh(n: int, dtype: str) -> Problem:
    """The hyperbolic tangent."""
    return _unary(Array((n,), -3.0, 3.0, dtype))


@kind
def logistic(n: int, dtype: str) -> Problem:
    """1 / (1 + exp(-x))"""
    return _unary(Array((n,), -5.0, 5.0, dtype))


@kind
def log1p(n: int, dtype: str) -> Problem:
    """ln(1 + x)"""
    return _unary(Array((n,), -0.9, 3.0, dtype))


@kind
def expm1(n: int, dtype: str) -> Problem:
    """exp(x) - 1"""
    return _unary(Array((n,), -2.0, 2.0, dtype))


@kind
def sin(n: int, dtype: str) -> Problem:
    """The sine, of some turns."""
    return _unary(Array((n,), -20.0, 20.0, dtype))


@kind
def cos(n: int, dtype: str) -> Problem:
    """The cosine, of some turns."""
    return _unary(Array((n,), -20.0, 20.0, dtype))


@kind
def erf(n: int, dtype: str) -> Problem:
    """The error function."""
    return _unary(Array((n,), -3.0, 3.0, dtype))


@kind
def power(n: int, dtype: str) -> Problem:
    """x to the power of y."""
    x, y = Array((n,), 0.01, 10.0, dtype), Array((n,), -3.0, 3.0, dtype)
    return Problem((x, y), 0, 2 * x.nbytes, x.nbytes, TIGHT if dtype == "f32" else 1e-14)


def _unary(x: Array) -> Problem:
    return Problem((x,), 0, x.nbytes, x.nbytes, TIGHT if x.dtype == "f32" else 1e-14)


@kind
def multiply_add(n: int) -> Problem:
    """x * y + z, so small that only the call counts."""
    return Problem((Array((n, n)),) * 3, 0, 12 * n * n, 4 * n * n, TIGHT)


@kind
def outer_add(m: int, n: int) -> Problem:
    """A column plus a row."""
    return Problem((Array((m, 1)), Array((n,))), 0, 4 * (m + n), 4 * m * n, TIGHT)


# Sums


@kind
def total(shape: tuple[int, ...], axis: int | None) -> Problem:
    """The sum along one axis, or of everything."""
    x = Array(shape, 0.0)
    return Problem((x,), 0, x.nbytes, 4 if axis is None else x.nbytes // shape[axis], options={"axis": axis})


# Moves


@kind
def transpose(shape: tuple[int, ...], axes: tuple[int, ...]) -> Problem:
    """The axes in another order."""
    x = Array(shape)
    return Problem((x,), 0, x.nbytes, x.nbytes, EXACT, {"axes": axes})


@kind
def concatenate(shape: tuple[int, ...], axis: int) -> Problem:
    """Two arrays of one shape, after one another along an axis."""
    x = Array(shape)
    return Problem((x, x), 0, 2 * x.nbytes, 2 * x.nbytes, EXACT, {"axis": axis})


@kind
def reverse(shape: tuple[int, ...], axis: int) -> Problem:
    """The elements in the opposite order along an axis."""
    x = Array(shape)
    return Problem((x,), 0, x.nbytes, x.nbytes, EXACT, {"axis": axis})


@kind
def sort(n: int) -> Problem:
    """The elements in ascending order."""
    x = Array((n,))
    return Problem((x,), 0, x.nbytes, x.nbytes, EXACT)


@kind
def top_k(n: int, k: int) -> Problem:
    """The k largest of n elements in descending order, and their indices."""
    x = Array((n,))
    return Problem((x,), 0, x.nbytes, 12 * k, EXACT, {"k": k})


@kind
def gather(rows: int, width: int, count: int) -> Problem:
    """`count` rows of a table, at random; the bytes read are counted for each row taken."""
    table, places = Array((rows, width)), Array((count,), 0, rows, "i64")
    taken = 4 * width * count
    return Problem((table, places), 0, taken + places.nbytes, taken, EXACT)


@kind
def strided_slice(m: int, n: int, steps: tuple[int, int]) -> Problem:
    """The slice x[::s, ::t]. Memory is read by lines, so a step along the last axis reads all of a row."""
    rows, columns = m // steps[0], n // steps[1]
    return Problem((Array((m, n)),), 0, 4 * rows * n, 4 * rows * columns, EXACT, {"steps": steps})


# Blocks of networks


@kind
def softmax(m: int, n: int) -> Problem:
    """exp(x) over its sum along the last axis."""
    return Problem((Array((m, n)),), 0, 4 * m * n, 4 * m * n, TIGHT)


@kind
def attention(heads: int, length: int, width: int) -> Problem:
    """softmax(q kᵀ / √width) v for each head."""
    x = Array((heads, length, width))
    return Problem((x, x, x), 4 * heads * length * length * width, 3 * x.nbytes, x.nbytes)


def _weights(shapes: list[tuple[int, ...]]) -> tuple[Array, ...]:
    """Weights that keep the variance through Relu, and small biases."""
    limits = [math.sqrt(6 / math.prod(s[:-1])) if len(s) > 1 else 0.1 for s in shapes]
    return tuple(Array(s, -limit, limit) for s, limit in zip(shapes, limits))


def _mlp(batch: int, widths: tuple[int, ...]) -> tuple[Array, tuple[Array, ...], list[int]]:
    layers = list(itertools.pairwise(widths))
    shapes = [s for a, b in layers for s in ((a, b), (b,))]
    return Array((batch, widths[0])), _weights(shapes), [2 * batch * a * b for a, b in layers]


def _cnn(
    batch: int, image: tuple[int, int, int], channels: tuple[int, int], hidden: int
) -> tuple[Array, tuple[Array, ...], list[int]]:
    """Two 3x3 convolutions, the second with stride 2, and two layers; as examples/digits has it."""
    (h, w, c), (f, g) = image, channels
    oh, ow = (h + 1) // 2, (w + 1) // 2
    shapes = [(3, 3, c, f), (f,), (3, 3, f, g), (g,), (oh * ow * g, hidden), (hidden,), (hidden, 10), (10,)]
    per_image = [18 * h * w * c * f, 18 * oh * ow * f * g, 2 * oh * ow * g * hidden, 20 * hidden]
    return Array((batch, *image)), _weights(shapes), [batch * flops for flops in per_image]


def _forward(x: Array, weights: tuple[Array, ...], layers: list[int]) -> Problem:
    read = x.nbytes + sum(w.nbytes for w in weights)
    return Problem((x, *weights), sum(layers), read, 40 * x.shape[0])


def _gradient(x: Array, weights: tuple[Array, ...], layers: list[int]) -> Problem:
    """Three contractions for each layer, two for the first, because the gradient of the images is not needed."""
    t = Array((x.shape[0], 10), one_hot=True)
    flops = 3 * sum(layers) - layers[0]
    size = sum(w.nbytes for w in weights)
    return Problem((x, t, *weights), flops, x.nbytes + t.nbytes + size, size, FLIPS)


@kind
def mlp_forward(batch: int, widths: tuple[int, ...]) -> Problem:
    """Layers with Relu between them: logits."""
    return _forward(*_mlp(batch, widths))


@kind
def mlp_gradient(batch: int, widths: tuple[int, ...]) -> Problem:
    """The cross entropy of those layers and its gradient in every weight and bias."""
    return _gradient(*_mlp(batch, widths))


@kind
def cnn_forward(batch: int, image: tuple[int, int, int], channels: tuple[int, int], hidden: int) -> Problem:
    """Two convolutions and two layers: logits."""
    return _forward(*_cnn(batch, image, channels, hidden))


@kind
def cnn_gradient(batch: int, image: tuple[int, int, int], channels: tuple[int, int], hidden: int) -> Problem:
    """The cross entropy of that network and its gradient in every weight and bias."""
    return _gradient(*_cnn(batch, image, channels, hidden))


# What memory can do


@kind
def read(n: int) -> Problem:
    """Reading n elements of f32."""
    return Problem((), 0, 4 * n, 0)


@kind
def copy(n: int) -> Problem:
    """Copying n elements of f32."""
    return Problem((), 0, 4 * n, 4 * n)
