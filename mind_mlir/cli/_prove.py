"""mind-opt --prove: checks the derivatives of a module on random arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir import MindError, Module
from ..passes.pipeline import is_core

ORDER = 2
"""The highest order that is checked: derivatives of derivatives too."""


@dataclass(frozen=True)
class Proof:
    """The report, and whether all comparisons agreed."""

    text: str
    ok: bool


def prove(state: Any) -> Proof:
    """Compare the derivatives of a module with finite differences, and reverse mode with forward mode.

    E7007 for MLIR, and the errors of differentiating or running the module.
    """
    if not is_core(state):
        raise MindError.of("E7007", "--prove is for Core IR; this pipeline ends in MLIR")
    from ..testing import findings

    m: Module = state
    found = findings(m, order=ORDER)
    if not found:
        return Proof("nothing to prove: no float output, or no float Input\n", True)
    failed = sum(not f.ok for f in found)
    compared = sum(f.compared for f in found)
    verdict = f"{failed} of {len(found)} comparisons failed" if failed else f"{len(found)} comparisons agree"
    text = "".join(f"{f}\n" for f in found)
    return Proof(f"{text}{verdict}; {compared} numbers in f64, orders 1 to {ORDER}, random arguments\n", not failed)
