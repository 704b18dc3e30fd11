"""The one normal form of a module.  Spec: Core IR, Canonicalisation.

Inputs first, in order; attributes in normal form; operands of commutative operations by ascending id; constants folded
with the interpreter's own arithmetic; operations simplified where no bit changes; equal operations shared; dead ones
dropped, Inputs never; ids dense.  Idempotent, and value-preserving to the bit.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Builder, Environment, Literal, MindError, Module, Op, Operation, Reject, Span, TensorType, Value, np
from ..ir.gc import without_gc
from .preflight import check_type
from .verify import verify

FOLD_LIMIT = 1024
"""Largest result of constant folding, in elements, unless it is no larger than the constants it replaces."""


@without_gc
def canonicalize(m: Module, *, verified: bool = False) -> Module:
    """Bring a module into its normal form.

    MindError with any code of `verify` if it is not valid; `verified` says that it is known to be.
    """
    if not verified:
        verify(m)
    b = _Simplifier(m)
    env: Environment[Value] = Environment()
    for o in m.inputs:
        b.repeat(o, env)
    for o in m.operations:
        if o.id not in env:
            b.span = o.span
            before = len(b.operations)
            env.write(o, v := b.emit(o.op, *env.read(o)))
            if o.sharding is not None and v.id >= before:
                b.place(v, o.sharding)
    outputs = [env[i].id for i in m.outputs]
    gradients = [(env[x].id, env[g].id) for x, g in m.gradients]
    tangents = [(env[x].id, env[t].id) for x, t in m.tangents]
    return _without_dead(
        b.operations, replace(m, outputs=tuple(outputs), gradients=tuple(gradients), tangents=tuple(tangents))
    )


class _Simplifier(Builder):
    """A builder whose `emit` simplifies; rules that emit through it have their results simplified in turn.

    What is emitted without a place comes from `span`, the operation that is being simplified.
    """

    def __init__(self, m: Module) -> None:
        super().__init__(m.source)
        self.span: Span | None = None
        self._known: dict[tuple[Op, tuple[int, ...]], Value] = {}
        self._types: dict[tuple[Op, tuple[TensorType, ...]], tuple[Op, TensorType]] = {}

    def emit(self, op: Op, *operands: Value, span: Span | None = None) -> Value:
        span = span or self.span
        key = op, tuple([v.type for v in operands])
        if (normal := self._types.get(key)) is None:
            try:
                canonical = op.canonical(*key[1])
                normal = canonical, canonical.infer_type(*key[1])
            except Reject as why:
                raise MindError([why.located(self.source, span)]) from None
            self._types[key] = normal
        op, type = normal
        ids = tuple([v.id for v in operands])
        if op.commutative and ids[0] > ids[1]:
            ids, operands = ids[::-1], operands[::-1]
        if (value := self._known.get((op, ids))) is None:
            value = self._folded(op, operands, type) if op.foldable and self._all_constant(ids) else None
            if value is None and (value := op.fold(self, *operands)) is None:
                value = self.append(op, ids, type, span)
            self._known[op, ids] = value
        return value

    def _all_constant(self, ids: tuple[int, ...]) -> bool:
        operations = self.operations
        return all(operations[i].op.literal is not None for i in ids)

    def _folded(self, op: Op, operands: tuple[Value, ...], type: TensorType) -> Value | None:
        """The value of an operation on constants, computed as the interpreter does, or None if it is not worth it."""
        if type.size > max(FOLD_LIMIT, sum(len(v.op.data) for v in operands)):  # type: ignore[attr-defined, misc]
            return None
        try:
            for t in (type, *(v.type for v in operands), *op.scratch(*(v.type for v in operands))):
                check_type(op.opcode, t, 64 * FOLD_LIMIT * t.dtype.width)
            op.check_before_run(*(v.type for v in operands))
            with np.errstate(all="ignore"):
                result = np.asarray(op.evaluate(*(v.op.evaluate() for v in operands)))
                if type.dtype.is_float and not op.keeps_nan_bits:
                    result = np.where(np.isnan(result), result.dtype.type(np.nan), result)
        except Reject:
            return None  # an error at run time stays one at run time
        assert result.shape == type.shape, f"{op.opcode} evaluates to {result.shape}, inferred {type}"
        return self.literal(Literal.from_array(result), type.shape)


def _without_dead(operations: list[Operation], interface: Module) -> Module:
    """The module of the live operations, with dense ids; Inputs are always live.

    `interface` has the outputs and the maps, in the ids of `operations`.
    """
    live = bytearray(len(operations))
    for i in (*interface.outputs, *(i for pair in interface.gradients for i in pair)):
        live[i] = 1
    for o in reversed(operations):
        if live[o.id]:
            for i in o.operands:
                live[i] = 1
        elif o.op.opcode == "Input":
            live[o.id] = 1
    new = [0] * len(operations)
    kept: list[Operation] = []
    for o in operations:
        if live[o.id]:
            new[o.id] = id = len(kept)
            operands = tuple([new[i] for i in o.operands])
            kept.append(
                o
                if id == o.id and operands == o.operands
                else Operation(id, o.op, operands, o.type, o.span, o.sharding)
            )
    return replace(
        interface,
        operations=tuple(kept),
        outputs=tuple(new[i] for i in interface.outputs),
        gradients=tuple((new[x], new[g]) for x, g in interface.gradients),
        tangents=tuple((new[x], new[t]) for x, t in interface.tangents),
        notes={},
    )
