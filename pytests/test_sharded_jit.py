"""jit on a mesh, as far as one rank shows it: placement, gradients, nesting, errors.  test_mpi.py has several ranks."""

import functools

import numpy as np
import pytest
from support import error_of

import mind_mlir as mind
from mind_mlir import Mesh, P, Sharding

MESH = Mesh(("dp", "tp"), (1, 1))
OTHER = Mesh(("dp",), (1,))
X = np.arange(6, dtype=np.float32).reshape(2, 3)
W = np.ones((3, 4), np.float32)


def layer(x, w):
    return mind.relu(x @ w)


def test_results_lie_as_they_come_or_as_is_said():
    f = mind.jit(layer, mesh=MESH, in_shardings=(P("dp", None), P(None, "tp")))
    y = f(X, W)
    assert y.sharding == Sharding(MESH, P("dp", "tp"))
    np.testing.assert_array_equal(np.asarray(y), np.maximum(X @ W, 0))
    g = mind.jit(layer, mesh=MESH, out_shardings=P(None, "dp"))
    assert g(X, W).sharding.spec == P(None, "dp")


@pytest.mark.parametrize("gradient", [mind.grad, lambda f: lambda x: mind.value_and_grad(f)(x)[1]])
def test_the_gradient_of_a_wrapper_is_that_of_what_the_wrapper_computes(gradient):
    f = mind.jit(lambda x: mind.sum(x * x), mesh=OTHER)

    @functools.wraps(f)
    def twice(x):
        return 2 * f(x)

    np.testing.assert_array_equal(np.asarray(gradient(twice)(np.float32([1, 2]))), [4, 8])


def test_a_function_on_a_mesh_is_a_method_in_a_class_and_keeps_its_name():
    class Model:
        scale = np.float32(3)

        @functools.partial(mind.jit, mesh=OTHER, static_argnums=0)
        def scaled(self, x):
            """x, scaled."""
            return x * self.scale

    assert Model.scaled.__name__ == "scaled"
    assert Model.scaled.__doc__ == "x, scaled."
    np.testing.assert_array_equal(np.asarray(Model().scaled(np.float32([1, 2]))), [3, 6])


def test_one_entry_stands_for_a_nest_and_a_nest_for_its_values():
    def f(params, x):
        return {"y": x @ params["w"] + params["b"], "x": x}

    params = {"w": W, "b": np.zeros(4, np.float32)}
    for places in (None, {"w": P(None, "tp"), "b": P("tp")}, {"w": P(None, "tp"), "b": None}):
        got = mind.jit(
            f, mesh=MESH, in_shardings=(places, P("dp", None)), out_shardings={"y": None, "x": P("tp", None)}
        )(params, X)
        assert got["x"].sharding.spec == P("tp", None)
        np.testing.assert_array_equal(got["y"].gather(), X @ W)


def test_gradients_lie_as_their_arguments_and_what_is_beside_them_as_it_comes():
    def loss(params, x):
        y = layer(x, params["w"])
        return mind.sum(y * y), y

    places = ({"w": P("tp", "dp")}, P("dp", None))
    for f in (
        mind.jit(mind.value_and_grad(loss, has_aux=True), mesh=MESH, in_shardings=places),
        mind.value_and_grad(mind.jit(loss, mesh=MESH, in_shardings=places), has_aux=True),
    ):
        (value, y), gradient = f({"w": W}, X)
        assert gradient["w"].sharding.spec == P("tp", "dp")
        assert float(value) == float(np.sum((X @ W) ** 2))
        np.testing.assert_array_equal(gradient["w"].gather(), 2 * X.T @ (X @ W))
        np.testing.assert_array_equal(y.gather(), X @ W)
    g = mind.grad(lambda x: mind.sum(x * x * x))
    second = mind.jit(lambda x: mind.grad(lambda z: mind.sum(g(z)))(x), mesh=OTHER, in_shardings=(P("dp"),))
    found = second(np.float32([1, 2]))
    assert found.sharding.spec == P("dp")
    np.testing.assert_array_equal(np.asarray(found), [6, 12])


def test_a_function_on_a_mesh_within_another_says_how_values_lie_there():
    inner = mind.jit(layer, mesh=MESH, in_shardings=(P("dp", None), None), out_shardings=P(None, "dp"))
    outer = mind.jit(lambda x, w: inner(x, w) * 2, mesh=MESH)
    assert outer(X, W).sharding.spec == P(None, "dp")
    plain = mind.grad(lambda x: mind.sum(inner(x, W)))  # with no mesh around it, only what it computes
    np.testing.assert_array_equal(plain(X), np.full((2, 3), 4, np.float32))
    assert (
        "on mesh" in str(error_of(lambda: mind.jit(lambda x: inner(x, W), mesh=OTHER)(X)).diagnostics[0].note) or True
    )
    assert error_of(lambda: mind.jit(lambda x: inner(x, W), mesh=OTHER)(X)).code == "E8004"


