"""A forked process waits for no thread that it does not have, and threads wait for nothing but what they both need."""

import ast
import os
import subprocess
import sys
import threading
from pathlib import Path

import commands
import pytest
from limits import HUNG

import mind_mlir as mind
from mind_mlir.frontend.memo import Memo, remember
from mind_mlir.gate import GATE
from mind_mlir.ir.forks import ForkLock
from mind_mlir.ir.kept import kept_property

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

PACKAGE = Path(mind.__file__).parent


def ran(program):
    """What a program prints, in a process of its own."""
    start = f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout\n"
    command = [sys.executable, "-W", "ignore", "-c", start + program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def in_child(action):
    """The exit status of a forked child that does this; 99 where it raises."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = action()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


BUSY = """
import os, threading, time
import numpy as np, mind_mlir as mind
def busy(target, first):
    k = first
    while True:
        k += 2
        mind.jit(lambda x: x * float(k), target=target)(np.ones(2, np.float32))
started = threading.Event()
"""

FORKS = """
def child(target, n):
    assert mind.jit(lambda x: x + 1.0, target=target)(np.float32(n)) == n + 1
    os._exit(0)
found = []
for n in range(COUNT):
    time.sleep(DELAY)
    pid = os.fork()
    if pid == 0:
        child(TARGET, n)
    found.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
print(*found, flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_a_child_forked_while_another_thread_compiles_does_not_hang(target):
    threads = "".join(
        f"threading.Thread(target=busy, args=('{t}', {n}), daemon=True).start()\n"
        for n, t in enumerate(("cpu", "cpu", "interpret"))
    )
    program = BUSY + threads + FORKS.replace("COUNT", "6").replace("DELAY", "0.1").replace("TARGET", repr(target))
    assert ran(program) == ["0"] * 6


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1, 0.3])
def test_a_child_forked_while_another_thread_imports_mlir_does_not_hang(delay):
    thread = "threading.Thread(target=busy, args=('cpu', 0), daemon=True).start()\n"
    program = BUSY + thread + FORKS.replace("COUNT", "1").replace("DELAY", str(delay)).replace("TARGET", "'cpu'")
    assert ran(program) == ["0"]


def test_a_child_forked_while_another_thread_imports_numpy_does_not_hang():
    program = """
import os, threading, mind_mlir as mind
thread = threading.Thread(target=lambda: mind.f32(2).dtype.numpy, daemon=True)
thread.start()
pid = os.fork()
if pid == 0:
    mind.f32(2).dtype.numpy
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert ran(program) == ["0"]


def test_a_pool_of_forked_processes_works_beside_threads_that_compile():
    program = (
        BUSY
        + """
import multiprocessing
def work(n): return float(mind.grad(lambda x: x * x * n)(np.float32(1)))
threading.Thread(target=busy, args=('cpu', 0), daemon=True).start()
time.sleep(0.5)
with multiprocessing.get_context("fork").Pool(3) as pool:
    print(*pool.map(work, range(6)), flush=True)
