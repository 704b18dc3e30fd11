"""Core IR in the dialect `mind`: there and back, registration, the op classes, and the conversion in place."""

import dataclasses
import io
import itertools
import keyword
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from mlir import ir
from mlir.dialects import func
from random_modules import modules
from support import alone, error_of, of_one_type_each, read_by_irdl, samples_of

import mind_mlir as mind
from mind_mlir import Builder, MindError, f32, i64
from mind_mlir.dialects import mind as ops, register
from mind_mlir.dialects.conversion import convert_mind_to_linalg
from mind_mlir.dialects.encoding import dialect_ops, encoded_attributes, op_name
from mind_mlir.dialects.placement import mesh_of, spec_of
from mind_mlir.dialects.text import dialect_bytecode, dialect_text, form_of_text, parse_dialect, read_dialect
from mind_mlir.ir import OPS, Mesh, P, Source
from mind_mlir.lowering.mlir.failure import MlirPassFailed

EXAMPLES = sorted(p for p in (Path(__file__).resolve().parent.parent / "examples").glob("*.mindir"))
EVERY_OP = pytest.mark.parametrize("opcode", sorted(set(OPS) - {"Input"}))


def irdl_context():
    context = ir.Context()
    assert register(context, "irdl") == "irdl"
    return context


def there_and_back(m, context):
    """`m` after it was MLIR in memory, text and bytecode."""
    made = mind.to_mind(m, context)
    assert made.operation.verify()
    out = io.BytesIO()
    made.operation.write_bytecode(out)
    with made.context:
        forms = [made, ir.Module.parse(str(made)), ir.Module.parse(out.getvalue())]
    return [mind.from_mind(form) for form in forms]


# There and back


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem != "mistake"], ids=lambda p: p.stem)
def test_an_example_comes_back_equal(path):
    m = mind.parse(path)
    assert there_and_back(m, irdl_context()) == [m] * 3


@EVERY_OP
def test_every_sample_comes_back_equal(opcode):
    context = irdl_context()
    for op, types in samples_of(opcode):
        m = alone(op, types)
        if of_one_type_each(op, types):
            assert there_and_back(m, context) == [m] * 3
        else:
            made = mind.to_mind(m, context)
            assert mind.from_mind(made) == m
            with pytest.raises(ir.MLIRError, match=r"expected 'tensor<.*>' but got 'tensor<.*>'"):
                made.operation.verify()


@settings(max_examples=60)
@given(modules())
def test_a_random_module_and_its_canonical_form_come_back_equal(m):
    assume(read_by_irdl(m))
    for module in (m, mind.canonicalize(m)):
        assert there_and_back(module, irdl_context()) == [module] * 3


def test_ids_interface_lines_and_late_inputs_are_kept():
    m = mind.parse(
        """
        %3 = Input {name = "x"} : tensor<f32[2]>
        %5 = Relu (%3) : tensor<f32[2]>
        %1 = Input {name = "a name, \\"quoted\\""} : tensor<f32[2]>
        %9 = Add (%5, %1) : tensor<f32[2]>
        %10 = Input {name = "t"} : tensor<f32[2]>
        outputs: %9, %9, %3
        gradients: %3 -> %9, %1 -> %5
        tangents: %3 -> %10
        """
    )
    assert there_and_back(m, irdl_context()) == [m] * 3


def test_what_passes_left_of_a_module_is_numbered_anew_where_its_ids_no_longer_fit():
    source = Source(
        "m.mlir",
        """
        func.func @main(%x: tensor<2xf32> {mind.name = "x", mind.id = 0 : i64},
                        %y: tensor<2xf32> {mind.name = "y", mind.after = 4 : i64, mind.id = 9 : i64})
            -> (tensor<2xf32>, tensor<2xf32>) attributes {mind.gradients = array<i64: 0, 12>} {
          %0 = "mind.add"(%x, %y) {mind.id = 7 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
          %1 = "mind.mul"(%0, %y) {mind.id = 7 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
          %2 = "mind.neg"(%1) {mind.id = 12 : i64} : (tensor<2xf32>) -> tensor<2xf32>
          return %2, %x : tensor<2xf32>, tensor<2xf32>
        }
        """,
    )
    assert str(mind.verify(mind.from_mind(parse_dialect(source), source))) == "\n".join(
        [
            '%0 = Input {name = "x"} : tensor<f32[2]>',
            '%1 = Input {name = "y"} : tensor<f32[2]>',
            "%2 = Add (%0, %1) : tensor<f32[2]>",
            "%3 = Mul (%2, %1) : tensor<f32[2]>",
            "%4 = Neg (%3) : tensor<f32[2]>",
            "outputs: %4, %0",
            "gradients: %0 -> %4",
            "",
        ]
    )


