"""grad, value_and_grad, vjp, jvp, linearize, jacobians, traces: values, nesting, composition, errors."""

from typing import NamedTuple

import numpy as np
import pytest
from support import assert_same_bits, error_of

import mind_mlir as mind
from mind_mlir.frontend.program import Program

RNG = np.random.default_rng(0)
X = RNG.standard_normal(3)
W = RNG.standard_normal((3, 2))
ON = {"target": "interpret"}


def grad(fn, *more, **options):
    return mind.grad(fn, *more, **ON, **options)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def cube(x):
    return mind.sum(x**3)


# grad and value_and_grad


def test_the_gradient_of_a_sum_of_squares_is_twice_the_argument():
    assert_same_bits(grad(lambda x: mind.sum(x * x))(X), 2 * X)


def test_a_python_float_is_f32():
    gradient = grad(lambda x: x * x)(3.0)
    assert isinstance(gradient, np.ndarray)
    assert_same_bits(gradient, np.array(6, np.float32))


@pytest.mark.parametrize(
    ("argnums", "expected"),
    [
        (0, 3.0),
        (1, 2.0),
        (-1, 6.0),
        (-3, 3.0),
        ((0, 1), (3.0, 2.0)),
        ((2, 0), (6.0, 3.0)),
        ([1], (2.0,)),
        (np.int64(1), 2.0),
        ((), ()),
    ],
)
def test_argnums_choose_the_arguments_in_their_order(argnums, expected):
    fn = lambda x, y, z: x * y + z * z  # noqa: E731
    assert grad(fn, argnums)(2.0, 3.0, 3.0) == expected


def test_value_and_grad_gives_both():
    value, gradient = mind.value_and_grad(cube, **ON)(X)
    close(value, np.sum(X**3))
    close(gradient, 3 * X**2)


def test_what_comes_beside_the_value_is_not_differentiated():
    fn = lambda x: (mind.sum(x * x), {"twice": 2 * x, "n": 3, "none": None})  # noqa: E731
    gradient, aux = grad(fn, has_aux=True)(X)
    close(gradient, 2 * X)
    close(aux["twice"], 2 * X)
    assert aux["n"] == 3
    assert aux["none"] is None
    (value, aux), gradient = mind.value_and_grad(fn, has_aux=True, **ON)(X)
    close(value, X @ X)
    close(gradient, 2 * X)
    close(aux["twice"], 2 * X)


def test_an_unused_argument_has_zeros():
    assert_same_bits(grad(lambda x, y: mind.sum(x), 1)(X, W), np.zeros((3, 2)))


def test_keyword_arguments_are_not_differentiated():
    fn = lambda x, *, scale, n=1: mind.sum(x * scale) * n  # noqa: E731
    close(grad(fn)(X, scale=np.float64(3)), np.full(3, 3.0))
    close(grad(lambda x, **more: mind.sum(x * more["a"]))(X, a=X), X)


class Layer(NamedTuple):
    w: np.ndarray
    b: np.ndarray


def test_gradients_are_nested_as_the_arguments():
    params = {"layers": [Layer(W, X[:2]), Layer(W[:2], X[:2])], "scale": 2.0 * X[:1], "none": None}

    def loss(params, x):
        for layer in params["layers"]:
            x = mind.relu(x @ layer.w + layer.b)
        return mind.sum(x * params["scale"])

    gradient = grad(loss)(params, X + 3)
    assert gradient["none"] is None
    assert isinstance(gradient["layers"][1], Layer)
    assert gradient["layers"][0].w.shape == (3, 2)
    h = np.maximum((X + 3) @ W + X[:2], 0)
    close(gradient["scale"], [np.sum(np.maximum(h @ W[:2] + X[:2], 0))])


def test_a_class_registered_with_optree_is_nested():
    import optree

    class Point:
        def __init__(self, x, y):
            self.x, self.y = x, y

    optree.register_pytree_node(Point, lambda p: ((p.x, p.y), None), lambda _, c: Point(*c), namespace="mind_mlir")
    gradient = grad(lambda p: p.x * p.y)(Point(2.0, 3.0))
    assert (gradient.x, gradient.y) == (3.0, 2.0)


