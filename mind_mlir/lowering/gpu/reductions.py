"""Sums whose terms may be added in any order: several threads for each, in an order that shape alone decides.

Whether any of many flags is set is such a sum too.

`lanes` threads of a block share a sum: each adds every `lanes`-th term, or piece of WIDE terms, and shared memory
holds their parts, which are added as a tree. Where terms of a sum are neighbours in memory, so are the threads of a
sum; else the threads of neighbouring sums are. Where sums are few and long, each is cut into `parts`
(partial_sums.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from ..emit.scalars import Scalars
from ..kernels.chain import Ref, evaluated, is_local
from ..kernels.nest import Access, Nest, dtype_of
from ..kernels.replay import given
from ..kernels.vector_code import Index
from ..rules import gpu_sum_rules
from ..rules.choice import Choice
from ..rules.gpu_sum_rules import GpuSum, GpuSumRecord, choose_gpu_sum
from ..targets.chips import Chip
from .groups import Group, is_wide
from .partial_sums import memory_of_parts, stage_of
from .thread_code import GpuCode
from .thread_sums import Problem, match as match_sum


def match(nests: Sequence[Nest]) -> Problem | None:
    """A sum that may be reordered, from a fill, with element-wise operations around it."""
    p = match_sum(nests)
    if p is None or p.is_scattered or p.initial is None or not _may_be_reordered(p.main):
        return None
    return p


def _may_be_reordered(main: Nest) -> bool:
    *body, _ = main.body()
    total = body[-1] if body else None
    if total is None or total.name not in ("arith.addf", "arith.addi", "arith.ori"):
        return False
    before = main.arguments()[-1]
    if before not in list(total.operands) or sum(before in list(o.operands) for o in body) > 1:
        return False
    return total.name != "arith.addf" or "reassoc" in str(total.attributes.get("fastmath", ""))


def elements_of_parts(nests: Sequence[Nest]) -> int | None:
    """How many elements one part of every sum is; None if the nests are no such sums."""
    p = match(nests)
    return None if p is None else groups(p)[0].size


def groups(p: Problem) -> tuple[Group, Group]:
    """The loops over sums, by the memory of the result, and those over terms."""
    main = p.main
    dims = range(len(main.extents))
    free = sorted((d for d in dims if not main.reduction[d]), key=lambda d: -main.output.strides[d])
    return Group.of(main, free), Group.of(main, [d for d in dims if main.reduction[d]])


def choose(p: Problem, chip: Chip, numerics: str) -> Choice[GpuSumRecord]:
    """The record for a sum."""
    return choose_gpu_sum(_plain(p), chip, numerics)


def _plain(p: Problem) -> GpuSum:
    """What the rules see of a sum."""
    sums, terms = groups(p)
    moving = [a for a in p.terms.inputs if a.is_memory and any(a.strides[d] for d in terms.dims)]
    return GpuSum(
        sums.size,
        terms.size,
        along_terms=any(terms.starts_along(a) for a in moving),
        along_sums=any(sums.starts_along(a) for a in moving),
        is_wide=bool(moving) and all(is_wide(p.main, a, terms) for a in moving),
    )


def fault(p: Problem, record: GpuSumRecord, chosen: GpuSumRecord, chip: Chip) -> tuple[str, str] | None:
    """The field of a record that cannot be used, and why; None if all can."""
    return gpu_sum_rules.fault(record, chosen.terms)


def emit(code: GpuCode, p: Problem, r: GpuSumRecord) -> None:
    """Write what one thread does. ValueError for a record that cannot be used."""
    chosen = choose(p, code.chip, code.numerics).record
    if (found := gpu_sum_rules.fault(r, 1 if chosen is None else chosen.terms)) is not None:
        raise ValueError(found[1])
    _Emitter(code, p, r).write()


class _Emitter:
    def __init__(self, code: GpuCode, p: Problem, r: GpuSumRecord) -> None:
        self.code, self.p, self.r = code, p, r
        self.sums, self.terms = groups(p)
        self.dtype = p.main.dtype
        self.element = Scalars(self.dtype)
        self.lanes = None if r.terms == 1 else r.terms
        *_, joining, _ = p.main.body()
        self.joining = joining.name  # that of terms joins sums as well: it adds, or finds bits; 0 changes nothing
        accesses = [*p.terms.inputs, *p.reads, *(a for _, a in p.stores)]
        self.flats = {a.value: code.flat(a.value) for a in accesses if a.is_memory and not is_local(a.value)}
        self.stage = stage_of(code, r.parts)
        self.parts = memory_of_parts(code) if self.stage else None

    def write(self) -> None:
        code, r = self.code, self.r
        blocks = -(-self.sums.size // r.sums)
        parts = r.parts if self.stage == "parts" else 1
        code.launched([blocks * parts], [r.lanes * r.sums])
        thread = code.thread_id()
        block, self.part = code.taken_apart(code.block_id(), [blocks, parts])
        if r.minor:
            mine, lane, step = code.quotient(thread, r.lanes), code.remainder(thread, r.lanes), 1
        else:
            mine, lane, step = code.remainder(thread, r.sums), code.quotient(thread, r.sums), r.sums
        number = code.add(code.times(block, r.sums), mine)
        exists = code.below(number, self.sums.size) if self.sums.size % r.sums else None
        zero = self.element.number(0)

        def part() -> list[Any]:
            return [self._part(number, lane)]

        (total,) = part() if exists is None else code.either(exists, [zero.type], part, lambda: [zero])
        total = self._shared_out(total, thread, lane, step)
        last = code.equal(lane, 0)
        if exists is not None:
            last = self.element.both(last, exists)
        with code.when(last):
            if self.stage == "parts":
                code.write(total, self.parts, code.add(code.times(number, r.parts), self.part))
            else:
                self._finish(number, total)

    def _part(self, number: Index, lane: Index) -> Any:
        """What one thread adds of sum `number`."""
        code, r = self.code, self.r
        if self.stage == "finish":
            return self._sum_of_parts(number, lane)
        at = dict(zip(self.sums.dims, code.taken_apart(number, self.sums.extents)))
        per = r.terms
        turns = self.terms.size // per
        v = Scalars(self.dtype, self.lanes)
        zero = code.zeros(v) if self.lanes else self.element.number(0)

        def turn(i: Index, values: list[Any]) -> list[Any]:
            term = code.times(i, per)
            here = {**at, **dict(zip(self.terms.dims, code.taken_apart(term, self.terms.extents)))}
            return [self._next(here, values[0])]

        # lane, lane + lanes, …: a loop whose bounds depend on the thread
        chunk = -(-turns // r.parts)
        low = code.times(self.part, chunk)
        high = code.least(code.add(low, chunk), turns)
        bounds = [code.index(code.add(low, lane)), code.index(high), code.index(r.lanes)]
        total = code.stepped(bounds, zero, turn)
        if not self.lanes:
            return total
        if self.joining != "arith.ori":
            return code.total(v, total)
        return reduce(self._joined, [code.lane(v, total, n) for n in range(self.lanes)])

    def _joined(self, a: Any, b: Any) -> Any:
        """Two sums as one."""
        return self.element.op("arith.ori", a, b) if self.joining == "arith.ori" else self.element.add(a, b)

    def _sum_of_parts(self, number: Index, lane: Index) -> Any:
        code, r = self.code, self.r

        def turn(i: Index, values: list[Any]) -> list[Any]:
            part = code.read(self.parts, code.add(code.times(number, r.parts), i))
            return [self._joined(values[0], part)]

        bounds = [code.index(lane), code.index(r.parts), code.index(r.lanes)]
        return code.stepped(bounds, self.element.number(0), turn)

    def _next(self, at: dict[int, Index], total: Any) -> Any:
        """`total` with the terms at these indices."""
        return self.p.with_terms(self.code, [self._read(a, at) for a in self.p.terms.inputs], total, self.lanes)

    def _given(self, v: Any) -> Any:
        return given(self.code, v, self.lanes)

    def _read(self, a: Access, at: dict[int, Index]) -> Any:
        if not a.is_memory:
            return self._given(a.value)
        code = self.code
        place = code.place(a.strides, [at.get(d, 0) for d in range(len(a.strides))], a.offset)
        flat = self.flats[a.value]
        if self.lanes and any(a.strides[d] for d in self.terms.dims):
            return code.load_aligned(Scalars(dtype_of(a.value), self.lanes), flat, place)
        return self._given(code.read(flat, place))

    def _shared_out(self, total: Any, thread: Index, lane: Index, step: int) -> Any:
        """The sum of all lanes, at lane 0: halves are added until one is left."""
        code, r = self.code, self.r
        if r.lanes == 1:
            return total
        memory = code.shared(self.dtype, r.lanes * r.sums)
        code.write(total, memory, thread)
        width = r.lanes // 2
        while width:
            code.barrier()
            with code.when(code.below(lane, width)):
                other = code.read(memory, code.add(thread, width * step))
                code.write(self._joined(code.read(memory, thread), other), memory, thread)
            width //= 2
        code.barrier()
        return code.read(memory, thread)

    def _finish(self, number: Index, total: Any) -> None:
        code, p = self.code, self.p
        at = dict(zip(self.sums.dims, code.taken_apart(number, self.sums.extents)))

        def place(a: Access) -> Index:
            return code.place(a.strides, [at.get(d, 0) for d in range(len(a.strides))], a.offset)

        total = self._joined(p.initial, total)
        known: dict[Ref, Any] = {("sum", 0): total}
        for n, a in enumerate(p.reads):
            known["input", n] = code.read(self.flats[a.value], place(a)) if a.is_memory else a.value
        known = evaluated(code, p.steps, known, None)
        for ref, a in p.stores:
            code.write(known[ref], self.flats[a.value], place(a))
