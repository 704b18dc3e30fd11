"""Traced values: operators, methods, indexing, scalars and arrays beside them, and what they refuse."""

import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, note, settings, strategies as st
from random_modules import arguments_for, modules
from support import assert_same_bits, assert_same_outcome, outcome

import mind_mlir
import mind_mlir as mind
from mind_mlir.frontend.promotion import WideningWarning

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 4)).astype(np.float32)
Y = RNG.standard_normal((3, 4)).astype(np.float32)
N = np.arange(12, dtype=np.int64).reshape(3, 4) - 5


def run(fn, *args):
    return mind.jit(fn, target="interpret")(*args)


def error_of(fn, *args):
    with pytest.raises(mind.MindError) as caught:
        run(fn, *args)
    return caught.value


# Operators

OPERATORS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "mixed": lambda x, y: -(x - 2 * y) * 0.5 + y / 4,
    "a scalar on the left": lambda x, y: (2 - x) * (1 / y) + 3 * x,
    "a NumPy scalar on the left": lambda x, y: np.float32(2) * x + np.float32(3) * y,
    "an array on the left": lambda x, y: Y - x + Y * y / Y,
    "an array on the right": lambda x, y: x / Y + y * Y,
    "matmul": lambda x, y: x @ y.T,
    "an array before @": lambda x, y: X @ x.T,
    "an array after @": lambda x, y: x @ Y.T,
    "plus": lambda x, y: +x,
    "broadcasting": lambda x, y: x + y[0] + y[:, 0:1] + np.float32([1, 2, 3, 4]),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_gives_the_bits_of_numpy(name):
    fn = OPERATORS[name]
    expected = fn(X, Y)
    if "matmul" in name or "@" in name:
        np.testing.assert_allclose(run(fn, X, Y), expected, rtol=1e-5)
    else:
        assert_same_bits(run(fn, X, Y), expected)


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_operators_take_integers(name):
    assert_same_bits(run(OPERATORS[name], N, N + 3), OPERATORS[name](N, N + 3))


COMPARISONS = {
    "greater": lambda x, y: x > y,
    "less": lambda x, y: x < y,
    "greater than a scalar": lambda x, y: x > 0,
    "a scalar less": lambda x, y: 0.5 < x,  # noqa: SIM300
    "an array greater": lambda x, y: Y > x,  # noqa: SIM300
    "an array less": lambda x, y: Y < x,  # noqa: SIM300
    "equal": lambda x, y: x == y,
    "not equal to a scalar": lambda x, y: x != 0,
    "an array equal": lambda x, y: Y == x,  # noqa: SIM300
    "at least": lambda x, y: x >= y,
    "at most an array": lambda x, y: x <= Y,
    "and": lambda x, y: (x > 0) & (y > 0),
    "or of a scalar": lambda x, y: True | (x > 0),
    "xor": lambda x, y: (x > 0) ^ (y > 0),
    "not": lambda x, y: ~(x > 0),
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_a_comparison_gives_truth_values(name):
    fn = COMPARISONS[name]
    assert_same_bits(run(fn, X, Y), fn(X, Y))


def test_a_comparison_of_integers_is_exact():
    big = np.array([2**53, 2**53 + 1])
    assert_same_bits(run(lambda x: x > 2**53, big), np.array([False, True]))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 10, 2.0, np.int64(3)])
def test_a_power_is_repeated_multiplication(n):
    np.testing.assert_allclose(run(lambda x: x**n, X), X ** int(n), rtol=1e-5)
    assert_same_bits(run(lambda x: x ** int(n), N), N ** int(n))


@pytest.mark.parametrize("n", [-1, -2, -3])
def test_a_negative_power_is_one_of_the_reciprocal(n):
    np.testing.assert_allclose(run(lambda x: x**n, X), X ** float(n), rtol=1e-5)


