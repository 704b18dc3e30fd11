"""Operations between ranks, on simulated ranks: their adjoints are transposes, ⟨Jv, w⟩ = ⟨v, Jᵀw⟩ over all ranks."""

import itertools

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import Builder, Mesh, f64
from mind_mlir.passes.gradient import gradient
from mind_mlir.passes.linearize import linearize

SIZES = [2, 3]

VARYING = {
    "AllReduce": lambda b, x, n: b.AllReduce(x, "dp", n),
    "AllGather of rows": lambda b, x, n: b.AllGather(x, "dp", n, 0),
    "AllGather of columns": lambda b, x, n: b.AllGather(x, "dp", n, 1),
    "ReduceScatter of rows": lambda b, x, n: b.ReduceScatter(x, "dp", n, 0),
    "ReduceScatter of columns": lambda b, x, n: b.ReduceScatter(x, "dp", n, 1),
    "AllToAll to columns": lambda b, x, n: b.AllToAll(x, "dp", n, 0, 1),
    "AllToAll to rows": lambda b, x, n: b.AllToAll(x, "dp", n, 1, 0),
    "AllToAll of rows": lambda b, x, n: b.AllToAll(x, "dp", n, 0, 0),
    "two in a row": lambda b, x, n: b.AllReduce(b.AllGather(x, "dp", n, 1) * b.AllGather(x, "dp", n, 1), "dp", n),
    "largest": lambda b, x, n: b.AllReduce(x, "dp", n, "max"),
    "smallest": lambda b, x, n: b.AllReduce(x * x, "dp", n, "min"),
}
"""From a value of each rank to one of each rank."""


def module(n, make, axes=("dp",)):
    b = Builder(mesh=Mesh(axes, (n,) * len(axes)))
    return b.finish([make(b, b.Input("x", f64(2 * n, 3 * n)), n)])


def values(n, type, seed, alike=False):
    rng = np.random.default_rng(seed)
    first = rng.standard_normal(type.shape)
    return [first if alike else rng.standard_normal(type.shape) for _ in range(n)]


def products(a, b):
    """⟨a, b⟩ over all ranks."""
    return sum(float((x * y).sum()) for x, y in zip(a, b))