ON_A_MESH = """
mesh: dp = 2, tp = 4
%0 = Input {name = "x", sharding = [dp, _]} : tensor<f32[8, 16]>
%1 = AllReduce (%0) {axis = "dp", size = 2, sharding = [_, [tp, dp]]} : tensor<f32[8, 16]>
%2 = AllGather (%1) {axis = "tp", dim = 1, invariant = true, size = 4} : tensor<f32[8, 64]>
%3 = AllToAll (%2) {axis = "tp", concat = 1, size = 4, split = 0} : tensor<f32[2, 256]>
%7 = Input {name = "b", sharding = []} : tensor<f32[]>
%8 = Reshard (%3) {sharding = partial([dp, _], [tp]), to = partial([dp, _], [tp])} : tensor<f32[2, 256]>
%9 = AllReduce (%7) {axis = "tp", kind = "max", size = 4} : tensor<f32[]>
outputs: %8, %9
"""


@pytest.mark.parametrize("mesh", ["mesh: dp = 2, tp = 4", "mesh: tp = 4, dp = 2, _x = 1"])
def test_the_mesh_and_the_shardings_are_kept(mesh):
    m = mind.verify(mind.parse(ON_A_MESH.replace("mesh: dp = 2, tp = 4", mesh)))
    assert there_and_back(m, irdl_context()) == [m] * 3
    assert read_dialect("m.mlirbc", dialect_bytecode(m)) == m


def test_a_mesh_without_axes_is_kept():
    m = mind.verify(mind.parse('mesh:\n%0 = Input {name = "x", sharding = [_]} : tensor<f32[8]>\noutputs: %0\n'))
    assert there_and_back(m, irdl_context()) == [m] * 3


AXES = st.lists(st.sampled_from(["dp", "tp", "_x", "P9", "partial", "splat"]), unique=True)


@given(AXES, st.lists(st.integers(0, 3), max_size=5), AXES)
def test_every_sharding_has_one_text(axes, dims, unreduced):
    left = iter(axes)
    spec = P(*[tuple(itertools.islice(left, n)) for n in dims], unreduced=set(unreduced) - set(axes))
    assert spec_of(str(spec)) == spec


@given(AXES, st.lists(st.integers(1, 9), min_size=6, max_size=6))
def test_every_mesh_has_one_text(axes, sizes):
    mesh = Mesh(axes, sizes[: len(axes)])
    assert mesh_of(str(mesh)) == mesh


def test_an_axis_whose_name_is_no_identifier_is_refused_when_it_is_written():
    with irdl_context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            f = func.FuncOp("f", ([ir.Type.parse("tensor<2xf32>")], []))
        with ir.InsertionPoint(f.add_entry_block()):
            assert error_of(ops.reshard, f.arguments[0], P("a, b")).code == "E4013"


def test_remarks_behind_operations_are_kept():
    m = dataclasses.replace(mind.parse(EXAMPLES[0]), notes={0: "of a parameter", 2: "of an operation"})
    assert [back.notes for back in there_and_back(m, irdl_context())] == [m.notes] * 3


@pytest.mark.parametrize("bits", [0x7FC00001, 0x7F800001, 0xFFC12345, 0x80000000, 0x00000001])
def test_every_bit_of_a_constant_is_kept(bits):
    number = np.array([bits], np.uint32).view(np.float32)
    b = Builder()
    b.ConstF32(mind.ir.Literal.from_array(number))
    b.constant(np.repeat(number, 3))
    b.constant(np.concatenate([number, np.float32([1])]))
    m = b.finish([b.value(0), b.value(1), b.value(2)])
    assert there_and_back(m, irdl_context()) == [m] * 3


def test_operations_that_differ_in_a_default_alone_stay_apart():
    b = Builder()
    x, i = b.Input("x", f32(4, 2)), b.Input("i", i64(3))
    m = b.finish([b.Gather(x, i, oob=oob) for oob in ("error", "clip", "fill")])
    assert there_and_back(m, irdl_context()) == [m] * 3


def test_a_file_is_read_as_text_and_as_bytecode():
    m = mind.parse(EXAMPLES[0])
    assert read_dialect("m.mlir", dialect_text(m).encode()) == m
    assert read_dialect("m.mlirbc", dialect_bytecode(m)) == m


