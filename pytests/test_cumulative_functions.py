"""Cumulative functions in Python: their ends, their other way round, and `cumlogsumexp`."""

import numpy as np
import pytest
from support import error_of

import mind_mlir as mind

RNG = np.random.default_rng(0)
INF = np.inf


def array(*shape, scale=1.0):
    return scale * RNG.standard_normal(shape)


def log_sums(x, axis, reverse):
    """By one `logaddexp` after the other."""
    with np.errstate(invalid="ignore", over="ignore"):
        found = np.logaddexp.accumulate(np.flip(x, axis) if reverse else x, axis)
    return np.flip(found, axis) if reverse else found


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape", [(1,), (7,), (64,), (3, 5), (4, 1, 9), (0,), (0, 3)], ids=str)
def test_the_logarithm_of_cumulative_sums(shape, reverse):
    x = array(*shape, scale=300)
    for axis in range(-len(shape), len(shape)):
        expected = log_sums(x, axis, reverse) if x.size else x
        for f in (mind.cumlogsumexp, mind.jit(mind.cumlogsumexp, static_argnums=(1, 2))):
            found = f(x, axis, reverse)
            assert (found.dtype, found.shape) == (x.dtype, x.shape)
            np.testing.assert_allclose(found, expected, 1e-13)


@pytest.mark.parametrize(
    "x",
    [
        [-INF, -INF, 1.0, -INF],
        [1.0, INF, 2.0, -INF, INF],
        [-INF, INF, INF],
        [2.0, np.nan, INF, 1.0],
        [1e308, 1e308, -1e308],
        [-1e4, -1e4, -1e4, -1e4],
        [3.0, -745.0, -1000.0],
    ],
    ids=str,
)
@pytest.mark.parametrize("reverse", [False, True])
def test_infinities_and_what_would_overflow_on_the_way(x, reverse):
    x = np.array(x)
    for f in (mind.cumlogsumexp, mind.jit(mind.cumlogsumexp, static_argnums=(1, 2))):
        np.testing.assert_allclose(f(x, 0, reverse), log_sums(x, 0, reverse), 1e-14)


def test_a_float_of_16_bits_keeps_its_type_and_an_integer_becomes_f32():
    x = array(9)
    halves = mind.cumlogsumexp(x.astype(np.float16))
    assert halves.dtype == np.float16
    np.testing.assert_allclose(halves, log_sums(x, 0, False), 1e-2)
    assert mind.cumlogsumexp(np.int32([1, 2])).dtype == np.float32


@pytest.mark.parametrize("reverse", [False, True])
def test_derivatives_of_the_logarithm_of_cumulative_sums_are_those_of_jax(reverse):
    jax = pytest.importorskip("jax")
    import jax_peer  # noqa: F401  (f64 in JAX)

    x, weights = array(3, 6), array(3, 6)

    def ours(x):
        return mind.sum(mind.cumlogsumexp(x, 1, reverse) * weights)

    def theirs(x):
        return (jax.lax.cumlogsumexp(x, 1, reverse) * weights).sum()

    np.testing.assert_allclose(mind.grad(ours)(x), jax.grad(theirs)(x), 1e-10, 1e-12)
    np.testing.assert_allclose(mind.hessian(ours)(x), jax.hessian(theirs)(x), 1e-10, 1e-12)


@pytest.mark.parametrize("reverse", [False, True])
def test_an_infinity_is_no_part_of_a_sum_and_has_no_derivative(reverse):
    x, weights = np.array([-INF, 0.0, 1.0, -INF, 2.0, -INF]), array(6)
    found = mind.grad(lambda x: mind.sum(mind.cumlogsumexp(x, 0, reverse)[1:5] * weights[1:5]))(x)
    sums, expected = log_sums(x, 0, reverse), np.zeros(6)
    for i in range(1, 5):  # y_i = log Σ_j e^(x_j)  ->  x̄_j += ȳ_i e^(x_j - y_i)
        inside = slice(i, None) if reverse else slice(0, i + 1)
        expected[inside] += weights[i] * np.exp(x[inside] - sums[i])
    np.testing.assert_allclose(found, expected, 1e-12)


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("cumulative_sum", np.add),
        ("cumulative_prod", np.multiply),
        ("cumulative_max", np.maximum),
        ("cumulative_min", np.minimum),
        ("cummax", np.maximum),
        ("cummin", np.minimum),
    ],
)
def test_the_other_way_round(name, of):
    x = array(4, 5)
    for axis in (0, 1, -1):
        expected = np.flip(of.accumulate(np.flip(x, axis), axis), axis)
        np.testing.assert_allclose(getattr(mind, name)(x, axis, reverse=True), expected, 1e-13)


def test_without_an_axis():
    x = array(4, 5)
    np.testing.assert_array_equal(mind.cumulative_max(x), np.maximum.accumulate(x.ravel()))
    np.testing.assert_array_equal(mind.cummax(x), np.maximum.accumulate(x, 0))  # as in JAX
    assert mind.cumulative_sum(x, 0, include_initial=True, reverse=True).tolist()[-1] == [0.0] * 5


def test_an_axis_that_is_not_there_is_an_error():
    for name in ("cumlogsumexp", "cummax", "cumulative_sum"):
        assert error_of(lambda name=name: getattr(mind, name)(array(3), 1)).code == "E3004"
        assert error_of(lambda name=name: getattr(mind, name)(np.float32(1), 0)).code == "E3004"
