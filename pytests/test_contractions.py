"""Contractions at awkward sizes, in every layout: they agree with interpret in every mode, with one thread and two.

The sizes are those at which a kernel has something left over: extents of 1, primes, a row or a column alone, more terms
than fit a block, and steps and padding that meet the edges of an image.
"""

import numpy as np
import pytest
from random_products import NUMBERS
from support import assert_agrees, assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, f32
from mind_mlir.ir import OPS
from mind_mlir.lowering.toolchain.openmp import find_openmp

BOTH = ("strict", "default")


def product(m, k, n, transposed="", batches=((), ())):
    """lhs · rhs of [m, k] and [k, n] in batches; "l" and "r" in `transposed` say what lies in memory transposed."""
    lhs, rhs = ((k, m) if "l" in transposed else (m, k)), ((n, k) if "r" in transposed else (k, n))

    def build(b, x, y):
        return [(x.mT if "l" in transposed else x) @ (y.mT if "r" in transposed else y)]

    return build, [(*batches[0], *lhs), (*batches[1], *rhs)]


def dot(lhs, rhs):
    return (lambda b, x, y: [b.Dot(x, y)]), [lhs, rhs]


def convolution(input, filter, strides=(1, 1), padding="Valid"):
    """Conv2d and its two adjoints."""

    def build(b, x, w, ct):
        backward = b.Conv2dBackwardInput(ct, w, input, strides, padding)
        return [b.Conv2d(x, w, strides, padding), backward, b.Conv2dBackwardFilter(x, ct, filter, strides, padding)]

    out = OPS["Conv2d"](strides, padding).infer_type(f32(*input), f32(*filter))
    return build, [input, filter, out.shape]


def layer(m, k, n):
    """Sums that element-wise operations follow, one with a row, one with another matrix; the sums are wanted too."""

    def build(b, x, w, row, other):
        sums = x @ w
        zero = b.constant(np.zeros((), x.type.dtype.numpy))
        return [sums, b.Select(b.Greater(sums, zero), sums + row, other - sums)]

    return build, [(m, k), (k, n), (n,), (m, n)]


def gram(m, k):
    """A matrix with itself: both operands are one buffer."""
    return (lambda b, x: [x @ x.mT, x.mT @ x]), [(m, k)]


def chain(m):
    """A product of products, and one with no terms."""
    return (lambda b, x, y, z: [(x @ y) @ x, z @ z.mT]), [(m, m), (m, m), (m, 0)]


SMALL = {
    "1x1x1": product(1, 1, 1),
    "3x17x3": product(3, 17, 3),
    "17x17x17": product(17, 17, 17),
    "33x1x33": product(33, 1, 33),
    "1x33x1": product(1, 33, 1),
    "33x7x1": product(33, 7, 1),
    "1x7x33": product(1, 7, 33),
    "13x129x31": product(13, 129, 31),
    "101x67x53": product(101, 67, 53),
    "29x31x37, lhs transposed": product(29, 31, 37, "l"),
    "29x31x37, rhs transposed": product(29, 31, 37, "r"),
    "31x19x17, both transposed": product(31, 19, 17, "lr"),
    "1x33x5, rhs transposed": product(1, 33, 5, "r"),
    "33x1x5, lhs transposed": product(33, 1, 5, "l"),
    "batches": product(5, 7, 9, batches=((3,), (3,))),
    "batches, both stretched": product(4, 5, 17, batches=((2, 1), (1, 3))),
    "batches, one of fewer axes": product(3, 11, 19, batches=((2, 3), (3,))),
    "batches, a matrix for all": product(7, 13, 5, batches=((2, 3), ())),
    "batches, transposed": product(5, 17, 6, "r", ((2, 1), (3,))),
    "vectors": dot((1009,), (1009,)),
    "matrix and vector": dot((37, 41), (41,)),
    "vector and matrix": dot((41,), (41, 37)),
    "layer 13x17x19": layer(13, 17, 19),
    "layer 1x5x33": layer(1, 5, 33),
    "gram 19x23": gram(19, 23),
    "chain 11": chain(11),
    "conv 3x3": convolution((2, 7, 9, 3), (3, 3, 3, 17)),
    "conv 3x2, same, stride 2": convolution((1, 9, 8, 5), (3, 2, 5, 7), (2, 2), "Same"),
    "conv 1x1": convolution((2, 5, 3, 17), (1, 1, 17, 33)),
    "conv 7x7, stride 2": convolution((1, 13, 11, 3), (7, 7, 3, 16), (2, 2), "Same"),
    "conv, strides beyond the window": convolution((1, 11, 13, 2), (2, 1, 2, 3), (3, 5), "Same"),
    "conv, uneven padding": convolution((1, 5, 7, 1), (3, 3, 1, 1), (2, 1), ((2, 0), (0, 3))),
    "conv, one column": convolution((3, 17, 1, 4), (5, 1, 4, 16)),
}

