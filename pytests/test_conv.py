"""Conv, the counterpart of StableHLO's `convolution`, and `conv` and `conv_transpose`, which are JAX's functions."""

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from support import alone, assert_same_bits, random_array

import mind_mlir as mind
import mind_mlir.lowering  # registers its passes
from mind_mlir import Builder, DType, MindError, TensorType, f32
from mind_mlir.ir import OPS
from mind_mlir.ir.diagnostics import Reject
from mind_mlir.passes.gradient import gradient
from mind_mlir.passes.pipeline import Pipeline

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import jax_peer  # noqa: E402
from jax import lax  # noqa: E402

RNG = np.random.default_rng(0)


def array(*shape, dtype=np.float64):
    return RNG.standard_normal(shape).astype(dtype)


@st.composite
def problems(draw):
    """A Conv, and types of its operands."""
    count = draw(st.integers(0, 3))
    spatial = "DHW"[3 - count :]

    def layout(letters):
        return "".join(draw(st.permutations([*letters, *spatial])))

    def numbers(least, most):
        return draw(st.one_of(st.just(()), st.lists(st.integers(least, most), min_size=count, max_size=count)))

    groups, batch_groups = draw(st.sampled_from(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2))))
    batch, into, out = (draw(st.integers(1, 2)) for _ in range(3))
    extents = {
        "N": batch * batch_groups,
        "C": into * groups,
        "I": into,
        "O": out * groups * batch_groups,
    }
    input, filter, result = layout("NC"), layout("IO"), layout("NC")
    x = tuple(extents[c] if c in extents else draw(st.integers(1, 5)) for c in input)
    w = tuple(extents[c] if c in extents else draw(st.integers(1, 3)) for c in filter)
    op = OPS["Conv"](
        f"{input}, {filter} -> {result}",
        numbers(1, 3),
        numbers(-1, 2),
        numbers(-1, 2),
        numbers(1, 3),
        numbers(1, 2),
        draw(st.booleans()),
        groups,
        batch_groups,
    )
    dtype = draw(st.sampled_from((DType.F32, DType.F64, DType.I32)))
    types = TensorType(dtype, x), TensorType(dtype, w)
    assume(fits(op, types))
    return op, types


def fits(op, types):
    """False if a window is larger than the padded input."""
    try:
        return bool(op.infer_type(*types))
    except Reject as why:
        if why.code != "E4010":
            raise
        return False


@settings(max_examples=40)
@given(problems(), st.integers(0, 999))
def test_stablehlo_convolution_has_the_values_of_jax(problem, seed):
    op, types = problem
    x, w = (random_array(t, np.random.default_rng(seed)) for t in types)
    ours = op.evaluate(x, w)
    np.testing.assert_allclose(ours, jax_peer.conv(op, x, w), 1e-5, 1e-5)
    canonical = mind.canonicalize(alone(op, types))
    assert_same_bits(mind.interpret(canonical, x, w)[0], ours)


@settings(max_examples=12)
@given(problems())
def test_stablehlo_convolution_is_compiled_with_the_bits_of_the_interpreter(problem):
    op, types = problem
    m = alone(op, types)
    arrays = [random_array(t, np.random.default_rng(1)) for t in types]
    (expected,) = mind.interpret(m, *arrays)
    assert_same_bits(mind.compile(m, numerics="strict")(*arrays)[0], expected)
    np.testing.assert_allclose(mind.compile(m)(*arrays)[0], expected, 1e-5, 1e-5)


@settings(max_examples=12)
@given(problems())
def test_the_adjoints_of_a_convolution_are_those_of_jax(problem):
    op, types = problem
    x, w = (random_array(TensorType(DType.F64, t.shape), np.random.default_rng(2)) for t in types)
    ours = mind.grad(lambda x, w: mind.sum(mind.apply(op, x, w) * 2), (0, 1))(x, w)
    theirs = jax.grad(lambda x, w: jnp.sum(jax_peer.conv(op, x, w) * 2), (0, 1))(x, w)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, 1e-10, 1e-10)


# What it becomes


