"""An operation is in the C++ dialect by its class: what scripts/gen_dialect.py writes of operations that are added.

In a copy of the package: those of docs/adding-an-op.md, one that only moves elements, and one whose rules are written
with what is not translated.  What the translated rules of all other operations say, test_dialect_rules.py,
test_dialect_conversion.py and test_dialect_canonicalize.py compare with Python.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from checkout import ROOT
from limits import HUNG
from test_adding_an_op import FILE, python

from mind_mlir.dialects.encoding import class_name, dialect_ops
from mind_mlir.dialects.native_dialect import native_folder
from mind_mlir.ir import Op

sys.path.insert(0, str(ROOT / "scripts"))
import gen_dialect
from _cpp_code import Function
from _cpp_words import Untranslatable, literal

TOOLS = sysconfig.get_path("platlib") + "/mlir/bin"

FLIP = '''
"""A matrix with its axes swapped."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, i64, np, op


@op
class Flip(Op):
    """`result[j, i] = input[i, j]`."""

    linearity = Linearity.JOINT
    core_v1 = False
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        if input.rank != 2:
            raise Reject("E3002", f"Flip takes rank 2, input is {input}", at="operand 0")
        return input.with_shape(input.shape[::-1])

    def evaluate(self, input):
        return input.T

    def adjoint(self, b, ct, operands, wrt):
        return b.emit(self, ct)

    def fold(self, b, input):
        return input.operands[0] if isinstance(input.op, Flip) else None

    def dims(self, input):
        return "i j -> j i"

    def lower(self, e, result, input):
        return e.transposed(input, (1, 0), result)

    @classmethod
    def samples(cls):
        return [(cls(), (f32(2, 3),)), (cls(), (i64(0, 2),))]
'''

STRANGE = '''
"""Rules that are written with what is not translated."""

from ..ir import Growth, Linearity, Op, Rounding, f32, op
from ..ir.attributes import Ints


@op
class Strange(Op):
    """`input`."""

    weights: Ints = ()

    linearity = Linearity.JOINT
    core_v1 = False
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        return input.with_shape(tuple(sorted(input.shape, key=lambda n: -n)))

    def evaluate(self, input):
        return input

    def adjoint(self, b, ct, operands, wrt):
        return ct

    def lower(self, e, result, input):
        try:
            return input
        finally:
            pass

    @classmethod
    def samples(cls):
        return [(cls(), (f32(3),))]
'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package with more operations, for which the script has run."""
    tree = tmp_path_factory.mktemp("copy")
    for part in ("mind_mlir", "scripts", "dialect", "pytests"):
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__", "_native"))
    for shown in FILE.finditer((ROOT / "docs" / "adding-an-op.md").read_text(encoding="utf-8")):
        (tree / shown["path"]).write_text(shown["text"], encoding="utf-8")
    (tree / "mind_mlir" / "ops" / "flip.py").write_text(FLIP.lstrip(), encoding="utf-8")
    (tree / "mind_mlir" / "ops" / "strange.py").write_text(STRANGE.lstrip(), encoding="utf-8")
    done = python(tree, "scripts/gen_dialect.py")
    assert done.returncode == 0, done.stderr
    return tree


def entry(copy, mnemonic):
    """The line of the table of rules for an operation, and the comments in front of it."""
    text = (copy / "dialect" / "lib" / "OpRules.cpp").read_text(encoding="utf-8")
    return re.search(rf'((?: +//.*\n)*) +{{"mind\.{mnemonic}",\n(.*\n.*)\n', text)


def function(copy, name):
    text = (copy / "dialect" / "lib" / "OpRules.cpp").read_text(encoding="utf-8")
    return re.search(rf"^static Object {name}\(Rule &rule, Args args\) {{\n(.*?)^}}$", text, re.MULTILINE | re.DOTALL)[
        1
    ]


def ods(copy, opcode):
    text = (copy / "dialect" / "include" / "Mind" / "MindOps.td").read_text(encoding="utf-8")
    return re.search(rf"^def Mind_{opcode}Op : .*?^}}$", text, re.MULTILINE | re.DOTALL)[0]


def listed(copy, macro):
    text = (copy / "dialect" / "include" / "Mind" / "MindOps.def").read_text(encoding="utf-8")
    return re.findall(rf"^{macro}\((\w+)Op\)$", text, re.MULTILINE)


# What is written of operations that are added


