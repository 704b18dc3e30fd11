"""What each value of a module stands for while its operations are visited in order.

Interpreters keep arrays in it, builders values of another module, lowerings values of MLIR.  That an operation reads so
many operands and defines so many results is known here, and in the IR, alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .operation import Operation, ValueId

T = TypeVar("T")


class Environment(dict[ValueId, T]):
    """A map from values.  `env.write(o, results(o.op, *env.read(o)))` for each operation evaluates a module."""

    __slots__ = ()

    def read(self, o: Operation) -> list[T]:
        """What the operands stand for."""
        return [self[i] for i in o.operands]

    def write(self, o: Operation, made: Iterable[T]) -> None:
        """Say what the results stand for, one after the other."""
        for r, x in zip(o.results, made, strict=True):
            self[r.id] = x

    def has(self, o: Operation) -> bool:
        """True if it is known what the results stand for."""
        return o.results[0].id in self

    def of(self, values: Iterable[ValueId]) -> list[T]:
        """What these values stand for, such as a module's outputs."""
        return [self[i] for i in values]

    def pairs(self, table: Iterable[tuple[ValueId, ValueId]]) -> list[tuple[T, T]]:
        """What both values of each pair stand for, such as a module's gradients."""
        return [(self[x], self[y]) for x, y in table]
