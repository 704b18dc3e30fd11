"""The body of a linalg operation, written again on vectors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..formulas import function_of, written
from ..mlir.walk import children
from .nest import PURE, Nest
from .vector_code import Code


def can_replay(nest: Nest) -> bool:
    """True if the body is arithmetic on single elements, lane by lane the same on vectors."""
    *inner, last = nest.body()
    return last.name == "linalg.yield" and all(
        o.name.startswith(PURE) and len(o.results) == 1 and not len(o.regions) for o in inner
    )


def given(code: Code, v: Any, lanes: int | None) -> Any:
    """A value from outside of the body: the same in every lane."""
    if lanes is None:
        return v
    return code.op("vector.broadcast", v, type=ir.VectorType.get([lanes], v.type))


def repeat_each(code: Code, op: Any, operands: Sequence[Sequence[Any]], lanes: int | None) -> list[Any]:
    """One operation of a body on several vectors, each by its operands.

    The steps of a function alternate between the vectors, because those of one wait for each other.
    """
    if len(operands) == 1 or function_of(op) is None:
        return [repeat(code, op, own, lanes) for own in operands]
    holders = [ir.Operation.create("scf.execute_region", regions=1) for _ in operands]
    values = []
    for holder, own in zip(holders, operands):
        with ir.InsertionPoint(holder.regions[0].blocks.append()):
            values.append(repeat(code, op, own, lanes))
    for step in chain.from_iterable(zip_longest(*map(children, holders))):
        if step is not None:
            step.move_before(holders[0])
    for holder in holders:
        holder.erase()
    return values


def repeat(code: Code, op: Any, operands: Sequence[Any], lanes: int | None) -> Any:
    """One operation of a body on vectors of `lanes`, or on single elements where `lanes` is None."""
    name, element, attributes = op.name, op.result.type, op.attributes
    type = element if lanes is None else ir.VectorType.get([lanes], element)
    if name == "arith.constant":
        value = attributes["value"]
        return code.constant(value if lanes is None else ir.DenseElementsAttr.get_splat(type, value), type)
    if (function := function_of(op)) is not None:
        return written(function, Scalars(DType(str(element)), lanes), operands, code.numerics, code.cpu)
    copied = {key: attributes[key] for key in attributes}
    return ir.Operation.create(name, results=[type], operands=list(operands), attributes=copied).result
