"""Numbers in text and back: every bit survives, decimals are shortest, and each is rounded once."""

import base64
import re
import struct

import numpy as np
import pytest

from mind_mlir import DType, MindError, parse
from mind_mlir.ir import Literal, Reject
from mind_mlir.ir.literal import DECIMALS_UP_TO, from_nested, text_pieces
from mind_mlir.ir.numbers import element_bits, pack_texts

F32, F64, I32, I64 = DType.F32, DType.F64, DType.I32, DType.I64


def literal(patterns, dtype):
    """The literal with these bit patterns."""
    return Literal(dtype, patterns.astype(f"<u{dtype.width}").tobytes())


def read_back(texts, dtype):
    """The bit patterns of written elements, read one by one."""
    return np.frombuffer(b"".join(element_bits(dtype, t) for t in texts), f"<u{dtype.width}")


HIGH_HALVES = np.arange(2**16, dtype=np.uint32) << 16  # every sign, exponent and leading fraction; NaNs quiet and not
F32_EDGES = np.concatenate(
    [HIGH_HALVES + low for low in (0, 1, 0xFFFF)]
    + [np.arange(256, dtype=np.uint32), np.arange(0x007FFF80, 0x00800080, dtype=np.uint32)]  # subnormals and their end
)
F64_EDGES = np.concatenate(
    [
        np.arange(2**12, dtype=np.uint64) << np.uint64(52),  # every sign and exponent, fraction 0
        (np.arange(2**12, dtype=np.uint64) << np.uint64(52)) - np.uint64(1),  # and the largest fraction below
        np.arange(64, dtype=np.uint64),  # the smallest subnormals
        np.uint64([0x7FF0000000000001, 0xFFF0000000000001, 0x7FF8000000000000, 0xFFF8000000000000, 2**64 - 1]),
    ]
)


def random_patterns(dtype, count):
    return np.random.default_rng(0).integers(0, 2 ** (8 * dtype.width), count, dtype=f"u{dtype.width}")


@pytest.mark.parametrize(
    ("dtype", "patterns"),
    [(F32, F32_EDGES), (F32, random_patterns(F32, 30_000)), (F64, F64_EDGES), (F64, random_patterns(F64, 100_000))],
    ids=["f32 edges", "f32 random", "f64 edges", "f64 random"],
)
def test_every_float_survives_its_text(dtype, patterns):
    texts = literal(patterns, dtype).texts()
    assert (read_back(texts, dtype) == patterns).all()
    assert (np.frombuffer(pack_texts(dtype, texts), f"<u{dtype.width}") == patterns).all()


@pytest.mark.parametrize(
    ("dtype", "patterns"),
    [(F32, HIGH_HALVES[::5]), (F32, F32_EDGES[-512:]), (F32, random_patterns(F32, 10_000)), (F64, F64_EDGES[:8000:4])],
    ids=["f32 high halves", "f32 subnormals", "f32 random", "f64 edges"],
)
def test_no_shorter_decimal_reads_back_to_the_same_float(dtype, patterns):
    values = patterns.view(dtype.numpy)
    finite = np.isfinite(values) & (values != 0)
    for x, text in zip(values[finite], literal(patterns[finite], dtype).texts()):
        fewest = np.format_float_scientific(x, unique=True, trim="-")
        assert len(digits(text)) == len(digits(fewest)), (text, fewest)


def digits(text):
    """The significant digits of a decimal."""
    return re.sub(r"e.*|[-.]", "", text).strip("0")


@pytest.mark.parametrize(
    ("dtype", "pattern", "text"),
    [
        (F32, 0x80000000, "-0.0"),
        (F32, 0x7F800000, "inf"),
        (F32, 0xFF800000, "-inf"),
        (F32, 0x7FC00000, "nan"),
        (F32, 0xFFC00000, "0xFFC00000"),
        (F32, 0x7F800001, "0x7F800001"),  # signalling
        (F32, 0x7FC0DEAD, "0x7FC0DEAD"),
        (F32, 0x00000001, "1e-45"),
        (F32, 0x7F7FFFFF, "3.4028235e+38"),
        (F32, 0x3DCCCCCD, "0.1"),
        (F32, 0x4B800000, "16777216.0"),
        (F64, 0x7FF8000000000000, "nan"),
        (F64, 0x7FF0000000000001, "0x7FF0000000000001"),
        (F64, 0x0000000000000001, "5e-324"),
        (F64, 0x7FEFFFFFFFFFFFFF, "1.7976931348623157e+308"),
    ],
)
def test_special_floats_are_written_so(dtype, pattern, text):
    assert literal(np.array([pattern], f"u{dtype.width}"), dtype).texts() == [text]
    assert read_back([text], dtype) == [pattern]


