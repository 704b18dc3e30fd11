"""What every number is, to the bit in numerics="strict": contractions, rounding, integers, NaNs.

The other modes are held against the same numbers, as closely as they promise.  docs/semantics.md, Same bits,
Contractions.
"""

import itertools

import numpy as np
import pytest
from support import MODES, alone, assert_agrees, assert_same_bits, nans, operands_for, poisoned, sample_id, samples_of

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, f32
from mind_mlir.ir import OPS
from mind_mlir.lowering.targets.cpus import host

DTYPES = pytest.mark.parametrize("dtype", [d for d in DType if not d.is_bool], ids=str)
FLOATS = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
INTEGERS = pytest.mark.parametrize("dtype", [DType.I32, DType.I64], ids=str)


def run_both(m, *arrays):
    """The outputs by interpret and by native code, to the bit in strict, as promised in the other modes."""
    expected = mind.interpret(m, *arrays)
    for numerics in MODES:
        assert_agrees(m, arrays, mind.compile(m, numerics=numerics)(*arrays), expected, numerics)
    return expected


def apply(op, *arrays):
    return run_both(alone(op, [TensorType.of_array(a) for a in arrays]), *arrays)[0]


# Contractions: ascending k from +0.0, product and sum rounded apart


def wide(dtype, shape, seed):
    """Numbers over eight decades, or integers whose products overflow: another order or an FMA gives other bits."""
    rng = np.random.default_rng(seed)
    if dtype.is_float:
        most = 2 if dtype.is_half else 4  # of f16, sums above 65504 are infinite
        return (rng.standard_normal(shape) * 10.0 ** rng.uniform(-4, most, shape)).astype(dtype.numpy)
    limit = 2 ** (8 * dtype.width - 1)
    return rng.integers(-limit, limit, shape).astype(dtype.numpy)


def products_added(pairs, dtype):
    """The sum in the order of the pairs; of floats of 16 bits it is in f32."""
    kind = np.dtype(np.float32) if dtype.is_half else dtype.numpy
    total = kind.type(0)
    with np.errstate(over="ignore"):
        for x, y in pairs:
            total = total + x.astype(kind) * y.astype(kind)
    return total


@DTYPES
@pytest.mark.parametrize(
    ("lhs", "rhs"),
    [
        ((7, 33), (33, 5)),
        ((2, 3, 17), (2, 17, 4)),
        ((3, 1, 2, 9), (2, 9, 3)),
        ((2, 3, 0), (0, 2)),
        ((1, 200), (200, 1)),
    ],
    ids=str,
)
def test_matmul_adds_in_ascending_k(dtype, lhs, rhs):
    x, y = wide(dtype, lhs, 1), wide(dtype, rhs, 2)
    batch = np.broadcast_shapes(lhs[:-2], rhs[:-2])
    a, b = np.broadcast_to(x, batch + lhs[-2:]), np.broadcast_to(y, batch + rhs[-2:])
    expected = np.empty((*batch, lhs[-2], rhs[-1]), dtype.numpy)
    for *at, i, j in itertools.product(*map(range, expected.shape)):
        expected[(*at, i, j)] = products_added(zip(a[(*at, i)], b[(*at, slice(None), j)]), dtype)
    assert_same_bits(apply(OPS["MatMul"](), x, y), expected)


@DTYPES
@pytest.mark.parametrize(
    ("lhs", "rhs"), [((50,), (50,)), ((4, 31), (31,)), ((31,), (31, 4)), ((4, 31), (31, 3)), ((0,), (0, 2))], ids=str
)
def test_dot_adds_in_ascending_k(dtype, lhs, rhs):
    x, y = wide(dtype, lhs, 3), wide(dtype, rhs, 4)
    rows, columns = x.reshape(-1, lhs[-1]) if x.size else x.reshape(1, 0), y.reshape(rhs[0], -1) if y.size else y
    expected = np.array([[products_added(zip(r, c), dtype) for c in columns.T] for r in rows], dtype.numpy)
    assert_same_bits(apply(OPS["Dot"](), x, y), expected.reshape(lhs[:-1] + rhs[1:]))