@pytest.mark.parametrize(
    ("op", "shapes", "expected"),
    [
        (OPS["Conv"]("NHWC, HWIO -> NHWC", (2, 1), (1, 0)), ((1, 4, 4, 2), (3, 3, 2, 2)), "Conv2d"),
        (OPS["Conv"]("NXYC,XYIO->NXYC"), ((1, 4, 4, 2), (3, 3, 2, 2)), "Conv2d"),
        (OPS["Conv"]("NHWC, HWIO -> NHWC", (), (-1, 0)), ((1, 4, 4, 2), (3, 3, 2, 2)), "Conv"),
        (OPS["Conv"]("NHWC, WHIO -> NHWC"), ((1, 4, 4, 2), (3, 3, 2, 2)), "Conv"),
        (OPS["Conv"]("NHWC, HWIO -> NHWC", groups=2), ((1, 4, 4, 2), (3, 3, 1, 2)), "Conv"),
        (OPS["Conv"]("NHWC, HWIO -> NHWC", input_dilation=(1, 2)), ((1, 4, 4, 2), (3, 3, 2, 2)), "Conv"),
    ],
)
def test_a_plain_convolution_of_images_becomes_conv2d(op, shapes, expected):
    m = mind.canonicalize(alone(op, [f32(*s) for s in shapes]))
    assert [o.opcode for o in m.operations[2:]] == [expected]


def test_the_adjoints_of_a_plain_convolution_of_images_are_those_of_conv2d():
    m = alone(OPS["Conv"]("NHWC, HWIO -> NHWC", (2, 2)), [f32(1, 5, 5, 2), f32(3, 3, 2, 2)])
    made = {o.opcode for o in gradient(m, seed="input").operations}
    assert {"Conv2dBackwardInput", "Conv2dBackwardFilter"} <= made


def test_usual_numbers_are_not_written():
    m = alone(OPS["Conv"]("NWC,WIO->NWC", (1,), (0,), (0,), (1,), (1,)), [f32(1, 4, 2), f32(3, 2, 2)])
    assert '%2 = Conv (%0, %1) {layout = "NWC, WIO -> NWC"} : tensor<f32[1, 2, 2]>' in str(mind.canonicalize(m))


def kernels(layout, shapes, **more):
    """The functions that are made of a convolution between element-wise operations."""
    b = Builder()
    x, w = (b.Input(f"x{n}", f32(*s)) for n, s in enumerate(shapes))
    y = b.Relu(b.Conv(b.Relu(x + x), w, layout, **more))
    return str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels{cpu=avx2}").run(b.finish([y])))


@pytest.mark.parametrize(
    ("layout", "shapes", "groups"),
    [
        ("NHWC, HWIO -> NHWC", ((1, 9, 9, 16), (3, 3, 1, 16)), 16),
        ("NHWC, HWIO -> NHWC", ((1, 9, 9, 16), (3, 3, 8, 16)), 2),
        ("NCHW, OIHW -> NCHW", ((1, 16, 9, 9), (16, 1, 3, 3)), 16),
        ("NCHW, OIHW -> NCHW", ((1, 16, 9, 9), (16, 16, 3, 3)), 1),
        ("NWC, WIO -> NWC", ((2, 9, 16), (3, 16, 16)), 1),
        ("NDHWC, DHWIO -> NDHWC", ((1, 5, 5, 5, 8), (3, 3, 3, 8, 8)), 1),
    ],
)
def test_every_kind_of_convolution_has_a_kernel_and_recomputes_no_operand(layout, shapes, groups):
    text = kernels(layout, shapes, groups=groups)
    kernel = text[text.index("func.func private @contraction0") :]
    body = kernel[: kernel.index("return")]
    assert "arith.mulf" in body
    assert body.count("arith.addf") == 1  # not that of x + x


def test_a_depthwise_convolution_and_what_follows_are_one_kernel():
    text = kernels("NHWC, HWIO -> NHWC", ((1, 9, 9, 16), (3, 3, 1, 16)), groups=16)
    kernel = text[text.index("func.func private @contraction0") :]
    assert "arith.cmpf" in kernel[: kernel.index("return")]


# Errors


DILATED = [
    ("NHWC, HWIO -> NHWC", (2, 5, 4, 3), (3, 3, 3, 5), {"low": (1, 1), "high": (1, 1), "input_dilation": (2, 2)}),
    ("NHWC, HWIO -> NHWC", (2, 5, 4, 3), (4, 4, 3, 20), {"input_dilation": (2, 2), "reverse": True}),
    (
        "NHWC, HWIO -> NHWC",
        (1, 5, 4, 4),
        (2, 3, 2, 6),
        {"low": (0, 3), "high": (5, -1), "input_dilation": (3, 2), "groups": 2},
    ),
    (
        "NCHW, OIHW -> NCHW",
        (2, 3, 4, 5),
        (4, 3, 3, 2),
        {"low": (-1, 2), "high": (2, 0), "input_dilation": (3, 2), "reverse": True},
    ),
    ("NWC, WIO -> NWC", (2, 6, 2), (1, 2, 3), {"input_dilation": (2,)}),  # every other output has no terms
    (
        "NWC, WIO -> NWC",
        (4, 4, 2),
        (3, 2, 4),
        {"low": (1,), "high": (1,), "input_dilation": (2,), "batch_groups": 2},
    ),
    ("NHWC, HWIO -> NHWC", (2, 5, 4, 3), (3, 3, 3, 5), {"input_dilation": (2, 2), "strides": (2, 1)}),
]


