"""Element-wise operations around a nest with reductions: what computes its terms, and what is made of its results.

Both are described over the loops of that nest, so that an emitter can evaluate them on what it has in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlir import ir

from ...ir.kept import kept_property
from .nest import Access, Nest
from .replay import can_replay, given, repeat
from .vector_code import Code

Ref = tuple[str, int]
"""An element: ("input", n) from memory, ("step", n) computed, or ("sum", 0)."""


@dataclass(frozen=True)
class Step:
    """One operation on elements; `value` is the one of its body that is wanted, None for what it yields."""

    nest: Nest
    operands: tuple[Ref, ...]
    value: Any = None

    @kept_property
    def body(self) -> tuple[list[Any], list[tuple[Any, list[Any], Any]], Any]:
        """The elements that it takes, the operations on them with operands and result, in order, and what is wanted."""
        *body, last = self.nest.body()
        value = last.operands[0] if self.value is None else self.value
        operations = [(op, list(op.operands), op.result) for op in _leading_to(body, value)]
        return self.nest.arguments(), operations, value


def evaluated(code: Code, steps: Sequence[Step], known: dict[Ref, Any], lanes: int | None) -> dict[Ref, Any]:
    """The elements of `known` and those of all steps on them: vectors of `lanes`, or single ones if that is None."""
    known = dict(known)
    for n, s in enumerate(steps):
        arguments, operations, value = s.body
        env = dict(zip(arguments, (known[r] for r in s.operands)))
        for op, operands, result in operations:
            env[result] = repeat(code, op, [env[v] if v in env else given(code, v, lanes) for v in operands], lanes)
        known["step", n] = env[value] if value in env else given(code, value, lanes)
    return known


def _leading_to(body: Sequence[Any], value: Any) -> list[Any]:
    """The operations that `value` comes from, in order."""
    wanted, found = {value}, []
    for op in reversed(body):
        if op.result in wanted:
            wanted.update(op.operands)
            found.append(op)
    return found[::-1]


@dataclass(frozen=True)
class _Made:
    """The contents of a memref after an operation; `sources` are the contents of its inputs before."""

    nest: Nest
    sources: tuple[_Made | None, ...]


class Terms:
    """The terms of a reduction as a formula over its loops: `inputs` from memory, then `steps`."""

    def __init__(self, main: Nest) -> None:
        self.main = main
        self.inputs: list[Access] = []
        self.steps: list[Step] = []
        self._known: dict[Any, Ref] = {}

    def read(self, before: Sequence[Nest], value: Any) -> Ref | None:
        """The element that the body of the reduction calls `value`; `before` are the operations ahead of it.

        None if one of them is no element-wise operation whose result the formula can stand for.
        """
        now: dict[Any, _Made] = {}
        for nest in before:
            if not nest.is_elementwise or not _is_map(nest) or not is_local(nest.output.value):
                return None
            now[nest.output.value] = _Made(nest, tuple(now.get(a.value) for a in nest.inputs))
        elements = []
        for a in self.main.inputs:
            ref = self._element(a, now.get(a.value))
            if ref is None:
                return None
            elements.append(ref)
        arguments = self.main.arguments()
        if value in arguments:
            return elements[arguments.index(value)]
        self.steps.append(Step(self.main, tuple(elements), value))
        return "step", len(self.steps) - 1

    def _element(self, a: Access, made: _Made | None) -> Ref | None:
        if made is None:
            if a not in self.inputs:
                if is_local(a.value) and a.is_memory:
                    return None  # nobody has written it
                self.inputs.append(a)
            return "input", self.inputs.index(a)
        key = a, id(made)
        if key not in self._known:
            loops = loops_along(made.nest, a, self.main.extents)
            if loops is None:
                return None
            operands = [self._element(over(x, loops, a), m) for x, m in zip(made.nest.inputs, made.sources)]
            if any(r is None for r in operands):
                return None
            self.steps.append(Step(made.nest, tuple(r for r in operands if r is not None)))
            self._known[key] = "step", len(self.steps) - 1
        return self._known[key]


def read_results(main: Nest, after: Sequence[Nest]) -> tuple[list[Step], list[Access], list[tuple[Ref, Access]]] | None:
    """Element-wise operations on the sums: steps, what they read from memory, and what is to be stored where.

    None if they are no such operations. Accesses are over the loops of `main`.
    """
    made: dict[Any, Ref] = {main.output.value: ("sum", 0)}
    steps: list[Step] = []
    inputs: list[Access] = []
    stores: dict[Any, tuple[Ref, Access]] = {}
    if not is_local(main.output.value):
        stores[main.output.value] = ("sum", 0), main.output
    for nest in after:
        shape = tuple(ir.MemRefType(main.output.value.type).shape)
        if not nest.is_elementwise or not _is_map(nest) or nest.extents != shape or not _is_straight(nest):
            return None
        loops = _loops_of_result(main, nest)
        if loops is None:
            return None
        operands: list[Ref] = []
        for a in nest.inputs:
            if a.value in made:
                if a.strides != nest.output.strides or a.offset:
                    return None
                operands.append(made[a.value])
                continue
            if a.is_memory and is_local(a.value):
                return None  # nobody has written it
            moved = over(a, loops, main.output)
            if moved not in inputs:
                inputs.append(moved)
            operands.append(("input", inputs.index(moved)))
        made[nest.output.value] = ref = "step", len(steps)
        steps.append(Step(nest, tuple(operands)))
        if not is_local(nest.output.value):
            stores[nest.output.value] = ref, over(nest.output, loops, main.output)
    return steps, inputs, list(stores.values())


def is_local(v: Any) -> bool:
    """True for memory that the function makes itself."""
    return not isinstance(v, ir.BlockArgument)


def over(a: Access, loops: Sequence[int | None], like: Access) -> Access:
    """An access over other loops: `loops[d]` is the one that goes as loop d does; `like` has as many as there are."""
    strides = [0] * len(like.strides)
    for d, s in zip(loops, a.strides):
        if d is not None:
            strides[d] = s
    return replace(a, strides=tuple(strides))


def loops_along(producer: Nest, a: Access, extents: Sequence[int]) -> list[int | None] | None:
    """For each loop of `producer` the one that reads along it through `a`; None in it for an extent of 1."""
    if a.offset != producer.output.offset:
        return None
    loops: list[int | None] = []
    for n, s in zip(producer.extents, producer.output.strides):
        found = [d for d, e in enumerate(extents) if e == n and a.strides[d] == s and d not in loops]
        if n != 1 and len(found) != 1:
            return None
        loops.append(found[0] if n != 1 else None)
    moving = {d for d, s in enumerate(a.strides) if s and extents[d] != 1}
    return loops if moving <= set(loops) else None


def _loops_of_result(main: Nest, nest: Nest) -> list[int | None] | None:
    """For each loop of `nest`, which runs over the axes of the sums, the loop of `main`; None for an extent of 1."""
    strides, _ = ir.MemRefType(main.output.value.type).get_strides_and_offset()
    loops: list[int | None] = []
    for n, s in zip(nest.extents, strides):
        found = [
            d
            for d, e in enumerate(main.extents)
            if e == n and main.output.strides[d] == s and not main.reduction[d] and d not in loops
        ]
        if n != 1 and len(found) != 1:
            return None
        loops.append(found[0] if n != 1 else None)
    return loops


def _is_map(nest: Nest) -> bool:
    """True if every element of the result is written once, from elements of the inputs alone."""
    used = {v for o in nest.body() for v in o.operands}
    moves = all(s for n, s in zip(nest.extents, nest.output.strides) if n != 1)
    return moves and can_replay(nest) and nest.arguments()[-1] not in used


def _is_straight(nest: Nest) -> bool:
    """True if loop d runs along axis d of the result."""
    strides, _ = ir.MemRefType(nest.output.value.type).get_strides_and_offset()
    return all(s == t for n, s, t in zip(nest.extents, nest.output.strides, strides) if n != 1)
