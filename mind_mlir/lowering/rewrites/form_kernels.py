"""Which operations a strategy takes: each group of them becomes a private function that names its strategy.

`mind.strategy` on the function is the record of parameters by which `expand-kernels` writes it; to try other
parameters, change the record in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlir import ir

from ..kernels.cpus import Cpu, find_cpu
from ..kernels.nest import Nest, read_nest
from ..kernels.record import ATTRIBUTE
from ..kernels.strategies import chosen
from ..modes import NUMERICS, numerics_of
from ._outline import Outliner, memory_of
from ._walk import children, functions, operations

GROUP = "mind.group"
"""On linalg operations: those with the same number belong into one kernel; see `group-kernels`."""


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
    users: dict[Any, list[Any]] = {}
    for op in block:
        for v in dict.fromkeys(v for inner in operations(op) for v in inner.operands):
            users.setdefault(v, []).append(op)
    for group in list(_groups(block)):
        local = _own(group, allocations, users)
        kernel, parameters = outliner.function(group, constants, memory, local)
        nests = nests_of(kernel)
        found = None if nests is None else chosen(nests, cpu, numerics)
        if found is None:
            kernel.erase()
            continue
        kind, attribute = found
        kernel.attributes[ATTRIBUTE] = attribute
        if numerics != "default":
            kernel.attributes[NUMERICS] = ir.StringAttr.get(numerics)
        outliner.called(kernel, parameters, kind, group[-1])
        for op in group:
            op.erase()
        for op in local:
            for user in users[op.result]:
                if user not in group:
                    user.erase()
            op.erase()


def nests_of(kernel: Any) -> list[Nest] | None:
    """The linalg operations of a kernel, in order; None if one of them is none that strategies can read."""
    nests = [read_nest(op) for op in children(kernel) if op.name.startswith("linalg.")]
    return None if None in nests else nests  # type: ignore[return-value]


def _groups(block: list[Any]) -> Iterator[list[Any]]:
    """Neighbouring operations of one group, each with the fill that its result starts from."""
    filled: dict[Any, Any] = {}  # memref -> the fill that nothing has touched since
    groups: dict[int, list[Any]] = {}
    order: list[list[Any]] = []
    for op in block:
        if not op.name.startswith("linalg."):
            if op.name not in ("memref.alloc", "arith.constant"):
                for v in op.operands:
                    filled.pop(v, None)
            continue
        out = op.operands[len(op.operands) - 1]
        if op.name == "linalg.fill":
            filled[out] = op
            order.append([op])
            continue
        started = filled.pop(out, None)
        for v in op.operands:
            filled.pop(v, None)
        members = [op]
        if started is not None:
            order.remove([started])
            members = [started, op]
        if GROUP in op.attributes:
            number = op.attributes[GROUP].value
            if number in groups:
                groups[number] += members
                continue
            groups[number] = members
        order.append(members)
    yield from order


def _own(group: list[Any], allocations: dict[Any, Any], users: dict[Any, list[Any]]) -> list[Any]:
    """Allocations that nothing but the group uses, and whoever frees them."""
    inside = set(group)
    found = []
    for v in dict.fromkeys(v for op in group for v in op.operands):
        if v in allocations and all(u in inside or u.name == "memref.dealloc" for u in users[v]):
            found.append(allocations[v])
    return found
