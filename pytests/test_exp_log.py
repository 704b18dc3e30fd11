"""Exp and Log against arithmetic of higher precision.  docs/semantics.md, Exp and Log; docs/numerics.md."""

import decimal
import functools

import numpy as np
import pytest
from support import alone, assert_same_bits

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.ir import OPS
from mind_mlir.lowering.native.compiler import LONG

EXTENDED = np.finfo(np.longdouble).nmant >= 63
"""True where NumPy's longdouble has eleven bits more than f64, as on x86."""


@functools.cache
def executable(opcode, dtype, n, numerics):
    """Native code of one operation on a vector of n elements."""
    return mind.compile(alone(OPS[opcode](), (TensorType(dtype, (n,)),)), numerics=numerics)


def evaluate(opcode, x):
    with np.errstate(all="ignore"):
        return OPS[opcode]().evaluate(x)


def exact(opcode, x):
    """The value in higher precision, as longdouble; where there is none, a sample of x by decimal arithmetic."""
    function = {"Exp": np.exp, "Log": np.log}[opcode]
    with np.errstate(all="ignore"):
        if EXTENDED:
            return function(x.astype(np.longdouble))
        if x.dtype == np.float32:
            return function(x.astype(np.float64))
    context = decimal.Context(prec=60, Emax=10**6, Emin=-(10**6))
    decimals = (decimal.Decimal(float(v)) for v in x)
    values = (context.exp(v) if opcode == "Exp" else context.ln(v) for v in decimals)
    return np.array([float(v) for v in values])


def error_in_ulp(y, reference):
    """Distance of finite results from the reference, in units in the last place of the result's dtype."""
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(reference).astype(y.dtype))
        unit = np.where(np.isfinite(unit), unit, np.spacing(np.finfo(y.dtype).max))
        return np.abs(y - reference) / unit


def every_exponent(dtype, per_exponent):
    """Both signs of numbers spread over every exponent, subnormals included, sorted."""
    bits, mantissa = (np.uint32, 23) if dtype is DType.F32 else (np.uint64, 52)
    exponents = np.arange(2 ** (8 * dtype.width - 1 - mantissa) - 1, dtype=bits)  # all but that of inf and NaN
    spread = np.random.default_rng(1).integers(0, 2**mantissa, (exponents.size, per_exponent)).astype(bits)
    spread[:, 0], spread[:, 1] = 0, 2**mantissa - 1
    positive = ((exponents[:, None] << bits(mantissa)) | spread).ravel().view(dtype.numpy)
    return np.sort(np.concatenate([-positive, positive]))


def where_the_value_is_finite(opcode, dtype, n):
    """n numbers over which Exp runs from subnormals to overflow, or the positive ones near 1 for Log."""
    if opcode == "Exp":
        low, high = (-104.0, 88.8) if dtype is DType.F32 else (-745.2, 709.79)
        return np.linspace(low, high, n).astype(dtype.numpy)
    return np.exp2(np.linspace(-2, 2, n)).astype(dtype.numpy)


def dense(opcode, dtype):
    """2 million numbers in f32, 250,000 in f64."""
    n = 4000 if dtype is DType.F32 else 50
    x = np.concatenate([every_exponent(dtype, n), where_the_value_is_finite(opcode, dtype, 20 * n)])
    return np.sort(x)


every_op_and_dtype = pytest.mark.parametrize(
    ("opcode", "dtype"), [(o, d) for o in ("Exp", "Log") for d in (DType.F32, DType.F64)], ids=str
)


every_way = pytest.mark.parametrize("way", ["interpret", "default", "fast"])


def apply(way, opcode, x):
    """By the interpreter, or by native code in that numerics mode."""
    if way == "interpret":
        return evaluate(opcode, x)
    return executable(opcode, TensorType.of_array(x).dtype, x.size, way)(x)[0]