def test_the_power_zero_is_one_even_of_nan():
    assert_same_bits(run(lambda x: x**0, np.float32([0, np.nan, 2])), np.ones(3, np.float32))
    assert_same_bits(run(lambda x: x**0, N), np.ones_like(N))


def test_x_to_the_six_takes_three_multiplications():
    m = mind.trace(lambda x: x**6, mind.f32()).module
    assert [o.opcode for o in m.operations] == ["Input", "Mul", "Mul", "Mul"]


# Scalars and arrays


def test_scalars_take_the_dtype_of_the_other_operand():
    for scalar in (2, 2.0, np.float32(2), np.float64(2), np.int64(2)):
        for x in (X, X.astype(np.float64)):
            assert run(lambda x, s=scalar: x * s, x).dtype == x.dtype
    for scalar in (2, np.int32(2), np.int64(2), np.uint8(2)):
        assert run(lambda x, s=scalar: x * s, N.astype(np.int32)).dtype == np.int32


def test_an_array_of_another_dtype_promotes_as_the_standard_says():
    assert run(lambda x, y: x + y, X, Y.astype(np.float64)).dtype == np.float64
    assert run(lambda x: x * np.arange(4), X).dtype == np.float32
    assert run(lambda x: x * np.arange(4), N.astype(np.int32)).dtype == np.int64
    assert run(lambda x: x * np.array([True, False, True, True]), X).dtype == np.float32


def test_a_numpy_array_of_f64_beside_traced_f32_gives_f64_and_a_warning_at_the_users_line():
    for fn in (
        lambda x: x + np.ones(4),
        lambda x: np.ones(4) * x,
        lambda x: x @ np.ones(4),
        lambda x: x - np.array(1.0),
    ):
        with pytest.warns(WideningWarning, match=r"mind\.ones\(n\)") as caught:
            assert run(fn, X).dtype == np.float64
        assert [Path(w.filename).name for w in caught] == ["test_trace.py"]


def test_what_is_not_wider_or_not_known_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(lambda x: x + mind.ones(4) + np.float64(2) + np.arange(4), X)
        run(lambda x, y: x + y, X, Y.astype(np.float64))
        run(lambda x: x + np.ones(4), X.astype(np.float64))


def test_a_python_float_as_an_argument_is_f32():
    assert run(lambda x, rate: x * rate, X.astype(np.float64), 0.1).dtype == np.float64
    assert run(lambda rate: rate * 1, 0.1).dtype == np.float32


def test_a_rank_0_array_is_an_array():
    assert run(lambda x: x + np.array(1), N.astype(np.int32)).dtype == np.int64
    assert_same_bits(run(lambda x: x + np.array(1, np.float32), X), X + np.float32(1))


def test_an_integer_beside_a_float_is_a_float_and_a_quotient_of_integers_too():
    for fn in (lambda x: x + 0.5, lambda x: x * np.float32(1), lambda x: x / 2, lambda x: 1 / x, mind.exp, mind.mean):
        assert run(fn, N).dtype == np.float32
    assert run(lambda x: x**2, N).dtype == np.int64
    assert run(lambda x: x + True, X).dtype == np.float32


