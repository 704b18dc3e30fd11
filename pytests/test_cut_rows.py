"""partition: tables of which each rank holds some rows, in Gather, ScatterAdd and a model with an embedding."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_shardings import MESHES, simulated, specs

import mind_mlir as mind
from mind_mlir import Builder, Mesh, P
from mind_mlir.ir import DType, TensorType
from mind_mlir.passes.sharding.partition import partitioned

TP = Mesh(("tp",), (4,))


def gathered(mesh, table, rows, how, where, oob="error", dtype=DType.F32, index=DType.I32):
    """Rows of a table that lies as `how`, by indices that lie as `where`."""
    b = Builder(mesh=mesh)
    x = b.place(b.Input("table", TensorType(dtype, table)), how)
    i = b.place(b.Input("ids", TensorType(index, rows)), where)
    return b.finish([b.Gather(x, i, oob)])


def scattered(mesh, table, rows, how, where, updates, oob="error", dtype=DType.F64):
    """Updates added to the rows of zeros that come to lie as `how`."""
    b = Builder(mesh=mesh)
    i = b.place(b.Input("ids", TensorType(DType.I64, rows)), where)
    u = b.place(b.Input("updates", TensorType(dtype, (*rows, *table[1:]))), updates)
    return b.finish([b.place(b.ScatterAdd(b.zeros(TensorType(dtype, table)), i, u, oob), how)])


def moves_of(m):
    return [(c.opcode, c.axis) for c in partitioned(m).communication]


def assert_as_one_process(m, arrays, exact=True):
    found, p = simulated(m, arrays)
    for a, b in zip(found, mind.interpret(m, *arrays)):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if exact:
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
    return p


# What is sent


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_rows_of_a_cut_table_cost_the_sum_of_what_was_picked(ranks):
    m = gathered(Mesh(("tp",), (ranks,)), (50304, 768), (1024,), P("tp", None), P(None))
    (c,) = partitioned(m).communication
    assert (c.opcode, c.nbytes) == ("AllReduce", 2 * (ranks - 1) * 1024 * 768 * 4 // ranks)


def test_a_small_table_is_gathered_for_many_indices():
    assert moves_of(gathered(TP, (16, 8), (4096,), P("tp", None), P(None))) == [("AllGather", "tp")]


def test_updates_that_are_whole_are_added_to_a_cut_table_without_sending():
    assert moves_of(scattered(TP, (50304, 8), (64,), P("tp", None), P(None), P(None, None))) == []
    assert moves_of(scattered(TP, (50304, 8), (64,), P("tp", None), P("tp"), P(None, None))) == [("AllGather", "tp")]


def test_cut_updates_give_partial_sums_of_a_small_table_and_are_gathered_for_a_large_one():
    here = P("tp"), P("tp", None)
    assert moves_of(scattered(TP, (16, 8), (4096,), P(None, None), *here)) == [("AllReduce", "tp")]
    assert moves_of(scattered(TP, (16, 8), (4096,), P("tp", None), *here)) == [("ReduceScatter", "tp")]
    assert moves_of(scattered(TP, (50304, 8), (64,), P("tp", None), *here)) == [("AllGather", "tp")] * 2


def test_a_table_cut_by_rows_takes_updates_cut_by_another_axis():
    m = scattered(Mesh(("dp", "tp"), (2, 4)), (64, 8), (4096,), P("tp", None), P("dp"), P("dp", None))
    assert moves_of(m) == [("AllReduce", "dp")]


def test_a_table_that_is_no_zeros_counts_once():
    b = Builder(mesh=TP)
    x, i = b.Input("x", mind.f64(6, 2)), b.place(b.Input("ids", mind.i64(8)), P("tp"))
    u = b.place(b.Input("u", mind.f64(8, 2)), P("tp", None))
    m = b.finish([b.ScatterAdd(x, i, u)])
    arrays = [np.ones((6, 2)), np.arange(8) % 6, np.ones((8, 2))]
    assert_as_one_process(m, arrays)


def test_rows_of_each_batch_come_to_lie_with_it():
    """The axis of the batch cuts the table as well: rows come from every rank, and each keeps its own batch."""
    m = gathered(Mesh(("dp",), (4,)), (50304, 8), (64, 4), P("dp", None), P("dp", None))
    p = partitioned(m)
    assert [c.opcode for c in p.communication] == ["AllGather", "ReduceScatter"]
    assert p.outputs == (P("dp", None, None),)


# What comes of it


@pytest.mark.parametrize(
    "mesh", [Mesh(("tp",), (n,)) for n in (2, 3, 4, 8)] + [Mesh(("dp", "tp"), (2, 2)), Mesh(("dp", "tp"), (2, 4))]
)
@pytest.mark.parametrize("extent", [1, 5, 13, 16])
@pytest.mark.parametrize("oob", ["error", "clip", "fill"])
def test_every_row_is_picked_once_and_added_once(mesh, extent, oob):
    how = P(mesh.axis_names, None)
    rows = np.random.default_rng(extent).integers(0, extent, 40)
    rows[:extent] = np.arange(extent)
    if oob != "error":
        rows[-6:] = [-1, extent, extent + 1, 2 * extent, -extent, 10**6]
    table = np.arange(1.0, 2 * extent + 1).reshape(extent, 2)
    for index in (DType.I32, DType.I64):
        for dtype in (DType.F32, DType.I32):
            m = gathered(mesh, (extent, 2), (40,), how, P(None), oob, dtype, index)
            m = with_result(m, partial(mesh))
            assert_as_one_process(m, [table.astype(dtype.numpy), rows.astype(index.numpy)])
    updates = np.arange(80).reshape(40, 2)
    m = scattered(mesh, (extent, 2), (40,), how, P(None), P(None, None), oob)
    p = assert_as_one_process(m, [rows, updates.astype(np.float64)])
    assert p.communication == ()
    for updates_lie in (P(mesh.axis_names, None), P(None, None), P(None, mesh.axis_names)):
        for table_lies in (how, P(None, None)):
            where = P(mesh.axis_names if updates_lie.axes[0] else None)
            m = scattered(mesh, (extent, 2), (40,), table_lies, where, updates_lie, oob, DType.I64)
            assert_as_one_process(m, [rows, updates])


def partial(mesh):
    return P(None, None, unreduced=mesh.axis_names)


def with_result(m, spec):
    """The module, its result placed so."""
    b = Builder(mesh=m.mesh)
    env = b.replay(m, [b.place(b.Input(o.op.name, o.type), o.sharding) for o in m.inputs])
    return b.finish([b.Reshard(b.place(env[i], spec), spec.resolved) for i in m.outputs])


def test_of_a_zero_the_sign_is_lost():
    m = with_result(gathered(TP, (4, 2), (2,), P("tp", None), P(None)), partial(TP))
    (found,), _ = simulated(m, [np.full((4, 2), -0.0, np.float32), np.int32([0, 3])])
    assert not np.signbit(found).any()


def test_rows_that_are_not_picked_do_not_matter():
    table = np.full((13, 2), np.nan, np.float32)
    table[[0, 4, 12]] = [[1, 2], [np.inf, 3], [5, -np.inf]]
    m = with_result(gathered(TP, (13, 2), (3,), P("tp", None), P(None)), partial(TP))
    assert_as_one_process(m, [table, np.int32([12, 0, 4])])


def test_padding_of_a_table_that_was_computed_is_not_picked():
    """Log makes infinities of padding; of 5 rows on 2 by 2 ranks, one rank's padding stands where another's row is."""
    b = Builder(mesh=(mesh := Mesh(("dp", "tp"), (2, 2))))
    x = b.place(b.Input("table", mind.f64(5, 2)), P(("dp", "tp"), None))
    m = b.finish([b.Gather(b.Log(x), b.Input("ids", mind.i32(5)))])
    m = with_result(m, partial(mesh))
    assert_as_one_process(m, [np.arange(1.0, 11.0).reshape(5, 2), np.int32([4, 3, 2, 1, 0])])


@pytest.mark.parametrize("bad", [-1, 5, 6, 7, 8, 100])
@pytest.mark.parametrize("where", [P(None), P("tp")])
def test_an_index_that_names_no_row_is_the_error_of_one_process(bad, where):
    """5 rows on 4 ranks are padded to 8: row 5 is nobody's though a rank has room for it."""
    rows = np.int32([0, 1, 2, 3, 4, bad, 0, 1])
    m = gathered(TP, (5, 2), (8,), P("tp", None), where)
    m = with_result(m, partial(TP))
    arrays = [np.zeros((5, 2), np.float32), rows]
    with pytest.raises(mind.MindError) as expected:
        mind.interpret(m, *arrays)
    with pytest.raises(mind.MindError) as found:
        simulated(m, arrays)
    say = [e.value.diagnostics[0] for e in (found, expected)]
    assert (say[0].code, say[0].message, say[0].label) == (say[1].code, say[1].message, say[1].label)
    assert say[0].message == f"Gather index {bad} is out of bounds for extent 5"


