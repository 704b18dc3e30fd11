"""Runs an artifact on the GPU of this machine: NumPy and NVIDIA's driver are enough, MLIR is not needed.

    python examples/gpu/run.py FOLDER [FOLDER.npz]

The archive holds arguments by name, and as out0, out1, … the results of the CPU to compare with. They agree up to
rounding, since the GPU adds in another order.
"""

import argparse
import statistics
import sys
import time

import numpy as np

from mind_mlir import MindError, load_artifact


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs an artifact and compares its results with those of the CPU.")
    parser.add_argument("folder")
    parser.add_argument("arrays", nargs="?", help="default: FOLDER.npz")
    options = parser.parse_args()

    with np.load(options.arrays or f"{options.folder.rstrip('/')}.npz") as archive:
        arrays = dict(archive)
    try:
        exe = load_artifact(options.folder)
        given = {name: arrays[name] for name in exe.input_names}
        results = exe(**given)
    except MindError as why:
        print(why, file=sys.stderr)
        return 1
    print(exe)
    worst = 0.0
    for n, found in enumerate(results):
        expected = arrays[f"out{n}"]
        error = float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-30))
        worst = max(worst, error)
        print(f"  out{n:<3} largest difference {error:.1e} of the largest value")
    times = []
    for _ in range(50):
        start = time.perf_counter()
        exe(**given)
        times.append(time.perf_counter() - start)
    print(f"a call with its copies: median {statistics.median(times) * 1e6:.0f} µs")
    return 0 if worst < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
