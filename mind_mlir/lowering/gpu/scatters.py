"""Rows added by index, one update after the other: the loops that ScatterAdd is lowered to.

A block stands for an update. It looks whether an earlier one goes to the same row; if not, it adds that update and all
later ones to the row, in their order, and no other block writes there. So the bits are those of the loops, and rows
are added at the same time. Each block reads the indices of all other updates: time grows with the square of their
number, and a thread reads one index per iteration.

Under fast numerics every update is added by atomics, in whatever order the blocks run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..kernels.vector_code import Index
from ..mlir.copies import copied
from ..mlir.walk import children
from ..targets.chips import WARP
from .thread_code import GpuCode

KIND = "scatter"


@dataclass(frozen=True)
class Scatter:
    """Nested loops from 0, those over updates around those over columns.

    `finding` are the operations that find an update's row, from `position`; `adding` those that change the element at
    `row` and `columns`: `old` is its load, `new` what the store stores.
    """

    position: tuple[Any, ...]
    positions: tuple[int, ...]
    finding: tuple[Any, ...]
    row: Any
    columns: tuple[Any, ...]
    widths: tuple[int, ...]
    adding: tuple[Any, ...]
    old: Any
    store: Any


def match(loop: Any, constants: Mapping[Any, Any]) -> Scatter | None:
    """The loops of a scatter; None for other ones. `constants` are the operations that make the loops' bounds."""
    ivs: list[Any] = []
    extents: list[int] = []
    levels: list[list[Any]] = []
    op = loop
    while True:
        extent = _turns(op, constants)
        if extent is None or len(op.results):
            return None
        ivs.append(op.regions[0].blocks[0].arguments[0])
        extents.append(extent)
        body = [o for o in children(op) if o.name != "scf.yield"]
        inner = [o for o in body if len(o.regions)]
        levels.append([o for o in body if not len(o.regions)])
        if not inner:
            break
        if len(inner) > 1 or inner[0] is not body[-1] or inner[0].name != "scf.for":
            return None
        op = inner[0]
    last = levels[-1]
    if not last or last[-1].name != "memref.store" or any(o.name == "memref.store" for o in _flat(levels)[:-1]):
        return None
    store = last[-1]
    _, memory, row, *columns = store.operands
    loads = [o for o in _flat(levels) if o.name == "memref.load" and o.operands[0] == memory]
    if len(loads) != 1 or list(loads[0].operands)[1:] != [row, *columns]:
        return None
    first = len(ivs) - len(columns)
    if list(ivs[first:]) != list(columns) or first < 1 or prod(extents) == 0:
        return None
    everything = _flat(levels)[:-1]
    finding = _leading_to(everything, [row])
    if any(v in columns for o in finding for v in o.operands) or loads[0] in finding:
        return None
    adding = [o for o in everything if o not in finding]
    return Scatter(
        tuple(ivs[:first]),
        tuple(extents[:first]),
        tuple(finding),
        row,
        tuple(columns),
        tuple(extents[first:]),
        tuple(adding),
        loads[0],
        store,
    )


def _flat(levels: Sequence[Sequence[Any]]) -> list[Any]:
    return [o for level in levels for o in level]


def _turns(loop: Any, constants: Mapping[Any, Any]) -> int | None:
    """The iterations of a loop from 0 by 1 to a constant; None for other loops."""
    if loop.name != "scf.for":
        return None
    makers = [constants.get(v) for v in list(loop.operands)[:3]]
    low, high, step = (None if m is None else m.attributes["value"].value for m in makers)
    return high if low == 0 and step == 1 else None


def _leading_to(operations: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    wanted, found = set(values), []
    for op in reversed(operations):
        if any(r in wanted for r in op.results):
            wanted.update(op.operands)
            found.append(op)
    return found[::-1]


def emit(code: GpuCode, s: Scatter) -> None:
    """Write what one thread does."""
    count, width = prod(s.positions), prod(s.widths)
    if code.numerics == "fast" and (term := _added_term(s)) is not None:
        _emit_atomic(code, s, term)
        return
    threads = min(256, -(-max(width, WARP) // WARP) * WARP)
    code.launched([count], [threads])
    mine, thread = code.block_id(), code.thread_id()
    i32 = Scalars(DType.I32)
    found = code.shared(DType.I32, 1)
    row = _row(code, s, mine, {})
    with code.when(code.equal(thread, 0)):
        code.write(i32.number(0), found, 0)
    code.barrier()

    def look(other: Index, _: list[Any]) -> list[Any]:
        with code.when(code.equal(_row(code, s, other, {}), row)):
            code.write(i32.number(1), found, 0)
        return [i32.number(0)]

    code.stepped([thread, mine, code.index(threads)], i32.number(0), look)
    code.barrier()
    with code.when(i32.equal(code.read(found, 0), i32.number(0))), code.loop_from(thread, width, threads) as column:
        _add(code, s, mine, row, column, count)


def _added_term(s: Scatter) -> Any:
    """What is added, if the stored element is that and the old one; else None."""
    last = s.adding[-1]
    if last.name not in ("arith.addf", "arith.addi") or s.store.operands[0] != last.result:
        return None
    others = [v for v in last.operands if v != s.old.result]
    return others[0] if len(others) == 1 else None


def _emit_atomic(code: GpuCode, s: Scatter, term: Any) -> None:
    """A thread for every column of every update."""
    extents = [*s.positions, *s.widths]
    with code.one_thread_each(prod(extents)) as turn:
        at = [code.index(i) for i in code.taken_apart(turn, extents)]
        env: dict[Any, Any] = dict(zip((*s.position, *s.columns), at))
        for op in (*s.finding, *s.adding[:-1]):
            if op != s.old:
                copied(op, env)
        float_add, integer_add = 0, 1  # arith.AtomicRMWKind
        kind = float_add if s.adding[-1].name == "arith.addf" else integer_add
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), kind)
        place = [env.get(s.row, s.row), *at[len(s.positions) :]]
        code.op("memref.atomic_rmw", env.get(term, term), s.old.operands[0], *place, type=term.type, kind=number)


def _row(code: GpuCode, s: Scatter, position: Index, env: dict[Any, Any]) -> Any:
    """The row of an update; `env` takes what is computed on the way."""
    env.update(zip(s.position, (code.index(i) for i in code.taken_apart(position, s.positions))))
    for op in s.finding:
        copied(op, env)
    return env.get(s.row, s.row)


def _add(code: GpuCode, s: Scatter, first: Index, row: Any, column: Index, count: int) -> None:
    """One column of one row: the updates from number `first` on that go there."""
    memory, at = s.old.operands[0], [code.index(i) for i in code.taken_apart(column, s.widths)] if s.widths else []
    before = code.op("memref.load", memory, row, *at, type=s.old.result.type)

    def turn(position: Index, values: list[Any]) -> list[Any]:
        env: dict[Any, Any] = dict(zip(s.columns, at))
        here = _row(code, s, position, env)
        env[s.old.result] = values[0]

        def added() -> list[Any]:
            for op in s.adding:
                if op != s.old:
                    copied(op, env)
            return [env.get(s.store.operands[0], s.store.operands[0])]

        return code.either(code.equal(here, row), [values[0].type], added, lambda: [values[0]])

    after = code.stepped([first, code.index(count), code.index(1)], before, turn)
    code.op("memref.store", after, memory, row, *at)