@DTYPES
@pytest.mark.parametrize(
    ("input", "filter", "strides", "padding", "low", "out"),
    [
        ((2, 6, 5, 3), (3, 2, 3, 4), (1, 1), "Valid", (0, 0), (4, 4)),
        ((1, 7, 8, 2), (3, 3, 2, 2), (2, 3), "Same", (1, 0), (4, 3)),
        ((1, 5, 5, 2), (3, 3, 2, 1), (2, 2), ((1, 0), (2, 1)), (1, 2), (2, 3)),
        ((1, 3, 3, 0), (2, 2, 0, 2), (1, 1), "Valid", (0, 0), (2, 2)),
    ],
    ids=str,
)
def test_conv2d_adds_in_ascending_window_place_and_channel(dtype, input, filter, strides, padding, low, out):
    x, y = wide(dtype, input, 5), wide(dtype, filter, 6)
    expected = np.empty((input[0], *out, filter[3]), dtype.numpy)
    for n, row, column, f in itertools.product(*map(range, expected.shape)):
        pairs = []
        for i, j, c in itertools.product(*map(range, filter[:3])):
            h, w = row * strides[0] + i - low[0], column * strides[1] + j - low[1]
            inside = 0 <= h < input[1] and 0 <= w < input[2]
            pairs.append((x[n, h, w, c] if inside else dtype.numpy.type(0), y[i, j, c, f]))
        expected[n, row, column, f] = products_added(pairs, dtype)
    assert_same_bits(apply(OPS["Conv2d"](strides, padding), x, y), expected)


def test_a_product_of_gathered_matrices_is_that_of_the_matrices():
    b = Builder()
    x, rows, y = b.Input("x", f32(5, 2, 3)), b.Input("rows", mind.i64(4)), b.Input("y", f32(1, 3, 2))
    m = b.finish([b.Gather(x, rows, oob="fill") @ y])  # one loop nest in native code, whose loops change places
    run_both(m, wide(DType.F32, (5, 2, 3), 0), np.array([3, 0, 9, 2]), wide(DType.F32, (1, 3, 2), 1))


def numbers_that_show_fusion(dtype):
    """a·a rounds to -c, so that a·a + c is 0; a fused multiply-add would leave the rounding error."""
    small = 2.0**-12 if dtype is DType.F32 else 2.0**-27
    a, c = dtype.numpy.type(1 + small), dtype.numpy.type(-(1 + 2 * small))
    return [np.array(v, dtype.numpy) for v in ([c, a], [1, a], [c, c])]


def sums_of_two_products(dtype):
    """Contractions that add 1 · c and a · a, in this order, and the same in written operations."""
    vector = TensorType(dtype, (2,))
    b = Builder()
    x, y, z = (b.Input(name, vector) for name in "xyz")
    row, column = b.ExpandDims(x, axes=[0]), b.ExpandDims(y, axes=[1])
    window = b.Reshape(x, new_shape=[1, 1, 2, 1]), b.Reshape(y, new_shape=[1, 2, 1, 1])
    written = [
        b.Sum(b.Mul(x, y), axes=[], keepdims=False),
        b.Index(b.Add(b.Mul(x, y), z), indices=[1]),
        b.Index(b.Sub(z, b.Neg(b.Mul(x, y))), indices=[1]),
    ]
    contractions = [b.Dot(x, y), b.MatMul(row, column), b.Conv2d(*window, strides=[1, 1], padding="Valid")]
    return b.finish([*written, *contractions])


@FLOATS
def test_strict_fuses_no_multiplication_with_an_addition(dtype):
    for value in run_both(sums_of_two_products(dtype), *numbers_that_show_fusion(dtype)):
        assert_same_bits(value.reshape(()), dtype.numpy.type(0))


