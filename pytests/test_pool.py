"""max_pool and avg_pool, against windows of NumPy and against JAX's reduce_window."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from numpy.lib.stride_tricks import sliding_window_view

import mind_mlir as mind
from mind_mlir import DType, MindError

KINDS = st.sampled_from([d for d in DType if not d.is_bool])


@st.composite
def problems(draw):
    """An array with channels last, and arguments of max_pool."""
    count = draw(st.integers(1, 3))
    number = st.tuples(*[st.integers(1, 3)] * count)
    window, strides, dilation = draw(number), draw(number), draw(number)
    low, high = draw(st.tuples(*[st.integers(0, 2)] * count)), draw(st.tuples(*[st.integers(0, 2)] * count))
    spans = [(w - 1) * d + 1 for w, d in zip(window, dilation)]
    extents = [draw(st.integers(max(s - l - h, 0), s + 4)) for s, l, h in zip(spans, low, high)]
    shape = (draw(st.integers(0, 2)), *extents, draw(st.integers(1, 3)))
    x = np.random.default_rng(draw(st.integers(0, 9))).integers(0, 50, shape).astype(draw(KINDS).numpy)
    return x, window, strides, tuple(zip(low, high)), dilation


def windows(x, window, strides, padding, dilation, fill):
    """The elements of each window, along the last axes."""
    around = np.pad(x, [(0, 0), *padding, (0, 0)], constant_values=fill)
    spans = [(w - 1) * d + 1 for w, d in zip(window, dilation)]
    axes = tuple(range(1, x.ndim - 1))
    found = sliding_window_view(around, spans, axes)
    steps = tuple(slice(None, None, s) for s in strides)
    return found[(slice(None), *steps, slice(None), *[slice(None, None, d) for d in dilation])]


@settings(max_examples=60)
@given(problems())
def test_max_pool_is_the_largest_of_each_window(problem):
    x, window, strides, padding, dilation = problem
    least = -np.inf if x.dtype.kind not in "iu" else np.iinfo(x.dtype).min
    around = windows(x, window, strides, padding, dilation, np.array(least).astype(x.dtype))
    expected = around.max(axis=tuple(range(x.ndim, around.ndim)))
    found = mind.max_pool(x, window, strides, padding, dilation=dilation)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, expected)


@settings(max_examples=60)
@given(problems(), st.booleans())
def test_avg_pool_is_the_mean_of_each_window(problem, count_include_pad):
    x, window, strides, padding, _ = problem
    ones = (1,) * len(window)
    x = x.astype(np.float64)
    padding = tuple((min(l, w - 1), min(h, w - 1)) for (l, h), w in zip(padding, window))  # each has an element of x
    assume(all(n >= w for n, w in zip(x.shape[1:], window)))
    around = windows(x, window, strides, padding, ones, 0)
    counts = windows(np.ones_like(x), window, strides, padding, ones, 1 if count_include_pad else 0)
    axes = tuple(range(x.ndim, around.ndim))
    found = mind.avg_pool(x, window, strides, padding, count_include_pad=count_include_pad)
    np.testing.assert_allclose(found, around.sum(axes) / counts.sum(axes), 1e-13)


def test_avg_pool_of_integers_is_f32_and_of_narrow_floats_keeps_their_type():
    assert mind.avg_pool(np.ones((1, 4, 1), np.int8), 2, 2).dtype == np.float32
    x = np.ones((1, 4, 1), DType.BF16.numpy)
    assert mind.avg_pool(x, 2, 2, "SAME", count_include_pad=False).dtype == x.dtype


@pytest.mark.parametrize("padding", ["SAME", "VALID", 1, ((0, 1), (1, 0))])
@pytest.mark.parametrize("strides", [1, 2, (3, 1)])
def test_layouts_differ_in_the_order_of_axes_alone(padding, strides):
    x = np.random.default_rng(1).standard_normal((2, 6, 5, 3))
    for pool in (mind.max_pool, mind.avg_pool):
        usual = pool(x, (3, 2), strides, padding)
        for order in itertools.permutations(range(4)):
            letters = "".join("NHWC"[n] for n in order)
            if letters.index("H") < letters.index("W"):
                found = pool(x.transpose(order), (3, 2), strides, padding, layout=letters)
                np.testing.assert_array_equal(found, usual.transpose(order))


def test_padding_is_that_of_jax_and_so_are_derivatives():
    jax = pytest.importorskip("jax")
    x = np.random.default_rng(2).standard_normal((2, 7, 6, 3)).astype(np.float32)
    for padding in ("SAME", "VALID", ((1, 0), (0, 1))):

        def theirs(x, padding=padding):
            found = jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 3, 2, 1), (1, 2, 2, 1), _padding(padding))
            return jax.numpy.sum(found**2)

        def ours(x, padding=padding):
            return mind.sum(mind.max_pool(x, (3, 2), 2, padding) ** 2)

        np.testing.assert_allclose(mind.jit(ours)(x), theirs(x), 1e-5)
        np.testing.assert_allclose(mind.grad(ours)(x), jax.grad(theirs)(x), 1e-5, 1e-6)


def _padding(padding):
    return padding if isinstance(padding, str) else ((0, 0), *padding, (0, 0))


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        (lambda x: mind.max_pool(x[0, 0], 2, 2), "E3002", "1 to 3 spatial axes"),
        (lambda x: mind.max_pool(x, 2, 2, layout="NCW"), "E3002", "takes x of rank 3 for NCW, found rank 4"),
        (lambda x: mind.max_pool(x, 2, 2, layout="NHHC"), "E4013", "a letter for each axis"),
        (lambda x: mind.max_pool(x, 2, 2, layout=3), "E4013", "a letter for each axis"),
        (lambda x: mind.max_pool(x, (2, 2, 2), 2), "E4010", "a number for each of 2 spatial axes"),
        (lambda x: mind.max_pool(x, 0, 2), "E4010", "window is 1 or more"),
        (lambda x: mind.avg_pool(x, 2, (1, 0)), "E4010", "strides is 1 or more"),
        (lambda x: mind.avg_pool(x, 2, 2, "HALF"), "E4010", 'padding is "SAME", "VALID" or numbers'),
        (lambda x: mind.avg_pool(x, 2, 2, ((1, 1),)), "E4010", "a pair for each of 2 spatial axes"),
        (lambda x: mind.max_pool(x, 2, 2, -1), "E4016", "is -1"),
        (lambda x: mind.max_pool(x > 0, 2, 2), "E2005", "i1"),
    ],
)
def test_wrong_arguments_have_codes(call, code, says):
    with pytest.raises(MindError) as caught:
        call(np.zeros((1, 4, 4, 1), np.float32))
    assert caught.value.code == code
    assert says in caught.value.message
