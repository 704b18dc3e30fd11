"""Element-wise operations, gathers and slices: a thread for each element of the result, or for WIDE neighbours.

The threads of a warp access neighbours along the loop with the smallest stride in the result. Where all accesses along
that loop are aligned pieces of WIDE elements, a thread reads or writes such a piece by one instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from mlir import ir

from ..emit.scalars import Scalars
from ..kernels.element_program import Computed, Given, Program, Read, read_program
from ..kernels.nest import Access, Nest, dtype_of
from ..kernels.replay import given, repeat
from ..kernels.vector_code import Index
from ..rules.choice import Choice
from ..targets.chips import WIDE, Chip
from .thread_code import GpuCode


@dataclass(frozen=True)
class Record:
    """`threads` of a block, and how many neighbours each of them computes: `lanes` is 1 or WIDE."""

    threads: int
    lanes: int


def match(nests: Sequence[Nest]) -> Program | None:
    """Operations without reductions over the same elements."""
    p = read_program(nests)
    return None if p is None or p.frame else p


def choose(p: Program, chip: Chip, numerics: str) -> Choice[Record]:
    """Blocks of 256 threads, with WIDE elements each where memory allows it."""
    lanes = WIDE if _fits(p) else 1
    moves = "all that moves comes" if lanes > 1 else "not all that moves comes"
    why = f"lanes: {lanes}, as {moves} in aligned pieces of {WIDE} elements"
    return Choice("elements", Record(threads=256, lanes=lanes), (why,))


def fault(p: Program, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
    """The field of a record that cannot be used, and why; None if all can."""
    if not 32 <= record.threads <= 1024 or record.threads % 32:
        return "threads", f"a block has 32 to 1024 threads, in warps, found {record.threads}"
    if record.lanes not in (1, WIDE) or (record.lanes == WIDE and not _fits(p)):
        return "lanes", f"a thread computes 1 element, or {WIDE} where memory is aligned, found {record.lanes}"
    return None


def _fits(p: Program) -> bool:
    """True if WIDE iterations of the last loop are aligned pieces in every access that moves along it."""
    if not p.extents or p.extents[-1] % WIDE:
        return False
    for n, moves in zip(p.nodes, p.moves):
        if isinstance(n, Read) and moves[-1]:
            picked_along = any(p.moves[i][-1] for i, _ in n.rows)
            if picked_along or any(stride % WIDE for _, stride in n.rows) or not _is_wide(n.access):
                return False
    return all(_is_wide(s.access) for s in p.stores)


def _is_wide(a: Access) -> bool:
    *others, last = a.strides
    _, offset = ir.MemRefType(a.value.type).get_strides_and_offset()
    return last == 1 and (a.offset + offset) % WIDE == 0 and all(s % WIDE == 0 for s in others)


def emit(code: GpuCode, p: Program, r: Record) -> None:
    """Write what one thread does. ValueError for a record that cannot be used."""
    if (found := fault(p, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    _Emitter(code, p, r).write()


class _Emitter:
    def __init__(self, code: GpuCode, p: Program, r: Record) -> None:
        self.code, self.p, self.r = code, p, r
        self.flats = {a.value: code.flat(a.value) for a in p.accesses}
        self.lanes = None if r.lanes == 1 else r.lanes

    def write(self) -> None:
        code, p = self.code, self.p
        extents = list(p.extents)
        if self.lanes:
            extents[-1] //= self.lanes
        with code.one_thread_each(prod(extents), self.r.threads) as turn:
            at = code.taken_apart(turn, extents)
            if self.lanes:
                at[-1] = code.times(at[-1], self.lanes)
            single: dict[int, Any] = {}
            known: list[Any] = []
            for i in range(len(p.nodes)):
                known.append(self._node(i, at, known, single))
            for s in p.stores:
                place = code.place(s.access.strides, at, s.access.offset)
                if self.lanes:
                    v = Scalars(dtype_of(s.access.value), self.lanes)
                    code.store_aligned(v, known[s.node], self.flats[s.access.value], place)
                else:
                    code.write(known[s.node], self.flats[s.access.value], place)

    def _node(self, i: int, at: Sequence[Index], known: Sequence[Any], single: dict[int, Any]) -> Any:
        """What a node is at a thread's elements; `single` are those that are the same at all of them."""
        code, n = self.code, self.p.nodes[i]
        moves = bool(self.lanes) and self.p.moves[i][-1]
        match n:
            case Given():
                single[i] = n.value
            case Read():
                flat, place = self.flats[n.access.value], self._place(n, at, known, single)
                if moves:
                    return code.load_aligned(Scalars(dtype_of(n.access.value), self.lanes), flat, place)
                single[i] = code.read(flat, place)
            case Computed():
                if moves:
                    return repeat(code, n.op, [known[k] for k in n.sources], self.lanes)
                single[i] = repeat(code, n.op, [single[k] for k in n.sources], None)
        return given(code, single[i], self.lanes)

    def _place(self, n: Read, at: Sequence[Index], known: Sequence[Any], single: dict[int, Any]) -> Index:
        rows = [self.code.times(single[i], stride) for i, stride in n.rows]
        return self.code.add(*rows, self.code.place(n.access.strides, at, n.access.offset))