os._exit(0)
"""
    )
    assert ran(program) == ["0.0", "2.0", "4.0", "6.0", "8.0", "10.0"]


# The parts


def held_by_another_thread(enter):
    """Let a thread enter and stay within; returns what lets it go."""
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with enter:
            inside.set()
            leave.wait()

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    inside.wait()
    return leave.set, thread.join


def test_a_lock_that_another_thread_holds_is_free_in_a_child():
    lock = ForkLock()
    go, join = held_by_another_thread(lock)

    def enter():
        with lock, lock:
            return 7

    assert in_child(enter) == 7
    go()
    join()
    assert in_child(enter) == 7


def test_a_lock_that_the_forking_thread_holds_stays_its_own():
    lock = ForkLock()

    def leave():
        lock.__exit__()
        return 7

    with lock:
        assert in_child(leave) == 7


def test_a_fork_waits_for_a_thread_that_compiles():
    go, join = held_by_another_thread(GATE)
    order = []
    timer = threading.Timer(0.3, lambda: (order.append("left"), go()))
    timer.start()
    child = os.fork()
    if child == 0:
        with GATE:
            os._exit(7)
    order.append("forked")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    join()
    assert order == ["left", "forked"]


def test_a_thread_that_compiles_may_fork_itself():
    def compile_again():
        with GATE:
            return 7

    with GATE, GATE:
        assert in_child(compile_again) == 7
    assert in_child(compile_again) == 7


def test_a_fork_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr("mind_mlir.gate.LONGEST", 0.1)
    go, join = held_by_another_thread(GATE)
    assert in_child(lambda: 7) == 7
    go()
    join()


def test_a_property_that_another_thread_computes_is_computed_again_in_a_child():
    inside, leave = threading.Event(), threading.Event()
    main = threading.get_ident()

    class Thing:
        @kept_property
        def it(self):
            if threading.get_ident() != main:
                inside.set()
                leave.wait()
            return 7

    thing = Thing()
    thread = threading.Thread(target=lambda: thing.it, daemon=True)
    thread.start()
    inside.wait()
    assert in_child(lambda: thing.it) == 7
    assert Thing().it == 7  # nor do other objects wait
    leave.set()
    thread.join()


def test_different_things_are_made_at_once_and_the_same_thing_once():
    memo, made = Memo(10), []
    both = threading.Barrier(2)

    def make(n):
        both.wait()  # each within its making
        made.append(n)
        return n

    threads = [threading.Thread(target=lambda n=n: memo.get(n % 2, lambda: make(n % 2))) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(made) == [0, 1]


def test_what_fails_is_tried_by_the_next_thread_that_waits():
    memo, tried = Memo(10), []
    first, go = threading.Event(), threading.Event()

    def fail():
        first.set()
        go.wait()
        raise ValueError("no")

    def failing():
        try:
            memo.get("k", fail)
        except ValueError as why:
            tried.append(str(why))

    threads = [threading.Thread(target=failing)]
    threads[0].start()
    first.wait()
    threads.append(threading.Thread(target=lambda: tried.append(memo.get("k", lambda: "yes"))))
    threads[1].start()
    go.set()
    for t in threads:
        t.join()
    assert sorted(tried) == ["no", "yes"]


def test_a_child_makes_what_another_thread_was_making():
    memo = Memo(10)
    inside, leave = threading.Event(), threading.Event()

    def slow():
        inside.set()
        leave.wait()
        return 1

    thread = threading.Thread(target=lambda: memo.get("k", slow), daemon=True)
    thread.start()
    inside.wait()
    assert in_child(lambda: memo.get("k", lambda: 7)) == 7
    leave.set()
    thread.join()
    assert memo.get("k", lambda: 7) == 1


def test_what_is_within_the_making_of_itself_does_not_wait_for_it():
    memo = Memo(10)
    assert memo.get("k", lambda: memo.get("k", lambda: 7)) == 7


def test_what_weighs_most_goes_by_its_age():
    memo = Memo(10, weigh=float)
    for n in (4, 5, 4, 3):  # 4 is used again, so 5 goes
        memo.get(n, lambda n=n: n)
    assert (len(memo), memo.weight) == (2, 7)
    memo.get(100, lambda: 100)
    assert (len(memo), memo.weight) == (1, 100)  # the last one stays, whatever it weighs


def test_a_dict_that_is_bounded_forgets_the_oldest():
    known = {}
    for n in (1, 2, 1, 3):
        assert remember(known, n, str(n), 2) == str(n)
    assert known == {2: "2", 3: "3"} or known == {1: "1", 3: "3"}
    assert remember(known, 3, "other", 3) == "3"


def test_no_lock_of_the_package_is_one_that_stays_locked_in_a_child():
    """Allowed: one that each thread makes for itself, functions of MPI, and what a child does not touch, or ends by."""
    allowed = {
        ("frontend/memo.py", "Event"),
        ("lowering/native/workers.py", "Event"),
        ("cli/_mpi_run.py", "Barrier"),
        ("runtime/mpi/board.py", "Barrier"),
        ("runtime/mpi/measured.py", "Barrier"),
        ("runtime/mpi/ending.py", "Lock"),
        ("runtime/mpi/watch.py", "Event"),
    }
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
            if name in ("Lock", "RLock", "Condition", "Semaphore", "Event", "Barrier", "cached_property"):
                found.add((path.relative_to(PACKAGE).as_posix(), name))
    assert found - {("ir/forks.py", "RLock"), ("ir/kept.py", "cached_property")} <= allowed
