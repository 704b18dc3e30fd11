#!/usr/bin/env python3
"""Write the table of kernels in docs/gpu.md: registers, shared memory and instructions of the cases of benchmarks/gpu.

Needs ptxas. With --check: write nothing, and fail if the table is not what would be written. Without ptxas, or with
another release than the page names, registers are not compared.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

from _checkout import ROOT  # before mind_mlir: it decides where that comes from

from benchmarks.gpu.cases import CASES
from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm, to_ptx
from mind_mlir.lowering.gpu.artifacts.ptxas import Usage, assemble, find_ptxas

PAGE = ROOT / "docs" / "gpu.md"
BEGIN, END = "<!-- written by scripts/gen_gpu_table.py -->\n", "<!-- up to here -->\n"
CHIPS = ("sm_80", "sm_90a")

COUNTED = {
    "16-byte loads": r"ld\.global\S*\.v(?:4\.[bfu]32|2\.[bfu]64)",
    "fma": r"\bfma\.rn",
    "tensor": r"\b(?:mma\.sync|wgmma\.mma_async)",
    "async copies": r"\bcp\.async\.(?:c[ag]|bulk)",
    "barriers": r"\bbar(?:rier)?\.sync",
}
"""Column of the table -> the pattern that it counts in the PTX of a kernel."""


def main() -> int:
    check = "--check" in sys.argv[1:]
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    before, release = page[start:end], ptxas_release()
    named = re.search(r"ptxas (\d+\.\d+)", before)
    registers = release is not None and (not check or (named is not None and named[1] == release))
    if not check and not registers:
        print("no ptxas: pip install nvidia-cuda-nvcc", file=sys.stderr)
        return 1
    after = table(release or "", registers)
    if check:
        same = before == after if registers else without_registers(before) == without_registers(after)
        if not same:
            print("docs/gpu.md out of date: run scripts/gen_gpu_table.py", file=sys.stderr)
        return not same
    PAGE.write_text(page[:start] + after + page[end:], encoding="utf-8")
    return 0


def ptxas_release() -> str | None:
    """The release of ptxas, such as `13.0`; None without it."""
    path = find_ptxas()
    if path is None:
        return None
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"release (\d+\.\d+)", said)
    return found[1] if found else None


def table(release: str, registers: bool) -> str:
    heads = ["module", "kernel", "chip", "registers", "spilled bytes", "shared bytes", *COUNTED]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|---" + "|---:" * (len(heads) - 3) + "|"]
    for case in CASES:
        rows: dict[tuple[str, ...], list[str]] = {}
        for chip in CHIPS:
            for row in kernels(case, chip, registers):
                rows.setdefault(row, []).append(chip)
        for (kernel, *numbers), chips in rows.items():
            lines.append("| " + " | ".join([case.name, f"`{kernel}`", ", ".join(chips), *numbers]) + " |")
    return f"Registers and shared memory as ptxas {release} says them.\n\n" + "\n".join(lines) + "\n"


def kernels(case: object, chip: str, registers: bool) -> Iterator[tuple[str, ...]]:
    """The rows of a case: its kernels in the order of their launches, with their numbers as text."""
    code = to_nvvm(case.module(case.large), chip, "default", case.precision)
    ptx = to_ptx(code)
    usage = assemble(ptx, chip).usage if registers else {}
    parts = {m[1]: m[0] for m in re.finditer(r"\.entry (\w+)\(.*?(?=\.entry |\Z)", ptx, re.DOTALL)}  # braces nest
    for launch in {launch.kernel: launch for launch in code.plan.launches}.values():
        u = usage.get(launch.kernel, Usage())
        counts = [len(re.findall(pattern, parts[launch.kernel])) for pattern in COUNTED.values()]
        numbers = [u.registers, u.spill_stores + u.spill_loads, u.shared + launch.shared, *counts]
        yield (launch.kernel, *[str(n) if n else "–" for n in numbers])


def without_registers(text: str) -> list[tuple[str, ...]]:
    """The rows of a table without the figures of ptxas, one for each chip."""
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in text.splitlines() if "`" in line]
    return sorted(
        (module, kernel, chip, *counts)
        for module, kernel, chips, _, _, _, *counts in rows
        for chip in chips.split(", ")
    )


if __name__ == "__main__":
    sys.exit(main())
