"""How each operation of a module is cut, and the local module that comes of it; see partition.py."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...ir import (
    Builder,
    Linearity,
    MindError,
    Module,
    Operation,
    PartitionSpec,
    Reject,
    TensorType,
    Value,
    ValueId,
)
from ..propagate import is_zero
from ..verify import place as placed_error
from ..verify import where
from .dimensions import ROWS, Dimensions, dimensions_of
from .moves import Move, cost, moves
from .padding import Masks
from .rows import from_row, settled

DEEPEST = 32
"""Operations in a row that wait for something to use them."""

PRODUCTS_PER_BYTE = 64
"""Multiplications that a rank does in the time in which it sends a byte: of the order of machines that are sharded for.

Without it, a product would gather two small operands for a large result, and every rank would compute all of it.
"""

MOST_CHOICES = 1024
"""Ways to cut one operation that are compared."""


@dataclass(frozen=True)
class Communication:
    """One operation between ranks of a partitioned module."""

    opcode: str
    axis: str
    nbytes: int
    """Bytes that each rank sends, in a ring."""
    of: ValueId
    """The value of the module in global view that moves."""


@dataclass(frozen=True)
class Partitioned:
    """What each rank runs, and how Inputs and outputs lie."""

    module: Module
    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    communication: tuple[Communication, ...]


@dataclass
class _Entry:
    """What is known of a value: `spec` is how it lies, None where that is open."""

    o: Operation
    dims: Dimensions
    spec: PartitionSpec | None
    waits: bool
    depth: int


class Partitioner:
    """Writes the local module of a module that `global_view` gives."""

    def __init__(self, m: Module) -> None:
        assert m.mesh is not None, "global_view checks for it"
        self.m, self.mesh = m, m.mesh
        self.b = Builder(m.source, m.mesh)
        self.entries: dict[ValueId, _Entry] = {}
        self.made: dict[ValueId, dict[PartitionSpec, Value]] = {}
        self.clean: set[ValueId] = set()  # local values whose padding is zeros
        self.masks = Masks(self.b, self.mesh)
        self.communication: list[Communication] = []
        self.gradient_of = {g: x for x, g in m.gradients}
        self.results = set(m.outputs)

    def run(self) -> Partitioned:
        """The local module."""
        self.place_all()
        specs = [self._final(i) for i in self.m.outputs]
        outputs = [self.get(i, spec) for i, spec in zip(self.m.outputs, specs)]
        gradients = [(self.get(x, self._final(x)), self.get(g, self._final(x))) for x, g in self.m.gradients]
        local = self.b.finish(outputs, gradients)
        notes = {}
        for o, mine in zip(self.m.inputs, local.inputs):
            spec = self.known(o.id)
            if spec is not None and spec.used():
                notes[mine.id] = f"{spec} of {o.type}"
        inputs = tuple(self.known(o.id) or PartitionSpec.replicated(o.type.rank) for o in self.m.inputs)
        return Partitioned(replace(local, notes=notes), inputs, tuple(specs), tuple(self.communication))

    def place_all(self) -> None:
        """Decide for every operation, in order."""
        for o in self.m.operations:
            try:
                self._place(o)
            except Reject as why:
                raise MindError([placed_error(self.m, o, why)]) from None

    def known(self, id: ValueId) -> PartitionSpec | None:
        """How a value lies; None where that is open."""
        return self.entries[id].spec

    def _final(self, id: ValueId) -> PartitionSpec:
        """How an output lies: as is known, without partial sums unless the module says so."""
        spec = self.known(id)
        if spec is None:
            return PartitionSpec.replicated(self.m[id].type.rank)
        return spec if self.m[id].sharding is not None else spec.resolved

    # One operation

    def _place(self, o: Operation) -> None:
        dims = dimensions_of(self.m, o)
        wanted = o.sharding
        if wanted is None and o.id in self.gradient_of:
            like = self.known(self.gradient_of[o.id])
            wanted = None if like is None else like.resolved
        entry = _Entry(o, dims, None, False, 0)
        self.entries[o.id] = entry
        self.made[o.id] = {}
        if o.opcode == "Input":
            entry.spec = o.sharding or PartitionSpec.replicated(o.type.rank)
            local = self._local(o.type, entry.spec)
            v = self.b.append(replace(o.op, type=local), (), local, o.span)  # type: ignore[type-var]
            self.clean.add(v.id)
            self.made[o.id][entry.spec] = v
            return
        if o.op.placement is not None:
            self._reshard(o, entry, o.op.placement)
            return
        if self._can_wait(o, dims) and wanted in (None, waiting := self._while_waiting(o, dims)):
            entry.spec, entry.waits = waiting, True
            entry.depth = 1 + max((self.entries[i].depth for i in o.operands), default=0)
            return
        spec, v = self._cut(o, dims, wanted)
        self.made[o.id][spec] = v
        if wanted is None:
            wanted = settled(o, dims, spec, self.known)
        if wanted is None and o.id in self.results:
            wanted = spec.resolved
        entry.spec = spec if wanted is None else wanted
        self.get(o.id, entry.spec)

    def _reshard(self, o: Operation, entry: _Entry, to: PartitionSpec) -> None:
        (x,) = o.operands
        source = self.known(x)
        if not set(to.unreduced) <= set(source.unreduced if source is not None else ()):
            here, there = where(self.m, o, "to"), where(self.m, self.m[x], "value")
            message = f"%{x} lies {'anywhere' if source is None else f'as {source}'} and cannot become {to}"
            note = "partial sums come from contractions over a dimension that is cut, never from a Reshard"
            why = Reject("E8005", message, note=note, at="to")
            found = why.located(*here)
            raise MindError([replace(found, related=((there[1], f"%{x} is defined here"),))])
        entry.spec = to
        self.made[o.id][to] = self.get(x, to)

    def _can_wait(self, o: Operation, dims: Dimensions) -> bool:
        """True for what is made of constants, and for what only moves elements and loses none."""
        known = [self.known(i) for i in o.operands]
        if dims.contracted or max((self.entries[i].depth for i in o.operands), default=0) >= DEEPEST:
            return False
        if all(spec is None for spec in known):
            return True
        moves_only = len(known) == 1 and o.op.linearity is Linearity.JOINT and o.op.keeps_nan_bits
        return moves_only and o.type.size >= self.m[o.operands[0]].type.size

    def _while_waiting(self, o: Operation, dims: Dimensions) -> PartitionSpec | None:
        """How the value lies that an operation which waits would give; None where that is open."""
        spec = self.known(o.operands[0]) if o.operands else None
        if spec is None:
            return None
        by_name = dims.possible(self.mesh, dict(dims.cuts(self.mesh, dims.operands[0], spec)))
        return PartitionSpec(*dims.axes(dims.result, by_name), unreduced=spec.unreduced)

    def _cut(self, o: Operation, dims: Dimensions, wanted: PartitionSpec | None) -> tuple[PartitionSpec, Value]:
        """The cheapest way to compute an operation in pieces: bytes that it sends, and what each rank computes."""
        best: tuple[float, int] | None = None
        chosen: tuple[dict[str, tuple[str, ...]], tuple[str, ...]] | None = None
        for by_name, kept in self._choices(o, dims, wanted):
            spec = self._result(dims, by_name, kept)
            try:
                goal = settled(o, dims, spec, self.known) if wanted is None else wanted
                price = self._price(o, dims, by_name, kept) + self._after(o.type, spec, goal)
            except Reject:
                continue  # it cannot become what is wanted
            work = self._work(o, dims, by_name)
            total = price + work / PRODUCTS_PER_BYTE
            if best is None or (total, work) < best:
                best, chosen = (total, work), (by_name, kept)
        if chosen is None:
            assert wanted is not None, "without a wish, whole operands always do"
            raise Reject("E8005", f"{o.opcode} gives no partial sums over {', '.join(wanted.unreduced)}", at="sharding")
        return self._emit(o, dims, *chosen)

    def _work(self, o: Operation, dims: Dimensions, by_name: dict[str, tuple[str, ...]]) -> int:
        """Elements that a rank goes through: of all dimensions that are the same ones, and of what stays whole.

        Of rows that indices count, only those that they name.
        """
        cut = math.prod(-(-n // self.mesh.parts(by_name.get(d, ()))) for d, n in dims.extents.items() if d != ROWS)
        return cut * dims.whole

    def _choices(
        self, o: Operation, dims: Dimensions, wanted: PartitionSpec | None
    ) -> Iterator[tuple[dict[str, tuple[str, ...]], tuple[str, ...]]]:
        """Axes for each name, and over which axes partial sums of the operands stay partial sums."""
        candidates: dict[str, list[tuple[str, ...]]] = {name: [] for name in dims.extents}
        wishes = [(dims.result, wanted)] if wanted is not None else []
        for term, spec in [*((t, self.known(i)) for t, i in zip(dims.operands, o.operands)), *wishes]:
            for name, axes in dims.cuts(self.mesh, term, spec) if spec is not None else ():
                if axes not in candidates[name]:
                    candidates[name].append(axes)
        if wanted is not None:  # a contraction over what makes the partial sums that are wanted
            for name in dims.contracted:
                candidates[name] += [(a,) for a in wanted.unreduced if (a,) not in candidates[name]]
        names = [name for name, found in candidates.items() if found]
        sets = [[*candidates[name], ()] for name in names]
        partial = self._keepable(o)
        keeps = [c for n in range(len(partial), -1, -1) for c in itertools.combinations(partial, n)]
        ways = itertools.product(keeps, *sets)
        for kept, *groups in itertools.islice(ways, MOST_CHOICES):
            used = [*kept, *itertools.chain.from_iterable(groups)]
            if len(set(used)) == len(used):
                yield dims.possible(self.mesh, {name: axes for name, axes in zip(names, groups) if axes}), kept
        yield {}, ()

    def _keepable(self, o: Operation) -> tuple[str, ...]:
        """Axes over which the operation takes partial sums to partial sums: it is linear in the operands that are."""
        over: dict[str, set[int]] = {}
        for n, i in enumerate(o.operands):
            for axis in (self.known(i) or PartitionSpec()).unreduced:
                over.setdefault(axis, set()).add(n)
        return tuple(axis for axis, which in sorted(over.items()) if self._linear(o, which))

    def _linear(self, o: Operation, which: set[int]) -> bool:
        if not o.op.linear_in(frozenset(which)):
            return False
        if not o.type.dtype.is_float:
            return len(o.operands) == 1
        others = [i for n, i in enumerate(o.operands) if n not in which and self.m[i].type.dtype.is_float]
        return o.op.linearity is not Linearity.JOINT or all(is_zero(i, self.m.__getitem__) for i in others)

    def _result(self, dims: Dimensions, by_name: dict[str, tuple[str, ...]], kept: Sequence[str]) -> PartitionSpec:
        axes = dims.axes(dims.result, by_name)
        return PartitionSpec(*axes, unreduced=[*kept, *(a for d in dims.contracted for a in by_name.get(d, ()))])

    def _wants(
        self, o: Operation, dims: Dimensions, by_name: dict[str, tuple[str, ...]], kept: Sequence[str]
    ) -> list[PartitionSpec]:
        """How each operand is to lie."""
        out = []
        for term, i in zip(dims.operands, o.operands):
            have = (self.known(i) or PartitionSpec()).unreduced
            out.append(PartitionSpec(*dims.axes(term, by_name), unreduced=[a for a in kept if a in have]))
        return out

    def _price(self, o: Operation, dims: Dimensions, by_name: dict[str, tuple[str, ...]], kept: Sequence[str]) -> int:
        wants = dict.fromkeys(zip(o.operands, self._wants(o, dims, by_name, kept)))
        return sum(self.cost(i, want) for i, want in wants)

    def _after(self, type: TensorType, spec: PartitionSpec, wanted: PartitionSpec | None) -> int:
        """Bytes until the result lies as wanted, or is no partial sum."""
        return cost(self.mesh, type, spec, spec.resolved if wanted is None else wanted)

    def _emit(
        self, o: Operation, dims: Dimensions, by_name: dict[str, tuple[str, ...]], kept: Sequence[str]
    ) -> tuple[PartitionSpec, Value]:
        """The operation on pieces."""
        values = []
        for n, (i, want) in enumerate(zip(o.operands, self._wants(o, dims, by_name, kept))):
            v = self.get(i, want)
            names = [d for (d, *_) in dims.operands[n] if d in by_name]
            if o.op.operand_names[n] != "indices":  # of what pads those, none may be out of bounds
                names = [d for d in names if d in dims.contracted]
            if v.id not in self.clean:
                v = self.masks.zeroed(v, dims, n, {d: by_name[d] for d in names})
            values.append(v)
        spec = self._result(dims, by_name, kept)
        if self.mesh.parts(by_name.get(ROWS, ())) > 1:
            return spec, from_row(self.b, self.mesh, o, dims.extents[ROWS], by_name[ROWS], values)
        return spec, self._computed(o, spec, values)

    def _computed(self, o: Operation, spec: PartitionSpec, operands: Sequence[Value]) -> Value:
        local = self._local(o.type, spec)
        op = o.op.localized(local, *[v.type for v in operands])
        v = self.b.emit(op, *operands, span=o.span)
        assert v.type == local, f"{o.opcode} on pieces gives {v.type}, expected {local}"
        return v

    # Values where they are wanted

    def cost(self, id: ValueId, want: PartitionSpec) -> int:
        """Bytes that each rank sends until it holds a value as `want` says."""
        if want in self.made[id]:
            return 0
        type, entry = self.m[id].type, self.entries[id]
        found = []
        for spec in self.made[id]:
            if set(want.unreduced) <= set(spec.unreduced):
                found.append(cost(self.mesh, type, spec, want))
        if entry.waits:
            wants, produced = self._through(entry, want)
            inner = sum(self.cost(i, w) for i, w in dict.fromkeys(zip(entry.o.operands, wants)))
            found.append(inner + cost(self.mesh, type, produced, want))
        return min(found)

    def get(self, id: ValueId, want: PartitionSpec) -> Value:
        """A value as `want` says, moved there if need be."""
        made = self.made[id]
        if want in made:
            return made[want]
        type, entry = self.m[id].type, self.entries[id]
        sources = [s for s in made if set(want.unreduced) <= set(s.unreduced)]
        best = min(sources, key=lambda s: cost(self.mesh, type, s, want), default=None)
        if entry.waits and (best is None or cost(self.mesh, type, best, want) > self.cost(id, want)):
            wants, best = self._through(entry, want)
            operands = [self.get(i, w) for i, w in zip(entry.o.operands, wants)]
            made[best] = self._computed(entry.o, best, operands)
        assert best is not None, "a value has been made, or waits"
        v = made[best]
        for move in moves(self.mesh, type, best, want):
            v = self._moved(v, type, move, id)
            made.setdefault(move.spec, v)
        made[want] = v
        return v

    def _through(self, entry: _Entry, want: PartitionSpec) -> tuple[list[PartitionSpec], PartitionSpec]:
        """How the operands of what waits are to lie so that it lies as `want`, or as near to it as it can be cut."""
        dims = entry.dims
        by_name = dims.possible(self.mesh, dict(dims.cuts(self.mesh, dims.result, want)))
        *wants, produced = [
            PartitionSpec(*dims.axes(term, by_name), unreduced=want.unreduced) for term in (*dims.operands, dims.result)
        ]
        return wants, produced

    def _moved(self, v: Value, type: TensorType, move: Move, of: ValueId | None) -> Value:
        """A local value after one operation between ranks; extents are padded where parts are to be equal."""
        b, axis, n = self.b, move.axis, self.mesh.axis_size(move.axis)
        is_clean = v.id in self.clean
        cut = {"ShardSlice": move.dim, "ReduceScatter": move.dim, "AllToAll": move.split}.get(move.opcode)
        if cut is not None and v.shape[cut] % n:
            high = [-v.shape[d] % n if d == cut else 0 for d in range(v.type.rank)]
            zeros = [0] * v.type.rank
            v = b.Pad(v, zeros, high, zeros)
        attributes: dict[str, tuple[int, ...]] = {
            "AllReduce": (),
            "AllToAll": (move.split, move.dim),
        }
        v = getattr(b, move.opcode)(v, axis, n, *attributes.get(move.opcode, (move.dim,)))
        local = self._local(type, move.spec)
        if v.type != local:  # what was put together has padding in the middle no more, only at its end
            v = b.Slice(v, [0] * local.rank, local.shape, [1] * local.rank)
        if is_clean:
            self.clean.add(v.id)
        if move.opcode != "ShardSlice" and of is not None:
            self.communication.append(Communication(move.opcode, axis, move.nbytes, of))
        return v

    def _local(self, type: TensorType, spec: PartitionSpec) -> TensorType:
        return type.with_shape(spec.local_shape(self.mesh, type.shape))