def test_a_nan_keeps_its_sign_and_payload_through_a_whole_module():
    bits = [0x7F800001, 0xFFC00000, 0x7FC00000, 0xFFFFFFFF]
    text = f"%0 = ConstTensor([{', '.join(f'0x{b:08X}' for b in bits)}], f32, [4])\noutputs: %0"
    m = parse(str(parse(text)))
    assert np.frombuffer(m[0].op.data.bits, "<u4").tolist() == bits
    assert m[0].op.evaluate().view(np.uint32).tolist() == bits


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("-nan", 0xFFC00000),
        ("+nan", 0x7FC00000),
        ("+inf", 0x7F800000),
        ("0X7fc00001", 0x7FC00001),
        ("1", 0x3F800000),
        (".5", 0x3F000000),
        ("5.", 0x40A00000),
        ("1E0", 0x3F800000),
        ("-0", 0x80000000),
        ("1e-400", 0),
        ("1e-60", 0),
        ("7.0064923216240854e-46", 0x00000001),  # just above half the smallest
        ("7.0064923216240853e-46", 0x00000000),  # just below
        ("3.4028235677973367e38", None),  # the first that rounds to infinity
        ("3.4028235677973366e38", 0x7F7FFFFF),  # as f64 it is halfway to infinity
    ],
)
def test_other_spellings_of_f32_are_read(text, pattern):
    if pattern is None:
        with pytest.raises(Reject, match="E4005"):
            element_bits(F32, text)
    else:
        assert read_back([text], F32) == [pattern]


HALF = "1.000000059604644775390625"  # halfway between 1 and the next f32
TWICE_ROUNDED = [
    (HALF, 0x3F800000),  # to even
    (HALF + "0" * 30 + "1", 0x3F800001),  # as f64 it is the half itself
    ("1.00000005960464477539062499999", 0x3F800000),
    ("-" + HALF + "0" * 30 + "1", 0xBF800001),
    ("1.000000178813934326171875", 0x3F800002),  # the half above: to even is up
    ("1.00000017881393432617187499999", 0x3F800001),
    ("16777217", 0x4B800000),
    ("16777217.0000000000000000000001", 0x4B800001),
    ("16777219", 0x4B800002),
    ("2.35098856151472858345e-38", 0x00FFFFFF),
]


@pytest.mark.parametrize(("text", "pattern"), TWICE_ROUNDED)
def test_a_decimal_is_rounded_to_f32_once(text, pattern):
    from fractions import Fraction

    around = np.array([pattern - 1, pattern, pattern + 1], np.uint32).view(np.float32)
    errors = [abs(Fraction(float(x)) - Fraction(text)) for x in around]
    assert errors[1] == min(errors)  # the expectation itself
    assert read_back([text], F32) == [pattern]
    assert np.frombuffer(pack_texts(F32, [text] * 100), "<u4").tolist() == [pattern] * 100


def test_random_decimals_near_a_half_are_rounded_once():
    from fractions import Fraction

    patterns = np.random.default_rng(3).integers(0x00800000, 0x7F000000, 2000, dtype=np.uint32)
    low, high = patterns.view(np.float32), (patterns + 1).view(np.float32)
    texts, expected = [], []
    for p, a, b in zip(patterns.tolist(), low.tolist(), high.tolist()):
        half = (Fraction(a) + Fraction(b)) / 2
        for shift, nearest in ((-1, p), (0, p + p % 2), (1, p + 1)):
            texts.append(decimal(half + half * Fraction(shift, 10**40)))
            expected.append(nearest)
    assert (read_back(texts, F32) == expected).all()
    assert np.frombuffer(pack_texts(F32, texts), "<u4").tolist() == expected


def decimal(x):
    """A positive fraction as a decimal that is exact to 60 digits, and exact if it needs no more."""
    import decimal

    with decimal.localcontext() as c:
        c.prec = 200
        return format(decimal.Decimal(x.numerator) / x.denominator, "e")


# Integers


