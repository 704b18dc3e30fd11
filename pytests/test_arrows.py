"""Arrows between files point one way: no circles, rooms of lowering/ in their order, one name for one idea.

Every import statement counts, wherever it stands: in a function, and for type checking too.
"""

import ast
import re
from collections import Counter, defaultdict
from functools import cache

import pytest
from test_architecture import FILES, PACKAGE, every_file, name_of

NAMES = {name_of(path): path for path in FILES}
ARCHITECTURE = PACKAGE.parent / "docs" / "architecture.md"
LIT_TESTS = PACKAGE.parent / "lit_tests"

ROOMS = [
    *("toolchain", "targets", "pipelines", "store", "mlir", "abi", "memory", "emit", "llvm", "formulas", "rules"),
    *("kernels", "rewrites", "gpu", "segments", "native", "tuning", "interface"),
]
"""Of lowering/: each imports those before it only."""

SAME_STEM = {
    "attributes": "attributes of operations, in ir/ as Core IR has them and in dialects/ as MLIR has them",
    "halves": "floats of 16 bits to f32 and back, in NumPy and as arithmetic on integers",
    "slices": "what is said of slices at positions, for operations and for their lowering",
    "order": "the order of elements, in NumPy and in loops that sort",
    "rows": "what is said of rows that indices pick, for operations and for their lowering",
    "contraction": "the order of a contraction's sums, in NumPy and in kernels",
    "elementwise": "what element-wise operations share, and the kernels that compute them",
    "reduction": "the order of a reduction's sums, in NumPy and in kernels",
}
"""Stems of more than one file of the package, and the one idea that these files are of."""


@cache
def statements(name):
    """(module, what is imported from it or None) for each import statement of a file."""
    path = NAMES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(a.name, None) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(p for p in (base, node.module) if p)
            found += [(module, a.name) for a in node.names]
    return found


@cache
def home(module, name):
    """The file that an import statement leads to: where the name is defined, not a package that hands it on."""
    if name is None or f"{module}.{name}" in NAMES:
        full = f"{module}.{name}" if name else module
        return full if full in NAMES else None
    if module not in NAMES:
        return None
    if NAMES[module].name == "__init__.py":
        handed_on = [m for m, n in statements(module) if n == name]
        if handed_on:
            return home(handed_on[0], name)
    return module


def arrows():
    """File -> the files that it imports."""
    return {name: {home(*s) for s in statements(name)} - {None, name} for name in NAMES}


def circles(graph):
    """The strongly connected components of more than one file, by Tarjan's algorithm."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(name):
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            at = stack.index(name)
            members = set(stack[at:])
            del stack[at:]
            if len(members) > 1:
                found.append(members)

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return found


def test_a_circle_is_found_through_other_files():
    assert circles({"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set(), "e": {"a"}}) == [{"a", "b", "c"}]


def test_files_import_each_other_in_one_direction():
    assert circles(arrows()) == []


def room_of(name):
    """`emit` for mind_mlir.lowering.emit.scalars; None outside of lowering/."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["mind_mlir", "lowering"] and len(parts) > 2 else None


def test_the_rooms_of_lowering_are_those_of_this_list_and_hold_every_file_but_init():
    lowering = PACKAGE / "lowering"
    assert sorted(p.name for p in lowering.iterdir() if p.is_dir() and p.name != "__pycache__") == sorted(ROOMS)
    assert [p.name for p in lowering.glob("*.py")] == ["__init__.py"]


@every_file
def test_a_room_of_lowering_imports_only_those_before_it(path):
    room = room_of(name_of(path))
    if room is None:
        return
    allowed = ROOMS[: ROOMS.index(room) + 1]
    found = [home(*s) for s in statements(name_of(path))]
    assert [n for n in found if n and room_of(n) not in (None, *allowed)] == []


FOLDERS = [p for p in FILES if p.name == "__init__.py" and p.relative_to(PACKAGE).parts[0] == "lowering"][1:]


@pytest.mark.parametrize("path", FOLDERS, ids=name_of)
def test_a_room_says_what_is_in_it(path):
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    head = [re.split(r"  |$", line)[0] for line in text.splitlines()]
    named = [
        n for line in head for n in re.findall(r"[\w/]+", line) if re.fullmatch(r"[a-z0-9_]+/?(, [a-z0-9_]+)*", line)
    ]
    files = {p.stem for p in path.parent.glob("*.py") if not p.name.startswith("_")}
    folders = {f"{p.parent.name}/" for p in path.parent.glob("*/__init__.py")}
    assert Counter(n for n in named if n in files | folders) == Counter(files | folders)


def test_docs_name_the_rooms_in_their_order():
    text = ARCHITECTURE.read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n(toolchain .*?)```", text, re.DOTALL)
    assert re.findall(r"^(\w+)  ", block, re.MULTILINE) == ROOMS


def test_files_of_one_name_are_of_one_idea():
    files = defaultdict(list)
    for path in FILES:
        if path.stem not in ("__init__", "__main__"):
            files[path.stem.strip("_")].append(path)
    assert {stem for stem, paths in files.items() if len(paths) > 1} == set(SAME_STEM)


def test_the_tree_in_the_docs_is_that_of_the_folders():
    text = ARCHITECTURE.read_text(encoding="utf-8")
    (tree,) = re.findall(r"```text\n(mind_mlir/ .*?)```", text, re.DOTALL)
    found, above = set(), []
    for indent, name in re.findall(r"^( *)([\w.]+)/  ", tree, re.MULTILINE):
        above = [*above[: len(indent) // 2], name]
        found.add("/".join(above))
    ours = {"/".join(p.parent.relative_to(PACKAGE.parent).parts) for p in FILES if p.name == "__init__.py"}
    assert {f for f in found if f.startswith("mind_mlir")} == ours
    assert all((PACKAGE.parent / folder).is_dir() for folder in found)
    (stages,) = re.findall(r"one folder a stage: ([\w,\s]+)\n", tree.partition("pytests/")[0])
    assert sorted(re.findall(r"\w+", stages)) == sorted(
        p.name for p in LIT_TESTS.iterdir() if p.is_dir() and not p.name.startswith(("_", "."))
    )


def test_twenty_questions_lead_to_files_and_names():
    """The table "Where is" of docs/architecture.md: each answer is a file, and what it names stands there."""
    text = ARCHITECTURE.read_text(encoding="utf-8").partition("### Where is")[2]
    rows = re.findall(r"^\| (.+?) \| (`mind_mlir/.+?) \|$", text, re.MULTILINE)
    assert len(rows) == 20
    for question, answer in rows:
        named = re.findall(r"`([^`]+)`", answer)
        files = [PACKAGE.parent / n for n in named if "/" in n]
        assert all(f.exists() for f in files), question
        for name in [n for n in named if "/" not in n]:
            assert f"def {name.rpartition('.')[2]}(" in files[0].read_text(encoding="utf-8"), question