def test_the_form_of_a_text_is_told_by_its_operations():
    generic = dialect_text(mind.parse(EXAMPLES[0]))
    assert form_of_text(Source("m", generic)) == "irdl"
    assert form_of_text(Source("m", "%0 = mind.add %x, %y : (f, f) -> f")) == "native"
    assert form_of_text(Source("m", 'module attributes {mind.ir_version = 1 : i64} {} // "mind.add"(%x)')) is None
    assert form_of_text(Source("m", 'func.func @f() attributes {\n  mind.numerics = "strict"} {')) is None


# What is no Core IR


def reading(body, header="module"):
    """What reading this MLIR raises."""
    source = Source("m.mlir", f"{header} {{\n{body}\n}}\n")
    with pytest.raises(MindError) as caught:
        mind.from_mind(parse_dialect(source), source)
    return caught.value


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("", "the module holds nothing"),
        ("func.func private @f()", "not one func.func with one block"),
        ("func.func @f() { return }\nfunc.func @g() { return }", "not one func.func"),
        ("func.func @f(%x: f32) -> f32 { %y = arith.addf %x, %x : f32\n return %y : f32 }", "parameter 0 is f32"),
        (
            "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n %y = arith.addf %x, %x : tensor<2xf32>\n"
            " return %y : tensor<2xf32> }",
            "arith.addf is no operation of Core IR",
        ),
        ("func.func @f(%x: tensor<?xf32>) { return }", "parameter 0 is tensor<?xf32>"),
        ("func.func @f(%x: tensor<2xi24>) { return }", "parameter 0 is tensor<2xi24>"),
        ("func.func @f(%x: tensor<2xf32> {mind.id = -1 : i64}) { return }", "mind.id is -1"),
        ("func.func @f(%x: tensor<2xf32> {mind.name = 3 : i64}) { return }", "mind.name is 3 : i64, not text"),
        ('func.func @f(%x: tensor<2xf32> {mind.note = "\\FF"}) { return }', 'mind.note is "\\FF", not text'),
        (
            "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> attributes {mind.gradients = array<i64: 0>} {\n"
            " return %x : tensor<2xf32> }",
            "not pairs of ids",
        ),
        (
            "func.func @f(%x: tensor<2xf32> {mind.id = 0 : i64}) -> tensor<2xf32>\n"
            "    attributes {mind.gradients = array<i64: 0, 3>} {\n return %x : tensor<2xf32> }",
            "mind.gradients names 3, which is the mind.id of no values",
        ),
        (
            "func.func @f(%x: tensor<2xf32> {mind.id = 0 : i64}) attributes {mind.tangents = array<i64: 0, 1>} {\n"
            ' %y = "mind.neg"(%x) {mind.id = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>\n'
            ' %z = "mind.neg"(%y) {mind.id = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>\n return }',
            "mind.tangents names 1, which is the mind.id of 2 values",
        ),
    ],
)
def test_what_is_no_core_ir_is_refused_at_its_place(body, says):
    error = reading(body)
    assert error.code in ("E7016", "E2002")
    assert says in error.message


def test_an_attribute_of_another_kind_is_refused_at_its_place():
    error = reading(
        "func.func @f(%x: tensor<2xf32>) -> tensor<f32> {\n"
        ' %y = "mind.sum"(%x) {axes = array<i32: 0>, keepdims = false} : (tensor<2xf32>) -> tensor<f32>\n'
        " return %y : tensor<f32> }"
    )
    assert error.code == "E4013"
    assert "axes: expected a list of axes" in error.message
    assert "m.mlir:3" in str(error)


def test_another_version_of_core_ir_is_refused():
    error = reading("func.func @f() { return }", "module attributes {mind.ir_version = 2 : i64}")
    assert error.code == "E7016"
    assert "mind.ir_version is 2 : i64, this toolchain reads 1" in error.message


@pytest.mark.parametrize(
    ("mesh", "code", "says"),
    [
        ("1 : i64", "E7016", "mind.mesh is 1 : i64, not the text of a mesh"),
        ('"dp: 2"', "E7016", 'mind.mesh is "dp: 2", not the text of a mesh'),
        ('"dp = 0"', "E8001", "mesh axis dp has size 0"),
        ('"dp = 2, dp = 2"', "E8001", "mesh axis dp stands twice"),
    ],
)
def test_what_is_no_mesh_is_refused(mesh, code, says):
    error = reading("func.func @f() { return }", f"module attributes {{mind.mesh = {mesh}}}")
    assert (error.code, error.message) == (code, says)