@pytest.mark.parametrize("opcode", ["Radians", "Squareplus"])
def test_an_element_wise_operation_has_its_type_rule_and_its_lowering(copy, opcode):
    found = entry(copy, opcode.lower())
    rules = f"{opcode}_infer_type, nullptr, nullptr, nullptr, {opcode}_lower"
    assert found[2].split() == f'{{"{opcode}", 1, false, true, {{}}, {rules}}}}},'.split()
    assert not found[1], "each of its rules is translated"
    assert f'def Mind_{opcode}Op : Mind_TypedOp<"{opcode.lower()}", [AlwaysSpeculatable]>' in ods(copy, opcode)
    assert 'rules_float_only(rule, {self.get("opcode"), input})' in function(copy, f"{opcode}_infer_type")
    assert f"{opcode}_formula(rule" in function(copy, f"{opcode}_lower")


def test_a_formula_takes_the_same_steps_in_c_plus_plus(copy):
    (line,) = [line.strip() for line in function(copy, "Radians_formula").splitlines() if "return" in line]
    assert (
        line == 'return s.call("mul", {input, s.call("number", {quotient(Object(3.141592653589793), Object(180))})});'
    )


def test_an_operation_that_moves_elements_has_type_rule_fold_and_lowering(copy):
    found = entry(copy, "flip")
    assert "Flip_infer_type, nullptr, Flip_fold, nullptr, Flip_lower" in found[2]
    assert not found[1]
    rule = function(copy, "Flip_infer_type")
    assert 'return rule.refuse(Object("E3002"), python::text({"Flip takes rank 2, input is ", input}));' in rule
    assert 'input.get("shape").part(Object(), Object(), Object(-1))' in rule
    assert 'e.call("transposed", {input, Object::tuple({Object(1), Object(0)}), result})' in function(
        copy, "Flip_lower"
    )
    assert all("Flip" in listed(copy, macro) for macro in ("MIND_OP", "MIND_TYPED_OP", "MIND_FOLDED_OP"))


def test_an_operation_whose_rules_are_not_translated_is_in_the_dialect_and_says_why(copy):
    found = entry(copy, "strange")
    assert [line.strip() for line in found[1].splitlines()] == [
        "// infer_type is not translated: strange.py: the argument key",
        "// lower is not translated: strange.py: Try",
    ]
    assert "nullptr, nullptr, nullptr, nullptr, nullptr" in found[2]
    assert 'def Mind_StrangeOp : Mind_Op<"strange", [AlwaysSpeculatable]>' in ods(copy, "Strange")
    assert "DefaultValued" in ods(copy, "Strange")
    assert "Strange" in listed(copy, "MIND_OP")
    assert "Strange" not in listed(copy, "MIND_TYPED_OP")


def test_the_script_finds_its_own_files_up_to_date(copy):
    done = python(copy, "scripts/gen_dialect.py", "--check")
    assert (done.returncode, done.stderr) == (0, "")


LOWERED_IN_PYTHON = ("arg_sort", "sort", "top_k")
"""Operations that are loops over passes of a sort: `e.order` has no form in C++, where the conversion says so."""


def test_every_operation_of_ours_has_its_type_rule_and_its_lowering():
    text = (ROOT / "dialect" / "lib" / "OpRules.cpp").read_text(encoding="utf-8")
    missing = re.findall(r"// (infer_type|lower|check_before_run) is not translated: (\w+)\.py", text)
    assert missing == [("lower", name) for name in LOWERED_IN_PYTHON]
    assert listed(ROOT, "MIND_TYPED_OP") == [class_name(cls).removesuffix("Op") for cls in dialect_ops()]


COMPILER = shutil.which("c++")
CACHE = native_folder() / "CMakeCache.txt"


