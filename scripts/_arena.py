"""Draws the arena of a small program over time, as an SVG: which bytes each value has, and during which calls."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import mind_mlir.lowering  # noqa: F401  registers its passes
from mind_mlir.ir import parse
from mind_mlir.passes import Pipeline

PROGRAM = """%0 = Input {name = "x"} : tensor<f32[64, 256]>
%1 = Input {name = "w1"} : tensor<f32[256, 512]>
%2 = Input {name = "w2"} : tensor<f32[512, 128]>
%3 = Input {name = "w3"} : tensor<f32[128, 64]>
%4 = MatMul (%0, %1) : tensor<f32[64, 512]>
%5 = Relu (%4) : tensor<f32[64, 512]>
%6 = MatMul (%5, %2) : tensor<f32[64, 128]>
%7 = Relu (%6) : tensor<f32[64, 128]>
%8 = MatMul (%7, %3) : tensor<f32[64, 64]>
%9 = Mul (%8, %8) : tensor<f32[64, 64]>
%10 = Sum (%9) {axes = [], keepdims = false} : tensor<f32[]>
outputs: %10
"""
PASSES = (
    "gradient{wrt=w1,w2,w3},lower-to-linalg,cpu-fuse,cpu-bufferize,strided-copies-to-linalg,form-kernels{cpu=avx512},"
    "expand-kernels{cpu=avx512},cse,hoist-scratch,plan-arena"
)
LEFT, TOP, COLUMN, HEIGHT, BELOW = 70, 10, 90, 320, 40
GREY, WHITE, VALUE, SCRATCH = "#747d86", "#ffffff", "#6b3fa0", "#9a4a10"


@dataclass(frozen=True)
class View:
    """A part of the arena that is in use from one call to another."""

    offset: int
    shape: tuple[int, ...]
    first: int
    last: int

    @property
    def size(self) -> int:
        """The size in bytes; all elements are f32."""
        return 4 * math.prod(self.shape)


def arena() -> str:
    text = str(Pipeline.parse(PASSES).run(parse(PROGRAM)))
    main = text[text.index("func.func @main") :].partition("\n  }\n")[0]
    total, calls, views = _read(main)
    width, height = LEFT + COLUMN * len(calls) + 10, TOP + HEIGHT + BELOW
    scale = HEIGHT / total
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11" text-anchor="middle">',
        "<title>The arena of the gradient of three layers: offsets of intermediate values, call by call</title>",
    ]
    for kib in range(0, total // 1024 + 1, 64):
        y = TOP + HEIGHT - kib * 1024 * scale
        out.append(f'<path d="M{LEFT} {y:.1f}H{width - 10}" stroke="{GREY}" stroke-opacity="0.4"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{GREY}">{kib} KiB</text>')
    for n, name in enumerate(calls):
        x = LEFT + COLUMN * (n + 0.5)
        out.append(f'<text x="{x:g}" y="{TOP + HEIGHT + 18}" fill="{GREY}">{name}</text>')
    out += [line for v in views for line in _rectangle(v, scale)]
    sizes = f"one arena of {total // 1024} KiB instead of {sum(v.size for v in views) // 1024} KiB in parts"
    out.append(f'<text x="{LEFT}" y="{height - 4}" text-anchor="start" fill="{GREY}">{sizes}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def _read(main: str) -> tuple[int, list[str], list[View]]:
    """The bytes of the arena, the functions that are called, in order, and the parts of the arena that they get."""
    allocated = re.findall(r"memref\.alloc\(\).* : memref<(\d+)xi8>", main)
    assert len(allocated) == 1, "there is one arena"
    calls = re.findall(r"call @(\w+)\((.*)\) : ", main)
    constants = dict(re.findall(r"(%\w+) = arith\.constant (\d+) : index", main))
    views = []
    for name, offset, shape in re.findall(r"(%\w+) = memref\.view %alloc\[(%\w+)\].* to memref<([\dx]+)xf32>", main):
        used = [n for n, (_, operands) in enumerate(calls) if name in operands.split(", ")]
        extents = tuple(int(extent) for extent in shape.split("x"))
        views.append(View(int(constants[offset]), extents, used[0], used[-1]))
    return int(allocated[0]), [name for name, _ in calls], views


def _rectangle(v: View, scale: float) -> list[str]:
    x, width = LEFT + COLUMN * v.first + 2, COLUMN * (v.last - v.first + 1) - 4
    height = v.size * scale
    y = TOP + HEIGHT - v.offset * scale - height
    color = SCRATCH if len(v.shape) == 1 else VALUE
    label = " × ".join(map(str, v.shape))
    return [
        f'<rect x="{x}" y="{y:.1f}" width="{width}" height="{height:.1f}" rx="2" fill="{color}"'
        f' stroke="{GREY}" stroke-width="0.5"/>',
        f'<text x="{x + width / 2:g}" y="{y + height / 2 + 4:.1f}" fill="{WHITE}">{label}</text>',
    ]
