"""Estimates strong and weak scaling of a step by the model of collectives.

    t(n) = flops of a rank / rate + sum over its collectives
    efficiency(n) = flops of the step on one rank / (n · rate · t(n))

Computation and collectives do not overlap, as in compiled code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .model import Link, seconds
from .steps import LAYOUTS, Layout, Sizes, program

SCALINGS = ("strong", "weak")


@dataclass(frozen=True)
class Study:
    """A step to scale.

    Strong: the sizes stay. Weak: a rank keeps the share that it has when `share` ranks divide them.
    """

    sizes: Sizes
    share: int

    def at(self, scaling: str, layout: Layout, ranks: int) -> Sizes:
        """The sizes for so many ranks."""
        return self.sizes if scaling == "strong" else layout.times(self.sizes, ranks, self.share)


SIMULATED = Study(Sizes(65_536, 4096, 16_384, 4096), 16)
MEASURED = Study(Sizes(2048, 512, 2048, 512), 1)
QUICK = Study(Sizes(128, 512, 2048, 512), 1)
"""The step that `--quick` measures."""


@dataclass(frozen=True)
class Machine:
    """The machine on which a step runs."""

    link: Link
    rate: float
    """The floating-point operations per second of a rank that has a core to itself."""
    algorithm: str = "best"
    cores: int | None = None
    """The number of cores that all ranks share; None if every rank has its own."""

    def compute(self, flops: int, ranks: int) -> float:
        """The seconds of so many operations on each rank."""
        crowd = 1.0 if self.cores is None else max(1.0, ranks / self.cores)
        return crowd * flops / self.rate


@dataclass(frozen=True)
class Estimate:
    """The model's figures for a step: times in seconds, sizes in bytes of one rank."""

    scaling: str
    layout: str
    ranks: int
    compute: float
    collectives: float
    sent: int
    memory: int
    efficiency: float


def estimate(study: Study, scaling: str, layout: Layout, ranks: int, machine: Machine) -> Estimate:
    """The model's figures for one number of ranks."""
    sizes = study.at(scaling, layout, ranks)
    local, alone = program(layout, sizes, ranks), program(layout, sizes, 1)
    compute = machine.compute(local.flops, ranks)
    collectives = sum(seconds(c, machine.link, machine.algorithm) for c in local.collectives)
    efficiency = alone.flops / machine.rate / ranks / (compute + collectives)
    return Estimate(scaling, layout.name, ranks, compute, collectives, local.sent, local.memory, efficiency)


def simulate(ranks: Sequence[int], machine: Machine, study: Study = SIMULATED) -> list[Estimate]:
    """The model's figures for every scaling, layout and number of ranks."""
    return [estimate(study, s, layout, n, machine) for s in SCALINGS for layout in LAYOUTS for n in ranks]


LARGEST = 4096
"""The ranks of the largest mesh for SIMULATED: its parameters have a row for each."""


def ranks_between(text: str) -> list[int]:
    """The powers of two in `ranks=8..4096`, or `8..4096`. ValueError says what is wrong."""
    found = re.fullmatch(r"(?:ranks=)?(\d+)\.\.(\d+)", text)
    if not found:
        raise ValueError(f"{text!r} is no range such as ranks=8..4096")
    first, last = map(int, found.groups())
    ranks = [1 << k for k in range(LARGEST.bit_length()) if first <= 1 << k <= last]
    if not ranks or last > LARGEST:
        raise ValueError(f"{text!r} has to have a power of two in it and end at {LARGEST} or before")
    return ranks
