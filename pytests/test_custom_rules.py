"""Functions with a derivative rule of their own, reverse and forward."""

import threading

import numpy as np
import pytest
from support import assert_same_bits, error_of

import mind_mlir as mind
from mind_mlir.ir import OPS, Linearity, Op, op
from mind_mlir.testing import check_grads

RNG = np.random.default_rng(0)
X = RNG.standard_normal(3)
ON = {"target": "interpret"}


def grad(fn, *more, **options):
    return mind.grad(fn, *more, **ON, **options)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def square_rule(primals, cotangent, output):
    """Three times too much, so that it is seen."""
    return (6 * primals[0] * cotangent,)


square = mind.custom_vjp(lambda x: x * x, square_rule)


@mind.custom_jvp
def cube(x):
    """x³."""
    return x**3


@cube.def_jvp
def cube_rule(primals, tangents, output):
    return 30 * primals[0] ** 2 * tangents[0]


# Values


@pytest.mark.parametrize("f", [square, cube])
def test_a_function_with_a_rule_has_its_own_value(f):
    n = 2 if f is square else 3
    close(f(X), X**n)
    close(mind.jit(f, **ON)(X), X**n)
    close(mind.vjp(f, X, **ON)[0], X**n)
    assert_same_bits(mind.jit(f, target="cpu")(X), np.multiply.reduce([X] * n))


def test_it_keeps_its_name_and_docstring():
    assert (cube.__name__, cube.__doc__) == ("cube", "x³.")


# Derivatives


@pytest.mark.parametrize(
    "derivative",
    [
        lambda f: lambda x: grad(lambda x: mind.sum(f(x)))(x),
        lambda f: lambda x: mind.vjp(f, x, **ON)[1](np.ones(3))[0],
        lambda f: lambda x: mind.jvp(f, (x,), (np.ones(3),), **ON)[1],
        lambda f: lambda x: mind.linearize(f, x, **ON)[1](np.ones(3)),
        lambda f: lambda x: mind.jacfwd(f, **ON)(x) @ np.ones(3),
        lambda f: lambda x: mind.jacrev(f, **ON)(x) @ np.ones(3),
        lambda f: mind.jit(lambda x: mind.grad(lambda x: mind.sum(f(x)))(x), **ON),
        lambda f: lambda x: grad(lambda x: mind.sum(mind.jit(f)(x)))(x),
        lambda f: lambda x: mind.backward_on_trace(mind.trace(f, x), np.ones(3), **ON)[0],
        lambda f: mind.jit(lambda x: mind.vjp(f, x)[1](np.ones(3))[0], **ON),
        lambda f: mind.jit(lambda x: mind.jvp(f, (x,), (np.ones(3),))[1], **ON),
    ],
)
def test_every_transform_uses_the_rule(derivative):
    close(derivative(square)(X), 6 * X)
    close(derivative(cube)(X), 30 * X**2)
    close(derivative(lambda x: square(x) + x)(X), 6 * X + 1)


@pytest.mark.parametrize(
    "second",
    [
        lambda f: grad(lambda x: mind.sum(mind.grad(lambda x: mind.sum(f(x)))(x))),
        lambda f: lambda x: mind.jvp(grad(lambda x: mind.sum(f(x))), (x,), (np.ones(3),), **ON)[1],
        lambda f: grad(lambda x: mind.sum(mind.jvp(f, (x,), (np.ones(3),))[1])),
        lambda f: lambda x: mind.jvp(lambda x: mind.jvp(f, (x,), (np.ones(3),))[1], (x,), (np.ones(3),), **ON)[1],
        lambda f: lambda x: np.diag(mind.hessian(lambda x: mind.sum(f(x)), **ON)(x)),
    ],
)
def test_a_rule_is_differentiated_itself(second):
    close(second(square)(X), np.full(3, 6.0))
    close(second(cube)(X), 60 * X)


def test_a_rule_that_uses_the_function_uses_its_rule_at_second_order():
    @mind.custom_vjp
    def exp(x):
        return mind.exp(x)

    @exp.def_vjp
    def _(primals, cotangent, output):
        return (2 * output * cotangent,)

    close(grad(lambda x: mind.sum(exp(x)))(X), 2 * np.exp(X))
    close(grad(lambda x: mind.sum(mind.grad(lambda x: mind.sum(exp(x)))(x)))(X), 4 * np.exp(X))


