"""Operations of other packages: found by entry point, and like ours in text, derivatives and native code."""

import os
import re
import subprocess
import sys

import pytest
from checkout import ROOT
from limits import HUNG

SHOWN = re.compile(r"^```python my_ops\.py\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

TEXT = '%0 = Input {name = "x"} : tensor<f64[3]>\n%1 = Cube (%0) : tensor<f64[3]>\noutputs: %1\n'


@pytest.fixture
def package(tmp_path):
    """A folder with the page's module, installed as far as importlib.metadata can tell."""
    (shown,) = SHOWN.finditer((ROOT / "docs" / "adding-an-op.md").read_text(encoding="utf-8"))
    (tmp_path / "my_ops.py").write_text(shown["text"], encoding="utf-8")
    info = tmp_path / "my_ops-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-ops\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mind_mlir.ops]\nmy_ops = my_ops\n")
    return tmp_path


def python(package, code):
    """Run Python with the package installed."""
    environment = {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT / 'pytests'}"}
    return subprocess.run(
        [sys.executable, "-c", f"import checkout, sys\n{code}"],
        cwd=package,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HUNG,
    )


def test_an_operation_of_another_package_is_parsed_run_compiled_and_differentiated(package):
    code = f"""
import numpy as np, mind_mlir as mind
assert "my_ops" not in sys.modules, "it is not needed yet"
m = mind.verify(mind.parse({TEXT!r}))
x = np.array([-1.0, 0.5, 2.0])
assert mind.interpret(m, x)[0].tolist() == [-1.0, 0.125, 8.0]
assert mind.compile(m)(x)[0].tolist() == [-1.0, 0.125, 8.0]
from mind_mlir.passes import gradient
assert mind.interpret(gradient(m), x)[1].tolist() == [3.0, 0.75, 12.0]
from mind_mlir.testing import check_grads
check_grads(m, order=3)
from my_ops import Cube
check_grads(lambda x: mind.apply(Cube(), x), (np.float32([1, 2, 3]),), order=2)
assert mind.grad(lambda x: mind.sum(mind.apply(Cube(), x)))(np.float32([1, 2, 3])).tolist() == [3, 12, 27]
b = mind.Builder()
assert b.finish([b.Cube(b.Input("x", mind.f64(3)))]) == m
"""
    done = python(package, code)
    assert done.returncode == 0, done.stderr


def test_a_builder_finds_an_operation_of_another_package(package):
    done = python(package, 'import mind_mlir as mind; b = mind.Builder(); print(b.Cube(b.Input("x", mind.f32(2))).op)')
    assert done.stdout == "Cube()\n", done.stderr


def test_known_operations_do_not_load_other_packages(package):
    known = TEXT.replace("Cube", "Exp")
    done = python(package, f"import mind_mlir as mind; mind.parse({known!r}); print('my_ops' in sys.modules)")
    assert done.stdout == "False\n", done.stderr


def test_an_unknown_operation_is_still_an_error(package):
    text = TEXT.replace("Cube", "Cubic")
    code = f"import mind_mlir as mind\ntry: mind.parse({text!r})\nexcept mind.MindError as why: print(why)"
    done = python(package, code)
    assert "error[E4012]: unknown operation Cubic" in done.stdout, done.stderr
    assert "did you mean Cube?" in done.stdout


def test_a_package_that_cannot_be_imported_is_named(package):
    (package / "my_ops.py").write_text("import nothing_of_that_name\n")
    code = f"import mind_mlir as mind\ntry: mind.parse({TEXT!r})\nexcept mind.MindError as why: print(why)"
    done = python(package, code)
    assert "error[E7012]: the operations of package my-ops cannot be loaded" in done.stdout, done.stderr
    assert "No module named 'nothing_of_that_name'" in done.stdout
    assert "mind_mlir.ops is my_ops = my_ops" in done.stdout


def test_a_package_cannot_take_the_name_of_a_known_operation(package):
    module = package / "my_ops.py"
    module.write_text(module.read_text(encoding="utf-8").replace("class Cube", "class Exp"), encoding="utf-8")
    code = f"import mind_mlir as mind\ntry: mind.parse({TEXT!r})\nexcept mind.MindError as why: print(why)"
    done = python(package, code)
    assert "op Exp: declared twice" in done.stdout, done.stderr
