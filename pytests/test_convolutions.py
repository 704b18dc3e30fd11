"""Conv2d and its two adjoints against their definitions, term by term.  docs/semantics.md, Conv2d, Contractions."""

import itertools

import numpy as np
import pytest
from support import alone, assert_agrees, assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import (
    DType,
    TensorType,
    lowering,  # noqa: F401  registers its passes
)
from mind_mlir.ir import OPS
from mind_mlir.ops._convolution import pads
from mind_mlir.passes import Pipeline

FILTERS = [(1, 1, 2, 3), (3, 2, 2, 3), (2, 5, 1, 4)]
INPUTS = [(2, 5, 6), (1, 4, 7)]
STRIDES = [(1, 1), (2, 2), (3, 1)]
PADDINGS = ["Valid", "Same", ((1, 2), (0, 3))]

CASES = [
    pytest.param((*i, f[2]), f, s, p, id=f"{[*i, f[2]]}-{list(f)}-{list(s)}-{p}".replace(" ", ""))
    for i, f, s, p in itertools.product(INPUTS, FILTERS, STRIDES, PADDINGS)
    if p != "Valid" or (f[0] <= i[1] and f[1] <= i[2])
]
every_case = pytest.mark.parametrize(("input", "filter", "strides", "padding"), CASES)


def terms(input, filter, strides, padding, out):
    """(i, j, n, oy, ox, y, x) for every position of every window, where y and x may lie in the padding."""
    (top, _), (left, _) = pads(input, filter, strides, padding)
    for i, j, n, oy, ox in itertools.product(range(filter[0]), range(filter[1]), *map(range, out[:3])):
        yield i, j, n, oy, ox, oy * strides[0] + i - top, ox * strides[1] + j - left


def inside(y, x, input):
    return 0 <= y < input[1] and 0 <= x < input[2]


def case(input, filter, strides, padding, dtype=DType.F32):
    """Arrays x, w and ct of a convolution, of both signs over six decades: almost any other order gives other bits."""
    types = TensorType(dtype, input), TensorType(dtype, filter)
    out = OPS["Conv2d"](strides, padding).infer_type(*types)
    rng = np.random.default_rng(0)
    if not dtype.is_float:
        return [random_array(t, rng, special=True) for t in (*types, out)]
    return [
        (rng.standard_normal(t.shape) * 10 ** rng.uniform(-3, 3, t.shape)).astype(dtype.numpy) for t in (*types, out)
    ]


def run_both(op, *arrays):
    """What interpret and native code give, which agree: to the bit in strict, up to rounding by default."""
    m = alone(op, [TensorType.of_array(a) for a in arrays])
    value = mind.interpret(m, *arrays)
    for numerics in ("strict", "default"):
        assert_agrees(m, arrays, mind.compile(m, numerics=numerics)(*arrays), value, numerics)
    return value[0]


@every_case
def test_the_adjoint_in_the_input_adds_what_exists_in_ascending_window_row_column_and_filter(
    input, filter, strides, padding
):
    x, w, ct = case(input, filter, strides, padding)
    expected = np.zeros_like(x)
    for i, j, n, oy, ox, y, x_ in terms(input, filter, strides, padding, ct.shape):
        if inside(y, x_, input):
            for f in range(filter[3]):
                expected[n, y, x_] = expected[n, y, x_] + ct[n, oy, ox, f] * w[i, j, :, f]
    op = OPS["Conv2dBackwardInput"](input, strides, padding)
    assert_same_bits(run_both(op, ct, w), expected)


@every_case
def test_the_adjoint_in_the_filter_adds_in_ascending_example_row_and_column(input, filter, strides, padding):
    x, w, ct = case(input, filter, strides, padding)
    expected = np.zeros_like(w)
    for i, j, n, oy, ox, y, x_ in terms(input, filter, strides, padding, ct.shape):
        seen = x[n, y, x_] if inside(y, x_, input) else np.zeros(input[3], x.dtype)
        expected[i, j] = expected[i, j] + seen[:, np.newaxis] * ct[n, oy, ox]
    op = OPS["Conv2dBackwardFilter"](filter, strides, padding)
    assert_same_bits(run_both(op, x, ct), expected)


@every_case
def test_both_are_the_adjoints_of_the_convolution(input, filter, strides, padding):
    x, w, ct = case(input, filter, strides, padding, DType.I64)  # integers wrap: the products agree exactly
    y = OPS["Conv2d"](strides, padding).evaluate(x, w)
    back = OPS["Conv2dBackwardInput"](input, strides, padding).evaluate(ct, w)
    weights = OPS["Conv2dBackwardFilter"](filter, strides, padding).evaluate(x, ct)
    product = np.sum(y * ct)
    assert np.sum(x * back) == product
    assert np.sum(w * weights) == product


