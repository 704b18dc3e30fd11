"""jit: arguments and results, what is traced and compiled when, threads; and that native code gives the same bits."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from support import assert_same_bits, error_of

import mind_mlir as mind
from mind_mlir.frontend import program
from mind_mlir.frontend.memo import Memo
from mind_mlir.runtime.footprint import footprint

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 4)).astype(np.float32)
ON = {"target": "interpret"}


def counted(fn):
    """The function, and a list that grows with each trace of it."""
    traces = []

    def inner(*args, **kwargs):
        traces.append(args)
        return fn(*args, **kwargs)

    return inner, traces


# Arguments


def arrays():
    big = np.arange(48, dtype=np.float32).reshape(6, 8)
    unaligned = np.zeros(49, np.uint8)[1:].view(np.float32)
    unaligned[:] = range(12)
    return {
        "Fortran-ordered": np.asfortranarray(X),
        "a transposed view": X.T,
        "a strided view": big[::2, ::2],
        "backwards": big[::-1],
        "a broadcast view": np.broadcast_to(np.float32(2), (3, 4)),
        "read-only": np.frombuffer(X.tobytes(), np.float32),
        "not aligned": unaligned,
        "in the other byte order": X.astype(">f4"),
        "of rank 0": np.array(2, np.float32),
        "a view of rank 0": big[0, 1:2].reshape(()),
        "a NumPy scalar": np.float64(2),
        "empty": np.zeros((0, 3)),
        "a Python float": 1.5,
        "a Python int": 3,
        "integers": np.arange(3, dtype=np.int32),
    }


@pytest.mark.parametrize("target", ["interpret", "cpu"])
@pytest.mark.parametrize("name", arrays())
def test_an_argument_is_taken_whatever_its_layout(name, target):
    x = arrays()[name]
    kept = np.array(x, copy=True)
    double = mind.jit(lambda x: x + x, target=target)
    for _ in range(2):
        found = double(x)
        expected = {float: np.float32(3), int: np.array(6)}.get(type(x), np.asarray(x) + np.asarray(x))
        assert_same_bits(found, np.asarray(expected).astype(np.asarray(expected).dtype.newbyteorder("=")))
        assert type(found) is np.ndarray
    assert_same_bits(np.asarray(x), kept)


def test_python_numbers_are_f32_and_i64():
    types = mind.jit(lambda x, n: (x * 1, n * 1), **ON)(1.0, 2)
    assert [t.dtype for t in types] == [np.float32, np.int64]


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ({"w": [1.0, "x"]}, "params['w'][1] is a str"),
        ([np.complex64(1)], "params[0] is an array of dtype complex64"),
        (np.array([1j]), "params is an array of dtype complex128"),
        (np.array(["a"]), "params is an array of dtype <U1"),
        (np.array([None]), "params is an array of dtype object"),
        ({1.0, 2.0}, "params is a set"),
        (1e39, "beyond the largest f32"),
        (lambda: 1, "params is a function"),
    ],
)
def test_what_is_neither_array_nor_number_is_an_error_with_its_path(argument, said):
    error = error_of(lambda: mind.jit(lambda params: params, **ON)(argument))
    assert error.code == "E6009"
    assert said in error.message
    assert "mind.jit" in error.source.line(error.source.line_col(error.span.start)[0])


def test_a_wrong_number_of_arguments_is_pythons_error():
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        mind.jit(lambda x, y: x, **ON)(1.0)


def test_infinities_are_floats():
    assert mind.jit(lambda x: x, **ON)(float("-inf")) == -np.inf
    assert np.isnan(mind.jit(lambda x: x, **ON)(float("nan")))


# What is returned


def test_results_are_arrays_of_their_own():
    f = mind.jit(lambda x: (x, x), **ON)
    a, b = f(X)
    assert not np.may_share_memory(a, X)
    assert not np.may_share_memory(a, b)
    a[:] = 0
    assert_same_bits(f(X)[0], X)


@pytest.mark.parametrize("result", [None, (), {}, [None, {"a": ()}]])
def test_a_function_may_return_nothing(result):
    assert mind.jit(lambda x: result, **ON)(X) == result


def test_a_function_may_take_nothing():
    assert_same_bits(mind.jit(lambda: mind.exp(np.float32([0])), **ON)(), np.float32([1]))


def test_results_of_rank_0_are_arrays():
    found = mind.jit(lambda x: mind.sum(x), **ON)(X)
    assert type(found) is np.ndarray
    assert found.shape == ()


# When a function is traced


def test_a_function_is_traced_once_for_each_structure_shape_and_dtype():
    fn, traces = counted(lambda p: mind.sum(p["a"]) if isinstance(p, dict) else mind.sum(p))
    f = mind.jit(fn, **ON)
    for x, expected in [
        (X, 1),
        (X + 1, 1),
        (X.T, 2),
        (X.T.copy(), 2),
        (X.astype(np.float64), 3),
        (2.0, 4),
        (np.float32(3), 4),
        (3, 5),
        ({"a": X}, 6),
        ({"a": X * 2}, 6),
        (X, 6),
    ]:
        f(x)
        assert len(traces) == expected


def test_gradients_are_traced_once_too():
    fn, traces = counted(lambda x: mind.sum(x * x))
    for transform in (mind.grad, mind.value_and_grad, mind.jacfwd, mind.jacrev):
        g = transform(fn, **ON)
        for x in (X[0], X[1], X[2]):
            g(x)
    assert len(traces) == 4


@pytest.fixture
def compiled(monkeypatch):
    """The modules that are compiled from here on."""
    monkeypatch.setattr(program, "_kept", Memo(program.KEPT, footprint))
    return program._kept


def test_equal_modules_are_compiled_once(compiled):
    for _ in range(3):
        mind.grad(lambda x: mind.sum(x * 123.25), **ON)(X)
    assert len(compiled) == 1


def test_what_a_function_closes_over_is_what_it_was_when_it_was_traced():
    scale, table = np.float32([2]), np.ones(1000, np.float32)
    f = mind.jit(lambda x: mind.sum(x * table) * scale, **ON)
    assert f(np.ones(1000, np.float32)) == 2000
    scale[:], table[:] = 5, 5
    assert f(np.ones(1000, np.float32)) == 2000


def test_large_arrays_of_a_closure_are_no_constants_of_the_code(compiled):
    """So the same function of other data is compiled once."""
    for seed in range(3):
        data = np.random.default_rng(seed).standard_normal((30, 30))
        found = mind.grad(lambda w, d=data: mind.sum((d @ w) ** 2), **ON)(np.ones(30))
        np.testing.assert_allclose(found, 2 * data.T @ (data @ np.ones(30)))
    assert len(compiled) == 1


def test_the_compiled_modules_kept_are_limited(compiled, monkeypatch):
    """By the memory that they keep: a program of two operations has 2 KB, and three go beyond 5 KB."""
    monkeypatch.setattr(compiled, "limit", 5 << 10)
    for n in (1, 2, 1, 3, 1):
        mind.jit(lambda x, n=n: x * (n + 1), **ON)(1.0)
    scales = [o.op.data.numbers() for (m, *_) in compiled._kept for o in m.operations if o.opcode == "ConstTensor"]
    assert scales == [[2.0]]
    assert compiled.weight <= compiled.limit


def test_the_traces_kept_are_limited():
    from mind_mlir.frontend import staging

    fn, traces = counted(lambda x: x)
    f = mind.jit(fn, **ON)
    for n in range(staging.SPECIALISATIONS + 10):
        f(np.zeros(n))
    assert len(traces) == staging.SPECIALISATIONS + 10
    f(np.zeros(staging.SPECIALISATIONS))
    assert len(traces) == staging.SPECIALISATIONS + 10
    f(np.zeros(0))
    assert len(traces) == staging.SPECIALISATIONS + 11


# Static arguments


def test_static_arguments_are_values_of_python():
    fn, traces = counted(lambda x, n, flag=True: x * int(n) if flag else [x] * n)
    f = mind.jit(fn, static_argnums=(1, -1), **ON)
    assert len(f(X, 3, False)) == 3
    assert_same_bits(f(X, 2), X * 2)
    assert_same_bits(f(X, 2), X * 2)
    assert len(traces) == 2
    f(X, 2.0, True)
    f(X, 2, True)
    f(X, True, True)
    assert len(traces) == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [(0.0, -0.0), ((2,), (2.0,)), (("a", (1,)), ("a", (True,))), (0j, -0j), (frozenset({1}), frozenset({1.0}))],
)
def test_static_arguments_that_are_equal_and_not_the_same_are_told_apart(one, other):
    seen = []
    f = mind.jit(lambda x, n: (seen.append(repr(n)), x)[1], static_argnums=1, **ON)
    for value in (one, other, one, other):
        f(X, value)
    assert seen == [repr(one), repr(other)]


@pytest.mark.parametrize("how", [{"static_argnums": 1}, {"static_argnums": -1}, {"static_argnames": "n"}])
def test_a_static_argument_is_static_by_position_and_by_keyword(how):
    def f(x, n):
        assert type(n) is int  # a traced one is a Tracer
        return x * n

    g = mind.jit(f, **how, **ON)
    for found in (g(2.0, 3), g(2.0, n=3), g(x=2.0, n=3), g(n=3, x=2.0)):
        assert found == 6


def test_a_static_argument_by_keyword_alone_is_named():
    f = mind.jit(lambda x, *, mode: x if mode == "same" else -x, static_argnames=("mode",), **ON)
    assert (f(2.0, mode="same"), f(2.0, mode="other")) == (2, -2)

    @mind.jit(static_argnames="n", **ON)
    def more(x, **options):
        return x * len(options["n"])

    assert more(2.0, n=(1, 1, 1)) == 6


def test_a_static_argument_by_keyword_is_checked_as_one_by_position():
    f = mind.jit(lambda x, n: x, static_argnums=1, **ON)
    assert error_of(lambda: f(X, n=[1])).code == "E6009"
    assert error_of(lambda: mind.jit(lambda y: f(X, n=y), **ON)(X)).code == "E6010"


@pytest.mark.parametrize("wrong", [1, None, ("x", 1), "y"])
def test_static_argnames_takes_names_of_parameters(wrong):
    error = error_of(lambda: mind.jit(lambda x, n: x, static_argnames=wrong, **ON))
    assert error.code == "E4013"
    assert "static_argnames" in error.message


def nested(depth):
    """A number in so many lists."""
    found = 1.0
    for _ in range(depth):
        found = [found]
    return found


def cyclic():
    found = [1.0]
    found.append(found)
    return found


@pytest.mark.parametrize("make", [cyclic, lambda: nested(100_000), lambda: {"a": cyclic()}])
def test_arguments_and_results_without_end_are_an_error_and_no_recursion(make):
    endless = make()
    for call in (
        lambda: mind.jit(lambda x: 1.0, **ON)(endless),
        lambda: mind.jit(lambda x: endless, **ON)(1.0),
        lambda: mind.grad(lambda x: 1.0, **ON)(endless),
        lambda: mind.vjp(lambda x: x, endless, **ON),
        lambda: mind.jvp(lambda x: x, (endless,), (endless,), **ON),
        lambda: mind.trace(lambda x: x, endless),
        lambda: mind.jit(lambda x, n: x, static_argnums=1, **ON)(1.0, (endless,)),
    ):
        error = error_of(call)
        assert error.code == "E6009"
        assert "nested too deep, or contains itself" in error.message


def test_static_argnums_takes_integers_of_numpy_and_no_others():
    assert_same_bits(mind.jit(lambda x, n: x * n, static_argnums=np.int64(1), **ON)(X, 3), X * 3)
    for wrong in (1.5, "n", None):
        assert error_of(lambda: mind.jit(lambda x, n: x, static_argnums=wrong)).code == "E4013"  # noqa: B023


def test_a_traced_static_argument_is_an_error():
    inner = mind.jit(lambda x, n: x * n, static_argnums=1, **ON)
    for wrapped in (lambda y: y, lambda y: (y,)):
        error = error_of(lambda: mind.jit(lambda y: inner(X, wrapped(y)), **ON)(np.float32(2)))  # noqa: B023
        assert error.code == "E6010"
        assert "argument 1 is static and traced" in error.message


def test_one_static_argument_is_a_number():
    assert mind.jit(lambda f, x: f(x), static_argnums=0, **ON)(mind.sum, np.float32([1, 2])) == 3


def test_a_static_argument_of_a_derivative_is_kept():
    f = mind.jit(lambda x, n: mind.sum(x**n), static_argnums=1, **ON)
    np.testing.assert_allclose(mind.grad(lambda x: f(x, 3), **ON)(X), 3 * X**2, rtol=1e-6)


def test_a_static_argument_that_cannot_be_compared_is_an_error():
    error = error_of(lambda: mind.jit(lambda x, n: x, static_argnums=1, **ON)(X, [1]))
    assert error.code == "E6009"
    assert "argument 1 is static and a list" in error.message


# Options


@pytest.mark.parametrize(
    ("options", "code"),
    [({"target": "tpu"}, "E6002"), ({"numerics": "exact"}, "E7007"), ({"threads": 0}, "E7007")],
)
def test_unknown_options_are_errors_at_once(options, code):
    assert error_of(lambda: mind.jit(lambda x: x, **options)).code == code


def test_the_function_keeps_its_name_docstring_and_signature():
    import inspect

    def layer(x, *, scale=1):
        """A layer."""
        return x * scale

    for transform in (mind.jit, mind.grad, mind.value_and_grad, mind.jacfwd, mind.jacrev, mind.hessian):
        f = transform(layer)
        assert (f.__name__, f.__doc__) == ("layer", "A layer.")
        assert list(inspect.signature(f).parameters) == ["x", "scale"]


# Native code


def test_native_code_gives_the_bits_of_the_interpreter_in_strict_and_its_numbers_by_default():
    def loss(params, x, labels):
        h = mind.relu(mind.conv2d(x, params["k"], padding="Same"))
        h = mind.mean(h, axis=(1, 2)) @ params["w"] + params["b"]
        h = h - mind.mean(h, axis=1, keepdims=True)
        log_p = h - mind.log(mind.sum(mind.exp(h), axis=1, keepdims=True))
        return -mind.mean(log_p[np.arange(4), labels])

    params = {
        "k": RNG.standard_normal((3, 3, 2, 5)).astype(np.float32),
        "w": RNG.standard_normal((5, 3)).astype(np.float32),
        "b": np.zeros(3, np.float32),
    }
    x, labels = RNG.standard_normal((4, 6, 6, 2)).astype(np.float32), np.array([0, 2, 1, 1])
    value, gradients = mind.value_and_grad(loss, target="interpret")(params, x, labels)
    strict = mind.jit(mind.value_and_grad(loss), numerics="strict")(params, x, labels)
    assert_same_bits(strict[0], value)
    for name in params:
        assert_same_bits(strict[1][name], gradients[name])
    for default in (mind.value_and_grad(loss), mind.jit(mind.value_and_grad(loss))):
        found = default(params, x, labels)
        np.testing.assert_allclose(found[0], value, rtol=1e-5)
        for name in params:
            np.testing.assert_allclose(found[1][name], gradients[name], rtol=1e-4, atol=1e-5)
    with pytest.raises(mind.MindError, match="E6001"):
        mind.value_and_grad(loss)(params, x, np.array([0, 3, 1, 1]))


def test_threads_may_call_one_function_at_once():
    f = mind.value_and_grad(lambda x: mind.sum(mind.exp(x) * x))
    xs = [np.full((n % 3 + 1, 2), n, np.float32) for n in range(24)]
    expected = [mind.value_and_grad(lambda x: mind.sum(mind.exp(x) * x))(x) for x in xs]
    results, barrier = {}, threading.Barrier(8)

    def work(k):
        barrier.wait()
        for n in range(k, 24, 8):
            results[n] = f(xs[n])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for n in range(24):
        for a, b in zip(results[n], expected[n]):
            assert_same_bits(a, b)


def test_threads_trace_apart_from_each_other():
    barrier, found = threading.Barrier(2), {}

    def work(k):
        def fn(x):
            barrier.wait()  # both traces are active
            y = x * k
            barrier.wait()
            return y + 1

        found[k] = mind.jit(fn, **ON)(X)

    threads = [threading.Thread(target=work, args=(k,)) for k in (2, 3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k in (2, 3):
        assert_same_bits(found[k], X * k + 1)


# Loading


def test_importing_the_package_loads_no_front_end():
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import checkout
import mind_mlir
assert not {{"optree", "numpy", "mlir", "mind_mlir.frontend"}} & set(sys.modules), sorted(sys.modules)
mind_mlir.grad
assert "mlir" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
