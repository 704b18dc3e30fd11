"""The code of kernels: compiled once for all modules, by several threads, kept in the process and on disk."""

import os
import subprocess
import sys
import threading

import commands
import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.lowering.llvm.objects import WRITTEN, LlvmModule
from mind_mlir.lowering.store import kernel_store

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def scaled(*factors, rows=3):
    """Kernels that differ in a constant alone, one for each factor, apart from each other by a sum."""
    b = mind.Builder()
    x = b.Input("x", mind.f32(rows, 4))
    outputs = [b.Exp(x * b.constant(np.float32(f))) for f in factors]
    return b.finish(outputs)


@pytest.fixture
def compiled(monkeypatch):
    """How many kernels LLVM has compiled; nothing is known before."""
    monkeypatch.setattr(kernel_store, "_kept", type(kernel_store._kept)())
    counted = []
    plain = LlvmModule.object_file

    def counting(self, passes, *more):
        counted.append(passes)
        return plain(self, passes, *more)

    monkeypatch.setattr(LlvmModule, "object_file", counting)
    return lambda: counted.count(WRITTEN)


def test_a_kernel_that_another_module_had_is_not_compiled_again(compiled):
    mind.compile(scaled(0.5, 0.25))
    before = compiled()
    assert before > 0
    results = mind.compile(scaled(0.25, 0.125))(X)
    assert compiled() == before + before // 2
    for f, r in zip((0.25, 0.125), results):
        np.testing.assert_allclose(r, np.exp(X * np.float32(f)), rtol=1e-6)


def test_a_kernel_of_other_numerics_or_extents_is_another_one(compiled):
    mind.compile(scaled(0.5))
    before = compiled()
    mind.compile(scaled(0.5), numerics="strict")
    mind.compile(scaled(0.5, rows=5))
    assert compiled() == 3 * before


def test_memory_that_a_kernel_needs_is_known_when_it_is_found(compiled):
    def rows(n):
        b = mind.Builder()
        x = b.Input("x", mind.f32(64, 300))
        w = b.Input("w", mind.f32(300, 200))
        y = x @ w
        return b.finish([y, *([b.Neg(y)] if n else [])])

    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((64, 300), np.float32), rng.standard_normal((300, 200), np.float32)
    for n in (0, 0, 1):
        np.testing.assert_allclose(mind.compile(rows(n))(x, w)[0], x @ w, rtol=2e-4, atol=2e-4)


PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import numpy as np
import test_kernel_code as t
from mind_mlir.lowering.llvm.objects import WRITTEN, LlvmModule
import mind_mlir as mind
counted, plain = [], LlvmModule.object_file
def counting(self, passes, *more):
    counted.append(passes)
    return plain(self, passes, *more)
LlvmModule.object_file = counting
r = mind.compile(t.scaled(*map(float, sys.argv[1:])))(t.X)
print(counted.count(WRITTEN), [a.tobytes().hex() for a in r])
"""


def process(folder, *factors):
    env = {**os.environ, "MIND_CACHE": str(folder)}
    command = [sys.executable, "-c", PROGRAM, *map(str, factors)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr, done.stderr
    count, results = done.stdout.split(maxsplit=1)
    return int(count), results


def test_a_kernel_is_found_by_a_later_process(tmp_path):
    first, _ = process(tmp_path, 0.5, 0.25)
    assert first > 0
    again, found = process(tmp_path, 0.25, 0.5)
    assert again == 0
    assert found == process(tmp_path / "other", 0.25, 0.5)[1], "the same bits"


def test_a_damaged_kernel_is_compiled_again(tmp_path):
    first, _ = process(tmp_path, 0.5)
    for path in tmp_path.glob("*.kernel"):
        path.write_bytes(path.read_bytes()[:-1])
    for path in tmp_path.glob("*.so"):
        path.unlink()
    assert process(tmp_path, 0.5)[0] == first
    for path in tmp_path.glob("*.so"):
        path.unlink()
    assert process(tmp_path, 0.5)[0] == 0


def test_what_is_kept_is_bounded(monkeypatch, compiled):
    monkeypatch.setattr(kernel_store, "LIMIT", 3000)
    monkeypatch.setattr(kernel_store, "_size", 0)
    for n in range(8):
        mind.compile(scaled(1 / (n + 3)))
    assert 1 <= len(kernel_store._kept) < 8
    assert kernel_store._size <= 3000


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left on device"), RuntimeError("killed")])
def test_a_thread_that_fails_ends_in_a_coded_error_and_the_next_compilation_works(monkeypatch, compiled, error):
    plain = LlvmModule.object_file

    def failing(self, passes, *more):
        if passes == WRITTEN:
            raise error
        return plain(self, passes, *more)

    with monkeypatch.context() as patch:
        patch.setattr(LlvmModule, "object_file", failing)
        with pytest.raises(mind.MindError, match=type(error).__name__) as raised:
            mind.compile(scaled(0.5))
        assert raised.value.code == "E9001"
    np.testing.assert_allclose(mind.compile(scaled(0.5))(X)[0], np.exp(X * 0.5), rtol=1e-6)


def test_an_interruption_comes_through_and_the_next_compilation_works(monkeypatch, compiled):
    def interrupted(self, passes, *more):
        if passes != WRITTEN:
            raise KeyboardInterrupt
        return b""

    with monkeypatch.context() as patch:
        patch.setattr(LlvmModule, "object_file", interrupted)
        patch.setattr(kernel_store, "keep", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            mind.compile(scaled(*[1 / (n + 3) for n in range(20)]))
    np.testing.assert_allclose(mind.compile(scaled(1 / 3))(X)[0], np.exp(X / 3), rtol=1e-6)


def test_threads_that_compile_the_same_at_once_get_the_same(compiled):
    m, found = scaled(0.5, 0.25, 0.125), []

    def compile_and_run():
        found.append([r.tobytes() for r in mind.compile(m)(X)])

    threads = [threading.Thread(target=compile_and_run) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 6
    assert all(f == found[0] for f in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_that_was_forked_has_threads_of_its_own(compiled):
    mind.compile(scaled(0.5))
    pid = os.fork()
    if pid == 0:
        good = False
        try:
            good = bool(np.allclose(mind.compile(scaled(0.75))(X)[0], np.exp(X * 0.75)))
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_work_is_done_at_once_where_the_process_ends():
    program = (
        "import atexit, sys\n"
        f"sys.path.insert(0, {commands.HERE!r})\n"
        "import checkout, numpy as np, mind_mlir as mind, test_kernel_code as t\n"
        "from mind_mlir.lowering.native import workers\n"
        "workers.submitted(int).result()\n"
        "atexit.register(lambda: print(mind.compile(t.scaled(0.0))(t.X)[0].sum()))\n"
    )
    env = {**os.environ, "MIND_CACHE": "off"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "12.0", done.stderr
