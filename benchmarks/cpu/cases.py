"""The table of cases: families of one kind of work at several sizes.

A family has four sizes if possible, so that its cost can be compared with the size.
"""

from __future__ import annotations

import fnmatch
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .problems import KINDS, Problem

RANDOM = "matmul-random"
"""The family of random shapes, for which no rule was made."""
RANDOM_SHAPES, LARGEST, SEED = 40, 1500, 2027
OFFSET = 16
"""The bytes from a line of the cache to the start of NumPy's larger arrays."""


@dataclass(frozen=True)
class Case:
    """One problem, measured beside the peers: `matmul/256`, with 2 threads `matmul/256@2`.

    `matmul/256+16` is on arrays that start 16 bytes after a line of the cache, as those of NumPy do; `matmul/256+new`
    allocates its results at every call.
    """

    family: str
    label: str
    kind: str
    parameters: Mapping[str, Any]
    threads: int = 1
    offset: int = 0
    allocates: bool = False

    @property
    def name(self) -> str:
        """The name that --cases matches and the tables show."""
        return f"{self.family}/{self.label}{self.manner}"

    @property
    def manner(self) -> str:
        """The end of the name, by how it is run: empty for one thread, aligned arrays and given results."""
        arrays = (f"+{self.offset}" if self.offset else "") + ("+new" if self.allocates else "")
        return arrays + (f"@{self.threads}" if self.threads > 1 else "")

    @property
    def is_usual(self) -> bool:
        """True for aligned arrays and given results."""
        return not self.offset and not self.allocates

    @cached_property
    def problem(self) -> Problem:
        """The arrays, operations and bytes."""
        return KINDS[self.kind](**self.parameters)


@dataclass(frozen=True)
class Family:
    """Cases of one kind, by label."""

    name: str
    kind: str
    sizes: Mapping[str, Mapping[str, Any]]
    quick: tuple[str, ...] = ()
    """The labels that --quick measures; if there are none, the second."""
    two_threads: tuple[str, ...] = ()
    """The labels that are also measured with two threads."""
    arrays: tuple[str, ...] = ()
    """The labels that are also measured on other arrays: OFFSET bytes after a line, and with results made anew."""
    series: bool = True
    """True if cost is compared with size."""

    @property
    def cases(self) -> list[Case]:
        """The cases of all sizes, on one thread."""
        return [Case(self.name, label, self.kind, parameters) for label, parameters in self.sizes.items()]


def _cube(*extents: int, **more: Any) -> dict[str, dict[str, Any]]:
    return {str(n): {"m": n, "k": n, "n": n, **more} for n in extents}


def _shapes(*shapes: tuple[int, int, int]) -> dict[str, dict[str, Any]]:
    return {f"{m}x{k}x{n}": {"m": m, "k": k, "n": n} for m, k, n in shapes}


def _random_shapes() -> list[tuple[int, int, int]]:
    """Shapes of which half are uniform, and half uniform in the logarithm, because thin matrices are a class apart."""
    r = random.Random(SEED)
    half = RANDOM_SHAPES // 2
    thin = [tuple(round(math.exp(r.uniform(0, math.log(LARGEST)))) for _ in range(3)) for _ in range(half)]
    return [*thin, *(tuple(r.randint(1, LARGEST) for _ in range(3)) for _ in range(half))]  # type: ignore[list-item]


def _square(*extents: int, **more: Any) -> dict[str, dict[str, Any]]:
    return {str(n): {"m": n, "n": n, **more} for n in extents}


def _counts(*counts: int, **more: Any) -> dict[str, dict[str, Any]]:
    return {_short(n): {"n": n, **more} for n in counts}


def _short(n: int) -> str:
    """A number in binary thousands: 64k, 1M."""
    return f"{n >> 20}M" if n >= 1 << 20 else f"{n >> 10}k"


def _images(*extents: int, n: int = 1, c: int = 64, f: int = 64, window: int = 3, stride: int = 1) -> dict[str, Any]:
    more = {"n": n, "c": c, "f": f, "window": window, "stride": stride}
    return {f"{size}x{size}x{c}": {"h": size, "w": size, **more} for size in extents}


def _sums(axis: int | None, *shapes: tuple[int, ...]) -> dict[str, dict[str, Any]]:
    return {"x".join(map(str, s)): {"shape": s, "axis": axis} for s in shapes}


def _batches(*batches: int, **more: Any) -> dict[str, dict[str, Any]]:
    return {str(n): {"batch": n, **more} for n in batches}


