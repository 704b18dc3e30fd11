"""A partition that is decided and not written, and what it tells about the uses of every value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ...ir import Module, Operation, PartitionSpec, Reject, TensorType, Value, ValueId
from .cut_rows import settled
from .dimensions import Dimensions
from .machine import Machine
from .moves import Move, Prices
from .outlook import Outlook, Use
from .partitioner import Partitioner
from .records import Decisions
from .ways import Shardings, Way, Ways


class Draft(Partitioner):
    """Decides what a `Partitioner` will write. Its values are None, since nothing reads them."""

    def __init__(
        self,
        m: Module,
        ways: Ways,
        prices: Prices,
        machine: Machine,
        outlook: Outlook | None = None,
        eager: bool = False,
    ) -> None:
        super().__init__(m, ways, prices, Decisions())
        self.machine = machine
        self.outlook, self.eager = outlook, eager
        self.work = 0
        self.asked: Counter[tuple[ValueId, PartitionSpec]] = Counter()

    def decided(self) -> Draft:
        """This draft, after every operation and output."""
        self.shard_all()
        for i in self.m.outputs:
            self.decisions.outputs[i] = self._final(i)
            self.get(i, self._final(i))
        return self

    @property
    def sent(self) -> int:
        """The bytes that a rank sends."""
        return sum(c.nbytes for c in self.communication)

    @property
    def total(self) -> float:
        """The cost in bytes: what a rank sends, and the price of each operation that sends, and of what it computes."""
        return self.sent + self.machine.bytes_per_operation * len(self.communication) + self.machine.work(self.work)

    # Nothing is written

    def _input(self, o: Operation, spec: PartitionSpec) -> Value:
        return None  # type: ignore[return-value]

    def _computed(self, o: Operation, spec: PartitionSpec, operands: Sequence[Value]) -> Value:
        return None  # type: ignore[return-value]

    def _on_whole(self, o: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        return (None,) * len(o.results)  # type: ignore[return-value]

    def _moved(self, v: Value, type: TensorType, move: Move, of: ValueId | None) -> Value:
        self._count(move, of)
        return v

    def _emit(self, o: Operation, dims: Dimensions, way: Way) -> Value:
        for i, want in zip(o.operands, way.wants):
            self.get(i, want)
        return None  # type: ignore[return-value]

    # Decisions

    def _way(self, o: Operation, dims: Dimensions, wanted: PartitionSpec | None) -> Way:
        """The cheapest way, by what it sends, what each rank computes, and what users pay for the result's sharding."""
        best, chosen = (math.inf, 0), None
        shardings = self._shardings(o)
        found = [*self.ways.local(o, dims, shardings, wanted)]
        if self.outlook is not None:
            wishes = self.outlook.wishes(o.id) if wanted is None else [wanted]
            found += self.ways.directed(o, dims, shardings, wishes)
        for way in found:
            total = self.machine.work(way.work) + self._after(o, dims, way.spec, wanted)
            if total <= best[0]:
                total += self._price(o, way)
                if (total, way.work) < best:
                    best, chosen = (total, way.work), way
        if chosen is None:
            assert wanted is not None, "without a wish, whole operands always do"
            raise Reject("E8005", f"{o.opcode} gives no partial sums over {', '.join(wanted.unreduced)}", at="sharding")
        self.work += chosen.work
        self.asked.update(set(zip(o.operands, chosen.wants)))
        self.decisions.ways[o.id] = chosen
        return chosen

    def _copy(self, o: Operation, dims: Dimensions, spec: PartitionSpec) -> PartitionSpec | None:
        if self.outlook is None:
            found = settled(o, dims, spec, self.known)
        else:
            found = self.outlook.copy(o.id, spec)
            if found is None and self.eager:
                found = self.outlook.shared(o.id, spec)
        if found is not None:
            self.decisions.copies[o.id] = found
        return found

    def _shardings(self, o: Operation) -> list[Shardings]:
        out: list[Shardings] = []
        for i in o.operands:
            spec = self.known(i)
            out.append(() if spec is None else (spec, *[s for s in self.made[i] if s != spec]))
        return out

    def _price(self, o: Operation, way: Way) -> float:
        """The bytes that are sent until all operands have the shardings that the way wants."""
        if len(o.operands) == 1:
            return self.cost(o.operands[0], way.wants[0])
        return sum([self.cost(i, want) for i, want in dict.fromkeys(zip(o.operands, way.wants))])

    def _after(self, o: Operation, dims: Dimensions, spec: PartitionSpec, wanted: PartitionSpec | None) -> float:
        """The bytes after the operation: to get the result as wanted, else what users pay, else to add partial sums."""
        if wanted is None and self.outlook is not None:
            return self.outlook.ahead(o.id, spec)
        return self.prices(o.type, spec, self._added(o, dims, spec) if wanted is None else wanted)

    # What users pay

    def look_back(self, prices: Prices) -> Outlook:
        """What this draft shows about the uses of every value, from the last operation to the first."""
        self.prices = prices
        outlook = Outlook(self.m, prices)
        for i in self.m.outputs:
            outlook.outputs[i] = self._final(i)
            outlook.add(i, [(self._final(i), 0.0)])
        for o in reversed(self.m.operations):
            if o.opcode == "Input" or not any(outlook.used(i) for i in o.ids):
                continue
            if len(o.results) > 1:
                for i in dict.fromkeys(o.operands):
                    outlook.add(i, [(PartitionSpec.replicated(self.m.values[i].type.rank), 0.0)])
                continue
            if o.op.placement is not None:
                outlook.add(o.operands[0], [(o.op.placement, 0.0)])
            else:
                self._look_at(o, outlook)
        return outlook

    def _look_at(self, o: Operation, outlook: Outlook) -> None:
        """Add what an operation pays for each sharding of its operands."""
        entry = self.entries[o.id]
        wanted = self._wanted(o)
        wishes = outlook.wishes(o.id) if wanted is None else [wanted]
        spread = outlook.spread(o.id) if wanted is None else 0.0
        options: dict[ValueId, dict[PartitionSpec, float]] = {i: {} for i in o.operands}
        for way in self.ways.directed(o, entry.dims, self._shardings(o), wishes):
            if wanted is None:
                total = max(outlook.ahead(o.id, way.spec) - spread, 0.0)
            else:
                total = self._after(o, entry.dims, way.spec, wanted)
            total += 0.0 if entry.waits else self.machine.work(way.work)
            prices = {pair: self._shared(*pair) for pair in zip(o.operands, way.wants)}
            total += sum(prices.values())
            if total < math.inf:
                for (i, want), price in prices.items():
                    options[i][want] = min(options[i].get(want, math.inf), total - price)
        for i, found in options.items():
            if found and self.known(i) is not None:
                outlook.add(i, _use(found))

    def _shared(self, id: ValueId, want: PartitionSpec) -> float:
        """The price of an operand's sharding, divided by the number of users that have it so in this draft."""
        spec = self.known(id)
        if spec is None or spec == want:
            return 0.0
        price = self.prices(self.m.values[id].type, spec, want)
        if price == math.inf and any(set(want.unreduced) <= set(s.unreduced) for s in self.made[id]):
            return 0.0  # it was these partial sums before
        return price / max(self.asked[id, want], 1)


def _use(found: dict[PartitionSpec, float]) -> Use:
    least = min(found.values())
    return sorted(((want, price - least) for want, price in found.items()), key=lambda option: option[1])
