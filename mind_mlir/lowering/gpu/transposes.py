"""Element-wise operations with transposed operands: squares of elements are transposed in shared memory.

A block computes a square of SIDE x SIDE elements of the result. Its threads read the transposed operand in
the order of its memory, store the elements in shared memory, and read them from there in the order of the result's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..kernels.element_program import Computed, Given, Program, Read, read_program
from ..kernels.nest import Access, Nest, dtype_of
from ..kernels.replay import repeat
from ..kernels.vector_code import Index
from ..rules.choice import Choice
from ..targets.chips import Chip
from .thread_code import GpuCode

SIDE = 32


@dataclass(frozen=True)
class Record:
    """A block has SIDE x `rows` threads."""

    rows: int


@dataclass(frozen=True)
class Problem:
    """A program, the loop along which some of its reads are contiguous, and which nodes those are."""

    program: Program
    across: int
    turned: frozenset[int]


def match(nests: Sequence[Nest]) -> Problem | None:
    """Operations without reductions, some of whose operands are contiguous along another loop than the result."""
    p = read_program(nests)
    if p is None or p.frame or len(p.extents) < 2:
        return None
    last = len(p.extents) - 1
    turned: dict[int, int] = {}
    for i, n in enumerate(p.nodes):
        if isinstance(n, Read) and not n.rows and n.access.strides[last] > 1:
            along = [d for d in range(last) if n.access.strides[d] == 1 and p.extents[d] > 1]
            if along:
                turned[i] = along[0]
    loops = set(turned.values())
    if len(loops) != 1 or any(s.access.strides[last] != 1 for s in p.stores):
        return None
    return Problem(p, loops.pop(), frozenset(turned))


def choose(p: Problem, chip: Chip, numerics: str) -> Choice[Record]:
    """Eight rows of threads; none where the square would be mostly empty."""
    extents = p.program.extents
    if min(extents[p.across], extents[-1]) < 8:
        return Choice("transpose", None, (f"squares of {SIDE} x {SIDE} would be mostly empty",))
    if len(p.turned) > 4:
        return Choice("transpose", None, (f"{len(p.turned)} operands would need a square of shared memory each",))
    return Choice("transpose", Record(rows=8), (f"a block of {SIDE} x 8 threads turns a square of {SIDE} x {SIDE}",))


def fault(p: Problem, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
    """The field of a record that cannot be used, and why; None if all can."""
    if record.rows < 1 or SIDE % record.rows:
        return "rows", f"rows divides {SIDE}, found {record.rows}"
    return None


def emit(code: GpuCode, p: Problem, r: Record) -> None:
    """Write what one thread does. ValueError for a record that cannot be used."""
    if (found := fault(p, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    _Emitter(code, p, r).write()


class _Emitter:
    def __init__(self, code: GpuCode, problem: Problem, r: Record) -> None:
        self.code, self.problem, self.p, self.r = code, problem, problem.program, r
        self.flats = {a.value: code.flat(a.value) for a in self.p.accesses}
        self.last = len(self.p.extents) - 1
        self.pitch = SIDE + 1  # the elements of a column of the square are in different banks

    def write(self) -> None:
        code, p, across = self.code, self.p, self.problem.across
        others = [d for d in range(self.last) if d != across]
        tiles = [-(-p.extents[d] // SIDE) for d in (across, self.last)]
        grid = 1
        for n in (*(p.extents[d] for d in others), *tiles):
            grid *= n
        code.launched([grid], [SIDE, self.r.rows])
        *turns, down, along = code.taken_apart(code.block_id(), [*(p.extents[d] for d in others), *tiles])
        self.outer = dict(zip(others, turns))
        self.start = {across: code.times(down, SIDE), self.last: code.times(along, SIDE)}
        x, y = code.thread_id("x"), code.thread_id("y")
        squares = {i: self._bring(self._access(i), x, y) for i in sorted(self.problem.turned)}
        code.barrier()
        for k in range(0, SIDE, self.r.rows):
            row = code.add(y, k)
            here = {across: code.add(self.start[across], row), self.last: code.add(self.start[self.last], x)}
            with self._inside(here):
                self._compute({**self.outer, **here}, squares, row, x)

    def _access(self, i: int) -> Access:
        n = self.p.nodes[i]
        assert isinstance(n, Read), "what is transposed is read"
        return n.access

    def _bring(self, a: Access, x: Index, y: Index) -> Any:
        """The square of an operand in shared memory, one of its own lines after the other."""
        code, across = self.code, self.problem.across
        memory = code.shared(dtype_of(a.value), SIDE * self.pitch)
        for k in range(0, SIDE, self.r.rows):
            line = code.add(y, k)
            here = {across: code.add(self.start[across], x), self.last: code.add(self.start[self.last], line)}
            with self._inside(here):
                value = code.read(self.flats[a.value], self._place(a, {**self.outer, **here}))
                code.write(value, memory, code.add(code.times(line, self.pitch), x))
        return memory

    def _inside(self, here: dict[int, Index]) -> Any:
        """What is written within runs where these indices are within the extents of their loops."""
        code = self.code
        conditions = [code.below(i, self.p.extents[d]) for d, i in here.items() if self.p.extents[d] % SIDE]
        return code.when_all(conditions)

    def _compute(self, at: dict[int, Index], squares: dict[int, Any], row: Index, x: Index) -> None:
        code = self.code
        known: list[Any] = []
        for i, n in enumerate(self.p.nodes):
            match n:
                case Given():
                    known.append(n.value)
                case Read() if i in squares:
                    known.append(code.read(squares[i], code.add(code.times(x, self.pitch), row)))
                case Read():
                    rows = [code.times(known[k], stride) for k, stride in n.rows]
                    known.append(code.read(self.flats[n.access.value], code.add(*rows, self._place(n.access, at))))
                case Computed():
                    known.append(repeat(code, n.op, [known[k] for k in n.sources], None))
        for s in self.p.stores:
            code.write(known[s.node], self.flats[s.access.value], self._place(s.access, at))

    def _place(self, a: Access, at: dict[int, Index]) -> Index:
        return self.code.place(a.strides, [at[d] for d in range(len(a.strides))], a.offset)
