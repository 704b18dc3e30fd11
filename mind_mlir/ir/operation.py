"""One operation of a module: an op on earlier values, which makes one of its own.  Spec: Core IR, IR module model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from .diagnostics import Span
from .mesh import PartitionSpec
from .op import Op
from .types import TensorType

ValueId: TypeAlias = int
"""Creation order; smaller is earlier."""


@dataclass(frozen=True, slots=True)
class Operation:
    """`%id = Opcode (operands) {attributes} : type`.  The spec's CoreOperation; `op` carries opcode and attributes.

    `span` is the whole statement in the module's source; the place of a part of it is found when an error needs it.
    `sharding` says how the value lies on the module's mesh; where it is None, that is open.
    """

    id: ValueId
    op: Op
    operands: tuple[ValueId, ...]
    type: TensorType
    span: Span | None = field(default=None, compare=False, repr=False)
    sharding: PartitionSpec | None = None

    @property
    def opcode(self) -> str:
        return self.op.opcode
