"""The overhead of a call: executables and functions on [4, 4] arrays, beside numpy.add and JAX.

    python -m benchmarks calls            print the table
    python -m benchmarks calls --write    and put it into docs/results.md

All are called alternately in one process; a figure is the best of the rounds, in CPU time, without the loop around it.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import mind_mlir as mind

from .pages import put

ROOT = Path(__file__).resolve().parent.parent
BASE = "numpy.add(x, y)"
BARS = {  # µs
    "exe(x, y)": 0.15,
    "jit(f)(x, y)": 0.6,
    "jit(f)(ten), a dict of ten arrays": 2.0,
}
"""The aims, in µs, where numpy.add takes 0.38 µs; `exe(x, y)` must be faster than that in any case."""

Call = Callable[[], Any]


def main(write: bool = False, rounds: int = 25, calls: int = 5_000) -> int:
    """Measure and print; with `write`, into docs/results.md too. The exit status."""
    found = measured(cases(), rounds, calls)
    table = report(found)
    print(table)
    if write:
        machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        put(ROOT / "docs" / "results.md", "calls", f"{machine}, NumPy {np.__version__}\n\n{table}")
    return 0


def cases() -> dict[str, Call]:
    """The call as a program writes it -> a function that does it; each has run often enough to be at its fastest."""
    x, y = np.ones((4, 4), np.float32), np.full((4, 4), 2, np.float32)
    out = np.empty((4, 4), np.float32)
    ten = {f"w{n}": np.full((4, 4), n, np.float32) for n in range(10)}
    b = mind.Builder()
    exe = mind.compile(b.finish([b.Input("x", mind.f32(4, 4)) + b.Input("y", mind.f32(4, 4))]), threads=1)

    def f(x: Any, y: Any) -> Any:
        return x + y

    def total(ten: Mapping[str, Any]) -> Any:
        return sum(ten.values())

    def loss(x: Any) -> Any:
        return mind.sum(x * x)

    jit_f, jit_total, grad_loss = mind.jit(f), mind.jit(total), mind.grad(loss)
    jit_grad, hessian, jit_hessian = mind.jit(grad_loss), mind.hessian(loss), mind.jit(mind.hessian(loss))
    made: dict[str, Call] = {
        BASE: lambda: np.add(x, y),
        "exe(x, y)": lambda: exe(x, y),
        "exe(x, y, out=out)": lambda: exe(x, y, out=out),
        "exe(x=x, y=y)": lambda: exe(x=x, y=y),
        "jit(f)(x, y)": lambda: jit_f(x, y),
        "jit(f)(ten), a dict of ten arrays": lambda: jit_total(ten),
        "grad(f)(x)": lambda: grad_loss(x),
        "jit(grad(f))(x)": lambda: jit_grad(x),
        "hessian(f)(x)": lambda: hessian(x),
        "jit(hessian(f))(x)": lambda: jit_hessian(x),
    }
    if importlib.util.find_spec("jax") is not None:
        import jax

        on_jax, total_on_jax = jax.jit(f), jax.jit(total)
        xs, ys, tens = jax.device_put((x, y, ten))
        made["jax.jit(f)(x, y), arrays of JAX"] = lambda: on_jax(xs, ys).block_until_ready()
        made["jax.jit(f)(x, y), arrays of NumPy"] = lambda: on_jax(x, y).block_until_ready()
        made["jax.jit(f)(ten), arrays of JAX"] = lambda: total_on_jax(tens).block_until_ready()
    for call in made.values():
        for _ in range(5):
            call()
    return made


def measured(cases: Mapping[str, Call], rounds: int, calls: int) -> dict[str, float]:
    """The time of one call of each, in µs, less that of a call that does nothing."""
    turns = {"": lambda: None, **cases}
    best = dict.fromkeys(turns, float("inf"))
    for _ in range(rounds):
        for name, call in turns.items():
            start = time.process_time()
            for _ in range(calls):
                call()
            best[name] = min(best[name], (time.process_time() - start) / calls * 1e6)
    nothing = best.pop("")
    return {name: us - nothing for name, us in best.items()}


def report(found: Mapping[str, float]) -> str:
    """The table, as Markdown."""
    width = max(map(len, found))
    lines = [f"| {'call':{width}} |    µs | over {BASE} | bar, µs | met |", f"|{'-' * (width + 2)}|---:|---:|---:|---|"]
    for name, us in found.items():
        bar = BARS.get(name)
        verdict = f"{bar:.2f} | {'yes' if us <= bar else 'no'}" if bar is not None else " | "
        lines.append(f"| {name:{width}} | {us:.3f} | {us / found[BASE]:.2f} | {verdict} |")
    return "\n".join(lines)
