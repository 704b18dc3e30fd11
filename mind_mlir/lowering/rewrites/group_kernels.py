"""Groups operations that will share a kernel: those on what another one has just computed.

`mind.group = n` marks the members of a group, which are moved next to each other. Groups grow from

- a contraction: element-wise operations on its result, while the sums are in registers;
- a reduction: the element-wise operation that makes its input, if nothing else uses that, and those on its result;
- an element-wise operation: those on its result over the same elements.

Nothing is computed twice: values that are used outside of the group are stored, the others never reach memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mlir import ir

from ..mlir.copies import copied
from ..mlir.linalg_names import CONTRACTIONS, ELEMENTWISE
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations
from ._reshapes import is_over_windows, restore_reshapes

GROUP = "mind.group"
"""The attribute of linalg operations with the number of the group."""

MOST = 12
"""The most element-wise members of a group; more would need too many registers."""


@rewrite("group-kernels")
def group_kernels(r: Rewriter, *, least: int = 0) -> None:
    """Mark linalg operations that will share a kernel, and move them together, if on at least so many elements."""
    restore_reshapes(r.module)
    for f in r.functions():
        _Grouping(children(f), least).run()


class _Group:
    def __init__(self, root: Any, place: int) -> None:
        self.members, self.place = [root], place
        self.results = {root.result}
        self.shape = _shape(root.result)

    @property
    def root(self) -> Any:
        """The contraction or reduction, else the first member."""
        return next((op for op in self.members if not _is_elementwise(op)), self.members[0])


class _Grouping:
    """Groups the operations of one function, in order."""

    def __init__(self, block: list[Any], least: int) -> None:
        self.block, self.least = block, least
        self.place = {v: n for n, op in enumerate(block) for v in op.results}
        self.makers = {v: op for op in block for v in op.results}
        self.users: dict[Any, list[Any]] = {}
        for op in block:
            for v in dict.fromkeys(v for inner in operations(op) for v in inner.operands):
                self.users.setdefault(v, []).append(op)
        self.group_of: dict[Any, _Group] = {}  # result -> its group
        self.groups: list[_Group] = []

    def run(self) -> None:
        for n, op in enumerate(self.block):
            if not op.name.startswith("linalg.") or len(op.results) != 1:
                continue
            if _is_elementwise(op):
                if not self._join(op):
                    self._found(op, n)
            elif op.name in CONTRACTIONS or _is_reduction(op) or is_over_windows(op):
                self._found(op, n)
        number = 0
        for group in self.groups:
            if len(group.members) > 1:
                self._own_start(group.root)
                for op in group.members:
                    op.attributes[GROUP] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
                number += 1

    def _found(self, root: Any, n: int) -> None:
        """A group of one, or with the producer of a reduction's input."""
        group = _Group(root, n)
        if _is_reduction(root):
            producer = self.makers.get(root.operands[0])
            if producer is not None and self._feeds_only(producer, root):
                old = self.group_of[producer.result]
                if old.members == [producer] and self._is_fresh(producer):
                    self.groups.remove(old)
                    producer.move_before(root)
                    self._own_destination(producer)
                    group.members.insert(0, producer)
                    self.group_of[producer.result] = group
        self.groups.append(group)
        self.group_of[root.result] = group

    def _feeds_only(self, op: Any, user: Any) -> bool:
        """True for an element-wise operation in a group whose result nothing but `user` reads."""
        return _is_elementwise(op) and op.result in self.group_of and self.users[op.result] == [user]

    def _join(self, op: Any) -> bool:
        """Put an element-wise operation after the last member of a group that makes one of its operands."""
        if prod(_shape(op.result)) < self.least or not self._is_fresh(op):
            return False
        for v, is_identity in zip(_inputs(op), _identities(op)):
            group = self.group_of.get(v)
            if group is None or not is_identity or v not in group.results or len(group.members) > MOST:
                continue
            if _shape(op.result) != group.shape or not self._ready(op, group):
                continue
            op.move_after(group.members[-1])
            self._own_destination(op)
            group.members.append(op)
            group.results.add(op.result)
            self.group_of[op.result] = group
            return True
        return False

    def _ready(self, op: Any, group: _Group) -> bool:
        """True if every other operand is defined before the group, or is made by it over the same elements."""
        for v, is_identity in zip(_inputs(op), _identities(op)):
            if v in group.results:
                if not is_identity:
                    return False
            elif self.place.get(v, -1) >= group.place or self.group_of.get(v) is group:
                return False
        captured = {v for inner in operations(op)[1:] for v in inner.operands if v in self.place}
        return all(self.place[v] < group.place for v in captured)

    def _is_fresh(self, op: Any) -> bool:
        """True if the operation writes on an empty tensor."""
        maker = self.makers.get(op.operands[len(op.operands) - 1])
        return maker is not None and maker.name == "tensor.empty"

    def _own_start(self, root: Any) -> None:
        """Give the sums of a group a fill of their own: shared memory would have to be kept."""
        last = len(root.operands) - 1
        fill = self.makers.get(root.operands[last])
        if fill is None or fill.name != "linalg.fill":
            return
        with Rewriter.before(root):
            empty = copied(self.makers[fill.operands[1]], {})
            root.operands[last] = copied(fill, {fill.operands[1]: empty.result}).result
        if not list(fill.result.uses):
            fill.erase()

    def _own_destination(self, op: Any) -> None:
        """Give an operation that was moved an empty tensor before it."""
        last = len(op.operands) - 1
        with Rewriter.before(op):
            op.operands[last] = copied(self.makers[op.operands[last]], {}).result


def _shape(v: Any) -> Sequence[int]:
    return tuple(ir.RankedTensorType(v.type).shape)


def _inputs(op: Any) -> list[Any]:
    return list(op.operands)[:-1]


def _is_elementwise(op: Any) -> bool:
    if op.name in ELEMENTWISE:
        return True
    return (
        op.name == "linalg.generic"
        and "reduction" not in str(op.attributes["iterator_types"])
        and _is_identity(op.attributes["indexing_maps"][len(op.operands) - 1].value)
        and not any(o.name == "linalg.index" or len(o.regions) for o in operations(op)[1:])
    )


def _is_reduction(op: Any) -> bool:
    return bool(op.name == "linalg.reduce") and len(op.operands) == 2


def _is_identity(m: Any) -> bool:
    return bool(m == ir.AffineMap.get_identity(m.n_dims))


def _identities(op: Any) -> list[bool]:
    """For each input, whether it is read at the position that is written."""
    if op.name in ELEMENTWISE:
        return [True] * len(_inputs(op))
    return [_is_identity(a.value) for a in op.attributes["indexing_maps"]][:-1]
