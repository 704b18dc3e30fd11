"""Transposes operands of products whose terms would throw each other out of the first cache.

In Aᵀ · B the rows of a tile are neighbours in memory, and each term is in a line of its own, a row of A apart. If those
lines share few sets of the cache, a tile finds none of the lines that the tile before it has read. In a transposed
copy the terms are neighbours. The sums keep their terms and their order.
"""

from __future__ import annotations

from ...ir import DType
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import operations
from ..rules.product_rules import rows_collide
from ..targets.cpus import find_cpu
from ._one_sum import OneSum, read_one_sum


@rewrite("copy-colliding-rows")
def copy_colliding_rows(r: Rewriter, *, cpu: str = "native") -> None:
    """Transpose operands of products whose rows are neighbours, where their terms share few sets of a cache.

    That is as `rows_collide` says, for a kind of CPU.
    """
    target = find_cpu(cpu)
    for f in r.functions():
        products = [p for op in operations(f) if (p := read_one_sum(op)) is not None]  # first all: some are erased
        for p in products:
            n, dtype = _rows_operand(p), DType.named(str(p.op.result.type.element_type))
            if n is None or p.terms[n][-1] == p.k or dtype is None or min(p.extents.values()) < 0:
                continue  # nothing to copy; of other MLIR, elements that are not ours and extents that are not known
            if rows_collide(p.extents[p.k], p.term_stride(n) * dtype.width, p.lines(1 - n), target):
                p.on_transposed([n])


def _rows_operand(p: OneSum) -> int | None:
    """The operand along which no vectors run, since the other one has the last loop of the result; None for neither."""
    last = p.terms[2][-1:]
    if not last or (last[0] in p.terms[0] and last[0] in p.terms[1]):
        return None
    return 0 if last[0] in p.terms[1] else 1
