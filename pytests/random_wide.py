"""Random modules on arrays of some thousand elements: sums, transposes, slices, look-ups and element-wise operations.

Extents are those at which blocks, warps and vectors have something left over.
"""

from __future__ import annotations

import math
import random

import numpy as np

from mind_mlir import Builder, DType, Module, TensorType, Value

EXTENTS = (1, 2, 3, 4, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 512, 1000, 1025, 4097)
LARGEST = 20_000
"""Elements of a value."""


def wide(r: random.Random, dtype: DType, count: int) -> Module:
    """A module of `count` operations at most; what nothing uses is wanted, and some of the rest."""
    b = Builder()
    values = [b.Input("x", TensorType(dtype, shape(r)))]

    def any_value() -> Value:
        return values[-1] if r.random() < 0.6 else r.choice(values)

    def like(x: Value) -> Value:
        """Something that broadcasts with x."""
        known = [v for v in values if v.type == x.type]
        if r.random() < 0.5:
            return r.choice(known)
        extents = tuple(1 if r.random() < 0.4 else n for n in x.type.shape)
        return b.Input(f"x{len(b.operations)}", TensorType(dtype, extents[r.randrange(len(extents) + 1) :]))

    def axes(x: Value) -> list[int]:
        return r.sample(range(x.type.rank), r.randint(1, x.type.rank)) if x.type.rank else []

    def total() -> Value:
        x = any_value()
        return b.Sum(x, axes=axes(x), keepdims=r.random() < 0.5)

    def turned() -> Value:
        x = any_value()
        return b.Transpose(x, r.sample(range(x.type.rank), x.type.rank))

    def part() -> Value:
        x = any_value()
        starts = [r.randrange(n) if r.random() < 0.5 else 0 for n in x.type.shape]
        ends = [r.randint(s + 1, n) if r.random() < 0.5 else n for s, n in zip(starts, x.type.shape)]
        return b.Slice(x, starts, ends, [r.choice((1, 1, 2, 3)) for _ in starts])

    def padded() -> Value:
        x = any_value()
        return b.Pad(x, *([r.choice((0, 0, 1, 2)) for _ in x.type.shape] for _ in range(3)))

    def looked_up() -> Value:
        x = any_value()
        if not x.type.rank:
            return x
        rows = np.random.default_rng(r.randrange(2**32)).integers(0, x.type.shape[0], r.choice((1, 5, 33, 130)))
        if math.prod(x.type.shape[1:]) * len(rows) > LARGEST:
            return x
        return b.Gather(x, b.constant(rows.astype(np.int64)))

    def paired() -> Value:
        x = any_value()
        y = like(x)
        return r.choice((lambda: x + y, lambda: x - y, lambda: y * x, lambda: b.Select(b.Greater(x, y), y, x)))()

    def alone() -> Value:
        x = any_value()
        return r.choice((b.Neg, b.Relu, b.Exp, b.Reciprocal) if dtype.is_float else (b.Neg,))(x)

    makers = [*[paired] * 4, *[alone] * 3, *[total] * 2, turned, part, padded, looked_up]
    for _ in range(count):
        values.append(r.choice(makers)())
    used = {i for o in b.operations for i in o.operands}
    ends = [v for v in values if v.op.opcode != "Input" and (v.id not in used or r.random() < 0.1)]
    return b.finish(list({v.id: v for v in ends}.values()) or [b.Neg(values[0])])


def shape(r: random.Random) -> tuple[int, ...]:
    """A shape of rank 1 to 4 with at most LARGEST elements."""
    while True:
        found = tuple(r.choice(EXTENTS) for _ in range(r.choice((1, 2, 2, 3, 3, 4))))
        if math.prod(found) <= LARGEST:
            return found