@FLOATS
def test_default_fuses_none_across_operations_that_are_written_apart(dtype):
    found = mind.compile(sums_of_two_products(dtype))(*numbers_that_show_fusion(dtype))
    for value in found[:3]:
        assert_same_bits(value.reshape(()), dtype.numpy.type(0))


@pytest.mark.skipif(not host().fma, reason="this CPU has no fused multiply-add")
@FLOATS
def test_fast_fuses_across_operations_too(dtype):
    b = Builder()
    x, y, z = (b.Input(name, TensorType(dtype, (2,))) for name in "xyz")
    m = b.finish([b.Mul(x, y) + z])
    arrays = numbers_that_show_fusion(dtype)
    assert mind.compile(m)(*arrays)[0][1] == 0
    assert mind.compile(m, numerics="fast")(*arrays)[0][1] != 0


@pytest.mark.skipif(not host().fma, reason="this CPU has no fused multiply-add")
@FLOATS
@pytest.mark.parametrize("numerics", ["strict", "default", "fast"])
def test_contractions_fuse_unless_numerics_is_strict(numerics, dtype):
    (c, a), (one, _), _ = numbers_that_show_fusion(dtype)
    row, matrix = np.array([[c, a]]), np.array([[one] * 32, [a] * 32])
    m = alone(OPS["MatMul"](), [TensorType.of_array(x) for x in (row, matrix)])
    (found,) = mind.compile(m, numerics=numerics)(row, matrix)
    assert (found == 0).all() == (numerics == "strict")


def test_subnormals_are_not_flushed():
    tiny, smallest_normal = np.float32(1e-45), np.float32(1.1754944e-38)
    x = np.array([tiny, smallest_normal, -tiny])
    assert_same_bits(apply(OPS["Add"](), x, x), np.float32([2 * tiny, 2 * smallest_normal, -2 * tiny]))
    assert_same_bits(apply(OPS["Mul"](), x, np.float32([1, 0.5, 1])), np.float32([tiny, smallest_normal / 2, -tiny]))
    assert_same_bits(apply(OPS["Relu"](), x), np.float32([tiny, smallest_normal, 0]))


def test_an_operation_on_one_value_under_two_names_does_not_stand_for_others():
    b = Builder()
    x, y = b.Input("x", f32()), b.Input("y", f32())
    m = b.finish([b.Add(x, b.Reshape(x, new_shape=[])), b.Add(x, y)])
    twice, sum = run_both(m, np.float32(1), np.float32(10))
    assert (twice, sum) == (2, 11)


# Integers


def wrapped(value, dtype):
    half = 2 ** (8 * dtype.width - 1)
    return (value + half) % (2 * half) - half


@INTEGERS
def test_integer_arithmetic_wraps(dtype):
    half = 2 ** (8 * dtype.width - 1)
    numbers = [half - 1, -half, -1, 2, 12345, -half + 1]
    pairs = list(itertools.product(numbers, repeat=2))
    x, y = (np.array(column, dtype.numpy) for column in zip(*pairs))
    for opcode, function in {"Add": int.__add__, "Sub": int.__sub__, "Mul": int.__mul__}.items():
        expected = np.array([wrapped(function(a, b), dtype) for a, b in pairs], dtype.numpy)
        assert_same_bits(apply(OPS[opcode](), x, y), expected, opcode)
    negated = np.array([wrapped(-a, dtype) for a in numbers], dtype.numpy)
    assert_same_bits(apply(OPS["Neg"](), np.array(numbers, dtype.numpy)), negated)


@INTEGERS
def test_integer_division_truncates_and_never_traps(dtype):
    smallest = -(2 ** (8 * dtype.width - 1))
    table = [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (0, 5, 0), (6, -3, -2)]
    table += [(5, 0, -1), (0, 0, -1), (smallest, 0, -1), (smallest, -1, smallest), (smallest, 1, smallest)]
    lhs, rhs, expected = (np.array(column, dtype.numpy) for column in zip(*table))
    assert_same_bits(apply(OPS["Div"](), lhs, rhs), expected)


