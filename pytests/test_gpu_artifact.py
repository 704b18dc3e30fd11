"""PTX, cubins and artifacts: what is in them, what ptxas says of them, and what is refused."""

import json
import os
import stat
import sys
import types

import commands
import pytest
from support import error_of

import mind_mlir as mind
from mind_mlir.lowering.gpu.artifacts import images, ptxas
from mind_mlir.lowering.gpu.artifacts.manifest import File, Place, Program, TensorMap
from mind_mlir.lowering.gpu.artifacts.manifest_reader import read_manifest
from mind_mlir.lowering.store import folders
from mind_mlir.lowering.targets.chips import CHIPS
from mind_mlir.runtime.gpu.artifact import load_artifact
from mind_mlir.runtime.gpu.device_program import candidates
from mind_mlir.runtime.gpu.gpu_executable import chip_for

needs_ptxas = pytest.mark.skipif(ptxas.find_ptxas() is None, reason="no ptxas: pip install nvidia-cuda-nvcc")

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[2, 4]>
%1 = Input {name = "k"} : tensor<i64[3]>
%2 = ConstTensor {dtype = f32, shape = [4], data = [1.0, 2.0, 3.0, 4.0]} : tensor<f32[4]>
%3 = Mul (%0, %2) : tensor<f32[2, 4]>
%4 = Gather (%3, %1) : tensor<f32[3, 4]>
%5 = Sum (%4) {axes = [0], keepdims = false} : tensor<f32[4]>
%6 = Mul (%5, %2) : tensor<f32[4]>
outputs: %6
"""
M = mind.parse(TEXT)


# Artifacts


def test_an_artifact_is_a_manifest_constants_and_images():
    files = images.artifact(M, "rows", ("sm_80", "sm_90"), with_cubins=False)
    assert sorted(files) == ["constant0.bin", "manifest.json", "sm_80.ptx", "sm_90.ptx"]
    m = read_manifest(files["manifest.json"])
    assert (m.name, m.numerics) == ("rows", "default")
    assert [(n.name, str(n.type)) for n in m.inputs] == [("x", "tensor<f32[2, 4]>"), ("k", "tensor<i64[3]>")]
    assert [(n.name, str(n.type)) for n in m.outputs] == [("out0", "tensor<f32[4]>")]
    assert [p.chip for p in m.programs] == ["sm_80", "sm_90"]
    assert m.failures == {5: "an index of Gather %4 is out of bounds for extent 2"}
    assert all(p.has_status for p in m.programs)
    for file in m.files():
        assert file.checked(files[file.name]) == files[file.name]
    assert b".target sm_80" in files["sm_80.ptx"]


def test_what_is_written_reads_as_what_was_written():
    text = images.artifact(M, with_cubins=False)["manifest.json"]
    assert read_manifest(text).to_json().encode() == text


def test_the_same_module_gives_the_same_bytes():
    assert images.artifact(M) == images.artifact(M)


def test_code_that_a_chip_shares_with_another_is_there_once():
    text = '%0 = Input {name = "x"} : tensor<f32[4]>\n%1 = Relu (%0) : tensor<f32[4]>\noutputs: %1\n'
    found = read_manifest(images.artifact(mind.parse(text), with_cubins=False)["manifest.json"])
    assert [p.chip for p in found.programs] == ["sm_80", "sm_90"]  # sm_90a adds nothing here


def test_a_module_without_kernels_has_no_images():
    text = '%0 = Input {name = "x"} : tensor<f32[0]>\n%1 = Relu (%0) : tensor<f32[0]>\noutputs: %1\n'
    assert list(images.artifact(mind.parse(text))) == ["manifest.json"]


@pytest.mark.parametrize("make", [images.artifact, images.ptx, images.cubin, images.nvvm_module])
def test_what_is_known_before_a_run_is_told(make):
    text = '%0 = Input {name = "x"} : tensor<f32[4]>\n%1 = Index (%0) {indices = [4]} : tensor<f32[]>\noutputs: %1\n'
    assert error_of(lambda: make(mind.parse(text))).code == "E6001"


@pytest.mark.parametrize("chip", ["sm_70", "sm_100", "", "gfx90a", "sm_90 "])
def test_an_unknown_chip_is_refused(chip):
    assert error_of(lambda: images.ptx(M, chip)).code == "E7007"
    assert error_of(lambda: images.artifact(M, chips=("sm_80", chip))).code == "E7007"


# Manifests that are wrong


def manifest():
    """A good one, as data."""
    return json.loads(images.artifact(M, chips=("sm_80",), with_cubins=False)["manifest.json"])


def put(path, value):
    """A change of the field that a path leads to."""

    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


def without(*path):
    """A change that removes a field."""

    def change(data):
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


LAUNCH = ("programs", 0, "launches", 0)
WRONG = {
    "format": (put(["format"], "other"), 'no "format"'),
    "version": (put(["version"], 2), "version 2 of its format, this loader reads 1"),
    "no version": (without("version"), "version None"),
    "name": (put(["name"], 3), "name is a text, found 3"),
    "no inputs": (without("inputs"), "inputs is a list, found nothing"),
    "an input": (put(["inputs", 0], "x"), "inputs[0] is an object"),
    "dtype": (put(["inputs", 1, "dtype"], "f8"), 'or f64, found "f8"'),
    "shape": (put(["outputs", 0, "shape"], [-1]), "outputs[0].shape is extents"),
    "a large shape": (put(["outputs", 0, "shape"], [2**63]), "outputs[0].shape is extents"),
    "failures": (put(["failures"], {"x": "y"}), "failures is texts by number"),
    "no programs": (put(["programs"], []), "holds no program"),
    "chip": (put(["programs", 0, "chip"], "gfx90"), "programs[0].chip is a chip such as sm_90"),
    "images": (put(["programs", 0, "images"], {}), "programs[0].images holds neither cubin nor ptx"),
    "a path": (put(["programs", 0, "images", "ptx", "name"], "../x.ptx"), "the name of a file beside the manifest"),
    "a hidden file": (put(["constants", 0, "name"], ".x"), "the name of a file beside the manifest"),
    "size": (put(["constants", 0, "size"], -1), "constants[0].size is an integer of 0 or more"),
    "arena": (put(["programs", 0, "arena"], True), "programs[0].arena is an integer of 0 or more"),
    "status": (put(["programs", 0, "has_status"], 1), "programs[0].has_status is true or false"),
    "kernel": (put([*LAUNCH, "kernel"], None), "programs[0].launches[0].kernel is a text"),
    "grid": (put([*LAUNCH, "grid"], [1, 1]), "launches[0].grid is three extents"),
    "a grid of nothing": (put([*LAUNCH, "grid"], [0, 1, 1]), "launches[0].grid is three extents"),
    "a grid too large": (put([*LAUNCH, "grid"], [1, 65536, 1]), "launches[0].grid is three extents"),
    "block": (put([*LAUNCH, "block"], [32, 1, 65]), "launches[0].block is three extents"),
    "a kind": (put([*LAUNCH, "arguments", 0], ["heap", 0, 0]), "arguments[0] is [kind, number, offset]"),
    "an offset": (put([*LAUNCH, "arguments", 0], ["input", 0, -4]), "arguments[0] is [kind, number, offset]"),
    "no such input": (put([*LAUNCH, "arguments", 0], ["input", 2, 0]), "points to what is not there: input 2"),
    "no such constant": (put([*LAUNCH, "arguments", 0], ["constant", 9, 0]), "points to what is not there"),
    "past the end": (put([*LAUNCH, "arguments", 0], ["input", 0, 40]), "points to what is not there: input 0"),
}


MAP = {"map": ["input", 0, 0], "dtype": "tf32", "extents": [4, 2], "strides": [16], "box": [32, 8], "swizzle": 128}
"""Of an Input of 32 bytes."""


def mapped(**changed):
    return put([*LAUNCH, "arguments", 0], {**MAP, **changed})


WRONG_MAPS = {
    "a map of nothing": (mapped(map="x"), "arguments[0].map is [kind, number, offset]"),
    "a map between two places": (mapped(map=["input", 0, 8]), "arguments[0].map is at a multiple of 16 bytes"),
    "a map of other numbers": (mapped(dtype="f16"), "arguments[0].dtype is tf32"),
    "no extents": (mapped(extents=[]), "arguments[0].extents is multiples of 1"),
    "an extent of 0": (mapped(extents=[4, 0]), "arguments[0].extents is multiples of 1"),
    "too few strides": (mapped(strides=[]), "arguments[0].strides is multiples of 16"),
    "an odd stride": (mapped(strides=[8]), "arguments[0].strides is multiples of 16"),
    "a large tile": (mapped(box=[32, 257]), "arguments[0].box is multiples of 1 up to 256"),
    "a wide tile": (mapped(box=[64, 8]), "arguments[0].box is of lines of 16 bytes"),
    "an odd tile": (mapped(box=[30, 8]), "arguments[0].box is of lines of 16 bytes"),
    "a pattern": (mapped(swizzle=256), "arguments[0].swizzle is 0, 32, 64 or 128"),
    "a map past the end": (mapped(extents=[4, 3]), "points to what is not there: input 0"),
}


def test_a_map_is_read_as_it_is_written():
    data = manifest()
    mapped()(data)
    found = read_manifest(json.dumps(data))
    assert found.programs[0].launches[0].arguments[0] == TensorMap(
        Place("input", 0), "tf32", (4, 2), (16,), (32, 8), 128
    )
    assert read_manifest(found.to_json()) == found


@pytest.mark.parametrize("what", WRONG_MAPS)
def test_a_map_that_no_driver_takes_is_refused_with_the_place(what):
    change, words = WRONG_MAPS[what]
    data = manifest()
    change(data)
    found = error_of(lambda: read_manifest(json.dumps(data)))
    assert (found.code, words in str(found)) == ("E7017", True), found


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_manifest_is_refused_with_the_place(what):
    change, words = WRONG[what]
    data = manifest()
    change(data)
    found = error_of(lambda: read_manifest(json.dumps(data)))
    assert (found.code, words in str(found)) == ("E7017", True), found


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"3", b"\xff", b'{"format": "mind-mlir gpu artifact"}', b"[" * 10**5]
)
def test_what_is_no_manifest_is_refused(text):
    assert error_of(lambda: read_manifest(text)).code == "E7017"


def test_a_manifest_cut_anywhere_is_refused():
    text = json.dumps(manifest()).encode()
    for end in range(0, len(text) - 1, 37):
        assert error_of(lambda end=end: read_manifest(text[:end])).code == "E7017"


def test_a_folder_that_lacks_something_is_refused(tmp_path):
    files = images.artifact(M, chips=("sm_80",), with_cubins=False)
    folder = tmp_path / "folder"
    folders.write_folder(str(folder), files, "manifest.json")
    for name in files:
        data = (folder / name).read_bytes()
        (folder / name).unlink()
        found = error_of(lambda: load_artifact(folder))
        assert (found.code, f"{name} is missing" in str(found)) == ("E7017", True)
        (folder / name).write_bytes(data)
    assert error_of(lambda: load_artifact(tmp_path / "none")).code == "E7004"
    (tmp_path / "file").write_text("")
    assert error_of(lambda: load_artifact(tmp_path / "file")).code == "E7004"


def test_files_that_are_not_those_of_the_manifest_are_refused():
    file = File.of("a.ptx", b"abcd")
    assert file.checked(b"abcd") == b"abcd"
    assert "has 3 bytes, the manifest says 4" in str(error_of(lambda: file.checked(b"abc")))
    assert "is not the file" in str(error_of(lambda: file.checked(b"abce")))


# Which image


def program(chip, *kinds):
    return Program(chip, (), 0, False, {kind: File(f"{chip}.{kind}", 1, "") for kind in kinds})


ALL = [program(chip, "cubin", "ptx") for chip in ("sm_80", "sm_86", "sm_90", "sm_90a")]
CHOICES = {
    (8, 0): ["sm_80 cubin", "sm_80 ptx"],
    (8, 6): ["sm_86 cubin", "sm_80 cubin", "sm_86 ptx", "sm_80 ptx"],
    (8, 9): ["sm_86 cubin", "sm_80 cubin", "sm_86 ptx", "sm_80 ptx"],
    (9, 0): ["sm_90a cubin", "sm_90a ptx", "sm_90 cubin", "sm_90 ptx", "sm_86 ptx", "sm_80 ptx"],
    (10, 0): ["sm_90 ptx", "sm_86 ptx", "sm_80 ptx"],
    (7, 5): [],
}


@pytest.mark.parametrize("capability", CHOICES)
def test_images_are_tried_from_the_best_on(capability):
    assert [f"{p.chip} {kind}" for p, kind in candidates(ALL, capability)] == CHOICES[capability]


def test_ptx_alone_runs_on_everything_later():
    assert [p.chip for p, _ in candidates([program("sm_80", "ptx")], (12, 0))] == ["sm_80"]
    assert candidates([program("sm_90", "ptx")], (8, 9)) == []


def test_code_is_compiled_for_the_latest_chip_that_a_device_has_all_of():
    found = {c: chip_for(c) for c in [(8, 0), (8, 9), (9, 0), (10, 0), (12, 1)]}
    assert found == {(8, 0): "sm_80", (8, 9): "sm_80", (9, 0): "sm_90a", (10, 0): "sm_90", (12, 1): "sm_90"}
    assert set(found.values()) <= set(CHIPS)


# Folders


def write(path, files=None):
    folders.write_folder(str(path), files or {"mark": b"1", "a": b"2"}, "mark")


def test_a_folder_appears_as_a_whole(tmp_path):
    write(tmp_path / "f")
    assert {p.name: p.read_bytes() for p in (tmp_path / "f").iterdir()} == {"mark": b"1", "a": b"2"}
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty")
    write(tmp_path / "f", {"mark": b"3"})
    assert os.listdir(tmp_path / "f") == ["mark"]
    assert sorted(os.listdir(tmp_path)) == ["empty", "f"]


def test_a_folder_of_someone_else_stays(tmp_path):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "mine").write_text("")
    (tmp_path / "g").write_text("")
    for name in ("f", "g", "none/x"):
        assert error_of(lambda name=name: write(tmp_path / name)).code == "E7005"
    assert sorted(os.listdir(tmp_path)) == ["f", "g"]
    assert os.listdir(tmp_path / "f") == ["mine"]


@pytest.mark.parametrize("fails_at", [1, 2])
def test_what_was_there_stays_if_writing_fails(fails_at, tmp_path, monkeypatch):
    write(tmp_path / "f")
    rename, calls = os.rename, []

    def failing(a, b):
        calls.append(a)
        if len(calls) == fails_at:
            raise OSError(5, "Input/output error")
        rename(a, b)

    monkeypatch.setattr(folders.os, "rename", failing)
    assert error_of(lambda: write(tmp_path / "f", {"mark": b"3"})).code == "E7005"
    assert os.listdir(tmp_path) == ["f"]
    assert (tmp_path / "f" / "mark").read_bytes() == b"1"


def test_a_disk_that_is_full_leaves_nothing(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders, "open", full, raising=False)
    found = error_of(lambda: write(tmp_path / "f"))
    assert (found.code, "No space left" in str(found), os.listdir(tmp_path)) == ("E7005", True, [])


# ptxas

SAID = """\
ptxas info    : 0 bytes gmem, 16 bytes cmem[4]
ptxas info    : Compiling entry function 'sums0' for 'sm_80'
ptxas info    : Function properties for sums0
    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 16 bytes cumulative stack size, 1152 bytes smem, 376 bytes cmem[0]