@pytest.mark.parametrize(
    ("dtype", "text", "value"),
    [
        (I32, "2147483647", 2**31 - 1),
        (I32, "-2147483648", -(2**31)),
        (I64, "9223372036854775807", 2**63 - 1),
        (I64, "-9223372036854775808", -(2**63)),
        (I64, "0xff", 255),
        (I64, "-0x10", -16),
        (I64, "+7", 7),
        (I64, "007", 7),
    ],
)
def test_integers_are_read_exactly(dtype, text, value):
    assert Literal(dtype, element_bits(dtype, text)).numbers() == [value]


@pytest.mark.parametrize(
    ("dtype", "text", "code"),
    [
        (I32, "2147483648", "E4005"),
        (I64, "9223372036854775808", "E4005"),
        (I64, "0x8000000000000000", "E4005"),
        (I64, "0x" + "f" * 100, "E4005"),
        (I64, "1.0", "E4005"),
        (I64, "1e3", "E4005"),
        (I64, "nan", "E4005"),
        (F32, "1e39", "E4005"),
        (F64, "1e309", "E4005"),
        (F32, "0x7F8", "E1005"),
        (F32, "-0x7F800000", "E1005"),
        (F64, "0x7F800000", "E1005"),
    ],
)
def test_what_the_dtype_does_not_hold_is_an_error(dtype, text, code):
    with pytest.raises(Reject) as caught:
        element_bits(dtype, text)
    assert caught.value.code == code
    for texts in ([text], ["1"] * 100 + [text]):
        with pytest.raises(Reject, match=code):
            pack_texts(dtype, texts)


# Tensors


@pytest.mark.parametrize("dtype", list(DType), ids=str)
@pytest.mark.parametrize(
    "shape", [(), (1,), (2, 3), (1, 1), (0,), (3, 0, 2), (0, 5), (256,), (257,), (300, 0), (2, 200)]
)
def test_a_tensor_survives_its_text(dtype, shape):
    data = np.random.default_rng(1).integers(0, 100, shape).astype(dtype.numpy)
    written = "".join(text_pieces(Literal.from_array(data), shape))
    m = parse(f"%0 = ConstTensor {{data = {written}, dtype = {dtype}, shape = {list(shape)}}}\noutputs: %0\n")
    found = m[0].op.evaluate()
    assert (found.dtype, found.shape, found.tolist()) == (data.dtype, shape, data.tolist())
    assert parse(str(m)) == m
    assert written.startswith("base64") == (data.size > DECIMALS_UP_TO or shape == (300, 0))


def test_base64_is_the_little_endian_bytes():
    data = np.arange(400, dtype=np.float32)
    text = "".join(text_pieces(Literal.from_array(data), (400,)))
    encoded = re.fullmatch(r'base64\("([^"]*)"\)', text)[1]
    assert base64.b64decode(encoded) == data.astype("<f4").tobytes()


def test_the_pieces_of_a_large_tensor_are_small_and_join_to_one_base64():
    data = np.random.default_rng(0).integers(0, 2**31, 2_000_003, dtype=np.int32)
    pieces = list(text_pieces(Literal.from_array(data), data.shape))
    assert max(map(len, pieces)) <= 4 << 20
    assert base64.b64decode("".join(pieces)[8:-2], validate=True) == data.astype("<i4").tobytes()


@pytest.mark.parametrize("count", [2, 10**12])
def test_equal_elements_are_written_once(count):
    text = (
        f"%0 = ConstTensor {{data = splat(-0.0), dtype = f32, shape = [{count}]}} : tensor<f32[{count}]>\noutputs: %0\n"
    )
    m = parse(text)
    assert str(m) == text
    assert len(m[0].op.data) == 1


def test_a_splat_is_one_only_if_all_bits_agree():
    same = Literal.from_array(np.full(1000, 0.5, np.float32))
    assert same.is_splat
    assert not Literal.from_array(np.float32([0.0, -0.0])).is_splat
    almost = np.full(100_000, 0.5, np.float32)
    almost[50_000] = np.nextafter(almost[0], np.float32(1))
    assert not Literal.from_array(almost).is_splat


def test_arrays_of_any_layout_and_byte_order_give_the_same_literal():
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = Literal.from_array(a)
    assert expected.bits == struct.pack("<12f", *range(12))
    assert Literal.from_array(np.asfortranarray(a)) == expected
    assert Literal.from_array(a.astype(">f4")) == expected
    assert Literal.from_array(np.repeat(a, 2, axis=1)[:, ::2]) == expected


