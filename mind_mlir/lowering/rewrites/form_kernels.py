"""Makes of each group of operations that has a strategy a private function that names it.

`mind.strategy` on the function is the record of parameters by which `expand-kernels` writes it. To try other
parameters, change the record in the text, or name a tuning file that has another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import prod
from typing import Any

from mlir import ir

from ..emit.modes import NUMERICS, THREADS, numerics_of, threads_of
from ..kernels.nest import Nest, read_nest
from ..kernels.record import ATTRIBUTE, to_attribute
from ..kernels.strategies import STRATEGIES, Strategy, chosen
from ..kernels.tuned import TUNED, tuned_record
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations, parameters
from ..rules.sharing import worth
from ..store.tuning_file import TuningFile, load
from ..targets.cpus import find_cpu
from ._outline import Outliner, is_apart, memory_of
from .group_kernels import GROUP


@rewrite("form-kernels")
def form_kernels(r: Rewriter, *, cpu: str = "native", tuning: str = "") -> None:
    """Move linalg operations on memrefs that have a strategy into functions that name it, for a kind of CPU.

    `tuning` is the path of a tuning file, whose records come first: E7004 and E7013 for a bad one.
    """
    form_groups(r, cpu, load(tuning) if tuning else None)


def form_groups(
    r: Rewriter, cpu: str, tuning: TuningFile | None = None, only: Callable[[Any], bool] = lambda op: True
) -> None:
    """Form kernels of the groups that have an operation for which `only` is true."""
    target = find_cpu(cpu)
    outliner = Outliner(r.module)
    known: dict[Any, str | None] = {}
    for f in r.functions():
        if ATTRIBUTE not in f.attributes:
            Forming(f, outliner, target, STRATEGIES, tuning, known=known).run(only)


class Forming:
    """Forms the kernels of one function. Each group is matched once, and then found in `known`, which may be shared.

    `machine` is the CPU or GPU for which records are chosen. With `fills_apart`, a fill that no strategy takes together
    with the operation that starts from it is a kernel of its own.
    """

    def __init__(
        self,
        f: Any,
        outliner: Outliner,
        machine: Any,
        strategies: Mapping[str, Strategy],
        tuning: TuningFile | None = None,
        fills_apart: bool = False,
        known: dict[Any, str | None] | None = None,
    ) -> None:
        self.fills_apart = fills_apart
        self.outliner, self.machine, self.strategies, self.tuning = outliner, machine, strategies, tuning
        self.numerics = numerics_of(f)
        self.block = children(f)
        self.constants = {op.result: op for op in self.block if op.name == "arith.constant"}
        self.memory = memory_of(f, self.block)
        self.allocations = {op.result: op for op in self.block if op.name == "memref.alloc"}
        self.users: dict[Any, list[int]] = {}  # value -> indices in the block
        for n, op in enumerate(self.block):
            for v in dict.fromkeys(v for inner in operations(op) for v in inner.operands):
                self.users.setdefault(v, []).append(n)
        self.freeing = {n for n, op in enumerate(self.block) if op.name == "memref.dealloc"}
        # signature -> the name of the kernel, None if no strategy takes it
        self.known: dict[Any, str | None] = {} if known is None else known
        self.threads = threads_of(f)

    def run(self, only: Callable[[Any], bool] = lambda op: True) -> None:
        """Replace groups by calls of their kernels."""
        waiting = [places for places in _groups(self.block, self.memory) if any(only(self.block[n]) for n in places)]
        while waiting:
            places = waiting.pop()
            if not self._form(places):
                parts = _parts(self.block, places)
                linalg = [n for n in places if self.block[n].name.startswith("linalg.")]
                if not parts and self.fills_apart and len(linalg) == len(places) == 2:
                    parts = [[n] for n in linalg]
                waiting += parts

    def _form(self, places: list[int]) -> bool:
        """Replace the operations at these indices of the block by a call, if a strategy takes them."""
        group = [self.block[n] for n in places]
        mine = self.freeing | set(places)
        used = dict.fromkeys(v for op in group for v in op.operands)
        own = [v for v in used if v in self.allocations and mine.issuperset(self.users[v])]
        given_back = _given_back(self.block, places, used, self.users)
        computed, parameters = self._signature(group, own, given_back)
        signature = self.numerics, self.threads, computed
        if signature not in self.known:
            self.known[signature] = self._kernel(group, own, given_back)
        name = self.known[signature]
        if name is None:
            return False
        last = group[-1]
        self.outliner.call(name, parameters, last)
        held = {memory for v in used for memory in (v, *self.memory.get(v, ()))}
        for n in range(places[0], places[-1]):  # operands of earlier members are live until the call
            if n in self.freeing and self.block[n].operands[0] in held:
                self.block[n].move_after(last)
        freeing = {n for v in own for n in self.users[v] if n in self.freeing}
        self.freeing -= freeing
        freed = [self.block[n] for n in sorted(freeing)]
        for op in (*reversed(group), *freed, *[self.allocations[v] for v in own]):
            if not any(list(v.uses) for v in op.results):  # others may use a part too
                op.erase()
        return True

    def _kernel(self, group: list[Any], own: list[Any], given_back: set[Any]) -> str | None:
        """The name of the function for a group, which is made unless an equal one exists."""
        local = [self.allocations[v] for v in own]
        kernel, parameters = self.outliner.function(group, self.constants, self.memory, local)
        for op in children(kernel):
            if GROUP in op.attributes:
                del op.attributes[GROUP]
        arguments = kernel.regions[0].blocks[0].arguments
        nests = nests_of(kernel, [a for v, a in zip(parameters, arguments) if v in given_back])
        found = None if nests is None else chosen(nests, self.machine, self.numerics, self.strategies)
        if nests is None or found is None:
            kernel.erase()
            return None
        kind, record = found.strategy.kind, found.record
        if self.numerics != "default":
            kernel.attributes[NUMERICS] = ir.StringAttr.get(self.numerics)
        threads = worth(max(prod(n.extents) for n in nests), found.strategy.share, self.threads)
        if threads > 1:
            kernel.attributes[THREADS] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), threads)
        if self.tuning is not None and (tuned := tuned_record(self.tuning, kernel, found, self.machine)) != record:
            record = tuned
            kernel.attributes[TUNED] = ir.UnitAttr.get()
        kernel.attributes[ATTRIBUTE] = to_attribute(kind, record)
        return self.outliner.named(kernel, kind)

    def _signature(self, group: list[Any], own: list[Any], given_back: set[Any]) -> tuple[Any, list[Any]]:
        """A key of the group's kernel, and the values to call it with, in the order of its parameters."""
        numbers: dict[Any, int] = {}  # values made inside, and parameters
        inside: set[Any] = set(own)
        parameters: list[Any] = []
        out: list[Any] = []

        def number(v: Any) -> Any:
            if v in self.constants:
                return self.constants[v].attributes["value"]
            if v not in numbers:
                numbers[v] = len(numbers)
                if v not in inside:
                    parameters.append(v)
            return numbers[v]

        for top in group:
            for op in operations(top):
                found, results = op.attributes, list(op.results)
                attributes = tuple([found[name] for name in found if name != GROUP])
                types = tuple([v.type for v in results])
                for region in op.regions:
                    for block in region.blocks:
                        inside.update(block.arguments)
                        numbers.update((a, len(numbers) + n) for n, a in enumerate(block.arguments))
                out.append((op.name, attributes, tuple(map(number, op.operands)), types))
                inside.update(results)
                numbers.update((v, len(numbers) + n) for n, v in enumerate(results))
        for v in parameters:
            out.append((v.type, is_apart(v, parameters, self.memory), v in given_back))
        out.append(tuple((numbers[v], v.type) for v in own))
        return tuple(out), parameters


