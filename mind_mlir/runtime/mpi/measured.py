"""Measures how fast the ranks of a job compute and send, once, and keeps the figures.

`partition` compares shardings of a module by a `Machine`. `jit(..., prefer="time")`, `mind-run --prefer time` and
`python -m mind_mlir.runtime.mpi -n 2 --measure` use that of the ranks themselves instead of an ordinary one.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import time
from collections.abc import Callable
from typing import Any, Literal, get_args

from ...ir import Builder, MindError, Module, f32, np
from ...lowering.store import cache
from ...passes.sharding.machine import ORDINARY, Machine
from ..jit import compile as compile_module
from ..threads import thread_count
from .ranks import Ranks, mpi

Preference = Literal["bytes", "time"]
"""What a partition minimizes: bytes that are sent, or time on the ranks that run it."""

VERSION = 1
"""The version of the way to measure: figures of another version are not used."""

EXTENT = 512
"""The extent of the matrices whose product is timed: enough for the full rate, in a few milliseconds of one core."""

LONG, SHORT = 4 << 20, 8
"""Bytes of the messages: a long one to measure the bandwidth, and a short one to measure the latency."""

ROUNDS = 7
"""How many rounds are timed, of which the quickest counts: others may use the machine too."""


def check_preference(prefer: str) -> None:
    """E7007 unless this is a `Preference`."""
    if prefer not in get_args(Preference):
        message = f"prefer is bytes or time, found {prefer!r}"
        raise MindError.of("E7007", message, help='"time" measures the ranks of the job once, and keeps the figures')


def machine_of(ranks: Ranks, threads: int | None = None) -> Machine:
    """The measured speed of these ranks; the same on all of them, so that they partition alike.

    Rank 0 looks for figures that an earlier job of the same kind kept; where there are none, all ranks measure, which
    takes less than a second, most of it to compile the product.
    """
    return _machine_of(ranks, thread_count(threads))


@functools.lru_cache(64)
def _machine_of(ranks: Ranks, threads: int) -> Machine:
    if ranks.world is None:
        return ORDINARY  # one rank sends nothing
    with ranks.call("the measuring of the ranks", f"measure, {threads}"):
        kept = _kept(ranks.world, threads)
        return measure(ranks.world, threads) if kept is None else Machine(*kept)


def measure(world: Any, threads: int) -> Machine:
    """The machine of a communicator's ranks, measured by all of them and kept."""
    found = _measured(world, threads)
    key = _key(world, threads)
    if world.rank == 0 and (folder := cache.cache_folder()) is not None:
        data = json.dumps([found.products_per_byte, found.bytes_per_operation])
        cache.store_data(folder, key, data.encode(), cache.FIGURES)
    return found


def _measured(world: Any, threads: int) -> Machine:
    """Time all ranks together; each figure is that of the slowest rank."""
    MPI = mpi()
    product = compile_module(_product(), threads=threads)
    factors = [np.ones((EXTENT, EXTENT), np.float32)] * 2
    long, short = (np.zeros(nbytes // 4, np.float32) for nbytes in (LONG, SHORT))
    into = np.empty_like(long)

    def all_reduce(a: Any) -> None:
        world.Allreduce(a, into[: a.size])

    seconds = [
        _seconds(world, lambda: product(*factors), 1),
        _seconds(world, lambda: all_reduce(long), 1),
        _seconds(world, lambda: all_reduce(short), 20),
    ]
    compute, send, begin = (world.allreduce(s, op=MPI.MAX) for s in seconds)
    bandwidth = 2 * LONG * (world.size - 1) / world.size / send  # of a ring
    return Machine(_rounded(EXTENT**3 / compute / bandwidth), _rounded(begin * bandwidth))


def _seconds(world: Any, call: Callable[[], object], calls: int) -> float:
    """Seconds of one call, from the quickest round."""
    best = math.inf
    for _ in range(1 + ROUNDS):  # the first one touches memory
        world.Barrier()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def _rounded(figure: float) -> int:
    """The nearest power of two, at least 1, so that another measurement most often gives the same."""
    return int(1 << max(0, round(math.log2(max(figure, 1.0)))))


def _product() -> Module:
    b = Builder()
    x, w = (b.Input(name, f32(EXTENT, EXTENT)) for name in "xw")
    return b.finish([b.MatMul(x, w)])


# Figures that are kept


def _key(world: Any, threads: int) -> str:
    """A key for what the figures depend on: processors, how ranks share machines, the library of MPI, threads."""
    from ...lowering.llvm.target_machine import host

    node = world.Split_type(mpi().COMM_TYPE_SHARED)
    mine = (str(host()), node.size, threads)
    node.Free()
    text = repr((VERSION, mpi().Get_library_version(), world.allgather(mine)))
    return hashlib.sha256(text.encode()).hexdigest()


def _kept(world: Any, threads: int) -> tuple[int, int] | None:
    """The kept figures that rank 0 finds, on all ranks; None if it finds none."""
    key = _key(world, threads)
    data = None
    if world.rank == 0 and (folder := cache.cache_folder()) is not None:
        data = cache.load_data(folder, key, cache.FIGURES)
    data = world.bcast(data)
    if data is None:
        return None
    products_per_byte, bytes_per_operation = json.loads(data)
    return products_per_byte, bytes_per_operation


def main() -> None:
    """Measure, on every rank of a job, and print the figures on the first one."""
    world = mpi().COMM_WORLD
    found = ORDINARY if world.size == 1 else measure(world, thread_count(None))
    if world.rank == 0:
        options = f"products-per-byte={found.products_per_byte} bytes-per-operation={found.bytes_per_operation}"
        print(f"partition{{{options}}}")


if __name__ == "__main__":
    main()