def convolution(layout, shapes, numbers, dtype=DType.F32):
    """The module of a Conv of two Inputs."""
    b = Builder()
    x, w = (b.Input(name, TensorType(dtype, shape)) for name, shape in zip("xw", shapes))
    return b.finish([b.Conv(x, w, layout, **numbers)])


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64, DType.I32], ids=str)
@pytest.mark.parametrize(("layout", "x", "w", "numbers"), DILATED)
def test_phases_of_a_dilated_input_have_the_bits_of_the_whole_sum(layout, x, w, numbers, dtype):
    m = convolution(layout, (x, w), numbers, dtype)
    code = mind.compile(m, numerics="strict")
    values = [RNG.standard_normal(shape) * 4 for shape in (x, w)]
    for special in (0, -0.0, np.inf, np.nan) if dtype.is_float else (0,):
        given = [v.astype(dtype.numpy) for v in values]
        if special != 0 or np.signbit(special):
            given[1][RNG.random(w) < 0.1] = special
            given[1].flat[0] = special
            given[0][RNG.random(x) < 0.1] = -0.0
        (found,), (expected,) = code(*given), mind.interpret(m, *given)
        assert_same_bits(found, expected)
        if special == np.inf:
            assert np.isnan(found).any(), "an infinity meets a zero between neighbours"


def test_each_phase_multiplies_the_elements_that_it_meets():
    numbers = {"low": (1, 1), "high": (2, 2), "input_dilation": (2, 2)}
    m = convolution("NHWC, HWIO -> NHWC", ((1, 8, 8, 16), (3, 3, 16, 16)), numbers)
    text = str(Pipeline.parse("lower-to-linalg").run(m))
    windows = re.findall(r"ins\(.*: tensor<.*>, tensor<(\dx\d)x16x16xf32>\) outs\(.*tensor<1x8x8x16xf32>\)", text)
    assert sorted(windows) == ["1x1", "1x2", "2x1", "2x2"]
    kernels = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels").run(m))
    assert kernels.count('kind = "contraction"') == 4


def test_no_window_at_the_largest_extent_is_an_error():
    """A filter of extent 0 fits one time more than the input has elements."""
    with pytest.raises(Reject) as caught:
        OPS["Conv"]("NWC, WIO -> NWC").infer_type(f32(1, 2**63 - 1, 1), f32(0, 1, 2))
    assert caught.value.code == "E3006"
    assert f"{2**63}" in caught.value.message


def test_bad_attributes_are_errors_with_the_numbers():
    two, x, w = "NHWC, HWIO -> NHWC", f32(2, 4, 4, 6), f32(3, 3, 6, 4)
    for code, op, types in (
        ("E4013", OPS["Conv"]("NHWC, HWIO"), (x, w)),
        ("E4013", OPS["Conv"]("NHWC, HWIO, NHWC"), (x, w)),
        ("E4013", OPS["Conv"]("NHWC, HWIO -> NHHC"), (x, w)),
        ("E4013", OPS["Conv"]("NHWC, HWNO -> NHWC"), (x, w)),
        ("E4013", OPS["Conv"]("NHWC, HXIO -> NHWC"), (x, w)),
        ("E4013", OPS["Conv"](""), (x, w)),
        ("E3002", OPS["Conv"]("NWC, WIO -> NWC"), (x, w)),
        ("E3002", OPS["Conv"](two), (x, f32(3, 3, 6))),
        ("E2004", OPS["Conv"](two), (x, TensorType(DType.F64, w.shape))),
        ("E4009", OPS["Conv"](two, groups=2), (x, w)),
        ("E4009", OPS["Conv"](two, groups=3), (x, f32(3, 3, 2, 4))),
        ("E4009", OPS["Conv"](two, groups=0), (x, w)),
        ("E4009", OPS["Conv"](two, batch_groups=3), (x, w)),
        ("E4009", OPS["Conv"](two, groups=2, batch_groups=2), (x, f32(3, 3, 3, 4))),
        ("E4010", OPS["Conv"](two, strides=(0, 1)), (x, w)),
        ("E4010", OPS["Conv"](two, strides=(1,)), (x, w)),
        ("E4010", OPS["Conv"](two, input_dilation=(0, 1)), (x, w)),
        ("E4010", OPS["Conv"](two, filter_dilation=(1, 1, 1)), (x, w)),
        ("E4010", OPS["Conv"](two, low=(1,)), (x, w)),
        ("E4010", OPS["Conv"](two, filter_dilation=(2, 1)), (x, w)),
        ("E4010", OPS["Conv"](two, low=(-2, 0)), (x, w)),
        ("E4010", OPS["Conv"](two, high=(2**63 - 1, 0)), (x, w)),
    ):
        with pytest.raises(Reject) as why:
            op.infer_type(*types)
        assert why.value.code == code, op


