#!/usr/bin/env python3
"""Write docs/records.md: what the rules of the CPU choose for 200 shapes of real models, on four kinds of CPU.

A changed rule is then a diff that can be read. No code is generated: pipelines run up to form-kernels.
With --check: write nothing, and fail if the file is not what would be written.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

import mind_mlir.lowering  # noqa: F401  registers its passes
from mind_mlir import Builder, TensorType, f32, f64, i32
from mind_mlir.ir import Value
from mind_mlir.lowering.pipelines.parameters import with_options
from mind_mlir.passes import Pipeline

PAGE = Path(__file__).resolve().parent.parent / "docs" / "records.md"
CPUS = ("avx512", "avx2", "sse2", "neon")
PIPELINE = "lower-to-linalg,cpu-fuse,cpu-bufferize,strided-copies-to-linalg,form-kernels"

HEAD = """<!-- written by scripts/gen_records.py; do not edit -->
# Records

Which strategy and which numbers the rules for CPUs choose, for shapes of real models: {count} operations on {cpus}
kinds of CPU. A record is what a kernel's function carries as `mind.strategy` after the pass `form-kernels`;
[kernels.md](kernels.md) and the files of the strategies say what its numbers mean. The table is here so that whoever
changes a rule sees, as a diff of this page, for which shapes it chooses something else. `scripts/gen_records.py` writes
it, and the tests compare it.

