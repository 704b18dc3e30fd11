"""Other reductions than sums as kernels: the bits of `interpret` in every layout, with any number of threads."""

import itertools

import numpy as np
import pytest
from random_products import NUMBERS
from support import assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, lowering  # noqa: F401  registers its passes
from mind_mlir.passes import Pipeline

SHAPES = [(1,), (63,), (1000,), (40_009,), (17, 16), (16, 17), (41, 4), (1009, 3), (300, 37), (130, 300), (13, 9001)]
SHAPES += [(20, 17, 19), (100, 7, 33), (10, 3, 5000), (2, 3, 4, 5, 6)]

ALTERNATING = [(dtype, shape, 1 + (i + j) % 2) for i, dtype in enumerate(NUMBERS) for j, shape in enumerate(SHAPES)]
"""Every dtype in every shape, with one thread and with two alternately: so each dtype and each shape has both."""


def reductions_of(opcodes, dtype, shape):
    """The module with these reductions of one Input over each set of its axes."""
    b = Builder()
    x = b.Input("x", TensorType(dtype, shape))
    rank = len(shape)
    every = [axes for k in range(1, rank + 1) for axes in itertools.combinations(range(rank), k)]
    return b.finish([getattr(b, opcode)(x, axes=axes, keepdims=False) for opcode in opcodes for axes in every])


@pytest.mark.parametrize(("dtype", "shape", "threads"), ALTERNATING, ids=str)
def test_extremes_are_those_of_interpret(dtype, shape, threads):
    m = reductions_of(("Max", "Min"), dtype, shape)
    for special in (False, True):
        x = random_array(m.inputs[0].type, np.random.default_rng(1), special)
        if special and dtype.is_float:
            x = np.where(np.isnan(x) | (np.random.default_rng(2).random(shape) < 0.9), x.dtype.type(-0.0), x)
        expected = mind.interpret(m, x)
        for found, other in zip(mind.compile(m, numerics="strict", threads=threads)(x), expected):
            assert_same_bits(found, other)


@pytest.mark.parametrize("numerics", ["strict", "default"])
def test_extremes_are_kernels_even_in_strict_numerics(numerics):
    m = reductions_of(("Max",), DType.F32, (130, 300))
    text = str(Pipeline.parse(f"lower-to-linalg{{numerics={numerics}}},cpu-fuse,cpu-bufferize,form-kernels").run(m))
    assert text.count("linalg.reduce") == text.count('kind = "reduction"') == len(m.outputs)


@pytest.mark.parametrize("dtype", [DType.U8, DType.U16, DType.U32, DType.U64], ids=str)
def test_extremes_of_numbers_without_signs_are_kernels(dtype):
    m = reductions_of(("Max", "Min"), dtype, (130, 300))
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels").run(m))
    assert text.count("linalg.reduce") == text.count('kind = "reduction"') == len(m.outputs)