@settings(max_examples=150)
@given(data=st.data())
def test_rows_at_random(data):
    mesh = data.draw(st.sampled_from(MESHES))
    extent, rows = data.draw(st.integers(1, 9)), data.draw(st.sampled_from([(), (5,), (2, 3), (0,)]))
    oob = data.draw(st.sampled_from(["error", "clip", "fill"]))
    place = lambda rank: data.draw(specs(mesh, rank))  # noqa: E731
    b = Builder(mesh=mesh)
    table = b.place(b.Input("table", mind.f64(extent, 3)), place(2))
    ids = b.place(b.Input("ids", mind.i64(*rows)), place(len(rows)))
    x = b.Gather(table, ids, oob)
    if data.draw(st.booleans()):
        x = b.Reshard(x, place(x.type.rank))
    start = b.zeros(table.type) if data.draw(st.booleans()) else b.Mul(table, table)
    y = b.ScatterAdd(start, ids, b.Mul(x, x), oob)
    if data.draw(st.booleans()):
        y = b.Reshard(y, place(2))
    m = b.finish([x, y])
    bad = 0 if oob == "error" else 3
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    arrays = [rng.standard_normal((extent, 3)), rng.integers(-bad, extent + bad, rows)]
    assert_as_one_process(m, arrays, exact=False)


