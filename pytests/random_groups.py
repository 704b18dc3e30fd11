"""Random modules of products, sums, transposes and element-wise operations on square matrices, in any order.

Whatever may share a kernel does somewhere, and whatever must not: values that several operations use, before and after
others that are wanted, and operands that are free when a result needs memory.
"""

from __future__ import annotations

import random

import numpy as np

from mind_mlir import Builder, DType, Module, TensorType, Value


def groups(r: random.Random, dtype: DType, extent: int, count: int) -> Module:
    """A module of `count` operations and some for sums; what nothing uses is wanted, and some of the rest."""
    b = Builder()
    square = TensorType(dtype, (extent, extent))
    values = [b.Input("x", square), b.Input("y", square)]
    row, column = b.Input("row", square.with_shape((extent,))), b.Input("column", square.with_shape((extent, 1)))
    two = b.constant(np.asarray(2, dtype.numpy))

    def any_value() -> Value:
        return values[-1] if r.random() < 0.4 else r.choice(values)

    def summed() -> Value:
        x, axis = any_value(), r.choice((0, 1))
        total = b.Sum(x, axes=[axis], keepdims=True)
        return r.choice((lambda: total * r.choice(values), lambda: any_value() - total))()

    makers = [
        *[lambda: any_value() @ any_value()] * 3,
        *[summed] * 2,
        lambda: any_value().mT,
        lambda: any_value() + any_value(),
        lambda: any_value() - any_value(),
        lambda: any_value() * any_value(),
        lambda: any_value() + row,
        lambda: any_value() * column,
        lambda: two - any_value(),
        lambda: b.Relu(any_value()) if dtype.is_float else b.Neg(any_value()),
        lambda: b.Select(b.Greater(any_value(), row), any_value(), any_value()),
    ]
    for _ in range(count):
        values.append(r.choice(makers)())
    used = {i for o in b.operations for i in o.operands}
    wanted = [v for v in values[2:] if v.id not in used or r.random() < 0.1]
    return b.finish(wanted)
