"""What is known of an operation is stated by its class: nothing outside of ops/ asks for one by name.

`o.opcode == "Gather"` here and `("Gather", "ScatterAdd")` there would have to be found by whoever adds an operation
that is alike.  Making operations by name, `b.Gather(…)`, is what passes and derivative rules do.
"""

import ast

import pytest
from support import assert_same_bits, operands_for
from test_architecture import FILES, PACKAGE, name_of

from mind_mlir.ir import OPS

EVERYWHERE = {"Input": "what a module's parameters are is no fact about an operation: modules are built on it"}

ALLOWED = {
    "mind_mlir.passes.verify": {"MatMul": "the option strict-matmul2d is about this operation"},
    "mind_mlir.passes.sharding.merge_reductions": {"AllReduce": "the pass is about this operation"},
    "mind_mlir.passes.sharding.bound": {"Sum": "the bound is known for the sum of an Input alone"},
    "mind_mlir.frontend.trace_builder": dict.fromkeys(
        ["Add", "Sub", "Mul", "Div", "Neg", "Greater", "Reciprocal"], "what Python's operators make"
    ),
    "mind_mlir.lowering.segments.parts": dict.fromkeys(
        ["Slice", "Transpose", "MatMul", "Dot", "DotGeneral"],
        "which pairs MLIR and fold-transposes make one loop of, and a function for itself would not",
    ),
}
"""File -> operations that it may ask for by name, and why."""


def texts(node):
    """The string constants that a comparison, a case or a collection consists of."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [text for n in node.elts for text in texts(n)]
    return []


def is_opcode(node):
    return (isinstance(node, ast.Attribute) and node.attr == "opcode") or (
        isinstance(node, ast.Name) and node.id == "opcode"
    )


def listed(nodes):
    """The opcodes of a collection of nothing else."""
    found = [text for n in nodes for text in texts(n)]
    return found if len(found) == len(nodes) > 1 and OPCODES.issuperset(found) else []


def asked(tree):
    """Opcodes that a file compares with, matches, or lists."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(map(is_opcode, [node.left, *node.comparators])):
            found.update(text for n in [node.left, *node.comparators] for text in texts(n))
        elif isinstance(node, ast.Match) and is_opcode(node.subject):
            found.update(n.value for case in node.cases for n in ast.walk(case.pattern) if isinstance(n, ast.Constant))
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            found.update(listed(node.elts))
        elif isinstance(node, ast.Dict):
            found.update(listed(node.keys))
    return found & OPCODES


OPCODES = frozenset(OPS)
OUTSIDE = [path for path in FILES if path.relative_to(PACKAGE).parts[0] != "ops"]


@pytest.mark.parametrize(
    "text",
    [
        'o.opcode == "Gather"',
        '"Gather" != op.opcode',
        'opcode in ("Gather", "Sum")',
        'X = ("Gather", "ScatterAdd")',
        'X = {"Gather": 1, "Sum": 2}',
        'match o.opcode:\n    case "Gather" | "Sum": pass',
    ],
)
def test_an_operation_that_is_asked_for_by_name_is_found(text):
    assert "Gather" in asked(ast.parse(text))


def test_what_only_makes_or_names_operations_is_not():
    assert (
        asked(ast.parse('b.Gather(x); OPS["Gather"]; f("Gather", "Sum"); x.name == "Gather"; ("Gather", x)')) == set()
    )


@pytest.mark.parametrize("path", OUTSIDE, ids=name_of)
def test_a_file_asks_for_no_operation_by_name(path):
    found = asked(ast.parse(path.read_text(encoding="utf-8")))
    assert found - EVERYWHERE.keys() == set(ALLOWED.get(name_of(path), ()))


MOVING_NOTHING = [(op, types) for cls in OPS.values() if cls.moves_nothing for op, types in cls.samples()]


@pytest.mark.parametrize(("op", "types"), MOVING_NOTHING, ids=str)
def test_what_moves_nothing_has_the_elements_of_its_operand_in_their_order(op, types):
    (x,) = operands_for(op, types, seed=0)
    assert_same_bits(op.evaluate(x).reshape(-1), x.reshape(-1))