NUMBERS = {
    "where of two": (lambda x: mind.where(x > 1, 0.1, -1e30) + x, lambda x: np.where(x > 1, 0.1, -1e30) + x),
    "where of two integers": (lambda x: mind.where(x > 1, 1, 0) * x, lambda x: np.where(x > 1, 1, 0) * x),
    "arithmetic on that": (
        lambda x: (mind.where(x > 1, 1, 0) * 3 - 0.1) * x,
        lambda x: (np.where(x > 1, 1, 0) * 3 - 0.1) * x,
    ),
    "a mask beside a number": (lambda x: (x > 1) * 0.1 + x, lambda x: (x > 1) * 0.1 + x),
    "a count divided": (lambda x: mind.sum(x > 1) / 3 * x, lambda x: np.sum(x > 1) / 3 * x),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_computed_from_numbers_alone_is_a_number_still(name):
    ours, numpys = NUMBERS[name]
    wide = X.astype(np.float64)
    np.testing.assert_array_equal(run(ours, wide), numpys(wide))
    assert run(ours, X).dtype == np.float32


def test_a_number_that_meets_nothing_is_f32_or_i64():
    assert run(lambda x: mind.where(x > 1, 0.1, 1), X).dtype == np.float32
    assert run(lambda x: mind.where(x > 1, 0, 1), X).dtype == np.int64


@pytest.mark.parametrize(
    ("fn", "x", "code"),
    [
        (lambda x: x + np.ones(4, np.complex64), X, "E2002"),
        (lambda x: x + 2**31, N.astype(np.int32), "E4005"),
        (lambda x: x + 1e300, X, "E4005"),
        (lambda x: x + np.ma.masked_array([1, 2, 3, 4], [0, 1, 0, 0], dtype=np.float32), X, "E6009"),
        (lambda x: x**-1, N, "E2005"),
        (lambda x: x + np.ones((2, 4), np.float32), X, "E3001"),
        (lambda x: x @ x, X, "E3003"),
        (lambda x: x[0].mT, X, "E3002"),
    ],
)
def test_what_does_not_go_together_is_an_error(fn, x, code):
    assert error_of(fn, x).code == code


def test_infinities_and_nan_are_scalars():
    assert_same_bits(run(lambda x: x * float("inf"), np.float32([1, -1])), np.float32([np.inf, -np.inf]))
    assert np.isnan(run(lambda x: x + float("nan"), X)).all()


def test_zeros_keep_their_sign():
    def fn(x):
        return x * 0.0, x * -0.0

    for found, expected in zip(run(fn, np.float32([1])), fn(np.float32([1]))):
        assert_same_bits(found, expected)


def test_arrays_in_the_other_byte_order_are_read():
    swapped = Y.astype(">f4")
    assert_same_bits(run(lambda x: x + swapped, X), X + Y)


def test_an_array_that_is_written_later_is_what_it_was():
    table = np.arange(1000, dtype=np.float32)

    def fn(x):
        y = x + table
        table[:] = -1
        return y

    assert_same_bits(run(fn, np.zeros(1000, np.float32)), np.arange(1000, dtype=np.float32))


@pytest.mark.parametrize("size", [(), 10, 1000])
def test_an_array_that_is_written_between_two_uses_is_read_twice(size):
    table = np.zeros(size)

    def fn(x):
        y = x + table + table
        table[...] = 5
        z = y * table
        table[...] = -0.0
        return z, x * table

    product, zeros = run(fn, np.ones(size))
    assert_same_bits(product, np.full(size, 5.0))
    assert_same_bits(zeros, np.full(size, -0.0))


def test_an_array_that_is_reshaped_between_two_uses_is_read_twice():
    table = np.arange(600.0)

    def fn(x):
        y = x + table
        table.shape = (2, 300)
        return y, x[:300] * table

    assert run(fn, np.ones(600))[1].shape == (2, 300)


def test_an_array_used_twice_is_captured_once():
    table = np.full(600, np.nan)
    assert len(mind.trace(lambda x: x + table - table, mind.f64(600)).traced.captured) == 1


def test_a_traced_value_is_not_changed_in_place():
    def fn(x):
        x.shape = (2, 1)
        return x

    with pytest.raises(mind.MindError, match=r"E6010.*x\.shape"):
        run(fn, X)


def test_a_traced_value_is_printed_and_has_no_format():
    assert run(lambda x: (f"{x} {x!r}", x)[1], X) is not None
    with pytest.raises(mind.MindError, match=r"E6010.*format \.2f"):
        run(lambda x: f"{x:.2f}", X)


@pytest.mark.parametrize("size", [10, 1000])
def test_an_array_may_stand_anywhere(size):
    """Small ones are constants, large ones Inputs."""
    table = np.arange(size, dtype=np.float32)
    x = np.ones(size, np.float32)

    def fn(x):
        return (table - x) * table + (x - table)

    assert_same_bits(run(fn, x), fn(x))
    assert_same_bits(mind.grad(lambda x: mind.sum(x * table), target="interpret")(x), table)
    assert len(mind.trace(fn, x).module.inputs) == 1


# Attributes and methods


def test_a_traced_value_has_the_attributes_of_an_array():
    seen = []

    def fn(x):
        seen.append((x.shape, x.ndim, x.dtype, x.size, len(x), x.T.shape, x.mT.shape))
        return x

    run(fn, X)
    assert seen == [((3, 4), 2, np.dtype(np.float32), 12, 3, (4, 3), (4, 3))]


METHODS = {
    "sum": lambda x: x.sum(),
    "sum of an axis": lambda x: x.sum(axis=-1, keepdims=True),
    "mean": lambda x: x.mean(0),
    "reshape": lambda x: x.reshape(2, -1),
    "reshape to a tuple": lambda x: x.reshape((4, 3)),
    "transpose": lambda x: x.transpose(),
    "transpose with axes": lambda x: x.transpose(1, 0),
    "transpose with a tuple": lambda x: x.transpose((-1, 0)),
    "T": lambda x: x.T,
    "iteration": lambda x: sum(row for row in x),
    "unpacking": lambda x: (lambda a, b, c: a * b - c)(*x),
}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_gives_what_numpy_gives(name):
    np.testing.assert_allclose(run(METHODS[name], X), METHODS[name](X), rtol=1e-5)


# Indexing

INDICES = [
    0,
    -1,
    np.int64(1),
    (1, 2, 0),
    (-1, -4, 1),
    slice(None),
    slice(1, None),
    slice(-2, None, 1),
    slice(None, None, 2),
    slice(5, 1),
    slice(-100, 100, 3),
    ...,
    None,
    (..., 0),
    (0, ...),
    (0, ..., 1),
    (None, 0, None, ...),
    (slice(None), None, slice(0, 3, 2)),
    (..., None),
    (slice(0, 0), 1),
    np.array([2, 0, -1]),
    [0, 0, 2],
    np.array([[0, 1], [2, -3]], np.int32),
    np.array([], np.int64),
    [],
    np.array(1),
    (slice(None), np.array([3, 0])),
    (slice(None), slice(None), np.array([[1]])),
    (slice(0, 2), np.array([3, 0, 1]), slice(0, 1)),
    (..., np.array([1, 0])),
    (np.array([0, 2]), 1),
    (1, np.array([0, 2])),
    (1, slice(None), np.array([0, 1, 1])),
    (np.array([0, 2]), slice(None), 1),
    (np.array([0, 2]), np.array([1, 3])),
    (np.array([[0], [2]]), np.array([1, 3])),
    (slice(None), np.array([1, 3]), np.array([0, -2])),
    (np.array([0, 2]), slice(1, 3), np.array([1, 0])),
    (np.array([0, 2]), None, np.array([1, 0])),
    (np.array([0]), np.array([1]), np.array([1])),
    (None, np.array([0, 2]), ..., None),
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_an_index_takes_what_numpy_takes(index):
    x = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    assert_same_bits(run(lambda x: x[index], x), x[index])
    cotangent = RNG.standard_normal(x[index].shape).astype(np.float32)
    expected = np.zeros_like(x)
    np.add.at(expected, index, cotangent)
    np.testing.assert_allclose(mind.vjp(lambda x: x[index], x, target="interpret")[1](cotangent)[0], expected, 1e-6)


items = st.one_of(
    st.integers(-2, 1),
    st.none(),
    st.builds(slice, st.integers(-4, 4) | st.none(), st.integers(-4, 4) | st.none(), st.integers(1, 3) | st.none()),
    st.lists(st.integers(-2, 1), min_size=1, max_size=3).filter(lambda ids: len(ids) in (1, 3)).map(np.array),
)


@given(st.lists(items, max_size=5), st.integers(0, 5))
@settings(max_examples=300)
def test_any_index_takes_what_numpy_takes(index, dots):
    if sum(i is not None for i in index) > 3:
        index = [i for i in index if i is not None][:3]
    if dots < 3:
        index.insert(min(dots, len(index)), ...)
    index = tuple(index)
    x = np.arange(24, dtype=np.int64).reshape(2, 4, 3)[:, :2]
    assert_same_bits(run(lambda x: x[index], x), x[index])


@pytest.mark.parametrize(
    "index",
    [
        lambda i, j: i,
        lambda i, j: i[0],
        lambda i, j: (i, j),
        lambda i, j: (i[0], j[1]),
        lambda i, j: (i[0], j[1], 0),
        lambda i, j: (i[0], np.array([3, 1])),
        lambda i, j: (slice(None), j),
        lambda i, j: (i, slice(1, 3), j * 0),
        lambda i, j: (np.arange(2), i),
    ],
)
def test_traced_indices_take_what_known_ones_take(index):
    x = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    i, j = np.array([2, 0]), np.array([1, 3])
    assert_same_bits(run(lambda x, i, j: x[index(i, j)], x, i, j), x[index(i, j)])
    assert_same_bits(run(lambda x, i, j: x[index(i, j)], x, i.astype(np.int32), j), x[index(i, j)])


@pytest.mark.parametrize("bad", [(np.array([2, 0]), np.array([1, 4])), (np.array([3, 0]), np.array([1, 0]))])
def test_a_traced_index_beyond_its_axis_is_none_of_the_next_row(bad):
    with pytest.raises(mind.MindError, match="E6001"):
        run(lambda x, i, j: x[i, j], X, *bad)


@pytest.mark.parametrize(
    ("index", "code"),
    [
        (3, "E6001"),
        (-4, "E6001"),
        ((0, 4), "E6001"),
        (np.array([0, 3]), "E6001"),
        ((slice(None), [-5]), "E6001"),
        ((0, 0, 0), "E4006"),
        ((..., 0, ...), "E4006"),
        (slice(None, None, 0), "E4008"),
        (slice(0.0, 1), "E4013"),
        (slice(None, None, "a"), "E4013"),
        (2**70, "E6001"),
        ([[0], [0, 1]], "E2005"),
        (True, "E2005"),
        (np.array([True, False]), "E3001"),
        ((slice(None), np.ones((4, 3), bool)), "E3001"),
        (1.0, "E2005"),
        ("a", "E2005"),
        (np.array([0.0]), "E2005"),
    ],
)
def test_a_bad_index_is_an_error_at_the_users_line(index, code):
    error = error_of(lambda x: x[index], X)
    assert error.code == code
    assert "x[index]" in shown(error)


def test_a_traced_index_of_floats_is_an_error():
    assert error_of(lambda x: x[x[0]], X).code == "E2005"


# Values that are not known


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x if x.sum() > 0 else -x,
        lambda x: x and x,
        lambda x: float(x[0, 0]),
        lambda x: int(x[0, 0]),
        lambda x: complex(x[0, 0]),
        lambda x: range(x[0, 0]),
        lambda x: np.zeros(x[0, 0]),
        lambda x: X[x[0, 0]],
        lambda x: np.asarray(x),
        lambda x: np.add.reduce(x),
        lambda x: np.add.outer(x, x),
        lambda x: np.unique(x),
        lambda x: x.__setitem__(0, 1),
        lambda x: mind.sum(x, axis=x[0, 0]),
        lambda x: mind.reshape(x, x[0, 0]),
        lambda x: x[x[0, 0] : 2],
        lambda x: X.copy().__iadd__(x),
    ],
)
def test_what_needs_the_numbers_is_an_error(fn):
    assert error_of(fn, X).code == "E6010"


