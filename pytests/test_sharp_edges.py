"""What people stumble on when they write for `mind` as they do for NumPy and JAX."""

import re

import numpy as np
import pytest
from support import assert_same_bits

import mind_mlir as mind
from mind_mlir.frontend import gradients
from mind_mlir.frontend.functions import catalogue, missing
from mind_mlir.runtime import threads

X = np.float32([[1, 2, 3], [4, 5, 6]])
RNG = np.random.default_rng(1)


def run(fn, *args):
    return mind.jit(fn, target="interpret")(*args)


# Element types


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_where_of_two_python_numbers_follows_its_neighbour(dtype):
    x = X.astype(dtype)
    found = run(lambda x: mind.where(x > 1, 0.0, -1e30) + mind.where(x > 1, 1, 0) * x, x)
    assert_same_bits(found, np.where(x > 1, 0.0, -1e30).astype(dtype) + np.where(x > 1, 1, 0).astype(dtype) * x)


def test_truth_values_are_counted_averaged_and_multiply():
    assert run(lambda x: mind.sum(x > 1) / 3, X).item() == pytest.approx(5 / 3)
    assert_same_bits(run(lambda x: (x > 2) * x, X), (X > 2) * X)
    assert run(lambda x: mind.mean(x > 2), X).item() == pytest.approx(4 / 6)
    assert run(lambda x: (x > 2).mean(), X).dtype == np.float32


def test_arrays_made_by_mind_keep_f32():
    for made in (mind.ones(3), mind.eye(3), mind.linspace(0, 1, 3), mind.zeros_like(X[0]), mind.full(3, 0.5)):
        assert made.dtype == np.float32
        assert run(lambda x, made=made: x + made[..., :3], X[0]).dtype == np.float32


# Indices


def test_ranges_downwards_are_those_of_numpy():
    x = RNG.standard_normal((5, 4))
    for index in (
        *(np.s_[2:0:-1], np.s_[::-1], np.s_[::-2], np.s_[3::-3], np.s_[0:3:-1], np.s_[-1:-9:-2], np.s_[:, ::-1]),
        *(np.s_[::-1, 1], np.s_[1, ::-1], np.s_[None, ::-2, ..., 3:0:-1], np.s_[np.array([2, 0]), ::-1]),
        np.s_[:: -(2**70)],
    ):
        assert_same_bits(run(lambda x, i=index: x[i], x), x[index])
    gradient = mind.grad(lambda x: mind.sum(x[::-2] * np.float64([[1], [2], [3]])), target="interpret")(x)
    assert_same_bits(gradient, np.repeat(np.float64([[3], [0], [2], [0], [1]]), 4, 1))


def test_a_mask_that_is_known_chooses():
    mask = np.array([True, False, True])
    for index in (mask, mask.tolist(), np.s_[:, mask], np.s_[..., mask], X > 2, np.s_[None, X > 2], np.s_[1, mask]):
        x = np.float32([*X, X[0]]) if index is mask or isinstance(index, list) else X
        assert_same_bits(run(lambda x, i=index: x[i], x), x[index])


def test_truth_values_are_arguments():
    assert_same_bits(run(lambda x, m: mind.where(m, x, 0), X, X > 2), np.where(X > 2, X, np.float32(0)))
    assert run(lambda flag: mind.where(flag, 1.0, 2.0), True).item() == 1
    assert mind.jit(lambda m: ~m)(X > 2).dtype == np.bool_


def test_an_index_out_of_bounds_at_run_time_is_shown_at_the_users_line():
    def chosen(x, i):
        y = x * x * x
        return mind.sum(y[i])  # the line

    for made in (mind.jit(chosen), mind.grad(chosen), mind.jit(chosen, target="interpret"), mind.hessian(chosen)):
        made(X, np.array([0, 1]))
        for _ in range(2):  # by the fast call too
            with pytest.raises(mind.MindError) as caught:
                made(X, np.array([0, -1]))
            error = caught.value
            assert error.code == "E6001"
            assert error.source.text[error.span.start : error.span.end].startswith(("y[i]", "return mind.sum(y[i])"))
            assert 'mode="clip"' in error.diagnostics[0].help


