"""What ends the process inside MLIR ends as E9003 with a reproducer.  docs/adr/0008-crash-guard-by-fork.md."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.lowering.native import guard, kept_code as compiled
from mind_mlir.lowering.store.library import Library

MODULE = '%0 = Input {name = "x"} : tensor<f32[2]>\noutputs: %0\n'

PROGRAM = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import checkout
from mind_mlir.cli.mind_opt import app
from mind_mlir.passes.registry import Level, register

@register("crash", source=Level.MLIR)
def crash(module):
    "End the process as an assertion in MLIR does."
    os.abort()

app(["m.mindir", "-p", "lower-to-linalg,crash"])
"""


def test_a_crash_is_an_error_with_a_reproducer(tmp_path):
    (tmp_path / "m.mindir").write_text(MODULE)
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    (reproducer,) = tmp_path.glob("mind-reproducer-*.mindir")
    assert done.returncode == 3
    assert done.stdout == ""
    assert f"error[E9003]: MLIR ended the process with {signal.SIGABRT.name}" in done.stderr
    assert reproducer.name in done.stderr
    command, _, text = reproducer.read_text().partition("\n")
    assert command.startswith("// mind-opt %s -p 'core.module(verify")
    assert text == MODULE


# From Python

M = mind.parse(MODULE)


@pytest.fixture
def guarded(monkeypatch, tmp_path):
    monkeypatch.setenv("MIND_GUARD", "on")
    monkeypatch.chdir(tmp_path)


def ends_by(number):
    return lambda *a, **k: os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL])
@pytest.mark.parametrize("call", [lambda: mind.compile(M), lambda: mind.jit(lambda x: x * 97.0)(np.ones(2))])
def test_with_the_guard_a_process_survives_what_ends_it_inside_mlir(guarded, tmp_path, monkeypatch, number, call):
    monkeypatch.setattr(compiled, "native_code", ends_by(number))
    with pytest.raises(mind.MindError, match=f"MLIR ended the process that compiled with {number.name}") as caught:
        call()
    assert caught.value.code == "E9003"
    (reproducer,) = tmp_path.glob("mind-reproducer-*.mindir")
    assert reproducer.name in str(caught.value)
    assert mind.parse(reproducer.read_text()).outputs


def test_with_the_guard_results_and_errors_are_the_same(guarded):
    x = np.float32([1, 2])
    assert mind.compile(M)(x)[0].tolist() == [1, 2]
    with pytest.raises(mind.MindError, match="E7004"):
        mind.compile(M, tuning="missing.json")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="compiled code is kept on Linux only")
def test_with_the_guard_the_child_compiles_and_the_process_loads_what_it_has_kept(guarded, tmp_path, monkeypatch):
    monkeypatch.setenv("MIND_CACHE", str(tmp_path / "cache"))
    assert isinstance(mind.compile(M)._engine, Library)


def test_threads_with_the_guard_do_not_wait_for_each_other(guarded):
    found = []

    def work(n):
        found.append(float(mind.jit(lambda x: x + float(n))(np.float32(1))))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(found) == [1, 2, 3, 4]


@pytest.mark.parametrize(("text", "is_on"), [("", False), ("off", False), ("0", False), ("1", True), ("ON", True)])
def test_the_guard_is_on_or_off(monkeypatch, text, is_on):
    monkeypatch.setenv("MIND_GUARD", text)
    assert guard.is_guarded() is is_on


def test_another_value_of_the_guard_is_an_error(monkeypatch):
    monkeypatch.setenv("MIND_GUARD", "maybe")
    with pytest.raises(mind.MindError, match="MIND_GUARD is on or off") as caught:
        mind.compile(M)
    assert caught.value.code == "E7007"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="how long a child sleeps is known on Linux only")
def test_a_child_that_waits_for_ever_is_ended_and_another_one_tried(monkeypatch, tmp_path):
    monkeypatch.setattr(guard, "STUCK", 0.5)
    tried = tmp_path / "tried"

    def wait_the_first_time():
        if not tried.exists():
            tried.touch()
            threading.Event().wait()
        os.kill(os.getpid(), signal.SIGABRT)

    assert guard.ended_by(wait_the_first_time) == "SIGABRT"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="how long a child sleeps is known on Linux only")
def test_children_that_always_wait_are_given_up(monkeypatch):
    monkeypatch.setattr(guard, "STUCK", 0.2)
    assert guard.ended_by(lambda: threading.Event().wait()) is None
