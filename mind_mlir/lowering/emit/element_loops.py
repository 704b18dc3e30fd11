"""Emits loops over single elements of tensors, for algorithms that no linalg operation has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir

from .rows import index

Carried = tuple[Any, ...]
"""The values that a loop carries."""


def element_at(x: Any, at: Sequence[Any]) -> Any:
    """The element of a tensor at a position, an index for each axis."""
    element = ir.RankedTensorType(x.type).element_type
    return ir.Operation.create("tensor.extract", results=[element], operands=[x, *at]).result


def put_element(value: Any, into: Any, at: Sequence[Any]) -> Any:
    """The tensor with `value` at a position."""
    return ir.Operation.create("tensor.insert", results=[into.type], operands=[value, into, *at]).result


def added(x: Any, y: Any) -> Any:
    """The sum of two indices or integers."""
    return ir.Operation.create("arith.addi", results=[x.type], operands=[x, y]).result


def times(x: Any, n: int) -> Any:
    """An index times a number that is known."""
    return ir.Operation.create("arith.muli", results=[x.type], operands=[x, index(n)]).result


def predicate(n: int) -> Any:
    """The attribute that has the number of an integer comparison."""
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), n)


def above(x: Any, y: Any) -> Any:
    """True if the unsigned integer x is larger than y."""
    ugt = predicate(8)  # arith.CmpIPredicate
    bit = ir.IntegerType.get_signless(1)
    return ir.Operation.create("arith.cmpi", results=[bit], operands=[x, y], attributes={"predicate": ugt}).result


def for_loop(low: Any, high: Any, carried: Carried, body: Callable[[Any, Carried], Sequence[Any]]) -> Carried:
    """`scf.for` from low to high, which carries values."""
    made = ir.Operation.create(
        "scf.for", results=[v.type for v in carried], operands=[low, high, index(1), *carried], regions=1
    )
    block = made.regions[0].blocks.append(ir.IndexType.get(), *[v.type for v in carried])
    with ir.InsertionPoint(block):
        at, *inner = block.arguments
        ir.Operation.create("scf.yield", operands=list(body(at, tuple(inner))))
    return tuple(made.results)


def loop_nest(extents: Sequence[int], carried: Carried, body: Callable[[Carried, Carried], Carried]) -> Carried:
    """`body(position, carried)` at every position in row-major order."""

    def loop(at: Carried, carried: Carried) -> Carried:
        if len(at) == len(extents):
            return body(at, carried)
        return for_loop(index(0), index(extents[len(at)]), carried, lambda k, c: loop((*at, k), c))

    return loop((), carried)


def many_if(condition: Any, n: int) -> Any:
    """A loop's end: n where the condition holds, else 0."""
    ends = [index(n), index(0)]
    return ir.Operation.create("arith.select", results=[ends[0].type], operands=[condition, *ends]).result