def test_right_rules_pass_check_grads():
    product = mind.custom_vjp(lambda x, y: mind.sum(x * y), lambda p, ct, out: (p[1] * ct, p[0] * ct))
    check_grads(product, (X, 2 * X), order=2)
    twice = mind.custom_jvp(lambda x, y: (x * y, x), lambda p, t, out: (t[0] * p[1] + p[0] * t[1], t[0]))
    check_grads(twice, (X, 2 * X), order=2)


def test_a_wrong_rule_does_not_pass_check_grads():
    for f in (square, cube):
        with pytest.raises(AssertionError):
            check_grads(f, (X,))


# Structure


def test_arguments_and_results_are_nested():
    def fn(p, x):
        return {"y": x @ p["w"] + p["b"], "n": p["n"]}

    def rule(primals, cotangent, output):
        _, x = primals
        ct = cotangent["y"]
        assert set(output) == {"y", "n"}
        assert cotangent["n"].shape == ()
        return {"w": mind.expand_dims(x, 1) * ct, "b": 5 * ct, "n": None}, None

    f = mind.custom_vjp(fn, rule)
    w = RNG.standard_normal((3, 2))
    dp, dx = grad(lambda p, x: mind.sum(f({**p, "n": 1}, x)["y"]), (0, 1))({"w": w, "b": w[0]}, X)
    close(dp["w"], np.outer(X, [1, 1]))
    close(dp["b"], [5, 5])
    close(dx, np.zeros(3))


def test_each_of_several_results_has_its_cotangent():
    f = mind.custom_vjp(lambda x: (2 * x, 3 * x), lambda p, ct, out: (10 * ct[0] + 100 * ct[1],))
    close(mind.vjp(f, X, **ON)[1]((np.ones(3), 2 * np.ones(3)))[0], np.full(3, 210.0))
    close(grad(lambda x: mind.sum(f(x)[1]))(X), np.full(3, 100.0))
    close(mind.jvp(f, (X,), (X,), **ON)[1][0], 10 * X)
    close(mind.jvp(f, (X,), (X,), **ON)[1][1], 100 * X)


def test_a_forward_rule_has_zeros_for_what_does_not_vary():
    seen = []

    def rule(primals, tangents, output):
        seen.append([t.dtype for t in tangents])
        return tangents[0] * primals[1], None

    f = mind.custom_jvp(lambda x, y, n: (x * y + 0 * x[n], y), rule)
    close(grad(lambda x: mind.sum(f(x, X, 2)[0]))(X), X)
    close(mind.jvp(lambda y: f(X, y, 2), (X,), (X,), **ON)[1][1], np.zeros(3))
    assert seen[0] == [np.float64, np.float64, np.int64]


def test_what_does_not_vary_makes_no_nan_of_a_pole():
    f = mind.custom_jvp(lambda x, y: x * y, lambda p, t, out: t[0] * p[1] + t[1] / p[0])
    close(grad(lambda x: f(x, 3.0))(0.0), 3)
    close(mind.jvp(lambda x: f(x, 3.0), (0.0,), (1.0,), **ON)[1], 3)
    g = mind.custom_vjp(lambda x, y: x * y, lambda p, ct, out: (ct * p[1], ct / p[0]))
    close(mind.jvp(lambda x: g(x, 3.0), (0.0,), (1.0,), **ON)[1], 3)


def test_keyword_arguments_and_defaults_are_bound_by_position():
    f = mind.custom_vjp(lambda x, y=2.0: x * y, lambda p, ct, out: (7 * ct * p[1], None))
    assert grad(lambda x: f(x=x))(1.0) == 14
    assert grad(lambda x: f(x, y=3.0))(1.0) == 21


def test_a_function_with_a_rule_may_call_another():
    outer = mind.custom_vjp(
        lambda x: square(x) + cube(x), lambda p, ct, out: (grad(lambda x: mind.sum(square(x)))(p[0]) * ct,)
    )
    close(mind.jit(outer, **ON)(X), X**2 + X**3)
    close(grad(lambda x: mind.sum(outer(x)))(X), 6 * X)
    close(grad(lambda x: mind.sum(mind.grad(lambda x: mind.sum(outer(x)))(x)))(X), np.full(3, 6.0))


