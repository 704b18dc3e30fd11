"""Reads contractions with one loop over terms, and makes the same on transposed copies of operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from mlir import ir

from ..mlir.rewriter import Rewriter
from .fold_transposes import contract, terms_of


@dataclass
class OneSum:
    """A contraction with one loop over terms, `k`. `terms` are the loops of each operand's axes, the result's last."""

    op: Any
    terms: list[list[int]]
    extents: dict[int, int]
    k: int

    @property
    def batches(self) -> int:
        """The number of products that are computed side by side."""
        return prod(self.extents[d] for d in self.terms[2] if d in self.terms[0] and d in self.terms[1])

    def lines(self, n: int) -> int:
        """The rows or columns of operand `n`, in each of the products."""
        return prod(self.extents[d] for d in self.terms[n] if d != self.k and d not in self.terms[1 - n])

    def term_stride(self, n: int) -> int:
        """The elements of operand `n` from one term to the next."""
        loops = self.terms[n]
        return prod(self.extents[d] for d in loops[loops.index(self.k) + 1 :])

    def on_transposed(self, operands: Iterable[int]) -> None:
        """Replace the contraction by one on copies of these operands, in which terms are neighbours."""
        values, terms = list(self.op.operands), [list(t) for t in self.terms]
        with Rewriter.before(self.op):
            for n in operands:
                order = sorted(range(len(terms[n])), key=[d == self.k for d in terms[n]].__getitem__)
                values[n], terms[n] = _transposed(values[n], order), [terms[n][axis] for axis in order]
            made = contract(values, terms)
        for name in self.op.attributes:
            if name.startswith("mind."):
                made.attributes[name] = self.op.attributes[name]
        self.op.result.replace_all_uses_with(made.result)
        self.op.erase()


def read_one_sum(op: Any) -> OneSum | None:
    """The operation as a contraction with one loop over terms; None for another."""
    terms = terms_of(op)
    if terms is None:
        return None
    extents = {d: n for v, t in zip(op.operands, terms) for d, n in zip(t, v.type.shape)}
    sums = [d for d in terms[0] if d in terms[1] and d not in terms[2]]
    if len(sums) != 1 or any(d not in (*terms[0], *terms[1]) for d in terms[2]):
        return None
    return OneSum(op, terms, extents, sums[0])


def _transposed(x: Any, order: Sequence[int]) -> Any:
    type = ir.RankedTensorType.get([x.type.shape[axis] for axis in order], x.type.element_type)
    empty = ir.Operation.create("tensor.empty", results=[type]).result
    permutation = {"permutation": ir.DenseI64ArrayAttr.get(list(order))}
    return Rewriter.linalg("linalg.transpose", [x, empty], [type], permutation).result
