"""The examples for GPUs: their artifacts are written, and run as the CPU does, through a driver without a GPU."""

import runpy
import sys

import numpy as np
import pytest
from checkout import ROOT
from fake_cuda import needs_compiler

import mind_mlir as mind
from mind_mlir.lowering.gpu.artifacts.manifest_reader import read_manifest

EXAMPLES = ROOT / "examples" / "gpu"


@pytest.fixture
def written(monkeypatch, tmp_path):
    """Runs one of the programs; gives its module and its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    for name in ("gradients", "networks"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    modules = []
    write = mind.write_artifact
    monkeypatch.setattr(mind, "write_artifact", lambda m, *a, **k: (modules.append(m), write(m, *a, **k)))

    def run(name):
        monkeypatch.setattr(sys, "argv", [name, "-o", "made", "--numerics=strict"])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return modules[-1], tmp_path / "made"

    return run


@pytest.mark.parametrize("name", ["mlp_gradient.py", "cnn_gradient.py"])
def test_a_program_writes_one_artifact_and_arrays_for_it(name, written, capsys):
    m, folder = written(name)
    found = read_manifest((folder / "manifest.json").read_bytes())
    assert len(found.outputs) == len(m.outputs) == len(found.inputs) - 1  # the loss; no gradient of images and targets
    with np.load(f"{folder}.npz") as archive:
        assert {n.name for n in (*found.inputs, *found.outputs)} == set(archive.files)
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert f"| {name} |" in page
    if name == "mlp_gradient.py":
        shown = [line for line in page.splitlines() if line.startswith("  out")]
        assert shown == [line for line in capsys.readouterr().out.splitlines() if line.startswith("  out")]


@needs_compiler
@pytest.mark.parametrize("name", ["mlp_gradient.py", "cnn_gradient.py"])
def test_the_gradient_runs_as_interpret_does(name, written, cuda):
    m, folder = written(name)
    files = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert {name: data for name, data in files.items() if name != "manifest.json"}.items() <= cuda.files(
        m, "strict"
    ).items()
    with np.load(f"{folder}.npz") as archive:
        given = {n: archive[n] for n in mind.load_artifact(folder).input_names}
    results = mind.load_artifact(folder)(**given)
    for a, b in zip(results, mind.interpret(m, **given)):
        np.testing.assert_array_equal(a, b)


@needs_compiler
def test_the_program_that_runs_an_artifact_compares_it_with_the_cpu(written, cuda, monkeypatch, capsys):
    m, _ = written("mlp_gradient.py")
    cuda.files(m, "strict")
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["run.py", "made"])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(EXAMPLES / "run.py"), run_name="__main__")
    out, err = capsys.readouterr()
    assert left.value.code == 0, err
    assert out.startswith("<mlp_gradient on Fake 0, ")
    monkeypatch.setenv("MIND_LIBCUDA", "none/libcuda.so.1")
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(EXAMPLES / "run.py"), run_name="__main__")
    assert left.value.code == 1
    assert "none/libcuda.so.1 is missing" in capsys.readouterr().err
