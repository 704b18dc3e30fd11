"""Measures start-up: CPU time of fresh processes, less that of a bare Python, with bytecode present.

Each round starts every kind of process once; for each kind the least of all rounds counts, which other load on the
machine disturbs least.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .pages import put

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "examples" / "matmul.mindir"
ROUNDS = 30

OPT = "from mind_mlir.cli.mind_opt import main; main()"
"""The program of mind-opt's script."""

MORE = f"import mind_mlir.ops; mind_mlir.ops.__path__.append(sys.argv.pop(1)); {OPT}"
"""The same, with the operations of one more folder."""

CORE = (str(MODULE), "--verify", "--canonicalize")

FEW, MANY = 40, 200
"""Two numbers of generated operations, whose costs are compared."""

BARS = {"import mind_mlir": 40, "mind-opt --help": 55, "a Core-only run": 75}
"""The most milliseconds beyond a bare start."""

GROWTH = 1.05

OPERATION = '''
from mind_mlir.ir import Linearity, np, op
from mind_mlir.ops._elementwise import Unary


@op
class Made{n}(Unary):
    """Neg under another name."""

    linearity = Linearity.JOINT
    core_v1 = False

    def evaluate(self, input):
        return np.negative(input)

    def adjoint(self, b, ct, operands, wrt):
        return -ct

    def lower(self, e, result, input):
        return e.linalg.map(lambda s, x: s.neg(x), (input,), result)
'''


def main(write: bool = False) -> int:
    """Measure and print; with `write`, into docs/results.md too. 0 if every bar is met."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = (_operations(Path(folder, str(n)), n) for n in (FEW, MANY))
        least = _least(
            {
                "bare": ("pass",),
                "import mind_mlir": ("import mind_mlir",),
                "mind-opt --help": (OPT, "--help"),
                "a Core-only run": (OPT, *CORE),
                "few": (MORE, few, *CORE),
                "many": (MORE, many, *CORE),
            }
        )
    over = {what: ms - least["bare"] for what, ms in least.items()}
    growth = over["many"] / over["few"]
    rows = [(f"{what}, ms", f"{over[what]:.0f}", str(bar), over[what] <= bar) for what, bar in BARS.items()]
    rows.append(
        (f"a Core-only run, {MANY} operations more over {FEW} more", f"{growth:.2f}", str(GROWTH), growth <= GROWTH)
    )
    width = max(len(what) for what, *_ in rows)
    lines = [f"| {'what':{width}} | measured | bar | met |", f"|{'-' * (width + 2)}|---:|---:|---|"]
    lines += [f"| {what:{width}} | {found} | {bar} | {'yes' if met else 'no'} |" for what, found, bar, met in rows]
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    text = f"{machine}, Python {platform.python_version()}; a bare start takes {least['bare']:.0f} ms\n\n" + "\n".join(
        lines
    )
    print(text)
    if write:
        put(ROOT / "docs" / "results.md", "start", text)
    return 0 if all(met for *_, met in rows) else 1


def _operations(folder: Path, count: int) -> str:
    folder.mkdir()
    for n in range(count):
        Path(folder, f"made{n}.py").write_text(OPERATION.format(n=n), encoding="utf-8")
    return str(folder)


def _least(kinds: dict[str, Sequence[str]]) -> dict[str, float]:
    """The least CPU milliseconds of many starts of each kind; the first round writes bytecode."""
    found: dict[str, list[float]] = {what: [] for what in kinds}
    for _ in range(ROUNDS + 1):
        for what, words in kinds.items():
            found[what].append(_cpu(words) * 1e3)
    return {what: min(times[1:]) for what, times in found.items()}


def _cpu(words: Sequence[str]) -> float:
    program, *arguments = words
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "COLUMNS")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", f"import sys; {program}", *arguments]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
