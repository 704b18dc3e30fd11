"""Runs one artifact on the GPU, in this process: compares it with `interpret`, or times it beside a peer.

    python -m benchmarks.gpu.child FOLDER NAME

The answer is one line of JSON on standard output.
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import mind_mlir as mind
from mind_mlir.runtime.gpu.artifact import Artifact, load_artifact

from .pack_index import entry_of
from .peers import APART

ROUNDS = 21

TOLERANCE = {"f32": 1e-5, "f64": 1e-12, "tf32": 2e-3}
"""The largest difference, relative to the largest element of the result, if bits may differ."""


def main() -> int:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    entry = entry_of(folder, name)
    try:
        artifact = load_artifact(folder / name)
        answer = compare(artifact, folder / name, entry) if entry.get("compare") else measure(artifact, entry)
    except mind.MindError as why:
        print(json.dumps({"ok": False, "code": why.code, "why": f"{why.code}: {why.message}"}))
        return 0
    print(json.dumps({"image": artifact.image, "chip": artifact.program.chip, **answer}))
    return 0


def inputs_of(artifact: Artifact, seed: int = 0) -> list[np.ndarray]:
    """Arguments: numbers around 0, and indices in bounds."""
    rng = np.random.default_rng(seed)
    rows = next((t.shape[0] for t in artifact.input_types if t.dtype.is_float and t.shape), 1)
    out = []
    for t in artifact.input_types:
        a = rng.standard_normal(t.shape) / 8 if t.dtype.is_float else rng.integers(0, rows, t.shape)
        out.append(np.ascontiguousarray(a).astype(t.dtype.numpy))
    return out


def compare(artifact: Artifact, folder: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """Compare bits for strict numerics, else the largest difference."""
    module = mind.parse(folder / "module.mindir")
    arrays = inputs_of(artifact)
    expected = mind.interpret(module, *arrays)
    found = artifact(*arrays)
    again = artifact(*arrays)
    worst, same = 0.0, True
    for e, f, g in zip(expected, found, again):
        same &= np.array_equal(e, f, equal_nan=True)
        if not np.array_equal(f, g, equal_nan=True):
            return {"ok": False, "why": "two runs differ"}
        scale = float(np.max(np.abs(e), initial=1e-30))
        worst = max(worst, float(np.max(np.abs(e.astype(np.float64) - f), initial=0.0)) / scale)
    dtype = str(artifact.output_types[0].dtype)
    bound = TOLERANCE["tf32" if entry["precision"] == "tf32" else dtype if dtype in TOLERANCE else "f64"]
    ok = bool(same) if entry["numerics"] == "strict" else worst <= bound
    return {"ok": ok, "same bits": bool(same), "error": worst, "bound": bound}


def measure(artifact: Artifact, entry: dict[str, Any]) -> dict[str, Any]:
    """The median time of a run, by events, with several sets of buffers used alternately; and the peer's."""
    arrays = inputs_of(artifact)
    device = artifact.device
    sizes = [t.nbytes for t in (*artifact.input_types, *artifact.output_types)]
    sets = max(1, min(64, -(-APART // max(sum(sizes), 1))))
    with device.current():
        buffers = [[device.memory(max(n, 16)) for n in sizes] for _ in range(sets)]
        runner = artifact.runner
        for memory in buffers:
            for m, a in zip(memory, arrays):
                runner.stream.upload(m.pointer, a.ctypes.data, a.nbytes)
        runner.stream.wait()
        count = len(artifact.input_types)

        def run(n: int) -> None:
            pointers = [m.pointer for m in buffers[n % sets]]
            runner.run(pointers[:count], pointers[count:])

        ours = median_time(device, runner.stream.handle, run)
    answer: dict[str, Any] = {"ok": True, "us": ours * 1e6, "launches": len(artifact.program.launches)}
    if entry.get("flops"):
        answer["tflops"] = entry["flops"] / ours / 1e12
    if entry.get("bytes"):
        answer["gbs"] = entry["bytes"] / ours / 1e9
    answer["peers"] = peer_times(entry, arrays)
    return answer


def median_time(device: Any, stream: int, run: Callable[[int], None]) -> float:
    """The seconds of one run: the median of rounds, each of as many runs as take a few milliseconds."""
    driver = device.driver
    start, end = (driver.handle("cuEventCreate", 0) for _ in range(2))
    milliseconds = ctypes.c_float()

    def timed(runs: int, first: int) -> float:
        driver.call("cuEventRecord", start, stream)
        for n in range(runs):
            run(first + n)
        driver.call("cuEventRecord", end, stream)
        driver.call("cuEventSynchronize", end)
        driver.call("cuEventElapsedTime", ctypes.byref(milliseconds), start, end)
        return milliseconds.value / 1e3 / runs

    for n in range(70):  # this makes the graphs for all buffers
        run(n)
    once = timed(3, 0)
    runs = max(1, min(200, int(5e-3 / max(once, 1e-7))))
    return float(np.median([timed(runs, k * runs) for k in range(ROUNDS)]))


def peer_times(entry: dict[str, Any], arrays: Sequence[np.ndarray]) -> dict[str, Any]:
    """The time of a run of PyTorch and JAX, in microseconds, if they are installed; else why there is none."""
    from . import peers

    out: dict[str, Any] = {}
    for name, function in (("torch", peers.torch_time), ("jax", peers.jax_time)):
        try:
            seconds = function(entry.get("peer", ""), arrays, entry.get("options", {}))
        except Exception as why:  # a peer may fail in any way on this machine
            out[name] = f"{type(why).__name__}: {why}".splitlines()[0][:200]
            continue
        if seconds is not None:
            out[name] = seconds * 1e6
    return out


def wall_median(run: Callable[[], Any], wait: Callable[[Any], None]) -> float:
    """The seconds of one run by the clock, measured over many runs at a time."""
    wait(run())
    begin = time.perf_counter()
    wait(run())
    runs = max(1, min(200, int(2e-2 / max(time.perf_counter() - begin, 1e-6))))
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(runs):
            last = run()
        wait(last)
        times.append((time.perf_counter() - begin) / runs)
    return float(np.median(times))


if __name__ == "__main__":
    sys.exit(main())