@pytest.mark.parametrize(
    ("sharding", "code", "says"),
    [
        ("unit", "E4013", "attribute mind.sharding: expected a sharding, such as [dp, _]"),
        ('"[dp"', "E4013", 'found "[dp"'),
        ('"[[dp], _]"', "E4013", 'found "[[dp], _]"'),
        ('"partial([_], [tp, dp])"', "E4013", 'found "partial([_], [tp, dp])"'),
        ('"[dp, dp]"', "E8003", "mesh axis dp is used twice in a sharding"),
    ],
)
def test_what_is_no_sharding_is_refused_on_a_parameter_and_an_operation(sharding, code, says):
    for text in (
        f"func.func @f(%x: tensor<2xf32> {{mind.sharding = {sharding}}}) {{ return }}",
        "func.func @f(%x: tensor<2xf32>) {\n"
        f' %y = "mind.neg"(%x) {{mind.sharding = {sharding}}} : (tensor<2xf32>) -> tensor<2xf32>\n return }}',
    ):
        error = reading(text)
        assert error.code == code
        assert says in error.message


def test_a_sharding_that_does_not_fit_is_refused_by_verify():
    text = 'func.func @f(%x: tensor<2xf32> {{mind.sharding = "{}"}}) -> tensor<2xf32> {{ return %x : tensor<2xf32> }}'
    on_dp = 'module attributes {{mind.mesh = "dp = 2"}} {{ {} }}'
    for sharding, module in (("[dp]", "{}"), ("[tp]", on_dp)):
        assert error_of(mind.verify, read_dialect("m", module.format(text.format(sharding)).encode())).code == "E8002"
    assert error_of(mind.verify, read_dialect("m", on_dp.format(text.format("[dp, _]")).encode())).code == "E8003"


def test_mlir_that_does_not_parse_is_e7008():
    assert error_of(parse_dialect, Source("m.mlir", '%0 = "mind.add"(%x) : (f32) -> f32')).code == "E7008"
    assert error_of(read_dialect, "m.mlirbc", b"ML\xefRfoo").code == "E7008"


# Registration


def test_a_context_has_one_form_once():
    context = irdl_context()
    assert register(context) == register(context, "irdl") == "irdl"
    assert error_of(register, context, "native").code == "E7015"


def test_arguments_of_another_kind_are_e7007():
    assert error_of(register, None).code == "E7007"
    assert error_of(register, ir.Context(), "cpp").code == "E7007"
    assert error_of(mind.to_mind, mind.parse(EXAMPLES[0]), 3).code == "E7007"


def test_irdl_checks_counts_and_kinds():
    context = irdl_context()
    for text in (
        'func.func @f(%x: tensor<2xf32>) { %y = "mind.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n return }',
        'func.func @f(%x: tensor<2xf32>) { %y = "mind.sum"(%x) {axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<f32>'
        "\n return }",
        'func.func @f(%x: tensor<2xf32>) { %y = "mind.sum"(%x) {axes = 0 : i64, keepdims = true} : (tensor<2xf32>)'
        " -> tensor<f32>\n return }",
    ):
        with context, pytest.raises(ir.MLIRError):
            ir.Module.parse(text)


# The op classes


def function_of(cls):
    """The function of an operation; a keyword of Python has an underscore after it."""
    return getattr(ops, cls.mnemonic + "_" * keyword.iskeyword(cls.mnemonic))


def test_every_operation_has_a_class_and_a_function():
    for cls in dialect_ops():
        made = getattr(ops, f"{cls.opcode}Op")
        assert op_name(cls) == made.OPERATION_NAME
        assert callable(function_of(cls))


def all_of(view, names):
    """Every value that goes by these names; a name such as `*parts` is that of any number."""
    open_at = [n.startswith("*") for n in names]
    read = [getattr(view, n.removeprefix("*")) for n in names]
    return [v for several, values in zip(open_at, read) for v in (values if several else [values])]


