"""Makes operations: rules, passes and user code all emit through a Builder.

Only the parser does not, because it must be able to read invalid modules, which `verify` then reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .diagnostics import MindError, Reject, Source, Span
from .environment import Environment
from .lazy import np
from .literal import Literal
from .mesh import Mesh, PartitionSpec
from .module import Module
from .op import OPS, Op, check_operand_count, is_open
from .operation import Operation, Result, ValueId
from .plugins import find_op
from .types import DType, Shape, TensorType

if TYPE_CHECKING:
    from ._opcodes import Opcodes  # a stub: the opcodes as methods
else:
    Opcodes = object


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A handle on one result, with which derivative rules and user code compute.

    Python numbers beside a Value in `+ - * /` become rank-0 constants of its dtype.
    """

    builder: Builder
    id: ValueId
    type: TensorType

    @property
    def shape(self) -> Shape:
        return self.type.shape

    @property
    def dtype(self) -> DType:
        return self.type.dtype

    @property
    def op(self) -> Op:
        """The op that makes this value."""
        return self.builder.operation(self.id).op

    @property
    def operands(self) -> tuple[Value, ...]:
        """The operands of the operation that defines this value."""
        return tuple(self.builder.value(i) for i in self.builder.operation(self.id).operands)

    def _other(self, other: object) -> Value:
        if isinstance(other, Value):
            return other
        return self.builder.constant(other, dtype=self.type.dtype)

    def __add__(self, other: object) -> Value:
        return self.builder.emit(_plain("Add"), self, self._other(other))

    def __radd__(self, other: object) -> Value:
        return self.builder.emit(_plain("Add"), self._other(other), self)

    def __sub__(self, other: object) -> Value:
        return self.builder.emit(_plain("Sub"), self, self._other(other))

    def __rsub__(self, other: object) -> Value:
        return self.builder.emit(_plain("Sub"), self._other(other), self)

    def __mul__(self, other: object) -> Value:
        return self.builder.emit(_plain("Mul"), self, self._other(other))

    def __rmul__(self, other: object) -> Value:
        return self.builder.emit(_plain("Mul"), self._other(other), self)

    def __truediv__(self, other: object) -> Value:
        return self.builder.emit(_plain("Div"), self, self._other(other))

    def __rtruediv__(self, other: object) -> Value:
        return self.builder.emit(_plain("Div"), self._other(other), self)

    def __neg__(self) -> Value:
        return self.builder.emit(_plain("Neg"), self)

    def __matmul__(self, other: Value) -> Value:
        return self.builder.emit(_plain("MatMul"), self, other)

    @property
    def mT(self) -> Value:
        """This value with its last two axes swapped. E3002 below rank 2."""
        if self.type.rank < 2:
            raise MindError.of("E3002", f"mT needs rank 2 or more, found {self.type}")
        *batch, m, n = range(self.type.rank)
        return self.builder.Transpose(self, permutation=(*batch, n, m))

    __array_ufunc__ = None  # NumPy operands leave the operators to this class


