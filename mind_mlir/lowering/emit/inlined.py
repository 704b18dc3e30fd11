"""Lowers the body of a function inline, where an operation holds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mlir import ir

from ...ir import Environment, Function

LowerOne: TypeAlias = Callable[..., tuple[tuple[Any, ...], Sequence[Any]]]
"""`OperationLowering.lower`."""


def inlined(lower: LowerOne, function: Function, operands: Sequence[Any]) -> tuple[tuple[Any, ...], list[Any]]:
    """The results of a function on operands, and what may fail in it.

    `lower` emits one operation at the insertion point, and gives its results and what may fail in it.
    """
    body = function.body
    failures: list[Any] = []
    env: Environment[Any] = Environment(zip([o.id for o in body.inputs], operands, strict=True))
    for o in body.operations:
        if not env.has(o):
            types = [body.values[i].type for i in o.operands]
            results, failing = lower(o.op, o.types, types, env.read(o), ir.Location.current)
            env.write(o, results)
            failures += failing
    return tuple(env.of(body.outputs)), failures
