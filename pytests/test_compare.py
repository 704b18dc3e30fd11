"""`mind-run --compare`: the first value that differs, in plain digits, and what counts as equal."""

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import f32
from mind_mlir.cli._compare import compare as compare_outputs


def compare(native, interpreted, tolerance=None, numerics="strict"):
    type = mind.TensorType(mind.DType(f"f{8 * native.itemsize}"), native.shape)
    b = mind.Builder()
    module = b.finish([b.Input("x", type)])
    return compare_outputs(module, [interpreted], [native], [interpreted], numerics, tolerance)


def test_the_first_value_that_differs_is_named():
    native, interpreted = np.float32([[1, 2], [3.1, 4]]), np.float32([[1, 2], [3, 5]])
    with pytest.raises(mind.MindError) as caught:
        compare(native, interpreted)
    assert caught.value.code == "E7011"
    assert caught.value.message == "out0[1, 0] is 3.1 on cpu and 3.0 on interpret"
    assert "2 of 4 values of out0: tensor<f32[2, 2]> differ" in str(caught.value)


def test_a_scalar_that_differs_is_named():
    with pytest.raises(mind.MindError, match=r"out0\[\] is 0\.5 on cpu and 0\.25 on interpret"):
        compare(np.array(0.5), np.array(0.25))


def test_zeros_of_different_sign_differ():
    with pytest.raises(mind.MindError, match=r"out0\[0\] is -0\.0 on cpu and 0\.0 on interpret"):
        compare(np.float64([-0.0]), np.float64([0.0]))


def test_nans_are_equal_whatever_their_payload():
    compare(np.uint32([0x7FC00001, 0xFFC00000]).view(np.float32), np.float32([np.nan, np.nan]))


def test_a_tolerance_is_relative_and_lets_no_infinity_pass():
    compare(np.float64([100.5]), np.float64([100.0]), tolerance=0.01)
    with pytest.raises(mind.MindError, match="E7011"):
        compare(np.float64([102.0]), np.float64([100.0]), tolerance=0.01)
    with pytest.raises(mind.MindError, match="E7011"):
        compare(np.float64([1.0]), np.float64([np.inf]), tolerance=0.01)


# Up to rounding


def product():
    b = mind.Builder()
    x, y = b.Input("x", f32(1, 8)), b.Input("y", f32(8, 2))
    m = b.finish([x @ y, b.Neg(x)])
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(o.type.shape, np.float32) for o in m.inputs]
    return m, arrays, mind.interpret(m, *arrays)


def test_the_rounding_of_a_contraction_is_allowed_by_default_and_not_in_strict():
    m, arrays, expected = product()
    near = [np.nextafter(expected[0], np.float32(9)), expected[1]]
    text = compare_outputs(m, arrays, near, expected, "default", None)
    assert text.startswith("2 outputs equal on cpu and interpret up to rounding, at most 0.")
    assert text.endswith(" of what numerics=default allows")
    with pytest.raises(mind.MindError, match="E7011") as caught:
        compare_outputs(m, arrays, near, expected, "strict", None)
    assert caught.value.diagnostics[0].note == "2 of 2 values of out0: tensor<f32[1, 2]> differ"
    assert compare_outputs(m, arrays, near, expected, "default", 1e-5).endswith("on cpu and interpret within 1e-05")
    with pytest.raises(mind.MindError, match="E7011"):
        compare_outputs(m, arrays, near, expected, "default", 0.0)


def test_what_is_further_off_than_rounding_is_an_error_that_says_what_is_allowed():
    m, arrays, expected = product()
    wrong = [expected[0] + np.float32([0, 0.001]), expected[1]]
    with pytest.raises(mind.MindError, match="E7011") as caught:
        compare_outputs(m, arrays, wrong, expected, "default", None)
    assert caught.value.message.startswith("out0[0, 1] is ")
    note = caught.value.diagnostics[0].note
    assert note.startswith(
        "1 of 2 values of out0: tensor<f32[1, 2]> differ by more than numerics=default allows, by up to "
    )
    assert "e-06 here" in note


def test_what_no_rounding_reaches_has_equal_bits_by_default_too():
    m, arrays, expected = product()
    wrong = [expected[0], np.nextafter(expected[1], np.float32(9))]
    with pytest.raises(mind.MindError, match=r"out1\[0, 0\] is .* on cpu"):
        compare_outputs(m, arrays, wrong, expected, "default", None)


def test_values_of_which_nothing_can_be_said_are_counted():
    m, arrays, _ = product()
    arrays[0][:] = 3e38
    arrays[1][:] = np.float32([1, -1] * 4)[:, np.newaxis]
    expected = mind.interpret(m, *arrays)
    other = [np.float32([[np.nan, 1]]), expected[1]]
    text = compare_outputs(m, arrays, other, expected, "default", None)
    assert text.endswith("; of 2 values nothing can be said")
