"""One Core operation to linalg: by its own rule, or as a clone of what the same operation became before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir import Function, Op, TensorType
from .emitter import Emitter
from .inlined import inlined
from .structured import relocate

COMPUTED_EMPTY = ("Input", "Gather", "ScatterAdd")
"""Operations whose rule runs even where the result has no element: an argument, and indices to be checked."""


class OperationLowering:
    """Lowers operations one after the other through an emitter; knows what it has seen."""

    def __init__(self, e: Emitter) -> None:
        self.e = e
        e.inline = self._inlined
        self._templates: dict[tuple[Op, tuple[TensorType, ...], tuple[TensorType, ...]], _Template] = {}

    def lower(
        self,
        op: Op,
        results: tuple[TensorType, ...],
        types: Sequence[TensorType],
        operands: Sequence[Any],
        location: Any,
    ) -> tuple[Any, ...]:
        """The results of `op`, emitted at the insertion point.  What may fail in it is in the emitter's `failures`."""
        e, key = self.e, (op, results, tuple(types))
        e.failures = []
        if (template := self._templates.get(key)) is not None:
            return template.repeat(operands, location)
        e.trace, e.repeatable = [], True
        with location:
            if any(t.size for t in results) or op.opcode in COMPUTED_EMPTY:
                found = op.lower(e, results if len(results) > 1 else results[0], *operands)
                values = found if isinstance(found, tuple) else (found,)
            else:
                values = tuple([e.empty(t) for t in results])  # no element to compute
        if e.repeatable and e.trace and len(set(operands)) == len(operands):
            self._templates[key] = _Template(e.trace, operands, values)
        return values

    def _inlined(self, function: Function, operands: Sequence[Any]) -> tuple[Any, ...]:
        """What `e.inline` gives.  What may fail in the body may fail in the operation whose rule asks for it."""
        e = self.e
        failures, trace = e.failures, e.trace
        results, inside = inlined(lambda *one: (self.lower(*one), e.failures), function, operands)
        e.failures, e.trace, e.repeatable = [*failures, *inside], trace, False
        return results


class _Template:
    """What one operation was lowered to.  The same operation on the same types again is a clone: ten times faster."""

    def __init__(self, trace: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]) -> None:
        sources = {v: (-1, i) for i, v in enumerate(operands)}
        self.steps: list[tuple[Any, list[tuple[int, int, int]]]] = []
        for n, made in enumerate(trace):
            self.steps.append((made, [(i, *sources[v]) for i, v in enumerate(made.operands)]))
            for i, v in enumerate(made.results):
                sources[v] = (n, i)
        self.results = [sources[v] for v in results]

    def repeat(self, operands: Sequence[Any], location: Any) -> tuple[Any, ...]:
        made: list[Any] = []
        for original, uses in self.steps:
            copy = original.clone()
            relocate(copy, location)
            for i, step, n in uses:
                copy.operands[i] = operands[n] if step < 0 else made[step].results[n]
            made.append(copy)
        return tuple([operands[n] if step < 0 else made[step].results[n] for step, n in self.results])
