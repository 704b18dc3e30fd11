"""Searches for records that are faster than those of the rules: one kernel after another, one change at a time.

All work with MLIR happens in child processes, so that if LLVM crashes or hangs, only that candidate is lost. A child
compiles and measures (trial.py); this process chooses what to try, and keeps what was found.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ...ir import MindError, Module
from ...ir.version import VERSION
from ..store.tuning_file import Entry, Parameters
from ..targets.cpus import host_model

if TYPE_CHECKING:
    from .trial import Kernel, Trial

LIMIT = 20.0
"""The seconds after which a candidate counts as hung; slow kernels have more."""

MOST = 60
"""The default for the number of candidates of one kernel."""

NO_TIME = "no time left"


@dataclass
class State:
    """The state of the search for one kernel: seconds of a call with the rules' record and the best one, and trials.

    `trials` is the number of candidates tried, `failures` says why some could not be used. `ended` is empty while the
    search goes on, and then says why it ended.
    """

    kernel: Kernel
    rule_seconds: float = 0.0
    seconds: float = 0.0
    trials: int = 0
    failures: list[str] = field(default_factory=list)
    ended: str = ""

    def __post_init__(self) -> None:
        self.record = self.kernel.rule

    @property
    def gain(self) -> float:
        """How many times as fast the kernel is as with the rules' record."""
        return self.rule_seconds / self.seconds if self.seconds else 1.0

    @property
    def cost(self) -> float:
        """The seconds that the kernel takes in one call of the module."""
        return self.rule_seconds * self.kernel.calls


class Watch(Protocol):
    """The reports of a search while it runs."""

    def started(self, states: list[State]) -> None:
        """The search begins, for these kernels."""

    def measured(self, state: State) -> None:
        """The rules' record has been timed; or `ended` says why not."""

    def tried(self, state: State, trial: Trial) -> None:
        """One more candidate is done."""

    def finished(self, state: State) -> None:
        """No more candidates of this kernel."""

    def waiting(self) -> None:
        """Some time has passed."""


class Tuner:
    """One search over the kernels of a verified module; `states` has what is known at any time.

    `budget` is the time for all of it, in seconds, and `most` the number of candidates of one kernel. `known` are
    entries of earlier runs to start from. `keep` is called with each improvement.
    """

    def __init__(
        self,
        m: Module,
        numerics: str,
        threads: int,
        budget: float,
        most: int,
        known: Mapping[str, Entry],
        keep: Callable[[str, Entry], None],
        watch: Watch,
    ) -> None:
        self.m, self.numerics, self.threads = m, numerics, threads
        self.most, self.known, self.keep, self.watch = most, known, keep, watch
        self.states: list[State] = []
        self._end = time.monotonic() + budget

    def run(self) -> None:
        """Search until all candidates have been tried, or the time is over.

        Raises MindError as compiling does, E9003 if listing the kernels ends the process, and what `keep` raises.
        """
        from .trial import kernels_of

        listing = Worker(lambda: lambda: kernels_of(self.m, self.numerics, self.threads))
        with listing:
            kernels = listing.ask(60 + LIMIT, self.watch.waiting)
        self.states = [State(k) for k in kernels]
        self.watch.started(self.states)
        for state in self.states:
            self._measure(state)
            self.watch.measured(state)
        waiting = sorted((s for s in self.states if not s.ended), key=lambda s: -s.cost)
        while waiting:
            state, left = waiting[0], sum(s.cost for s in waiting)
            share = (self._end - time.monotonic()) * max(state.cost / left, 0.1)
            self._search(state, time.monotonic() + share)
            self.watch.finished(state)
            del waiting[0]

    def _worker(self, state: State) -> Worker:
        """A child process that knows the best record of a kernel so far."""

        def bench() -> Callable[..., Any]:
            from .trial import Bench

            made = Bench(self.m, self.numerics, self.threads, state.kernel, state.record)
            return lambda name, *arguments: getattr(made, name)(*arguments)

        return Worker(bench)

    def _measure(self, state: State) -> None:
        if time.monotonic() > self._end:
            state.ended = NO_TIME
            return
        try:
            with self._worker(state) as worker:
                state.rule_seconds = state.seconds = worker.ask(LIMIT + 40, self.watch.waiting, "seconds")
        except (Lost, Failed) as why:
            state.ended = str(why)

    def _search(self, state: State, end: float) -> None:
        """Coordinate descent: try what is near the best record, as long as that gives a better one."""
        rule, known = state.kernel.rule, self.known.get(state.kernel.key)
        queue = [] if known is None or known.record == rule else [known.record]
        seen, listed = [rule], False
        worker = self._worker(state)
        try:
            while not state.ended:
                limit = min(LIMIT + 40 * state.rule_seconds, self._end - time.monotonic() + 5)
                if time.monotonic() >= min(end, self._end):
                    state.ended = NO_TIME
                elif state.trials >= self.most:
                    state.ended = "enough candidates"
                elif not queue and listed:
                    state.ended = "no better one is near"
                elif not queue:
                    found = worker.ask(limit, self.watch.waiting, "near", state.record)
                    queue, listed = [r for r in found if r not in seen], True
                else:
                    record = queue.pop(0)
                    seen.append(record)
                    try:
                        trial = worker.ask(limit, self.watch.waiting, "trial", record)
                    except Failed as why:
                        trial = _failure(str(why))
                    except Lost as why:
                        trial = _failure(str(why))
                        worker.close()
                        worker = self._worker(state)
                    if trial.better:
                        queue, listed = [], False
                    self._note(state, record, trial)
        except (Lost, Failed) as why:  # before the first candidate
            state.ended = str(why)
        finally:
            worker.close()

    def _note(self, state: State, record: Parameters, trial: Trial) -> None:
        state.trials += 1
        known = self.known.get(state.kernel.key)
        if trial.failure:
            state.failures.append(trial.failure)
        elif trial.better:
            state.record, state.rule_seconds, state.seconds = record, trial.rule_seconds, trial.seconds
            self.keep(state.kernel.key, entry_of(state))
        elif known is not None and record == known.record:  # the known record is no longer better
            self.keep(state.kernel.key, entry_of(state))
        self.watch.tried(state, trial)


