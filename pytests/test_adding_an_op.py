"""docs/adding-an-op.md keeps its word: its one file adds Tanh to a copy of the package, and the laws hold there."""

import math
import os
import re
import shutil
import subprocess
import sys

import pytest
from checkout import ROOT
from limits import HUNG

FILE = re.compile(r"^```python (?P<path>mind_mlir/ops/\w+\.py)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package and of its tests, with the page's file added."""
    tree = tmp_path_factory.mktemp("copy")
    for part in ("mind_mlir", "pytests"):
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
    (shown,) = FILE.finditer((ROOT / "docs" / "adding-an-op.md").read_text(encoding="utf-8"))
    assert not (tree / shown["path"]).exists()
    (tree / shown["path"]).write_text(shown["text"], encoding="utf-8")
    return tree


def python(copy, *arguments):
    """Run Python in the copy, where `import checkout` makes mind_mlir come from the copy."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environment["PYTHONPATH"] = str(copy / "pytests")
    return subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, timeout=HUNG
    )


def test_the_laws_hold_for_an_operation_added_by_one_file(copy):
    done = python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "pytests/test_op_laws.py", "-k", "Tanh")
    passed = re.search(r"(\d+) passed", done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert passed, done.stdout
    assert int(passed[1]) >= 30, "each law, over each sample"


USE = """
import checkout, numpy as np, mind_mlir as mind
m = mind.parse('%0 = Input {name = "x"} : tensor<f64[3]>\\n%1 = Tanh (%0) : tensor<f64[3]>\\noutputs: %1')
x = np.array([-1.0, 0.5, 800.0])
b = mind.Builder()
assert b.finish([b.Tanh(b.Input("x", mind.f64(3)))]) == m
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
    assert eval(interpreted) == pytest.approx([math.tanh(-1.0), math.tanh(0.5), 1.0], rel=1e-15)
    assert compiled == interpreted
    assert code == "E4012"