def test_arguments_without_leaves_have_a_gradient_without_leaves():
    assert grad(lambda a, x: mind.sum(x))({}, X) == {}


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (lambda: grad(lambda x: x)(X), "E5004", "the function gives tensor<f64[3]>"),
        (lambda: grad(lambda x: (x[0], x[0]))(X), "E5004", "(*, *)"),
        (lambda: grad(lambda x: None)(X), "E5004", "None"),
        (lambda: grad(lambda x: mind.sum(x > 0))(X), "E5004", "tensor<i32[]>"),
        (lambda: grad(lambda x: mind.sum(x), has_aux=True)(X), "E5004", "pair"),
        (lambda: grad(cube, 1)(X), "E5005", "argument 1"),
        (lambda: grad(cube, -2)(X), "E5005", "argument -2"),
        (lambda: grad(cube, "x")(X), "E5005", "a str"),
        (lambda: grad(cube, 0.5)(X), "E5005", "a float"),
        (lambda: grad(lambda x, y: mind.sum(x), (0, -2))(X, X), "E5005", "twice"),
        (
            lambda: grad(lambda x: mind.sum(x["a"]["n"][1]))({"a": {"n": (X, 3)}}),
            "E5005",
            "x['a']['n'][1] is tensor<i64[]>",
        ),
        (lambda: grad(lambda x: x * x)(3), "E5005", "x is tensor<i64[]>"),
        (lambda: grad(cube)(x=X), "E5005", "no argument is given by position"),
        (lambda: grad(cube)("x"), "E6009", "x is a str"),
        (lambda: grad(cube)({"a": [1.0, 1j]}), "E6009", "x['a'][1] is a complex"),
        (lambda: grad(cube)(1j), "E6009", "a complex"),
        (lambda: grad(cube)(np.complex64([1])), "E6009", "complex64"),
        (lambda: grad(mind.sum)(X > 0), "E5005", "tensor<i1["),
        (lambda: grad(cube)(1e300), "E6009", "beyond the largest f32"),
        (lambda: grad(cube)(2**63), "E6009", "beyond i64"),
        (lambda: grad(cube)(np.ma.masked_array(X, X > 0)), "E6009", "MaskedArray"),
        (lambda: mind.grad(cube, target="tpu"), "E6002", "tpu"),
        (lambda: mind.grad(cube(X)), "E6009", "grad(f)(x), not grad(f(x))"),
    ],
)
def test_a_wrong_use_of_grad_is_an_error(call, code, said):
    error = error_of(call)
    assert error.code == code
    assert said in str(error)


def test_the_error_shows_the_line_that_calls_the_gradient():
    g = grad(lambda x: x)
    error = error_of(lambda: g(X))
    assert "g(X)" in error.source.line(error.source.line_col(error.span.start)[0])
    assert "jacrev" in error.diagnostics[0].help


# Orders and compositions


