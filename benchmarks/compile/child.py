"""Measures one compilation in this process: `python -m benchmarks.compile.child first PEER CASE`, `long NAME N`.

It prints JSON: seconds of imports, and of the rest, as wall time and CPU time; the peak of its memory in MB.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any


def first(peer: str, case: str) -> Callable[[], Any]:
    """A function that traces, compiles and calls a case for the first time."""
    from benchmarks.cpu.cases import case as find
    from benchmarks.cpu.peers import arguments, load

    found = find(case)
    inputs = arguments(found.problem)
    made = load(peer)(2)
    return lambda: made.unused(found, inputs)()


def long(name: str, count: str) -> Callable[[], Any]:
    """A function that compiles and calls a module of about so many operations."""
    import numpy as np

    import mind_mlir as mind

    from .modules import LONG

    m = LONG[name](int(count))
    rng = np.random.default_rng(0)
    inputs = [rng.uniform(-0.5, 0.5, o.type.shape).astype(np.float32) for o in m.inputs]
    return lambda: mind.compile(m)(*inputs)


def main(what: str, *words: str) -> None:
    """Measure, and print the figures."""
    start = time.perf_counter(), time.process_time()
    run = {"first": first, "long": long}[what](*words)
    ready = time.perf_counter(), time.process_time()
    run()
    end = time.perf_counter(), time.process_time()
    found = {
        "imports": ready[0] - start[0],
        "wall": end[0] - ready[0],
        "cpu": end[1] - ready[1],
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
