"""The second kernel of a product in parts: one thread for each sum, which adds its parts in their order."""

from __future__ import annotations

from typing import Any

from ...emit.scalars import Scalars
from ...kernels.vector_code import Index
from .product_tiles import Tiles

AT_ONCE = 8
"""How many parts are read before they are added, since reading memory takes long."""


class SumOfParts(Tiles):
    """Writes the kernel."""

    def write(self) -> None:
        """Write the whole kernel."""
        code, g = self.code, self.roles
        batches = [g.batches.size] if g.batches.dims else []
        with code.one_thread_each(self.sums) as number:
            *batch, row, column = code.taken_apart(number, [*batches, g.rows.size, g.columns.size])
            self.batch = batch[0] if batch else 0
            self._store(self._added(number, self._initial(row, column)), row, column)

    def _initial(self, row: Index, column: Index) -> Any:
        """What the sum starts from."""
        if self.p.initial is not None:
            return self.p.initial
        return self.code.read(self.flats[self.out.value], self._place(self.out, row, column))

    def _added(self, number: Index, total: Any) -> Any:
        """All parts of a sum, added to `total`."""
        code, parts = self.code, self.r.parts
        whole = parts - parts % AT_ONCE

        def turn(first: Index, totals: list[Any]) -> list[Any]:
            return [self._with(totals[0], number, first, AT_ONCE)]

        (total,) = code.carried(0, whole, AT_ONCE, [total], turn)
        return self._with(total, number, whole, parts - whole)

    def _with(self, total: Any, number: Index, first: Index, count: int) -> Any:
        """`total` with so many parts."""
        code = self.code
        found = [code.read(self.parts, self.part_place(code.add(first, n), number)) for n in range(count)]
        for part in found:
            total = Scalars(self.p.dtype).add(total, part)
        return total
