"""Products with transposes before and behind them, in every order of the axes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support import assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.passes import Pipeline

SHAPES = {
    "plain": ((3, 4, 5), (3, 5, 2)),
    "one batch for all": ((3, 4, 5), (1, 5, 2)),
    "a row": ((3, 1, 5), (3, 5, 2)),
    "an inner product": ((3, 1, 5), (1, 5, 1)),
    "one term": ((3, 4, 1), (3, 1, 2)),
    "no batch": ((1, 4, 5), (1, 5, 2)),
    "nothing to add": ((3, 4, 0), (3, 0, 2)),
}
ORDERS = list(itertools.permutations(range(3)))


def products(kind: str, dtype: mind.DType, orders) -> mind.Module:
    """The transposed product of two operands that are transposes, for each three orders of axes."""
    b = mind.Builder()
    inputs: dict[tuple[int, tuple[int, ...]], mind.Value] = {}
    outputs = []
    for *before, behind in orders:
        operands = []
        for n, (shape, order) in enumerate(zip(SHAPES[kind], before)):
            lies = tuple(shape[order.index(a)] for a in range(3))
            if (n, lies) not in inputs:
                inputs[n, lies] = b.Input(f"x{len(inputs)}", mind.TensorType(dtype, lies))
            operands.append(b.Transpose(inputs[n, lies], permutation=order))
        outputs.append(b.Transpose(operands[0] @ operands[1], permutation=behind))
    return b.finish(outputs)


@pytest.mark.parametrize("dtype", ["f32", "i64"])
@pytest.mark.parametrize("kind", SHAPES)
def test_products_of_transposes_have_the_bits_of_the_interpreter(kind, dtype):
    every = list(itertools.product(ORDERS, repeat=3))
    rng = np.random.default_rng(0)
    for orders in (every[::29], every[::2]):  # short enough for the pipeline cpu, and long
        m = products(kind, mind.DType(dtype), orders)
        arrays = [random_array(o.type, rng) for o in m.inputs]
        found = mind.compile(m, numerics="strict")(*arrays)
        for o, a, value in zip(orders, found, mind.interpret(m, *arrays), strict=True):
            assert_same_bits(a, value, f"{o}:")


def test_only_batches_that_are_neighbours_in_memory_are_transposed():
    for orders in itertools.product(ORDERS, repeat=3):
        *before, behind = orders
        m = products("plain", mind.DType.F32, [orders])
        text = mlir_text(Pipeline.parse("canonicalize,lower-to-linalg,cpu-fuse").run(m))
        innermost = sum(order.index(2) == 0 for order in before) + (behind[2] == 0)
        assert text.count("linalg.transpose") == innermost, orders