`–` is an operation that no strategy takes: MLIR makes loops of it.
"""


@dataclass(frozen=True)
class Case:
    """An operation on inputs of these types; `text` is its name in the table."""

    text: str
    types: tuple[TensorType, ...]
    make: Callable[..., Value]


def product(lhs: Sequence[int], rhs: Sequence[int], dtype: Callable[..., TensorType] = f32) -> Case:
    """The product `lhs @ rhs`."""
    types = dtype(*lhs), dtype(*rhs)
    return Case(f"{_shape(lhs)} @ {_shape(rhs)}{_of(dtype)}", types, lambda b, x, w: b.MatMul(x, w))


def transposed(lhs: Sequence[int], rhs: Sequence[int], which: str) -> Case:
    """A product with one operand transposed, as in derivatives."""
    swap = (1, 0)
    if which == "left":
        return Case(
            f"{_shape(lhs)}ᵀ @ {_shape(rhs)}", (f32(*lhs), f32(*rhs)), lambda b, x, w: b.MatMul(b.Transpose(x, swap), w)
        )
    return Case(
        f"{_shape(lhs)} @ {_shape(rhs)}ᵀ", (f32(*lhs), f32(*rhs)), lambda b, x, w: b.MatMul(x, b.Transpose(w, swap))
    )


def convolution(image: Sequence[int], window: int, channels: int, stride: int = 1) -> Case:
    """A "Same" convolution of images NHWC with square windows."""
    filters = (window, window, image[-1], channels)

    def make(b: Builder, x: Value, w: Value) -> Value:
        return b.Conv2d(x, w, strides=(stride, stride), padding="Same")

    text = f"{_shape(image)} * {_shape(filters)}" + (f", stride {stride}" if stride > 1 else "")
    return Case(text, (f32(*image), f32(*filters)), make)


def total(shape: Sequence[int], axes: Sequence[int], dtype: Callable[..., TensorType] = f32) -> Case:
    """A sum over axes."""
    text = f"sum of {_shape(shape)}{_of(dtype)} over {', '.join(map(str, axes)) or 'all'}"
    return Case(text, (dtype(*shape),), lambda b, x: b.Sum(x, axes=tuple(axes), keepdims=False))


def each(name: str, shape: Sequence[int], dtype: Callable[..., TensorType] = f32) -> Case:
    """An element-wise function of one operand, or of two equal ones."""
    binary = name in ("Add", "Mul", "Div")
    types = (dtype(*shape),) * (2 if binary else 1)
    return Case(f"{name} of {_shape(shape)}{_of(dtype)}", types, lambda b, *x: getattr(b, name)(*x))


def moved(shape: Sequence[int], permutation: Sequence[int], dtype: Callable[..., TensorType] = f32) -> Case:
    """A transpose."""
    text = f"{_shape(shape)}{_of(dtype)} to axes {', '.join(map(str, permutation))}"
    return Case(text, (dtype(*shape),), lambda b, x: b.Transpose(x, tuple(permutation)))


def _shape(extents: Sequence[int]) -> str:
    return "[" + ", ".join(map(str, extents)) + "]"


def _of(dtype: Callable[..., TensorType]) -> str:
    return "" if dtype is f32 else f" of {dtype().dtype}"


def _network(batches: Sequence[int], *widths: int) -> Iterator[Case]:
    """The products of a fully connected network, and of its gradients for weights and inputs."""
    for batch in batches:
        for m, n in itertools.pairwise(widths):
            yield product((batch, m), (m, n))
            yield transposed((batch, m), (batch, n), "left")
            yield transposed((batch, n), (m, n), "right")


def _transformer(rows: int, heads: int, length: int, width: int, hidden: int) -> Iterator[Case]:
    """The products of a transformer's block, with attention as batches of heads."""
    yield product((rows, width), (width, 3 * width))
    yield product((rows, width), (width, width))
    yield product((rows, width), (width, hidden))
    yield product((rows, hidden), (hidden, width))
    yield product((heads, length, width // heads), (heads, width // heads, length))
    yield product((heads, length, length), (heads, length, width // heads))


def _residual_network(batch: int) -> Iterator[Case]:
    """The different convolutions of ResNet-50."""
    yield convolution((batch, 224, 224, 3), 7, 64, 2)
    channels, extent = 64, 56
    for stage in range(4):
        width = 64 << stage
        yield convolution((batch, extent, extent, channels), 1, width)
        yield convolution((batch, extent, extent, width), 3, width)
        yield convolution((batch, extent, extent, width), 1, 4 * width)
        yield convolution((batch, extent, extent, 4 * width), 1, width)
        if stage < 3:
            yield convolution((batch, extent, extent, 2 * width), 3, 2 * width, 2)
            yield convolution((batch, extent, extent, 4 * width), 1, 8 * width, 2)
        channels, extent = 4 * width, extent // 2


FAMILIES: dict[str, list[Case]] = {
    "Products": [
        *_network((1, 32, 128), 784, 512, 256, 10),
        *_network((2048,), 13, 512, 256, 64),
        *_transformer(128, 12, 128, 768, 3072),
        *_network((256,), 1024, 4096, 1000),
        *_transformer(512, 8, 512, 512, 2048),
        *_transformer(4096, 16, 1024, 1024, 4096),
        *_transformer(1, 32, 2048, 4096, 11008),
        product((512, 768), (768, 30522)),
        product((1, 2048), (2048, 1000)),
        product((64, 2048), (2048, 1000)),
        *[product((n, n), (n, n)) for n in (4, 16, 64, 256, 1024, 2048)],
        *[product((n, n), (n, n), f64) for n in (64, 512)],
        product((100, 300), (300, 200), i32),
        product((2708, 1433), (1433, 16)),
        product((31, 17), (17, 7)),
        product((1, 1), (1, 1)),
        product((5, 1), (1, 7)),
        product((1000, 2), (2, 1000)),
    ],
    "Convolutions": [
        *_residual_network(1),
        *_residual_network(8),
        *[convolution((1, n, n, c), 3, 2 * c) for n, c in ((224, 32), (112, 64), (56, 128), (28, 256))],
        convolution((32, 28, 28, 1), 5, 32),
        convolution((32, 14, 14, 32), 5, 64),
        convolution((128, 8, 8, 1), 3, 24),
        convolution((128, 4, 4, 24), 3, 48),
        convolution((1, 299, 299, 3), 3, 32, 2),
        convolution((1, 17, 17, 1024), 1, 384),
    ],
    "Sums": [
        *[total((rows, 768), (1,)) for rows in (1, 128, 512, 4096)],
        *[total((12, n, n), (2,)) for n in (64, 512)],
        *[
            total((batch, extent, extent, c), (0, 1, 2))
            for batch, extent, c in ((1, 56, 64), (8, 56, 64), (8, 7, 2048))
        ],
        *[total((8, 7, 7, c), (1, 2)) for c in (512, 2048)],
        *[total((n, n), axes) for n in (256, 4096) for axes in ((), (0,), (1,))],
        *[total((n,), ()) for n in (10, 1000, 1 << 20)],
        *[total((32, n, 256), (1,)) for n in (16, 256)],
        total((1024, 1024), (1,), f64),
        total((1024, 1024), (0,), f64),
        total((1000, 10), (1,)),
        total((100, 300), (0,), i32),
        total((7, 5, 3), (0, 2)),
    ],
    "Element-wise": [
        *[each(name, (n,)) for name in ("Relu", "Exp", "Log", "Add") for n in (10, 1 << 16, 1 << 24)],
        each("Exp", (512, 3072)),
        each("Mul", (8, 56, 56, 64)),
        each("Div", (12, 512, 512)),
        each("Exp", (1 << 16,), f64),
        each("Add", (1 << 16,), f64),
        each("Add", (1 << 16,), i32),
        each("Relu", (3, 5, 7)),
        each("Neg", (50257,)),
    ],
    "Transposes": [
        *[moved((n, n), (1, 0)) for n in (16, 100, 512, 1024, 4096)],
        moved((8, 512, 12, 64), (0, 2, 1, 3)),
        moved((12, 512, 64), (0, 2, 1)),
        moved((8, 56, 56, 64), (0, 3, 1, 2)),
        moved((8, 64, 56, 56), (0, 2, 3, 1)),
        moved((3, 224, 224), (1, 2, 0)),
        moved((1024, 1024), (1, 0), f64),
        moved((768, 3072), (1, 0)),
        moved((50257, 768), (1, 0)),
        moved((32, 128, 16, 64), (0, 2, 3, 1)),
        moved((5, 4, 3, 2), (3, 2, 1, 0)),
    ],
}


def records(cases: Sequence[Case], cpu: str) -> list[str]:
    """The record chosen for each case, from one module of all of them."""
    b = Builder()
    inputs = [[b.Input(f"x{n}_{i}", t) for i, t in enumerate(c.types)] for n, c in enumerate(cases)]
    m = b.finish([c.make(b, *x) for c, x in zip(cases, inputs)])
    text = str(with_options(Pipeline.parse(PIPELINE), cpu=cpu).run(m))
    strategies = dict(re.findall(r"func\.func private @(\w+)\(.*mind\.strategy = \{([^{}]*)\}", text))
    found: list[str] = []
    calls = [(name, arguments.split(", ")) for name, arguments in re.findall(r"call @(\w+)\((.*?)\) :", text)]
    for n in range(len(m.inputs), len(m.inputs) + len(cases)):
        writers = [strategies[name] for name, arguments in calls if f"%arg{n}" in arguments and name in strategies]
        found.append("; ".join(map(_readable, writers)) or "–")
    return found


def _readable(strategy: str) -> str:
    """A dictionary of MLIR as `contraction: rows=6 columns=64 …`; flags that are off are left out."""
    entries = dict(e.split(" = ") for e in strategy.split(", "))
    kind = entries.pop("kind").strip('"')
    shown = []
    for name, value in entries.items():
        value = value.removesuffix(" : i64").strip('"')
        if value != "false":
            shown.append(name if value == "true" else f"{name}={value}")
    return f"{kind}: {' '.join(shown)}"


def page() -> str:
    """The page."""
    count = sum(map(len, FAMILIES.values()))
    lines = [HEAD.format(count=count, cpus="four")]
    for family, cases in FAMILIES.items():
        assert len({c.text for c in cases}) == len(cases), f"two of {family} are the same"
        lines += [f"## {family}\n"]
        columns = {cpu: records(cases, cpu) for cpu in CPUS}
        for cpu in CPUS:
            lines += [f"### {family} on {cpu}\n", "| operation | record |", "|---|---|"]
            lines += [f"| {c.text} | {r} |" for c, r in zip(cases, columns[cpu])]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    text = page()
    if arguments == ["--check"]:
        if PAGE.read_text(encoding="utf-8") == text:
            return 0
        print(f"{PAGE.name} is not what the rules choose: run scripts/gen_records.py and read the diff")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