_PLANES = tuple((n, n) for n in (512, 1024, 2048, 4096))
_BLOCKS = ((16, 128, 128), (32, 256, 256), (64, 256, 512), (64, 512, 512))
_ELEMENTS = (1 << 16, 1 << 18, 1 << 20, 1 << 22)
_MLP = {"widths": (784, 512, 256, 10)}
_DIGITS = {"image": (8, 8, 1), "channels": (24, 48), "hidden": 64}
_LARGER = {"image": (32, 32, 3), "channels": (32, 64), "hidden": 128}

_DEPTHWISE = ((14, 512), (28, 256), (56, 128), (112, 64))

_MATMULS = ("64", "128", "256", "512", "1024")

FAMILIES = (
    Family(
        "matmul",
        "matmul",
        _cube(16, 32, 64, 128, 256, 512, 1024, 2048),
        ("64", "256", "512"),
        ("1024", "2048"),
        _MATMULS,
    ),
    Family(
        "matmul-odd",
        "matmul",
        _shapes(
            *((1000, 777, 333), (64, 1024, 4096), (128, 512, 784), (1224, 1171, 8), (844, 1474, 25), (54, 866, 614)),
            *((17, 31, 13), (131, 257, 509)),
        ),
        ("128x512x784",),
        arrays=("128x512x784", "1000x777x333"),
        series=False,
    ),
    Family(RANDOM, "matmul", _shapes(*_random_shapes()), tuple(_shapes(*_random_shapes()[::10])), series=False),
    Family("matmul-batch", "matmul", _cube(32, 64, 128, 256, batch=(16,)), arrays=("64",)),
    Family("matvec", "matvec", _square(*(n for n, _ in _PLANES)), arrays=("1024",)),
    Family(
        "conv3x3",
        "conv",
        _images(14, 28, 56, 112),
        two_threads=("56x56x64",),
        arrays=("14x14x64", "28x28x64", "56x56x64"),
    ),
    Family("conv3x3-batch8", "conv", _images(7, 14, 28, 56, n=8), two_threads=("56x56x64",)),
    Family("conv7x7-stride2", "conv", _images(56, 112, 224, 448, c=3, window=7, stride=2), arrays=("112x112x3",)),
    Family("conv1x1", "conv", _images(14, 28, 56, 112, c=256, window=1), arrays=("28x28x256",)),
    Family("conv3x3-input-gradient", "conv_input_gradient", _images(14, 28, 56, 112), arrays=("28x28x64",)),
    Family("conv3x3-filter-gradient", "conv_filter_gradient", _images(14, 28, 56, 112), arrays=("28x28x64",)),
    Family(
        "conv3x3-depthwise",
        "grouped_conv",
        {f"{h}x{h}x{c}": {"n": 1, "h": h, "w": h, "c": c, "groups": c} for h, c in _DEPTHWISE},
    ),
    Family(
        "conv3x3-grouped",
        "grouped_conv",
        {
            f"{h}x{h}x{c}/{groups}": {"n": 1, "h": h, "w": h, "c": c, "groups": groups}
            for h, c, groups in ((56, 128, 32), (28, 256, 32), (14, 512, 32), (28, 128, 4))
        },
        series=False,
    ),
    Family(
        "einsum",
        "einsum",
        {
            text: {"text": text, "extents": {"b": 4, "h": 12, "q": 256, "k": 256, "d": 64}}
            for text in ("bhqd,bhkd->bhqk", "bqhd,bkhd->bhqk", "bhqk,bkhd->bqhd")
        },
        series=False,
    ),
    Family("chain", "chain", _counts(1 << 16, 1 << 18, 1 << 20, 1 << 24), ("64k", "1M"), arrays=("64k", "1M")),
    Family("exp-f32", "exp", _counts(*_ELEMENTS, dtype="f32"), ("64k",), arrays=("64k",)),
    Family("log-f32", "log", _counts(*_ELEMENTS, dtype="f32"), ("64k",)),
    Family("exp-f64", "exp", _counts(*_ELEMENTS, dtype="f64"), ("64k",)),
    Family("log-f64", "log", _counts(*_ELEMENTS, dtype="f64"), ("64k",)),
    *(
        Family(f"{name}-f32", name, _counts(*_ELEMENTS, dtype="f32"), ("1M",), two_threads=("1M",))
        for name in ("sqrt", "tanh", "logistic", "log1p", "expm1", "sin", "cos", "erf", "power")
    ),
    Family("sum-last", "total", _sums(1, *_PLANES)),
    Family("sum-first", "total", _sums(0, *_PLANES)),
    Family("sum-middle", "total", _sums(1, *_BLOCKS)),
    Family("sum-all", "total", _sums(None, *_PLANES)),
    Family("transpose", "transpose", {str(m): {"shape": (m, n), "axes": (1, 0)} for m, n in _PLANES}),
    Family(
        "transpose-images",
        "transpose",
        {f"{n}x56x56x64": {"shape": (n, 56, 56, 64), "axes": (0, 3, 1, 2)} for n in (4, 8, 16, 32)},
    ),
    Family("row-column-add", "outer_add", _square(*(n for n, _ in _PLANES))),
    Family("concatenate-rows", "concatenate", {str(m): {"shape": (m, n), "axis": 0} for m, n in _PLANES}),
    Family("concatenate-columns", "concatenate", {str(m): {"shape": (m, n), "axis": 1} for m, n in _PLANES}),
    Family("reverse-rows", "reverse", {str(m): {"shape": (m, n), "axis": 0} for m, n in _PLANES}),
    Family("reverse-columns", "reverse", {str(m): {"shape": (m, n), "axis": 1} for m, n in _PLANES}),
    Family("sort", "sort", _counts(1 << 16, 1 << 18, 1 << 20, 1 << 22), ("64k", "1M")),
    Family("top-k", "top_k", {f"{k}-of-{n}": {"n": n, "k": k} for n in (10_000, 100_000, 1_000_000) for k in (8, 64)}),
    Family(
        "gather",
        "gather",
        {f"{n}": {"rows": 100_000, "width": 64, "count": n} for n in (10_000, 100_000, 300_000, 1_000_000)},
    ),
    Family("slice-columns", "strided_slice", _square(*(n for n, _ in _PLANES), steps=(1, 2))),
    Family("slice-rows", "strided_slice", _square(*(n for n, _ in _PLANES), steps=(2, 1))),
    Family("slice-both", "strided_slice", _square(*(n for n, _ in _PLANES), steps=(2, 2))),
    Family("softmax", "softmax", _square(256, 512, 1024, 2048), arrays=("512",)),
    Family(
        "attention",
        "attention",
        {str(n): {"heads": 8, "length": n, "width": 64} for n in (64, 128, 256, 512)},
        arrays=("256",),
    ),
    Family("mlp-forward", "mlp_forward", _batches(32, 128, 512, 2048, **_MLP), arrays=("128",)),
    Family(
        "mlp-gradient",
        "mlp_gradient",
        _batches(32, 128, 512, 2048, **_MLP),
        two_threads=("128", "512"),
        arrays=("128",),
    ),
    Family("cnn-digits-forward", "cnn_forward", _batches(8, 32, 128, 512, **_DIGITS), arrays=("32",)),
    Family(
        "cnn-digits-gradient",
        "cnn_gradient",
        _batches(8, 32, 128, 512, **_DIGITS),
        two_threads=("128",),
        arrays=("32",),
    ),
    Family("cnn-forward", "cnn_forward", _batches(4, 8, 16, 32, **_LARGER), arrays=("8",)),
    Family("cnn-gradient", "cnn_gradient", _batches(4, 8, 16, 32, **_LARGER), two_threads=("32",), arrays=("32",)),
    Family("call", "multiply_add", {"3-arguments": {"n": 4}}, ("3-arguments",), series=False),
)

