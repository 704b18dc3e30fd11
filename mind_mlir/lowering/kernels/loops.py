"""The writer of loops and index arithmetic, which folds constants."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mlir import ir

from ..targets.cpus import Cpu

Index = Any
"""An index or an offset: an int where it is known, else an MLIR value of index type."""


class Loops:
    """Writes into one function at the insertion point in force; constants go to the function's start."""

    def __init__(self, function: Any, cpu: Cpu, numerics: str, threads: int = 1) -> None:
        self.cpu, self.numerics, self.threads = cpu, numerics, threads
        self._entry = function.regions[0].blocks[0]
        self._constants: dict[Any, Any] = {}
        self._index = ir.IndexType.get()

    @property
    def machine(self) -> Any:
        """What records are chosen and checked for: the CPU, or whatever else the code is for."""
        return self.cpu

    def op(self, name: str, *operands: Any, type: Any = None, **attributes: Any) -> Any:
        """Any operation with one result, or with none if `type` is None; gives the result."""
        made = ir.Operation.create(
            name, results=[] if type is None else [type], operands=list(operands), attributes=attributes
        )
        return None if type is None else made.result

    def constant(self, attribute: Any, type: Any) -> Any:
        """An arith.constant, one for each attribute."""
        if attribute not in self._constants:
            with ir.InsertionPoint.at_block_begin(self._entry):
                made = ir.Operation.create("arith.constant", results=[type], attributes={"value": attribute})
            self._constants[attribute] = made.result
        return self._constants[attribute]

    # Index arithmetic

    def index(self, i: Index) -> Any:
        """An index as an MLIR value."""
        return self.literal(i) if isinstance(i, int) else i

    def literal(self, n: int) -> Any:
        """A known index as a constant."""
        return self.constant(ir.IntegerAttr.get(self._index, n), self._index)

    def factor(self, n: int) -> Any:
        """A known index that others are multiplied by, or the step between them."""
        return self.literal(n)

    def add(self, *terms: Index) -> Index:
        """The sum of indices; what is known is added once, last."""
        known, total = 0, None
        for t in terms:
            if isinstance(t, int):
                known += t
            else:
                total = t if total is None else self.op("arith.addi", total, t, type=self._index)
        if total is None:
            return known
        return self.op("arith.addi", total, self.index(known), type=self._index) if known else total

    def times(self, i: Index, n: int) -> Index:
        """An index times a known number."""
        if isinstance(i, int):
            return i * n
        if n in (0, 1):
            return i if n else 0
        return self.op("arith.muli", i, self.factor(n), type=self._index)

    def least(self, a: Index, b: Index) -> Index:
        """The smaller of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self.op("arith.minsi", self.index(a), self.index(b), type=self._index)

    def most(self, a: Index, b: Index) -> Index:
        """The larger of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self.op("arith.maxsi", self.index(a), self.index(b), type=self._index)

    def quotient(self, i: Index, n: int) -> Index:
        """An index that is not negative divided by a known number, rounded down."""
        if isinstance(i, int):
            return i // n
        return i if n == 1 else self.op("arith.divui", i, self.literal(n), type=self._index)

    def remainder(self, i: Index, n: int) -> Index:
        """What is left of an index after division by a known number."""
        if isinstance(i, int) or n == 1:
            return i % n if isinstance(i, int) else 0
        return self.op("arith.remui", i, self.literal(n), type=self._index)

    def place(self, strides: Sequence[int], indices: Sequence[Index], offset: Index = 0) -> Index:
        """`offset + Σ stride · index`."""
        return self.add(*[self.times(i, s) for s, i in zip(strides, indices)], offset)

    # Loops

    @contextlib.contextmanager
    def loop(self, low: Index, high: Index, step: int = 1) -> Iterator[Index]:
        """`for i in range(low, high, step)`; what is written within is its body. One iteration is no loop."""
        if isinstance(low, int) and isinstance(high, int) and low < high <= low + step:
            yield low
            return
        bounds = [self.index(low), self.index(high), self.factor(step)]
        made = ir.Operation.create("scf.for", operands=bounds, regions=1)
        body = made.regions[0].blocks.append(self._index)
        with ir.InsertionPoint(body):
            yield body.arguments[0]
            ir.Operation.create("scf.yield")

    @contextlib.contextmanager
    def when_equal(self, i: Index, n: int) -> Iterator[None]:
        """What is written within is done where an index has this value, which must be possible."""
        if isinstance(i, int):
            assert i == n, f"an index that is {i} is never {n}"
            yield
            return
        made = ir.Operation.create("scf.if", operands=[self.equal(i, n)], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield
            ir.Operation.create("scf.yield")

    @contextlib.contextmanager
    def when_positive(self, i: Index) -> Iterator[None]:
        """What is written within is done where an index is above 0; one that is known has to be."""
        if isinstance(i, int):
            assert i > 0, f"an index that is {i} is never positive"
            yield
            return
        made = ir.Operation.create("scf.if", operands=[self.below(0, i)], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield
            ir.Operation.create("scf.yield")

    def equal(self, i: Index, j: Index) -> Any:
        """The condition i = j."""
        return self._compared(0, i, j)

    def below(self, i: Index, j: Index) -> Any:
        """The condition i < j."""
        return self._compared(2, i, j)

    def _compared(self, predicate: int, i: Index, j: Index) -> Any:
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)  # arith.CmpIPredicate
        bit = ir.IntegerType.get_signless(1)
        return self.op("arith.cmpi", self.index(i), self.index(j), type=bit, predicate=number)

    def branch(self, condition: Any, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """One of two pieces of code."""
        made = ir.Operation.create("scf.if", operands=[condition], regions=2)
        for region, write in zip(made.regions, (then, otherwise)):
            with ir.InsertionPoint(region.blocks.append()):
                write()
                ir.Operation.create("scf.yield")

    def either(
        self,
        condition: Any,
        types: Sequence[Any],
        then: Callable[[], Sequence[Any]],
        otherwise: Callable[[], Sequence[Any]],
    ) -> list[Any]:
        """Values of these types from one of two pieces of code."""
        made = ir.Operation.create("scf.if", results=list(types), operands=[condition], regions=2)
        for region, values in zip(made.regions, (then, otherwise)):
            with ir.InsertionPoint(region.blocks.append()):
                ir.Operation.create("scf.yield", operands=list(values()))
        return list(made.results)

    def carried(
        self,
        low: Index,
        high: Index,
        step: int,
        initial: Sequence[Any],
        body: Callable[[Index, list[Any]], Sequence[Any]],
    ) -> list[Any]:
        """A loop that passes values from iteration to iteration: `body(i, values)` gives the next ones."""
        if isinstance(low, int) and isinstance(high, int):
            if low >= high:
                return list(initial)
            if high <= low + step:
                return list(body(low, list(initial)))
        types = [v.type for v in initial]
        operands = [self.index(low), self.index(high), self.factor(step), *initial]
        made = ir.Operation.create("scf.for", results=types, operands=operands, regions=1)
        block = made.regions[0].blocks.append(self._index, *types)
        with ir.InsertionPoint(block):
            i, *values = block.arguments
            ir.Operation.create("scf.yield", operands=list(body(i, values)))
        return list(made.results)

    @contextlib.contextmanager
    def parallel(self, low: Index, high: Index, step: int = 1) -> Iterator[Index]:
        """A loop whose iterations are independent; threads share them, unless they share a loop around it already."""
        with self.parallel_nest((low, high, step)) as (i,):
            yield i

    @contextlib.contextmanager
    def parallel_nest(self, *ranges: tuple[Index, Index, int]) -> Iterator[list[Index]]:
        """Nested loops, all of whose iterations are independent: threads share them as the iterations of one loop."""
        alone = [isinstance(low, int) and isinstance(high, int) and high <= low + step for low, high, step in ranges]
        if self.threads == 1 or all(alone):
            with contextlib.ExitStack() as stack:
                yield [stack.enter_context(self.loop(*r)) for r in ranges]
            return
        shared = [r for r, is_alone in zip(ranges, alone) if not is_alone]
        threads, self.threads = self.threads, 1
        count = len(shared)
        made = ir.Operation.create(
            "scf.parallel",
            operands=[(self.factor if k == 2 else self.index)(r[k]) for k in range(3) for r in shared],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([count, count, count, 0])},
            regions=1,
        )
        body = made.regions[0].blocks.append(*[self._index] * count)
        turns = iter(body.arguments)
        with ir.InsertionPoint(body):
            yield [r[0] if is_alone else next(turns) for r, is_alone in zip(ranges, alone)]
            ir.Operation.create("scf.reduce", regions=0)
        self.threads = threads
