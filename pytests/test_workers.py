"""Threads that compile: what follows a task, and what becomes of errors."""

import threading

import pytest

import mind_mlir as mind
from mind_mlir.lowering.native.workers import finished, submitted


def test_what_follows_a_task_gets_its_result_whenever_that_is_asked_for():
    go = threading.Event()

    def work():
        go.wait()
        return 20

    first = submitted(work)
    early = [first.then(lambda n, k=k: n + k) for k in range(5)]
    go.set()
    assert [t.result() for t in early] == [20, 21, 22, 23, 24]
    assert first.then(lambda n: n * 2).result() == 40
    assert finished(3).then(lambda n: n + 1).then(lambda n: n + 1).result() == 5


def test_what_follows_a_task_that_fails_fails_like_it():
    def work():
        raise MemoryError

    with pytest.raises(mind.MindError, match="MemoryError") as raised:
        submitted(work).then(lambda n: n).result()
    assert raised.value.code == "E9001"


def test_what_is_not_wanted_any_more_is_not_done():
    go, done = threading.Event(), []

    def work():
        go.wait()

    first = submitted(work)
    first.then(done.append).cancel()
    last = first.then(lambda _: len(done))
    go.set()
    assert last.result() == 0