LARGE = {
    "packed": product(167, 401, 211),
    "packed, rhs transposed": product(167, 401, 211, "r"),
    "in blocks of terms": product(5, 401, 211),
    "257x129x263": product(257, 129, 263),
    "layer 163x149x127": layer(163, 149, 127),
    "batches of 61": product(61, 61, 61, batches=((7,), (7,))),
    "conv 3x3": convolution((2, 19, 23, 31), (3, 3, 31, 37), (1, 1), "Same"),
}


def module(build, shapes, dtypes):
    """One module with the computation in several dtypes, each on Inputs of its own: compiling takes hardly longer."""
    b = Builder()
    outputs = []
    for dtype in dtypes:
        outputs += build(b, *[b.Input(f"{dtype}{n}", TensorType(dtype, s)) for n, s in enumerate(shapes)])
    return b.finish(outputs)


def arguments(m, special=False):
    rng = np.random.default_rng(7)
    return [random_array(o.type, rng, special) for o in m.inputs]


def check(m, numerics, specials=(False, True)):
    exe = mind.compile(m, numerics=numerics)
    for special in specials:
        arrays = arguments(m, special)
        assert_agrees(m, arrays, exe(*arrays), mind.interpret(m, *arrays), numerics)


@pytest.mark.parametrize("case", SMALL)
def test_products_of_all_sizes_agree(case):
    check(module(*SMALL[case], NUMBERS), "default")
    check(module(*SMALL[case], [DType.F32]), "strict")


@pytest.mark.parametrize("case", ["17x17x17", "layer 13x17x19", "conv 3x3"])
def test_products_agree_in_the_mode_fast(case):
    check(module(*SMALL[case], [DType.F32, DType.F64]), "fast")


@pytest.mark.parametrize("case", LARGE)
def test_large_products_agree_and_threads_change_no_bit(case):
    m = module(*LARGE[case], [DType.F32])
    arrays = arguments(m)
    expected = mind.interpret(m, *arrays)
    for numerics in BOTH:
        one = mind.compile(m, numerics=numerics)(*arrays)
        assert_agrees(m, arrays, one, expected, numerics)
        if find_openmp() is not None:
            for a, b in zip(mind.compile(m, numerics=numerics, threads=2)(*arrays), one, strict=True):
                assert_same_bits(a, b, "two threads:")


@pytest.mark.parametrize("dtype", [DType.F64, DType.I32], ids=str)
@pytest.mark.parametrize("case", ["packed", "packed, rhs transposed", "in blocks of terms"])
def test_large_products_of_other_dtypes_agree(case, dtype):
    check(module(*LARGE[case], [dtype]), "default", specials=(False,))


def test_1000x777x333_agrees():
    m = module(*product(1000, 777, 333), [DType.F32])
    arrays = arguments(m)
    expected = mind.interpret(m, *arrays)
    for numerics in BOTH:
        assert_agrees(m, arrays, mind.compile(m, numerics=numerics)(*arrays), expected, numerics)
