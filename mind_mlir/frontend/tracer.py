"""Traced values: what a function computes with while it becomes a module.

A trace is active while its function runs; traces nest.  An operation goes to the innermost trace among its operands.
A value of an outer trace, and a large array, is captured: it becomes one more Input of the inner trace, and is passed
for that Input when the finished module is run or repeated.  Without any traced operand an operation is evaluated.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..ir import OPS, Builder, Literal, MindError, Op, Reject, Span, TensorType, Value, np
from ..passes.derivative_rules import fresh
from ..passes.preflight import available, check_type
from .operands import Operand, common, is_scalar
from .place import error, located
from .unknown import Unknown, unknown

if TYPE_CHECKING:
    import numpy

LARGEST_CONSTANT = 256
"""Elements above which an array that a function closes over is an Input of the module, not a constant in it."""

_SMALL = 1 << 16
"""Elements of an array up to which it is not asked whether there is memory for it."""

_PLAIN = {name: OPS[name]() for name in ("Add", "Sub", "Mul", "Div", "Neg", "Greater", "Reciprocal", "Dot", "MatMul")}


class _Active(threading.local):
    """The traces that are active in this thread, the innermost last."""

    def __init__(self) -> None:
        self.traces: list[TraceBuilder] = []


_active = _Active()


class TraceBuilder(Builder):
    """Records what a function does with its Tracers."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = len(_active.traces)
        self.captured: list[Operand] = []
        """What the Inputs after those of the arguments stand for, in order."""
        self.gradients: list[tuple[Value, Value]] = []
        """Values of this trace, and their gradients by `grad` within it: on a mesh these come to lie as those."""
        self._names: set[str] = set()
        self._capture_of: dict[int, tuple[Tracer, Operand]] = {}
        self._scalars: dict[tuple[Any, bytes], Tracer] = {}
        self._kept: list[Operand] = []  # what was captured, so that nothing else gets its id

    def input(self, name: str, type: TensorType) -> Tracer:
        """One more Input; the name is made fresh."""
        (v,) = self.append(OPS["Input"](fresh(name, self._names), type), (), (type,))  # type: ignore[call-arg]
        return v  # type: ignore[return-value]

    def emit_all(self, op: Op, *operands: Value, span: Span | None = None) -> tuple[Value, ...]:
        """Append `op`; its types are inferred.  MindError with the rule's code, at the user's line."""
        try:
            types = op.result_types(*[v.type for v in operands])
        except Reject as why:
            raise located(why) from None
        return self.append(op, tuple([v.id for v in operands]), types)

    def lift(self, x: Operand) -> Tracer:
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

    def _literal(self, x: numpy.ndarray) -> Tracer:
        return self.literal(Literal.from_array(x), x.shape)  # type: ignore[return-value]

    def _capture(self, x: Operand, type: TensorType) -> Tracer:
        if (found := self._capture_of.get(id(x))) is not None:
            value, fixed = found
            if isinstance(x, Value) or (value.type == type and _same_bytes(x, fixed)):
                return value
        # what a function closes over is fixed here, whatever is written into the array later
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
        del _active.traces[trace.depth :]  # with what an interrupt may have left above


def trace_of(operands: Iterable[object]) -> TraceBuilder | None:
    """The innermost trace among the operands; None without a Tracer.  E6011 for a Tracer out of its trace."""
    found: TraceBuilder | None = None
    for x in operands:
        if isinstance(x, Tracer) and x.builder is not found:
            trace = x.builder
            traces = _active.traces
            if trace.depth >= len(traces) or traces[trace.depth] is not trace:
                raise _leaked(x)
            if found is None or trace.depth > found.depth:
                found = trace
    return found


def apply(op: Op, *operands: Any) -> Any:
    """Apply an operation to traced values and arrays: traced if one of them is, else evaluated at once."""
    trace = trace_of(operands)
    if trace is None:
        return evaluate(op, operands)
    made = trace.emit_all(op, *[trace.lift(x) for x in operands])
    return made[0] if op.has_one_result() else made


def evaluate(op: Op, arrays: Sequence[numpy.ndarray]) -> Any:
    """The value of an operation on arrays, or a tuple.  MindError with the rule's code, at the user's line."""
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
    """A result in memory of its own, as a compiled function's."""
    own = result.flags.owndata and result.flags.c_contiguous and not any(result is a for a in operands)
    return result if own else np.array(result, order="C")


def _same_bytes(a: Any, b: Any) -> bool:
    """True for arrays of one type whose elements are the same to the bit: 0.0 is not -0.0, and a NaN is itself."""
    a, b = (np.ascontiguousarray(x).view(f"u{x.itemsize}") for x in (a, b))
    return bool(np.array_equal(a, b))


def binary(opcode: str, lhs: Any, rhs: Any) -> Any:
    """An operation of two operands of one dtype, which broadcast."""
    return apply(_PLAIN[opcode], *common(opcode, lhs, rhs))


