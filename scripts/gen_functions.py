#!/usr/bin/env python3
"""Write the table of functions by name, its stub, and the tables of docs/functions.md.

They are written from the files of mind_mlir/frontend/functions/, and from the classes of element-wise operations.

With --check: write nothing, and fail if a file is not what would be written.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

from mind_mlir.ir import OPS

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "mind_mlir" / "frontend"
TABLE = FRONTEND / "functions" / "_names_gen.py"
STUB = FRONTEND / "_functions.pyi"
PAGE = ROOT / "docs" / "functions.md"
BEGIN, END = "<!-- begin: written by scripts/gen_functions.py -->", "<!-- end -->"

FUNCTIONS = "mind_mlir.frontend.functions"
NO_GROUPS = ["catalogue", "inspection", "linalg", "missing"]
"""Files beside those of functions."""

Homes = dict[str, tuple[str, str]]

TABLE_HEAD = '''\
# Written by scripts/gen_functions.py; do not edit.
"""Functions and their other names -> the file of this folder that has one, and its own name there.

Functions of element-wise operations have no file here: "".
"""

HOMES: dict[str, tuple[str, str]] = {
'''

STUB_HEAD = '''\
# Written by scripts/gen_functions.py; do not edit.
# ruff: noqa: F401, I001
"""The functions by all of their names, for type checkers alone. At run time `functions/catalogue.py` finds them."""

'''


def groups() -> dict[str, ModuleType]:
    """The files of functions, in the order of their table in the package's docstring."""
    docstring = ast.get_docstring(ast.parse((FRONTEND / "functions" / "__init__.py").read_text(encoding="utf-8"))) or ""
    named = re.findall(r"^    (\w+)  ", docstring, re.MULTILINE)
    assert sorted(named) == sorted(p.stem for p in TABLE.parent.glob("*.py") if not p.stem.startswith("_"))
    return {name: importlib.import_module(f"{FUNCTIONS}.{name}") for name in named if name not in NO_GROUPS}


def homes(groups: Mapping[str, ModuleType]) -> Homes:
    """Name of a function or alias -> the file that has it, "" for functions of operations, and its name there."""
    found: Homes = {}
    for file, module in groups.items():
        for name in module.__all__:
            assert name not in found, f"{name} is in two files"
            found[name] = file, name
    of_operations = set(OPS.function_names())
    for module in groups.values():
        for alias, name in module.ALIASES.items():
            assert alias not in found, f"{alias} is there twice"
            assert name in found or name in of_operations, f"{alias} is another name of {name}, which is none"
            found[alias] = found.get(name, ("", name))
    return dict(sorted(found.items()))


def table(homes: Homes) -> str:
    rows = [f'    "{name}": ("{file}", "{own}"),\n' for name, (file, own) in homes.items()]
    return f"{TABLE_HEAD}{''.join(rows)}}}\n"


def stub(homes: Homes) -> str:
    lines = []
    for name, (file, own) in homes.items():
        module = f".functions.{file}" if file else "._elementwise_functions"
        lines.append(f"from {module} import {own} as {name}\n")
    return STUB_HEAD + "".join(lines)


def page(current: str, groups: Mapping[str, ModuleType], homes: Homes) -> str:
    """The page with new tables between the two marks."""
    before, rest = current.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{chr(10).join(tables(groups, homes))}\n{END}{after}"


def tables(groups: Mapping[str, ModuleType], homes: Homes) -> Iterator[str]:
    from mind_mlir.frontend import elementwise
    from mind_mlir.frontend.functions import missing

    others: dict[str, list[str]] = {}
    for name, (_, own) in homes.items():
        if name != own:
            others.setdefault(own, []).append(name)
    of_operations = {n: getattr(elementwise, n) for n in OPS.function_names() if n not in homes}
    yield from section("Functions of element-wise operations", of_operations, others)
    for module in groups.values():
        title = (module.__doc__ or "").partition("\n")[0].partition(". ")[0].rstrip(".")
        yield from section(title, {n: getattr(module, n) for n in sorted(module.__all__)}, others)
    for title, names in {
        "Names of NumPy that are not there": missing.NUMPY,
        "Names of JAX that are not there": missing.JAX,
        "Names of jax.lax that are not there": missing.LAX,
        "Names of PyTorch that are not there": missing.TORCH,
    }.items():
        yield f"## {title}\n"
        yield "| name | instead |\n|---|---|"
        yield from (f"| `{name}` | {text.replace('|', chr(92) + '|')} |" for name, text in sorted(names.items()))
        yield ""


def section(title: str, found: Mapping[str, object], others: Mapping[str, list[str]]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| function | what it gives | other names |\n|---|---|---|"
    for name, value in found.items():
        summary = (inspect.getdoc(value) or "").partition("\n")[0].replace("|", "\\|")
        yield f"| `{name}` | {summary} | {' '.join(f'`{n}`' for n in sorted(others.get(name, []))) or '–'} |"
    yield ""


def main() -> int:
    found = groups()
    names = homes(found)
    current = PAGE.read_text(encoding="utf-8")
    files = {TABLE: table(names), STUB: stub(names), PAGE: page(current, found, names)}
    if sys.argv[1:] == ["--check"]:
        stale = [p.name for p, text in files.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
        if stale:
            print(f"{', '.join(stale)} out of date: run scripts/gen_functions.py", file=sys.stderr)
        return int(bool(stale))
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
