"""The record of a tiled product: how it is cut, and how its operands lie in shared memory."""

from __future__ import annotations

from dataclasses import dataclass

from ....ir import DType
from ...kernels.nest import Access
from ..groups import WIDE, Group
from ..thread_code import WARP


@dataclass(frozen=True)
class Record:
    """A block's tile of sums, the terms of a step, the steps in shared memory at a time, and the part of a thread.

    `instruction` is what multiplies: `scalar`; or by tensor cores `mma`, of f64 as it is and of f32 rounded to TF32,
    where a part is a warp's, and `wgmma` of TF32, where it is a warp group's. With 2 `stages`, threads bring a step
    while they compute the one before; with more, copies that run beside the threads bring them all but one, or the
    products do run beside the threads (`wgmma`). The terms are cut into `parts` of whole steps.
    """

    rows: int
    columns: int
    depth: int
    part_rows: int
    part_columns: int
    stages: int
    instruction: str
    parts: int = 1

    @property
    def is_tensor(self) -> bool:
        """True if tensor cores multiply."""
        return self.instruction != "scalar"

    @property
    def threads(self) -> int:
        """Of a block."""
        each = {"scalar": 1, "mma": WARP, "wgmma": GROUP}[self.instruction]
        return (self.rows // self.part_rows) * (self.columns // self.part_columns) * each


GROUP = 4 * WARP
"""Threads that `wgmma` needs."""

PADDING = 8
"""Elements between lines of shared memory that tensor cores read: its eight lines and four terms lie in other banks."""


def contiguous(a: Access, lines: Group, terms: Group) -> Group:
    """Of an operand's lines and terms, those that are neighbours in memory: terms only if lines are not."""
    return terms if terms.starts_along(a) and not lines.starts_along(a) else lines


def paddings(record: Record, dtype: DType) -> tuple[int, int]:
    """Elements between lines of shared memory, where a line holds the terms of one row or column, or the converse.

    The lanes of a warp that read a fragment together, eight lines of four terms, then lie in banks of their own.
    """
    if record.stages > 2:
        return 4, 8 if dtype.width == 4 else 4
    return (PADDING, PADDING) if record.is_tensor else (WIDE, WIDE)
