"""Sums of lines from the first term to the last, whose lanes are different lines."""

from __future__ import annotations

from typing import Any

from .sums import At
from .sums_minor import Minor
from .vector_code import Index


class Turned(Minor):
    """Squares of terms, as many lines as a vector has lanes, are transposed in registers.

    With `rows` = 1, lines are copied to scratch memory first, one after the other: that reads memory in one piece.
    """

    def write(self) -> None:
        code = self.code
        self.copies = self._scratch() if self.r.rows == 1 and code.threads == 1 else None
        super().write()
        if self.copies is not None:
            code.free(self.copies)

    def write_shared(self) -> bool:
        return False  # a line has one order

    def block(self, at: At, count: int) -> Any:
        if self.r.rows > 1:
            return self._sums(at, count, None)
        copies = self.copies if self.copies is not None else self._scratch()
        self._copy(at, count, copies)
        sums = self._sums(at, count, copies)
        if self.copies is None:
            self.code.free(copies)
        return sums

    @property
    def _line(self) -> int:
        """Elements of a copied line: whole vectors."""
        lanes = self.r.lanes
        return -(-self.p.extent(self.p.v) // lanes) * lanes

    def _scratch(self) -> Any:
        return self.code.scratch(self.p.dtype, self.r.lanes * self._line)

    def _copy(self, at: At, count: int, copies: Any) -> None:
        code, p, lanes = self.code, self.p, self.r.lanes
        whole, left = divmod(p.extent(p.v), lanes)

        def vector(i: Index, line: Index, used: int) -> None:
            there = {**at, p.v: i}
            if self.q is not None:
                there[self.q] = code.add(at[self.q], line)
            term = self.term(self.bases(there), {}, used)
            code.store(self.v, term, copies, code.add(code.times(line, self._line), i))

        with code.loop(0, count) as line:
            if whole:
                with code.loop(0, whole * lanes, lanes) as i:
                    vector(i, line, lanes)
            if left:
                vector(whole * lanes, line, left)

    def _sums(self, at: At, count: int, copies: Any | None) -> Any:
        """Sums of `count` lines, from memory or from where they were copied to."""
        code, p, lanes, v = self.code, self.p, self.r.lanes, self.v

        def add(i: Index, sums: list[Any], terms: int) -> list[Any]:
            if copies is None:
                bases = self.bases({**at, p.v: i})
                moved: list[At] = [{self.q: n} if self.q is not None else {} for n in range(count)]
                lines = [self.term(bases, m, terms) for m in moved]
            else:
                lines = [code.load(v, copies, code.add(i, n * self._line)) for n in range(count)]
            for x in code.turned(v, lines + [self.neutral] * (lanes - count))[:terms]:
                sums = [self.join(sums[0], x)]
            return sums

        whole, left = divmod(p.extent(p.v), lanes)
        sums = code.carried(0, whole * lanes, lanes, [self.start(at, self.q, count)], lambda i, s: add(i, s, lanes))
        return add(whole * lanes, sums, left)[0] if left else sums[0]
