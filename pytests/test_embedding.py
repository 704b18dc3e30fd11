"""The dialect in programs of other projects: the C++ example is configured, built and run against what is installed."""

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest
from checkout import ROOT
from limits import HUNG

from mind_mlir.dialects.native_dialect import native_folder

CONFIG = native_folder() / "lib" / "cmake" / "Mind" / "MindConfig.cmake"


def missing():
    """What this test needs and this machine lacks; empty if nothing."""
    if not CONFIG.is_file():
        return "no native dialect is installed with its headers"
    if not all(shutil.which(name) for name in ("cmake", "c++")):
        return "no cmake or no C++ compiler"
    folders = getattr(importlib.util.find_spec("mlir"), "submodule_search_locations", None) or []
    if not any((Path(f) / "lib" / "cmake" / "mlir").is_dir() for f in folders):
        return "the development files of MLIR are not installed"
    return ""


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_cmake_project_finds_builds_and_runs_the_dialect(tmp_path):
    for command in (
        ["cmake", "-S", str(ROOT / "examples" / "embed_cpp"), "-B", str(tmp_path), f"-DMind_DIR={CONFIG.parent}"],
        ["cmake", "--build", str(tmp_path)],
    ):
        done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([tmp_path / "embed-mind"], capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0
    added, converted = done.stdout.split("// Converted")
    assert "mind.sum %1, axes = [-1], keepdims = false : (tensor<4x2xf32>) -> tensor<4xf32>" in added
    assert "linalg.matmul" in converted
    assert "mind." not in converted
    assert "'mind.matmul' op E3003: MatMul contracts 3 against 4" in done.stderr
