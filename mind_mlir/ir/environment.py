"""A map from the values of a module to what is computed for them, while its operations are visited in order.

Interpreters keep arrays in it, builders values of another module, lowerings values of MLIR. How many operands an
operation reads and how many results it defines is known only here and in the IR.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .operation import Operation, ValueId

T = TypeVar("T")


class Environment(dict[ValueId, T]):
    """A map from values. `env.write(o, results(o.op, *env.read(o)))` for each operation evaluates a module."""

    __slots__ = ()

    def read(self, o: Operation) -> list[T]:
        """What is stored for the operands."""
        return [self[i] for i in o.operands]

    def write(self, o: Operation, made: Iterable[T]) -> None:
        """Store something for each of the results, in order."""
        for r, x in zip(o.results, made, strict=True):
            self[r.id] = x

    def has(self, o: Operation) -> bool:
        """True if something is stored for the results."""
        return o.results[0].id in self

    def of(self, values: Iterable[ValueId]) -> list[T]:
        """What is stored for these values, such as a module's outputs."""
        return [self[i] for i in values]

    def pairs(self, table: Iterable[tuple[ValueId, ValueId]]) -> list[tuple[T, T]]:
        """What is stored for both values of each pair, such as a module's gradients."""
        return [(self[x], self[y]) for x, y in table]
