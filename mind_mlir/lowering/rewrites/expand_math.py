"""Writes functions on elements as plain arithmetic, by the steps for the function's numerics mode.

No library is called, so the bits are the same on every machine, and at every position of an array whatever the vector
width or the tail. Under `strict` they are those of `interpret`.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.modes import numerics_of
from ..emit.scalars import Scalars
from ..formulas import function_of, written
from ..kernels.record import is_written
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import operations
from ..targets.cpus import find_cpu


@rewrite("expand-math")
def expand_math(r: Rewriter, *, cpu: str = "native") -> None:
    """Replace exp, tanh and others by plain arithmetic, as the function's numerics mode and the kind of CPU require.

    On f32 or f64, single elements and vectors of one dimension.
    """
    target = find_cpu(cpu)
    for f in r.functions():
        if is_written(f):
            continue
        numerics = numerics_of(f)
        for op in operations(f):
            if (function := function_of(op)) is None or (s := _scalars(op.result.type)) is None:
                continue
            with Rewriter.before(op):
                value = written(function, s, op.operands, numerics, target)
            Rewriter.replace(op, value)


def _scalars(type: Any) -> Scalars | None:
    """The Scalars for a type; None if there are none."""
    lanes = None
    if isinstance(type, ir.VectorType):
        if type.rank != 1 or any(type.scalable_dims):
            return None
        type, lanes = type.element_type, type.shape[0]
    dtype = DType.named(str(type))
    if dtype is None or not dtype.is_float or dtype.is_half:  # of 16 bits: what f32 rounds to
        return None
    return Scalars(dtype, lanes)
