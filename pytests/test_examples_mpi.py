"""The digits on several ranks: in every layout the curve of one process, and errors that say what to do.

Jobs start as a user starts them, and are ended after a time.  Without MPI those that need it are skipped.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from checkout import ROOT
from limits import HUNG
from support import assert_same_bits

EXAMPLE = ROOT / "examples" / "digits_mpi"
MPIRUN = shutil.which("mpirun", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
SECONDS = HUNG
"""After which a job is ended."""

EPOCHS = 40
"""In which one process learns the digits."""
COMPARED = 10
"""Epochs of which the curves are compared: in each of their steps, ranks wait for each other several times."""
ROUNDING = 1e-6
"""Ranks add the numbers that one process adds, in another order.  The mean of an epoch then differs by half a unit of
f32, 6e-8; what a lost gradient does is above 1e-3.  Later epochs stay out: there Adam makes rounding larger."""

with_mpi = pytest.mark.skipif(MPIRUN is None, reason="no mpirun: pip install 'mind-mlir[mpi]' brings MPICH")


@pytest.fixture
def folder(tmp_path):
    for name in ("digits", "digits_mpi"):
        shutil.copytree(
            ROOT / "examples" / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "arrays")
        )
    return tmp_path


def run(folder: Path, program: str, *arguments: object, ranks=1, before="pass") -> subprocess.CompletedProcess:
    """Run a program of the example with the package of this checkout."""
    file = folder / "digits_mpi" / program
    start = f"import sys; sys.path[:0] = [{str(ROOT / 'pytests')!r}, {str(file.parent)!r}]; import checkout; {before}"
    start += f"; import runpy; sys.argv[0] = {str(file)!r}; runpy.run_path(sys.argv[0], run_name='__main__')"
    job = [] if ranks == 1 else [MPIRUN, "-n", str(ranks)]
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*job, sys.executable, "-c", start, *map(str, arguments)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def trained(folder: Path, layout: str, epochs: int, ranks: int = 1) -> tuple[str, dict]:
    """What a job printed, and what it wrote."""
    output = folder / f"{layout}.npz"
    done = run(folder, "train.py", "--layout", layout, "--epochs", epochs, "--output", output, ranks=ranks)
    assert done.returncode == 0, done.stdout + done.stderr
    with np.load(output) as archive:
        return done.stdout, dict(archive)


@with_mpi
def test_two_ranks_train_along_the_curve_of_one_process(folder):
    _, learned = trained(folder, "one", EPOCHS)
    assert learned["accuracy"] >= 0.97  # what scripts/demo demands of examples/digits
    _, one = trained(folder, "one", COMPARED)
    for layout in ("dp", "tp", "fsdp"):
        printed, found = trained(folder, layout, COMPARED, ranks=2)
        np.testing.assert_allclose(found["losses"], one["losses"], rtol=ROUNDING, err_msg=layout)
        assert found["accuracy"] == one["accuracy"]
        assert printed.count("accuracy on 599 held-out images") == 1, "more than the first rank prints"
        assert [found[k].shape for k in ("w1", "b1", "w2", "b2")] == [(64, 64), (64,), (64, 10), (10,)]


@with_mpi
def test_compare_prints_the_differences_and_draws_the_curves(folder):
    done = run(folder, "compare.py", "--epochs", 1, "--svg", folder / "curves.svg")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^(one|dp|tp) +\d\.\d{6} +0\.\d{4} +(\S+)$", done.stdout, re.MULTILINE)
    assert [layout for layout, _ in rows] == ["one", "dp", "tp"]
    assert max(float(difference) for _, difference in rows) < ROUNDING
    assert (folder / "curves.svg").read_text(encoding="utf-8").count("<polyline") == 3 + 2


@with_mpi
def test_another_number_of_ranks_is_an_error_that_says_how_many_to_start(folder):
    done = run(folder, "train.py", "--layout", "dp", "--ranks", 3, ranks=2)
    assert done.returncode != 0
    assert "E8007" in done.stderr
    assert "mpirun -n 3" in done.stderr


def test_missing_mpi_is_an_error_that_says_what_to_install(folder):
    done = run(folder, "train.py", "--layout", "dp", before="sys.modules['mpi4py'] = None")
    assert done.returncode == 1
    assert done.stderr.startswith("error[E8010]")
    assert "pip install 'mind-mlir[mpi]'" in done.stderr


def test_one_process_needs_no_mpi_and_gives_the_weights_of_the_digits_example(folder):
    """And what the page shows: the numbers, and the curve to a tenth of a pixel."""
    output = folder / "one.npz"
    done = run(folder, "train.py", "--output", output, before="sys.modules['mpi4py'] = None")
    assert done.returncode == 0, done.stderr
    with np.load(output) as made, np.load(ROOT / "examples" / "digits" / "weights.npz") as stored:
        losses = made["losses"]
        for key in stored:
            assert_same_bits(made[key], stored[key], key)
    page = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    lines = done.stdout.splitlines()
    assert all(line in page for line in (lines[0], lines[11], lines[-1]))
    assert f"| one process | {losses[-1]:.6f} |" in page
    assert drawn(losses) in (EXAMPLE / "curves.svg").read_text(encoding="utf-8")


def drawn(losses: np.ndarray) -> str:
    """The curve of one process as compare.py draws it."""
    spec = importlib.util.spec_from_file_location("compare_layouts", EXAMPLE / "compare.py")
    compare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare)
    return compare.loss_line("one", losses, losses)