def test_an_index_out_of_bounds_in_a_function_that_changes_is_an_error_still():
    calls = []

    def chosen(x, i):
        calls.append(i)
        if len(calls) > 1:
            raise ValueError("never again")
        return x[i]

    f = mind.jit(chosen)
    with pytest.raises(mind.MindError, match="E6001"):
        f(X, np.array(7))


# Speed


def test_second_derivatives_have_the_fast_call_of_jit():
    for made in (mind.hessian(mind.sum), mind.jacfwd(lambda x: x * x), mind.jacrev(lambda x: {"y": x * x})):
        made(X)
        expected = made(X)
        call = made.__closure__[made.__code__.co_freevars.index("state")].cell_contents
        assert call.last is not None
        np.testing.assert_equal(made(X), expected)


def test_what_vjp_makes_of_a_function_is_kept_for_an_equal_one():
    made = []
    original = gradients._forward_and_backward
    try:
        gradients._forward_and_backward = lambda *a: made.append(a) or original(*a)
        for n in (2.0, 2.0, 3.0):
            value, pullback = mind.vjp(lambda x, n=n: mind.exp(x) * n, np.float32([7, 7, 7, 7]), target="interpret")
            assert_same_bits(pullback(np.ones(4, np.float32))[0], value)
    finally:
        gradients._forward_and_backward = original
    assert len(made) == 2


