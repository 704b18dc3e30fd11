"""Times the peers of a case interleaved: every peer is asked for one sample, then every peer for the next."""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np

from .cases import Case

ROOT = Path(__file__).resolve().parents[2]
OURS, CEILING = "mind", "memory"
PATIENCE = 120.0
"""The seconds that a request may take."""


@dataclass(frozen=True)
class Effort:
    """How long a case is measured: the rounds, the seconds of a sample, and those of all samples of a case."""

    rounds: int = 9
    sample: float = 0.015
    budget: float = 1.2
    least: int = 3


QUICK = Effort(rounds=3, sample=0.005, budget=0.4, least=2)
PAUSE = 0.25
"""The seconds to wait after a sample with several threads: those of OpenMP spin for up to 0.2 s, and would
disturb the next peer."""


@dataclass
class Measurement:
    """The seconds of a call by peer and round; a peer that could not be measured has a note instead."""

    case: Case
    times: dict[str, list[float]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    disagree: list[str] = field(default_factory=list)
    """The peers whose results differ from ours."""

    def median(self, peer: str = OURS) -> float:
        """The median of the seconds of a call."""
        return statistics.median(self.times[peer])

    def best(self, peer: str = OURS) -> float:
        """The seconds of a call in the fastest sample."""
        return min(self.times[peer])

    def ratio(self, peer: str) -> float | None:
        """The peer's time over ours, the median of the rounds; above 1 ours is faster. None without both."""
        if peer not in self.times or OURS not in self.times:
            return None
        return statistics.median(theirs / ours for theirs, ours in zip(self.times[peer], self.times[OURS]))

    @property
    def rivals(self) -> list[str]:
        """The peers that were timed."""
        return [p for p in self.times if p not in (OURS, CEILING)]

    @property
    def against_best(self) -> float | None:
        """The ratio to the fastest peer; None without any."""
        ratios = [r for r in map(self.ratio, self.rivals) if r is not None]
        return min(ratios, default=None)


class WorkerError(Exception):
    """A peer's process failed, ended or took too long."""


class Worker:
    """The process of a peer, which is started at once, and again if it is asked after it has ended."""

    def __init__(self, peer: str, threads: int, cpu: str = "native") -> None:
        self.peer, self.threads, self.cpu = peer, threads, cpu
        self.version = ""
        self._start()

    def _start(self) -> None:
        self._link, theirs = Pipe()
        arguments = [self.peer, str(self.threads), self.cpu, str(theirs.fileno())]
        command = [sys.executable, "-m", "benchmarks.cpu.worker", *arguments]
        self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(self.threads, self.cpu),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the parent's
        )
        self._greeted = False
        theirs.close()

    def greet(self) -> None:
        """Wait until the process is ready. ImportError if it lacks the peer's package."""
        if self._process is None:
            self._start()
        if not self._greeted:
            what, text = self._answer()
            if what == "missing":
                self.stop()
                raise ImportError(text)
            self.version, self._greeted = text, True

    def ask(self, what: str, argument: Any) -> Any:
        """The answer to a request. WorkerError, which says why, if there is none."""
        self.greet()
        with contextlib.suppress(OSError):
            self._link.send((what, argument))
        kind, answer = self._answer()
        if kind == "failed":
            raise WorkerError(answer)
        return answer

    def _answer(self) -> tuple[str, Any]:
        assert self._process is not None, "an answer comes from a process"
        try:
            if self._link.poll(PATIENCE):
                return self._link.recv()  # type: ignore[no-any-return]
            why = f"no answer within {PATIENCE:.0f} s"
        except (EOFError, OSError):
            why = f"the process ended with status {self._process.wait()}"
        self.stop()
        raise WorkerError(why)

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._link.close()
            self._process.kill()
            self._process.wait()
            self._process = None


AVX2 = {
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "OPENBLAS_CORETYPE": "Haswell",
}
"""The variables that limit the peers to the instructions of CPUs with AVX2 and without AVX-512."""


def environment(threads: int, cpu: str = "native") -> dict[str, str]:
    """The variables that limit every package to so many threads; they have to be set before packages are imported.

    If a `cpu` is named, which has AVX2, they limit them to its instructions too.
    """
    n = str(threads)
    counts = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC", "MIND_NUM_THREADS")
    xla = "" if threads > 1 else "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    limits = {} if cpu == "native" else AVX2
    if limits:
        xla = f"{xla} --xla_cpu_max_isa=AVX2".strip()
    # without its bytecode, a package that pip has not installed is compiled at every start
    others = ("MIND_TUNING", "PYTHONDONTWRITEBYTECODE", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", *AVX2)
    own = {k: v for k, v in os.environ.items() if k not in others}
    return {
        **own,
        **limits,
        **dict.fromkeys(counts, n),
        "XLA_FLAGS": xla,
        "MIND_CACHE": "off",
        "TF_CPP_MIN_LOG_LEVEL": "2",
    }


def measure(case: Case, workers: Sequence[Worker], effort: Effort) -> Measurement:
    """Prepare the case everywhere, compare the results with ours, then time in rounds.

    `workers` begin with ours. A peer whose results differ is not timed; when ours fails, nobody is.
    """
    m = Measurement(case)
    ready: dict[str, Worker] = {}
    expected: list[np.ndarray] = []
    for worker in workers:
        with _noted(m, worker.peer):
            results = worker.ask("prepare", case)
            if worker.peer == OURS:
                expected = results
            elif results and (why := difference(results, expected, case.problem.tolerance)):
                m.disagree.append(worker.peer)
                raise WorkerError(why)
            if results is not None:
                ready[worker.peer] = worker
        if OURS in m.notes:
            return m
    counts: dict[str, int] = {}
    for peer, worker in ready.items():
        with _noted(m, peer):
            counts[peer] = worker.ask("calls", effort.sample)
            m.times[peer] = []
    rounds = effort.rounds
    while min(map(len, m.times.values()), default=rounds) < rounds:
        taken = 0.0
        for peer in list(m.times):
            start = time.monotonic()
            with _noted(m, peer):
                m.times[peer].append(ready[peer].ask("sample", counts[peer]))
            taken += time.monotonic() - start
            time.sleep(PAUSE if case.threads > 1 else 0)
        rounds = max(effort.least, min(effort.rounds, int(effort.budget / taken)))
    return m


@contextlib.contextmanager
def _noted(m: Measurement, peer: str) -> Iterator[None]:
    """Within this, a peer that fails gets a note instead of times."""
    try:
        yield
    except WorkerError as why:
        m.notes[peer] = str(why)
        m.times.pop(peer, None)


def difference(results: Sequence[np.ndarray], expected: Sequence[np.ndarray], tolerance: float) -> str:
    """How results differ from ours, as text, if |theirs - ours| is above the tolerance times |ours|; else empty.

    |·| is the root mean square over an array.
    """
    shapes, ours = [a.shape for a in results], [a.shape for a in expected]
    if shapes != ours:
        return f"results have the shapes {shapes}, ours {ours}"
    for n, (a, b) in enumerate(zip(results, expected)):
        if a.dtype != b.dtype:
            return f"result {n} is of {a.dtype}, ours of {b.dtype}"
        off, size = (float(np.linalg.norm(x.ravel())) for x in (a - b, b))
        if not off <= tolerance * size:  # a NaN counts as a difference
            return f"result {n} differs from ours by {off / size if size else np.inf:.1e} of its root mean square"
    return ""
