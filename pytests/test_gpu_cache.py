"""Code for a GPU kept on disk: found again without a compilation, by all that decides it, and never used if damaged."""

import os
import subprocess
import sys

import commands
import numpy as np
import pytest
from fake_cuda import needs_compiler
from limits import HUNG
from support import assert_same_bits
from test_cache import damaged

import mind_mlir as mind
from mind_mlir.cli import mind_run
from mind_mlir.lowering.gpu.artifacts import images
from mind_mlir.lowering.gpu.artifacts.kept_artifact import gpu_code
from mind_mlir.lowering.store import cache
from mind_mlir.lowering.store.cache import CacheWarning

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="compiled code is kept on Linux only")

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[2, 64]>
%1 = Exp (%0) : tensor<f32[2, 64]>
%2 = Sum (%1) {axes = [1], keepdims = true} : tensor<f32[2, 1]>
%3 = Mul (%1, %2) : tensor<f32[2, 64]>
outputs: %3
"""
M = mind.parse(TEXT)
X = np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache, and nothing remarked yet."""
    path = tmp_path / "cache"
    monkeypatch.setenv("MIND_CACHE", str(path))
    monkeypatch.setattr(cache, "_told", set())
    return path


@pytest.fixture
def compiled(monkeypatch):
    """Grows by one with each compilation."""
    made, artifact = [], images.artifact

    def counted(*arguments, **options):
        made.append(options)
        return artifact(*arguments, **options)

    monkeypatch.setattr(images, "artifact", counted)
    return made


def entries(folder):
    return sorted(folder.glob("*.gpu"))


def code(m=M, chip="sm_90", numerics="default", precision="f32"):
    return gpu_code(m, chip, numerics, precision)


PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import hashlib
import mind_mlir as mind
from mind_mlir.lowering.gpu.artifacts.kept_artifact import gpu_code
files = gpu_code(mind.parse({TEXT!r}), "sm_90", "default", "f32")
print(hashlib.sha256(repr(files).encode()).hexdigest(), "mlir" in sys.modules)
"""


def start(folder):
    """A process that makes the code of M or finds it."""
    env = {**os.environ, "MIND_CACHE": str(folder)}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=env, stdout=subprocess.PIPE, text=True)


def finished(process):
    """A digest of the code, and whether MLIR was loaded."""
    out, _ = process.communicate(timeout=HUNG)
    assert process.returncode == 0
    return out.split()


def test_the_second_process_finds_the_same_code_and_loads_no_mlir(folder):
    first, second = finished(start(folder)), finished(start(folder))
    assert (first[1], second[1]) == ("True", "False")
    assert first[0] == second[0]
    assert len(entries(folder)) == 1


def test_processes_that_compile_the_same_at_once_give_the_same_code(folder):
    found = [finished(p) for p in [start(folder) for _ in range(3)]]
    assert len({digest for digest, _ in found}) == 1
    assert commands.files(folder) == {entries(folder)[0].name}


@needs_compiler
def test_what_is_compiled_for_the_gpu_is_found_again(folder, compiled, cuda):
    cuda.files(M, "strict", chips=("sm_90a",))
    compiled.clear()
    for compilations in (1, 1):
        exe = mind.compile(M, target="gpu", numerics="strict")
        assert_same_bits(exe(X)[0], mind.interpret(M, X)[0])
        assert len(compiled) == compilations


@needs_compiler
def test_jit_and_mind_run_find_it_again_as_well(folder, cuda, monkeypatch, capfd, tmp_path):
    def f(x):
        return mind.exp(x) * 2.0

    m = mind.canonicalize(mind.trace(f, X).module)
    cuda.files(m, chips=("sm_90a",))
    cuda.files(M, chips=("sm_90a",))
    (tmp_path / "m.mindir").write_text(TEXT)
    monkeypatch.setattr(sys, "argv", ["mind-run", str(tmp_path / "m.mindir"), "--target=gpu", "--random=0"])
    for _ in range(2):
        mind.jit(f, target="gpu")(X)
        with pytest.raises(SystemExit) as left:
            mind_run.main()
        assert left.value.code == 0, capfd.readouterr().err
        assert len(entries(folder)) == 2
        monkeypatch.setattr(images, "artifact", None)  # from now on nothing is compiled


def test_what_decides_the_code_decides_the_file(folder, compiled, monkeypatch, tmp_path):
    monkeypatch.setenv("MIND_PTXAS", "off")
    code()
    code(chip="sm_80")
    code(numerics="fast")
    code(precision="tf32")
    code(mind.parse(TEXT.replace("Exp", "Relu")))
    assert len(compiled) == len(entries(folder)) == 5
    program = tmp_path / "ptxas"
    monkeypatch.setenv("MIND_PTXAS", str(program))
    for size in (1, 2, 2):  # another one, an update of it, the same
        program.write_text("#!/bin/sh\n" + "echo cubin > ${6}\n" * size)
        program.chmod(0o755)
        os.utime(program, (size, size))
        assert code()["sm_90.cubin"] == b"cubin\n"
    assert len(compiled) == len(entries(folder)) == 7


def test_code_of_a_cpu_and_of_a_gpu_are_apart(folder):
    mind.compile(M)
    code()
    assert len(entries(folder)) == 1
    assert cache.usage(str(folder))[0] == len(list(folder.iterdir()))


def test_a_damaged_file_is_compiled_again_and_replaced(folder, compiled):
    files = code()
    (path,) = entries(folder)
    good = path.read_bytes()
    for what, data in damaged(good):
        path.write_bytes(data)
        compiled.clear()
        assert code() == files, what
        assert (len(compiled), path.read_bytes()) == (1, good), what
    assert code() == files
    assert len(compiled) == 1


def test_a_file_under_another_name_is_not_used(folder):
    code()
    (path,) = entries(folder)
    path.with_name("0" * 64 + ".gpu").write_bytes(path.read_bytes())
    assert cache.load_data(str(folder), "0" * 64) is None
    assert cache.load_data(str(folder), path.stem) is not None


def test_both_kinds_share_the_limit_and_what_was_used_least_recently_goes(folder, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", "64KB")
    keys = [f"{n:064x}" for n in range(12)]
    for n, key in enumerate(keys):
        ending = (cache.CODE, cache.DATA)[n % 2]
        cache.store(str(folder), key, lambda path: cache._append(path, bytes(10_000)), ending)
        os.utime(folder / (key + ending), (n, n))
        if n == 5:
            assert cache.load_data(str(folder), keys[1]) == bytes(10_000)  # used again
    assert sorted(int(p.stem, 16) for p in folder.iterdir()) == [1, 7, 8, 9, 10, 11]
    assert cache.usage(str(folder)) == (6, 6 * (10_000 + cache._DIGEST))


def test_a_folder_that_cannot_be_made_costs_one_remark(folder, compiled):
    folder.write_text("a file")
    with pytest.warns(CacheWarning, match="exists"):
        files = code()
    assert code() == files
    assert len(compiled) == 2


def test_off_keeps_nothing(folder, compiled, monkeypatch):
    monkeypatch.setenv("MIND_CACHE", "off")
    assert code() == code()
    assert len(compiled) == 2
    assert not folder.exists()
