"""Removes buffers that need no memory of their own: copies of what is not used again, and results computed in place.

It runs between bufferization and `free-buffers`, on functions of one block. Times are indices of operations in it.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any

from mlir import ir

from ..memory.buffers import size_of
from ..mlir.linalg_names import ELEMENTWISE
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations
from .group_kernels import GROUP

_NEVER = 1 << 60


@rewrite("coalesce-buffers")
def coalesce_buffers(r: Rewriter) -> None:
    """Let a buffer that begins as a copy of another, or can be computed in its memory, be that one."""
    for f in r.functions():
        if len(f.regions[0].blocks) == 1:
            block = children(f)
            if (memory := _memory(f, block)) is not None:
                _Coalescer(f.regions[0].blocks[0], block, memory).run()


@dataclass(eq=False)
class _Memory:
    """An allocation, a parameter or a global, with the memrefs of its memory, and when it is used and written."""

    value: Any
    alloc: Any = None  # the memref.alloc; None for memory from outside
    shown: list[Any] = field(default_factory=list)
    touches: list[int] = field(default_factory=list)
    writes: list[int] = field(default_factory=list)

    @property
    def first(self) -> int:
        """The time of its first use."""
        return self.touches[0] if self.touches else _NEVER

    @property
    def last(self) -> int:
        """The time of its last use."""
        return _NEVER if self.alloc is None else self.touches[-1]

    def touched_within(self, start: int, end: int) -> bool:
        """True if it is used at a time from `start` to before `end`."""
        return bisect_left(self.touches, start) < bisect_left(self.touches, end)

    def written_after(self, time: int) -> int:
        """The time at which it is written next."""
        at = bisect_right(self.writes, time)
        return self.writes[at] if at < len(self.writes) else _NEVER

    def absorb(self, other: _Memory) -> None:
        """Add the memrefs and uses of `other`."""
        self.shown += other.shown
        for mine, more in ((self.touches, other.touches), (self.writes, other.writes)):
            in_order = not mine or not more or mine[-1] <= more[0]
            mine += more
            if not in_order:
                mine.sort()


def _memory(f: Any, block: list[Any]) -> dict[Any, _Memory] | None:
    """Memref -> its memory; None if that is not known for every memref, or if parameters may overlap."""
    memory: dict[Any, _Memory] = {}
    arguments = list(f.regions[0].blocks[0].arguments)
    attributes = f.attributes["arg_attrs"] if "arg_attrs" in f.attributes else [{}] * len(arguments)

    def show(v: Any, m: _Memory) -> None:
        memory[v] = m
        m.shown.append(v)

    for a, given in zip(arguments, attributes):
        if isinstance(a.type, ir.MemRefType):
            if "llvm.noalias" not in given:
                return None
            show(a, _Memory(a))
    for n, op in enumerate(block):
        inner = operations(op)
        used = {memory[v] for o in inner for v in o.operands if v in memory}
        memrefs = [v for v in op.results if isinstance(v.type, ir.MemRefType)]
        if op.name == "memref.dealloc":
            return None  # memory is freed here
        if op.name in ("memref.alloc", "memref.get_global"):
            show(op.result, _Memory(op.result, op if op.name == "memref.alloc" and size_of(op) else None))
        elif memrefs:
            if len(used) != 1 or len(inner) > 1:
                return None
            for v in memrefs:
                show(v, *used)
        else:
            for m in used:
                m.touches.append(n)
            for m in {memory[v] for v in _written(op, inner) if v in memory}:
                m.writes.append(n)
    return memory


def _written(op: Any, inner: list[Any]) -> list[Any]:
    """The memrefs that an operation may write."""
    if op.name.startswith("linalg.") or op.name == "memref.copy":
        return [op.operands[len(op.operands) - 1]]
    if op.name == "memref.store":
        return [op.operands[1]]
    return [] if op.name == "memref.load" else [v for o in inner for v in o.operands]


class _Coalescer:
    """Merges memory in the order of time, so that one merge makes the next possible."""

    def __init__(self, entry: Any, block: list[Any], memory: dict[Any, _Memory]) -> None:
        self.entry, self.block, self.memory = entry, block, memory  # the block, and the operations that it began with
        self.place = {v: n for n, op in enumerate(block) for v in op.results}
        self.first_use: dict[Any, int] = {}
        self.groups: dict[Any, list[int]] = {}
        for n, op in enumerate(block):
            for v in (v for o in operations(op) for v in o.operands):
                self.first_use.setdefault(v, n)
            if GROUP in op.attributes:
                self.groups.setdefault(op.attributes[GROUP], []).append(n)

    def run(self) -> None:
        for n, op in enumerate(self.block):
            if op is not None and op.name in ("memref.copy", "linalg.copy") and not len(op.results):
                source, target = op.operands
                if self._starts_as(n, source, target) or self._ends_as(n, source, target):
                    op.erase()
                    self.block[n] = None
        for n, op in enumerate(self.block):
            if op is not None and op.name.startswith("linalg.") and not len(op.results):
                self._in_place(n, op)

    def _replace(self, old: _Memory, new: Any) -> bool:
        """Let every memref of the allocation `old` be of `new` instead; False if `new` is defined too late."""
        if self.place.get(new, -1) >= self.first_use[old.value]:
            return False
        into = self.memory[new]
        self.first_use[new] = min(self.first_use.get(new, _NEVER), self.first_use[old.value])
        old.shown.remove(old.value)
        self.memory.update(dict.fromkeys(old.shown, into))
        into.absorb(old)
        old.value.replace_all_uses_with(new)
        self.block[self.place[old.value]] = None
        for known in (self.memory, self.place, self.first_use):
            known.pop(old.value, None)  # a value that is made later may have its address
        old.alloc.erase()
        return True

    # Copies

    def _starts_as(self, n: int, source: Any, target: Any) -> bool:
        """Use the source instead of a target that begins here, if no write to one affects a use of the other."""
        s, d = self.memory[source], self.memory[target]
        if d.alloc is None or target != d.value or d.first < n or source.type != target.type or s is d:
            return False
        written = d.written_after(n)
        if written < _NEVER and (s.alloc is None or s.last >= written):
            return False
        return s.written_after(n) > d.last and self._replace(d, source)

    def _ends_as(self, n: int, source: Any, target: Any) -> bool:
        """Compute the source in the memory of the target, which is not used until here."""
        s, d = self.memory[source], self.memory[target]
        if s.alloc is None or s is d or d.touched_within(s.first, n):
            return False
        if s.written_after(n) < _NEVER or d.written_after(n) <= s.last:
            return False
        if target.type == s.value.type:
            return source == s.value and self._replace(s, target)
        return self._is_reshaped(source, s, target) and self._replace(s, self._reshaped(target, s))

    def _is_reshaped(self, source: Any, s: _Memory, target: Any) -> bool:
        """True if the source is all of its memory in another shape, and the target is a parameter in that shape."""
        type, whole = ir.MemRefType(source.type), ir.MemRefType(s.value.type)
        plain = ir.MemRefType.get(type.shape, whole.element_type)
        same = math.prod(type.shape) == math.prod(whole.shape)
        return same and plain == type == target.type and isinstance(target, ir.BlockArgument)

    def _reshaped(self, target: Any, s: _Memory) -> Any:
        """The target with the shape of `s`, from the start of the function on."""
        shape = ir.MemRefType(s.value.type).shape
        strides = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
        attributes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0, 0])}
        for name, numbers in (("offsets", [0]), ("sizes", shape), ("strides", strides)):
            attributes[f"static_{name}"] = ir.DenseI64ArrayAttr.get(numbers)
        with ir.InsertionPoint.at_block_begin(self.entry), s.alloc.location:
            made = ir.Operation.create(
                "memref.reinterpret_cast", results=[s.value.type], operands=[target], attributes=attributes
            )
        self.memory[made.result] = self.memory[target]
        return made.result

    # Element by element

    def _in_place(self, n: int, op: Any) -> None:
        """Let the result of an element-wise operation have the memory of an operand that ends here, or vice versa.

        Not if others of its group use that operand, since a kernel computes all of them at once.
        """
        *inputs, out = op.operands
        o = self.memory[out]
        if (same := _read_where_written(op)) is None:
            return
        members = set(self.groups.get(op.attributes[GROUP], ())) if GROUP in op.attributes else set()
        if members and o.alloc is not None and members.issuperset(o.touches):
            return  # never in memory
        begins = out == o.value and o.alloc is not None and o.first == n
        inner = {self.memory[v] for body in operations(op)[1:] for v in body.operands if v in self.memory}
        is_read = any(self.memory.get(v) is o for v in inputs) or _uses_what_was_there(op)
        for v in inputs:
            e = self.memory.get(v)
            if e is None or e is o or e.alloc is None or e.last > n or e in inner or v.type != out.type:
                continue
            if not all(w == v and is_same for w, is_same in zip(inputs, same) if self.memory.get(w) is e):
                continue
            if any(e.touched_within(m, m + 1) for m in members if m != n):
                continue
            if begins and self._replace(o, v):
                return
            if v == e.value and not is_read and not o.touched_within(e.first, n) and self._replace(e, out):
                return


def _read_where_written(op: Any) -> list[bool] | None:
    """For each input, whether each element is used for the same element of the result alone; None if loops add."""
    count = len(op.operands) - 1
    if op.name in ELEMENTWISE:
        return [True] * count
    if op.name != "linalg.generic" or "reduction" in str(op.attributes["iterator_types"]):
        return None
    *maps, out = [a.value for a in op.attributes["indexing_maps"]]
    identity = ir.AffineMap.get_identity(out.n_dims)
    return [bool(m == identity) for m in maps] if out == identity else None


def _uses_what_was_there(op: Any) -> bool:
    """True if the body of a linalg operation reads the old element of its result."""
    body = operations(op)[1:]
    there = op.regions[0].blocks[0].arguments[len(op.operands) - 1] if body else None
    return any(v == there for o in body for v in o.operands)
