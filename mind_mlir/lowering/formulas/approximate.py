"""exp and log of f32 by the instructions of a GPU for powers of two, under fast numerics.

Their relative error is 2^-22. Between 1/2 and 2, where the result may be smaller than that, the error of lg2 is 2^-22
absolutely. PTX ISA, ex2 and lg2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..targets.cpus import Cpu

_LN2_HI = float.fromhex("0x1.62e430p-1")  # ln2 rounded to f32
_LN2_LO = math.log(2) - _LN2_HI
_HIGH = 128 - 2.0**-17  # the last float whose power of two is finite
_LOW = -110.0  # e^x is 0 here, and for larger x already


def function(element: str, s: Scalars, numerics: str, cpu: Cpu) -> Callable[[Scalars, Any], Any] | None:
    """How f32 is computed under fast numerics by such instructions; None where there is none."""
    if numerics == "fast" and cpu.approximates and s.dtype is DType.F32:
        return {"math.exp": exp, "math.log": log}.get(element)
    return None


def exp(s: Scalars, x: Any) -> Any:
    """e^x = 2^t · e^c, where t is x / ln2 rounded and c = x - t·ln2, which is so small that 1 + c approximates e^c.

    Beyond the largest float, t is limited, c is large, and the product is inf.
    """
    x = s.select(s.less(x, s.number(_LOW)), s.number(_LOW), x)  # -inf would make a NaN of c
    t = s.mul(x, s.number(1 / math.log(2)))
    t = s.select(s.greater(t, s.number(_HIGH)), s.number(_HIGH), t)
    c = s.fma(t, s.number(-_LN2_LO), s.fma(t, s.number(-_LN2_HI), x))
    y = _in_each_lane(s, "ex2.approx", t)
    return s.fma(y, c, y)


def log(s: Scalars, x: Any) -> Any:
    """ln x = log2 x · ln2: -inf at ±0, NaN below 0; inf and NaN stay."""
    return s.mul(_in_each_lane(s, "lg2.approx.f", x), s.number(_LN2_HI))


def _in_each_lane(s: Scalars, name: str, x: Any) -> Any:
    """An instruction for one element, applied to each lane."""
    if s.lanes is None:
        return _instruction(name, x)
    lanes = [
        s.op("vector.extract", x, type=s.element, static_position=ir.DenseI64ArrayAttr.get([n])) for n in range(s.lanes)
    ]
    return s.op("vector.from_elements", *[_instruction(name, lane) for lane in lanes])


def _instruction(name: str, x: Any) -> Any:
    return ir.Operation.create(
        "llvm.call_intrinsic",
        results=[x.type],
        operands=[x],
        attributes={
            "intrin": ir.StringAttr.get(f"llvm.nvvm.{name}"),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0]),
        },
    ).result
