"""docs/adding-an-op.md keeps its word: its files add operations to a copy of the package, and the laws hold there."""

import importlib.util
import math
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from checkout import ROOT
from limits import HUNG

FILE = re.compile(r"^```python (?P<path>mind_mlir/ops/\w+\.py)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package and of its tests, with the page's files added."""
    tree = tmp_path_factory.mktemp("copy")
    for part in ("mind_mlir", "pytests", "scripts", "docs", "dialect"):
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
    for shown in FILE.finditer((ROOT / "docs" / "adding-an-op.md").read_text(encoding="utf-8")):
        assert not (tree / shown["path"]).exists()
        (tree / shown["path"]).write_text(shown["text"], encoding="utf-8")
    return tree


def python(copy, *arguments):
    """Run Python in the copy, where `import checkout` makes mind_mlir come from the copy."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a dozen processes import the copy
    environment["PYTHONPATH"] = str(copy / "pytests")
    return subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, timeout=HUNG
    )


def test_the_first_operation_of_the_page_is_short(copy):
    first = FILE.search((ROOT / "docs" / "adding-an-op.md").read_text(encoding="utf-8"))
    assert first["text"].count("\n") <= 25


ADDED = ["Radians", "Squareplus", "Stack", "Butterfly"]
CHOSEN = {
    "test_op_laws.py": " or ".join(ADDED),
    "test_against_jax.py": f"{' or '.join(ADDED)} or the_peer_has",
    "test_agreement.py": "is_known_of_every_operation",
    "test_docstrings.py": "squareplus",
    "test_architecture.py": "ops.squareplus",
}
"""File of tests -> those in it that the added operations are part of."""


def test_the_laws_and_the_tests_of_every_operation_find_and_pass_the_added_ones(copy):
    """In one process, because collecting the tests of every operation takes longer than those of the added ones."""
    chosen = {file: names for file, names in CHOSEN.items() if "jax" not in file or importlib.util.find_spec("jax")}
    names = " or ".join(f"({file} and ({names}))" for file, names in chosen.items())
    files = [f"pytests/{file}" for file in chosen]
    report = copy / "report.xml"
    done = python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *files, "-k", names)
    assert done.returncode == 0, done.stdout + done.stderr
    cases = list(ElementTree.parse(report).iter("testcase"))
    assert not [case.get("name") for case in cases if case.find("skipped") is not None]
    for file in chosen:
        assert [c for c in cases if c.get("classname", "").endswith(file.removesuffix(".py"))], f"none of {file}"
    for opcode in ADDED:
        laws = [c for c in cases if "test_op_laws" in c.get("classname", "") and opcode in c.get("name", "")]
        checked = [int(p.get("value")) for case in laws for p in case.iter("property") if p.get("name") == "laws"]
        assert sum(checked) >= 30, f"each law, over each sample of {opcode}"


DRAWN = """
import checkout
from random_modules import RECIPES, elementwise, modules
from smooth_modules import smooth_modules
from hypothesis import Phase, find, settings
assert RECIPES["Squareplus"] is elementwise
drawn = settings(max_examples=5000, phases=[Phase.generate])  # the first found will do
for strategy in (modules(), smooth_modules().map(lambda drawn: drawn[0])):
    m = find(strategy, lambda m: any(o.opcode == "Squareplus" for o in m.operations), settings=drawn)
    print(any(o.opcode == "Squareplus" for o in m.operations))
for opcode in ("Stack", "Butterfly"):
    m = find(modules(), lambda m: any(o.opcode == opcode for o in m.operations), settings=drawn)
    print(any(o.opcode == opcode for o in m.operations))
"""


def test_the_added_operation_is_drawn_into_random_modules(copy):
    done = python(copy, "-c", DRAWN)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True"] * 4


ROUNDED = """
import checkout, numpy as np
from mind_mlir.ir import OPS
from mind_mlir.testing.rounding import Known, result_of
x = np.array([-1.0, 0.5, 3.0])
op = OPS["Squareplus"]()
print(result_of(op, op.evaluate(x), [Known(x)], "default").radius)
radius = result_of(op, op.evaluate(x), [Known(x, np.full(3, 1e-9))], "default").radius
print((radius > 0.9e-9 * (1 + x / np.sqrt(x * x + 4)) / 2).all() and (radius < 2e-9).all())
"""


def test_what_rounding_makes_of_the_added_operation_is_what_its_class_says(copy):
    done = python(copy, "-c", ROUNDED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["None", "True"]


FUNCTION = """
import checkout, inspect, numpy as np, mind_mlir as mind
x = np.float32([-1.0, 0.5, 800.0])
assert inspect.getdoc(mind.squareplus).startswith("A smooth maximum of x and 0")
assert "squareplus" in mind.__all__ and "squareplus" in dir(mind)
print(*inspect.signature(mind.squareplus).parameters)
f = mind.squareplus
print(np.array_equal(f(x), mind.jit(f)(x)), f(0.0).dtype, f.__module__)
print(mind.grad(lambda x: mind.sum(mind.squareplus(x)))(x).astype(float).round(4).tolist())
try:
    mind.squareplus([1.0])
except mind.MindError as why:
    print(why.code)
"""


def test_the_added_operation_is_a_function_of_the_python_front_end(copy):
    done = python(copy, "-c", FUNCTION)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "x",
        "True float32 mind_mlir.frontend.elementwise",
        "[0.2764, 0.6213, 1.0]",
        "E6009",
    ]


def test_the_scripts_write_the_added_operation_into_pages_and_stubs(copy):
    for script in ("gen_docs.py", "gen_builder_stub.py"):
        done = python(copy, f"scripts/{script}")
        assert done.returncode == 0, done.stderr
    page = (copy / "docs" / "ops.md").read_text(encoding="utf-8").partition("## Squareplus\n")[2].partition("\n## ")[0]
    assert "- In Python: `mind.squareplus(x)`" in page
    page = (copy / "docs" / "ops.md").read_text(encoding="utf-8")
    assert "- Operands: `parts …`, of one dtype: any dtype" in page.partition("## Stack\n")[2].partition("\n## ")[0]
    assert "- Results: `sum`, `difference`" in page.partition("## Butterfly\n")[2].partition("\n## ")[0]
    methods = (copy / "mind_mlir" / "ir" / "_opcodes.pyi").read_text(encoding="utf-8")
    assert "def Stack(self, *parts: Value) -> Value:" in methods
    assert "def Butterfly(self, lhs: Value, rhs: Value, /) -> tuple[Value, ...]:" in methods
    stub = (copy / "mind_mlir" / "frontend" / "_elementwise_functions.pyi").read_text(encoding="utf-8")
    assert 'def squareplus(x: Any) -> Any:\n    """A smooth maximum of x and 0: (x + √(x² + 4)) / 2."""' in stub


DIALECT = """
import checkout, mind_mlir as mind
from mlir import ir
from mind_mlir.dialects import mind as dialect
from mind_mlir.dialects.conversion import convert_mind_to_linalg
from mind_mlir.dialects.from_mind import from_mind
from mind_mlir.dialects.registration import register
from mind_mlir.dialects.to_mind import to_mind
from mind_mlir.lowering.mlir.context import new_context
b = mind.Builder()
x, y = b.Input("x", mind.f32(2)), b.Input("y", mind.f32(2))
m = b.finish([b.Stack(*b.Butterfly(x, y), x)])
context = new_context()
register(context, "irdl")  # what is built in C++ does not know them
module = to_mind(m, context)
assert from_mind(module) == m
with module.context, ir.Location.unknown():
    block = module.body.operations[0].regions[0].blocks[0]
    butterfly, stack = list(block.operations)[:2]
    print(butterfly.sum == stack.parts[0], butterfly.difference == stack.parts[1], len(stack.parts))
    with ir.InsertionPoint.at_block_begin(block):
        first, second = dialect.butterfly(*block.arguments)
        print(dialect.stack(first, second, first).type)
        try:
            dialect.butterfly(*block.arguments, result=[first.type])
        except mind.MindError as why:
            print(why.code)
    convert_mind_to_linalg(module)
    print(module.operation.verify(), "mind.stack" in str(module))
"""


def test_the_dialect_has_operations_with_several_results_and_any_number_of_operands(copy):
    done = python(copy, "scripts/gen_dialect.py")
    assert done.returncode == 0, done.stderr
    done = python(copy, "-c", DIALECT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["True True 3", "tensor<3x2xf32>", "E2008", "True False"]


USE = """
import checkout, numpy as np, mind_mlir as mind
m = mind.parse('%0 = Input {name = "x"} : tensor<f64[3]>\\n%1 = Squareplus (%0) : tensor<f64[3]>\\noutputs: %1')
x = np.array([-1.0, 0.5, 800.0])
b = mind.Builder()
assert b.finish([b.Squareplus(b.Input("x", mind.f64(3)))]) == m
print(mind.__file__)
print(mind.interpret(m, x)[0].tolist())
print(mind.compile(m)(x)[0].tolist())
try:
    mind.verify(m, profile="core-v1")
except mind.MindError as why:
    print(why.code)
"""


def test_the_added_operation_is_in_text_builder_interpreter_and_native_code(copy):
    done = python(copy, "-c", USE)
    assert done.returncode == 0, done.stderr
    file, interpreted, compiled, code = done.stdout.splitlines()
    assert file == str(copy / "mind_mlir" / "__init__.py")
    assert eval(interpreted) == pytest.approx([(x + math.hypot(x, 2)) / 2 for x in (-1.0, 0.5, 800.0)], rel=1e-15)
    assert compiled == interpreted
    assert code == "E4012"


REFUSED = {
    "a formula that is missing": (
        "Formula",
        "",
        "op Square: missing formula",
    ),
    "a function of another name": (
        "Unary",
        'python_function = PythonFunction("squared", "x²")',
        "op Square: its function is called square, found squared",
    ),
    "a function of attributes": (
        "Unary",
        'axes: Axes; python_function = PythonFunction("square", "x²")',
        "op Square: a function is made for one or two operands and no attributes",
    ),
}
DECLARED = '''
import checkout
from mind_mlir.ir import Linearity, PythonFunction, op
from mind_mlir.ir.attributes import Axes
from mind_mlir.ops._elementwise import Unary
from mind_mlir.ops._formula import Formula
try:
    @op
    class Square({}):
        """x²"""
        linearity = Linearity.CONSTANT
        {}
        def evaluate(self, input): return input * input
        def lower(self, e, result, input): return e.linalg.map(lambda s, x: s.mul(x, x), (input,), result)
except TypeError as why:
    print(why)
'''


@pytest.mark.parametrize("fault", REFUSED)
def test_a_class_that_states_what_cannot_be_is_refused_when_it_is_imported(copy, fault):
    base, stated, message = REFUSED[fault]
    done = python(copy, "-c", DECLARED.format(base, stated))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == message