@pytest.mark.parametrize(
    ("fn", "expected"),
    [
        (lambda f: grad(f), lambda x: 4 * x**3),
        (lambda f: grad(grad(f)), lambda x: 12 * x**2),
        (lambda f: grad(grad(grad(f))), lambda x: 24 * x),
        (lambda f: grad(grad(grad(grad(grad(f))))), lambda x: 0 * x),
        (lambda f: mind.jit(grad(mind.jit(grad(f), **ON)), **ON), lambda x: 12 * x**2),
        (lambda f: mind.jacfwd(mind.jacrev(f, **ON), **ON), lambda x: 12 * x**2),
        (lambda f: mind.jacrev(mind.jacfwd(f, **ON), **ON), lambda x: 12 * x**2),
        (lambda f: mind.jacfwd(mind.jacfwd(mind.jacfwd(f, **ON), **ON), **ON), lambda x: 24 * x),
        (lambda f: mind.hessian(grad(f), **ON), lambda x: 24 * x),
        (lambda f: lambda x: mind.jvp(grad(f), (x,), (np.ones(()),), **ON)[1], lambda x: 12 * x**2),
        (lambda f: grad(lambda x: mind.jvp(f, (x,), (1.0,))[1]), lambda x: 12 * x**2),
        (lambda f: grad(lambda x: mind.vjp(f, x)[1](1.0)[0]), lambda x: 12 * x**2),
        (lambda f: grad(lambda x: mind.linearize(f, x)[1](1.0)), lambda x: 12 * x**2),
        (
            lambda f: lambda x: mind.jvp(lambda x: mind.jvp(f, (x,), (1.0,))[1], (x,), (1.0,), **ON)[1],
            lambda x: 12 * x**2,
        ),
        (lambda f: lambda x: mind.vjp(grad(f), x, **ON)[1](1.0)[0], lambda x: 12 * x**2),
        (lambda f: lambda x: mind.linearize(grad(f), x, **ON)[1](1.0), lambda x: 12 * x**2),
        (lambda f: grad(lambda x: mind.backward_on_trace(mind.trace(f, x), 1.0)[0]), lambda x: 12 * x**2),
    ],
)
def test_transforms_compose(fn, expected):
    x = np.array(1.7)
    close(fn(lambda x: x**4)(x), expected(x))
    close(fn(lambda x: (x * x) * (x * x))(x), expected(x))


def test_the_derivative_of_an_inner_function_holds_outer_values_fixed():
    """d/dx [x · d/dy (x + y)] = 1; confusing the two perturbations gives 2."""
    assert grad(lambda x: x * grad(lambda y: x + y)(1.0))(5.0) == 1
    assert grad(lambda x: x * grad(lambda y: x * y)(2.0))(5.0) == 10
    assert mind.jvp(lambda x: x * mind.jvp(lambda y: x * y, (2.0,), (1.0,))[1], (5.0,), (1.0,), **ON)[1] == 10


def test_a_hessian_vector_product_by_a_gradient_in_a_gradient():
    f = lambda x: mind.sum(mind.exp(x) * x) + mind.sum(x) ** 2  # noqa: E731
    v = np.array([1.0, -2.0, 0.5])
    hessian = mind.hessian(f, **ON)(X)
    close(grad(lambda x: mind.sum(grad(f)(x) * v))(X), hessian @ v)
    close(mind.jvp(grad(f), (X,), (v,), **ON)[1], hessian @ v)
    close(mind.vjp(grad(f), X, **ON)[1](v)[0], hessian @ v)


def test_a_closure_over_an_argument_of_each_trace():
    def outer(x):
        def middle(y):
            return grad(lambda z: x * y * z * z)(y)

        return grad(middle)(x)

    # d/dz xyz² = 2xyz = 2xy² at z = y; d/dy = 4xy = 4x² at y = x; d/dx = 8x
    assert grad(outer)(3.0) == 24


def test_a_transform_of_arrays_inside_of_a_trace_is_not_traced():
    seen = []

    def fn(x):
        seen.append(grad(cube)(X))
        return x * seen[-1]

    close(mind.jit(fn, **ON)(X), X * 3 * X**2)
    assert isinstance(seen[0], np.ndarray)


def test_a_jitted_function_is_traced_once_for_arrays_and_traced_values():
    count = []

    @mind.jit
    def inner(x):
        count.append(1)
        return x * x

    assert mind.jit(lambda x: inner(x) + inner(x), **ON)(2.0) == 8
    assert grad(lambda x: inner(x))(2.0) == 4
    assert len(count) == 1


# vjp and jvp


def test_vjp_gives_the_value_and_a_tuple_of_gradients():
    value, pullback = mind.vjp(lambda x, w: {"y": x @ w, "x": x}, X, W, **ON)
    close(value["y"], X @ W)
    ct = {"y": np.array([1.0, -1.0]), "x": np.ones(3)}
    dx, dw = pullback(ct)
    close(dx, W @ ct["y"] + 1)
    close(dw, np.outer(X, ct["y"]))