def test_the_error_says_what_to_use():
    assert "mind.where" in str(error_of(np.unique, X))
    assert "mind.sum" in str(error_of(np.add.reduce, X))
    assert "mind.where" in str(error_of(lambda x: 1 if x[0, 0] > 0 else 2, X))


def test_a_traced_value_is_unlike_none_and_text():
    def fn(x):
        assert x != None  # noqa: E711
        assert x != "x"
        assert x in [None, x]
        assert len({x, x}) == 1
        return x

    run(fn, X)


# Traces that have ended


def test_a_value_that_leaks_is_an_error_when_it_is_used():
    kept = []
    run(lambda x: kept.append(x) or x, X)
    for use in (lambda: kept[0] + 1, lambda: mind.exp(kept[0]), lambda: kept[0][0], lambda: run(lambda x: x, kept[0])):
        with pytest.raises(mind.MindError) as caught:
            use()
        assert caught.value.code == "E6011"


def test_a_value_that_leaks_into_a_later_trace_is_an_error():
    kept = []
    run(lambda x: kept.append(x) or x, X)
    assert error_of(lambda x: x + kept[0], X).code == "E6011"
    assert error_of(lambda x: kept[0], X).code == "E6011"
    assert error_of(lambda x: (x, kept[0]), X).code == "E6011"


