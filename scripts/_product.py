"""Draws one matrix product through every stage, as an SVG: the line of each stage's output that computes it."""

from __future__ import annotations

import re
from html import escape

import mind_mlir.lowering  # noqa: F401  registers its passes
from mind_mlir.ir import parse, print_module
from mind_mlir.passes import Pipeline

PROGRAM = """%0 = Input {name = "x"} : tensor<f32[64, 256]>
%1 = Input {name = "w"} : tensor<f32[256, 512]>
%2 = MatMul (%0, %1) : tensor<f32[64, 512]>
outputs: %2
"""
STAGES = (
    ("", "Core IR: one operation", r"%\d+ = MatMul .*"),
    ("lower-to-linalg", "linalg on tensors: loops that MLIR knows", r"%\d+ = linalg\.matmul .*"),
    ("cpu-fuse,cpu-bufferize", "linalg on memory: the caller's array is the result", r"linalg\.matmul .*"),
    (
        "strided-copies-to-linalg,form-kernels{cpu=avx512}",
        "a kernel: a strategy and its record",
        r"(?<=mind\.strategy = )\{.*?\}",
    ),
    ("expand-kernels{cpu=avx512},cse", "loops and vectors: 16 sums of a tile at a time", r"%\w+ = vector\.fma .*"),
    ("cpu-to-llvm", "the LLVM dialect: LLVM makes one instruction of it", r"%\w+ = llvm\.intr\.fmuladd.*"),
)
"""For each stage, the passes from the one before, its title, and a pattern of the line to show."""
WIDTH, BOX, GAP, MARGIN = 900, 50, 40, 10
GREY, WHITE, CORE, MLIR, CODE = "#747d86", "#ffffff", "#6b3fa0", "#9a4a10", "#8a2f3c"
COLORS = (CORE, MLIR, MLIR, MLIR, MLIR, CODE)


def product() -> str:
    height = 2 * MARGIN + len(STAGES) * BOX + (len(STAGES) - 1) * GAP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif">',
        "<title>One matrix product through every stage</title>",
        f'<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{GREY}"/></marker>',
    ]
    for n, (line, (passes, title, _)) in enumerate(zip(_lines(), STAGES)):
        out += _stage(MARGIN + n * (BOX + GAP), passes, title, line, COLORS[n])
    return "\n".join([*out, "</svg>"]) + "\n"


def _lines() -> list[str]:
    """The line of each stage."""
    lines, done = [], ""
    for passes, title, pattern in STAGES:
        done = ",".join(p for p in (done, passes) if p)
        made = Pipeline.parse(done).run(parse(PROGRAM)) if done else parse(PROGRAM)
        text = str(made) if done else print_module(made)
        found = re.search(pattern, text)
        assert found, f"no line of {title!r} matches {pattern}"
        lines.append(_short(found[0]))
    return lines


def _short(line: str) -> str:
    """A line without the types of operands and of attributes, and with names instead of numbers."""
    line = re.sub(r" : [^()]*(?=\))| : i64| : \(.*\)", "", line)
    words = ("%sum", "%x", "%w", "%before") if "vector" in line else ("%x", "%w", "%out0")
    found = re.findall(r"%\w+" if "vector" in line else r"%arg\d", line)
    names = dict(zip(dict.fromkeys(found), words))
    return re.sub(r"%\w+", lambda m: names.get(m[0], m[0]), line)


def _stage(y: int, passes: str, title: str, line: str, color: str) -> list[str]:
    out = []
    if passes:
        out.append(f'<path d="M40 {y - GAP + 3}V{y - 3}" stroke="{GREY}" stroke-width="2" marker-end="url(#head)"/>')
        out.append(f'<text x="52" y="{y - GAP // 2 + 4}" font-size="12" fill="{GREY}">{escape(passes)}</text>')
    return [
        *out,
        f'<rect x="10" y="{y}" width="{WIDTH - 20}" height="{BOX}" rx="6" fill="{color}"/>',
        f'<text x="22" y="{y + 20}" font-size="14" font-weight="bold" fill="{WHITE}">{escape(title)}</text>',
        f'<text x="22" y="{y + 40}" font-size="11" font-family="monospace" fill="{WHITE}">{escape(line)}</text>',
    ]