def test_vjp_with_aux_gives_it_last():
    value, pullback, aux = mind.vjp(lambda x: (mind.sum(x), (2 * x, "n" and 1)), X, has_aux=True, **ON)
    close(value, X.sum())
    close(aux[0], 2 * X)
    close(pullback(2.0)[0], np.full(3, 2.0))


def test_integers_have_zeros_as_gradients_and_tangents():
    fn = lambda x, n: (x * 2, n * 2)  # noqa: E731
    n = np.arange(3)
    _, pullback = mind.vjp(fn, X, n, **ON)
    dx, dn = pullback((np.ones(3), np.zeros(3, np.int64)))
    close(dx, np.full(3, 2.0))
    assert_same_bits(dn, np.zeros(3, np.int64))
    value, tangent = mind.jvp(fn, (X, n), (np.ones(3), np.zeros(3, np.int64)), **ON)
    close(tangent[0], np.full(3, 2.0))
    assert_same_bits(value[1], n * 2)
    assert_same_bits(tangent[1], np.zeros(3, np.int64))
    assert error_of(lambda: pullback((np.ones(3), np.ones(3, np.int64)))).code == "E5005"
    assert error_of(lambda: mind.jvp(fn, (X, n), (X, n), **ON)).code == "E5005"


def test_jvp_is_the_derivative_in_a_direction():
    v = np.array([1.0, 2.0, 3.0])
    value, tangent = mind.jvp(lambda x: (mind.sum(x * x), x * 3), (X,), (v,), **ON)
    close(value[0], X @ X)
    close(tangent[0], 2 * X @ v)
    close(tangent[1], 3 * v)


def test_linearize_gives_a_linear_function():
    value, derivative = mind.linearize(lambda x, s: mind.exp(x) * s, X, 2.0 * X, **ON)
    a, b = (X, 0 * X), (X * X, X)
    close(value, np.exp(X) * 2 * X)
    close(derivative(*a), np.exp(X) * 2 * X * X)
    total = derivative(*(3 * p + q for p, q in zip(a, b)))
    close(total, 3 * derivative(*a) + derivative(*b))


@pytest.mark.parametrize("transform", [mind.vjp, mind.linearize])
def test_the_second_function_computes_nothing_again(transform, monkeypatch):
    """What it needs of the value's computation is kept: no exponential is left in it."""
    modules = []
    original = Program.__init__
    monkeypatch.setattr(Program, "__init__", lambda p, m, o: (modules.append(m), original(p, m, o))[1])
    transform(lambda x, w: mind.relu(mind.exp(x) @ w), X, W, **ON)
    first, second = modules
    assert {"Exp", "MatMul", "Dot"} & {o.opcode for o in first.operations}
    assert "Exp" not in {o.opcode for o in second.operations}


def test_an_array_written_after_the_value_changes_no_derivative():
    x, w = X.copy(), W.copy()
    _, pullback = mind.vjp(lambda x, w: x @ w, x, w, **ON)
    _, derivative = mind.linearize(lambda x: x * x, x, **ON)
    t = mind.trace(lambda x: mind.sum(x * x), x)
    x[:], w[:] = 0, 0
    close(pullback(np.ones(2))[0], W.sum(1))
    close(derivative(np.ones(3)), 2 * X)
    close(mind.backward_on_trace(t, 1.0, **ON)[0], 2 * X)


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (lambda: mind.vjp(lambda x: (x, x), X, **ON)[1](X), "E6009", "nested"),
        (lambda: mind.vjp(lambda x: x, X, **ON)[1](X[:2]), "E6009", "the cotangent is tensor<f64[2]>"),
        (lambda: mind.vjp(lambda x: {"a": x}, X, **ON)[1]({"a": np.float32(X)}), "E6009", "the cotangent['a']"),
        (lambda: mind.vjp(lambda x: x, X, **ON)[1](1.0), "E6009", "tensor<f64[]>"),
        (lambda: mind.vjp(lambda x: x, 3, **ON), "E5005", "no float"),
        (lambda: mind.vjp(lambda x: None, X, **ON), "E5004", "no array"),
        (lambda: mind.jvp(lambda x: None, (X,), (X,), **ON), "E5004", "no array"),
        (lambda: mind.linearize(lambda x: [], X, **ON), "E5004", "no array"),
        (lambda: mind.jvp(cube, (X,), (X, X), **ON), "E6009", "nested"),
        (lambda: mind.jvp(cube, (X,), (W,), **ON), "E6009", "tensor<f64[3, 2]>"),
        (lambda: mind.jvp(cube, X, X, **ON), "E6009", "a tuple of arguments"),
        (lambda: mind.linearize(cube, X, **ON)[1](), "E6009", "nested"),
    ],
)
def test_a_wrong_tangent_is_an_error(call, code, said):
    error = error_of(call)
    assert error.code == code
    assert said in str(error)


