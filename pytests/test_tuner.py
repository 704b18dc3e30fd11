"""The search for records: what is kept when candidates fail, when time is over, and when the process ends."""

import dataclasses
import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import commands
import numpy as np
import pytest
from limits import HUNG
from tuned_kernels import TEXT, M, W, X, Y, entry, kernel_of

import mind_mlir as mind
from mind_mlir.cli._tune_report import Lines, seconds, table
from mind_mlir.lowering.kernels import strategies
from mind_mlir.lowering.store import kernel_store, tuning_file as tuning
from mind_mlir.lowering.tuning import trial
from mind_mlir.lowering.tuning.trial import Bench, Comparison
from mind_mlir.lowering.tuning.tuner import Lost, State, Tuner, Worker

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="tuning needs processes that fork")

# The search


class Notes:
    """A watch that remembers."""

    def __init__(self):
        self.failures, self.done = [], []

    def started(self, states):
        pass

    def measured(self, state):
        pass

    def tried(self, state, trial):
        if trial.failure:
            self.failures.append(trial.failure)

    def finished(self, state):
        self.done.append(state.ended)

    def waiting(self):
        pass


def search(monkeypatch, near, emit=None, budget=60.0, most=20, known=(), gain=1.5, sure=1.4):
    """Search where these records are near any other, and each is faster by `gain`: the state, notes, what is kept."""
    s = strategies.STRATEGIES["contraction"]

    def planted(problem, record, cpu):
        return [dataclasses.replace(record, **changed) for changed in near]

    def emitted(code, problem, record):
        if emit is not None:
            emit(record)
        s.emit(code, problem, record)

    monkeypatch.setitem(strategies.STRATEGIES, "contraction", dataclasses.replace(s, near=planted, emit=emitted))
    monkeypatch.setattr(kernel_store, "_kept", type(kernel_store._kept)())  # or one that another test made is taken
    monkeypatch.setattr(Bench, "_compared", lambda self, code, other, rounds: Comparison(gain, sure, 1e-6))
    kept, notes = [], Notes()
    t = Tuner(M, "default", 1, budget, most, dict(known), lambda key, e: kept.append((key, e)), notes)
    t.run()
    return t.states[0], notes, kept


def test_each_improvement_is_kept_and_leads_on(monkeypatch):
    state, notes, kept = search(monkeypatch, [{"rows": 3}, {"rows": 4}])
    assert [e.record["rows"] for _, e in kept] == [3, 4]
    assert {key for key, _ in kept} == {kernel_of(M).key}
    assert state.record == {**state.kernel.rule, "rows": 4}
    assert (state.trials, notes.done) == (2, ["no better one is near"])
    assert state.gain == pytest.approx(1.5)


def test_what_is_not_faster_by_enough_is_not_kept(monkeypatch):
    for chance in ({"gain": 1.01}, {"sure": 0.99}):
        state, _, kept = search(monkeypatch, [{"rows": 3}, {"rows": 4}], **chance)
        assert (kept, state.trials, state.record) == ([], 2, state.kernel.rule)


def test_a_candidate_that_raises_or_ends_the_process_costs_that_candidate(monkeypatch):
    def emit(record):
        if record.rows == 1:
            raise ZeroDivisionError("planted")
        if record.rows == 2:
            os.kill(os.getpid(), signal.SIGSEGV)

    state, notes, kept = search(monkeypatch, [{"rows": n} for n in (1, 2, 4)], emit)
    assert notes.failures == ["ZeroDivisionError: planted", "the process ended with SIGSEGV"]
    assert (state.trials, [e.record["rows"] for _, e in kept]) == (3, [4])


def test_a_process_that_hangs_is_given_up():
    asleep = []
    with Worker(lambda: lambda: time.sleep(60)) as worker, pytest.raises(Lost, match="no answer within 0 s"):
        worker.ask(0.3, lambda: asleep.append(1))
    assert asleep


def test_a_candidate_that_hangs_costs_that_candidate(monkeypatch):
    ask = Worker.ask

    def impatient(self, limit, waiting, *question):
        hangs = question[:1] == ("trial",) and question[1]["rows"] == 3
        return ask(self, 0.0 if hangs else limit, waiting, *question)

    monkeypatch.setattr(Worker, "ask", impatient)
    state, notes, kept = search(monkeypatch, [{"rows": 3}, {"rows": 4}], lambda r: time.sleep(60 if r.rows == 3 else 0))
    assert notes.failures == ["no answer within 0 s"]
    assert (state.trials, [e.record["rows"] for _, e in kept]) == (2, [4])


def test_a_kernel_that_cannot_be_measured_is_left_out(monkeypatch):
    state, _, kept = search(monkeypatch, [{"rows": 3}], lambda record: os.abort())
    assert (kept, state.trials, state.ended) == ([], 0, "the process ended with SIGABRT")