@pytest.mark.parametrize(
    ("data", "shape", "code"),
    [
        ("[1.0, 2.0]", "[3]", "E4005"),
        ("[[1.0], [2.0]]", "[2]", "E3010"),
        ("[1.0, 2.0]", "[2, 1]", "E3010"),
        ("[[1.0], 2.0]", "[2]", "E3010"),
        ("[[1.0], [2.0, 3.0]]", "[3]", "E3010"),
        ("[1.0, [2.0]]", "[2]", "E3010"),
        ("[]", "[]", "E4005"),
        ("1.0", "[1]", "E3010"),
        ("[1.0]", "[]", "E3010"),
        ("[true]", "[1]", "E4005"),
        ('["1"]', "[1]", "E4005"),
        ("[null]", "[1]", "E4005"),
        ("[NaN]", "[1]", "E4005"),
        ("[1.0, splat(2.0)]", "[2]", "E4005"),
        ("splat(1.0, 2.0)", "[2]", "E4013"),
        ("splat([1.0])", "[2]", "E4013"),
        ("other(1.0)", "[2]", "E4013"),
        ("word", "[2]", "E4013"),
        ('"text"', "[2]", "E4013"),
        ('base64("AACAPw==")', "[2]", "E4005"),
        ('base64("AACAPw")', "[1]", "E4005"),
        ('base64("AACA Pw==")', "[1]", "E4005"),
        ('base64("AACAPw==AACAPw==")', "[2]", "E4005"),
        ('base64("é")', "[1]", "E4005"),
        ("base64(AACAPw)", "[1]", "E4013"),
        ("{}", "[1]", "E1001"),
    ],
)
def test_data_that_does_not_fit_is_an_error_at_the_data(data, shape, code):
    text = f"%0 = ConstTensor {{data = {data}, dtype = f32, shape = {shape}}}\noutputs: %0\n"
    with pytest.raises(MindError) as caught:
        parse(text)
    error = caught.value
    assert error.code == code
    assert text[error.span.start : error.span.end] in (data, data[7:-1], "{")  # base64: its string


def test_rows_may_nest_as_deep_as_the_shape():
    rank = 30
    nested: object = "1.5"
    for _ in range(rank):
        nested = [nested]
    assert from_nested(F32, (1,) * rank, nested).numbers() == [1.5]


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 1.5, "1.5", None, [1], 1j])
def test_a_python_value_outside_i32_is_an_error(value):
    with pytest.raises(Reject, match="E4005"):
        Literal.scalar(I32, value)


def test_a_numpy_scalar_keeps_the_bits_of_its_nan():
    nan = np.array([0x7F800001], np.uint32).view(np.float32)[0]
    assert Literal.scalar(F32, nan).bits == struct.pack("<I", 0x7F800001)


MIXED = ["1.5", "nan", "-nan", "inf", "-inf", "-0.0", "3", "1e-45", "16777217"]


@pytest.mark.parametrize("dtype", [F32, F64])
def test_many_elements_read_as_each_does_alone(dtype):
    texts = MIXED * 20
    assert pack_texts(dtype, texts) == b"".join(element_bits(dtype, t) for t in texts)


@pytest.mark.parametrize(
    "data",
    [
        "[nan, 1.5, inf]",
        "[[nan, -inf],\n [0x7FC00001, .5], [1., +2]]",
        "[-nan, [1]]",
        "[nan, true]",
        "[nan, x]",
        "[nan, 1 2]",
        "[nan, 1nan]",
        "[nan,]",
        "[nan, [1]",
        "[nan, NaN]",
        "[0x7FC00001, null]",
    ],
)
def test_the_quick_way_through_lists_with_nan_agrees_with_the_general_one(data, monkeypatch):
    def read():
        shape = "[3, 2]" if "[[" in data else "[3]"
        text = f"%0 = ConstTensor {{data = {data}, dtype = f32, shape = {shape}}} : tensor<f32{shape}>\noutputs: %0"
        try:
            return str(parse(text))
        except MindError as e:
            return e.code, e.message, e.span

    quick = read()
    monkeypatch.setattr("mind_mlir.ir.syntax.SyntaxParser._numbers", lambda *_: None)
    assert read() == quick
