"""Which operations a strategy takes: each group of them becomes a private function that names its strategy.

`mind.strategy` on the function is the record of parameters by which `expand-kernels` writes it; to try other
parameters, change the record in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from mlir import ir

from ..kernels.cpus import Cpu, find_cpu
from ..kernels.nest import Nest, read_nest
from ..kernels.record import ATTRIBUTE
from ..kernels.strategies import STRATEGIES, chosen
from ..modes import NUMERICS, THREADS, numerics_of
from ._outline import Outliner, memory_of
from ._walk import children, functions, operations
from .group_kernels import GROUP


def form_kernels(module: Any, *, cpu: str = "native") -> None:
    """linalg operations on memrefs that a strategy takes, to calls of functions that carry its record."""
    target = find_cpu(cpu)
    outliner = Outliner(module)
    with module.context, ir.Location.unknown(module.context):
        for f in list(functions(module)):
            if ATTRIBUTE not in f.attributes:
                _form(f, outliner, target)


def _form(f: Any, outliner: Outliner, cpu: Cpu) -> None:
    numerics = numerics_of(f)
    block = children(f)
    constants = {op.result: op for op in block if op.name == "arith.constant"}
    memory = memory_of(f, block)
    allocations = {op.result: op for op in block if op.name == "memref.alloc"}
    users: dict[Any, list[int]] = {}  # value -> places in the block
    for n, op in enumerate(block):
        for v in dict.fromkeys(v for inner in operations(op) for v in inner.operands):
            users.setdefault(v, []).append(n)
    freeing = {n for n, op in enumerate(block) if op.name == "memref.dealloc"}
    waiting = list(_groups(block))
    while waiting:
        places = waiting.pop()
        group = [block[n] for n in places]
        mine = freeing | set(places)
        used = dict.fromkeys(v for op in group for v in op.operands)
        own = [v for v in used if v in allocations and mine.issuperset(users[v])]
        local = [allocations[v] for v in own]
        kernel, parameters = outliner.function(group, constants, memory, local)
        nests = nests_of(kernel)
        found = None if nests is None else chosen(nests, cpu, numerics)
        if found is None:
            kernel.erase()
            waiting += _parts(block, places)
            continue
        kind, attribute = found
        kernel.attributes[ATTRIBUTE] = attribute
        if numerics != "default":
            kernel.attributes[NUMERICS] = ir.StringAttr.get(numerics)
        if THREADS in f.attributes and max(prod(n.extents) for n in nests or ()) >= STRATEGIES[kind].share:
            kernel.attributes[THREADS] = f.attributes[THREADS]
        last = group[-1]
        outliner.called(kernel, parameters, kind, last)
        for n in range(places[0], places[-1]):  # what an earlier member used last is used until the call
            if n in freeing and block[n].operands[0] in used:
                block[n].move_after(last)
        freed = [block[n] for v in own for n in users[v] if n in freeing]
        for op in (*reversed(group), *freed, *local):
            op.erase()


def _parts(block: list[Any], places: list[int]) -> list[list[int]]:
    """A group that no strategy takes as a whole: each of its operations, a fill with the one that starts from it."""
    parts: list[list[int]] = []
    for n in places:
        if parts and block[parts[-1][-1]].name == "linalg.fill":
            parts[-1].append(n)
        else:
            parts.append([n])
    return parts if len(parts) > 1 else []


def nests_of(kernel: Any) -> list[Nest] | None:
    """The linalg operations of a kernel, in order; None if one of them is none that strategies can read."""
    given = zip(kernel.regions[0].blocks[0].arguments, kernel.attributes["arg_attrs"])
    block = children(kernel)
    apart = {a for a, attributes in given if "llvm.noalias" in attributes}
    apart.update(op.result for op in block if op.name == "memref.alloc")
    nests = [read_nest(op, apart) for op in block if op.name.startswith("linalg.")]
    return None if None in nests else nests  # type: ignore[return-value]


def _groups(block: list[Any]) -> Iterator[list[int]]:
    """The places of the operations of each group, each with the fill that its result starts from."""
    filled: dict[Any, int] = {}  # memref -> the fill that nothing has touched since
    groups: dict[Any, list[int]] = {}  # number of a group, or the place of an operation alone -> places
    for n, op in enumerate(block):
        if op.name in ("memref.alloc", "arith.constant"):
            continue
        out = op.operands[len(op.operands) - 1] if len(op.operands) else None
        started = filled.pop(out, None) if op.name.startswith("linalg.") else None
        for v in (v for inner in operations(op) for v in inner.operands):
            filled.pop(v, None)
        if not op.name.startswith("linalg."):
            continue
        if op.name == "linalg.fill":
            filled[out] = n
            groups[n, "alone"] = [n]
            continue
        key = op.attributes[GROUP].value if GROUP in op.attributes else (n, "alone")
        members = groups.setdefault(key, [])
        if started is not None:
            members += groups.pop((started, "alone"))
        members.append(n)
    yield from groups.values()
