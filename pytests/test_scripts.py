"""Scripts that write files of a checkout run its own code, whatever is installed."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

OURS = ("mind_mlir", "benchmarks")


def imports_of(script: Path) -> set[str]:
    """The packages that a file imports."""
    nodes = list(ast.walk(ast.parse(script.read_text("utf-8"))))
    names = [a.name for n in nodes if isinstance(n, ast.Import) for a in n.names]
    names += [n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module]
    return {name.partition(".")[0] for name in names}


GENERATORS = sorted(s.name for s in (ROOT / "scripts").glob("gen_*.py") if imports_of(s) & set(OURS))


def test_most_generators_import_the_package():
    assert {"gen_builder_stub.py", "gen_dialect.py", "gen_docs.py", "gen_usage.py"} <= set(GENERATORS)


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_imports_the_package_of_the_checkout_that_it_lies_in(name, tmp_path):
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for package in OURS:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise SystemExit('imported from the copy')\n")
    done = subprocess.run([sys.executable, tmp_path / "scripts" / name, "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout) == (1, "imported from the copy\n", "")