class Tracer(Unknown):
    """A value of a function that is being traced: shape and dtype are known, the numbers are not.

    It stands for an array: operators, indexing, and some of the methods of an ndarray.
    """

    __slots__ = ()
    builder: TraceBuilder

    @property
    def dtype(self) -> numpy.dtype:  # type: ignore[override]
        """The NumPy dtype."""
        return self.type.dtype.numpy

    @property
    def ndim(self) -> int:
        return self.type.rank

    @property
    def size(self) -> int:
        return self.type.size

    @property
    def T(self) -> Tracer:
        """The axes reversed."""
        return self.transpose()

    @property
    def mT(self) -> Tracer:
        """The last two axes swapped."""
        if self.ndim < 2:
            raise error("E3002", f"mT takes rank 2 or more, found {self.type}")
        *batch, m, n = range(self.ndim)
        return self.transpose(*batch, n, m)

    def sum(self, axis: Any = None, keepdims: bool = False) -> Tracer:
        """`mind.sum` of it."""
        return _functions().sum(self, axis, keepdims)  # type: ignore[no-any-return]

    def mean(self, axis: Any = None, keepdims: bool = False) -> Tracer:
        """`mind.mean` of it."""
        return _functions().mean(self, axis, keepdims)  # type: ignore[no-any-return]

    def reshape(self, *shape: Any) -> Tracer:
        """`x.reshape(2, 3)` or `x.reshape((2, 3))`."""
        return _functions().reshape(self, _one_or_many(shape))  # type: ignore[no-any-return]

    def transpose(self, *axes: Any) -> Tracer:
        """`x.transpose()` reverses the axes, `x.transpose(1, 0)` and `x.transpose((1, 0))` say their order."""
        return _functions().transpose(self, _one_or_many(axes) if axes else None)  # type: ignore[no-any-return]

    def __add__(self, other: Any) -> Any:
        return _operator("Add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _operator("Add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _operator("Sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _operator("Sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return _operator("Mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _operator("Mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _divided(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _divided(other, self)

    def __gt__(self, other: Any) -> Any:
        return _operator("Greater", self, other)

    def __lt__(self, other: Any) -> Any:
        return _operator("Greater", other, self)

    def __neg__(self) -> Any:
        return apply(_PLAIN["Neg"], self)

    def __pos__(self) -> Tracer:
        return self

    def __matmul__(self, other: Any) -> Any:
        return _functions().matmul(self, other) if _is_operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        return _functions().matmul(other, self) if _is_operand(other) else NotImplemented

    def __pow__(self, exponent: Any) -> Any:
        return power(self, exponent)

    def __rpow__(self, base: Any) -> Any:
        raise error("E2005", "** with a traced exponent", help="mind.exp(p * mind.log(x)) is x ** p for x > 0")

    def __getitem__(self, index: Any) -> Tracer:
        from .indexing import indexed

        return indexed(self, index)

    def __len__(self) -> int:
        if not self.type.shape:
            raise TypeError("len() of a traced scalar")
        return self.type.shape[0]

    def __iter__(self) -> Iterator[Tracer]:
        return iter([self[i] for i in range(len(self))])

    def __array_ufunc__(  # type: ignore[override]
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        operator = _OPERATORS.get(ufunc.__name__)
        if operator and method == "__call__" and not kwargs and inputs[1] is self:  # an array left of an operator
            return getattr(self, operator)(inputs[0])
        raise unknown(self, f"np.{ufunc.__name__}", _instead(ufunc.__name__))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise unknown(self, f"np.{function.__name__}", _instead(function.__name__))

    def __repr__(self) -> str:
        return f"<traced {self.type}>"


TraceBuilder.value_class = Tracer

_OPERATORS = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "matmul": "__rmatmul__",
    "greater": "__lt__",
    "less": "__gt__",
}
"""NumPy's functions that operators call, and what they are with the traced value on the right."""


def power(x: Any, exponent: Any) -> Any:
    """x multiplied by itself, `exponent` times; of the reciprocal for a negative exponent.  E2005 for others."""
    if isinstance(exponent, (float, np.floating)) and float(exponent).is_integer():
        exponent = int(exponent)
    if isinstance(exponent, bool) or not isinstance(exponent, (int, np.integer)):
        what = f"the exponent {exponent}" if is_scalar(exponent) else f"a {type(exponent).__name__} as exponent"
        help = "exponents are integers; mind.exp(p * mind.log(x)) is x ** p for x > 0"
        raise error("E2005", f"** with {what}", help=help)
    n = int(exponent)
    if n < 0:
        if not x.type.dtype.is_float:
            raise error("E2005", f"** of {x.type.dtype} with the exponent {n}", help="negative powers take f32 or f64")
        return power(apply(_PLAIN["Reciprocal"], x), -n)
    result = None
    while n:  # by squaring: x⁶ = x⁴ · x²
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        if n:
            x = x * x
    return x.builder.full(x.type, 1) if result is None else result


def _operator(opcode: str, lhs: Any, rhs: Any) -> Any:
    return binary(opcode, lhs, rhs) if _is_operand(lhs) and _is_operand(rhs) else NotImplemented


def _divided(lhs: Any, rhs: Any) -> Any:
    if not (_is_operand(lhs) and _is_operand(rhs)):
        return NotImplemented
    lhs, rhs = common("Div", lhs, rhs)
    if lhs.dtype.kind != "f":
        help = "divide floats: x.astype(np.float32) outside of the traced function"
        raise error("E2005", f"/ of {lhs.dtype} has no exact result", help=help)
    return apply(_PLAIN["Div"], lhs, rhs)


def _is_operand(x: object) -> bool:
    return isinstance(x, (Tracer, np.ndarray)) or is_scalar(x)


def _one_or_many(given: tuple[Any, ...]) -> Any:
    return given[0] if len(given) == 1 else given


def _functions() -> Any:
    from . import functions

    return functions


def _instead(name: str) -> str:
    here = _functions()
    return f"use mind.{name}" if here.exists(name) else f"functions of traced values: {', '.join(here.names())}"


def _leaked(x: Tracer) -> MindError:
    return error(
        "E6011",
        f"a traced {x.type} is used where its trace is not active",
        note="its trace has ended, or runs in another thread",
        help="return the value from the traced function instead of storing it",
    )