CEILINGS = tuple(Case("memory", k, k, {"n": 1 << 26}) for k in ("read", "copy"))
"""The cases that measure what memory can do, on 256 MB, in the same run."""


def case(name: str) -> Case:
    """The case of this name."""
    return next(c for f in FAMILIES for c in f.cases if c.name == name)


def select(glob: str = "*", quick: bool = False, threads: int = 1, cores: int = 1) -> list[Case]:
    """The cases to measure, in the order of the table; `glob` matches names with or without their threads.

    With one thread, those with two are added, if there are two cores and the run need not be quick.
    """
    found: list[Case] = []
    for family in FAMILIES:
        labels: Sequence[str] = list(family.sizes)
        if quick:
            labels = family.quick or labels[1:2]
        one = [c for c in family.cases if c.label in labels]
        for c in one:  # those on other arrays follow at once, because they are compared with it
            found.append(replace(c, threads=threads))
            if threads == 1 and c.label in family.arrays:
                found += [replace(c, offset=OFFSET), replace(c, allocates=True)]
        if threads == 1 and cores > 1 and not quick:
            found += [replace(c, threads=2) for c in one if c.label in family.two_threads]
    return [c for c in found if any(fnmatch.fnmatchcase(name, glob) for name in (c.name, f"{c.family}/{c.label}"))]


def family_of(name: str) -> Family:
    """The family of this name."""
    return next(f for f in FAMILIES if f.name == name)
