"""exp and log as arithmetic, on single elements and on vectors alike.

A formula is called as `exp(s, x, numerics, cpu)`: `s` are the builders for x's dtype and lanes.  Under `strict` it
takes the steps of `interpret`; otherwise f32 is computed in f32 and f64 in f64 with fused multiply-adds, and the bits
depend neither on the number of lanes nor on the kind of CPU.  A CPU without fused multiply-add takes the strict steps
in every mode; a GPU takes its own instructions for f32 under `fast`.  docs/numerics.md has the errors.

Nothing written here bears fast-math flags, and none may be added: rounding by a large number relies on the order.

exp, log       the formulas
coefficients   their polynomials
avx512         instructions that take a float apart
approximate    instructions of GPUs
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..emit.scalars import Scalars
from ..targets.cpus import Cpu
from .exp import exp
from .log import log

Formula = Callable[[Scalars, Any, str, Cpu], Any]

UNFOLDED = {"math.exp": "llvm.intr.exp", "math.log": "llvm.intr.log"}
"""Operations that formulas replace, and their like of the LLVM dialect.

Canonicalization folds the former where the operand is a constant, by the C library of the machine that compiles, whose
bits are not a formula's; the latter it leaves alone.
"""

_ALIKE = {"math.exp": exp, "math.log": log}

FORMULAS: dict[str, Formula] = _ALIKE | {UNFOLDED[name]: f for name, f in _ALIKE.items()}
"""The operations of MLIR that formulas replace."""


def formula(op_name: str) -> Formula:
    """The formula for one of those."""
    return FORMULAS[op_name]