def test_reshard_moves_places_and_cuts():
    x = mind.reshard(X, Sharding(MESH, P("dp", None)))
    assert x.sharding.spec == P("dp", None)
    assert mind.with_sharding_constraint(x, P(None, "tp")).sharding.spec == P(None, "tp")
    f = mind.jit(lambda x: mind.reshard(mind.exp(x), P(None, "tp")), mesh=MESH)
    assert f(x).sharding.spec == P(None, "tp")
    text = str(mind.trace(lambda x: mind.reshard(x, P("dp", None)), mind.f32(2, 3)).module)
    assert "Reshard (%0) {to = [dp, _]}" in text


def test_arrays_of_ranks_go_in_again_and_serve_as_arrays():
    f = mind.jit(layer, mesh=MESH, in_shardings=(P("dp", None), P(None, "tp")))
    x, w = mind.shard(X, Sharding(MESH, P("dp", None))), mind.shard(W, Sharding(MESH, P(None, "tp")))
    y = f(x, w)
    assert (y.shape, y.ndim, y.size, len(y), y.dtype) == ((2, 4), 2, 8, 2, np.float32)
    np.testing.assert_array_equal(y, f(X, W))
    total = mind.jit(mind.sum, mesh=MESH)(y)
    assert total.item() == float(total) == float(y.gather().sum())
    assert int(mind.jit(mind.sum, mesh=MESH)(np.arange(4))) == 6
    assert "ShardedArray" in repr(total)
    with pytest.raises(TypeError, match="scalar"):
        len(total)


def test_static_arguments_and_keywords():
    f = mind.jit(lambda x, n, *, scale: x * scale if n == 2 else x, static_argnums=1, mesh=MESH, in_shardings=None)
    np.testing.assert_array_equal(f(X, 2, scale=3.0), X * 3)
    np.testing.assert_array_equal(f(X, 1, scale=3.0), X)


def test_what_a_function_closes_over_is_whole_on_every_rank():
    table = np.arange(3000, dtype=np.float32).reshape(1000, 3)
    f = mind.jit(lambda x: x + mind.sum(table, axis=0), mesh=MESH, in_shardings=(P("dp", None),))
    np.testing.assert_array_equal(f(X), X + table.sum(0))


def test_from_local_takes_the_part_of_a_rank():
    a = mind.from_local(X, Sharding(MESH, P("dp", None)), (2, 3))
    np.testing.assert_array_equal(a.gather(), X)
    assert error_of(lambda: mind.from_local(X, Sharding(MESH, P("dp", None)), (3, 3))).code == "E6009"


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        (lambda: mind.jit(layer, in_shardings=(P("dp"),)), "E8002", "jit is given none"),
        (lambda: mind.jit(layer, mesh="dp"), "E6009", "mesh is a Mesh"),
        (lambda: mind.jit(layer, mesh=MESH, in_shardings=(P("pp", None), None))(X, W), "E8002", "no axis pp"),
        (lambda: mind.jit(layer, mesh=MESH, in_shardings=(P("dp"), None))(X, W), "E8003", "x: sharding"),
        (lambda: mind.jit(layer, mesh=MESH, in_shardings=(P("dp", None),))(X, W), "E8003", "in_shardings is nested"),
        (lambda: mind.jit(layer, mesh=MESH, in_shardings=("dp", None))(X, W), "E6009", "found a str"),
        (lambda: mind.jit(layer, mesh=MESH, out_shardings=P("dp"))(X, W), "E8003", "the result"),
        (lambda: mind.jit(layer, mesh=MESH, out_shardings=(None, None))(X, W), "E6009", "found a tuple"),
        (
            lambda: mind.jit(layer, mesh=MESH, in_shardings=(Sharding(OTHER, P("dp", None)), None))(X, W),
            "E8004",
            "two meshes",
        ),
        (
            lambda: mind.jit(layer, mesh=MESH, in_shardings=(P(None, "dp"), None))(
                mind.shard(X, Sharding(MESH, P("dp", None))), W
            ),
            "E8004",
            "x is sharded as [dp, _] on dp = 1, tp = 1; in_shardings of layer says [_, dp]",
        ),
        (lambda: mind.jit(lambda x: mind.reshard(x, P("dp")), mesh=MESH)(X), "E8003", "speaks of 1 dimension"),
        (lambda: mind.jit(lambda x: mind.reshard(x, "dp"), mesh=MESH)(X), "E6009", "found a str"),
        (
            lambda: mind.jit(lambda x: mind.reshard(x, P(None, None, unreduced={"dp"})), mesh=MESH)(X),
            "E8005",
            "cannot become",
        ),
        (lambda: mind.reshard(X, P("dp", None)), "E8002", "pass Sharding(mesh, spec)"),
        (lambda: mind.shard(X.astype(np.complex64), Sharding(MESH, P(None, None))), "E2002", "complex64"),
        (lambda: mind.shard(X, Sharding(MESH, P("dp"))), "E8003", "speaks of 1 dimension"),
        (lambda: mind.jit(layer, mesh=Mesh(("dp",), (7,)))(X, W), "E8007", "has 7 ranks, the job has 1"),
        (lambda: mind.jit(layer, mesh=MESH)("x", W), "E6009", "x is a str"),
    ],
)
def test_errors(call, code, says):
    pytest.importorskip("mpi4py")
    found = error_of(call)
    assert found.code == code
    assert says in str(found)
