"""What there is to know of a function of the LLVM dialect to call it, or to do what it does without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...ir import DType
from ..mlir.walk import children

Place: TypeAlias = tuple[int | str, int]
"""A byte of memory: the number of a parameter or the name of a constant, and the distance from its start."""

FEW = 4
"""Calls up to which a function's callers make them themselves."""

_WIDTHS = {"i8": 1, **{d.value: d.width for d in DType}}


@dataclass(frozen=True)
class Callee:
    """A function that takes pointers, the last ones to as many bytes as `scratch` says, and returns a status."""

    name: str
    scratch: tuple[int, ...] = ()
    may_fail: bool = True
    calls: tuple[tuple[str, tuple[Place, ...]], ...] | None = None
    """All that it does, where that is no more than a few calls of functions without a result."""


def read_callee(f: Any, scratch: Sequence[int]) -> Callee:
    """An llvm.func as its callers see it."""
    name = str(f.attributes["sym_name"].value)
    if len(f.regions[0].blocks) != 1:
        return Callee(name, tuple(scratch))
    places: dict[Any, Place] = {a: (n, 0) for n, a in enumerate(f.regions[0].blocks[0].arguments)}
    zeros: set[Any] = set()
    calls: list[tuple[str, tuple[Place, ...]]] = []
    *body, end = children(f)
    is_plain = True
    for op in body:
        if op.name == "llvm.mlir.constant":
            zeros |= {op.result} if str(op.attributes["value"]) == "0 : i64" else set()
        elif op.name == "llvm.mlir.addressof":
            places[op.result] = str(op.attributes["global_name"].value), 0
        elif op.name == "llvm.getelementptr" and (at := _place(op, places)) is not None:
            places[op.result] = at
        elif op.name == "llvm.call" and _takes_pointers(op, places):
            calls.append((str(op.attributes["callee"].value), tuple([places[v] for v in op.operands])))
        else:
            is_plain = False
    may_fail = end.operands[0] not in zeros
    is_short = is_plain and not may_fail and len(calls) <= FEW
    return Callee(name, tuple(scratch), may_fail, tuple(calls) if is_short else None)


def _takes_pointers(call: Any, places: Mapping[Any, Place]) -> bool:
    """True for a call of a named function that is given known places alone, and gives nothing."""
    return "callee" in call.attributes and not len(call.results) and all(v in places for v in call.operands)


def _place(op: Any, places: Mapping[Any, Place]) -> Place | None:
    """Where an llvm.getelementptr with constant indices points to; None if that is not seen."""
    base, indices = places.get(op.operands[0]), list(op.attributes["rawConstantIndices"])
    if base is None or len(op.operands) > 1:
        return None
    if not any(indices):
        return base
    width = _WIDTHS.get(str(op.attributes["elem_type"].value))
    return None if width is None or len(indices) > 1 else (base[0], base[1] + width * indices[0])
