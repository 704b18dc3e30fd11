"""Measures the front end: time per operation, tracing, overhead of calls, large constants.

    python -m benchmarks.frontend            print the table
    python -m benchmarks.frontend --write    and put it into docs/results.md

Times are CPU time of this process, best of three; memory is the peak of a process of its own less its start.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mind_mlir as mind
from mind_mlir.frontend.traces import Trace
from mind_mlir.ir import print_module
from mind_mlir.passes import gradient
from mind_mlir.passes.preflight import peak_memory

from .modules import mixed, three_layers
from .pages import put

ROOT = Path(__file__).resolve().parent.parent
SIZES = (10_000, 100_000)
BARS = {"parse": 15, "verify": 10, "canonicalize": 30, "print": 10, "lower": 120}  # µs per operation
GROWTH = 1.3


def main(words: list[str] | None = None) -> int:
    """Measure and print; `words` are the command's arguments, by default those of the process."""
    parser = argparse.ArgumentParser(description="Measure the front end against its bars: about two minutes.")
    parser.add_argument("--write", action="store_true", help="write the table into docs/results.md")
    arguments = parser.parse_args(words)
    rows = per_operation() + gradients() + tracing() + call_overhead() + large_constant()
    width = max(len(r[0]) for r in rows)
    lines = [f"| {'what':{width}} | measured | bar | met |", f"|{'-' * (width + 2)}|---:|---:|---|"]
    lines += [
        f"| {what:{width}} | {measured} | {bar} | {'yes' if met else 'no'} |" for what, measured, bar, met in rows
    ]
    table = "\n".join(lines)
    print(table)
    if arguments.write:
        write(table)
    return 0


Row = tuple[str, str, str, bool]


def per_operation() -> list[Row]:
    from mind_mlir.lowering.emit.to_linalg import to_linalg

    cost: dict[str, list[float]] = {name: [] for name in BARS}
    for size in SIZES:
        m = mixed(size)
        text = print_module(m)
        steps: dict[str, Callable[[], object]] = {
            "parse": lambda t=text: mind.parse(t),
            "verify": lambda m=m: mind.verify(m),
            "canonicalize": lambda m=m: mind.canonicalize(m),
            "print": lambda m=m: print_module(m),
            "lower": lambda m=m: to_linalg(m),
        }
        for name, step in steps.items():
            cost[name].append(best(step) / len(m) * 1e6)
    rows: list[Row] = []
    for name, bar in BARS.items():
        small, large = cost[name]
        rows.append((f"{name}, µs per operation at {SIZES[1]:,}", f"{large:.2f}", f"{bar}", large <= bar))
        growth = large / small
        rows.append((f"{name}, that over the cost at {SIZES[0]:,}", f"{growth:.2f}", f"{GROWTH}", growth <= GROWTH))
    return rows


def gradients() -> list[Row]:
    cost = []
    for size in SIZES:
        m = mixed(size)
        made = gradient(m)
        cost.append(best(lambda m=m: gradient(m)) / len(made) * 1e6)
    small, large = cost
    m = mind.canonicalize(three_layers())
    wrt = tuple(n for n, o in enumerate(m.inputs) if o.op.name not in ("x", "t"))
    g = gradient(m, wrt=wrt)
    inputs = sum(o.type.nbytes for o in g.inputs)
    allowed = sum(o.type.nbytes for o in m.operations if o.opcode != "Input") + sum(
        g[i].type.nbytes for _, i in g.gradients
    )
    held = peak_memory(g) - inputs
    return [
        (f"gradient, µs per operation of the result at {SIZES[0]:,}", f"{small:.2f}", "60", small <= 60),
        (f"gradient, that at {SIZES[1]:,} over it", f"{large / small:.2f}", f"{GROWTH}", large / small <= GROWTH),
        (
            "gradient of three layers, live bytes over intermediates and gradients",
            f"{held / allowed:.2f}",
            "1",
            held <= allowed,
        ),
    ]


