"""Cuts each operation of a module as decided, and writes the local module; see partition.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
from ...ir.places import place as placed_error, where
from .cut_rows import from_row, settled
from .dimensions import ROWS, Dimensions
from .moves import Move, Prices, moves
from .padding import Masks
from .records import Communication, Decisions, Entry, Partitioned
from .ways import Way, Ways

DEEPEST = 32
"""The most operations one after the other that wait for something to use them."""


class Partitioner:
    """Writes the local module of a module that `global_view` gives."""

    def __init__(self, m: Module, ways: Ways, prices: Prices, decisions: Decisions) -> None:
        assert m.mesh is not None, "global_view checks for it"
        self.m, self.mesh = m, m.mesh
        self.ways, self.prices, self.decisions = ways, prices, decisions
        self.b = Builder(m.source, m.mesh)
        self.entries: dict[ValueId, Entry] = {}
        self.made: dict[ValueId, dict[PartitionSpec, Value]] = {}
        self.clean: set[ValueId] = set()  # local values whose padding is zeros
        self.masks = Masks(self.b, self.mesh)
        self.communication: list[Communication] = []
        self.results = set(m.outputs)
        self.gradient_of = {g: x for x, g in m.gradients if g in self.results}

    def run(self) -> Partitioned:
        """Write the local module."""
        self.shard_all()
        specs = [self._final(i) for i in self.m.outputs]
        outputs = [self.get(i, spec) for i, spec in zip(self.m.outputs, specs)]
        gradients = [(self.get(x, self._final(x)), self.get(g, self._final(x))) for g, x in self.gradient_of.items()]
        local = self.b.finish(outputs, gradients)
        notes = {}
        for o, mine in zip(self.m.inputs, local.inputs):
            spec = self.known(o.id)
            if spec is not None and spec.used():
                notes[mine.id] = f"{spec} of {o.type}"
        inputs = tuple(self.known(o.id) or PartitionSpec.replicated(o.type.rank) for o in self.m.inputs)
        return Partitioned(replace(local, notes=notes), inputs, tuple(specs), tuple(self.communication))

    def shard_all(self) -> None:
        """Shard every operation, in order."""
        for o in self.m.operations:
            try:
                self._shard(o)
            except Reject as why:
                raise MindError([placed_error(self.m, o, why)]) from None

    def known(self, id: ValueId) -> PartitionSpec | None:
        """The sharding of a value; None if it is open."""
        return self.entries[id].spec

    def _final(self, id: ValueId) -> PartitionSpec:
        """The sharding of an output: without partial sums, unless the module says so."""
        if id in self.decisions.outputs:
            return self.decisions.outputs[id]
        spec = self.known(id)
        if spec is None:
            return PartitionSpec.replicated(self.m.values[id].type.rank)
        return spec if self.m.values[id].sharding is not None else spec.resolved

    # One operation

    def _shard(self, o: Operation) -> None:
        if len(o.results) > 1:
            self._on_whole_operands(o)
            return
        dims, wanted = self.ways.dims(o), self._wanted(o)
        entry = Entry(o, dims, None, False, 0)
        self.entries[o.id] = entry
        self.made[o.id] = {}
        if o.opcode == "Input":
            entry.spec = o.sharding or PartitionSpec.replicated(o.type.rank)
            self.made[o.id][entry.spec] = self._input(o, entry.spec)
            return
        if o.op.placement is not None:
            self._reshard(o, entry, o.op.placement)
            return
        if self._can_wait(o, dims) and wanted in (None, waiting := self._while_waiting(o, dims)):
            entry.spec, entry.waits = waiting, True
            entry.depth = 1 + max((self.entries[i].depth for i in o.operands), default=0)
            return
        way = self._way(o, dims, wanted)
        self.made[o.id][way.spec] = self._emit(o, dims, way)
        if wanted is None and o.id not in self.results:
            wanted = self._copy(o, dims, way.spec)
        elif wanted is None:
            wanted = self.decisions.outputs.get(o.id) or self._added(o, dims, way.spec)
        entry.spec = way.spec if wanted is None else wanted
        self.get(o.id, entry.spec)

    def _on_whole_operands(self, o: Operation) -> None:
        """Write an operation with several results, which every rank runs on whole operands; each result then moves."""
        values = self.m.values
        operands = [self.get(i, PartitionSpec.replicated(values[i].type.rank)) for i in o.operands]
        nothing_cut = Dimensions((), (), {})
        for r, v in zip(o.results, self._on_whole(o, operands)):
            whole = PartitionSpec.replicated(r.type.rank)
            self.entries[r.id] = Entry(o, nothing_cut, r.sharding or whole, False, 0)
            self.made[r.id] = {whole: v}
            self.get(r.id, r.sharding or whole)

    def _on_whole(self, o: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        return self.b.emit_all(o.op, *operands, span=o.span)

    def _way(self, o: Operation, dims: Dimensions, wanted: PartitionSpec | None) -> Way:
        """The way in which an operation is cut."""
        return self.decisions.ways[o.id]

    def _copy(self, o: Operation, dims: Dimensions, spec: PartitionSpec) -> PartitionSpec | None:
        """The sharding to which a result made as `spec` is moved at once; None if it stays."""
        return self.decisions.copies.get(o.id)

    def _added(self, o: Operation, dims: Dimensions, spec: PartitionSpec) -> PartitionSpec:
        """The sharding to which partial sums of a result made as `spec` are added; rows get that of their indices."""
        return settled(o, dims, spec, self.known) or spec.resolved

    def _wanted(self, o: Operation) -> PartitionSpec | None:
        """The sharding that the module gives a value, or the value whose gradient it is; None if it gives none."""
        if o.sharding is None and o.id in self.gradient_of:
            like = self.known(self.gradient_of[o.id])
            return None if like is None else like.resolved
        return o.sharding

    def _input(self, o: Operation, spec: PartitionSpec) -> Value:
        local = self._local(o.type, spec)
        (v,) = self.b.append(replace(o.op, type=local), (), (local,), o.span)  # type: ignore[type-var]
        self.clean.add(v.id)
        return v

    def _reshard(self, o: Operation, entry: Entry, to: PartitionSpec) -> None:
        (x,) = o.operands
        source = self.known(x)
        if not set(to.unreduced) <= set(source.unreduced if source is not None else ()):
            maker = self.m[x]
            here, there = where(self.m, o, "to"), where(self.m, maker, f"value {maker.ids.index(x)}")
            message = f"%{x} is {'not sharded' if source is None else f'sharded as {source}'} and cannot become {to}"
            note = "partial sums come from contractions over a dimension that is cut, never from a Reshard"
            why = Reject("E8005", message, note=note, at="to")
            found = why.located(*here)
            raise MindError([replace(found, related=((there[1], f"%{x} is defined here"),))])
        entry.spec = to
        self.made[o.id][to] = self.get(x, to)

    def _can_wait(self, o: Operation, dims: Dimensions) -> bool:
        """True for operations on constants alone, and for those that only move elements and lose none."""
        known = [self.known(i) for i in o.operands]
        if dims.contracted or max((self.entries[i].depth for i in o.operands), default=0) >= DEEPEST:
            return False
        if all(spec is None for spec in known):
            return True
        moves_only = len(known) == 1 and o.op.linearity is Linearity.JOINT and o.op.keeps_nan_bits
        return moves_only and o.type.size >= self.m.values[o.operands[0]].type.size

    def _while_waiting(self, o: Operation, dims: Dimensions) -> PartitionSpec | None:
        """The sharding that the value of a waiting operation would have; None if it is open."""
        spec = self.known(o.operands[0]) if o.operands else None
        if spec is None:
            return None
        by_name = dims.possible(self.mesh, dict(dims.cuts(self.mesh, dims.operands[0], spec)))
        return PartitionSpec(*dims.axes(dims.result, by_name), unreduced=spec.unreduced)

    def _emit(self, o: Operation, dims: Dimensions, way: Way) -> Value:
        """Write the operation on pieces."""
        values, by_name = [], way.by_name
        for n, (i, want) in enumerate(zip(o.operands, way.wants)):
            v = self.get(i, want)
            names = [d for (d, *_) in dims.operands[n] if d in by_name]
            if o.op.operand_name(n) != "indices":  # padding of indices is always zeroed: it must be in bounds
                names = [d for d in names if d in dims.contracted]
            if v.id not in self.clean:
                v = self.masks.zeroed(v, dims, n, {d: by_name[d] for d in names})
            values.append(v)
        if self.mesh.parts(by_name.get(ROWS, ())) > 1:
            return from_row(self.b, self.mesh, o, dims.extents[ROWS], by_name[ROWS], values)
        return self._computed(o, way.spec, values)

    def _computed(self, o: Operation, spec: PartitionSpec, operands: Sequence[Value]) -> Value:
        local = self._local(o.type, spec)
        op = o.op.localized(local, *[v.type for v in operands])
        v = self.b.emit(op, *operands, span=o.span)
        assert v.type == local, f"{o.opcode} on pieces gives {v.type}, expected {local}"
        return v

    # Values with the shardings that are wanted

    def cost(self, id: ValueId, want: PartitionSpec) -> float:
        """The bytes that each rank sends to get a value with the sharding `want`."""
        if want in self.made[id]:
            return 0
        type, entry = self.m.values[id].type, self.entries[id]
        found = [self.prices(type, spec, want) for spec in self.made[id]]
        if entry.waits:
            wants, produced = self._through(entry, want)
            inner = sum([self.cost(i, w) for i, w in dict.fromkeys(zip(entry.o.operands, wants))])
            found.append(inner + self.prices(type, produced, want))
        return min(found)

    def get(self, id: ValueId, want: PartitionSpec) -> Value:
        """A value with the sharding `want`, moved there if need be."""
        made = self.made[id]
        if want in made:
            return made[want]
        type, entry = self.m.values[id].type, self.entries[id]
        best = min(made, key=lambda s: self.prices(type, s, want), default=None)
        if entry.waits and (best is None or self.prices(type, best, want) > self.cost(id, want)):
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

    def _through(self, entry: Entry, want: PartitionSpec) -> tuple[list[PartitionSpec], PartitionSpec]:
        """For a waiting operation, the operands' shardings that give it `want` or nearly so, and what it then has."""
        dims = entry.dims
        by_name = dims.possible(self.mesh, dict(dims.cuts(self.mesh, dims.result, want)))
        *wants, produced = [
            PartitionSpec(*dims.axes(term, by_name), unreduced=want.unreduced) for term in (*dims.operands, dims.result)
        ]
        return wants, produced

    def _moved(self, v: Value, type: TensorType, move: Move, of: ValueId | None) -> Value:
        """A local value after one operation between ranks; extents are padded where parts have to be equal."""
        b, cut = self.b, move.op.cut
        is_clean = v.id in self.clean
        if cut is not None and v.shape[cut] % move.op.size:
            high = [-v.shape[d] % move.op.size if d == cut else 0 for d in range(v.type.rank)]
            zeros = [0] * v.type.rank
            v = b.Pad(v, zeros, high, zeros)
        v = b.emit(move.op, v)
        local = self._local(type, move.spec)
        if v.type != local:  # parts that were joined have padding at the end alone
            v = b.Slice(v, [0] * local.rank, local.shape, [1] * local.rank)
        if is_clean:
            self.clean.add(v.id)
        self._count(move, of)
        return v

    def _count(self, move: Move, of: ValueId | None) -> None:
        if move.op.sends() and of is not None:
            self.communication.append(Communication(move.op.opcode, move.op.axis, move.nbytes, of))

    def _local(self, type: TensorType, spec: PartitionSpec) -> TensorType:
        return type.with_shape(spec.local_shape(self.mesh, type.shape))