# In Python


ARGUMENTS = {
    "plain": ((2, 5, 6, 3), (3, 2, 3, 4), {}),
    "strides": ((2, 5, 6, 3), (3, 2, 3, 4), {"window_strides": (2, 1), "padding": "SAME"}),
    "padding": ((2, 5, 6, 3), (3, 2, 3, 4), {"window_strides": (2, 2), "padding": [(1, 2), (0, -1)]}),
    "dilated": (
        (2, 5, 6, 3),
        (3, 2, 3, 4),
        {"lhs_dilation": (2, 3), "rhs_dilation": (1, 2), "padding": [(2, 1), (0, 3)]},
    ),
    "groups": ((2, 5, 6, 4), (3, 2, 2, 6), {"feature_group_count": 2}),
    "batch groups": ((4, 5, 6, 3), (3, 2, 3, 4), {"batch_group_count": 2}),
    "images by channels": ((2, 3, 5, 6), (4, 3, 3, 2), {"dimension_numbers": ("NCHW", "OIHW", "NCHW")}),
    "other letters": ((5, 6, 2, 3), (4, 3, 3, 2), {"dimension_numbers": ("01NC", "OI01", "NC10")}),
    "a row": ((2, 7, 3), (3, 3, 4), {"padding": "SAME"}),
    "a block": ((1, 4, 4, 5, 2), (2, 2, 2, 2, 3), {"padding": "SAME"}),
}


def layouts(shape, more):
    """The dimension numbers that are meant: in JAX none mean others."""
    usual = {3: ("NWC", "WIO", "NWC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NDHWC", "DHWIO", "NDHWC")}
    return {
        "dimension_numbers": usual[len(shape)],
        "window_strides": (1,) * (len(shape) - 2),
        "padding": "VALID",
        **more,
    }


