"""Transposes operands of large TF32 products, where tiles can be copied from the transposed layout only.

`wgmma` takes TF32 with the terms of a sum as neighbours, and copies of tiles keep the layout. `A · B` becomes the
contraction of A and a copy of Bᵀ, as `A · Bᵀ` is already: every sum has the same terms. A copy is read and written
once, which pays where each of its elements is multiplied often: by as many lines as the other operand has. With 2048
of them, it takes less than a quarter of the product's time if memory moves 2.5 TB/s and tensor cores do 300 TFLOP/s.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Literal

from mlir import ir

from ...emit.modes import numerics_of
from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import operations
from ...rewrites.fold_transposes import contract, terms_of
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
        products = [p for op in operations(f) if (p := _read(op)) is not None]  # first all: `turn` erases
        for product in products:
            if product.is_turned(target, lines):
                product.turn()


@dataclass
class _Product:
    """A contraction with one loop over terms, `k`. `terms` are the loops of each operand's axes, the result's last."""

    op: Any
    terms: list[list[int]]
    extents: dict[int, int]
    k: int

    def is_turned(self, chip: Chip, lines: int) -> bool:
        """True if an operand has other neighbours than terms, it pays to copy it, and the product fills the chip."""
        if self.extents[self.k] % 4:  # lines of a copy begin at multiples of 16 bytes
            return False
        across = [n for n in (0, 1) if self.terms[n][-1] != self.k]
        tile = RECORDS[-1]
        tiles = prod(self._batches()) * -(-self._lines(0) // tile.rows) * -(-self._lines(1) // tile.columns)
        return bool(across) and all(self._lines(1 - n) >= lines for n in across) and tiles >= chip.multiprocessors

    def _batches(self) -> list[int]:
        return [self.extents[d] for d in self.terms[2] if d in self.terms[0] and d in self.terms[1]]

    def _lines(self, n: int) -> int:
        return prod(self.extents[d] for d in self.terms[n] if d != self.k and d not in self.terms[1 - n])

    def turn(self) -> None:
        """Replace the contraction by one on transposed copies."""
        operands, terms = list(self.op.operands), [list(t) for t in self.terms]
        with Rewriter.before(self.op):
            for n in (0, 1):
                if terms[n][-1] != self.k:
                    order = sorted(range(len(terms[n])), key=lambda axis, n=n: terms[n][axis] == self.k)  # type: ignore[misc]
                    operands[n], terms[n] = _transposed(operands[n], order), [terms[n][axis] for axis in order]
            made = contract(operands, terms)
        for name in self.op.attributes:
            if name.startswith("mind."):
                made.attributes[name] = self.op.attributes[name]
        self.op.result.replace_all_uses_with(made.result)
        self.op.erase()


def _read(op: Any) -> _Product | None:
    terms = terms_of(op)
    if terms is None or not isinstance(op.result.type.element_type, ir.F32Type):
        return None
    extents = {d: n for v, t in zip(op.operands, terms) for d, n in zip(t, v.type.shape)}
    sums = [d for d in terms[0] if d in terms[1] and d not in terms[2]]
    if len(sums) != 1 or any(d not in (*terms[0], *terms[1]) for d in terms[2]):
        return None
    return _Product(op, terms, extents, sums[0])


def _transposed(x: Any, order: list[int]) -> Any:
    type = ir.RankedTensorType.get([x.type.shape[axis] for axis in order], x.type.element_type)
    empty = ir.Operation.create("tensor.empty", results=[type]).result
    permutation = {"permutation": ir.DenseI64ArrayAttr.get(order)}
    return Rewriter.linalg("linalg.transpose", [x, empty], [type], permutation).result
