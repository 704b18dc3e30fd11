"""Assembly of modules for CPUs that need not be this machine's, and the loops in it."""

from __future__ import annotations

import re
import subprocess

from mind_mlir import Module
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.lowering.native.compiler import to_llvm
from mind_mlir.lowering.toolchain.installed import tool

TARGETS = {
    "avx512": ("x86_64-unknown-linux-gnu", "znver4"),
    "avx2": ("x86_64-unknown-linux-gnu", "haswell"),
    "sse2": ("x86_64-unknown-linux-gnu", "x86-64"),
    "neon": ("aarch64-unknown-linux-gnu", "neoverse-v1"),
}
"""Kind of CPU -> system and CPU as LLVM calls them."""

FMA = r"vfn?m(add|sub)\d|fml[as]\s"
"""An instruction that multiplies and adds, of x86 or AArch64."""

STACK = r"\(%rsp|\[sp\b"
"""An operand on the stack.  %rbp is a register like others, unless vectors on the stack have to be aligned: then every
use of the stack is one by %rsp too."""


def assembly(m: Module, cpu: str, numerics: str = "default") -> str:
    """Assembly text of a module, made as `mind-translate --to-asm` makes it."""
    triple, mcpu = TARGETS[cpu]
    target = (f"-mtriple={triple}", f"-mcpu={mcpu}")
    text = mlir_text(to_llvm(m, numerics, cpu=cpu)).encode()
    for command in (
        (tool("mlir-translate"), "--mlir-to-llvmir"),
        (tool("opt"), "-O2", *target),
        (tool("llc"), "-O2", *target, "-relocation-model=pic"),
    ):
        text = subprocess.run(command, input=text, capture_output=True, check=True).stdout
    return text.decode()


def functions(text: str) -> dict[str, list[str]]:
    """Name -> labels and instructions, without comments and directives."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        line = re.split(r"\s*(?:#|//)", line)[0].strip()
        if made := re.fullmatch(r"(\w+):", line):
            found[name := made[1]] = []
        elif line and (not line.startswith(".") or line.endswith(":")) and name:
            found[name].append(line)
    return found


def inner_loops(lines: list[str]) -> list[list[str]]:
    """The instructions of every loop with no loop in it."""
    labels = {line[:-1]: n for n, line in enumerate(lines) if line.endswith(":")}
    loops = []
    for n, line in enumerate(lines):
        jumped = re.match(r"(?:j\w+|b(?:\.\w+)?|cbn?z|tbn?z)\s.*?(\.L\w+)$", line)
        if jumped and labels.get(jumped[1], n) < n:
            loops.append((labels[jumped[1]], n))
    inner = [(a, b) for a, b in loops if not any((c, d) != (a, b) and a <= c and d <= b for c, d in loops)]
    return [[line for line in lines[a : b + 1] if not line.endswith(":")] for a, b in inner]


def count(pattern: str, loop: list[str]) -> int:
    """Instructions in which a pattern occurs."""
    return sum(bool(re.search(pattern, line)) for line in loop)
