"""The tests in lit_tests/, each as a pytest item.  lit itself runs once, over the items that were chosen.

There is no limit for all of them together, which a busy machine would meet.  A command that runs for LONGEST seconds
is ended, and its test reported by name; the other ones go on.  The session waits as long as lit lives.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_server import CLIENT, serving
from limits import HUNG

from mind_mlir.ir.codes import CODES

ROOT = Path(__file__).parent.parent / "lit_tests"
SUFFIXES = (".mindir", ".mlir", ".test")
TESTS = sorted(
    p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.suffix in SUFFIXES and "Inputs" not in p.parts
)
LIT = [sys.executable, "-c", "from lit.main import main; main()"]
PASSED = {"PASS", "FLAKYPASS"}
LONGEST = HUNG
"""Seconds after which a command of a test counts as hung."""

WITHOUT_TEST = {
    "E5003": "no derivative rule of ours names a bad axis; pytests/test_faulty_rules.py has one that does",
    "E5004": "no derivative rule of ours has shapes that do not fit; pytests/test_faulty_rules.py has one that does",
    "E6008": "needs a GPU that fails; pytests/test_gpu_driver.py raises it through a driver of its own",
    "E6010": "only Python functions are traced; pytests raise it",
    "E6011": "only Python functions are traced; pytests raise it",
    "E7011": "the native result never differs from the interpreter's",
    "E7012": "no broken package is installed; pytests/test_plugins.py makes one",
    "E7015": "the commands make a context for every file; pytests/test_dialect.py raises it from Python",
    "E8008": "needs several ranks; pytests/test_mpi_faults.py has them",
    "E8009": "needs several ranks; pytests/test_mpi_faults.py has them",
    "E8010": "needs an installation without MPI; pytests/test_mpi.py hides it",
    "E9002": "no input breaks a rule of the toolchain",
    "E9003": "no known input ends the compiler process",
}
"""Codes that no lit test raises, and why."""


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """lit's report by test name.  Under pytest-xdist the first worker runs lit, the others wait for its report."""
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent  # the same for all workers
    folder, report = folder / "lit", folder / "lit.json"
    items = [item for item in request.session.items if getattr(item, "function", None) is test_lit]
    chosen = [item.callspec.params["name"] for item in items]
    if _is_first(folder):
        _run(folder, report, chosen)
    while not report.exists():
        if _has_ended(folder) and not report.exists():
            pytest.fail("the worker that ran lit has ended without a report", pytrace=False)
        time.sleep(0.1)
    tests = json.loads(report.read_text(encoding="utf-8"))["tests"]
    return {test["name"].partition(" :: ")[2]: test for test in tests}


def _is_first(folder: Path) -> bool:
    """True for the worker that makes the folder; it notes which process it is."""
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    (folder.parent / "lit.pid").write_text(str(os.getpid()))
    return True


def _has_ended(folder: Path) -> bool:
    """True if the process that made the folder is no more."""
    try:
        os.kill(int((folder.parent / "lit.pid").read_text()), 0)
    except (OSError, ValueError) as why:  # ValueError, FileNotFoundError: it has just made it
        return isinstance(why, ProcessLookupError)
    return False


def _run(folder: Path, report: Path, names: list[str], root: Path = ROOT, longest: int = LONGEST) -> None:
    """Run lit in `folder`, outside the source tree; the report appears as a whole or not at all."""
    paths = [str(root / name) for name in names] if len(names) < len(TESTS) else [str(root)]
    options = ["-j2", "-sv", "--param", f"longest={longest}", "--param", f"exec_root={folder}", "-o", "report.json"]
    with serving(folder, options=["-X", "utf8"]) as address:
        if address:
            options += ["--param", f"served={shlex.quote(CLIENT)} {shlex.quote(address)}"]
        command = [*LIT, *options, *paths]
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8"
        )
    written = folder / "report.json"
    if not written.exists():  # lit itself failed: every test shows why
        output = done.stdout + done.stderr
        tests = [{"name": f"mind :: {name}", "code": "UNRESOLVED", "output": output} for name in names]
        written.write_text(json.dumps({"tests": tests}), encoding="utf-8")
    os.replace(written, report)


@pytest.mark.parametrize("name", TESTS)
def test_lit(name: str, results: dict[str, dict[str, str]]) -> None:
    test = results.get(name)
    assert test is not None, f"lit did not run {name}"
    if test["code"] == "UNSUPPORTED":
        pytest.skip("no native build: scripts/test --native makes one")
    if test["code"] not in PASSED:
        pytest.fail(f"{test['code']}: {name}\n{test['output']}", pytrace=False)


@pytest.mark.skipif(shutil.which("timeout") is None, reason="there is no timeout of coreutils")
def test_a_lit_test_that_hangs_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    root = tmp_path / "tests"
    root.mkdir()
    (root / "lit.cfg.py").write_text((ROOT / "lit.cfg.py").read_text("utf-8"), "utf-8")
    (root / "hangs.test").write_text("// RUN: %python -c 'import time; time.sleep(3600)'\n")
    (root / "passes.test").write_text("// RUN: %python -c pass\n")
    (tmp_path / "lit").mkdir()
    _run(tmp_path / "lit", tmp_path / "lit.json", ["hangs.test", "passes.test"], root, longest=5)
    tests = json.loads((tmp_path / "lit.json").read_text("utf-8"))["tests"]
    found = {test["name"].partition(" :: ")[2]: test["code"] for test in tests}
    assert found == {"hangs.test": "FAIL", "passes.test": "PASS"}


def test_lit_finds_what_pytest_finds(tmp_path: Path) -> None:
    command = [*LIT, "--show-tests", "--param", f"exec_root={tmp_path}", str(ROOT)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = sorted(line.partition(" :: ")[2].strip() for line in done.stdout.splitlines() if " :: " in line)
    print(f"{len(found)} lit tests")
    assert found == TESTS


def test_every_error_code_has_a_test_named_after_it() -> None:
    named = {code for code in CODES if any(Path(name).name.startswith(f"{code}-") for name in TESTS)}
    assert set(CODES) - named == set(WITHOUT_TEST), "name a test in lit_tests/ after the code, or give a reason above"


def test_a_test_named_after_a_code_checks_that_code() -> None:
    coded = {name: Path(name).name.partition("-")[0] for name in TESTS if Path(name).name[:1] == "E"}
    wrong = [name for name, code in coded.items() if f"error[{code}]: " not in (ROOT / name).read_text("utf-8")]
    assert coded
    assert not wrong
