"""Kernels whose extents are left open: what is written for one shape is the code of all that differ in numbers alone.

A number that is left open is the address of a symbol, until it is put into the object file (llvm/open_numbers.py).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from mlir import ir

from ..emit.scalars import Scalars
from ..llvm.open_numbers import LIMIT, symbol
from .vector_code import Code

LITERAL = 16
"""Numbers up to this one stay in the code: they are heights of tiles, lanes, and what addresses have room for."""

_ALL = LIMIT
"""The extent of memory whose extent is left open."""


class OpenCode(Code):
    """Writes as `Code` does, but for numbers that are left open: until they are named, they are parameters."""

    numbers: list[int]
    """Those so far, each once; number n is the address of `symbol(n)`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.numbers = []
        self._open: dict[int, Any] = {}
        self._rows: Counter[Any] = Counter()  # memref -> how often its memory is seen as a row

    def index(self, i: Any) -> Any:
        """An index as an MLIR value."""
        if not isinstance(i, int):
            return i
        return self._number(i) if LITERAL < i < LIMIT else self.literal(i)

    def factor(self, n: int) -> Any:
        """Powers of two stay in the code, as shifts."""
        return self.index(n) if n & (n - 1) else self.literal(n)

    def mask(self, v: Scalars, count: Any) -> Any:
        """True in the first `count` lanes; none if it is negative."""
        return super().mask(v, self._number(count) if isinstance(count, int) and 0 < count < LIMIT else count)

    def _number(self, n: int) -> Any:
        if n not in self._open:
            self._open[n] = self._entry.add_argument(self._index, ir.Location.unknown())
            self.numbers.append(n)
        return self._open[n]

    def row(self, memref: Any, offset: int, extent: int) -> Any:
        """So many elements of a memref's memory, and it does not show how many."""
        self._rows[memref] += 1
        return super().row(memref, offset, _ALL)

    def close(self, function: Any) -> None:
        """Let the types of the function's parameters not show their extents, when all is written."""
        for a in self._entry.arguments:
            if isinstance(a.type, ir.MemRefType) and self._is_row(a):
                a.set_type(ir.MemRefType.get([_ALL], ir.MemRefType(a.type).element_type))
        numbers = set(self._open.values())
        inputs = [a.type for a in self._entry.arguments if a not in numbers]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, []))

    def _is_row(self, a: Any) -> bool:
        """True if the function sees a parameter as a row alone."""
        t = ir.MemRefType(a.type)
        strides, offset = t.get_strides_and_offset()
        return (strides == [1] and not offset) or len(list(a.uses)) == self._rows[a]

    def name_numbers(self) -> None:
        """Let the numbers be addresses of symbols."""
        first = len(self._entry.arguments)
        with ir.InsertionPoint.at_block_begin(self._entry):
            for n, parameter in enumerate(self._open.values()):
                first = min(first, parameter.arg_number)
                name = ir.FlatSymbolRefAttr.get(symbol(n))
                pointer = self.op("llvm.mlir.addressof", type=ir.Type.parse("!llvm.ptr"), global_name=name)
                number = self.op("llvm.ptrtoint", pointer, type=ir.IntegerType.get_signless(64))
                parameter.replace_all_uses_with(self.op("arith.index_cast", number, type=self._index))
        for _ in self._open:
            self._entry.erase_argument(first)


def declare_numbers(module: Any, count: int) -> None:
    """Declare the symbols of so many numbers in a module."""
    attributes = {
        "global_type": ir.TypeAttr.get(ir.IntegerType.get_signless(8)),
        "linkage": ir.Attribute.parse("#llvm.linkage<external>"),
        "addr_space": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 0),
    }
    with ir.InsertionPoint(module.body):
        for n in range(count):
            name = {"sym_name": ir.StringAttr.get(symbol(n))}
            ir.Operation.create("llvm.mlir.global", attributes={**attributes, **name}, regions=1)
