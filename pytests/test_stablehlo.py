"""The operations of StableHLO that programs consist of, each by ours beside JAX: values, and derivatives if any.

A case names the operation of StableHLO for which ours does the same; a test looks for that name in what JAX lowers its
own to. Loops and linear algebra are not among them.
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax

import mind_mlir as mind  # noqa: E402
from mind_mlir.ir import OPS, DType  # noqa: E402


def op(opcode, *attributes, **named):
    """Ours: an operation as a function of arrays."""
    return lambda *arrays: mind.apply(OPS[opcode](*attributes, **named), *arrays)


F = "f32"
"""The element type of most operands."""


def case(name, ours, theirs, *operands, grad=True, tolerance=2e-6):
    return pytest.param(name, ours, theirs, operands, grad, tolerance)


def unary(name, opcode, theirs, *, low=-2.0, high=2.0, grad=True):
    return case(name, op(opcode), theirs, (F, (3, 5), low, high), grad=grad)


def compared(name, opcode, theirs):
    return case(name, op(opcode), theirs, ("i32", (3, 4), -2, 2), ("i32", (3, 4), -2, 2), grad=False)


def of_bits(name, opcode, theirs, dtype="u32"):
    return case(name, op(opcode), theirs, (dtype, (7,), 0, 200), (dtype, (7,), 0, 31), grad=False)


def pooled(kind, x):
    """A window of 2 x 3, strides 1 and 2, padded."""
    of = {"max": (-jnp.inf, lax.max), "sum": (0.0, lax.add)}[kind]
    return lax.reduce_window(x, of[0], of[1], (1, 2, 3), (1, 1, 2), ((0, 0), (1, 0), (1, 1)))


def window(opcode):
    return op(opcode, (1, 2, 3), (1, 1, 2), (0, 1, 1), (0, 0, 1))


def along(x, indices):
    return jnp.take_along_axis(x, indices, axis=1)


POINTS = np.int32([[0, 1], [2, 0], [2, 3], [0, 1]])
COLUMNS = np.int32([[3, 0], [1, 1], [2, 0]])
"""Indices along the last axis, for each of three rows."""
UPDATES = (F, (4,), -1, 1)


def scattered(how, x, updates):
    return getattr(jnp.asarray(x).at[POINTS[:, 0], POINTS[:, 1]], how)(updates)


def at_points(opcode, indices=POINTS):
    return lambda x, updates: mind.apply(OPS[opcode]((0, 1), (), ()), x, indices, updates)


def image(*shape):
    return (F, shape, -1, 1)


def convolution(layout, **options):
    return partial(lax.conv_general_dilated, dimension_numbers=tuple(re.split(", | -> ", layout)), **options)


CASES = {
    "1a": [
        compared("compare", "Equal", jnp.equal),
        compared("compare", "NotEqual", jnp.not_equal),
        compared("compare", "Less", jnp.less),
        compared("compare", "LessEqual", jnp.less_equal),
        compared("compare", "Greater", jnp.greater),
        compared("compare", "GreaterEqual", jnp.greater_equal),
        case("iota", op("Iota", (3, 4), 1, DType.I32), lambda: lax.broadcasted_iota(jnp.int32, (3, 4), 1)),
        case(
            "pad",
            op("PadWith", (1, -1), (0, 2), (0, 1)),
            lambda x, v: lax.pad(x, v, ((1, 0, 0), (-1, 2, 1))),
            (F, (3, 4), -1, 1),
            (F, (), -1, 1),
        ),
        case("maximum", op("Maximum"), jnp.maximum, (F, (3, 4), -1, 1), (F, (3, 4), -1, 1)),
        case("minimum", op("Minimum"), jnp.minimum, (F, (3, 4), -1, 1), (F, (3, 4), -1, 1)),
        unary("sqrt", "Sqrt", jnp.sqrt, low=0.1),
        unary("rsqrt", "Rsqrt", lax.rsqrt, low=0.1),
        case("reduce", op("Max", (1,), False), lambda x: jnp.max(x, axis=1), (F, (3, 5), -1, 1)),
        case("reduce", op("Min", (0,), False), lambda x: jnp.min(x, axis=0), (F, (3, 5), -1, 1)),
        case(
            "concatenate",
            op("Concatenate", 1),
            lambda *xs: jnp.concatenate(xs, 1),
            (F, (2, 3), -1, 1),
            (F, (2, 1), -1, 1),
            (F, (2, 0), -1, 1),
        ),
        case("convert", op("Convert", DType.F32), lambda x: x.astype(jnp.float32), ("i32", (5,), -9, 9), grad=False),
        case("convert", op("Convert", DType.I32), lambda x: x.astype(jnp.int32), (F, (5,), -9, 9), grad=False),
        case("convert", op("Convert", DType.F32), lambda x: x.astype(jnp.float32), ("i1", (5,), 0, 2), grad=False),
        *[
            case(name.lower(), op(name), theirs, ("i1", (9,), 0, 2), ("i1", (9,), 0, 2), grad=False)
            for name, theirs in (("And", jnp.logical_and), ("Or", jnp.logical_or), ("Xor", jnp.logical_xor))
        ],
        case("not", op("Not"), jnp.logical_not, ("i1", (9,), 0, 2), grad=False),
        unary("tanh", "Tanh", jnp.tanh),
        case("reduce", op("All", (0,), False), lambda x: jnp.all(x, axis=0), ("i1", (2, 9), 0, 2), grad=False),
        case("reduce", op("Any", (0,), False), lambda x: jnp.any(x, axis=0), ("i1", (2, 9), 0, 2), grad=False),
        unary("erf", "Erf", jax.scipy.special.erf),
        unary("erfc", "Erfc", jax.scipy.special.erfc),
        unary("erf_inv", "ErfInv", jax.scipy.special.erfinv, low=-0.9, high=0.9),
        unary("lgamma", "LogGamma", lax.lgamma, low=0.5, high=9),
        unary("digamma", "Digamma", lax.digamma, low=0.5, high=9),
        case("polygamma", op("Polygamma", 2), lambda x: jax.scipy.special.polygamma(2, x), (F, (3, 4), 0.5, 9)),
        case("power", op("Pow"), jnp.power, (F, (3, 4), 0.1, 2), (F, (3, 4), -2, 2)),
        unary("exponential", "Logistic", lax.logistic),  # stablehlo.logistic, which JAX writes out
        unary("abs", "Abs", jnp.abs),
        unary("sign", "Sign", jnp.sign),
        unary("cosine", "Cos", jnp.cos),
        unary("sine", "Sin", jnp.sin),
        unary("tan", "Tan", jnp.tan, low=-1, high=1),
        case("reverse", op("Reverse", (0, 1)), lambda x: lax.rev(x, (0, 1)), (F, (3, 4), -1, 1)),
        unary("log_plus_one", "Log1p", jnp.log1p, low=-0.5),
        unary("exponential_minus_one", "Expm1", jnp.expm1),
        case("is_finite", op("IsFinite"), lax.is_finite, (F, (5,), -1, 1), grad=False),
        case(
            "clamp",
            lambda low, x, high: op("Minimum")(op("Maximum")(low, x), high),
            lax.clamp,
            (F, (9,), -0.5, -0.4),
            (F, (9,), -1, 1),
            (F, (9,), 0.4, 0.5),
        ),
    ],
    "1b": [
        case(
            "convolution",
            op("Conv", "NHWC, HWIO -> NHWC", input_dilation=(2, 1), filter_dilation=(1, 2)),
            convolution(
                "NHWC, HWIO -> NHWC",
                window_strides=(1, 1),
                padding=((0, 0), (0, 0)),
                lhs_dilation=(2, 1),
                rhs_dilation=(1, 2),
            ),
            image(2, 5, 6, 3),
            image(2, 2, 3, 4),
        ),
        case(
            "convolution",
            op("Conv", "NCW, OIW -> NCW", strides=(2,), low=(1,), high=(1,)),
            convolution("NCW, OIW -> NCW", window_strides=(2,), padding=((1, 1),)),
            image(2, 3, 8),
            image(4, 3, 3),
        ),
        case(
            "convolution",
            op("Conv", "NDHWC, DHWIO -> NDHWC"),
            convolution("NDHWC, DHWIO -> NDHWC", window_strides=(1, 1, 1), padding="VALID"),
            image(1, 3, 4, 4, 2),
            image(2, 2, 2, 2, 3),
        ),
        case(
            "convolution",
            op("Conv", "NHWC, HWIO -> NHWC", groups=3),
            convolution("NHWC, HWIO -> NHWC", window_strides=(1, 1), padding="VALID", feature_group_count=3),
            image(2, 5, 5, 3),
            image(3, 3, 1, 6),
        ),
        case("reduce_window", window("WindowMax"), partial(pooled, "max"), image(2, 4, 6)),
        case("reduce_window", window("WindowSum"), partial(pooled, "sum"), image(2, 4, 6)),
        case(
            "gather",
            lambda x: op("GatherSlices", (0, 1), (), ())(x, POINTS),
            lambda x: x[POINTS[:, 0], POINTS[:, 1]],
            image(3, 4),
        ),
        case(
            "gather",
            lambda x: op("GatherSlices", (1,), (0,), ())(x, COLUMNS[..., None]),
            lambda x: along(x, COLUMNS),
            image(3, 4),
        ),
        case(
            "gather",
            lambda x: op("GatherSlices", (0,), (), (2,))(x, np.int32([[1], [0], [1]])),
            lambda x: jax.vmap(lambda i: lax.dynamic_slice(x, (i, np.int32(0)), (2, 4)))(np.int32([1, 0, 1])),
            image(3, 4),
        ),
        case("scatter", at_points("ScatterAddSlices"), partial(scattered, "add"), image(3, 4), UPDATES),
        case(
            "scatter",
            at_points("ScatterSlices", POINTS[:3]),
            lambda x, u: jnp.asarray(x).at[POINTS[:3, 0], POINTS[:3, 1]].set(u),
            image(3, 4),
            (F, (3,), -1, 1),
        ),
        case("scatter", at_points("ScatterMaxSlices"), partial(scattered, "max"), image(3, 4), UPDATES),
        case("scatter", at_points("ScatterMinSlices"), partial(scattered, "min"), image(3, 4), UPDATES),
        case("reduce", op("ArgMax", 1, False), lambda x: jnp.argmax(x, axis=1), image(3, 7), grad=False),
        case("reduce", op("ArgMin", 0, False), lambda x: jnp.argmin(x, axis=0), image(3, 7), grad=False),
        case("reduce_window", op("CumSum", 1, False), lambda x: jnp.cumsum(x, axis=1), image(3, 7)),
        case("reduce_window", op("CumProd", 1, False), lambda x: jnp.cumprod(x, axis=1), image(3, 7), tolerance=1e-5),
        case("reduce_window", op("CumMax", 1, False), lambda x: lax.cummax(x, axis=1), image(3, 7)),
        case(
            "log_plus_one",
            lambda x: mind.cumlogsumexp(x, 1),
            lambda x: lax.cumlogsumexp(x, axis=1),
            (F, (3, 7), -9, 9),
            tolerance=1e-5,
        ),
        case(
            "select_and_scatter",
            lambda x: mind.grad(lambda x: mind.sum(window("WindowMax")(x)))(x),
            jax.grad(lambda x: pooled("max", x).sum()),
            image(2, 4, 6),
            grad=False,
        ),
        case(
            "dynamic_slice",
            lambda x: op("DynamicSlice", (2, 3))(x, np.int32(2), np.int32(1)),
            lambda x: lax.dynamic_slice(x, (2, 1), (2, 3)),
            image(3, 5),
        ),
        case(
            "dynamic_update_slice",
            lambda x, u: op("DynamicUpdateSlice")(x, u, np.int32(2), np.int32(1)),
            lambda x, u: lax.dynamic_update_slice(x, u, (2, 1)),
            image(3, 5),
            image(2, 2),
        ),
    ],
    "2a": [
        case(
            "dot_general",
            op("DotGeneral", (), (), (1,), (0,), DType.I32),
            lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=np.int32),
            ("i8", (3, 40), -128, 128),
            ("i8", (40, 5), -128, 128),
            grad=False,
        ),
        case(
            "dot_general",
            op("DotGeneral", (0,), (0,), (2,), (2,), DType.F32),
            lambda x, y: lax.dot_general(x, y, (((2,), (2,)), ((0,), (0,))), preferred_element_type=np.float32),
            ("bf16", (2, 3, 4), -1, 1),
            ("bf16", (2, 5, 4), -1, 1),
            grad=False,
        ),
        of_bits("and", "And", jnp.bitwise_and),
        of_bits("or", "Or", jnp.bitwise_or),
        of_bits("xor", "Xor", jnp.bitwise_xor, "u64"),
        of_bits("shift_left", "ShiftLeft", lax.shift_left),
        of_bits("shift_right_logical", "ShiftRightLogical", lax.shift_right_logical, "u64"),
        of_bits("shift_right_arithmetic", "ShiftRightArithmetic", lax.shift_right_arithmetic, "i32"),
        case("not", op("Not"), jnp.invert, ("u32", (7,), 0, 99), grad=False),
        case("popcnt", op("PopCount"), lax.population_count, ("u32", (7,), 0, 99), grad=False),
        case(
            "bitcast_convert",
            op("BitCast", DType.F32),
            partial(lax.bitcast_convert_type, new_dtype=jnp.float32),
            ("u32", (7,), 1 << 28, 1 << 30),
            grad=False,
        ),
        case(
            "remainder",
            lambda x, y: x - op("Convert", DType.I32)(op("Convert", DType.F32)(x) / op("Convert", DType.F32)(y)) * y,
            lax.rem,
            ("i32", (9,), -20, 20),
            ("i32", (9,), 1, 7),
            grad=False,
        ),
        unary("round_nearest_even", "Round", partial(lax.round, rounding_method=lax.RoundingMethod.TO_NEAREST_EVEN)),
        unary("floor", "Floor", jnp.floor),
        unary("ceil", "Ceil", jnp.ceil),
    ],
    "2b": [
        case("sort", lambda x: op("Sort", 1)(x)[0], lambda x: lax.sort(x, dimension=1), image(3, 9)),
        case("sort", op("ArgSort", 1), lambda x: jnp.argsort(x, axis=1), image(3, 9), grad=False),
        case("top_k", lambda x: op("TopK", 4)(x)[0], lambda x: lax.top_k(x, 4)[0], image(3, 9)),
        case("reduce", op("Prod", (1,), False), lambda x: jnp.prod(x, axis=1), image(3, 5), tolerance=1e-5),
    ],
}
every_case = pytest.mark.parametrize(
    ("name", "ours", "theirs", "operands", "grad", "tolerance"),
    [
        pytest.param(*c.values, id=f"{tier}-{c.values[0]}-{n}")
        for tier, cases in CASES.items()
        for n, c in enumerate(cases)
    ],
)


def drawn(operands, seed=0):
    """Arrays of these types, shapes and ranges; integers and truth values below the upper end."""
    rng = np.random.default_rng(seed)
    out = []
    for dtype, shape, low, high in [(*o, -1, 1) if len(o) == 2 else o for o in operands]:
        type = DType(dtype)
        values = rng.uniform(low, high, shape) if type.is_float else rng.integers(low, high, shape)
        out.append(np.asarray(values).astype(type.numpy))
    return out


def as_arrays(found):
    return [np.asarray(a) for a in (found if isinstance(found, (tuple, list)) else [found])]


def assert_near(ours, theirs, tolerance):
    for a, b in zip(as_arrays(ours), as_arrays(theirs), strict=True):
        assert a.shape == b.shape
        if a.dtype.kind == "f":
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(a, b)


@every_case
def test_values_and_derivatives_are_those_of_jax(name, ours, theirs, operands, grad, tolerance):
    arrays = drawn(operands)
    expected = theirs(*arrays)
    assert_near(ours(*arrays), expected, tolerance)  # by the interpreter
    if arrays:
        assert_near(mind.jit(ours)(*arrays), expected, tolerance)
    floats = [a for a in arrays if a.dtype.kind == "f"]
    if grad and floats:
        assert len(floats) == len(arrays), "cases that are differentiated take floats alone"
        value, pull = mind.vjp(ours, *arrays)
        (cotangent,) = drawn([("f32", np.shape(value), -1, 1)], seed=1)
        theirs_pull = jax.vjp(theirs, *arrays)[1]
        assert_near(pull(cotangent), theirs_pull(jnp.asarray(cotangent)), 10 * tolerance)


@every_case
def test_jax_lowers_its_own_to_the_operation(name, ours, theirs, operands, grad, tolerance):
    text = jax.jit(theirs).lower(*drawn(operands)).as_text()
    assert re.search(rf"\b(stablehlo|chlo)\.{name}\b", text), text