def tracing() -> list[Row]:
    cost: dict[int, float] = {}
    for size in SIZES:

        def step(n: int = size // 7) -> Trace:
            return mind.trace(lambda x, w: layers(x, w, n), mind.f32(4, 4), mind.f32(4, 4))

        cost[size] = best(step) / len(step().traced.module) * 1e6
    growth = cost[SIZES[1]] / cost[SIZES[0]]
    g, x = mind.grad(lambda x: mind.sum(x * x)), np.ones((4, 4), np.float32)
    calls = 20_000

    def loop() -> None:
        for _ in range(calls):
            g(x)

    call = best(loop, repeats=7) / calls * 1e6
    return [
        (f"trace, µs per operation at {SIZES[1]:,}", f"{cost[SIZES[1]]:.2f}", "40", cost[SIZES[1]] <= 40),
        (f"trace, that over the cost at {SIZES[0]:,}", f"{growth:.2f}", f"{GROWTH}", growth <= GROWTH),
        ("a gradient of a [4, 4] argument, called again, µs", f"{call:.2f}", "15", call <= 15),
    ]


def layers(x: Any, w: Any, steps: int) -> Any:
    """Seven operations for each step, as written in Python."""
    for _ in range(steps):
        x = mind.relu(x @ w) + 0.5 * x
        x = mind.sum(x, axis=0) * x.T[0:4]
    return x


def best(step: Callable[[], object], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = step()
        times.append(time.process_time() - start)
        del result
    return min(times)


def call_overhead() -> list[Row]:
    b = mind.Builder()
    x, y, z = (b.Input(n, mind.f32(4, 4)) for n in "xyz")
    exe = mind.compile(b.finish([x * y + z]), threads=1)
    arrays = [np.ones((4, 4), np.float32)] * 3
    calls = 20_000

    def loop() -> None:
        for _ in range(calls):
            exe(*arrays)

    cost = best(loop, repeats=7) / calls * 1e6
    return [("a call with three [4, 4] arguments, µs", f"{cost:.2f}", "3", cost <= 3)]


_CONSTANT = """
import sys
import numpy as np
import mind_mlir as mind
from mind_mlir.ir import text_pieces
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.lowering.emit.to_linalg import to_linalg
path, step = sys.argv[1:]
to_linalg(mind.parse('%0 = ConstF32 {value = 1.0} : tensor<f32[]>\\noutputs: %0'))
def peak():
    # not ru_maxrss, which starts from the parent's peak
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
start = peak()
if step == "make":
    n = 25 * 2**20
    bits = np.random.default_rng(0).integers(0, 2**30, n, dtype=np.uint32).view(np.float32)
    b = mind.Builder()
    m = b.finish([b.constant(bits)])
    with open(path, "w") as f:
        for piece in text_pieces(m):
            f.write(piece)
else:
    m = mind.parse(__import__("pathlib").Path(path))
    if step == "print":
        for piece in text_pieces(m):
            pass
    if step == "lower":
        to_linalg(m)
    print(peak() - start)
"""


def large_constant() -> list[Row]:
    size = 100 * 2**20
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.mindir")
        subprocess.run([sys.executable, "-c", _CONSTANT, path, "make"], check=True)
        with open(path, "rb") as f:
            assert b"base64" in f.read(200), "a large constant is written in base64"
        for step in ("parse", "print", "lower"):
            done = subprocess.run(
                [sys.executable, "-c", _CONSTANT, path, step], check=True, capture_output=True, text=True
            )
            times = int(done.stdout) / size
            what = step if step == "parse" else f"parse and {step}"
            rows.append((f"{what} a constant of 100 MB, memory over its size", f"{times:.2f}", "4", times <= 4))
    return rows


def write(table: str) -> None:
    """Replace the table between the markers of docs/results.md."""
    machine = (
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    put(ROOT / "docs" / "results.md", "frontend", f"{machine}, NumPy {np.__version__}\n\n{table}")


if __name__ == "__main__":
    sys.exit(main())