@every_op_and_dtype
@every_way
def test_the_error_is_below_one_ulp(way, opcode, dtype):
    x = dense(opcode, dtype)
    assert x.size >= (2_000_000 if dtype is DType.F32 else 200_000)
    if opcode == "Log":
        x = x[x > 0]
    if not EXTENDED and dtype is DType.F64:
        x = x[:: x.size // 2000]
    y, reference = apply(way, opcode, x), exact(opcode, x)
    assert not np.isnan(y).any()
    with np.errstate(all="ignore"):
        infinite = np.isinf(y)
        assert_same_bits(y[infinite], reference[infinite].astype(dtype.numpy))
    assert error_in_ulp(y[~infinite], reference[~infinite]).max() < 1


@every_op_and_dtype
def test_strict_native_code_gives_the_bits_of_the_interpreter(opcode, dtype):
    x = dense(opcode, dtype)
    (y,) = executable(opcode, dtype, x.size, "strict")(x)
    assert_same_bits(y, evaluate(opcode, x))


@pytest.mark.parametrize("opcode", ["Exp", "Log"])
def test_f32_results_never_decrease(opcode):
    x = dense(opcode, DType.F32)
    y = evaluate(opcode, x[x > 0] if opcode == "Log" else x)
    assert (y[:-1] <= y[1:]).all()


INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
@pytest.mark.parametrize("way", ["interpret", "strict", "default", "fast"])
def test_special_values_are_exact(way, dtype):
    largest, tiny = float(np.finfo(dtype.numpy).max), float(np.finfo(dtype.numpy).smallest_subnormal)
    tables = {
        "Exp": {INF: INF, -INF: 0.0, NAN: NAN, 0.0: 1.0, tiny: 1.0, largest: INF, -largest: 0.0},
        "Log": {0.0: -INF, INF: INF, -INF: NAN, NAN: NAN, 1.0: 0.0, -tiny: NAN, -1.0: NAN, -largest: NAN},
    }
    for opcode, table in tables.items():
        x = np.array([*table, -0.0], dtype.numpy)
        expected = np.array([*table.values(), table[0.0]], dtype.numpy)
        x, expected = np.tile(x, 7), np.tile(expected, 7)  # each at several places of a vector and of the tail
        assert_same_bits(apply(way, opcode, x), expected, opcode)


@every_op_and_dtype
@pytest.mark.parametrize("numerics", ["strict", "default"])
def test_a_value_has_the_same_bits_at_every_place_of_an_array(numerics, opcode, dtype):
    x = np.random.default_rng(2).choice(dense(opcode, dtype), 64)
    (y,) = executable(opcode, dtype, 64, numerics)(x)
    for n in (*range(1, 10), 15, 16, 17, 31, 32, 33, 40):  # beside every width of a vector, and an unrolled one
        exe = executable(opcode, dtype, n, numerics)
        for offset in range(0, 64 - n + 1, 5):
            assert_same_bits(exe(x[offset : offset + n])[0], y[offset : offset + n], f"{n} from {offset}:")


@pytest.mark.parametrize("numerics", ["strict", "default"])
def test_an_operation_gives_the_same_bits_alone_in_a_chain_and_in_a_long_module(numerics):
    x = np.random.default_rng(3).standard_normal(37).astype(np.float32)
    alone_, chained, outlined = (program(chain, numerics)(x)[0] for chain in (0, 3, LONG + 6))
    assert_same_bits(chained, alone_)
    assert_same_bits(outlined, alone_)
    if numerics == "strict":
        assert_same_bits(alone_, evaluate("Exp", x))


def program(chain, numerics):
    """Exp, and then `chain` operations that change nothing."""
    b = mind.Builder()
    x = b.Input("x", mind.f32(37))
    y = b.Exp(x)
    for _ in range(chain):
        y = b.Neg(y)
        y = b.Relu(b.Neg(y))  # e^x is above 0
    return mind.compile(b.finish([y]), numerics=numerics)


@pytest.mark.parametrize("numerics", ["strict", "default"])
@every_op_and_dtype
def test_of_a_constant_it_has_the_bits_that_it_has_of_an_input(opcode, dtype, numerics):
    """Fused with a constant, the operation is folded by MLIR if it can, by the C library: one in twelve differs."""
    kind = f"tensor<{dtype}[]>"
    chain = f"%1 = {opcode} (%0) : {kind}\n%2 = {opcode} (%1) : {kind}\noutputs: %2\n"
    of_an_input = mind.compile(mind.parse(f'%0 = Input {{name = "x"}} : {kind}\n{chain}'), numerics=numerics)
    for x in np.random.default_rng(0).uniform(1.1, 5, 24).astype(dtype.numpy):
        m = mind.parse(f"%0 = ConstTensor {{data = {x}, dtype = {dtype}, shape = []}} : {kind}\n{chain}")
        (found,), (expected,) = mind.compile(m, numerics=numerics)(), of_an_input(x)
        assert_same_bits(found, expected)
        if numerics == "strict":
            assert_same_bits(found, mind.interpret(m)[0])