# NaNs

TARGETS = [{"target": "interpret"}, {"numerics": "default"}, {"numerics": "strict"}]
MOVES = ["Reshape", "Transpose", "ExpandDims", "Squeeze", "Slice", "Index", "Gather"]
FLOAT_MOVES = [(o, op, t) for o in MOVES for op, t in samples_of(o) if t[0].dtype.is_float]


@pytest.mark.parametrize(("op", "types"), [pytest.param(op, t, id=sample_id(o, op, t)) for o, op, t in FLOAT_MOVES])
def test_operations_that_move_elements_keep_every_bit_of_a_nan(op, types):
    """Moving the integers with the same bits gives the same bits, whatever the floats are."""
    bits, *indices = operands_for(op, types, seed=7)
    nans = np.arange(bits.size) % 1000 + (0x7F800001 if types[0].dtype is DType.F32 else 0x7FF0000000000001)
    whole = nans.astype(f"u{types[0].dtype.width}").view(f"i{types[0].dtype.width}").reshape(types[0].shape)
    expected = np.asarray(op.evaluate(whole, *indices))
    m = alone(op, types)
    for options in TARGETS:
        (found,) = mind.compile(m, **options)(whole.view(types[0].dtype.numpy), *indices)
        assert np.array_equal(found.view(expected.dtype), expected)


@FLOATS
def test_neg_flips_the_sign_of_a_nan(dtype):
    kind = f"u{dtype.width}"
    sign = np.array(1 << (8 * dtype.width - 1), kind)
    bits = np.array([np.nan, -np.nan], dtype.numpy).view(kind)
    m = alone(OPS["Neg"](), (TensorType(dtype, (2,)),))
    for options in TARGETS:
        (found,) = mind.compile(m, **options)(bits.view(dtype.numpy))
        assert np.array_equal(found.view(kind), bits ^ sign)


# Results are written whole, whatever stood there


@pytest.mark.parametrize(
    ("op", "types"),
    [
        (OPS["MatMul"](), (f32(3, 0), f32(0, 2))),
        (OPS["MatMul"](), (f32(2, 3, 0), f32(2, 0, 2))),
        (OPS["MatMul"](), (f32(2, 1, 3, 0), f32(4, 0, 2))),
        (OPS["Dot"](), (f32(0), f32(0))),
        (OPS["Dot"](), (f32(3, 0), f32(0))),
        (OPS["Dot"](), (f32(0), f32(0, 3))),
        (OPS["Dot"](), (f32(3, 0), f32(0, 3))),
        (OPS["Conv2d"]((1, 1), "Valid"), (f32(1, 3, 3, 0), f32(2, 2, 0, 2))),
        (OPS["Conv2d"]((1, 1), "Same"), (f32(1, 3, 3, 2), f32(0, 2, 2, 1))),
        (OPS["Gather"]("fill"), (f32(0, 3), TensorType(DType.I64, (2,)))),
    ],
    ids=str,
)
@pytest.mark.parametrize("garbage", [nans, poisoned])
@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_a_result_of_nothing_is_zeros_in_any_memory(op, types, numerics, garbage):
    m = alone(op, types)
    type = m.output_types[0]
    out = garbage(type)
    mind.compile(m, numerics=numerics)(*[np.zeros(t.shape, t.dtype.numpy) for t in types], out=out)
    assert type.size
    assert_same_bits(out, np.zeros(type.shape, np.float32))


def test_every_output_is_written_even_if_it_is_an_input_or_a_constant():
    b = Builder()
    x = b.Input("x", f32(3))
    c = b.constant(np.float32([1, 2, 3]))
    m = b.finish([x, x, c, c, b.Add(x, c), b.Reshape(c, new_shape=[3, 1])])
    a = np.float32([4, 5, 6])
    out = [poisoned(t) for t in m.output_types]
    mind.compile(m)(a, out=out)
    for found, expected in zip(out, mind.interpret(m, a)):
        assert_same_bits(found, expected)
