"""Type and shape rules that several operations share. They speak of types, never of op classes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ..ir import Builder, DType, Op, Reject, Shape, TensorType, Value
from ..ir.types import MAX_EXTENT


def same_dtype(name: str, lhs: TensorType, rhs: TensorType, called: Sequence[str] = ("lhs", "rhs")) -> None:
    """E2004 unless both have one dtype; `called` are the names of the two operands."""
    if lhs.dtype is not rhs.dtype:
        raise Reject(
            "E2004",
            f"{name} mixes {lhs.dtype} and {rhs.dtype}",
            note=f"{called[0]} is {lhs}, {called[1]} is {rhs}",
            help="operands share one dtype; Convert makes it another, nothing is converted by itself",
        )


def same_numbers(name: str, lhs: TensorType, rhs: TensorType, called: Sequence[str] = ("lhs", "rhs")) -> None:
    """E2004 unless both have one dtype, E2005 for truth values."""
    same_dtype(name, lhs, rhs, called)
    numbers_only(name, lhs)


FLOATS = DType.listed("or", lambda d: d.is_float)
INTEGERS = DType.listed("or", lambda d: d.is_integer)


def float_only(name: str, input: TensorType) -> None:
    """E2005 unless the elements are floats."""
    if not input.dtype.is_float:
        help = "Convert makes floats of others"
        raise Reject("E2005", f"{name} takes {FLOATS}, input is {input}", help=help, at="operand 0")


def numbers_only(name: str, input: TensorType) -> None:
    """E2005 for truth values."""
    if input.dtype.is_bool:
        help = "Convert makes numbers of truth values; And, Or and Xor combine them"
        raise Reject("E2005", f"{name} takes numbers, found {input}", help=help, at="operand 0")


def integer_only(name: str, input: TensorType) -> None:
    """E2005 unless the elements are integers."""
    if not input.dtype.is_integer:
        help = "BitCast gives the bits of a float" if input.dtype.is_float else "Convert makes integers of truth values"
        raise Reject("E2005", f"{name} takes {INTEGERS}, found {input}", help=help, at="operand 0")


def no_float(name: str, input: TensorType) -> None:
    """E2005 for floats."""
    if input.dtype.is_float:
        help = "BitCast gives the bits of a float, NotEqual its truth value"
        raise Reject("E2005", f"{name} takes i1 and integers, found {input}", help=help, at="operand 0")


def check_extents(name: str, shape: Shape) -> Shape:
    """The shape of a result. E3006 for an extent that is no i64."""
    for i, n in enumerate(shape):
        if n > MAX_EXTENT:
            raise Reject("E3006", f"extent {i} of the result of {name} is larger than {MAX_EXTENT}: {n}")
    return shape


def broadcast(name: str, a: Shape, b: Shape) -> Shape:
    """Right-aligned NumPy broadcasting; 1 stretches. Spec: Shapes, Broadcasting.

    E3001 names the first bad dimension from the right.
    """
    if a == b:
        return a
    out: list[int] = []
    for back, (m, n) in enumerate(zip_longest(reversed(a), reversed(b), fillvalue=1), start=1):
        if m != n and m != 1 and n != 1:
            raise Reject(
                "E3001",
                f"{name} cannot broadcast {list(a)} with {list(b)}",
                label=f"dimension -{back}: {m} against {n}",
                help="extents must be equal, or one of them 1",
            )
        out.append(n if m == 1 else m)
    return tuple(reversed(out))


def unbroadcast(b: Builder, ct: Value, to: TensorType) -> Value:
    """The adjoint of broadcasting `to` to the shape of `ct`: sum over what was stretched. Spec: Autodiff, Notation."""
    lead = ct.type.rank - to.rank
    axes = [*range(lead), *(i for i, n in enumerate(to.shape, start=lead) if n == 1 and ct.shape[i] != 1)]
    if axes:
        ct = b.Sum(ct, axes=axes, keepdims=not lead)
    return ct if ct.shape == to.shape else b.Reshape(ct, new_shape=to.shape)


def stretched(b: Builder, x: Value, shape: Shape) -> Value:
    """`x` broadcast to `shape`, or itself if it has that shape."""
    return x if x.shape == shape else b.Broadcast(x, shape=shape)


def unstretched(b: Builder, op: Op, *operands: Value) -> Value | None:
    """`op` on operands without the stretching that its own broadcasting makes superfluous; None if there is none.

    That is a Broadcast, new axes in front, and equal elements in a constant, if the result keeps its shape.
    """
    found = list(operands)
    type: TensorType | None = None
    for n, v in enumerate(found):
        while (inner := before_stretching(v)) is not None:
            type = type or op.infer_type(*[w.type for w in operands])
            if op.infer_type(*[inner.type if i == n else w.type for i, w in enumerate(found)]) != type:
                break
            found[n] = v = inner
    return b.emit(op, *found) if any(v is not w for v, w in zip(found, operands)) else None


def before_stretching(v: Value) -> Value | None:
    """The value that `v` stretches, by a Broadcast or new axes in front; for a constant of equal elements, one."""
    if v.op.literal is not None and v.op.literal.is_splat and v.shape:
        return v.builder.literal(v.op.literal, ())
    if v.op.opcode not in ("Broadcast", "ExpandDims", "Reshape"):
        return None
    (x,) = v.operands
    in_front = v.shape == (1,) * (v.type.rank - x.type.rank) + x.shape
    return x if v.op.opcode == "Broadcast" or in_front else None


def normal_axes(name: str, axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """The axes counted from 0, in the order given. E3004 out of range, E3005 named twice."""
    out: list[int] = []
    for a in axes:
        if not -rank <= a < rank:
            span = f"axes run from {-rank} to {rank - 1}" if rank else "a scalar has no axes"
            raise Reject("E3004", f"{name} axis {a} is out of range for rank {rank}", help=span, at="axes")
        n = a + rank if a < 0 else a
        if n in out:
            raise Reject("E3005", f"{name} names axis {n} twice in {list(axes)}", at="axes")
        out.append(n)
    return tuple(out)


def one_axis(name: str, axis: int, input: TensorType) -> None:
    """E3004 unless a tensor of this type has the axis, which is counted from 0."""
    if axis >= input.rank:
        span = f"axes run from 0 to {input.rank - 1}" if input.rank else "a scalar has no axes"
        raise Reject("E3004", f"{name} axis {axis} is out of range for {input}", help=span, at="axis")


def names(rank: int, letter: str = "d") -> list[str]:
    """Dimension names for `Op.dims`: d0, d1, …"""
    return [f"{letter}{i}" for i in range(rank)]