def test_the_data_tells_orders_apart():
    input, filter, strides, padding = (2, 5, 6, 2), (3, 2, 2, 3), (1, 1), "Same"
    x, w, ct = case(input, filter, strides, padding)
    there = run_both(OPS["Conv2dBackwardInput"](input, strides, padding), ct, w)
    turned = run_both(OPS["Conv2dBackwardInput"](input, strides, padding), ct[..., ::-1].copy(), w[..., ::-1].copy())
    assert (there != turned).any()
    there = run_both(OPS["Conv2dBackwardFilter"](filter, strides, padding), x, ct)
    turned = run_both(OPS["Conv2dBackwardFilter"](filter, strides, padding), x[::-1].copy(), ct[::-1].copy())
    assert (there != turned).any()


def test_an_infinity_in_the_filter_does_not_reach_where_no_term_exists():
    w = np.float32([[np.inf, 1.0], [1.0, np.inf]]).reshape(2, 2, 1, 1)
    ct = np.zeros((1, 2, 2, 1), np.float32)
    ct[0, 0, 0, 0] = 2.0
    back = run_both(OPS["Conv2dBackwardInput"]((1, 5, 5, 1), (2, 2), ((0, 0), (0, 0))), ct, w)[0, :, :, 0]
    assert_same_bits(back[:2, :2], np.float32([[np.inf, 2.0], [2.0, np.inf]]))
    assert np.isnan(back[[0, 1, 2, 3, 2, 3], [2, 3, 0, 1, 2, 3]]).all()  # the zeros of the cotangent are terms
    assert_same_bits(back[4], np.zeros(5, np.float32))  # no window sees the last row and column
    assert_same_bits(back[:, 4], np.zeros(5, np.float32))


def test_padding_takes_part_in_the_sum_of_the_adjoint_in_the_filter():
    x = np.ones((1, 2, 2, 1), np.float32)
    ct = np.full((1, 2, 2, 1), np.inf, np.float32)
    weights = run_both(OPS["Conv2dBackwardFilter"]((3, 3, 1, 1), (1, 1), "Same"), x, ct)[:, :, 0, 0]
    assert np.isnan(weights[[0, 2], :]).all()
    assert weights[1, 1] == np.inf
    nothing = np.ones((1, 0, 2, 1), np.float32)
    op = OPS["Conv2dBackwardFilter"]((1, 1, 1, 1), (1, 1), ((0, 2), (0, 0)))
    assert np.isnan(run_both(op, nothing, ct)).all()  # the input is padding alone


@pytest.mark.parametrize("opcode", ["Conv2dBackwardInput", "Conv2dBackwardFilter"])
def test_a_formula_is_computed_once_and_not_in_the_loops_of_the_convolution(opcode):
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(1, 6, 6, 2)), b.Input("y", mind.f32(1, 4, 4, 3))
    w = b.Input("w", mind.f32(3, 3, 2, 3))

    def formula(v):
        return b.Select(b.Greater(v, b.zeros(v.type.with_shape(()))), b.Exp(v), v)

    if opcode == "Conv2dBackwardInput":
        made = b.Conv2dBackwardInput(formula(y), formula(w), x.shape, (1, 1), "Valid")
    else:
        made = b.Conv2dBackwardFilter(formula(x), formula(y), w.shape, (1, 1), "Valid")
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse").run(b.finish([made])))
    (loops,) = [body for body in text.split("linalg.generic")[1:] if '"reduction"' in body]
    assert "arith.mulf" in loops
    assert "arith.select" not in loops.split("linalg.yield")[0]


def test_loops_whose_result_has_a_sum_as_index_keep_their_order():
    from mind_mlir.ir import Source
    from mind_mlir.lowering.mlir.pass_driver import parse_mlir

    text = """
    func.func @main(%x: memref<4x5xf32>, %w: memref<3x5xf32>, %y: memref<6x5xf32>) {
      linalg.generic {
        indexing_maps = [affine_map<(o, c, i) -> (o, c)>, affine_map<(o, c, i) -> (i, c)>,
                         affine_map<(o, c, i) -> (o + i, c)>],
        iterator_types = ["reduction", "parallel", "reduction"]
      } ins(%x, %w : memref<4x5xf32>, memref<3x5xf32>) outs(%y : memref<6x5xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %acc, %p : f32
        linalg.yield %s : f32
      }
      return
    }"""
    module = parse_mlir(Source("spread.mlir", text))
    before = str(module)
    assert str(Pipeline.parse("order-loops", Pipeline.parse("lower-to-linalg").end).run(module)) == before
