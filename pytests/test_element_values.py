"""Values of every element type: conversions, shifts and bits at their edges, interpreted and native, and in calls."""

import numpy as np
import pytest
from support import assert_same_bits, native, random_array

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType

INTEGERS = [d for d in DType if d.is_integer]
FLOATS = [d for d in DType if d.is_float]
every_integer = pytest.mark.parametrize("dtype", INTEGERS, ids=str)


def both_ways(make, *arrays):
    """What a module of one operation gives: by the interpreter, and by native code, which has the same bits."""
    b = Builder()
    m = b.finish([make(b, *[b.Input(f"x{n}", TensorType.of_array(a)) for n, a in enumerate(arrays)])])
    (expected,) = mind.interpret(m, *arrays)
    for numerics in ("strict", "default"):
        (found,) = native(m, numerics)(*arrays)
        assert_same_bits(found, expected)
    return expected


def edges(source, to):
    """Floats about the ends of an integer type, and such as no integer is."""
    near = [
        x for end in (to.smallest, to.largest, to.largest + 1) for x in (end - 1, end - 0.5, end, end + 0.5, end + 1)
    ]
    a = np.array([*near, 0.0, -0.0, 0.5, -0.5, 0.99, -0.99, 1.5, -1.5, np.inf, -np.inf, np.nan, 1e30, -1e30]).astype(
        source
    )
    return np.concatenate([a, np.nextafter(a, source.type(np.inf)), np.nextafter(a, source.type(-np.inf))])


@every_integer
@pytest.mark.parametrize("source", [d for d in FLOATS if not d.is_half], ids=str)
def test_a_float_becomes_the_integer_toward_zero_or_the_nearest_one(source, dtype):
    a = edges(source.numpy, dtype)
    exact = [0 if x != x else min(max(x, dtype.smallest), dtype.largest) for x in a.tolist()]
    expected = np.array([int(x) for x in exact], dtype.numpy)
    assert_same_bits(both_ways(lambda b, x: b.Convert(x, to=dtype), a), expected)


@every_integer
@pytest.mark.parametrize("to", list(DType), ids=str)
def test_an_integer_wraps_and_is_rounded_to_nearest_even(dtype, to):
    rng = np.random.default_rng(0)
    a = np.concatenate([random_array(TensorType(dtype, (37,)), rng, special=True), _all_bits(dtype, rng)])
    found = both_ways(lambda b, x: b.Convert(x, to=to), a)
    if to.is_bool:
        expected = a != 0
    elif to.is_float:
        expected = np.array([_nearest(n, to) for n in a.tolist()], to.numpy)
    else:
        half = 1 << (to.bits - 1)
        wrapped = [(n + half) % (2 * half) - half if to.is_signed else n % (2 * half) for n in a.tolist()]
        expected = np.array(wrapped, to.numpy)
    assert_same_bits(found, expected)


def _all_bits(dtype, rng):
    """Integers of all lengths."""
    bits = rng.integers(0, 2**63, 100, np.uint64) * np.uint64(2) + np.uint64(1)
    return (bits >> rng.integers(0, 64, 100, np.uint64)).astype(dtype.numpy)


def _nearest(n, to):
    """The float nearest to an integer, ties to even: by the literal's own reader, from decimals; to 16 bits by f32."""
    if to.is_half:
        with np.errstate(over="ignore"):
            return np.float32(_nearest(n, DType.F32)).astype(to.numpy)
    from mind_mlir.ir.numbers import element_bits, elements

    return elements(to, element_bits(to, f"{n}.0"))[0]


@pytest.mark.parametrize("to", list(DType), ids=str)
def test_a_truth_value_is_1_or_0_and_what_is_not_0_is_true(to):
    truth = np.array([True, False, True])
    assert_same_bits(both_ways(lambda b, x: b.Convert(x, to=to), truth), truth.astype(to.numpy))
    numbers = np.array([0, 1, 2, 0], to.numpy)
    assert both_ways(lambda b, x: b.Convert(x, to=DType.I1), numbers).tolist() == [False, True, True, False]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_nan_and_negative_zero_as_truth_values(dtype):
    x = np.array([np.nan, -0.0, 0.0, np.inf, dtype.finfo.smallest_subnormal], dtype.numpy)
    assert both_ways(lambda b, x: b.Convert(x, to=DType.I1), x).tolist() == [True, False, False, True, True]


def _shifted(opcode, n, amount, dtype):
    """A shift on Python's integers."""
    bits = dtype.bits
    unsigned = n % 2**bits
    outside = not 0 <= amount < bits
    if opcode == "ShiftLeft":
        found = 0 if outside else unsigned << amount
    elif opcode == "ShiftRightLogical":
        found = 0 if outside else unsigned >> amount
    else:
        signed = unsigned - (unsigned >> (bits - 1) << bits)
        found = signed >> (bits - 1 if outside else amount)
    found %= 2**bits
    return found - 2**bits if dtype.is_signed and found >> (bits - 1) else found