def test_a_reverse_rule_need_not_be_linear():
    clip = mind.custom_vjp(lambda x: x, lambda p, ct, out: (mind.where(ct > 1, 1, ct),))
    close(grad(lambda x: mind.sum(clip(x) * np.array([0.5, 3, -2])))(X), [0.5, 1, -2])
    error = error_of(lambda: mind.jvp(clip, (X,), (X,), **ON))
    assert error.code == "E5001"
    assert "not linear in its cotangents" in error.message
    assert "custom_jvp" in error.diagnostics[0].help


@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_a_reverse_rule_gets_the_cotangents_of_all_results_at_once(target):
    """A rule that multiplies two cotangents says so; one result at a time would give zero."""
    calls = []

    def rule(primals, cotangents, output):
        calls.append(len(cotangents))
        first, second, third = cotangents
        return (first * second * primals[0], third * 0 + first)

    f = mind.custom_vjp(lambda x, y: (x * 1, x + y, y * 2), rule)

    def loss(x, y):
        first, second, _ = f(x, y)
        return mind.sum(2 * first) + mind.sum(3 * second)

    found = mind.grad(loss, (0, 1), target=target)(X, X)
    close(found[0], 6 * X)
    close(found[1], np.full(3, 2.0))
    module = mind.trace(mind.grad(loss, (0, 1)), X, X).module
    assert [o.opcode for o in module.operations].count("Mul") <= 2, "the rule stands there once"
    assert calls == [3], "and was traced once"


def test_a_rule_sees_arrays_that_it_closes_over():
    table = np.arange(1000.0)
    f = mind.custom_vjp(lambda x: x + table, lambda p, ct, out: (ct * table,))
    close(grad(lambda x: mind.sum(f(x)))(np.ones(1000)), table)


def test_the_gradient_of_what_gives_integers_only_needs_no_rule():
    f = mind.custom_vjp(lambda x: x > 0, lambda p, ct, out: (1 / 0,))
    close(grad(lambda x: mind.sum(mind.where(f(x), x, 0)))(X), (X > 0).astype(float))


def test_a_trace_shows_the_body():
    text = str(mind.trace(lambda x: square(x) + cube(x), mind.f32(2)))
    assert "Call" not in text
    assert "Mul" in text


def test_a_rule_is_traced_once_for_each_type():
    count = []

    def rule(primals, cotangent, output):
        count.append(primals[0].shape)
        return (cotangent,)

    f = mind.custom_vjp(lambda x: 1 * x, rule)
    loss = lambda x: mind.sum(f(f(x)) + f(x))  # noqa: E731
    for _ in range(2):
        grad(loss)(X)
        grad(loss)(X[:2])
    assert sorted(count) == [(2,), (3,)]