# An embedding in training


MODEL = """mesh: {mesh}
%0 = Input {{name = "table", sharding = [{table}]}} : tensor<f64[{v}, 6]>
%1 = Input {{name = "w", sharding = [{w}]}} : tensor<f64[6, 6]>
%2 = Input {{name = "ids", sharding = [{ids}]}} : tensor<i64[8, 3]>
%3 = Gather (%0, %2) : tensor<f64[8, 3, 6]>
%4 = Reshape (%3) {{new_shape = [24, 6]}} : tensor<f64[24, 6]>
%5 = MatMul (%4, %1) : tensor<f64[24, 6]>
%6 = Exp (%5) : tensor<f64[24, 6]>
%7 = Transpose (%0) {{permutation = [1, 0]}} : tensor<f64[6, {v}]>
%8 = MatMul (%6, %7) : tensor<f64[24, {v}]>
%9 = Mul (%8, %8) : tensor<f64[24, {v}]>
%10 = Sum (%9) {{axes = [], keepdims = false}} : tensor<f64[]>
outputs: %10
"""

LAYOUTS = {
    "tp = {n}": {"table": "tp, _", "w": "_, _", "ids": "_, _"},
    "dp = {n}": {"table": "dp, _", "w": "dp, _", "ids": "dp, _"},  # fully sharded
    "dp = 2, tp = {n}": {"table": "tp, _", "w": "_, _", "ids": "dp, _"},
    "dp = {n}, tp = 2": {"table": "[dp, tp], _", "w": "_, tp", "ids": "dp, _"},
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize(("v", "accumulate"), [(40, "deferred"), (13, "deferred"), (13, "eager")])
def test_gradients_to_second_order_of_a_model_with_a_cut_vocabulary(layout, ranks, v, accumulate):
    m = mind.parse(MODEL.format(mesh=layout.format(n=ranks), v=v, **LAYOUTS[layout]))
    m = mind.propagate_sharding(m) if accumulate == "eager" else m
    g = mind.differentiate(m, wrt=["table", "w"], accumulate=accumulate).gradient_module
    rng = np.random.default_rng(v)
    table, w, ids = rng.standard_normal((v, 6)) / 9, rng.standard_normal((6, 6)) / 9, rng.integers(0, v, (8, 3))
    p = assert_as_one_process(g, [table, w, ids], exact=False)
    assert p.outputs[1:] == p.inputs[:2]
    b = Builder(mesh=m.mesh)
    env = b.replay(g, [b.place(b.Input(o.op.name, o.type), o.sharding) for o in g.inputs])
    total = [b.Sum(b.Mul(env[i], env[i]), axes=[], keepdims=False) for i in g.outputs[1:]]
    second = mind.differentiate(b.finish([b.Add(*total)]), wrt=["table", "w"]).gradient_module
    p = assert_as_one_process(second, [table, w, ids], exact=False)
    assert p.outputs[1:] == p.inputs[:2]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_adjoint_is_the_transpose_of_the_tangent(layout):
    """⟨J v, w⟩ = ⟨v, Jᵀ w⟩, both sides on ranks: Gather is linear in the table, ScatterAdd is its adjoint."""
    inputs = mind.parse(MODEL.format(mesh=layout.format(n=3), v=13, **LAYOUTS[layout]))
    mesh, how, where = inputs.mesh, inputs.inputs[0].sharding, P(inputs.inputs[2].sharding.axes[0])
    rng = np.random.default_rng(1)
    v, w, ids = rng.standard_normal((13, 2)), rng.standard_normal((9, 2)), rng.integers(0, 13, 9)
    (forward,), _ = simulated(gathered(mesh, (13, 2), (9,), how, where, "error", DType.F64, DType.I64), [v, ids])
    (back,), _ = simulated(scattered(mesh, (13, 2), (9,), how, where, P(*where.axes, None)), [ids, w])
    np.testing.assert_allclose(np.vdot(forward, w), np.vdot(v, back), rtol=1e-12)


def test_a_step_with_a_cut_vocabulary_never_gathers_the_table():
    v = 50304
    m = mind.parse(MODEL.format(mesh="tp = 8", v=v, **LAYOUTS["tp = {n}"]))
    g = mind.differentiate(m, wrt=["table", "w"]).gradient_module
    found = partitioned(g).communication
    assert max(c.nbytes for c in found) <= 2 * 24 * 6 * 8 * 7 // 8
