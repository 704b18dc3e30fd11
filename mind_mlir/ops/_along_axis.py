"""What operations along one axis share: its check, and samples."""

from __future__ import annotations

from typing import Any

from ..ir import Reject, TensorType, f32, f64, i32, i64
from ._rules import numbers_only


def check_axis(name: str, axis: int, input: TensorType) -> None:
    """E2005 for truth values, E3004 unless the axis is one of the operand's."""
    numbers_only(name, input)
    if axis >= input.rank:
        span = f"axes run from 0 to {input.rank - 1}" if input.rank else "a scalar has no axes"
        raise Reject("E3004", f"{name} axis {axis} is out of range for rank {input.rank}", help=span, at="axis")


def samples(cls: Any, *more: Any) -> list[tuple[Any, tuple[TensorType, ...]]]:
    """Typical and edge instances; `more` are the attributes after the axis."""
    given: list[tuple[int, TensorType]] = [
        (0, f32(7)),
        (1, f32(3, 5)),
        (0, f32(5, 3)),
        (1, f32(2, 9, 4)),
        (2, f64(3, 2, 17)),
        (0, f32(1)),
        (1, f32(0, 3)),
        (0, f32(3, 0)),
        (0, i32(6)),
        (1, i64(2, 4)),
    ]
    return [(cls(axis, *more), (t,)) for axis, t in given]
