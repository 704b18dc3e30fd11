"""Transposes operands of large TF32 products, where tiles can be copied from the transposed layout only.

`wgmma` takes TF32 with the terms of a sum as neighbours, and copies of tiles keep the layout. `A · B` becomes the
contraction of A and a copy of Bᵀ, as `A · Bᵀ` is already: every sum has the same terms. A copy is read and written
once, which pays where each of its elements is multiplied often: by as many lines as the other operand has. With 2048
of them, it takes less than a quarter of the product's time if memory moves 2.5 TB/s and tensor cores do 300 TFLOP/s.
"""

from __future__ import annotations

from typing import Literal

from mlir import ir

from ...emit.modes import numerics_of
from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import operations
from ...rewrites._one_sum import OneSum, read_one_sum
from ...rules.gpu_tma_rules import RECORDS
from ...targets.chips import Chip, find_chip


@rewrite("turn-operands")
def turn_operands(
    r: Rewriter, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32", lines: int = 2048
) -> None:
    """Transpose operands of large TF32 products on sm_90a, so that they can be copied by tiles.

    `lines` is the least number of rows or columns of the other operand for which that is done.
    """
    target = find_chip(chip, precision)
    if not (target.warpgroups and target.tf32):
        return
    for f in r.functions():
        if numerics_of(f) == "strict":
            continue
        products = [p for op in operations(f) if (p := read_one_sum(op)) is not None]  # first all: some are erased
        for product in products:
            if _is_turned(product, target, lines):
                product.on_transposed(_across(product))


def _is_turned(p: OneSum, chip: Chip, lines: int) -> bool:
    """True if an operand has other neighbours than terms, it pays to copy it, and the product fills the chip."""
    if not isinstance(p.op.result.type.element_type, ir.F32Type) or p.extents[p.k] % 4:
        return False  # lines of a copy begin at multiples of 16 bytes
    across = _across(p)
    tile = RECORDS[-1]
    tiles = p.batches * -(-p.lines(0) // tile.rows) * -(-p.lines(1) // tile.columns)
    return bool(across) and all(p.lines(1 - n) >= lines for n in across) and tiles >= chip.multiprocessors


def _across(p: OneSum) -> list[int]:
    """The operands in which terms are no neighbours."""
    return [n for n in (0, 1) if p.terms[n][-1] != p.k]
