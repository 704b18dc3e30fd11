"""Max, Min, Maximum and Minimum: NaN, signed zeros, ties, nothing. docs/semantics.md, Extremes."""

import numpy as np
import pytest
from support import assert_same_bits

import mind_mlir as mind
from mind_mlir import Builder, TensorType
from mind_mlir.ir import OPS, DType
from mind_mlir.passes.gradient import gradient

F32 = np.float32
ZEROS = np.array([[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0], [0.0, 0.0]], F32)


@pytest.mark.parametrize(("opcode", "zero"), [("Maximum", [0.0, 0.0, -0.0, 0.0]), ("Minimum", [-0.0, -0.0, -0.0, 0.0])])
def test_negative_zero_is_below_positive_zero(opcode, zero):
    assert_same_bits(OPS[opcode]().evaluate(*ZEROS.T), F32(zero))
    along = OPS[opcode[:3]]((1,), False)
    assert_same_bits(along.evaluate(ZEROS), F32(zero))


@pytest.mark.parametrize("opcode", ["Maximum", "Minimum"])
def test_nan_wins_on_either_side(opcode):
    x, y = F32([np.nan, 1, np.nan, -np.inf]), F32([1, np.nan, np.inf, np.nan])
    assert np.isnan(OPS[opcode]().evaluate(x, y)).all()
    assert np.isnan(OPS[opcode[:3]]((), False).evaluate(x))


@pytest.mark.parametrize("dtype", [d for d in DType if not d.is_bool], ids=str)
def test_over_nothing_there_is_the_number_that_changes_no_other(dtype):
    least, most = (-np.inf, np.inf) if dtype.is_float else (np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max)
    for opcode, expected in (("Max", least), ("Min", most)):
        b = Builder()
        m = b.finish([getattr(b, opcode)(b.Input("x", TensorType(dtype, (2, 0))), axes=(1,), keepdims=False)])
        nothing = np.zeros((2, 0), dtype.numpy)
        for found in (mind.interpret(m, nothing), mind.compile(m)(nothing)):
            assert_same_bits(found[0], np.full(2, expected, dtype.numpy))


def gradient_of(opcode, arrays, *attributes):
    b = Builder()
    inputs = [b.Input(f"x{n}", TensorType.of_array(a)) for n, a in enumerate(arrays)]
    m = b.finish([b.emit(OPS[opcode](*attributes), *inputs)])
    return mind.interpret(gradient(m, seed="ones"), *arrays)[1:]


@pytest.mark.parametrize("opcode", ["Maximum", "Minimum"])
def test_equal_operands_share_the_cotangent(opcode):
    x, y = gradient_of(opcode, [F32([1, 2, 3]), F32([2, 2, 2])])
    first, other = (F32([0, 0.5, 1]), F32([1, 0.5, 0]))
    assert_same_bits(x, first if opcode == "Maximum" else other)
    assert_same_bits(y, other if opcode == "Maximum" else first)


def test_elements_that_reach_the_extreme_share_the_cotangent():
    x = F32([[1, 3, 3, 0], [5, 5, 5, 5]])
    assert_same_bits(gradient_of("Max", [x], (1,), False)[0], F32([[0, 0.5, 0.5, 0], [0.25] * 4]))
    assert_same_bits(gradient_of("Min", [-x], (1,), True)[0], F32([[0, 0.5, 0.5, 0], [0.25] * 4]))


def test_over_nothing_the_derivative_is_zero():
    assert gradient_of("Max", [np.zeros((3, 0), F32)], (1,), False)[0].shape == (3, 0)
