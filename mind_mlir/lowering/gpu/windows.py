"""One thread for each element of what the adjoint of a convolution gives, where tiles are too large for it.

A thread takes the terms that lead to its element, in the order of the loops; whatever else the loops reach is no term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

from mlir import ir

from ..kernels.nest import Access, Nest
from ..kernels.replay import can_replay, repeat
from ..kernels.vector_code import Index
from ..rules.choice import Choice
from ..targets.chips import Chip
from .products.product_problem import Product, match as match_product
from .thread_code import GpuCode


@dataclass(frozen=True)
class Record:
    """`threads` of a block."""

    threads: int


def match(nests: Sequence[Nest]) -> Product | None:
    """A product whose left operand is read through windows."""
    found = match_product(nests)
    if found is None or not found.windows or 0 in found.problem.nest.extents:
        return None
    return found if can_replay(found.problem.nest) else None


def choose(product: Product, chip: Chip, numerics: str) -> Choice[Record]:
    """Blocks of 128 threads."""
    return Choice("windows", Record(threads=128), ("one thread adds up each element",))


def emit(code: GpuCode, product: Product, r: Record) -> None:
    """Write what one thread does."""
    _Emitter(code, product).write(r)


class _Emitter:
    def __init__(self, code: GpuCode, product: Product) -> None:
        self.code, self.windows, self.p = code, product.windows, product.problem
        self.nest = self.p.nest
        self.x, self.y = self.nest.inputs[:2]
        self.out = self.nest.output
        self.flats = {a.value: code.flat(a.value) for a in (self.x, self.y, self.out)}
        summed = set(self.p.ks)
        free = (d for d in range(len(self.nest.extents)) if d not in summed)
        # threads take neighbours along the loop in which the result moves least
        self.own = sorted(free, key=lambda d: -self.out.strides[d])

    def write(self, r: Record) -> None:
        extents = [self.nest.extents[d] for d in self.own]
        with self.code.one_thread_each(prod(extents), r.threads) as turn:
            at: dict[int, Index] = dict(zip(self.own, self.code.taken_apart(turn, extents)))
            total = self._added(list(self.p.ks), at, self.p.initial)
            self.code.write(total, self.flats[self.out.value], self._place(self.out, at))

    def _added(self, loops: Sequence[int], at: dict[int, Index], total: Any) -> Any:
        """The sum over these loops, added to `total`."""
        if not loops:
            return self._next(at, total)
        d, *inner = loops

        def body(i: Index, values: list[Any]) -> list[Any]:
            return [self._added(inner, {**at, d: i}, values[0])]

        return self.code.carried(0, self.nest.extents[d], 1, [total], body)[0]

    def _next(self, at: dict[int, Index], total: Any) -> Any:
        """`total` with one term more, if these iterations of the loops have one."""
        code = self.code
        bit = ir.IntegerType.get_signless(1)
        seen = [w.seen(code, at) for w in self.windows]
        conditions, moved = [c for found, _ in seen for c in found], [place for _, place in seen]
        is_term = reduce(lambda a, b: code.op("arith.andi", a, b, type=bit), conditions)

        def taken() -> list[Any]:
            x = code.read(self.flats[self.x.value], code.add(self._place(self.x, at), *moved))
            y = code.read(self.flats[self.y.value], self._place(self.y, at))
            env = dict(zip(self.nest.arguments(), (x, y, total)))
            *body, last = self.nest.body()
            for op in body:
                env[op.result] = repeat(code, op, [env.get(v, v) for v in op.operands], None)
            return [env.get(last.operands[0], last.operands[0])]

        return code.either(is_term, [total.type], taken, lambda: [total])[0]

    def _place(self, a: Access, at: dict[int, Index]) -> Index:
        return self.code.place(a.strides, [at.get(d, 0) for d in range(len(a.strides))], a.offset)
