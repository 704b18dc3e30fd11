"""Random modules around one product: every layout of its operands, and element-wise operations on its result.

Extents are those at which a kernel has something left over: 1, primes, and just below, at and above multiples of the
lanes of a vector and of the rows of a tile.
"""

from __future__ import annotations

import math
import random

import numpy as np

from mind_mlir import Builder, DType, Module, TensorType, Value

NUMBERS = [d for d in DType if not d.is_bool]
"""The element types of products."""

ROWS = (1, 2, 3, 5, 7, 8, 9, 11, 13, 16, 17, 23, 29)
COLUMNS = (1, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 67)
TERMS = (1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 61)
BATCHES = (((), ()),) * 4 + (
    ((3,), (3,)),
    ((2,), (1,)),
    ((), (3,)),
    ((3,), ()),
    ((2, 1), (1, 3)),
    ((2, 3), (3,)),
    ((1, 2), (2, 1)),
)
LARGEST = 400_000
"""Terms of all sums of a product."""


def product(r: random.Random, dtype: DType) -> Module:
    """A module with one matrix product of random extents and batches, its operands stored in any order of axes.

    Up to four element-wise operations follow; some of what they make is wanted too.  The result may be transposed
    before or after them.
    """
    while True:
        m, n, k, batches = r.choice(ROWS), r.choice(COLUMNS), r.choice(TERMS), r.choice(BATCHES)
        if m * n * k * math.prod(np.broadcast_shapes(*batches)) <= LARGEST:
            break
    b = Builder()
    x, y = stored(b, r, dtype, (*batches[0], m, k)), stored(b, r, dtype, (*batches[1], k, n))
    return b.finish(followed(b, r, x @ y))


def dots(r: random.Random, dtype: DType) -> Module:
    """A module with one product of few sums: a dot product, a matrix times a vector, or both rows along the terms."""
    b = Builder()
    k, n = r.choice((1, 3, 16, 17, 63, 64, 65, 127, 200, 401)), r.choice((1, 2, 3, 4, 5, 7, 8, 9))
    kind = r.choice(("dot", "matvec", "rows", "batch"))
    if kind == "rows":
        x = b.Input("x", TensorType(dtype, (r.choice((1, 2, 3)), k)))
        return b.finish(followed(b, r, x @ b.Input("y", TensorType(dtype, (n, k))).mT))
    if kind == "batch":
        x = b.Input("x", TensorType(dtype, (3, n, k)))
        return b.finish(followed(b, r, x @ b.Input("y", TensorType(dtype, (3, k, 1)))))
    x = b.Input("x", TensorType(dtype, (k,) if kind == "dot" else (n, k)))
    return b.finish(followed(b, r, b.Dot(x, b.Input("y", TensorType(dtype, (k,))))))


def convolution(r: random.Random, dtype: DType) -> Module:
    """A module with a convolution or one of its adjoints, and what follows it."""
    b = Builder()
    window = r.choice(((1, 1), (3, 3), (2, 3), (3, 1)))
    strides, padding = r.choice(((1, 1), (2, 2), (1, 2), (3, 2))), r.choice(("Valid", "Same", ((1, 0), (0, 2))))
    channels, filters = r.choice((1, 2, 3, 8)), r.choice((1, 3, 8, 16, 17, 33))
    image = (r.choice((1, 2)), r.randint(4, 8), r.randint(4, 7), channels)
    x, w = TensorType(dtype, image), TensorType(dtype, (*window, channels, filters))
    kind = r.choice(("forward", "forward", "input", "filter"))
    y = b.Conv2d(b.Input("x", x), b.Input("w", w), strides, padding)
    if kind != "forward":
        shape, b = y.type, Builder()
        ct = b.Input("ct", shape)
        if kind == "input":
            y = b.Conv2dBackwardInput(ct, b.Input("w", w), image, strides, padding)
        else:
            y = b.Conv2dBackwardFilter(b.Input("x", x), ct, w.shape, strides, padding)
    return b.finish(followed(b, r, y))


def stored(b: Builder, r: random.Random, dtype: DType, shape: tuple[int, ...]) -> Value:
    """An operand of this shape, whose axes lie in memory in any order."""
    axes = list(range(len(shape)))
    if r.random() < 0.5:
        r.shuffle(axes)
    elif r.random() < 0.5:
        axes[-2:] = axes[:-3:-1]
    v = b.Input(f"x{len(b.operations)}", TensorType(dtype, tuple(shape[a] for a in axes)))
    return v if axes == sorted(axes) else b.Transpose(v, permutation=[axes.index(a) for a in range(len(axes))])


def followed(b: Builder, r: random.Random, y: Value) -> list[Value]:
    """Outputs made of a product: the last one, and some of those on the way."""
    made = [y]
    if r.random() < 0.2 and y.type.rank >= 2:
        made = [y := y.mT]
    for _ in range(r.choice((0, 0, 1, 2, 4))):
        made.append(y := step(b, r, r.choice(made[-2:])))
    wanted = [v for v in made[:-1] if r.random() < 0.25]
    last = made[-1]
    return [*wanted, last.mT if r.random() < 0.2 and last.type.rank >= 2 else last]


def step(b: Builder, r: random.Random, y: Value) -> Value:
    """One element-wise operation on a value: with a row, a column, a scalar or a whole operand, or on it alone."""
    shape, dtype = y.type.shape, y.type.dtype

    def operand() -> Value:
        kept = r.choice(
            ((), shape, shape[-1:], (*shape[-2:-1], 1)[: len(shape)], tuple(r.choice((1, n)) for n in shape))
        )
        return b.Input(f"x{len(b.operations)}", TensorType(dtype, kept))

    return r.choice(
        (
            lambda: y + operand(),
            lambda: operand() - y,
            lambda: y * operand(),
            lambda: b.Relu(y) if dtype.is_float else y + y,
            lambda: b.Neg(y),
            lambda: b.Select(b.Greater(y, operand()), y, y * y),
        )
    )()


def arrays_for(m: Module, seed: int) -> list[np.ndarray]:
    """Floats of both signs over six decades, so that nearly any other order of a sum gives other bits; any integers."""
    rng = np.random.default_rng(seed)

    def array(t: TensorType) -> np.ndarray:
        if not t.dtype.is_float:
            info = np.iinfo(t.dtype.numpy)
            return rng.integers(info.min, info.max, t.shape, endpoint=True, dtype=t.dtype.numpy)
        return np.asarray(rng.standard_normal(t.shape) * 10.0 ** rng.uniform(-3, 3, t.shape)).astype(t.dtype.numpy)

    return [array(o.type) for o in m.inputs]