@pytest.mark.parametrize(("x", "w", "more"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_conv_is_conv_general_dilated_of_jax(x, w, more):
    x, w = array(*x), array(*w)
    expected = lax.conv_general_dilated(x, w, **layouts(x.shape, more))
    for found in (mind.conv(x, w, **more), mind.jit(lambda x, w: mind.conv(x, w, **more))(x, w)):
        np.testing.assert_allclose(found, expected, 1e-12, 1e-12)


@pytest.mark.parametrize("padding", ["SAME", "VALID", ((1, 2), (0, 3))])
@pytest.mark.parametrize("transpose_kernel", [False, True])
@pytest.mark.parametrize("strides", [(1, 1), (2, 3), (4, 2)])
def test_conv_transpose_is_that_of_jax(padding, transpose_kernel, strides):
    x, w = array(2, 4, 5, 3), array(3, 2, 3, 3)
    more = {"strides": strides, "padding": padding, "transpose_kernel": transpose_kernel}
    expected = lax.conv_transpose(x, w, **more)
    np.testing.assert_allclose(mind.conv_transpose(x, w, **more), expected, 1e-12, 1e-12)
    ours = mind.grad(lambda x, w: mind.sum(mind.conv_transpose(x, w, **more) * 2), (0, 1))(x, w)
    theirs = jax.grad(lambda x, w: jnp.sum(lax.conv_transpose(x, w, **more) * 2), (0, 1))(x, w)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, 1e-10, 1e-10)


def test_one_number_stands_for_all_spatial_axes():
    x, w = array(1, 5, 5, 2), array(3, 3, 2, 2)
    found = mind.conv(x, w, 2, 1, rhs_dilation=2)
    np.testing.assert_array_equal(found, mind.conv(x, w, (2, 2), ((1, 1), (1, 1)), rhs_dilation=(2, 2)))


@pytest.mark.parametrize(
    ("dtype", "to"), [("i8", "i32"), ("u8", "u32"), ("bf16", "f32"), ("f16", "f32"), ("f32", "f64")]
)
@pytest.mark.parametrize("ours", [mind.conv, mind.conv_transpose])
def test_a_convolution_in_a_wider_type_is_that_of_converted_operands(ours, dtype, to):
    to = DType(to)
    x, w = (random_array(TensorType(DType(dtype), s), RNG) for s in ((2, 5, 4, 3), (3, 2, 3, 2)))
    more = {"preferred_element_type": to.numpy}
    expected = ours(x.astype(to.numpy), w.astype(to.numpy))
    for found in (ours(x, w, **more), mind.jit(lambda x, w: ours(x, w, **more))(x, w)):
        assert found.dtype == to.numpy
        np.testing.assert_allclose(found, expected, *(() if to.is_integer else (1e-5, 1e-5)))


@pytest.mark.parametrize(("dtype", "to"), [("i8", "i32"), ("bf16", "f32"), ("f32", "f64")])
def test_a_convolution_in_a_wider_type_has_the_values_of_jax(dtype, to):
    x, w = (random_array(TensorType(DType(dtype), s), RNG) for s in ((2, 5, 4, 3), (3, 2, 3, 2)))
    more = {"preferred_element_type": DType(to).numpy}
    theirs = lax.conv_general_dilated(x, w, **layouts(x.shape, more))
    np.testing.assert_allclose(mind.conv(x, w, **more), theirs, 1e-5, 1e-5)


def test_the_derivative_of_a_convolution_in_a_wider_type_has_the_types_of_the_operands():
    x, w = (array(*s).astype(DType.BF16.numpy) for s in ((2, 5, 4, 4), (3, 2, 2, 2)))

    def loss(x, w, **more):
        return mind.sum(mind.conv(x, w, feature_group_count=2, **more) ** 2)

    found = mind.grad(lambda x, w: loss(x, w, preferred_element_type=np.float32), (0, 1))(x, w)
    expected = mind.grad(loss, (0, 1))(x.astype(np.float32), w.astype(np.float32))
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == DType.BF16.numpy
        np.testing.assert_allclose(a.astype(np.float32), b, 2**-8, 2**-8)


def test_a_plain_convolution_in_a_wider_type_becomes_conv2d():
    op = OPS["Conv"]("NHWC, HWIO -> NHWC", element_type="i32")
    types = TensorType(DType.U8, (1, 5, 4, 2)), TensorType(DType.I8, (3, 3, 2, 2))
    m = mind.canonicalize(alone(op, types))
    assert [o.opcode for o in m.operations[2:]] == ["Convert", "Convert", "Conv2d"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda x, w: mind.conv(x, w, preferred_element_type=np.float32), "E2005"),
        (lambda x, w: mind.conv_transpose(x, w, preferred_element_type=np.int64), "E2005"),
        (lambda x, w: mind.conv(x, w, padding="HALF"), "E4010"),
        (lambda x, w: mind.conv(x, w, padding=((1, 1),)), "E4010"),
        (lambda x, w: mind.conv(x, w, padding=((1,), (1,))), "E4010"),
        (lambda x, w: mind.conv(x, w, window_strides=(1, 1, 1)), "E4010"),
        (lambda x, w: mind.conv(x, w, dimension_numbers=("NHWC", "HWIO")), "E4013"),
        (lambda x, w: mind.conv(x, w, dimension_numbers=("NHWC", "HWIO", "NHWN")), "E4013"),
        (lambda x, w: mind.conv(x, w, dimension_numbers=("NWC", "WIO", "NWC")), "E3002"),
        (lambda x, w: mind.conv(x[0, 0], w), "E3002"),
        (lambda x, w: mind.conv(x, w, feature_group_count=0), "E4009"),
        (lambda x, w: mind.conv(x, w, feature_group_count=2), "E4009"),
        (lambda x, w: mind.conv_transpose(x, w, padding="HALF"), "E4010"),
        (lambda x, w: mind.conv_transpose(x, w[..., :1, :]), "E4009"),
    ],
)
def test_bad_arguments_are_errors(call, code):
    with pytest.raises(MindError, match=code):
        call(array(1, 5, 5, 2), array(3, 3, 2, 2))
