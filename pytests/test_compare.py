"""`mind-run --compare`: the first value that differs, in plain digits, and what counts as equal."""

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.cli.mind_run import _compare


def compare(native, interpreted, tolerance=0.0):
    type = mind.TensorType(mind.DType(f"f{8 * native.itemsize}"), native.shape)
    b = mind.Builder()
    module = b.finish([b.Input("x", type)])
    _compare(module, "cpu", [native], "interpret", [interpreted], tolerance)


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
