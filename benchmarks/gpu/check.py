"""Verifies and then times all artifacts of a folder on this machine's GPU, within six minutes.

Every artifact has a process of its own and a limit of time, so that if one hangs or crashes, the report says so in its
line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .pack_index import entries

BUDGET = 345.0
"""The seconds for everything."""

LIMIT = 60.0
"""The seconds for one artifact."""

ROOT = Path(__file__).resolve().parent.parent.parent


def run(folder: Path, report: Path) -> int:
    """Check everything, print a table, and write it to `report`, with JSON beside it. 1 if anything is wrong."""
    end = time.monotonic() + BUDGET
    results: list[dict[str, Any]] = []
    try:
        ceilings = _ceilings()
        print(f"ceilings by PyTorch: {ceilings}", flush=True)
        for entry in entries(folder):
            left = end - time.monotonic()
            if left < 5:
                results.append({"name": entry["name"], "ok": None, "why": "no time was left"})
                continue
            answer = _child(["benchmarks.gpu.child", str(folder), entry["name"]], min(LIMIT, left))
            results.append({"name": entry["name"], **answer})
            print(_line(results[-1]), flush=True)
            if answer.get("code") == "E6002":
                print("no artifact can run here", file=sys.stderr)
                return 1
    except KeyboardInterrupt:
        print("ended by Ctrl-C; results until here follow", flush=True)
    text = "\n".join(_table(results, ceilings))
    print(text)
    report.with_suffix(".json").write_text(json.dumps({"ceilings": ceilings, "results": results}, indent=1))
    report.with_suffix(".md").write_text(text + "\n")
    return int(any(r.get("ok") is not True for r in results))


def _child(module: list[str], limit: float) -> dict[str, Any]:
    """Run a Python module in a process; returns the line of JSON that it prints, or why there is none."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    try:
        done = subprocess.run(
            [sys.executable, "-m", *module], capture_output=True, text=True, timeout=limit, cwd=ROOT, env=env
        )
    except subprocess.TimeoutExpired:
        return {"ok": False, "why": f"no answer within {limit:.0f} s"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        said = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return {"ok": False, "why": said[:300]}
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def _ceilings() -> dict[str, Any]:
    program = "import json; from benchmarks.gpu.peers import ceilings; print(json.dumps(ceilings()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT)
    try:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    except (IndexError, ValueError):
        return {"none": (done.stderr.strip().splitlines() or ["PyTorch is not there"])[-1][:200]}


def _line(r: dict[str, Any]) -> str:
    return f"{r['name']}: {json.dumps({k: v for k, v in r.items() if k != 'name'})}"


def _table(results: list[dict[str, Any]], ceilings: dict[str, Any]) -> Iterator[str]:
    copy = ceilings.get("copy GB/s")
    yield "| artifact | result | time | rate | torch / ours | jax / ours |"
    yield "|---|---|---:|---:|---:|---:|"
    for r in results:
        if "us" not in r:
            bits = (
                "same bits" if r.get("same bits") else f"error {r['error']:.1e}" if "error" in r else r.get("why", "")
            )
            yield f"| {r['name']} | {'ok' if r.get('ok') else 'WRONG'}, {bits} | | | | |"
            continue
        rate = ""
        if "tflops" in r:
            rate = f"{r['tflops']:.1f} TFLOP/s"
        elif "gbs" in r:
            rate = f"{r['gbs']:.0f} GB/s" + (f", {r['gbs'] / copy:.0%} of a copy" if copy else "")
        peers = [r["peers"].get(p) for p in ("torch", "jax")]
        ratios = [f"{p / r['us']:.2f}" if isinstance(p, (int, float)) else "" for p in peers]
        yield f"| {r['name']} | ok | {r['us']:.1f} µs | {rate} | {ratios[0]} | {ratios[1]} |"