class Builder(Opcodes):
    """Appends operations, inferring each type. `b.MatMul(x, y)` emits any declared op by its opcode.

    >>> b = Builder()
    >>> x = b.Input("x", f32(2, 3))
    >>> m = b.finish([b.Sum(x * 2.0, axes=[0], keepdims=False)])

    Errors are `MindError`s with the rule's code.
    """

    value_class: type[Value] = Value
    """The class of its values."""

    def __init__(self, source: Source | None = None, mesh: Mesh | None = None) -> None:
        self.operations: list[Operation] = []
        self._makers: list[int] = []
        """For each value, the position of the operation that makes it."""
        self.source, self.mesh = source, mesh

    def emit(self, op: Op, *operands: Value, span: Span | None = None) -> Value:
        """Append an operation with one result, whose type is inferred.

        MindError with the rule's code and `span`; ValueError for a value of another Builder, and for several results.
        """
        made = self.emit_all(op, *operands, span=span)
        if len(made) != 1:
            raise ValueError(f"{op.opcode} has {len(made)} results; emit_all gives them")
        return made[0]

    def emit_all(self, op: Op, *operands: Value, span: Span | None = None) -> tuple[Value, ...]:
        """Append an operation with any number of results. Errors as `emit`."""
        for v in operands:
            self._check_own(v)
        try:
            if len(operands) != len(op.operand_names):
                check_operand_count(op, len(operands))
            found = op.infer_type(*[v.type for v in operands])
        except Reject as why:
            raise MindError([why.located(self.source, span)]) from None
        types = found if isinstance(found, tuple) else (found,)
        return self.append(op, tuple([v.id for v in operands]), types, span)

    def append(
        self, op: Op, operands: tuple[ValueId, ...], types: tuple[TensorType, ...], span: Span | None = None
    ) -> tuple[Value, ...]:
        """Append an operation whose results are known to have these types."""
        first, handle = len(self._makers), self.value_class
        if len(types) == 1:  # nearly always: as little as can be
            self._makers.append(len(self.operations))
            self.operations.append(Operation(op, operands, (Result(first, types[0]),), span))
            return (handle(self, first, types[0]),)
        self._makers += [len(self.operations)] * len(types)
        results = [Result(id, t) for id, t in enumerate(types, first)]
        self.operations.append(Operation(op, operands, tuple(results), span))
        return tuple([handle(self, r.id, r.type) for r in results])

    def __getattr__(self, opcode: str) -> Callable[..., Any]:
        if opcode.startswith("_"):  # copying and notebooks ask every object for such names
            raise AttributeError(f"no operation is named {opcode}", name=opcode, obj=self)
        if (cls := find_op(opcode)) is None:
            near = next((f"; did you mean {name}?" for name in OPS if name.lower() == opcode.lower()), "")
            raise AttributeError(f"no operation is named {opcode}{near}", name=opcode, obj=self)

        def emit(*arguments: Any, **attributes: Any) -> Value | tuple[Value, ...]:
            """Emit the operation: operands first, then attributes by position or by name."""
            n = len(cls.operand_names)
            if is_open(cls.operand_names):  # as many as there are, then attributes
                n = next((n for n, x in enumerate(arguments) if not isinstance(x, Value)), len(arguments))
            operands, positional = arguments[:n], arguments[n:]
            for operand in operands:
                if not isinstance(operand, Value):
                    raise TypeError(f"{opcode} takes Values, got {operand!r}; Builder.constant makes one of an array")
            try:
                op = cls(*positional, **attributes)
            except Reject as why:
                raise MindError([why.located(self.source, None)]) from None
            except TypeError as why:
                fields = ", ".join(cls.kinds) or "no attributes"
                text = str(why).replace("__init__()", "").replace(cls.__name__ + ".", "").strip()
                raise MindError.of("E4013", f"{opcode} {text}", help=f"{opcode} has: {fields}") from None
            made = self.emit_all(op, *operands)
            return made[0] if cls.has_one_result() else made

        return emit

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *OPS]

    def _check_own(self, v: Value) -> None:
        if v.builder is not self:
            raise ValueError(f"%{v.id} is a value of another Builder; its ids mean nothing here")

    def place(self, v: Value, sharding: PartitionSpec | None) -> Value:
        """Give a value a sharding, and return it. None leaves the sharding open."""
        self._check_own(v)
        at = self._makers[v.id]
        o = self.operations[at]
        results = tuple([r._replace(sharding=sharding) if r.id == v.id else r for r in o.results])
        self.operations[at] = replace(o, results=results)
        return v

    def operation(self, id: ValueId) -> Operation:
        """The operation that defines the value `id`."""
        return self.operations[self._makers[id]]

    def result(self, id: ValueId) -> Result:
        """The value `id`, with its type and its sharding."""
        o = self.operation(id)
        return o.results[id - o.results[0].id]

    def value(self, id: ValueId) -> Value:
        """The handle on the value `id`."""
        return self.value_class(self, id, self.result(id).type)

    @property
    def values_made(self) -> int:
        """How many values there are; the next one gets this id."""
        return len(self._makers)

    def constant(self, data: object, dtype: object = None) -> Value:
        """A ConstTensor from an array, a nested list or a number.

        Arrays and NumPy scalars keep their dtype; Python floats are f32 and ints i64 unless `dtype` says otherwise.
        """
        try:
            literal, shape = _elements(data, getattr(data, "dtype", None) if dtype is None else dtype)
        except (ValueError, TypeError) as why:
            raise MindError.of("E2002", str(why), help=f"dtypes are {DType.listed()}") from None
        except Reject as why:
            raise MindError([why.located(self.source, None)]) from None
        return self.literal(literal, shape)

    def literal(self, data: Literal, shape: Shape) -> Value:
        """A ConstTensor of these elements."""
        const_tensor: Any = OPS["ConstTensor"]
        return self.emit(const_tensor(data, data.dtype, shape))

    def full(self, type: TensorType, value: float) -> Value:
        """A ConstTensor of this type with one value everywhere."""
        return self.literal(Literal(type.dtype, Literal.scalar(type.dtype, value).bits * bool(type.size)), type.shape)

    def zeros(self, type: TensorType) -> Value:
        """A ConstTensor of zeros."""
        return self.full(type, 0)

    def repeat(self, o: Operation, env: Environment[Value]) -> None:
        """Append an operation of another module unchanged, and write its value into `env`."""
        made = Builder.append(self, o.op, tuple([env[i].id for i in o.operands]), o.types, o.span)
        for r, v in zip(o.results, made):
            env[r.id] = v if r.sharding is None else self.place(v, r.sharding)

    def replay(self, m: Module, inputs: Sequence[Value]) -> Environment[Value]:
        """Emit the operations of a module with these values instead of its Inputs; returns the value of every id."""
        env: Environment[Value] = Environment(zip((o.id for o in m.inputs), inputs))
        for o in m.operations:
            if not env.has(o):
                env.write(o, self.emit_all(o.op, *env.read(o)))
        return env

    def finish(
        self,
        outputs: Sequence[Value],
        gradients: Sequence[tuple[Value, Value]] = (),
        tangents: Sequence[tuple[Value, Value]] = (),
    ) -> Module:
        """The module with these outputs, and the maps from values to their gradients and to their tangents."""
        if isinstance(outputs, Value):
            raise TypeError("finish takes a list of Values: finish([y])")
        for v in (*outputs, *(v for pair in (*gradients, *tangents) for v in pair)):
            if not isinstance(v, Value):
                raise TypeError(f"finish takes Values, got {v!r}; Builder.constant makes one of an array")
            self._check_own(v)
        return Module(
            tuple(self.operations),
            tuple(v.id for v in outputs),
            tuple((x.id, g.id) for x, g in gradients),
            tuple((x.id, t.id) for x, t in tangents),
            self.source,
            mesh=self.mesh,
        )


_PLAIN: dict[str, Op] = {}


def _plain(opcode: str) -> Op:
    """The op of that name, which has no attributes."""
    if (op := _PLAIN.get(opcode)) is None:
        _PLAIN[opcode] = op = OPS[opcode]()
    return op


def _elements(data: object, dtype: object) -> tuple[Literal, Shape]:
    """The elements and the shape of an array, a nested list or a number; a dtype of None as for `Builder.constant`."""
    if isinstance(data, (int, float)) and dtype is not None:
        return Literal.scalar(DType.of(dtype), data), ()
    a = _array(data)
    if dtype is None:
        dtype = "f32" if a.dtype == np.float64 else a.dtype
    kind = DType.of(dtype)
    if a.dtype == kind.numpy:
        return Literal.from_array(a), a.shape
    return Literal.of(kind, b"".join(Literal.scalar(kind, x).bits for x in a.ravel().tolist())), a.shape


def _array(data: object) -> np.ndarray:
    """An array from nested lists. E3010 if they differ in length or depth."""
    try:
        return np.asarray(data)
    except ValueError:
        raise Reject("E3010", "lists beside each other differ in length or depth") from None