@pytest.mark.skipif(not (COMPILER and CACHE.is_file()), reason="no native build that was configured here")
def test_what_is_written_compiles(copy, tmp_path):
    folder = re.search(r"^MLIR_DIR:.*=(.*)/mlir/lib/cmake/mlir$", CACHE.read_text(encoding="utf-8"), re.MULTILINE)
    if not folder:
        pytest.skip("the build is against another MLIR than that of the wheels")
    headers = [copy / "dialect" / "include", native_folder() / "include", Path(folder[1], "mlir", "include")]
    include = [f"-I{path}" for path in (*headers, Path(folder[1], "llvm", "include"))]
    file = copy / "dialect" / "lib" / "OpRules.cpp"
    command = [
        COMPILER,
        "-std=c++17",
        "-fno-rtti",
        "-fno-exceptions",
        "-fsyntax-only",
        "-D_GLIBCXX_ASSERTIONS",
        *include,
    ]
    done = subprocess.run([*command, file], capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr[-3000:]


# Operations with any number of operands, or several results


class AnyNumber(Op):
    """All of `parts`, one behind the other."""

    mnemonic, opcode, commutative, across_ranks = "any_number", "AnyNumber", False, False
    operand_names, attribute_names, kinds, defaults = ("first", "*parts"), (), {}, {}
    result_names = ("values", "places")
    check_before_run = Op.check_before_run

    def infer_type(self, first, *parts):
        return first, parts[0]


def test_any_number_of_operands_and_several_results_are_in_ods():
    lines = [line.strip() for line in gen_dialect.definition(AnyNumber).splitlines()]
    assert lines[0] == 'def Mind_AnyNumberOp : Mind_TypedOp<"any_number", [AlwaysSpeculatable]> {'
    assert lines[2:] == [
        "let arguments = (ins Mind_Tensor:$first, Variadic<Mind_Tensor>:$parts);",
        "let results = (outs Mind_Tensor:$values, Mind_Tensor:$places);",
        'let assemblyFormat = "$first `,` `(` $parts `)` attr-dict `:` functional-type(operands, results)";',
        "}",
    ]


@pytest.mark.skipif(shutil.which("mlir-tblgen", path=TOOLS) is None, reason="no mlir-tblgen")
def test_mlir_takes_any_number_of_operands(tmp_path):
    file = tmp_path / "Ops.td"
    file.write_text(f'include "Mind/MindBase.td"\n{gen_dialect.definition(AnyNumber)}', encoding="utf-8")
    folders = [ROOT / "dialect" / "include", Path(TOOLS).parent / "include"]
    tool = shutil.which("mlir-tblgen", path=TOOLS)
    command = [tool, "-gen-op-defs", *[f"-I{folder}" for folder in folders], file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    assert "class AnyNumberOp" in done.stdout or "AnyNumberOp::parse" in done.stdout


# The translation of functions


def translated(fn):
    """The lines of a function in C++; it calls itself only."""
    return [line.strip() for line in Function(fn, None, lambda called, cls: called.__name__).lines("f")][1:-1]


def swaps(a, b):
    a, b = b, a
    return a


def counts_down(n):
    while n > 0:
        if n == 7:
            break
        n -= 2
    return n


def takes_any_number(first, *rest):
    return [x * 2 for x in rest if x] or first


def takes_apart(shape):
    *batch, m, n = shape
    return batch, n if 0 <= m < n else -m


def test_a_swap_reads_both_sides_first():
    assert translated(swaps)[2:] == [
        "Object item1_ = Object::tuple({b, a});",
        "a = item1_[0];",
        "b = item1_[1];",
        "return a;",
    ]


def test_loops_and_updates_are_translated():
    assert translated(counts_down)[1:] == [
        "while (!rule.refused() && (n > Object(0))) {",
        "if (n == Object(7)) {",
        "break;",
        "}",
        "n = (n - Object(2));",
        "}",
        "return n;",
    ]


def test_names_that_mean_something_in_c_plus_plus_are_others():
    lines = translated(takes_any_number)
    assert lines[:2] == ["Object first_ = args[0];", "Object rest = Object::tuple(args.drop_front(1));"]
    assert "for (const Object &item1_ : rest.items()) { Object x = item1_; if (bool(x)) made.push_back" in lines[2]
    assert ": first;" in lines[2], "`or` gives what stands on its left"


def test_a_star_takes_what_the_others_leave():
    lines = translated(takes_apart)
    assert "batch = shape.part(0, -2);" in [line.replace("item1_", "shape") for line in lines]
    assert lines[-1].endswith("(((Object(0) <= m) && (m < n)) ? n : -m)});")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**40, "Object(1099511627776LL)"),
        (0.1, "Object(0.1)"),
        (float("-inf"), "Object(-std::numeric_limits<double>::infinity())"),
        ((True, None, 'a "b"'), 'Object::tuple({Object(true), Object(), Object("a \\"b\\"")})'),
    ],
)
def test_a_constant_is_written_as_it_is(value, text):
    assert literal(value) == text


def formats(x):
    return f"{x:3d}"


def asks_for_what_nothing_has(x):
    return x.gradient


def calls_what_is_not_there(x):
    return eval(x)


def catches(x):
    try:
        return x
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("fn", "why"),
    [
        (formats, "a format"),
        (asks_for_what_nothing_has, ".gradient"),
        (calls_what_is_not_there, "a call of eval"),
        (catches, "Try"),
        (lambda x: x, "is no function"),
    ],
)
def test_what_is_not_translated_says_what_it_was(fn, why):
    with pytest.raises(Untranslatable, match=re.escape(why)):
        translated(fn)