def entry_of(state: State) -> Entry:
    """The entry of a tuning file for a kernel."""
    k = state.kernel
    return Entry(
        kind=k.kind,
        operands=list(k.operands),
        dtype=k.dtype,
        cpu=k.cpu,
        model=host_model(),
        numerics=k.numerics,
        threads=k.threads,
        version=VERSION,
        rule=k.rule,
        record=state.record,
        rule_seconds=state.rule_seconds,
        seconds=state.seconds,
    )


def _failure(why: str) -> Trial:
    from .trial import Trial

    return Trial(failure=why)


class Lost(Exception):
    """A child process ended, or did not answer in time."""


class Failed(Exception):
    """A question to a child process raised an error there."""


class Worker:
    """A child process that answers questions one at a time.

    `prepare` runs there first, and returns the function that is called with each question.
    """

    def __init__(self, prepare: Callable[[], Callable[..., Any]]) -> None:
        from multiprocessing.connection import Pipe

        sys.stdout.flush()
        sys.stderr.flush()
        self._ours, theirs = Pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                self._ours.close()
                _serve(theirs, prepare)
            finally:
                os._exit(0)
        theirs.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, limit: float, waiting: Callable[[], None], *question: Any) -> Any:
        """The answer to a question. Lost if none comes within `limit` seconds, Failed or MindError for an error."""
        end = time.monotonic() + limit
        try:
            self._ours.send(question)
            while not self._ours.poll(0.1):
                waiting()
                if time.monotonic() > end:
                    raise Lost(f"no answer within {limit:.0f} s")
            kind, answer = self._ours.recv()
        except (EOFError, OSError):
            raise Lost(f"the process ended with {self._ending()}") from None
        if kind == "refused":
            raise MindError(answer)
        if kind == "failed":
            raise Failed(answer)
        return answer

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0
        self._ours.close()

    def _ending(self) -> str:
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            return next((s.name for s in signal.Signals if s.value == number), f"signal {number}")
        return f"status {os.WEXITSTATUS(status)}"


def _serve(asked: Any, prepare: Callable[[], Callable[..., Any]]) -> None:
    """Answer questions until the other end is closed.

    Ctrl-C is left to the parent, and the output of a crash is discarded.
    """
    faulthandler.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    answer: Callable[..., Any] | None = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            question = asked.recv()
            try:
                answer = answer or prepare()
                asked.send(("answer", answer(*question)))
            except MindError as why:
                asked.send(("refused", why.diagnostics))
            except Exception as why:
                asked.send(("failed", f"{type(why).__name__}: {why}".splitlines()[0][:200]))
