"""partition: what a Reshape merges and splits stays cut where every rank holds the same elements on both sides."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_modules import arguments_for
from random_shardings import MESHES, simulated, specs

import mind_mlir as mind
from mind_mlir import Builder, Mesh, P, f32
from mind_mlir.ir import DType, TensorType


def reshaped(mesh, spec, before, after, dtype=DType.F32):
    """Exp of a Reshape, and of what comes of it split back."""
    b = Builder(mesh=mesh)
    x = b.place(b.Input("x", TensorType(dtype, before)), spec)
    y = b.Exp(b.Reshape(x, after)) if dtype.is_float else b.Reshape(x, after) + 1
    return b.finish([y, b.Reshape(y, before)])


DP = Mesh(("dp",), (4,))
GRID = Mesh(("dp", "tp"), (2, 4))


@pytest.mark.parametrize(
    ("mesh", "spec", "before", "after", "then"),
    [
        # tokens of a batch, and back
        (DP, P("dp", None, None), (8, 6, 5), (48, 5), P("dp", None)),
        (DP, P("dp", None), (48, 5), (8, 6, 5), P("dp", None, None)),
        (DP, P("dp", None), (48, 5), (8, -1, 5), P("dp", None, None)),
        (DP, P("dp", None), (8, 5), (-1,), P("dp")),
        # heads, and back
        (DP, P(None, None, "dp"), (2, 3, 12), (2, 3, 4, 3), P(None, None, "dp", None)),
        (DP, P(None, None, "dp", None), (2, 3, 4, 3), (2, 3, 12), P(None, None, "dp")),
        # extents of 1 before and behind
        (DP, P(None, "dp", None), (1, 8, 1), (4, 1, 2, 1), P("dp", None, None, None)),
        # neither extent divides the other, but four parts divide both
        (DP, P("dp", None), (12, 2), (8, 3), P("dp", None)),
        # two axes on one dimension
        (GRID, P(("dp", "tp"), None), (8, 6), (48,), P(("dp", "tp"))),
        (GRID, P(("tp", "dp"), None), (16, 6), (8, 12), P(("tp", "dp"), None)),
        (GRID, P(("dp", "tp"), None), (8, 6), (2, 24), P("dp", "tp")),
        # an outer dimension in single elements, the next one cut too, also unevenly
        (GRID, P("dp", "tp", None), (2, 8, 5), (16, 5), P(("dp", "tp"), None)),
        (GRID, P("dp", "tp"), (2, 5), (10,), P(("dp", "tp"))),
        (GRID, P(("dp", "tp")), (10,), (2, 5), P("dp", "tp")),
        # uneven, but nothing is merged with it
        (DP, P("dp", None, None), (5, 2, 3), (5, 6), P("dp", None)),
    ],
)
def test_a_reshape_that_sends_nothing(mesh, spec, before, after, then):
    from mind_mlir.passes.sharding.partition import partitioned

    m = reshaped(mesh, spec, before, after)
    p = partitioned(m)
    assert p.communication == ()
    assert p.outputs == (then, spec)
    x = np.random.default_rng(0).standard_normal(before).astype(np.float32)
    for a, b in zip(simulated(m, [x])[0], mind.interpret(m, x)):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("mesh", "spec", "before", "after", "sent", "then"),
    [
        # parts of 3 rows of 3 are 9 elements, half of 15 is 8
        (Mesh(("dp",), (2,)), P("dp", None), (5, 3), (15,), 36, P(None)),
        # the inner one of two is gathered, the outer one stays
        (GRID, P("dp", "tp"), (4, 8), (32,), 4 * 2 * 2 * 3, P("dp")),
        (GRID, P(("dp", "tp")), (32,), (4, 8), 4 * 4 * 3, P("dp", None)),
        (DP, P(None, "dp"), (3, 8), (24,), 4 * 3 * 2 * 3, P(None)),
    ],
)
def test_a_reshape_that_mixes_what_ranks_hold(mesh, spec, before, after, sent, then):
    from mind_mlir.passes.sharding.partition import partitioned

    b = Builder(mesh=mesh)
    x = b.place(b.Input("x", f32(*before)), spec)
    m = b.finish([b.Exp(b.Reshape(x, after))])
    p = partitioned(m)
    assert [c.opcode for c in p.communication] == ["AllGather"]
    assert sum(c.nbytes for c in p.communication) == sent
    assert p.outputs == (then,)


@st.composite
def shapes(draw):
    """Two shapes of the same elements."""
    primes = draw(st.lists(st.sampled_from([2, 2, 2, 3, 3, 5]), max_size=6))

    def shape():
        found = [1] * draw(st.integers(1, 4))
        for p in draw(st.permutations(primes)):
            found[draw(st.integers(0, len(found) - 1))] *= p
        return tuple(found)

    return shape(), shape()


@settings(max_examples=200)
@given(shapes=shapes(), mesh=st.sampled_from([*MESHES, Mesh(("a", "b", "c"), (2, 2, 2))]), data=st.data())
def test_reshapes_at_random(shapes, mesh, data):
    before, after = shapes
    dtype = data.draw(st.sampled_from([DType.F64, DType.I32]))
    m = reshaped(mesh, data.draw(specs(mesh, len(before))), before, after, dtype)
    if data.draw(st.booleans()):
        b = Builder(mesh=mesh)
        env = b.replay(m, [b.place(b.Input("x", m.inputs[0].type), m.inputs[0].sharding)])
        wanted = [b.Reshard(env[i], data.draw(specs(mesh, env[i].type.rank))) for i in m.outputs]
        m = b.finish(wanted)
    arrays = arguments_for(m)
    for a, b in zip(simulated(m, arrays)[0], mind.interpret(m, *arrays)):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("ranks", [2, 3, 4, 8])
def test_attention_by_heads_sends_the_sum_of_its_last_product_alone(ranks):
    """Queries and values cut by columns: heads are split off, weighted, merged, and multiplied by rows that are cut."""
    heads = 24
    text = f"""mesh: tp = {ranks}
