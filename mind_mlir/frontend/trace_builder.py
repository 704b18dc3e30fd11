"""Traces: record the operations of a function on traced values as a module.

A trace is active while its function runs; traces nest. An operation is recorded by the innermost trace of its operands.
A value of an outer trace, and a large array, is captured: it becomes one more Input of the inner trace, and is passed
for that Input when the finished module is run or repeated. Without any traced operand an operation is evaluated.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..ir import OPS, Builder, DType, Literal, MindError, Op, Reject, Span, TensorType, Value, np
from ..passes.derivative_rules import fresh
from ..passes.preflight import available, check_type
from .operands import Operand
from .place import error, located
from .unknown import Unknown

if TYPE_CHECKING:
    import numpy

LARGEST_CONSTANT = 256
"""An array that a function closes over is a constant of the module up to so many elements, and an Input above."""

_SMALL = 1 << 16
"""For arrays of up to so many elements, it is not checked whether there is memory for them."""

PLAIN = {name: OPS[name]() for name in ("Add", "Sub", "Mul", "Div", "Neg", "Greater", "Reciprocal")}
"""Operations without attributes that operators are made of."""


class _Active(threading.local):
    """The traces that are active in this thread, the innermost last."""

    def __init__(self) -> None:
        self.traces: list[TraceBuilder] = []


_active = _Active()


class TraceBuilder(Builder):
    """Records what a function does with traced values, which are of class `values`."""

    def __init__(self, values: type[Unknown]) -> None:
        super().__init__()
        self.value_class = values
        self.depth = len(_active.traces)
        self.captured: list[Operand] = []
        """The captures, for which the Inputs after those of the arguments stand, in order."""
        self.gradients: list[tuple[Value, Value]] = []
        """Values of this trace and their gradients by `grad` within it, which get the same shardings on a mesh."""
        self.remade: dict[int, Callable[[DType], Unknown]] = {}
        """Id of a value that is computed from Python numbers alone -> the same in another element type."""
        self._names: set[str] = set()
        self._capture_of: dict[int, tuple[Unknown, Operand]] = {}
        self._scalars: dict[tuple[Any, bytes], Unknown] = {}
        self._kept: list[Operand] = []  # kept, so that no other object gets the id of a capture

    def input(self, name: str, type: TensorType) -> Unknown:
        """Add an Input, with a fresh name."""
        (v,) = self.append(OPS["Input"](fresh(name, self._names), type), (), (type,))  # type: ignore[call-arg]
        return v  # type: ignore[return-value]

    def emit_all(self, op: Op, *operands: Value, span: Span | None = None) -> tuple[Value, ...]:
        """Append an operation, whose types are inferred. MindError with the rule's code, at the user's line."""
        try:
            types = op.result_types(*[v.type for v in operands])
        except Reject as why:
            raise located(why) from None
        return self.append(op, tuple([v.id for v in operands]), types)

    def lift(self, x: Operand) -> Unknown:
        """An operand as a value of this trace: itself, a constant, or a capture."""
        if isinstance(x, Value):
            return x if x.builder is self else self._capture(x, x.type)  # type: ignore[return-value]
        if x.size > LARGEST_CONSTANT:
            return self._capture(x, TensorType.of_array(x))
        if x.ndim:
            return self._literal(x)
        key = x.dtype, x.tobytes()
        if (value := self._scalars.get(key)) is None:
            value = self._scalars[key] = self._literal(x)
        return value

    def _literal(self, x: numpy.ndarray) -> Unknown:
        return self.literal(Literal.from_array(x), x.shape)  # type: ignore[return-value]

    def _capture(self, x: Operand, type: TensorType) -> Unknown:
        if (found := self._capture_of.get(id(x))) is not None:
            value, fixed = found
            if isinstance(x, Value) or (value.type == type and _same_bytes(x, fixed)):
                return value
        # copied, so that later writes into the array have no effect
        fixed = x if isinstance(x, Value) else np.array(x, order="C")
        value = self.input(f"captured{len(self.captured)}", type)
        self._capture_of[id(x)] = value, fixed
        self._kept.append(x)
        self.captured.append(fixed)
        return value


@contextmanager
def active(trace: TraceBuilder) -> Iterator[None]:
    """Make a trace the innermost active one of this thread."""
    _active.traces.append(trace)
    try:
        yield
    finally:
        del _active.traces[trace.depth :]  # also those that an interrupt may have left


def trace_of(operands: Iterable[object]) -> TraceBuilder | None:
    """The innermost trace among the operands; None without a traced value. E6011 for one out of its trace."""
    found: TraceBuilder | None = None
    for x in operands:
        if isinstance(x, Unknown) and x.builder is not found:
            trace: TraceBuilder = x.builder  # type: ignore[assignment]
            traces = _active.traces
            if trace.depth >= len(traces) or traces[trace.depth] is not trace:
                raise _leaked(x)
            if found is None or trace.depth > found.depth:
                found = trace
    return found


def apply(op: Op, *operands: Any) -> Any:
    """Apply an operation: it is traced if one of the operands is, else evaluated at once.

    Of an operation with several results, a tuple.
    """
    trace = trace_of(operands)
    if trace is None:
        return evaluate(op, operands)
    made = trace.emit_all(op, *[trace.lift(x) for x in operands])
    return made[0] if op.has_one_result() else made


def evaluate(op: Op, arrays: Sequence[numpy.ndarray]) -> Any:
    """The value of an operation on arrays, or a tuple. MindError with the rule's code, at the user's line."""
    types = [TensorType.of_array(a) for a in arrays]
    try:
        result_types = op.result_types(*types)
        op.check_before_run(*types)
        for t in (*result_types, *op.scratch(*types)):
            if not 0 < t.size <= _SMALL:
                check_type(f"{op.opcode} makes {t}", t, available())
        with np.errstate(all="ignore"):
            found = [_owned(x, arrays) for x in op.result_arrays(*arrays)]
        return found[0] if op.has_one_result() else tuple(found)
    except Reject as why:
        raise located(why) from None


def _owned(result: numpy.ndarray, operands: Sequence[numpy.ndarray]) -> numpy.ndarray:
    """A copy of a result, since compiled functions return new arrays too."""
    own = result.flags.owndata and result.flags.c_contiguous and not any(result is a for a in operands)
    return result if own else np.array(result, order="C")


def _same_bytes(a: Any, b: Any) -> bool:
    """True for arrays of one type with equal bits: 0.0 differs from -0.0, and a NaN equals itself."""
    a, b = (np.ascontiguousarray(x).view(f"u{x.itemsize}") for x in (a, b))
    return bool(np.array_equal(a, b))


def _leaked(x: Unknown) -> MindError:
    return error(
        "E6011",
        f"a traced {x.type} is used where its trace is not active",
        note="its trace has ended, or runs in another thread",
        help="return the value from the traced function instead of storing it",
    )
