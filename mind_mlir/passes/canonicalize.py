"""Brings a module into its one normal form. Spec: Core IR, Canonicalisation.

Inputs are first, in order; attributes are in normal form; operands of commutative operations are in the order of ids;
constants are folded with the interpreter's own arithmetic; operations are simplified if no bit changes; equal
operations are shared; dead ones are dropped, except Inputs; ids are dense; the bodies of functions are in normal form
too. The pass is idempotent and keeps every bit of the values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..ir import (
    Builder,
    Environment,
    Literal,
    MindError,
    Module,
    Op,
    Operation,
    Reject,
    Result,
    Span,
    TensorType,
    Value,
    np,
)
from ..ir.gc import without_gc
from .preflight import check_type
from .verify import verify

if TYPE_CHECKING:
    import numpy

FOLD_LIMIT = 1024
"""The most elements of a result of constant folding, unless it is no larger than the constants that it replaces."""


@without_gc
def canonicalize(m: Module, *, verified: bool = False) -> Module:
    """Bring a module into its normal form.

    MindError with any code of `verify` if it is not valid; `verified` says that it is known to be.
    """
    if not verified:
        verify(m)
    if m.functions:
        m = m.with_bodies(_canonical)
    return _canonical(m)


def _canonical(m: Module) -> Module:
    """The normal form of a module whose functions are in theirs."""
    b = _Simplifier(m)
    env: Environment[Value] = Environment()
    for o in m.inputs:
        b.repeat(o, env)
    for o in m.operations:
        if not env.has(o):
            b.span = o.span
            before = b.values_made
            for r, v in zip(o.results, b.emit_all(o.op, *env.read(o)), strict=True):
                env[r.id] = v
                if r.sharding is not None and v.id >= before:
                    b.place(v, r.sharding)
    outputs = [env[i].id for i in m.outputs]
    gradients = [(env[x].id, env[g].id) for x, g in m.gradients]
    tangents = [(env[x].id, env[t].id) for x, t in m.tangents]
    return _without_dead(
        b.operations, replace(m, outputs=tuple(outputs), gradients=tuple(gradients), tangents=tuple(tangents))
    )


class _Simplifier(Builder):
    """A builder whose `emit` simplifies, also what rules emit through it.

    Operations emitted without a span get `span`, that of the operation that is being simplified.
    """

    def __init__(self, m: Module) -> None:
        super().__init__(m.source)
        self.span: Span | None = None
        self._known: dict[tuple[Op, tuple[int, ...]], tuple[Value, ...]] = {}
        self._types: dict[tuple[Op, tuple[TensorType, ...]], tuple[Op, tuple[TensorType, ...]]] = {}

    def emit_all(self, op: Op, *operands: Value, span: Span | None = None) -> tuple[Value, ...]:
        span = span or self.span
        key = op, tuple([v.type for v in operands])
        if (normal := self._types.get(key)) is None:
            try:
                canonical = op.canonical(*key[1])
                normal = canonical, canonical.result_types(*key[1])
            except Reject as why:
                raise MindError([why.located(self.source, span)]) from None
            self._types[key] = normal
        op, types = normal
        ids = tuple([v.id for v in operands])
        if op.commutative and ids[0] > ids[1]:
            ids, operands = ids[::-1], operands[::-1]
        if (values := self._known.get((op, ids))) is None:
            values = self._folded(op, operands, types) if self._may_fold(op, ids) else None
            if values is None and (simpler := op.fold(self, *operands)) is not None:
                values = simpler if isinstance(simpler, tuple) else (simpler,)
            if values is None:
                values = self.append(op, ids, types, span)
            self._known[op, ids] = values
        return values

    def _may_fold(self, op: Op, ids: tuple[int, ...]) -> bool:
        """True for an op on constants; how long the functions run that an op holds is not known."""
        return op.foldable and not op.function_attributes and all(self.operation(i).op.literal is not None for i in ids)

    def _folded(self, op: Op, operands: tuple[Value, ...], types: tuple[TensorType, ...]) -> tuple[Value, ...] | None:
        """The values of an operation on constants, as the interpreter computes them; None if they stay unfolded."""
        size = sum(t.size for t in types)
        if size > max(FOLD_LIMIT, sum(len(v.op.data) for v in operands)):  # type: ignore[attr-defined, misc]
            return None
        try:
            for t in (*types, *(v.type for v in operands), *op.scratch(*(v.type for v in operands))):
                check_type(op.opcode, t, 64 * FOLD_LIMIT * t.dtype.width)
            op.check_before_run(*(v.type for v in operands))
            with np.errstate(all="ignore"):
                results = op.result_arrays(*(v.op.evaluate() for v in operands))
        except Reject:
            return None  # an error at run time stays one at run time
        return tuple([self._constant(op, x, type) for x, type in zip(results, types, strict=True)])

    def _constant(self, op: Op, result: numpy.ndarray, type: TensorType) -> Value:
        """A constant with what an operation has computed."""
        assert result.shape == type.shape, f"{op.opcode} evaluates to {result.shape}, inferred {type}"
        if type.dtype.is_float and not op.keeps_nan_bits:
            result = np.where(np.isnan(result), result.dtype.type(np.nan), result)
        return self.literal(Literal.from_array(result), type.shape)


def _without_dead(operations: list[Operation], interface: Module) -> Module:
    """The module of the live operations, with dense ids; Inputs are always live.

    `interface` has the outputs and the maps, in the ids of `operations`.
    """
    live = bytearray(sum([len(o.results) for o in operations]))
    for i in (*interface.outputs, *(i for pair in interface.gradients for i in pair)):
        live[i] = 1
    for o in reversed(operations):
        if 1 in [live[r.id] for r in o.results]:
            for i in o.operands:
                live[i] = 1
        elif o.op.opcode == "Input":
            live[o.id] = 1
    new = [0] * len(live)
    kept: list[Operation] = []
    next_id = 0
    for o in operations:
        if 1 in [live[r.id] for r in o.results]:
            operands, first = tuple([new[i] for i in o.operands]), next_id
            for r in o.results:
                new[r.id] = next_id
                next_id += 1
            if first == o.results[0].id and operands == o.operands:
                kept.append(o)
            else:
                results = tuple([Result(new[r.id], r.type, r.sharding) for r in o.results])
                kept.append(Operation(o.op, operands, results, o.span))
    return replace(
        interface,
        operations=tuple(kept),
        outputs=tuple(new[i] for i in interface.outputs),
        gradients=tuple((new[x], new[g]) for x, g in interface.gradients),
        tangents=tuple((new[x], new[t]) for x, t in interface.tangents),
        notes={},
    )
