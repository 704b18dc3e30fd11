"""Records the MLIR operations that the rule of one operation makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mlir import ir

from ...ir import TensorType
from .tensors import mlir_type, type_of


class Emission:
    """The MLIR operations of one Core operation, made at the current insertion point.

    They are made by `ir.Operation.create` instead of the dialect modules, which take 100 ms to import.
    """

    __slots__ = ("_types", "failures", "is_repeatable", "made")

    def __init__(self, types: Mapping[Any, TensorType] | None = None) -> None:
        """`types` are the Core types of the operands: MLIR's integers have no sign."""
        self._types = types or {}
        self.made: list[Any] = []
        """The MLIR operations, in order."""
        self.is_repeatable = True
        """False once one of them has used a value that is not among its operands."""
        self.failures: list[Any] = []
        """Rank-0 i64 tensors, not zero if an index was out of bounds."""

    def type(self, v: Any) -> TensorType:
        """The Core type of an operand; of another value, with integers that have a sign."""
        return self._types.get(v) or type_of(v)

    def create(
        self,
        name: str,
        operands: Sequence[Any],
        result: TensorType,
        attributes: dict[str, Any] | None = None,
        regions: int = 0,
    ) -> Any:
        """Any MLIR operation with one tensor result; returns the operation."""
        made = ir.Operation.create(
            name,
            results=[mlir_type(result)],
            operands=list(operands),
            attributes=attributes or {},
            regions=regions,
        )
        self.made.append(made)
        return made
