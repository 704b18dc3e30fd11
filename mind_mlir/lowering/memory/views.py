"""Finds operations whose result is already in the memory of their operand."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ...ir import OPS, Operation, TensorType


def shown_at(o: Operation, operands: Sequence[TensorType]) -> int | None:
    """The byte of the operand at which the result begins, in C order; None if the result has to be computed."""
    if len(o.results) > 1 or not o.type.size:
        return None
    if o.op.moves_nothing:
        return 0
    return _slice_at(o.op, operands[0], o.type) if isinstance(o.op, OPS["Slice"]) else None


def _slice_at(op: Any, whole: TensorType, cut: TensorType) -> int | None:
    """The same for a Slice: contiguous if all axes after the first one longer than 1 are whole, and that one dense."""
    starts, _ = op.bounds(whole.shape)
    axis = next((d for d, n in enumerate(cut.shape) if n > 1), len(cut.shape))
    if cut.shape[axis + 1 :] != whole.shape[axis + 1 :] or (axis < len(cut.shape) and op.steps[axis] != 1):
        return None
    strides = [prod(whole.shape[d + 1 :]) for d in range(whole.rank)]
    at: int = whole.dtype.width * sum([s * k for s, k in zip(starts, strides)])
    return at
