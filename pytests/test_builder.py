"""Making modules from Python: every op by its name, operators, constants, and errors that name the op."""

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import DType
from mind_mlir.ir import OPS, Literal


@pytest.fixture
def b():
    return mind.Builder()


def lines(b, *outputs):
    return str(mind.verify(b.finish(outputs or [b.value(len(b.operations) - 1)]))).splitlines()


def test_a_built_module_is_the_text_that_one_would_write(b):
    x = b.Input("x", mind.f32(2, 3))
    y = b.Sum(x * 2.0, axes=[1], keepdims=False)
    assert lines(b, y) == [
        '%0 = Input {name = "x"} : tensor<f32[2, 3]>',
        "%1 = ConstTensor {data = 2.0, dtype = f32, shape = []} : tensor<f32[]>",
        "%2 = Mul (%0, %1) : tensor<f32[2, 3]>",
        "%3 = Sum (%2) {axes = [1], keepdims = false} : tensor<f32[2]>",
        "outputs: %3",
    ]


@pytest.mark.parametrize("opcode", OPS)
def test_every_sample_of_every_op_can_be_built_by_name(opcode, b):
    assert opcode in dir(b)
    for op, types in OPS[opcode].samples():
        operands = [b.Input(f"x{len(b.operations)}", t) for t in types]
        attributes = {name: getattr(op, name) for name in op.kinds}
        by_name = getattr(b, opcode)(*operands, **attributes)
        by_position = getattr(b, opcode)(*operands, *attributes.values())
        for made in (by_name, by_position):
            values = made if isinstance(made, tuple) else (made,)
            assert {v.op for v in values} == {op}
            assert tuple(v.type for v in values) == op.result_types(*types)
            assert [v.id for v in values[0].operands] == [v.id for v in operands]


OPERATORS = {
    "x + y": ("Add", "0, 1"),
    "x - y": ("Sub", "0, 1"),
    "x * y": ("Mul", "0, 1"),
    "x / y": ("Div", "0, 1"),
    "x @ y": ("MatMul", "0, 1"),
    "-x": ("Neg", "0"),
    "x + 2": ("Add", "0, 2"),
    "2 + x": ("Add", "2, 0"),
    "x - 2": ("Sub", "0, 2"),
    "2 - x": ("Sub", "2, 0"),
    "x * 2.5": ("Mul", "0, 2"),
    "2.5 * x": ("Mul", "2, 0"),
    "x / 2": ("Div", "0, 2"),
    "2 / x": ("Div", "2, 0"),
    "np.float32(2) * x": ("Mul", "2, 0"),
    "np.ones(2, np.float32) - x": ("Sub", "2, 0"),
    "x - [1.0, 2.0]": ("Sub", "0, 2"),
}


@pytest.mark.parametrize("expression", OPERATORS)
def test_operators_are_ops(expression, b):
    opcode, operands = OPERATORS[expression]
    x, y = b.Input("x", mind.f32(2, 2)), b.Input("y", mind.f32(2, 2))
    v = eval(expression, {"x": x, "y": y, "np": np})
    assert v.op.opcode == opcode
    assert ", ".join(str(o.id) for o in v.operands) == operands
    assert v.type == mind.f32(2, 2)


def test_a_number_beside_a_value_takes_its_dtype(b):
    for t in (mind.f32(2), mind.f64(2), mind.i32(2), mind.i64(2)):
        v = b.Input(f"x{t.dtype}", t) + 1
        assert v.type == t
    with pytest.raises(mind.MindError, match=r"E4005.*1.5 is no value of i64"):
        b.Input("i", mind.i64(2)) + 1.5


def test_mT_swaps_the_last_two_axes(b):
    x = b.Input("x", mind.f32(2, 3, 4))
    assert x.mT.type == mind.f32(2, 4, 3)
    assert x.mT.op.permutation == (0, 2, 1)


@pytest.mark.parametrize("type", [mind.f32(), mind.f32(3)])
def test_mT_of_less_than_a_matrix_is_an_error(type, b):
    with pytest.raises(mind.MindError, match="E3002"):
        _ = b.Input("x", type).mT


# Constants


