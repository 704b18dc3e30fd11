"""Instructions of AVX-512 that split floats into exponent and mantissa, and scale them, on registers of 64 bytes."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..targets.cpus import Cpu

_CURRENT_ROUNDING = 4
_FROM_THREE_QUARTERS_AND_NAN_BELOW_ZERO = 0b1011
"""The control of getmant: m is in [3/4, 3/2), and NaN for negative numbers."""


def fits(s: Scalars, cpu: Cpu) -> bool:
    """True for vectors of f32 or f64 that fill a register, on a CPU with AVX-512."""
    return cpu.avx512 and s.lanes is not None and s.lanes * s.dtype.width == 64


def scale(s: Scalars, y: Any, n: Any) -> Any:
    """y · 2^n for an integral n, rounded once."""
    return _masked(s, "scalef", y, n, y)


def split(s: Scalars, x: Any) -> tuple[Any, Any]:
    """n and m with x = 2^n · m and m in [3/4, 3/2). n is -inf for ±0 and inf for inf; m is NaN for x < 0."""
    m = _masked(s, "getmant", x, _integer(32, _FROM_THREE_QUARTERS_AND_NAN_BELOW_ZERO), x)
    return s.sub(_masked(s, "getexp", x, x), _masked(s, "getexp", m, m)), m


def _masked(s: Scalars, name: str, *operands: Any) -> Any:
    """A call of a masked intrinsic, with all lanes active."""
    suffix = "ps" if s.dtype is DType.F32 else "pd"
    everything = (*operands, _integer(s.lanes or 1, -1), _integer(32, _CURRENT_ROUNDING))
    return s.op(
        "llvm.call_intrinsic",
        *everything,
        intrin=ir.StringAttr.get(f"llvm.x86.avx512.mask.{name}.{suffix}.512"),
        op_bundle_sizes=ir.DenseI32ArrayAttr.get([]),
        operandSegmentSizes=ir.DenseI32ArrayAttr.get([len(everything), 0]),
    )


def _integer(bits: int, value: int) -> Any:
    type = ir.IntegerType.get_signless(bits)
    attribute = ir.IntegerAttr.get(type, value)
    return ir.Operation.create("arith.constant", results=[type], attributes={"value": attribute}).result
