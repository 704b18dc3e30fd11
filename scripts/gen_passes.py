#!/usr/bin/env python3
"""Writes mind_mlir/lowering/interface/_rewrites_gen.py; with --check, says whether it is up to date.

It is written from our passes over MLIR. Who lists passes, or reads a pipeline, then knows their names, summaries and
options without loading MLIR.
"""

import importlib
import inspect
import pkgutil
import sys
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

from mind_mlir.lowering.mlir.rewriter import REWRITE

TARGET = Path(__file__).resolve().parent.parent / "mind_mlir" / "lowering" / "interface" / "_rewrites_gen.py"

ROOMS = ("rewrites", "gpu.rewrites")
"""Folders of lowering/ that hold passes, one a file."""

WIDTH = 120
"""Of a line."""

HEAD = '''"""Our passes over MLIR modules, registered; MLIR is loaded when one of them runs.

Written by scripts/gen_passes.py from the functions that `@rewrite` marks.
"""

from __future__ import annotations

from typing import Any, Literal

from ...passes.registry import Level, register
'''


def declaration(p: inspect.Parameter) -> str:
    """A keyword parameter as it is written."""
    default = f'"{p.default}"' if isinstance(p.default, str) else repr(p.default)
    annotation = str(p.annotation).replace("'", '"')  # Python writes texts in annotations in single quotes
    return f"{p.name}: {annotation} = {default}"


def entry(room: str, file: str) -> str:
    """The pass of one file."""
    module = importlib.import_module(f"mind_mlir.lowering.{room}.{file}")
    (fn,) = [f for f in vars(module).values() if hasattr(f, REWRITE) and f.__module__ == module.__name__]
    _, *options = inspect.signature(fn).parameters.values()
    assert all(p.kind is p.KEYWORD_ONLY for p in options), f"{file}: what is no keyword is no option"
    declared = ", ".join(["module: Any", *["*"] * bool(options), *map(declaration, options)])
    given = ", ".join(["module", *(f"{p.name}={p.name}" for p in options)])
    summary = (fn.__doc__ or "").partition("\n")[0]
    head = f"def {fn.__name__}({declared}) -> None:"
    if len(head) > WIDTH:
        head = f"def {fn.__name__}(\n    {declared}\n) -> None:"
    return f'''

@register("{getattr(fn, REWRITE)}", source=Level.MLIR)
{head}
    """{summary}"""
    from ..{room}.{file} import {fn.__name__}

    {fn.__name__}({given})
'''


def text() -> str:
    """The whole file."""
    found = []
    for room in ROOMS:
        folder = importlib.import_module(f"mind_mlir.lowering.{room}")
        files = sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if not m.name.startswith("_"))
        found += [entry(room, file) for file in files]
    return HEAD + "".join(found)


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text():
            print(f"{TARGET.name} is out of date: run scripts/gen_passes.py", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