@pytest.mark.parametrize(
    ("data", "dtype", "type", "numbers"),
    [
        (1.5, None, mind.f32(), [1.5]),
        (3, None, mind.i64(), [3]),
        (np.float64(1.5), None, mind.f64(), [1.5]),
        (np.int32(3), None, mind.i32(), [3]),
        ([1.0, 2.0], None, mind.f32(2), [1.0, 2.0]),
        ([[1, 2]], None, mind.i64(1, 2), [1, 2]),
        (np.arange(3.0), None, mind.f64(3), [0, 1, 2]),
        (np.arange(3, dtype=">i4"), None, mind.i32(3), [0, 1, 2]),
        (np.arange(6, dtype=np.int32).reshape(2, 3).T, None, mind.i32(3, 2), [0, 3, 1, 4, 2, 5]),
        ([1, 2], "f64", mind.f64(2), [1, 2]),
        ([1.0, 2.0], np.float64, mind.f64(2), [1, 2]),
        (2, DType.F32, mind.f32(), [2]),
        (np.zeros((0, 3), np.float32), None, mind.f32(0, 3), []),
        (-0.0, "f32", mind.f32(), [0.0]),
    ],
)
def test_constants_are_made_of_numbers_lists_and_arrays(data, dtype, type, numbers, b):
    v = b.constant(data, dtype)
    assert v.type == type
    assert v.op.evaluate().ravel().tolist() == numbers


def test_a_constant_keeps_every_bit(b):
    bits = np.uint32([0x7F800001, 0xFFC0DEAD, 0x80000000, 1])
    assert b.constant(bits.view(np.float32)).op.data == Literal(DType.F32, bits.astype("<u4").tobytes())


@pytest.mark.parametrize(
    ("data", "dtype", "code"),
    [
        ("text", None, "E2002"),
        (None, None, "E2002"),
        ([[1], [1, 2]], None, "E3010"),
        (np.array([1j]), None, "E2002"),
        (1j, None, "E2002"),
        (1, "i24", "E2002"),
        (2**31, "i32", "E4005"),
        (2**64, None, "E2002"),
        ([2**31], "i32", "E4005"),
        (-1, "u8", "E4005"),
        ([256], "u8", "E4005"),
        (2, "i1", "E4005"),
        ([0.0], "i1", "E4005"),
        (0.5, "i32", "E4005"),
        ([0.5], "i64", "E4005"),
        (1e39, "f32", "E4005"),
    ],
)
def test_what_has_no_place_in_core_ir_is_no_constant(data, dtype, code, b):
    with pytest.raises(mind.MindError) as caught:
        b.constant(data, dtype)
    assert caught.value.code == code
    assert not b.operations


# Errors


def test_errors_have_the_code_of_the_rule(b):
    x, y = b.Input("x", mind.f32(2, 3)), b.Input("y", mind.f32(4, 3))
    for make, code in (
        (lambda: x + y, "E3001"),
        (lambda: x @ y, "E3003"),
        (lambda: b.Sum(x, axes=[2], keepdims=True), "E3004"),
        (lambda: b.Sum(x, axes=[0, 0], keepdims=True), "E3005"),
        (lambda: b.Sum(x, axes=0, keepdims=True), "E4013"),
        (lambda: b.Sum(x, axes=[0.5], keepdims=True), "E4013"),
        (lambda: b.Sum(x, axes=[True], keepdims=True), "E4013"),
        (lambda: b.Sum(x, axes=[2**63], keepdims=True), "E4013"),
        (lambda: b.Sum(x, axes="01", keepdims=True), "E4013"),
        (lambda: b.Sum(x, axes=[0], keepdims=1), "E4013"),
        (lambda: b.Sum(x, axes=[0]), "E4013"),
        (lambda: b.Sum(x, axes=[0], keepdims=True, keep=True), "E4013"),
        (lambda: b.Sum(x, [0], True, False), "E4013"),
        (lambda: b.Add(x), "E2007"),
        (lambda: b.Add(x, y, x), "E4013"),
        (lambda: b.Sum(), "E4013"),
        (lambda: b.Gather(x, y), "E4011"),
        (lambda: b.Input("", mind.f32(2)), "E4004"),
        (lambda: b.Input(5, mind.f32(2)), "E4013"),
        (lambda: b.Input("z", "f32"), "E4013"),
        (lambda: b.Input("z", mind.f32(-1)), "E3006"),
        (lambda: b.Conv2d(x, y, strides=[1, 1], padding="Full"), "E4010"),
        (lambda: b.Conv2d(x, y, strides=[1, 1], padding=[[0, 0]]), "E4010"),
    ):
        before = len(b.operations)
        with pytest.raises(mind.MindError) as caught:
            make()
        assert caught.value.code == code
        assert len(b.operations) == before


