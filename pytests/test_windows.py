"""Operations on windows: their order, their padding, ties, indices beyond a window, and errors."""

import math

import numpy as np
import pytest
from support import assert_same_bits, error_of

import mind_mlir as mind
from mind_mlir import Builder, TensorType
from mind_mlir.ir import OPS
from mind_mlir.passes.gradient import gradient
from mind_mlir.testing import findings

F32 = np.float32


def run(opcode, *arrays, **attributes):
    """What an operation gives, by the interpreter and by native code, which agree."""
    b = Builder()
    inputs = [b.Input(f"x{n}", TensorType.of_array(a)) for n, a in enumerate(arrays)]
    m = b.finish([b.emit(OPS[opcode](**attributes), *inputs)])
    (expected,) = mind.interpret(m, *arrays)
    for numerics in ("strict", "default"):
        assert_same_bits(mind.compile(m, numerics=numerics)(*arrays)[0], expected)
    return expected


def pooled(opcode, shape, **attributes):
    b = Builder()
    return b.finish([b.emit(OPS[opcode](**attributes), b.Input("x", TensorType.of_array(np.zeros(shape, F32))))])


def in_pairs(terms):
    """The stated order of a sum along one axis."""
    if len(terms) == 1:
        return terms[0]
    p = 1 << (len(terms) - 1).bit_length() - 1
    return in_pairs(terms[:p]) + in_pairs(terms[p:])


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 16, 17, 31, 100])
def test_sums_along_an_axis_have_the_stated_order(n):
    x = (np.random.default_rng(n).standard_normal(300) * 10.0 ** np.arange(300) ** 0.3).astype(F32)
    found = run("WindowSum", x, window=(n,), strides=(3,))
    assert_same_bits(found, F32([in_pairs(x[at : at + n]) for at in range(0, 300 - n + 1, 3)]))


@pytest.mark.parametrize("window", [(2, 3), (4, 4), (5, 4)], ids=str)
def test_sums_over_two_axes_add_along_the_last_one_first(window):
    x = np.random.default_rng(1).standard_normal((9, 11)).astype(F32)
    (h, w), (found,) = window, (run("WindowSum", x, window=window, strides=(1, 1)),)
    expected = [
        [in_pairs([in_pairs(row) for row in x[i : i + h, j : j + w]]) for j in range(12 - w)] for i in range(10 - h)
    ]
    assert_same_bits(found, F32(expected))


def test_a_sum_over_windows_as_long_as_the_axis_is_accurate():
    x = np.random.default_rng(2).standard_normal(100_000).astype(F32)
    (found,) = run("WindowSum", x, window=(100_000,), strides=(1,))
    assert abs(found - math.fsum(x)) < 1e-3


def test_padding_is_below_every_element_and_a_window_of_it_alone_is_the_least():
    x = F32([-5, -7])
    assert run("WindowMax", x, window=(2,), strides=(2,), low=(3,), high=(2,)).tolist() == [-np.inf, -5, -7]
    assert run("WindowMax", np.int32([-5]), window=(1,), strides=(1,), low=(1,), high=(0,)).tolist() == [-(2**31), -5]


def test_where_no_window_fits_there_is_none():
    assert run("WindowMax", np.zeros((2, 3), F32), window=(1, 5), strides=(1, 1)).shape == (2, 0)


def test_the_first_of_equal_elements_and_the_first_nan_are_picked():
    x = F32([[1, 3, 3, 1], [3, 1, np.nan, np.nan]])
    assert run("WindowArgMax", x, window=(2, 2), strides=(2, 2)).tolist() == [[1, 2]]
    assert run("WindowArgMax", F32([-0.0, 0.0]), window=(2,), strides=(1,)).tolist() == [0]


@pytest.mark.parametrize("window", [(3, 3), (5, 7)], ids=str)
def test_positions_are_those_of_argmax(window):
    x = np.random.default_rng(3).integers(0, 9, (12, 13)).astype(F32)
    found = run("WindowArgMax", x, window=window, strides=(2, 1))
    for (i, j), at in np.ndenumerate(found):
        assert at == np.argmax(x[2 * i : 2 * i + window[0], j : j + window[1]])


def test_an_index_beyond_the_window_is_the_nearest_position():
    x, beyond = F32([1, 2, 3]), np.int32([-9, 9])
    assert run("WindowGather", x, beyond, window=(2,), strides=(1,)).tolist() == [1, 3]
    assert run("WindowScatterAdd", F32([1, 2]), beyond, shape=(3,), window=(2,), strides=(1,)).tolist() == [1, 0, 2]


def test_what_is_not_picked_has_no_influence():
    x = F32([1, np.nan, np.inf, -0.0])
    assert_same_bits(run("WindowGather", x, np.int32([0, 1]), window=(2,), strides=(2,)), F32([1, -0.0]))


def test_the_first_largest_element_gets_the_cotangent():
    x = F32([[2, 2, 0], [2, 2, 5]])
    m = pooled("WindowMax", x.shape, window=(2, 2), strides=(1, 1))
    assert mind.interpret(gradient(m, seed="ones"), x)[1].tolist() == [[1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("opcode", ["WindowMax", "WindowSum"])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_pooling_in_one_two_and_three_dimensions_has_derivatives_of_order_three(opcode, rank):
    shape, ones = (2, *[5] * rank, 3), [1] * rank
    window, strides, pads = (1, *[3] * rank, 1), (1, *[2] * rank, 1), (0, *ones, 0)
    m = pooled(opcode, shape, window=window, strides=strides, low=pads, high=pads)
    assert not [str(f) for f in findings(m, order=3) if not f.ok]


@pytest.mark.parametrize(
    ("attributes", "code", "text"),
    [
        ({"window": (2,), "strides": (1, 1)}, "E4007", "takes 2 numbers as window, found 1"),
        ({"window": (2, 2), "strides": (1, 0)}, "E4010", "entry 1 of strides of WindowMax is 0"),
        ({"window": (2, 2), "strides": (1, 1), "dilation": (1, -1)}, "E4010", "entry 1 of dilation"),
        ({"window": (2, 2), "strides": (1, 1), "low": (-1, 0)}, "E4016", "entry 0 of low of WindowMax is -1"),
        ({"window": (2**16, 2**16), "strides": (1, 1)}, "E4010", "has 4294967296 elements"),
        ({"window": (1, 1), "strides": (1, 1), "high": (2**63 - 1, 0)}, "E3006", "larger than"),
    ],
)
def test_bad_windows_are_refused(attributes, code, text):
    found = error_of(lambda: pooled("WindowMax", (3, 4), **attributes))
    assert (found.code, text in str(found)) == (code, True), found


def test_indices_that_are_not_one_for_each_window_are_refused():
    def gather(indices):
        b = Builder()
        x, i = b.Input("x", TensorType.of_array(np.zeros(5, F32))), b.Input("i", TensorType.of_array(indices))
        return b.WindowGather(x, i, (2,), (1,))

    assert error_of(gather, np.zeros(4, F32)).code == "E4011"
    assert error_of(gather, np.zeros(3, np.int32)).code == "E3003"
    assert error_of(gather, np.zeros((4, 1), np.int32)).code == "E3002"