ptxas info    : Compiling entry function 'elements1' for 'sm_80'
ptxas info    : Function properties for elements1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers
"""


def test_what_ptxas_says_is_read_kernel_by_kernel():
    assert ptxas.read_usage(SAID) == {
        "sums0": ptxas.Usage(32, spill_stores=4, spill_loads=8, stack=16, shared=1152, constant=376, barriers=1),
        "elements1": ptxas.Usage(14),
    }
    assert ptxas.read_usage("") == {}


@needs_ptxas
def test_a_cubin_holds_what_ptxas_reports_on():
    found = images.cubin(M, "sm_90")
    assert found.cubin.startswith(b"\x7fELF")
    assert {launch.kernel for launch in images.to_nvvm(M, "sm_90").plan.launches} == set(found.usage)
    assert all(1 < u.registers <= 255 and not u.spill_stores for u in found.usage.values())


@needs_ptxas
def test_an_artifact_has_cubins_where_ptxas_is():
    files = images.artifact(M, chips=("sm_80",))
    assert sorted(files) == ["constant0.bin", "manifest.json", "sm_80.cubin", "sm_80.ptx"]


@needs_ptxas
def test_ptx_that_ptxas_refuses_is_a_fault_of_ours(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = error_of(lambda: ptxas.assemble(".version 8.0\n.target sm_80\nnonsense\n", "sm_80"))
    assert (found.code, "kernels.ptx, line 3" in str(found)) == ("E9001", True), found
    assert [p.suffix for p in tmp_path.iterdir()] == [".ptx"]


def program_at(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
@pytest.mark.parametrize(
    "said", ["ptxas k.ptx, line 5; fatal   : Unsupported .version 8.0; current version is '7.4'",
             "ptxas fatal   : Value 'sm_90a' is not defined for option 'gpu-name'"],
)  # fmt: skip
def test_a_ptxas_that_is_too_old_is_told(said, tmp_path, monkeypatch):
    path = program_at(tmp_path / "ptxas", f'echo "{said}" >&2; exit 255')
    monkeypatch.setenv("MIND_PTXAS", str(path))
    found = error_of(lambda: images.cubin(M, "sm_90a"))
    assert (found.code, "is too old for sm_90a" in str(found), "nvidia-cuda-nvcc" in str(found)) == (
        "E7006",
        True,
        True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
def test_a_ptxas_that_writes_nothing_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("MIND_PTXAS", str(program_at(tmp_path / "ptxas", "exit 0")))
    assert error_of(lambda: images.cubin(M)).code == "E7006"


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
def test_ptxas_is_found_in_a_toolkit_on_path_and_in_wheels(tmp_path, monkeypatch):
    for variable in ("MIND_PTXAS", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    there = {
        "CUDA_HOME": program_at(tmp_path / "toolkit" / "bin" / "ptxas", ""),
        "PATH": program_at(tmp_path / "path" / "ptxas", ""),
        "cu13": program_at(tmp_path / "site" / "nvidia" / "cu13" / "bin" / "ptxas", ""),
        "cu12": program_at(tmp_path / "other" / "nvidia" / "cuda_nvcc" / "bin" / "ptxas", ""),
    }
    monkeypatch.setattr(ptxas, "USUAL", str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert ptxas.find_ptxas() is None or "nvidia" in ptxas.find_ptxas()  # a wheel that is installed here
    for key, folder in (("cu12", "other"), ("cu13", "site")):
        spec = types.SimpleNamespace(submodule_search_locations=[str(tmp_path / folder / "nvidia")])
        monkeypatch.setattr(ptxas.importlib.util, "find_spec", lambda name, spec=spec: spec)
        assert ptxas.find_ptxas() == str(there[key])
    monkeypatch.setenv("PATH", str(there["PATH"].parent))
    assert ptxas.find_ptxas() == str(there["PATH"])
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "toolkit"))
    assert ptxas.find_ptxas() == str(there["CUDA_HOME"])
    monkeypatch.setenv("MIND_PTXAS", "off")
    assert ptxas.find_ptxas() is None
    monkeypatch.setenv("MIND_PTXAS", str(tmp_path / "nothing"))
    assert error_of(ptxas.require_ptxas).code == "E7006"


# Commands


@pytest.mark.parametrize(
    "options",
    [
        ["--to-gpu-artifact"],
        ["--to-ptx", "--chip=sm_80", "--chip=sm_90"],
        ["--to-ptx", "--threads=2"],
        ["--to-nvvm", "--mcpu=generic"],
        ["--to-ptx", "--tuning=x.json"],
        ["--to-mlir", "--chip=sm_80"],
        ["--chip=sm_80"],
        ["--to-ptx", "--to-cubin"],
        ["--to-ptx", "--header=x.h"],
        ["--to-mlir", "--precision=tf32"],
        ["--to-ptx", "--precision=tf32", "--numerics=strict"],
        ["--to-ptx", "--chip=sm_1"],
    ],
    ids=" ".join,
)
def test_options_that_do_not_go_together_are_refused(options, tmp_path):
    (tmp_path / "m.mindir").write_text(TEXT)
    commands.assert_refused(commands.run("mind_translate", "m.mindir", *options, cwd=tmp_path), "E7007", commands.USAGE)


def test_the_forms_come_from_the_dialect_too(tmp_path):
    (tmp_path / "m.mindir").write_text(TEXT)
    commands.run("mind_translate", "m.mindir", "--to-mind", "-o", "m.mlir", cwd=tmp_path)
    a = commands.run("mind_translate", "m.mindir", "--to-ptx", cwd=tmp_path).stdout
    assert a == commands.run("mind_translate", "m.mlir", "--from-mind", "--to-ptx", cwd=tmp_path).stdout
    assert ".entry" in a


def test_write_artifact_writes_what_the_command_writes(tmp_path):
    (tmp_path / "m.mindir").write_text(TEXT)
    mind.write_artifact(M, tmp_path / "a", name="m")
    done = commands.run("mind_translate", "m.mindir", "--to-gpu-artifact", "-o", "b", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    a, b = ({p.name: p.read_bytes() for p in (tmp_path / f).iterdir()} for f in "ab")
    assert a == b
    assert error_of(lambda: mind.write_artifact(M, tmp_path / "c", numerics="exact")).code == "E7007"
    assert error_of(lambda: mind.write_artifact(M, tmp_path / "c", chips=["sm_50"])).code == "E7007"
    assert not (tmp_path / "c").exists()