def test_a_result_whose_extents_pass_64_bits_is_refused(b):
    most = 2**63 - 1
    x, rows = b.Input("x", mind.f32(2)), b.Input("rows", mind.f32(2**62, 4))
    image, filter = b.Input("image", mind.f32(1, 2, 2, 1)), b.Input("filter", mind.f32(1, 1, 1, 1))
    for make, code, message in (
        (
            lambda: b.Pad(x, [most], [0], [0]),
            "E3006",
            f"extent 0 of the result of Pad is larger than {most}: {2**63 + 1}",
        ),
        (lambda: b.Reshape(rows, [-1]), "E3006", f"extent 0 of the result of Reshape is larger than {most}: {2**64}"),
        (
            lambda: b.Conv2d(image, filter, [9, 9], [[0, 0], [most, 0]]),
            "E4010",
            f"Conv2d pads 2 to {2**63 + 1}, larger than {most}",
        ),
    ):
        with pytest.raises(mind.MindError) as caught:
            make()
        assert (caught.value.code, caught.value.message) == (code, message)


def test_an_attribute_may_be_given_as_any_list_of_integers(b):
    x = b.Input("x", mind.f32(2, 3))
    for axes in ([1], (1,), np.array([1]), [np.int64(1)], range(1, 2), iter([1])):
        assert b.Sum(x, axes=axes, keepdims=np.bool_(True)).op == OPS["Sum"]((1,), True)


def test_an_operand_that_is_no_value_is_a_type_error(b):
    with pytest.raises(TypeError, match=r"Neg takes Values, got 1.0; Builder.constant makes one of an array"):
        b.Neg(1.0)


def test_an_unknown_op_is_an_attribute_error(b):
    with pytest.raises(AttributeError, match=r"no operation is named Sine$"):
        _ = b.Sine
    assert not hasattr(b, "__deepcopy__")


def test_a_value_of_another_builder_is_refused(b):
    other = mind.Builder()
    other.Input("a", mind.f32(2))
    stranger = other.Input("b", mind.f32(2))
    x = b.Input("x", mind.f32(2))
    with pytest.raises(ValueError, match="another Builder"):
        b.Add(x, stranger)
    with pytest.raises(ValueError, match="another Builder"):
        b.emit(OPS["Add"](), x, stranger)
    with pytest.raises(ValueError, match="another Builder"):
        b.finish([stranger])


def test_gradients_are_given_as_pairs(b):
    x = b.Input("x", mind.f32(2))
    y = -x
    m = b.finish([y], [(x, y)])
    assert str(m).endswith("outputs: %1\ngradients: %0 -> %1\n")
    assert mind.parse(str(m)) == m


def test_equal_programs_are_equal_modules_with_equal_hashes():
    def make():
        b = mind.Builder()
        return b.finish([b.Relu(b.Input("x", mind.f32(2)) * 2.0)])

    assert make() == make()
    assert hash(make()) == hash(make())
    assert mind.digest(make()) == mind.digest(make())


def test_operations_and_types_are_frozen(b):
    x = b.Input("x", mind.f32(2))
    for thing, name in ((x.type, "shape"), (b.operation(0), "op"), (x.op, "name"), (b.finish([x]), "outputs")):
        with pytest.raises(AttributeError):
            setattr(thing, name, None)


def test_a_wrong_case_of_an_operation_is_named(b):
    with pytest.raises(AttributeError, match=r"no operation is named relu; did you mean Relu\?"):
        _ = b.relu


def test_finish_takes_a_list_of_values(b):
    x = b.Input("x", mind.f32(2))
    with pytest.raises(TypeError, match=r"a list of Values: finish\(\[y\]\)"):
        b.finish(x)
    with pytest.raises(TypeError, match=r"finish takes Values, got 1\.0"):
        b.finish([x, 1.0])


def test_an_array_given_to_ConstTensor_is_sent_to_constant(b):
    with pytest.raises(mind.MindError, match=r"E4013.*expected a Literal, found ndarray\n.*Builder.constant"):
        b.ConstTensor(data=np.ones(2, np.float32), dtype="f32", shape=[2])


def test_ragged_lists_are_no_constant(b):
    with pytest.raises(mind.MindError, match=r"E3010.*differ in length or depth"):
        b.constant([[1.0], [1.0, 2.0]])


@pytest.mark.parametrize("extent", [(2, 3), [2], None, 2.0])
def test_an_extent_of_a_type_is_an_integer(extent):
    with pytest.raises(TypeError, match=r"extents are integers, as in f32\(2, 3\), got"):
        mind.f32(extent)
    assert mind.f32(np.int64(2)) == mind.f32(2)
