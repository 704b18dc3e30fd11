"""Makes the same module in f64, where finite differences are more exact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..ir import Builder, DType, Environment, Literal, Module, Op, TensorType, Value


def in_f64(m: Module) -> Module:
    """The module with f64 instead of f32, in Inputs, constants, functions and all that follows from them."""
    return _widened_module(m.with_bodies(_widened_module))


def _widened_module(m: Module) -> Module:
    """The same of a module whose functions are in f64."""
    b = Builder()
    env: Environment[Value] = Environment()
    for o in m.operations:
        env.write(o, b.emit_all(_widened(o.op), *env.read(o)))
    return b.finish(env.of(m.outputs))


def _widened(op: Op) -> Op:
    """The operation with f64 instead of f32 in its attributes."""
    changed = {name: wide for name in op.kinds if (wide := _wide(getattr(op, name))) is not None}
    return replace(op, **changed) if changed else op  # type: ignore[type-var]


def _wide(value: Any) -> Any:
    """The attribute's value in f64; None if it does not change."""
    match value:
        case DType() if value.is_float:
            return DType.F64
        case TensorType(dtype, shape) if dtype.is_float:
            return TensorType(DType.F64, shape)
        case Literal(dtype) if dtype.is_float:
            numbers = value.numbers()
            return Literal.of(DType.F64, b"".join(Literal.scalar(DType.F64, n).bits for n in numbers))
    return None
