"""Lowers one Core operation to linalg: by its own rule, or by cloning the lowering of an equal operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...ir import DType, Op, TensorType
from ...ir.halves import widened_type
from .emitter import Emitter, Scope
from .linalg_ops import relocate


class Lowered(NamedTuple):
    """The lowering of an operation: its values in MLIR."""

    values: tuple[Any, ...]
    failures: Sequence[Any] = ()
    """Rank-0 i64 tensors, not zero if one of its indices was out of bounds."""


class OperationLowering:
    """Lowers the operations of one function, one after the other, and remembers their lowerings."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._templates: dict[tuple[Op, tuple[TensorType, ...], tuple[TensorType, ...]], _Template] = {}

    def lower(
        self,
        op: Op,
        results: tuple[TensorType, ...],
        types: Sequence[TensorType],
        operands: Sequence[Any],
        location: Any,
    ) -> Lowered:
        """Emit `op` at the insertion point."""
        key = (op, results, tuple(types))
        if (template := self._templates.get(key)) is not None:
            return Lowered(template.repeat(operands, location))
        e = Emitter(self._scope, self.lower, dict(zip(operands, types)))
        with location:
            if any(t.size for t in results) or op.lowers_empty or op.function_attributes:
                if op.widens and any(t.dtype.is_half for t in types):
                    values = _in_f32(e, op, results, types, operands)
                else:
                    values = _all(op.lower(e, _one_or_all(results), *operands))
            else:
                values = tuple([e.tensor.empty(t) for t in results])  # no element to compute
        emission = e.emission
        if emission.is_repeatable and emission.made and len(set(operands)) == len(operands):
            self._templates[key] = _Template(emission.made, operands, values)
        return Lowered(values, emission.failures)


def _one_or_all(results: tuple[TensorType, ...]) -> Any:
    """What a rule gets of the results: a tuple of several, or the only one."""
    return results if len(results) > 1 else results[0]


def _all(found: Any) -> tuple[Any, ...]:
    """What a rule gives as a tuple."""
    return found if isinstance(found, tuple) else (found,)


def _in_f32(
    e: Emitter, op: Op, results: tuple[TensorType, ...], types: Sequence[TensorType], operands: Sequence[Any]
) -> tuple[Any, ...]:
    """The values of an operation on floats of 16 bits, computed in f32 and rounded once."""
    wide = [_converted(e, v, t.dtype, widened_type(t)) for v, t in zip(operands, types)]
    found = _all(op.lower(e, _one_or_all(tuple(map(widened_type, results))), *wide))
    return tuple([_converted(e, v, widened_type(t).dtype, t) for v, t in zip(found, results)])


def _converted(e: Emitter, v: Any, source: DType, to: TensorType) -> Any:
    """`v`, whose elements are of type `source`, with those of another type."""
    if source is to.dtype:
        return v
    if not to.size:
        return e.tensor.empty(to)
    return e.linalg.map(lambda s, x: s.converted(x, s.of(source)), (v,), to)


class _Template:
    """The lowering of one operation, which equal operations on equal types clone, in a tenth of the time."""

    def __init__(self, emitted: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]) -> None:
        sources = {v: (-1, i) for i, v in enumerate(operands)}
        self.steps: list[tuple[Any, list[tuple[int, int, int]]]] = []
        for n, made in enumerate(emitted):
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
