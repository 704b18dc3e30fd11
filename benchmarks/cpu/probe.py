"""Measures one cost of a fresh process, in this one: `python -m benchmarks.cpu.probe WHAT PEER CASE` prints a number.

compile   CPU seconds of `mind.compile`
first     CPU seconds from a function to its first result
peak      bytes that the first call takes beside its arguments
live      bytes that our module needs at once beside its arguments
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time

from .cases import Case, case
from .peers import Peer, arguments, load

SMALL = Case("call", "small", "multiply_add", {"n": 3})
"""A case that is compiled and called before, so that imports and start-up do not count."""


def compile_time(peer: Peer, c: Case) -> float:
    """The CPU seconds of `mind.compile` alone."""
    import mind_mlir as mind

    peer.unused(SMALL, arguments(SMALL.problem))()
    module = peer.module(c)  # type: ignore[attr-defined]
    start = time.process_time()
    mind.compile(module, threads=1)
    return time.process_time() - start


def first_call(peer: Peer, c: Case) -> float:
    """The CPU seconds of tracing, compiling and calling."""
    inputs = arguments(c.problem)
    peer.unused(SMALL, arguments(SMALL.problem))()
    start = time.process_time()
    peer.unused(c, inputs)()
    return time.process_time() - start


def live(peer: Peer, c: Case) -> float:
    """The most bytes of results and intermediates that are needed at once, by the order of our module."""
    from mind_mlir.passes.preflight import peak_memory

    m = peer.module(c)  # type: ignore[attr-defined]
    return float(peak_memory(m) - sum(o.type.nbytes for o in m.inputs))


def peak(peer: Peer, c: Case) -> float:
    """The bytes by which the process grows during the first call, without the arguments."""
    inputs = arguments(c.problem)
    peer.unused(SMALL, arguments(SMALL.problem))()
    call = peer.unused(c, inputs)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # else freed memory would be used again without growth
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")  # the peak starts from here
    before = _status("VmRSS")
    result = call()
    grown = float(_status("VmHWM") - before)
    del result
    return grown


def _status(field: str) -> int:
    """A figure in bytes, from what the kernel says of this process."""
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) * 1024 for line in f if line.startswith(field + ":"))


PROBES = {"compile": compile_time, "first": first_call, "peak": peak, "live": live}

if __name__ == "__main__":
    _what, _peer, _name = sys.argv[1:]
    print(PROBES[_what](load(_peer)(1), case(_name)))
