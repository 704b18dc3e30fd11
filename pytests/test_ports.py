"""Programs written for NumPy and JAX run with `mind` as they are, with the values and gradients of JAX."""

import numpy as np
import optree
import ports
import pytest

import mind_mlir as mind

OURS = ports.Names(mind, mind, mind.grad, mind.conv2d)


@pytest.mark.parametrize("name", ports.PROGRAMS)
def test_a_program_has_the_value_and_the_gradient_that_jax_gives(name):
    jax = pytest.importorskip("jax")
    program, data = ports.PROGRAMS[name]

    def conv2d(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    theirs = ports.Names(jax.numpy, jax.nn, jax.grad, conv2d)
    value, gradient = mind.value_and_grad(lambda *data: program(OURS, *data))(*data)
    expected, derivative = jax.jit(jax.value_and_grad(lambda *data: program(theirs, *data)))(*data)
    assert value.dtype == np.float32
    np.testing.assert_allclose(value, expected, rtol=2e-5, atol=1e-6)
    for ours, jaxs in zip(optree.tree_leaves(gradient), optree.tree_leaves(derivative)):
        assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, jaxs, rtol=1e-3, atol=1e-5)
