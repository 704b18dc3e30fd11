"""merge-reductions: what is one message, what stays apart, and that no bit changes."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_modules import arguments_for, modules
from random_shardings import on_a_mesh
from sharded_models import gradient_of, mesh_for, mlp

import mind_mlir as mind
from mind_mlir import Builder, Mesh, f32, f64, i32
from mind_mlir.passes import merge_reductions
from mind_mlir.passes.sharding.communication import communication
from mind_mlir.passes.sharding.partition import partitioned
from mind_mlir.runtime.mpi.pieces import piece

DP = Mesh(("dp",), (2,))
GRID = Mesh(("dp", "tp"), (2, 2))


def reductions(m):
    return [str(o.type) for o in m.operations if o.opcode == "AllReduce"]


def made(make, mesh=DP):
    b = Builder(mesh=mesh)
    return b.finish(make(b))


def on_every_rank(m, values):
    return [[a.tobytes() for a in outputs] for outputs in mind.simulate(m, values)]


def apart_and_merged(m, values, **options):
    """What a module gives as it is and merged, in bits, and the merged module."""
    merged = merge_reductions(m, **options)
    mind.verify(merged)
    assert on_every_rank(merged, values) == on_every_rank(m, values)
    assert mind.parse(str(merged)) == merged
    assert communication(merged).nbytes == communication(m).nbytes
    return merged


def several(*types, kind="sum", invariant=False, mesh=DP):
    def make(b):
        return [b.AllReduce(b.Input(f"x{n}", t), "dp", 2, kind, invariant) for n, t in enumerate(types)]

    return made(make, mesh)


AWKWARD = np.float32([0.0, -0.0, np.nan, 2.0, np.inf, -np.inf, 1e-45, -1e-45, 3.4e38, 1.0, -2.5])


def awkward(types, ranks=2):
    """Values of every kind, on each rank others."""
    return [
        [
            np.resize(np.roll(AWKWARD, r), t.shape).astype(t.dtype.numpy) if t.dtype.is_float else ints(t, r)
            for t in types
        ]
        for r in range(ranks)
    ]


def ints(t, r):
    return np.random.default_rng(r).integers(-9, 9, t.shape).astype(t.dtype.numpy)


@pytest.mark.parametrize("kind", ["sum", "max", "min"])
@pytest.mark.parametrize("dtype", [f32, f64, i32, mind.i64])
@pytest.mark.parametrize("shapes", [[(3,), ()], [(), (2, 5), (1,)], [(11,)] * 7], ids=str)
def test_no_bit_changes(shapes, dtype, kind):
    types = [dtype(*s) for s in shapes]
    with np.errstate(all="ignore"):
        merged = apart_and_merged(several(*types, kind=kind), awkward(types))
    assert len(reductions(merged)) == 1


@pytest.mark.parametrize(
    ("types", "left"),
    [
        ((f32(3), f64(3)), 2),
        ((f32(3), f64(3), f32(2)), 2),
        ((f32(1024), f32(1)), 1),
        ((f32(1025), f32(1)), 2),
        ((f32(1025), f32(1), f32(2)), 2),
        ((f32(0), f32(1)), 2),
        ((f32(2),), 1),
    ],
    ids=str,
)
def test_what_is_large_or_empty_or_of_another_type_stays_apart(types, left):
    assert len(reductions(apart_and_merged(several(*types), awkward(types)))) == left


def test_axes_kinds_and_what_counts_once_stay_apart():
    def make(b):
        x, y = b.Input("x", f32(3)), b.Input("y", f32(3))
        kinds = [("dp", 2, "sum"), ("tp", 2, "sum"), ("dp", 2, "max"), ("dp", 2, "sum", True)]
        return [b.AllReduce(v, *k) for k in kinds for v in (x, y)]

    m = made(make, GRID)
    assert len(reductions(apart_and_merged(m, awkward([f32(3), f32(3)], 4)))) == 4


def test_one_that_needs_another_comes_after_it():
    def make(b):
        x, y = b.Input("x", f32(3)), b.Input("y", f32(2))
        first = b.AllReduce(x, "dp", 2)
        second = b.AllReduce(first * first, "dp", 2)
        third = b.AllReduce(y, "dp", 2)
        fourth = b.AllReduce(b.Sum(third, axes=(0,), keepdims=True), "dp", 2)
        return [second, fourth, first, third]

    merged = apart_and_merged(made(make), awkward([f32(3), f32(2)]))
    assert reductions(merged) == ["tensor<f32[5]>", "tensor<f32[4]>"]


def test_rounds_follow_one_another_however_many_there_are():
    def make(b):
        x, y = b.Input("x", f32(3)), b.Input("y", f32(2))
        for _ in range(50):
            x, y = b.AllReduce(b.Neg(x), "dp", 2), b.AllReduce(b.Neg(y), "dp", 2)
        return [y, x]

    assert reductions(apart_and_merged(made(make), awkward([f32(3), f32(2)]))) == ["tensor<f32[5]>"] * 50


def test_a_module_with_nothing_to_merge_is_the_same_object():
    m = several(f32(3))
    assert merge_reductions(m) is m


def test_gradients_notes_and_places_in_the_text_stay():
    g = partitioned(gradient_of(mlp("dp", mesh_for("dp", 2)))).module
    merged = merge_reductions(g)
    assert len(reductions(merged)) < len(reductions(g))
    assert [(merged[x].op.name, str(merged[y].type)) for x, y in merged.gradients] == [
        (g[x].op.name, str(g[y].type)) for x, y in g.gradients
    ]
    assert list(merged.notes.values()) == list(g.notes.values())
    assert merged.output_types == g.output_types


def test_many_are_moved_a_few_times_each():
    merged = merge_reductions(several(*[f32(1000)] * 64))
    written = sum(o.type.size for o in merged.operations if o.opcode == "Add")
    assert written == 6 * 64_000  # log2(64) times all of them


def test_a_bad_limit_is_an_error():
    with pytest.raises(mind.MindError, match="largest"):
        mind.passes.Pipeline.parse("merge-reductions{largest=x}")


@settings(max_examples=100)
@given(data=st.data())
def test_random_modules_keep_their_bits(data):
    m = data.draw(on_a_mesh(data.draw(modules(None))))
    arrays = arguments_for(m)
    try:
        mind.interpret(m, *arrays)
    except mind.MindError:
        return  # an index that names no row
    p = partitioned(m)
    values = [[piece(a, m.mesh, s, r) for a, s in zip(arrays, p.inputs)] for r in range(m.mesh.size)]
    with np.errstate(all="ignore"):
        apart_and_merged(p.module, values, largest=data.draw(st.sampled_from([8, 64, 4096])))
