"""A lower bound: the time that memory takes for the bytes of a case, by the C library's copy and BLAS's dot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from . import Peer, Prepared, empty

if TYPE_CHECKING:
    from ..cases import Case


class Memory(Peer):
    """Copies as many bytes as the case writes, and reads, or fills, the rest."""

    name, package = "memory", "numpy"

    def prepare(self, case: Case, inputs: Sequence[np.ndarray]) -> Prepared:
        """A call that reads and writes the same number of bytes, almost without arithmetic."""
        read, written = case.problem.read // 4, case.problem.written // 4
        source, target = empty((max(read, 1),)), empty((max(written, 1),))
        source[...], target[...] = 1, 0
        copied = min(read, written)
        tasks: list[Callable[[], Any]] = []
        for share in range(self.threads):
            tasks += _moves(*(_part(a, share, self.threads) for a in (source[:copied], target[:copied])))
            tasks += _reads(_part(source[copied:read], share, self.threads))
            tasks += _fills(_part(target[copied:written], share, self.threads))
        if len(tasks) == 1:
            return Prepared(tasks[0], lambda _: [])
        if self.threads == 1:
            return Prepared(lambda: [task() for task in tasks], lambda _: [])
        pool = ThreadPoolExecutor(self.threads)
        return Prepared(lambda: list(pool.map(lambda task: task(), tasks)), lambda _: [])


def _part(a: np.ndarray, share: int, shares: int) -> np.ndarray:
    return a[len(a) * share // shares : len(a) * (share + 1) // shares]


def _moves(source: np.ndarray, target: np.ndarray) -> list[Callable[[], Any]]:
    return [lambda: np.copyto(target, source)] if len(source) else []


def _reads(source: np.ndarray) -> list[Callable[[], Any]]:
    return [lambda: np.dot(source, source)] if len(source) else []


def _fills(target: np.ndarray) -> list[Callable[[], Any]]:
    return [lambda: target.fill(1)] if len(target) else []
