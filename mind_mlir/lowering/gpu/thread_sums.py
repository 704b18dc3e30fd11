"""Reductions with one thread for each element of the result: products, convolutions, sums, and their adjoints.

A thread adds its terms in the order of the loops. This works for every nest and is slow: it is for what the tiled
strategies do not take.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..kernels.chain import Ref, Step, Terms, evaluated, is_local, read_results
from ..kernels.nest import Access, Nest
from ..kernels.replay import can_replay, given, repeat
from ..kernels.vector_code import Index
from ..rules.choice import Choice
from ..targets.chips import Chip
from .thread_code import GpuCode


@dataclass(frozen=True)
class Record:
    """`threads` of a block."""

    threads: int


@dataclass(frozen=True)
class Problem:
    """A nest with reductions, what makes its terms, and what is made of its results.

    `elements` are what the body takes, of `terms.inputs` and `terms.steps`; `reads` and `stores` are those of `steps`
    on finished sums. Sums start from `initial`, or from what there is if that is None.
    """

    main: Nest
    terms: Terms
    elements: tuple[Ref, ...]
    initial: Any
    steps: tuple[Step, ...]
    reads: tuple[Access, ...]
    stores: tuple[tuple[Ref, Access], ...]

    @property
    def is_scattered(self) -> bool:
        """True if loops that add up move in the result: then sums wait in memory."""
        return any(r and s for r, s in zip(self.main.reduction, self.main.output.strides))

    def with_terms(self, code: GpuCode, inputs: Sequence[Any], total: Any, lanes: int | None) -> Any:
        """`total` with the terms of these elements, one of each of `terms.inputs`: the body of the nest.

        Vectors of `lanes`, or single elements if that is None.
        """
        known: dict[Ref, Any] = {("input", n): x for n, x in enumerate(inputs)}
        known = evaluated(code, self.terms.steps, known, lanes)
        *arguments, before = self.main.arguments()
        env = dict(zip(arguments, (known[ref] for ref in self.elements)))
        env[before] = total
        *body, last = self.main.body()
        for op in body:
            operands = [env[v] if v in env else given(code, v, lanes) for v in op.operands]
            env[op.result] = repeat(code, op, operands, lanes)
        return env.get(last.operands[0], last.operands[0])


def match(nests: Sequence[Nest]) -> Problem | None:
    """One nest with reductions, perhaps after a fill of its result, with element-wise operations around it."""
    at = next((n for n, nest in enumerate(nests) if not nest.is_elementwise), None)
    if at is None:
        return None
    main, after = nests[at], nests[at + 1 :]
    if 0 in main.extents or not can_replay(main) or any(n.op.name == "linalg.fill" for n in after):
        return None
    before = [n for n in nests[:at] if n.op.name != "linalg.fill" or n.output.value != main.output.value]
    initial = next((n.inputs[0].value for n in nests[:at] if n not in before), None)
    if initial is None and is_local(main.output.value):
        return None  # nobody has written what the sums start from
    terms = Terms(main)
    elements = []
    for argument in main.arguments()[:-1]:
        ref = terms.read(before, argument)
        if ref is None:
            return None
        elements.append(ref)
    found = read_results(main, after)
    if found is None:
        return None
    steps, reads, stores = found
    p = Problem(main, terms, tuple(elements), initial, tuple(steps), tuple(reads), tuple(stores))
    if p.is_scattered and (p.steps or p.initial is not None):
        return None  # no thread knows when such a sum is finished, or whether it is the first
    if p.initial is not None and not main.covers_result:
        return None
    written = {a.value for _, a in p.stores}
    others = [a for a in (*terms.inputs, *reads) if a.is_memory]
    if any(a.value in written and a.value != main.output.value for a in others):
        return None
    if not p.is_scattered and any(a.value == main.output.value for a in others):
        return None
    return p


def choose(p: Problem, chip: Chip, numerics: str) -> Choice[Record]:
    """Blocks of 128 threads."""
    return Choice("sums", Record(threads=128), ("one thread adds up each element",))


def emit(code: GpuCode, p: Problem, r: Record) -> None:
    """Write what one thread does."""
    _Emitter(code, p).write(r)


class _Emitter:
    def __init__(self, code: GpuCode, p: Problem) -> None:
        self.code, self.p = code, p
        main = p.main
        accesses = [*p.terms.inputs, *p.reads, main.output, *(a for _, a in p.stores)]
        # sums of the kernel's own never reach memory
        self.flats = {a.value: code.flat(a.value) for a in accesses if a.is_memory and not is_local(a.value)}
        dims = range(len(main.extents))
        # threads take neighbours along the loop in which the result moves least
        self.own = sorted((d for d in dims if not main.reduction[d]), key=lambda d: -main.output.strides[d])
        self.summed = [d for d in dims if main.reduction[d]]

    def write(self, r: Record) -> None:
        code, p = self.code, self.p
        extents = [p.main.extents[d] for d in self.own]
        with code.one_thread_each(prod(extents), r.threads) as turn:
            at: dict[int, Index] = dict(zip(self.own, code.taken_apart(turn, extents)))
            if p.is_scattered:
                self._add_in_memory(0, at)
                return
            initial = p.initial if p.initial is not None else self._read(p.main.output, at)
            total = self._added(0, at, initial)
            known: dict[Ref, Any] = {("sum", 0): total}
            known |= {("input", n): self._read(a, at) for n, a in enumerate(p.reads)}
            known = evaluated(code, p.steps, known, None)
            for ref, a in p.stores:
                code.write(known[ref], self.flats[a.value], self._place(a, at))

    def _added(self, k: int, at: dict[int, Index], total: Any) -> Any:
        """The sum over the loops from number k of `summed` on, added to `total`."""
        if k == len(self.summed):
            return self._next(at, total)
        d = self.summed[k]

        def body(i: Index, values: list[Any]) -> list[Any]:
            return [self._added(k + 1, {**at, d: i}, values[0])]

        return self.code.carried(0, self.p.main.extents[d], 1, [total], body)[0]

    def _add_in_memory(self, k: int, at: dict[int, Index]) -> None:
        """The same for sums that wait in memory."""
        if k < len(self.summed):
            d = self.summed[k]
            with self.code.loop(0, self.p.main.extents[d]) as i:
                self._add_in_memory(k + 1, {**at, d: i})
            return
        out = self.p.main.output
        place = self._place(out, at)
        flat = self.flats[out.value]
        self.code.write(self._next(at, self.code.read(flat, place)), flat, place)

    def _next(self, at: dict[int, Index], total: Any) -> Any:
        """`total` with one term more."""
        return self.p.with_terms(self.code, [self._read(a, at) for a in self.p.terms.inputs], total, None)

    def _read(self, a: Access, at: dict[int, Index]) -> Any:
        return self.code.read(self.flats[a.value], self._place(a, at)) if a.is_memory else a.value

    def _place(self, a: Access, at: dict[int, Index]) -> Index:
        indices = [at.get(d, 0) for d in range(len(a.strides))]  # summed loops do not move in results
        return self.code.place(a.strides, indices, a.offset)
