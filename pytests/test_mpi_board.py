"""The board on which ranks write what they call, and what is read from it: several boards on one file."""

import os

import pytest

pytest.importorskip("fcntl")

from mind_mlir import MindError
from mind_mlir.runtime.mpi.board import RING, Board, length, padded
from mind_mlir.runtime.mpi.checks import Checks, chosen_checks
from mind_mlir.runtime.mpi.numbered_calls import Calls, lost, other_order
from mind_mlir.runtime.mpi.watch import waits


@pytest.fixture
def boards(tmp_path):
    """Those of ranks 4, 5 and 6 of a job, which are on this machine."""
    path = tmp_path / "board"
    path.write_bytes(bytes(length(3)))
    return [Board([4, 5, 6], n, os.open(path, os.O_RDWR)) for n in range(3)]


def calls_on(boards, checks=Checks.CALLS):
    return [Calls(b, None, checks) for b in boards]


def make(calls, text, number=1):
    """One call of one rank, or several."""
    for _ in range(number):
        with calls.call(text, text):
            pass


def test_ranks_that_call_the_same_agree_however_far_apart_they_are(boards):
    a, b, c = calls_on(boards)
    make(a, "f", 3 * RING)
    make(b, "f", 2 * RING)
    make(c, "f", RING - 1)
    make(b, "f", RING)
    assert [board.begun(0) for board in boards] == [3 * RING] * 3


@pytest.mark.parametrize("before", [0, 5])
def test_the_later_of_two_calls_is_refused_before_it_begins(boards, before):
    a, b, _ = calls_on(boards)
    make(a, "f", before)
    make(b, "f", before)
    a.begin(a.call("f of a.py:1", "f"))
    with pytest.raises(MindError, match=r"E8008.*rank 4 calls f of a\.py:1, rank 5 calls g of a\.py:2") as caught:
        b.begin(b.call("g of a.py:2", "g"))
    assert f"call {before + 1} of all" in str(caught.value)


def test_results_of_a_call_that_another_rank_did_not_make_are_refused(boards):
    a, *_ = calls_on(boards)
    a.begin(a.call("f", "f"))
    boards[1].begin(1, 12345, padded("g"))  # as if both had looked at the same moment
    with pytest.raises(MindError, match="E8008"):
        a.end()


def test_another_call_long_ago_is_not_forgotten(boards):
    a, b, _ = calls_on(boards)
    make(a, "f")
    with pytest.raises(MindError, match="E8008"):
        make(b, "g")
    make(a, "f", RING)
    with pytest.raises(MindError, match=r"rank 4 and rank 5 call different functions, or did before: f"):
        make(b, "f", RING)


def test_without_checks_another_call_passes(boards):
    a, b, _ = calls_on(boards, Checks.OFF)
    make(a, "f")
    make(b, "g")
    assert other_order(boards[1], 1) is not None


def test_a_rank_that_has_left_is_missed_by_those_that_call_after_it(boards):
    a, b, _ = calls_on(boards)
    make(a, "f", 2)
    make(b, "f", 2)
    boards[1].leave()
    assert lost(boards[0], 2, ask_the_system=False) is None
    with pytest.raises(MindError, match=r"E8009.*rank 5 has left: its program has ended, and rank 4 waits for it in g"):
        make(a, "g")


def test_one_rank_alone_says_why_all_end(tmp_path):
    """Locks belong to processes, so another one asks."""
    path = tmp_path / "board"
    path.write_bytes(bytes(length(2)))
    first = Board([0, 1], 0, os.open(path, os.O_RDWR))
    assert first.speak()
    assert in_a_child(lambda: Board([0, 1], 1, os.open(path, os.O_RDWR)).speak()) == 0


def in_a_child(what):
    """A number from a function that another process runs; 255 if it fails."""
    if (child := os.fork()) == 0:
        try:
            os._exit(what())
        finally:
            os._exit(255)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_process_that_ends_is_seen_and_one_that_lives_is_not(tmp_path):
    path = tmp_path / "board"
    path.write_bytes(bytes(length(2)))
    mine = Board([0, 1], 0, os.open(path, os.O_RDWR))
    (ready, there), (go, gone) = os.pipe(), os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.close(gone)
            other = Board([0, 1], 1, os.open(path, os.O_RDWR))
            os.write(there, b"+")
            os.read(go, 1)
        finally:
            os._exit(other.begun(1))
    os.close(there)
    os.read(ready, 1)
    before = mine.is_lost(1), mine.is_stopped(1)
    make(Calls(mine, None, Checks.CALLS), "f")
    os.close(gone)
    os.waitpid(child, 0)
    assert before == (False, False)
    assert mine.is_lost(1)
    error = lost(mine, 1, ask_the_system=True)
    assert "rank 1 was lost: its process has ended, and rank 0 waits for it in f" in str(error)


def test_a_line_says_who_waits_for_whom_and_where(boards):
    a, b, c = calls_on(boards)
    make(b, "f of train.py:3")
    for calls in (a, c):
        make(calls, "f of train.py:3")
        calls.begin(calls.call("g of train.py:9", "g"))
    process = os.getpid()
    assert waits(boards[0], 2, 20.0) == (
        "note: ranks 4, 6 wait since 20 s in g of train.py:9, call 2, for rank 5: "
        f"rank 5, process {process}, has ended f of train.py:3, call 1"
    )
    b.begin(b.call("g of train.py:9", "g"))
    assert waits(boards[2], 2, 30.2) == (
        "note: ranks 4, 5, 6 wait since 30 s in g of train.py:9, call 2, and all of this machine are there"
    )


def test_a_text_is_cut_between_characters():
    assert padded("f") == b"f".ljust(128, b"\0")
    long = padded("ü" * 100)
    assert len(long) == 128
    assert long.rstrip(b"\0").decode().endswith("ü…")


def test_what_is_compared_is_chosen_by_the_environment(monkeypatch):
    monkeypatch.delenv("MIND_CHECK_RANKS", raising=False)
    assert chosen_checks() is Checks.CALLS
    monkeypatch.setenv("MIND_CHECK_RANKS", "full")
    assert chosen_checks() is Checks.FULL
    monkeypatch.setenv("MIND_CHECK_RANKS", "yes")
    with pytest.raises(MindError, match=r"E7007.*none of off, calls, full"):
        chosen_checks()