def test_a_pullback_takes_traced_cotangents():
    _, pullback = mind.vjp(lambda x: x * x, X, **ON)
    close(grad(lambda ct: mind.sum(pullback(ct)[0]))(X), 2 * X)


# Jacobians


def both(fn, *args, **options):
    return [j(fn, **options, **ON)(*args) for j in (mind.jacfwd, mind.jacrev)]


def test_a_jacobian_has_the_shape_of_the_result_and_of_the_argument():
    for found in both(lambda w: X @ w, W):
        expected = np.zeros((2, 3, 2))
        for j in range(2):
            expected[j, :, j] = X
        close(found, expected)


def test_jacobians_are_nested_twice():
    fn = lambda p, y: {"s": p["a"] * p["b"], "t": (mind.sum(y * y),)}  # noqa: E731
    for found in both(fn, {"a": 2.0, "b": 3.0}, X, argnums=(1, 0)):
        close(found["s"][1]["a"], 3)
        close(found["s"][1]["b"], 2)
        close(found["s"][0], np.zeros(3))
        close(found["t"][0][0], 2 * X)


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 0)])
def test_jacobians_of_few_elements(shape):
    x = np.ones(shape)
    for found in both(lambda x: 3 * x, x):
        close(found, 3 * np.eye(x.size).reshape(shape + shape))


def test_a_jacobian_in_a_trace_has_the_same_numbers():
    fn = lambda x: mind.exp(x) * mind.sum(x)  # noqa: E731
    for transform in (mind.jacfwd, mind.jacrev):
        alone = transform(fn, **ON)(X)
        close(mind.jit(transform(fn), **ON)(X), alone)
        close(mind.jit(lambda x, t=transform: t(fn)(x) @ x, **ON)(X), alone @ X)
    w = lambda w: w @ w.T  # noqa: E731
    close(mind.jit(mind.jacrev(w), **ON)(W), mind.jacfwd(w, **ON)(W))
    close(mind.jit(mind.jacfwd(w), **ON)(W), mind.jacrev(w, **ON)(W))
    assert mind.jit(mind.jacfwd(fn), **ON)(np.zeros(0)).shape == (0, 0)


def test_a_hessian_is_nested_as_result_and_twice_as_arguments():
    a = RNG.standard_normal((3, 3))
    close(mind.hessian(lambda x: x @ a @ x, **ON)(X), a + a.T)
    h = mind.hessian(lambda p: p["x"] @ a @ p["y"], **ON)({"x": X, "y": X})
    close(h["x"]["y"], a)
    close(h["y"]["x"], a.T)
    close(h["x"]["x"], np.zeros((3, 3)))
    h = mind.hessian(lambda x, y: x @ a @ y, argnums=(0, 1), **ON)(X, X)
    close(h[0][1], a)


def test_a_jacobian_of_integers_is_an_error():
    for transform in (mind.jacfwd, mind.jacrev):
        assert error_of(lambda t=transform: t(lambda x: x > 0, **ON)(X)).code == "E5004"
        assert error_of(lambda t=transform: t(lambda x: x, **ON)(3)).code == "E5005"


