"""What a caller has to know of a function of the LLVM dialect: to call it, or to make its few calls itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...ir import DType
from ..mlir.walk import children

Address: TypeAlias = tuple[int | str, int]
"""An address: the number of a parameter or the name of a constant, and the offset from its start in bytes."""

FEW = 4
"""If a function makes no more calls than this, its callers make them themselves."""

_WIDTHS = {"i8": 1, **{d.value: d.width for d in DType}}


@dataclass(frozen=True)
class Callee:
    """A function that takes pointers, the last ones to scratch memory of `scratch` bytes, and returns a status."""

    name: str
    scratch: tuple[int, ...] = ()
    may_fail: bool = True
    calls: tuple[tuple[str, tuple[Address, ...]], ...] | None = None
    """Its calls, if it does nothing but a few calls of functions without a result."""


def read_callee(f: Any, scratch: Sequence[int]) -> Callee:
    """Read from an llvm.func what its callers have to know."""
    name = str(f.attributes["sym_name"].value)
    if len(f.regions[0].blocks) != 1:
        return Callee(name, tuple(scratch))
    addresses: dict[Any, Address] = {a: (n, 0) for n, a in enumerate(f.regions[0].blocks[0].arguments)}
    zeros: set[Any] = set()
    calls: list[tuple[str, tuple[Address, ...]]] = []
    *body, end = children(f)
    is_plain = True
    for op in body:
        if op.name == "llvm.mlir.constant":
            zeros |= {op.result} if str(op.attributes["value"]) == "0 : i64" else set()
        elif op.name == "llvm.mlir.addressof":
            addresses[op.result] = str(op.attributes["global_name"].value), 0
        elif op.name == "llvm.getelementptr" and (at := _address(op, addresses)) is not None:
            addresses[op.result] = at
        elif op.name == "llvm.call" and _takes_pointers(op, addresses):
            calls.append((str(op.attributes["callee"].value), tuple([addresses[v] for v in op.operands])))
        else:
            is_plain = False
    may_fail = end.operands[0] not in zeros
    is_short = is_plain and not may_fail and len(calls) <= FEW
    return Callee(name, tuple(scratch), may_fail, tuple(calls) if is_short else None)


def _takes_pointers(call: Any, addresses: Mapping[Any, Address]) -> bool:
    """True for a call of a named function with known addresses alone and without a result."""
    return "callee" in call.attributes and not len(call.results) and all(v in addresses for v in call.operands)


def _address(op: Any, addresses: Mapping[Any, Address]) -> Address | None:
    """The address of an llvm.getelementptr with constant indices; None if it cannot be read."""
    base, indices = addresses.get(op.operands[0]), list(op.attributes["rawConstantIndices"])
    if base is None or len(op.operands) > 1:
        return None
    if not any(indices):
        return base
    width = _WIDTHS.get(str(op.attributes["elem_type"].value))
    return None if width is None or len(indices) > 1 else (base[0], base[1] + width * indices[0])
