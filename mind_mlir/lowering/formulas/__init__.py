"""The steps of functions on elements, on single ones and on vectors alike.

A function is one operation in linalg, of MLIR's dialect `math`, or by name with its attributes, which are integers:
`mind.Logistic`, `mind.Polygamma 3`. Its class in mind_mlir/ops/ has the steps: `formula` those of `interpret`, which
strict numerics take, and `fused_f32` and `fused_f64` those with fused multiply-add for the other modes. A CPU without
fused multiply-add takes the strict steps in every mode; a GPU takes its own instructions for exp and log of f32 under
`fast`. docs/numerics.md has the errors.

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

_found: dict[str, ByFormula | None] = {}


def function_of(op: Any) -> ByFormula | None:
    """The operation of Core IR whose steps an operation on elements stands for; None for any other operation."""
    name: str = op.name
    if name == _NAMED:
        name = op.attributes["asm_string"].value
    elif not name.startswith(_MATH):
        return None
    if name not in _found:
        _found[name] = _in_math(name) if name.startswith(_MATH) else _by_name(name)
    return _found[name]


def _by_name(text: str) -> ByFormula | None:
    if not text.startswith("mind."):
        return None
    name, *attributes = text.removeprefix("mind.").split()
    found: ByFormula = OPS[name](*map(int, attributes))  # type: ignore[assignment]
    return found


def _in_math(name: str) -> ByFormula | None:
    cls = OPS.of_function(name.removeprefix(_MATH))
    return cls() if cls is not None and issubclass(cls, ByFormula) and cls.element == name else None


def unfolded(function: ByFormula, s: Scalars, operands: Sequence[Any]) -> Any:
    """A function of `math` by a name that MLIR leaves alone.

    Canonicalization folds operations of `math` on constants by the C library of the machine that compiles, whose bits
    differ from a formula's.
    """
    return s.function(f"mind.{function.opcode}", *operands)


def written(function: ByFormula, s: Scalars, operands: Sequence[Any], numerics: str, cpu: Cpu) -> Any:
    """The value of a function by its steps."""
    if not cpu.fuses(numerics):
        return function.formula(s, *operands)
    if (instructions := approximate.function(function.element, s, numerics, cpu)) is not None:
        return instructions(s, *operands)
    fused = FusedScalars(s.dtype, s.lanes, cpu)
    return (function.fused_f32 if s.dtype is DType.F32 else function.fused_f64)(fused, *operands)