%0 = Input {{name = "x"}} : tensor<f32[6, 4]>
%1 = Input {{name = "wq", sharding = [_, tp]}} : tensor<f32[4, {heads * 2}]>
%2 = Input {{name = "wo", sharding = [tp, _]}} : tensor<f32[{heads * 2}, 4]>
%3 = MatMul (%0, %1) : tensor<f32[6, {heads * 2}]>
%4 = Reshape (%3) {{new_shape = [6, {heads}, 2]}} : tensor<f32[6, {heads}, 2]>
%5 = Transpose (%4) {{permutation = [1, 0, 2]}} : tensor<f32[{heads}, 6, 2]>
%6 = Transpose (%4) {{permutation = [1, 2, 0]}} : tensor<f32[{heads}, 2, 6]>
%7 = MatMul (%5, %6) : tensor<f32[{heads}, 6, 6]>
%8 = Exp (%7) : tensor<f32[{heads}, 6, 6]>
%9 = MatMul (%8, %5) : tensor<f32[{heads}, 6, 2]>
%10 = Transpose (%9) {{permutation = [1, 0, 2]}} : tensor<f32[6, {heads}, 2]>
%11 = Reshape (%10) {{new_shape = [6, -1]}} : tensor<f32[6, {heads * 2}]>
%12 = MatMul (%11, %2) : tensor<f32[6, 4]>
%13 = Mul (%12, %12) : tensor<f32[6, 4]>
%14 = Sum (%13) {{axes = [], keepdims = false}} : tensor<f32[]>
outputs: %14
"""
    m = mind.parse(text.replace("f32[", "f64["))
    g = mind.differentiate(m, wrt=["wq", "wo"]).gradient_module
    found, p = simulated(g, arrays := [a * 0.1 for a in arguments_for(g)])
    assert [c.opcode for c in p.communication] == ["AllReduce"]
    assert sum(c.nbytes for c in p.communication) == 2 * 6 * 4 * 8 * (ranks - 1) // ranks
    for a, b in zip(found, mind.interpret(g, *arrays)):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
    assert math.prod(p.module.inputs[1].type.shape) == 4 * heads * 2 // ranks
