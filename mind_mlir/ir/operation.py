"""One operation of a module: an op on earlier values, and the values that it makes. Spec: Core IR, IR module model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from .diagnostics import Span
from .mesh import PartitionSpec
from .op import Op
from .types import TensorType

ValueId: TypeAlias = int
"""Ids are in the order of creation."""


class Result(NamedTuple):
    """A value that an operation makes: `%id : type`.

    `sharding` is that of the value on the module's mesh; None leaves it open.
    """

    id: ValueId
    type: TensorType
    sharding: PartitionSpec | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """`%id, … = Opcode (operands) {attributes} : type, …`. The spec's CoreOperation, with one result or more.

    `op` carries opcode and attributes. `span` is the whole statement in the module's source; the location of a part
    of it is found when an error needs it.
    """

    op: Op
    operands: tuple[ValueId, ...]
    results: tuple[Result, ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def opcode(self) -> str:
        return self.op.opcode

    @property
    def result(self) -> Result:
        """The only result. ValueError if there are several."""
        if len(self.results) == 1:
            return self.results[0]
        raise ValueError(f"{self.opcode} has {len(self.results)} results; `results` has them")

    @property
    def id(self) -> ValueId:
        """The id of the only result."""
        return self.result.id

    @property
    def type(self) -> TensorType:
        """The type of the only result."""
        return self.result.type

    @property
    def sharding(self) -> PartitionSpec | None:
        """The sharding of the only result."""
        return self.result.sharding

    def type_of(self, id: ValueId) -> TensorType:
        """The type of the result with this id."""
        results = self.results
        return results[0].type if len(results) == 1 else next(r.type for r in results if r.id == id)

    def with_shardings(self, of: Mapping[ValueId, PartitionSpec | None]) -> Operation:
        """The operation with the shardings of its results by id; open for one that is not there."""
        return replace(self, results=tuple([r._replace(sharding=of.get(r.id)) for r in self.results]))

    @property
    def ids(self) -> tuple[ValueId, ...]:
        """The ids of the results."""
        results = self.results
        return (results[0].id,) if len(results) == 1 else tuple([r.id for r in results])

    @property
    def types(self) -> tuple[TensorType, ...]:
        """The types of the results."""
        results = self.results
        return (results[0].type,) if len(results) == 1 else tuple([r.type for r in results])
