"""The steps of functions on elements, on single ones and on vectors alike.

A function is one operation in linalg, of MLIR's dialect `math` or `mind.Logistic` by name; its class in
mind_mlir/ops/ has the steps: `formula` those of `interpret`, which strict numerics take, and `fused_f32` and
`fused_f64` those with fused multiply-add for the other modes. A CPU without fused multiply-add takes the strict steps
in every mode; a GPU takes its own instructions for exp and log of f32 under `fast`. docs/numerics.md has the errors.

No operation here has fast-math flags, and none may be added: rounding by a large number relies on the order.

halves         floats of 16 bits, to f32 and back
fused          the scalars for steps with fused multiply-add
avx512         instructions of AVX-512 that split a float into exponent and mantissa
approximate    instructions of GPUs
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir import OPS, DType
from ...ops._formula import ByFormula
from ..emit.scalars import Scalars
from ..targets.cpus import Cpu
from . import approximate
from .fused import FusedScalars

_NAMED = "llvm.inline_asm"
"""What `Scalars.function` writes where MLIR has no operation."""

_MATH = "math."

_found: dict[str, type[ByFormula] | None] = {}


def function_of(op: Any) -> type[ByFormula] | None:
    """The class that has the steps of an operation on elements; None for any other operation."""
    name: str = op.name
    if name.startswith(_MATH):
        return _in_math(name)
    if name == _NAMED and (text := op.attributes["asm_string"].value).startswith("mind."):
        found: type[ByFormula] = OPS[text.removeprefix("mind.")]  # type: ignore[assignment]
        return found
    return None


def _in_math(name: str) -> type[ByFormula] | None:
    if name not in _found:
        cls = OPS.of_function(name.removeprefix(_MATH))
        is_named = cls is not None and issubclass(cls, ByFormula) and cls.element == name
        _found[name] = cls if is_named else None  # type: ignore[assignment]
    return _found[name]


def unfolded(cls: type[ByFormula], s: Scalars, operands: Sequence[Any]) -> Any:
    """The function by a name that MLIR leaves alone.

    Canonicalization folds operations of `math` on constants by the C library of the machine that compiles, whose bits
    differ from a formula's.
    """
    return s.function(f"mind.{cls.opcode}", *operands)


def written(cls: type[ByFormula], s: Scalars, operands: Sequence[Any], numerics: str, cpu: Cpu) -> Any:
    """The value of a function by its steps."""
    op = cls()
    if not cpu.fuses(numerics):
        return op.formula(s, *operands)
    if (instructions := approximate.function(cls.element, s, numerics, cpu)) is not None:
        return instructions(s, *operands)
    fused = FusedScalars(s.dtype, s.lanes, cpu)
    return (op.fused_f32 if s.dtype is DType.F32 else op.fused_f64)(fused, *operands)
