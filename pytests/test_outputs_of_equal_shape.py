"""Outputs that start from the same zeros stay apart in native code.

Two results of one shape, each accumulated into a tensor of zeros: MLIR's `cse` makes the zeros one tensor, and both
results must not land in the same buffer.
"""

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import f32, i32

MODULES = {
    "two products": lambda b, x, y: [x @ y, y @ x],
    "a product and its square": lambda b, x, y: [z := x @ y, z @ z],
    "a product under Relu and one without": lambda b, x, y: [b.Relu(x @ y), y @ x, x @ x],
    "two sums": lambda b, x, y: [b.Sum(v, axes=(0,), keepdims=False) for v in (x, y)],
    "sums with the axis kept and dropped": lambda b, x, y: [
        b.Sum(x, axes=(0,), keepdims=True),
        b.Sum(y, axes=(0,), keepdims=False),
        b.Mean(y, axes=(0,), keepdims=False),
    ],
    "two scalars": lambda b, x, y: [b.Sum(v, axes=(), keepdims=False) for v in (x, y)],
    "matrix times vector and vector times matrix": lambda b, x, y: [
        b.Dot(x, row := b.Sum(y, axes=(0,), keepdims=False)),
        b.Dot(row, x),
    ],
    "two convolutions": lambda b, x, y: [
        b.Conv2d(b.Reshape(v, (1, 3, 3, 1)), b.Reshape(x, (3, 3, 1, 1)), (1, 1), "Same") for v in (x, y)
    ],
    "zeros and a product": lambda b, x, y: [
        b.MatMul(b.Slice(x, (0, 0), (3, 0), (1, 1)), b.Slice(y, (0, 0), (0, 3), (1, 1))),
        x @ y,
    ],
    "one product twice": lambda b, x, y: [z := x @ y, z],
}


@pytest.mark.parametrize("name", MODULES)
def test_outputs_of_equal_shape_have_their_own_values(name):
    b = mind.Builder()
    m = b.finish(MODULES[name](b, b.Input("x", f32(3, 3)), b.Input("y", f32(3, 3))))
    arrays = np.arange(18, dtype=np.float32).reshape(2, 3, 3) % 7
    for native, expected in zip(mind.compile(m)(*arrays), mind.interpret(m, *arrays)):
        np.testing.assert_array_equal(native, expected)


def test_integer_sums_of_equal_shape_have_their_own_values():
    b = mind.Builder()
    inputs = [b.Input(n, i32(2, 3)) for n in "xyz"]
    m = b.finish([b.Sum(v, axes=(1,), keepdims=False) for v in inputs])
    x, y, z = mind.compile(m)(*[np.full((2, 3), k, np.int32) for k in (1, 2, 3)])
    assert [x.tolist(), y.tolist(), z.tolist()] == [[3, 3], [6, 6], [9, 9]]