def forward_and_back(m, n, v_alike=False, w_alike=False):
    """x, v, w, Jv, Jᵀw on every rank."""
    (x_type,), (y_type,) = [o.type for o in m.inputs], m.output_types
    x, v = values(n, x_type, 1, v_alike), values(n, x_type, 2, v_alike)
    w = values(n, y_type, 3, w_alike)
    jv = [r[1] for r in mind.simulate(linearize(m), list(zip(x, v)))]
    jtw = [r[1] for r in mind.simulate(gradient(m, seed="input"), list(zip(x, w)))]
    return x, v, w, jv, jtw


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", VARYING)
def test_the_adjoint_is_the_transpose_over_all_ranks(name, n):
    m = module(n, VARYING[name])
    x, v, w, jv, jtw = forward_and_back(m, n)
    np.testing.assert_allclose(products(jv, w), products(v, jtw), rtol=1e-10)
    h = 1e-6  # and the jvp is the derivative
    ahead = mind.simulate(m, [[a + h * b] for a, b in zip(x, v)])
    behind = mind.simulate(m, [[a - h * b] for a, b in zip(x, v)])
    for a, b, d in zip(ahead, behind, jv):
        np.testing.assert_allclose((a[0] - b[0]) / (2 * h), d, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", VARYING)
def test_the_derivative_of_the_derivative_is_right_too(name, n):
    m = gradient(module(n, lambda b, x, n: b.Sum(VARYING[name](b, x * x, n), (), False)), seed="ones")
    m = mind.canonicalize(mind.Module(m.operations, m.outputs[1:], mesh=m.mesh))
    _, v, w, jv, jtw = forward_and_back(m, n)
    np.testing.assert_allclose(products(jv, w), products(v, jtw), rtol=1e-10)


INVARIANT = {
    # name: (operation, its operand counts once, its result counts once)
    "AllReduce to one value": (lambda b, x, n: b.AllReduce(x, "dp", n, "sum", True), False, True),
    "AllReduce of the largest to one value": (lambda b, x, n: b.AllReduce(x, "dp", n, "max", True), False, True),
    "PVary": (lambda b, x, n: b.PVary(x, "dp", n), True, False),
    "AllGather of rows to one value": (lambda b, x, n: b.AllGather(x, "dp", n, 0, True), False, True),
    "AllGather of columns to one value": (lambda b, x, n: b.AllGather(x, "dp", n, 1, True), False, True),
    "ShardSlice of rows": (lambda b, x, n: b.ShardSlice(x, "dp", n, 0), True, False),
    "ShardSlice of columns": (lambda b, x, n: b.ShardSlice(x, "dp", n, 1), True, False),
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", INVARIANT)
def test_what_counts_once_counts_once(name, n):
    """A value that all ranks share is one term of the product, and so is its cotangent."""
    make, x_once, y_once = INVARIANT[name]
    m = module(n, make)
    _, v, w, jv, jtw = forward_and_back(m, n, x_once, y_once)

    def product(a, b, once):
        return products(a[:1], b[:1]) if once else products(a, b)

    np.testing.assert_allclose(product(jv, w, y_once), product(v, jtw, x_once), rtol=1e-10)
    for shared, once in ((jv, y_once), (jtw, x_once)):
        if once:
            assert all(np.array_equal(shared[0], s) for s in shared)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", INVARIANT)
def test_an_adjoint_has_the_operation_as_its_adjoint(name, n):
    make, *_ = INVARIANT[name]
    first = linearize(module(n, make))
    opcode = {o.opcode for o in first.operations if o.op.across_ranks}
    back = gradient(module(n, make), seed="input")
    again = gradient(mind.Module(back.operations, back.outputs[1:], mesh=back.mesh), wrt=("ct0",), seed="input")
    assert opcode & {o.opcode for o in again.operations if o.op.across_ranks}


def test_each_axis_of_a_mesh_is_its_own():
    m = module(2, lambda b, x, n: b.AllGather(b.AllReduce(x, "dp", n), "tp", n, 0), ("dp", "tp"))
    (o,) = m.inputs
    x = values(4, o.type, 1)
    found = mind.simulate(m, [[a] for a in x])
    for rank, (dp, tp) in enumerate(itertools.product(range(2), range(2))):
        assert rank == 2 * dp + tp
        np.testing.assert_array_equal(found[rank][0], np.concatenate([x[0] + x[2], x[1] + x[3]]))


def test_a_share_of_what_reaches_the_largest_goes_to_each_rank():
    m = gradient(module(2, VARYING["largest"]), seed="input")
    (o, _) = m.inputs
    alike = np.ones(o.type.shape)
    for _, g in mind.simulate(m, [[alike, alike]] * 2):
        np.testing.assert_array_equal(g, np.ones(o.type.shape))  # half of the two cotangents


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('AllReduce (%0) {axis = "pp", size = 2} : tensor<f32[4, 6]>', "E8002"),
        ('AllReduce (%0) {axis = "dp", size = 3} : tensor<f32[4, 6]>', "E8006"),
        ('AllReduce (%0) {axis = "dp", size = 0} : tensor<f32[4, 6]>', "E8006"),
        ('AllReduce (%0) {axis = "dp", size = 2, kind = "mean"} : tensor<f32[4, 6]>', "E4013"),
        ('AllReduce (%0) {axis = "dp", size = -2} : tensor<f32[4, 6]>', "E4013"),
        ('AllReduce (%0) {axis = "", size = 2} : tensor<f32[4, 6]>', "E8002"),
        ('AllGather (%0) {axis = "dp", size = 2, dim = 2} : tensor<f32[4, 6]>', "E3004"),
        ('ReduceScatter (%0) {axis = "tp", size = 4, dim = 1} : tensor<f32[4, 6]>', "E8006"),
        ('AllToAll (%0) {axis = "tp", size = 4, split = 1, concat = 0} : tensor<f32[4, 6]>', "E8006"),
        ('AllToAll (%0) {axis = "tp", size = 4, split = 0, concat = 5} : tensor<f32[4, 6]>', "E3004"),
        ('ShardSlice (%0) {axis = "tp", size = 4, dim = 1} : tensor<f32[4, 6]>', "E8006"),
        ('AllGather (%0) {axis = "dp", size = 2, dim = 0} : tensor<f32[4, 6]>', "E2001"),
        ("Reshard (%0) {to = [dp]} : tensor<f32[4, 6]>", "E8003"),
        ("Reshard (%0) {to = [pp, _]} : tensor<f32[4, 6]>", "E8002"),
        ("Reshard (%0) {to = [dp, dp]} : tensor<f32[4, 6]>", "E8003"),
        ("Reshard (%0) {to = 7} : tensor<f32[4, 6]>", "E4013"),
        ("Relu (%0) {sharding = [dp]} : tensor<f32[4, 6]>", "E8003"),
        ("Relu (%0) {sharding = [pp, _]} : tensor<f32[4, 6]>", "E8002"),
        ("Reshard (%0) {sharding = [_, _], to = [dp, _]} : tensor<f32[4, 6]>", "E8004"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(line, code):
    text = f'mesh: dp = 2, tp = 4\n%0 = Input {{name = "x"}} : tensor<f32[4, 6]>\n%1 = {line}\noutputs: %1\n'
    with pytest.raises(mind.MindError) as error:
        mind.verify(mind.parse(text))
    assert error.value.code == code
    assert "<text>:3:" in str(error.value)


def test_one_process_does_not_pretend_to_be_several():
    m = module(2, VARYING["AllReduce"])
    x = np.zeros(m.inputs[0].type.shape)
    for run in (lambda: mind.interpret(m, x), lambda: mind.simulate(m, [[x]])):
        with pytest.raises(mind.MindError) as error:
            run()
        assert error.value.code == "E8007"
    with pytest.raises(mind.MindError) as error:
        mind.compile(m, target="gpu")
    assert error.value.code == "E6003"