def test_code_uses_all_cores_unless_it_is_told_otherwise(monkeypatch):
    for name in ("MIND_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert threads.thread_count(None) == (threads.usable_cores() if threads.openmp.find_openmp() else 1)


def test_lines_of_different_lengths_are_padded_and_compile_once():
    traced = []

    @mind.jit
    def mean_of_line(line, length):
        traced.append(line.shape)
        inside = mind.arange(line.shape[0]) < length
        return mind.sum(mind.where(inside, line, 0)) / length

    for n in (3, 5, 8):
        line = np.arange(n, dtype=np.float32)
        found = mean_of_line(np.pad(line, (0, 8 - n)), np.int64(n))
        np.testing.assert_allclose(found, line.mean(), rtol=1e-6)
    assert len(traced) == 1


# Numbers


NAMED = {
    "logistic": (mind.logistic, -100, 0.0),
    "sigmoid": (mind.sigmoid, -100, 0.0),
    "softplus": (mind.softplus, 100, 1.0),
    "log_sigmoid": (mind.log_sigmoid, -100, 1.0),
    "logaddexp": (lambda x: mind.logaddexp(x, 0.0), 100, 1.0),
    "log1p": (lambda x: mind.log1p(mind.exp(x)), 50, 1.0),
    "silu": (mind.silu, 100, 1.0),
    "logsumexp": (lambda x: mind.logsumexp(mind.stack([x, x])), 1000, 1.0),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_named_function_has_a_gradient_where_the_textbook_formula_has_none(name):
    function, x, slope = NAMED[name]
    assert mind.grad(function)(np.float32(x)) == pytest.approx(slope, abs=1e-6)


def test_derivatives_of_any_order_are_right_where_two_operands_are_equal():
    assert mind.hessian(mind.softplus)(0.0) == pytest.approx(0.25)
    second = mind.hessian(lambda x: mind.logaddexp(x[0], x[1]))(np.zeros(2))
    np.testing.assert_allclose(second, [[0.25, -0.25], [-0.25, 0.25]])
    for x, y in ((np.inf, np.inf), (-np.inf, -np.inf), (np.inf, 0), (np.nan, 1), (1, np.nan), (np.nan, np.inf)):
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(mind.logaddexp(np.float64(x), np.float64(y)), np.logaddexp(x, y))


def test_a_value_can_be_kept_from_derivatives():
    f = lambda x: mind.sum(x * mind.stop_gradient(x))  # noqa: E731
    assert_same_bits(mind.grad(f)(X), X)
    second = mind.jit(mind.grad(mind.grad(lambda x: x * mind.stop_gradient(x * x))))
    assert_same_bits(second(3.0), np.zeros((), np.float32))


# Names


def test_methods_and_functions_of_numpy_are_those_of_mind():
    def methods(x):
        return (
            x.max(),
            x.min(0),
            x.std(),
            x.var(1),
            x.prod(),
            x.cumsum(1),
            x.astype(np.float64),
            x.clip(2, 4),
            x.ravel(),
        )

    def functions(x):
        return np.tanh(x), np.concatenate([x, x]), np.where(x > 2, x, 0), np.sum(x, axis=0), np.linalg.norm(x, axis=1)

    for fn in (methods, functions):
        for found, expected in zip(run(fn, X), fn(X)):
            np.testing.assert_allclose(found, expected, rtol=1e-5)
            assert found.dtype == expected.dtype


def test_a_keyword_that_a_function_lacks_is_an_error_with_its_parameters():
    with pytest.raises(mind.MindError, match=r"E4013(.|\n)*mind\.sum\(x"):
        run(lambda x: np.sum(x, where=True), X)


@pytest.mark.parametrize("name", [*missing.NUMPY, *missing.JAX, *missing.TORCH])
def test_a_name_that_is_not_there_says_what_to_use_instead(name):
    assert not catalogue.exists(name)
    with pytest.raises(AttributeError, match=re.escape(f"no attribute {name}: {missing.instead(name)}")):
        getattr(mind, name)


def test_what_a_missing_name_says_to_use_is_there():
    for text in (*missing.NUMPY.values(), *missing.JAX.values(), *missing.TORCH.values()):
        for name in re.findall(r"mind\.(\w+)", text):
            assert hasattr(mind, name), text


def test_a_static_argument_may_be_given_by_keyword():
    for made in (mind.jit(lambda x, n: x**n, static_argnums=1), mind.jit(lambda x, n: x**n, static_argnames="n")):
        assert made(2.0, n=3) == made(2.0, 3) == 8


def test_an_alias_is_the_function_itself():
    assert mind.concatenate is mind.concat
    assert mind.amax is mind.max
    assert mind.absolute is mind.abs


# Elements replaced


def test_elements_at_positions_are_replaced_as_in_jax():
    i, mask = np.array([0, 1, 1]), np.array([[True, False, True], [False, True, False]])
    cases = {
        "set a row": (lambda x, i: x.at[1].set(7), (1, np.s_[...], 7, "set")),
        "set an element": (lambda x, i: x.at[0, 2].set(7), ((0, 2), 7, "set")),
        "set a range": (lambda x, i: x.at[:, ::2].set(7), (np.s_[:, ::2], 7, "set")),
        "set by a mask": (lambda x, i: x.at[mask].set(7), (mask, 7, "set")),
        "set from the end": (lambda x, i: x.at[-1].set(7), (-1, 7, "set")),
        "set traced rows": (lambda x, i: x.at[i].set(7), (i, 7, "set")),
        "set traced elements": (lambda x, i: x.at[i, 2].set(7), ((i, 2), 7, "set")),
    }
    for name, (fn, (index, *_)) in cases.items():
        expected = X.copy()
        expected[index] = 7
        assert_same_bits(run(fn, X, i), expected), name
    added = X.copy()
    np.add.at(added, i, 1)
    assert_same_bits(run(lambda x, i: x.at[i].add(1), X, i), added)
    np.add.at(added, (i, 2), X[0])
    assert_same_bits(run(lambda x, i: x.at[i].add(1).at[i, 2].add(x[0]), X, i), added)
    found = run(lambda x: x.at[0].max(2).at[1].min(5).at[0, 0].multiply(3), X)
    assert_same_bits(found, np.float32([[6, 2, 3], [4, 5, 5]]))
    assert_same_bits(mind.at(X)[0].subtract(1), np.float32([[0, 1, 2], [4, 5, 6]]))
    gradient = mind.grad(lambda x: mind.sum(x.at[0].set(0) * x), target="interpret")(X)
    assert_same_bits(gradient, np.float32([[0, 0, 0], [8, 10, 12]]))


def test_what_cannot_replace_elements_is_an_error():
    for fn, code in (
        (lambda x, i: x.at[5].set(1), "E6001"),
        (lambda x, i: x.at[:, 9].set(1), "E6001"),
        (lambda x, i: x.at[0].set(np.zeros(3)), "E2004"),
        (lambda x, i: x.at[0].set(np.zeros(2, np.float32)), "E3001"),
        (lambda x, i: x.at[i].multiply(2), "E4013"),
        (lambda x, i: x.at[np.array([0, 0])].multiply(2), "E4013"),
        (lambda x, i: x.at[0].set([1, 2, 3]), "E6009"),
    ):
        with pytest.raises(mind.MindError, match=code):
            run(fn, X, np.array([0, 1]))
