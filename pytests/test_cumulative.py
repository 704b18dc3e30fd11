"""Cumulative operations, products and arg-extremes: their orders, zeros, special values, and errors."""

import numpy as np
import pytest
from support import assert_agrees, assert_same_bits, error_of, random_array

import mind_mlir as mind
from mind_mlir import Builder, TensorType
from mind_mlir.ir import OPS, DType
from mind_mlir.passes.gradient import gradient

F32 = np.float32


def alone(opcode, x, *attributes):
    b = Builder()
    return b.finish([b.emit(OPS[opcode](*attributes), b.Input("x", TensorType.of_array(x)))])


def run(opcode, x, *attributes):
    return mind.interpret(alone(opcode, x, *attributes), x)[0]


@pytest.mark.parametrize("reverse", [False, True])
def test_sums_are_added_one_after_the_other_in_f32(reverse):
    x = (np.random.default_rng(0).standard_normal(500) * 10.0 ** np.linspace(-3, 3, 500)).astype(F32)
    total, expected = F32(0), []
    for element in x[::-1] if reverse else x:
        total = total + element
        expected.append(total)
    assert_same_bits(run("CumSum", x, 0, reverse), F32(expected[::-1] if reverse else expected))


SHAPES = [(1,), (255,), (256,), (1003,), (7, 300), (8, 300), (17, 40), (3, 50, 5), (50, 17), (2, 3, 1)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("opcode", ["CumSum", "CumProd", "CumMax", "CumMin"])
def test_native_code_agrees_along_every_axis_and_both_ways(opcode, shape):
    for axis in range(len(shape)):
        for reverse in (False, True):
            for special in (False, True):
                x = random_array(TensorType(DType.F32, shape), np.random.default_rng(1), special)
                m = alone(opcode, x, axis, reverse)
                with np.errstate(all="ignore"):
                    expected = mind.interpret(m, x)
                for numerics in ("strict", "default"):
                    assert_agrees(m, [x], mind.compile(m, numerics=numerics)(x), expected, numerics)


def test_a_long_sum_in_parts_is_nearer_than_one_after_the_other():
    x = np.full(1_000_000, 0.1, F32)
    m = alone("CumSum", x, 0, False)
    exact = 0.1 * np.arange(1, 1_000_001)
    off = {
        numerics: np.abs(mind.compile(m, numerics=numerics)(x)[0] - exact).max() for numerics in ("strict", "default")
    }
    assert off["default"] < off["strict"]


def test_signed_zeros_and_nans_in_cumulative_extremes():
    x = F32([-0.0, 0.0, -0.0, -1, np.nan, 5])
    assert_same_bits(run("CumMax", x, 0, False), F32([-0.0, 0.0, 0.0, 0.0, np.nan, np.nan]))
    assert_same_bits(run("CumMin", x, 0, False), F32([-0.0, -0.0, -0.0, -1, np.nan, np.nan]))


def gradient_of(opcode, x, *attributes):
    return mind.interpret(gradient(alone(opcode, x, *attributes), seed="ones"), x)[1]


@pytest.mark.parametrize("x", [[2, 3, 5], [2, 0, 5], [0, 3, 0], [0, 0, 0]], ids=str)
def test_the_derivative_of_a_product_is_right_where_elements_are_zero(x):
    x = F32(x)
    others = [np.prod(np.delete(x, i)) for i in range(3)]
    assert gradient_of("Prod", x, (), False).tolist() == others
    expected = [sum(np.prod(np.delete(x[: k + 1], i)) for k in range(i, 3)) for i in range(3)]
    assert gradient_of("CumProd", x, 0, False).tolist() == expected


def test_a_product_over_several_axes_multiplies_in_row_major_order():
    x = (np.random.default_rng(2).standard_normal((4, 5, 6)) + 1).astype(F32)
    rows = np.moveaxis(x, 1, 0).reshape(5, 24)
    expected = rows[:, 0]
    for i in range(1, 24):
        expected = expected * rows[:, i]
    m = alone("Prod", x, (0, 2), False)
    for found in (mind.interpret(m, x), mind.compile(m)(x)):
        assert_same_bits(found[0], expected)


@pytest.mark.parametrize(("opcode", "of"), [("ArgMax", np.argmax), ("ArgMin", np.argmin)])
@pytest.mark.parametrize("shape", [(7,), (1024,), (1025,), (5000,), (3, 2049), (2048, 3), (2, 1100, 2)], ids=str)
def test_positions_are_the_first_ones_as_in_numpy(opcode, of, shape):
    rng = np.random.default_rng(3)
    for x in (rng.integers(0, 5, shape), rng.standard_normal(shape), np.where(rng.random(shape) < 0.01, np.nan, 1.0)):
        x = x.astype(F32)
        for axis in range(len(shape)):
            for keepdims in (False, True):
                m = alone(opcode, x, axis, keepdims)
                for found in (mind.interpret(m, x), mind.compile(m)(x)):
                    assert_same_bits(found[0], np.asarray(of(x, axis=axis, keepdims=keepdims)))


def test_what_cannot_be_is_refused():
    empty, scalar = np.zeros((2, 0), F32), F32(1)
    assert error_of(lambda: alone("ArgMax", empty, 1, False)).code == "E3006"
    assert error_of(lambda: alone("CumSum", np.asarray(scalar), 0, False)).code == "E3004"
    assert error_of(lambda: alone("CumSum", empty, 2, False)).code == "E3004"
    assert error_of(lambda: alone("Any", empty, (), False)).code == "E2005"
    assert error_of(lambda: alone("Prod", np.zeros(3, bool), (), False)).code == "E2005"