def test_a_traced_value_in_another_thread_is_an_error():
    codes = []

    def elsewhere(x):
        try:
            x + 1
        except mind.MindError as why:
            codes.append(why.code)

    def fn(x):
        thread = threading.Thread(target=elsewhere, args=(x,))
        thread.start()
        thread.join()
        return x

    run(fn, X)
    assert codes == ["E6011"]


def test_a_trace_that_fails_leaves_nothing_behind():
    with pytest.raises(ZeroDivisionError):
        run(lambda x: x / (1 // 0), X)
    assert_same_bits(run(lambda x: x + 1, X), X + 1)


# Places


def shown(error):
    return error.source.text[error.span.start : error.span.end]


def test_an_error_shows_the_users_expression():
    def fn(x, y):
        wide = x * 2
        return mind.sum(wide @ y)  # a comment

    error = error_of(fn, X, Y)
    assert error.code == "E3003"
    assert shown(error) in ("wide @ y", "return mind.sum(wide @ y)  # a comment")  # the line before Python 3.11
    assert error.source.name.endswith("test_trace.py")


def test_an_error_in_a_helper_shows_the_helper():
    def helper(x):
        return x + np.float32([1, 2])

    error = error_of(lambda x: helper(x) * 2, X)
    assert "np.float32([1, 2])" in shown(error)


def test_an_error_after_wide_characters_shows_the_expression():
    error = error_of(lambda x: ("αβγ", x @ x)[1], X)
    assert "x @ x" in shown(error)


def test_an_error_in_code_without_a_file_has_no_place():
    names = {"mind": mind}
    exec("def fn(x): return x @ x", names)
    error = error_of(names["fn"], X)
    assert (error.code, error.source) == ("E3003", None)


def test_an_error_of_a_function_on_arrays_shows_the_call():
    with pytest.raises(mind.MindError) as caught:
        mind.matmul(X, Y)
    assert (caught.value.code, shown(caught.value)) == ("E3003", "mind.matmul(X, Y)")


# Modules


def test_inputs_are_named_after_parameters():
    def fn(x, params, /, *rest, scale, **more):
        return x * params["w"][0] * params["w"][1] * params["b"] * rest[0] * rest[1] * scale * more["other"]

    s = mind.f32()
    t = mind.trace(fn, s, {"w": [s, s], "b": s}, s, s, scale=s, other=s)
    names = [o.op.name for o in t.module.inputs]
    assert names == ["x", "params.b", "params.w.0", "params.w.1", "rest0", "rest1", "other", "scale"]


def test_inputs_with_one_name_are_told_apart():
    def fn(x, **more):
        return x["a"] + more["x.a"]

    t = mind.trace(fn, {"a": mind.f32()}, **{"x.a": mind.f32()})
    assert [o.op.name for o in t.module.inputs] == ["x.a", "x.a'"]


def test_an_input_name_is_text_whatever_the_key_is():
    half = "\ud800"
    t = mind.trace(lambda p: p[half], {half: mind.f32()})
    assert mind.parse(str(t)) == t.module
    assert_same_bits(mind.jit(lambda p: p[half])({half: np.float32([1])}), np.float32([1]))
    with pytest.raises(mind.MindError, match="E4013"):
        mind.Builder().Input(half, mind.f32())


def test_bounds_and_steps_beyond_i64_are_those_of_the_axis():
    x = np.arange(6.0)
    assert_same_bits(run(lambda x: x[-(2**70) : 2**70 : 2**70], x), x[:1])


def function_of(m):
    """A Python function that does what a module does."""

    def fn(*arrays):
        env = dict(zip((o.id for o in m.inputs), arrays))
        for o in m.operations:
            if o.opcode != "Input":
                found = mind.apply(o.op, *(env[i] for i in o.operands))
                env |= zip((r.id for r in o.results), found if isinstance(found, tuple) else (found,))
        return tuple(env[i] for i in m.outputs)

    return fn


@given(modules())
@settings(max_examples=200)
def test_a_function_does_the_same_traced_and_at_once(m):
    note(str(m))
    fn, arrays = function_of(m), arguments_for(m, 1)
    expected = outcome(mind.interpret, m, *arrays)
    for found in (outcome(fn, *arrays), outcome(run, fn, *arrays)):
        if expected[0] == "returns":
            assert_same_outcome(found, expected)
        elif found[0] == "raises":  # a dead operation that fails may be gone, and another fail first
            assert found[1] == expected[1]


def test_a_trace_is_canonical_and_verifies():
    t = mind.trace(lambda x: mind.sum(x * 2.0, axis=-1) + 0 * mind.sum(x, axis=1), mind.f32(2, 3))
    assert mind.canonicalize(t.module) == t.module
    mind.verify(t.module)
    assert str(t) == str(t.module)


def test_a_function_may_return_its_arguments_constants_and_arrays():
    out = run(lambda x: {"x": x, "n": 3, "y": 2.5, "a": Y, "none": None, "t": (x,)}, X)
    assert out["none"] is None
    for key, expected in {"x": X, "n": np.array(3), "y": np.float32(2.5), "a": Y}.items():
        assert_same_bits(out[key], expected)
    assert_same_bits(out["t"][0], X)


def test_a_bad_result_is_an_error_with_its_path():
    assert "the result['name'][1] is a str" in str(error_of(lambda x: {"name": (x, "x")}, X))
    assert error_of(lambda x: x > 0 and True if False else "s", X).code == "E6009"


# What is said


@pytest.mark.parametrize(
    ("fn", "code", "help"),
    [
        (lambda x: x[x > 0], "E2005", "mind.where(mask, x, y)"),
        (lambda x: x[mind.where(x[:, 0] > 0, x[:, 1] < 2, False)], "E2005", "mind.where(mask, x, y)"),
        (lambda x: mind.apply(mind_mlir.ir.OPS["Exp"], x), "E6009", "Exp("),
        (lambda x: mind.apply("Exp", x), "E6009", "an instance"),
    ],
)
def test_what_cannot_be_says_what_to_write_instead(fn, code, help):
    error = error_of(fn, X)
    assert error.code == code
    assert help in error.diagnostics[0].help


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("item", "return it from the traced function"),
        ("exp", "use mind.exp"),
        ("nonzero", "mind.where"),
        ("trace", "mind.diagonal"),
    ],
)
def test_an_attribute_that_traced_values_lack_is_told_with_another_way(name, what):
    with pytest.raises(AttributeError, match=f"no attribute {name}: .*{what}"):
        run(lambda x: getattr(x, name), X)


def test_hasattr_works_on_traced_values():
    assert run(lambda x: (hasattr(x, "shape") + 0.0, hasattr(x, "nothing") + 0.0), X) == (1, 0)
