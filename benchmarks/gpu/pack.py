"""Writes artifacts of all cases into one folder, to be copied to the machine with the GPU."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mind_mlir as mind
from mind_mlir import Module
from mind_mlir.lowering.gpu.artifacts.images import artifact

from .cases import CASES
from .networks import SMALL_MLP, cnn_gradient, cnn_types, mlp_gradient, mlp_types
from .pack_index import INDEX

MOST = 40 << 20
"""The most bytes of all artifacts together."""


@dataclass(frozen=True)
class Packed:
    """One artifact: a module, and what its run is compared with."""

    name: str
    module: Module
    facts: dict[str, Any]
    precision: str = "f32"
    numerics: str = "default"


def packed() -> Iterator[Packed]:
    """All artifacts: small ones in strict and default numerics, to compare with `interpret`, then large ones."""
    seen = set()
    for c in CASES:
        module = c.module(c.small)
        if (key := (str(module), c.precision)) in seen:
            continue
        seen.add(key)
        for numerics in ("strict", "default") if c.precision == "f32" else ("default",):
            yield Packed(f"{c.name}.small.{numerics}", module, {"compare": True}, c.precision, numerics)
    for name, make, types in _networks(small=True):
        yield Packed(f"{name}.small", make(types), {"compare": True})
    for c in CASES:
        facts = {"flops": c.flops, "bytes": c.bytes, "peer": c.peer, "options": c.options}
        yield Packed(c.name, c.module(c.large), facts, c.precision)
    for name, make, types in _networks(small=False):
        yield Packed(name, make(types), {"peer": name.rpartition("-")[0].replace("-", "_")})


def _networks(small: bool) -> Iterator[tuple[str, Callable[[list[mind.TensorType]], Module], list[mind.TensorType]]]:
    if small:
        yield "mlp-gradient-5", mlp_gradient, mlp_types(5, SMALL_MLP)
        yield "cnn-gradient-2", cnn_gradient, cnn_types(2, 8, (4, 20), 17)
    else:
        yield "mlp-gradient-512", mlp_gradient, mlp_types(512)
        yield "mlp-gradient-4096", mlp_gradient, mlp_types(4096)
        yield "cnn-gradient-128", cnn_gradient, cnn_types(128)


def pack(folder: Path, say: Callable[[str], None]) -> int:
    """Write every artifact, and an index; returns the number of bytes written."""
    folder.mkdir(parents=True, exist_ok=True)
    index: list[dict[str, Any]] = []
    total = 0
    for p in packed():
        files = artifact(p.module, p.name, numerics=p.numerics, precision=p.precision)
        target = folder / p.name
        target.mkdir(exist_ok=True)
        for name, data in {**files, "module.mindir": str(p.module).encode()}.items():
            (target / name).write_bytes(data)
            total += len(data)
        index.append({"name": p.name, "precision": p.precision, "numerics": p.numerics, **p.facts})
        say(f"{p.name}: {sum(map(len, files.values())) >> 10} KB")
    (folder / INDEX).write_text(json.dumps(index, indent=1))
    return total
