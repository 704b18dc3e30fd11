"""The arrows of docs/architecture.md hold for every import statement, those inside functions too."""

import ast
from pathlib import Path

import pytest

import mind_mlir

PACKAGE = Path(mind_mlir.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
LAYERS = ["ir", "ops", "passes", "lowering", "dialects", "runtime", "frontend", "testing", "cli"]
"""Each imports those before it only."""
GATE = PACKAGE / "gate.py"
"""The one file below all layers: it has to be there before anything is imported late."""


def name_of(path):
    """`mind_mlir.ir.parser` for its file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path):
    """The full name of everything that a file imports, wherever in it."""
    name = name_of(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(p for p in (base, node.module) if p)
            yield from (f"{module}.{a.name}" for a in node.names)


def layer_of(name):
    """`ir` for mind_mlir.ir.parser; None outside the layers."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "mind_mlir" and parts[1] in LAYERS else None


every_file = pytest.mark.parametrize("path", FILES, ids=name_of)


@every_file
def test_a_layer_imports_only_those_before_it(path):
    layer = layer_of(name_of(path))
    if path == GATE:
        assert not [n for n in imports(path) if n.startswith("mind_mlir")]
        return
    if layer is None:
        assert path == PACKAGE / "__init__.py"  # the one file above all layers
        return
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    found = [n for n in imports(path) if layer_of(n) not in (*allowed, None)]
    if layer != "cli":  # the package itself imports every layer
        outside = [n for n in imports(path) if n.startswith("mind_mlir.") and layer_of(n) is None]
        found += [n for n in outside if not n.startswith(name_of(GATE))]
    assert not found, f"{layer} imports {found}"


@every_file
def test_only_lowering_the_dialect_and_the_emulation_of_gpus_import_mlir(path):
    found = [n for n in imports(path) if n.partition(".")[0] == "mlir"]
    name = name_of(path)
    assert not found or layer_of(name) in ("lowering", "dialects") or name.startswith("mind_mlir.testing.emulation.")


@every_file
def test_a_file_is_at_most_400_lines_long_and_no_utils(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400 or path.stem.endswith("_gen")  # generated
    assert "util" not in path.stem


@pytest.mark.parametrize("path", sorted((PACKAGE / "cli").glob("*.py")), ids=name_of)
def test_a_function_of_a_command_is_at_most_60_lines_long(path):
    """Without its parameters: those of a command are its options, and their help."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno - node.body[0].lineno < 60, f"{name_of(path)}.{node.name}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "ops").glob("*.py")), ids=name_of)
def test_an_op_file_imports_ir_and_shared_rules_only(path):
    mine = [n for n in imports(path) if n.startswith("mind_mlir.")]
    for n in mine:
        inside = n.removeprefix("mind_mlir.")
        assert inside.startswith(("ir.", "ops._")), f"{path.name} imports {n}"


@every_file
def test_what_is_public_has_a_docstring(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module"
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{name_of(path)}.{node.name}"


def test_every_layer_and_the_package_say_what_they_are():
    for layer in LAYERS:
        assert ast.get_docstring(ast.parse((PACKAGE / layer / "__init__.py").read_text(encoding="utf-8"))), layer