@every_integer
@pytest.mark.parametrize("opcode", ["ShiftLeft", "ShiftRightLogical", "ShiftRightArithmetic"])
def test_a_shift_by_any_amount(opcode, dtype):
    rng = np.random.default_rng(1)
    x = random_array(TensorType(dtype, (80,)), rng, special=True)
    amounts = [
        0,
        1,
        7,
        dtype.bits - 1,
        dtype.bits,
        dtype.bits + 1,
        dtype.largest,
        max(dtype.smallest, -1),
        dtype.smallest,
    ]
    y = np.array((amounts * 9)[:80], dtype.numpy)
    expected = [_shifted(opcode, n, amount, dtype) for n, amount in zip(x.tolist(), y.tolist())]
    assert_same_bits(both_ways(lambda b, x, y: getattr(b, opcode)(x, y), x, y), np.array(expected, dtype.numpy))


@every_integer
def test_bits_are_counted(dtype):
    x = _all_bits(dtype, np.random.default_rng(2))
    expected = [bin(n % 2**dtype.bits).count("1") for n in x.tolist()]
    assert_same_bits(both_ways(lambda b, x: b.PopCount(x), x), np.array(expected, dtype.numpy))


@every_integer
def test_division_by_zero_and_of_the_smallest_integer(dtype):
    x = np.array([7, 7, dtype.smallest, dtype.largest, 0], dtype.numpy)
    y = np.array([2, 0, dtype.largest if not dtype.is_signed else -1, dtype.largest, 0], dtype.numpy)
    all_bits = -1 if dtype.is_signed else dtype.largest
    expected = [3, all_bits, dtype.smallest, 1, all_bits]
    assert_same_bits(both_ways(lambda b, x, y: b.Div(x, y), x, y), np.array(expected, dtype.numpy))


@pytest.mark.parametrize("opcode", ["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"])
def test_false_is_less_than_true(opcode):
    x, y = np.array([False, False, True, True]), np.array([False, True, False, True])
    compare = {"Equal": "==", "NotEqual": "!=", "Less": "<", "LessEqual": "<=", "Greater": ">", "GreaterEqual": ">="}
    expected = [eval(f"a {compare[opcode]} b") for a, b in zip(x.tolist(), y.tolist())]
    assert both_ways(lambda b, x, y: getattr(b, opcode)(x, y), x, y).tolist() == expected


# Floats of 16 bits

HALVES = [d for d in DType if d.is_half]
every_half = pytest.mark.parametrize("dtype", HALVES, ids=str)


@every_half
def test_all_numbers_of_16_bits_are_the_f32_of_the_same_value_and_come_back(dtype):
    a = np.arange(2**16, dtype=np.uint16).view(dtype.numpy)
    wide = both_ways(lambda b, x: b.Convert(x, to=DType.F32), a)
    assert_same_bits(wide, a.astype(np.float32))
    assert_same_bits(both_ways(lambda b, x: b.Convert(x, to=dtype), wide), a)


@every_half
def test_an_f32_is_rounded_to_nearest_even(dtype):
    rng = np.random.default_rng(5)
    near = np.arange(2**16, dtype=np.uint16).view(dtype.numpy).astype(np.float32).view(np.uint32)
    ties = near + rng.choice(np.uint32([0x800, 0x1000, 0x4000, 0x8000]), near.size) + rng.integers(0, 3, near.size)
    bits = np.concatenate([rng.integers(0, 2**32, 2**16, np.uint32), ties.astype(np.uint32) - np.uint32(1)])
    x = bits.view(np.float32)
    with np.errstate(all="ignore"):
        assert_same_bits(both_ways(lambda b, x: b.Convert(x, to=dtype), x), x.astype(dtype.numpy))


@every_half
@pytest.mark.parametrize("opcode", ["Add", "Mul", "Div", "Dot"])
def test_operations_compute_in_f32_and_round_once(opcode, dtype):
    rng = np.random.default_rng(6)
    x, y = (random_array(TensorType(dtype, (700,)), rng) for _ in range(2))
    wide = [a.astype(np.float32) for a in (x, y)]
    b = Builder()
    m = b.finish([getattr(b, opcode)(*[b.Input(f"x{n}", TensorType.of_array(a)) for n, a in enumerate(wide)])])
    expected = mind.interpret(m, *wide)[0].astype(dtype.numpy)
    found = mind.interpret(m_of(opcode, x, y), x, y)[0]
    assert_same_bits(found, expected)
    assert_same_bits(native(m_of(opcode, x, y))(x, y)[0], expected)


def m_of(opcode, *arrays):
    b = Builder()
    return b.finish([getattr(b, opcode)(*[b.Input(f"x{n}", TensorType.of_array(a)) for n, a in enumerate(arrays)])])


