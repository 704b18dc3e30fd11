"""exp and log as arithmetic, on single elements and on vectors alike.

A formula is called as `exp(s, x, numerics, cpu)`, where `s` builds arithmetic for x's dtype and lanes. Under `strict`
it takes the steps of `interpret`; otherwise f32 is computed in f32 and f64 in f64 with fused multiply-adds, and the
bits depend neither on the number of lanes nor on the kind of CPU. A CPU without fused multiply-add takes the strict
steps in every mode; a GPU uses its own instructions for f32 under `fast`. docs/numerics.md has the errors.

No operation here has fast-math flags, and none may be added: rounding by a large number relies on the order.

exp, log       the formulas
coefficients   the coefficients of their polynomials
avx512         instructions of AVX-512 that split a float into exponent and mantissa
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
"""Operation that a formula replaces -> the same in the LLVM dialect.

Canonicalization folds the former if its operand is a constant, by the C library of the machine that compiles, whose
bits differ from a formula's; it leaves the latter alone.
"""

_ALIKE = {"math.exp": exp, "math.log": log}

FORMULAS: dict[str, Formula] = _ALIKE | {UNFOLDED[name]: f for name, f in _ALIKE.items()}
"""The operations of MLIR that formulas replace."""


def formula(op_name: str) -> Formula:
    """The formula for one of `FORMULAS`."""
    return FORMULAS[op_name]