def _given_back(block: list[Any], places: list[int], used: Iterable[Any], users: dict[Any, list[int]]) -> set[Any]:
    """The parameters of the function that only the group uses, which are results if it writes them."""
    mine = set(places)
    if any(not mine.issuperset(users.get(v, ())) for n in places for v in block[n].results):
        return set()  # elsewhere, a part of one is used
    return {v for v in used if isinstance(v, ir.BlockArgument) and mine.issuperset(users[v])}


def _parts(block: list[Any], places: list[int]) -> list[list[int]]:
    """The parts of a group that no strategy takes as a whole: its operations, each with the fill it starts from."""
    parts: list[list[int]] = []
    operations = [n for n in places if block[n].name.startswith("linalg.")]
    whole = len(operations) == len(places)  # if not, only a part of what is filled is written, and the fill is alone
    for n in operations:
        if whole and parts and block[parts[-1][-1]].name == "linalg.fill":
            parts[-1].append(n)
        else:
            parts.append([n])
    return parts if len(parts) > 1 else []


def nests_of(kernel: Any, results: Collection[Any] = ()) -> list[Nest] | None:
    """The nests of a kernel's linalg operations, in order; None if one cannot be read as a nest.

    `results` are the parameters that are outputs of the module.
    """
    block = children(kernel)
    apart = {a for a, attributes in parameters(kernel) if "llvm.noalias" in attributes}
    apart.update(op.result for op in block if op.name == "memref.alloc")
    parts = {op.result: op.operands[0] for op in block if op.name == "memref.subview"}
    nests = [read_nest(op, apart, results, parts) for op in block if op.name.startswith("linalg.")]
    return None if None in nests else nests  # type: ignore[return-value]


def _groups(block: list[Any], memory: dict[Any, set[Any]]) -> Iterator[list[int]]:
    """The indices of the operations of each group, with the fills from which their results start.

    If a result is a part of what is filled, the memref.subview that cuts it out belongs to the group.
    """
    filled: dict[Any, int] = {}  # memref -> the fill, since which it has not been used
    parts: dict[Any, tuple[Any, int]] = {}  # part of such a memref -> the memref, index of the memref.subview
    groups: dict[Any, list[int]] = {}  # number of a group, or the index of an operation alone -> indices
    for n, op in enumerate(block):
        if op.name in ("memref.alloc", "arith.constant"):
            continue
        if op.name == "memref.subview" and op.operands[0] in filled:
            parts[op.result] = op.operands[0], n
            continue
        out = op.operands[len(op.operands) - 1] if len(op.operands) else None
        whole, cut = parts.get(out, (out, None))
        started = filled.pop(whole, None) if op.name.startswith("linalg.") else None
        touched = {m for inner in operations(op) for v in inner.operands for m in memory.get(v, (v,))}
        for v in [v for v in filled if not touched.isdisjoint(memory.get(v, (v,)))]:
            del filled[v]
        if not op.name.startswith("linalg."):
            continue
        if op.name == "linalg.fill" and cut is None:
            filled[out] = n
            groups[n, "alone"] = [n]
            continue
        key = op.attributes[GROUP].value if GROUP in op.attributes else (n, "alone")
        members = groups.setdefault(key, [])
        if started is not None:
            members += groups.pop((started, "alone"))
            members += [cut] if cut is not None else []
        members.append(n)
    yield from groups.values()