@EVERY_OP
def test_the_function_of_an_operation_infers_its_type_and_its_class_reads_it(opcode):
    cls, context = OPS[opcode], irdl_context()
    for op, types in samples_of(opcode):
        with context, ir.Location.unknown():
            module = ir.Module.create()
            mlir_types = [ir.Type.parse(f"tensor<{'x'.join([*map(str, t.shape), t.dtype.mlir])}>") for t in types]
            with ir.InsertionPoint(module.body):
                f = func.FuncOp("f", (mlir_types, []))
            with ir.InsertionPoint(f.add_entry_block()):
                names = [a.name for a in encoded_attributes(cls)]
                given = {n: getattr(op, n) for n in names}
                if opcode == "ConstTensor":
                    given = {"data": op.data.to_numpy(op.shape)}
                made = function_of(cls)(*f.arguments, **given)
                func.ReturnOp([])
            if of_one_type_each(op, types):
                assert module.operation.verify()
            values = [made] if cls.has_one_result() else made
            view = values[0].owner.opview
            assert type(view) is getattr(ops, f"{opcode}Op")
            assert [getattr(view, n) for n in names] == [getattr(op, n) for n in names]
            assert all_of(view, cls.operand_names) == list(f.arguments)
            inferred = [t.shape for t in op.result_types(*types)]
            assert [tuple(ir.RankedTensorType(v.type).shape) for v in all_of(view, cls.result_names)] == inferred


def test_a_wrong_operand_is_the_error_of_core():
    with irdl_context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            f = func.FuncOp("f", ([ir.Type.parse("tensor<2x3xf32>"), ir.Type.parse("tensor<2xf32>")], []))
        with ir.InsertionPoint(f.add_entry_block()):
            x, y = f.arguments
            assert error_of(ops.add, x, y).code == "E3001"
            assert error_of(ops.exp, ops.const_i64(3)).code == "E2005"
            assert error_of(ops.sum, x, [5], False).code == "E3004"
            declared = ir.Type.parse("tensor<2xf32>")
            assert error_of(lambda: ops.relu(x, result=declared)).code == "E2001"
            before = str(f)
            assert error_of(ops.transpose, x, [0, 0]).code == "E3008"
            assert str(f) == before, "a refused operation leaves nothing behind"


# The conversion


def body_of(text):
    """The lines within the function."""
    return [line for line in text.splitlines() if not line.lstrip().startswith(("module", "func.func"))]


@EVERY_OP
@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_the_conversion_gives_the_linalg_of_the_lowering(opcode, numerics):
    context = irdl_context()
    for op, types in samples_of(opcode):
        if getattr(op, "oob", "") == "error":
            continue  # the lowering gives the function a status, the conversion asserts
        m = alone(op, types)
        converted = mind.to_mind(m, context)
        convert_mind_to_linalg(converted, numerics=numerics)
        assert converted.operation.verify()
        assert body_of(str(converted)) == body_of(str(mind.to_mlir(m, context, numerics=numerics)))


FOREIGN = """
func.func @strict(%x: tensor<300xf32>) -> tensor<f32> attributes {mind.numerics = "strict"} {
  %y = "mind.sum"(%x) {axes = array<i64>, keepdims = false} : (tensor<300xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> tensor<4xf32> {
    %s = "mind.mul"(%acc, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}
func.func @pick(%x: tensor<4xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %y = "mind.gather"(%x, %i) : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


def converted(text):
    module = parse_dialect(Source("m.mlir", text))
    convert_mind_to_linalg(module)
    assert module.operation.verify()
    assert '"mind.' not in str(module)
    return str(module)


def test_a_foreign_module_keeps_what_is_not_of_the_dialect():
    text = converted(FOREIGN)
    strict, loop, pick = re.split(r"(?=func\.func)", text)[1:]
    assert strict.count("linalg.reduce") > 1, "blocks of 128, as the function's numerics ask"
    assert re.search(r"scf\.for .*\n.*\n\s+%\w+ = linalg\.mul", loop)
    assert "cf.assert %" in pick
    assert '"Gather index out of bounds"' in pick


@pytest.mark.parametrize(
    ("operation", "says"),
    [
        ('"mind.index"(%x) {indices = array<i64: 9>} : (tensor<4xf32>) -> tensor<f32>', "E6001: Index [9] is out"),
        ('"mind.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>', "E2001: Relu gives tensor<f32[4]>"),
        ('"mind.exp"(%i) : (tensor<2xi64>) -> tensor<2xi64>', "E2005: Exp takes bf16, f16, f32 or f64"),
        ('"mind.gather"(%x, %i) {oob = "wrap"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>', "E4013"),
    ],
)
def test_a_broken_rule_ends_the_conversion_with_its_code(operation, says):
    text = f"func.func @f(%x: tensor<4xf32>, %i: tensor<2xi64>) {{\n  %y = {operation}\n  return\n}}"
    module = parse_dialect(Source("m.mlir", text))
    with pytest.raises(MlirPassFailed) as caught:
        convert_mind_to_linalg(module)
    assert says in caught.value.messages[0]