# Traces


def test_backward_on_trace_takes_a_trace():
    with pytest.raises(mind.MindError, match=r"E6009.*what mind\.trace gives, found a function"):
        mind.backward_on_trace(lambda x: x, 1.0)


def test_backward_on_trace_gives_gradients_nested_as_the_arguments():
    t = mind.trace(lambda x, p, *, s: (x @ p["w"] * s, p["n"]), X, {"w": W, "n": 3}, s=2.0 * X[0])
    dx, dp = mind.backward_on_trace(t, (np.ones(2), 0), **ON)
    close(dx, 2 * X[0] * W.sum(1))
    close(dp["w"], 2 * X[0] * np.outer(X, np.ones(2)))
    assert_same_bits(dp["n"], np.array(0))


def test_a_trace_says_what_it_takes_and_gives():
    t = mind.trace(cube, mind.f32(3))
    assert repr(t) == "<Trace of cube: (x: tensor<f32[3]>) -> tensor<f32[]>>"


def test_a_trace_of_types_has_no_gradients_to_give():
    t = mind.trace(lambda x: mind.sum(x), mind.f32(3))
    assert error_of(lambda: mind.backward_on_trace(t, 1.0)).code == "E6009"
    assert mind.differentiate(t.module).gradients


def test_a_module_of_a_trace_is_what_the_compiler_takes():
    t = mind.trace(lambda x, w: mind.relu(x @ w), X, W)
    (found,) = mind.interpret(t.module, X, W)
    assert_same_bits(found, mind.jit(lambda x, w: mind.relu(x @ w), **ON)(X, W))


@pytest.mark.parametrize("transform", [mind.grad, mind.value_and_grad, mind.jacfwd, mind.jacrev, mind.hessian])
def test_arguments_in_the_place_of_argnums_are_told_before_any_call(transform):
    for given in (3.0, "x", (0, 1.0)):
        with pytest.raises(mind.MindError) as failure:
            transform(lambda x: x * x, given)
        assert failure.value.code == "E5005"
        assert "grad(f)(x)" in failure.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("result", "shown"),
    [(lambda x: None, "gives None"), (lambda x: {"a": x, "b": (x, x)}, "gives {'a': *, 'b': (*, *)}")],
)
def test_a_nested_result_of_grad_is_shown_as_it_is_written(result, shown):
    with pytest.raises(mind.MindError, match=r"E5004") as failure:
        mind.grad(result)(1.0)
    assert failure.value.message.endswith(shown)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_a_branch_not_chosen_gives_nan_where_its_derivative_is_infinite(target):
    def masked(x):
        return mind.sum(mind.where(x > 0, mind.log(x), 0))

    def safe(x):
        return mind.sum(mind.where(x > 0, mind.log(mind.where(x > 0, x, 1)), 0))

    x = np.float64([0, 1, 4])
    assert np.array_equal(mind.grad(masked, target=target)(x), [np.nan, 1, 0.25], equal_nan=True)
    assert mind.grad(safe, target=target)(x).tolist() == [0, 1, 0.25]


@pytest.mark.parametrize(
    "make",
    [
        lambda f: mind.jit(f),
        lambda f: mind.grad(f),
        lambda f: mind.hessian(f),
        lambda f: mind.vjp(f, 1.0),
        lambda f: mind.jvp(f, (1.0,), (1.0,)),
        lambda f: mind.linearize(f, 1.0),
        lambda f: mind.trace(f, 1.0),
        lambda f: mind.custom_vjp(f),
        lambda f: mind.custom_jvp(lambda x: x, f),
        lambda f: mind.custom_vjp(lambda x: x).def_vjp(f),
    ],
)
def test_what_is_no_function_is_an_error(make):
    with pytest.raises(mind.MindError, match="a function is expected, found a float") as caught:
        make(3.0)
    assert caught.value.code == "E6009"