@every_half
def test_a_number_in_text_is_rounded_once_and_written_as_the_shortest_decimal(dtype):
    from mind_mlir.ir.numbers import element_bits, element_texts

    bits = np.arange(0, 2**16, 13, dtype=np.uint16).tobytes()
    texts = element_texts(dtype, bits)
    assert b"".join(element_bits(dtype, t) for t in texts) == bits
    assert element_texts(dtype, element_bits(dtype, "0.1")) == ["0.1"]
    tie = 1 + 2.0 ** -(dtype.mantissa + 1)
    assert element_bits(dtype, repr(tie)) == element_bits(dtype, "1.0")
    assert element_bits(dtype, f"{tie:.30f}1") != element_bits(dtype, "1.0")


@every_half
def test_a_number_beyond_the_largest_is_no_value(dtype):
    b = Builder()
    with pytest.raises(mind.MindError) as caught:
        b.constant(1e39, dtype)
    assert caught.value.code == "E4005"


@every_half
def test_a_gradient_has_the_dtype(dtype):
    x = np.array([0.5, -1.5, 2.0], dtype.numpy)
    found = mind.grad(lambda x: mind.sum(mind.exp(x) * x))(x)
    assert found.dtype == dtype.numpy
    wide = x.astype(np.float64)
    error = np.abs(found.astype(np.float64) - (1 + wide) * np.exp(wide))
    assert (error <= 4 * float(dtype.finfo.eps) * (1 + np.abs(wide)) * np.exp(wide)).all()


# Memory


def test_any_byte_but_0_is_true():
    mask = np.array([0, 1, 2, 255, 0], np.uint8).view(np.bool_)
    found = both_ways(lambda b, c: b.Select(c, b.constant(np.int8(7)), b.constant(np.int8(3))), mask)
    assert found.tolist() == [3, 7, 7, 7, 3]
    b = Builder()
    assert b.constant(mask).op.data.numbers() == [False, True, True, True, False]


@pytest.mark.parametrize("n", [1, 7, 64, 1003])
def test_masks_and_elements_of_all_widths_share_a_loop(n):
    rng = np.random.default_rng(3)
    types = [TensorType(d, (2, n)) for d in DType]
    b = Builder()
    inputs = [b.Input(f"x{k}", t) for k, t in enumerate(types)]
    mask, *numbers = inputs
    chosen = [b.Select(b.And(mask, b.Less(x, x + x)), x * x, x) for x in numbers]
    wide = [b.Convert(x, to=DType.F64) for x in chosen]
    total = wide[0]
    for x in wide[1:]:
        total = total + x
    m = b.finish([*chosen, total, b.Not(mask)])
    arrays = [random_array(t, rng, special=True) for t in types]
    with np.errstate(all="ignore"):
        expected = mind.interpret(m, *arrays)
    for found, want in zip(native(m)(*arrays), expected):
        assert_same_bits(found, want)


# Calls


@pytest.mark.parametrize("dtype", list(DType), ids=str)
@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_jit_takes_and_gives_arrays_of_every_dtype(dtype, target):
    x = random_array(TensorType(dtype, (3, 5)), np.random.default_rng(4))
    mask = x != x[::-1]
    fn = mind.jit(lambda c, x: (mind.where(c, x, x[0]), c, x > x[0]), target=target)
    for _ in range(3):  # the second call goes past Python
        chosen, same, greater = fn(mask, x)
        assert_same_bits(chosen, np.where(mask, x, x[0]))
        assert_same_bits(same, mask)
        assert_same_bits(greater, x > x[0])


def test_an_array_of_another_dtype_names_the_conversion():
    b = Builder()
    m = b.finish([b.Not(b.Input("mask", mind.i1(3)))])
    with pytest.raises(mind.MindError) as caught:
        mind.compile(m)(np.zeros(3, np.int32))
    assert "pass mask.astype(np.bool_)" in str(caught.value)


def test_a_header_in_c_has_the_types_of_stdint_and_stdbool():
    from mind_mlir.lowering.abi.c_header import c_header

    b = Builder()
    x, c = b.Input("x", mind.u16(3)), b.Input("c", mind.i1(3))
    text = c_header(b.finish([b.Select(c, x, x)]), "chosen")
    assert "#include <stdbool.h>" in text
    assert "const uint16_t *" in text
    assert "const bool *" in text
    b = Builder()
    assert "stdbool" not in c_header(b.finish([b.Not(b.Input("x", mind.u16(3)))]), "inverted")


def test_random_arguments_have_both_truth_values():
    from mind_mlir.runtime.arguments import random_arrays

    (found,) = random_arrays({"c": mind.i1(50)}, 0).values()
    assert found.dtype == np.bool_
    assert found.any()
    assert not found.all()


def test_a_gradient_goes_through_conversions_of_floats():
    f = lambda x: mind.sum(mind.apply(mind.ir.OPS["Convert"](DType.F32), x))  # noqa: E731
    assert_same_bits(mind.grad(f, target="interpret")(np.float64([1, 2])), np.float64([1, 1]))