def test_two_threads_may_call_a_function_with_a_rule():
    f = mind.custom_vjp(lambda x: 1 * x, lambda p, ct, out: (2 * ct,))
    results = []
    g = grad(lambda x: mind.sum(f(x)))
    threads = [threading.Thread(target=lambda: results.append(g(X))) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 4
    for r in results:
        close(r, np.full(3, 2.0))


# Operations of one's own


@pytest.fixture
def cubed():
    """An operation as a package of the user's has it."""

    @op
    class Cubed(Op):
        """x³."""

        linearity = Linearity.NONLINEAR

        def infer_type(self, input):
            return input

        def evaluate(self, input):
            return input * input * input

        def jvp(self, b, primals, tangents, result):
            return tangents[0] * (primals[0] * primals[0] * 3)

        def lower(self, e, result, input):
            return e.linalg.map(lambda s, x: s.mul(s.mul(x, x), x), (input,), result)

        @classmethod
        def samples(cls):
            return [(cls(), (mind.f32(2),))]

    yield lambda x: mind.apply(Cubed(), x)
    del OPS["Cubed"]


@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_an_operation_of_ones_own_survives_every_transform(cubed, target):
    on = {"target": target}
    close(cubed(X), X**3)
    close(mind.jit(cubed, **on)(X), X**3)
    close(mind.grad(lambda x: mind.sum(cubed(x)), **on)(X), 3 * X**2)
    close(mind.grad(lambda x: mind.sum(mind.grad(lambda x: mind.sum(cubed(x)))(x)), **on)(X), 6 * X)
    close(mind.jvp(mind.jit(cubed), (X,), (X,), **on)[1], 3 * X**3)
    close(mind.hessian(lambda x: mind.sum(cubed(x)), **on)(X), np.diag(6 * X))
    check_grads(cubed, (X,), order=2)


# Errors


def reverse(rule):
    return lambda: grad(lambda x: mind.sum(mind.custom_vjp(lambda x: 1 * x, rule)(x)))(X)


def forward(rule):
    return lambda: grad(lambda x: mind.sum(mind.custom_jvp(lambda x: 1 * x, rule)(x)))(X)


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (reverse(lambda p, ct, out: ct), "E5002", "a Tracer for 1 arguments"),
        (reverse(lambda p, ct, out: (ct, ct)), "E5002", "2 gradients for 1 arguments"),
        (reverse(lambda p, ct, out: None), "E5002", "a NoneType"),
        (reverse(lambda p, ct, out: ((ct, ct),)), "E5002", "for argument 0"),
        (reverse(lambda p, ct, out: (mind.sum(ct),)), "E5002", "tensor<f64[]> for argument 0, expected tensor<f64[3]>"),
        (reverse(lambda p, ct, out: (np.float32([1, 2, 3]),)), "E5002", "tensor<f32[3]>"),
        (reverse(lambda p, ct, out: (ct > 0,)), "E5002", "tensor<i1[3]>"),
        (reverse(lambda p, ct, out: ("x",)), "E6009", "a str"),
        (reverse(lambda p, ct, out: (ct @ np.ones(4),)), "E3003", "3 against 4"),
        (reverse(lambda p, ct, out: (ct if ct[0] > 0 else -ct,)), "E6010", "if"),
        (forward(lambda p, t, out: (t[0],)), "E5002", "expected an array"),
        (forward(lambda p, t, out: mind.sum(t[0])), "E5002", "tensor<f64[]> for result 0"),
        (forward(lambda p, t, out: t[0] * t[0]), "E5001", "not linear in its tangents"),
        (forward(lambda p, t, out: t[0] + 1), "E5001", "not linear in its tangents"),
        (forward(lambda p, t, out: p[0]), "E5001", "not linear in its tangents"),
        (lambda: grad(lambda x: mind.sum(mind.custom_vjp(lambda x: x)(x)))(X), "E5001", "def_vjp"),
        (lambda: grad(lambda x: mind.sum(mind.custom_jvp(lambda x: x)(x)))(X), "E5001", "def_jvp"),
        (
            lambda: grad(lambda x: mind.custom_vjp(lambda y: mind.sum(x * y), square_rule)(x + 1))(X),
            "E5001",
            "closes over a traced value",
        ),
        (
            lambda: grad(lambda x: mind.sum(mind.custom_vjp(lambda y: y, lambda p, ct, out: (ct * x,))(x)))(X),
            "E6011",
            "",
        ),
        (
            lambda: mind.jit(lambda x: mind.custom_vjp(lambda x, *, k: x, square_rule)(x, k=1.0), **ON)(X),
            "E6009",
            "takes k by keyword alone",
        ),
    ],
)
def test_a_wrong_rule_is_an_error(call, code, said):
    error = error_of(call)
    assert error.code == code
    assert said in str(error)


def test_an_error_in_a_rule_shows_the_rules_line():
    def rule(primals, cotangent, output):
        return (cotangent @ np.ones((4, 4)),)

    error = error_of(reverse(rule))
    assert error.code == "E3003"
    assert "np.ones((4, 4))" in error.source.line(error.source.line_col(error.span.start)[0])


def test_what_a_rule_raises_comes_through():
    with pytest.raises(ZeroDivisionError):
        reverse(lambda p, ct, out: (1 / 0,))()


def test_a_rule_may_wait_for_a_thread_that_needs_a_rule():
    @mind.custom_vjp
    def square(x):
        return x * x

    @square.def_vjp
    def square_rule(primals, cotangent, output):
        return (2 * primals[0] * cotangent,)

    finished = []

    @mind.custom_vjp
    def waits(x):
        return x * x

    @waits.def_vjp
    def waits_rule(primals, cotangent, output):
        other = threading.Thread(target=mind.grad(square, target="interpret"), args=(np.array(3.0),), daemon=True)
        other.start()
        other.join(20)
        finished.append(not other.is_alive())
        return (2 * primals[0] * cotangent,)

    assert mind.grad(waits, target="interpret")(np.array(2.0)) == 4
    assert finished == [True]