def test_the_search_ends_with_its_time_and_its_candidates(monkeypatch):
    state, *_ = search(monkeypatch, [{"rows": 3}], budget=0.0)
    assert (state.trials, state.ended) == (0, "no time left")
    state, *_ = search(monkeypatch, [{"rows": 3}, {"rows": 4}], most=1)
    assert (state.trials, state.ended) == (1, "enough candidates")


def test_what_an_earlier_run_has_found_is_measured_first_and_given_up_if_it_is_no_better(monkeypatch):
    kernel = kernel_of(M)
    known = {kernel.key: entry(kernel, rows=7)}
    *_, kept = search(monkeypatch, [], known=known)
    assert [e.record["rows"] for _, e in kept] == [7]
    state, _, kept = search(monkeypatch, [], known=known, gain=1.0)
    assert [e.record for _, e in kept] == [kernel.rule]
    assert state.trials == 1


def test_the_processes_of_a_search_end_with_it(monkeypatch):
    begun, fork = [], os.fork

    def noted():
        if pid := fork():
            begun.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", noted)
    search(monkeypatch, [{"rows": 3}])
    assert begun
    for pid in begun:
        with pytest.raises(ProcessLookupError):  # not even waited for
            os.kill(pid, 0)


# The command

PROGRAM = f"""
import dataclasses, sys
sys.path.insert(0, {commands.HERE!r})
import checkout
from mind_mlir.cli.mind_tune import main
from mind_mlir.lowering.tuning import tuner, trial
better = trial.Comparison(1.5, 1.4, 1e-6)
trial.Bench._compared = lambda self, code, other, rounds: better  # everything is an improvement
main()
"""


def started(tmp_path, candidates=1000):
    """mind-tune on M, for which every candidate is better; returns the process when the file is there."""
    (tmp_path / "m.mindir").write_text(TEXT)
    command = [sys.executable, "-c", PROGRAM, "m.mindir", "-o", "t.json", f"--candidates={candidates}"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "t.json").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


def children_of(pid):
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_killed_search_leaves_a_readable_file_and_no_process(tmp_path):
    process = started(tmp_path)
    workers = children_of(process.pid)
    process.kill()
    process.communicate()
    assert tuning.load(str(tmp_path / "t.json")).entries
    assert np.array_equal(mind.compile(M, tuning=tmp_path / "t.json")(X, W)[0], Y)
    deadline = time.monotonic() + 30
    while not all(map(is_gone, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(map(is_gone, workers))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_search_that_is_told_to_end_shows_what_it_has(number, status, tmp_path):
    process = started(tmp_path)
    process.send_signal(number)
    out, err = process.communicate(timeout=HUNG)
    assert process.returncode == status, err
    assert "Traceback" not in err
    assert re.search(r"^contraction0 .* 1\.50$", out, re.MULTILINE)
    assert "1 record in t.json; use them with" in out
    assert tuning.load(str(tmp_path / "t.json")).entries


def test_a_search_that_ends_by_itself_says_how_to_use_the_file(tmp_path):
    process = started(tmp_path, 2)
    out, err = process.communicate(timeout=HUNG)
    assert process.returncode == 0, err
    assert "mind-run m.mindir --tuning t.json" in out
    assert np.array_equal(mind.compile(M, tuning=tmp_path / "t.json")(X, W)[0], Y)


def test_a_file_that_cannot_be_written_ends_the_search_with_its_table(tmp_path):
    (tmp_path / "m.mindir").write_text(TEXT)
    program = PROGRAM.replace("main()", "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); main()")
    command = [sys.executable, "-c", program, "m.mindir", "-o", "t.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert commands.codes(done) == ["E7005"]
    assert done.returncode == 1
    assert done.stdout.startswith("kernel ")
    assert os.listdir(tmp_path) == ["m.mindir"]


def test_a_module_without_kernels_to_tune_has_an_empty_table(tmp_path):
    (tmp_path / "m.mindir").write_text('%0 = Input {name = "x"} : tensor<f32[2]>\noutputs: %0\n')
    done = commands.run("mind_tune", "m.mindir", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("no kernel of this module can be tuned\n")


def test_on_a_terminal_a_bar_shows_the_time(monkeypatch):
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setenv("TERM", "xterm")
    state = State(kernel_of(M), 2e-6, 1e-6)
    threads = threading.active_count()
    with Lines.for_stream(stream, 10.0) as lines:
        lines.started([state])
        lines.measured(state)
        state.record, state.trials = {**state.record, "rows": 3}, 4
        lines.tried(state, trial.Trial("", 2.0, True, 2e-6, 1e-6))
        lines.waiting()
        assert threading.active_count() == threads, "another thread would be lost in the processes that fork"
        lines.finished(state)
    assert "contraction0: 2.00 times as fast with rows = 3" in stream.getvalue()
    assert "contraction0, candidate 4" in stream.getvalue()
    assert table([state]).splitlines()[1].split()[-5:] == ["2", "µs", "1", "µs", "2.00"]
    assert [seconds(t) for t in (1.5, 2e-3, 3e-7)] == ["1.5 s", "2 ms", "0.3 µs"]
