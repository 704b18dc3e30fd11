"""A Core IR module: a flat, ordered, immutable list of operations.  Spec: Core IR, IR module model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .diagnostics import Source, Span, count
from .kept import kept_property
from .mesh import Mesh
from .operation import Operation, Result, ValueId
from .printer import print_module
from .types import TensorType


@dataclass(frozen=True, repr=False)
class Module:
    """Operations in definition order, then the interface.  Passes are functions Module -> Module.

    `gradients` maps differentiated values to their gradients, `tangents` Inputs to the Inputs that hold their
    tangents: the trailing lines `gradients:` and `tangents:`.  `mesh` has the ranks that shardings speak of: the line
    `mesh:` in front.  `notes` are remarks printed behind operations.
    """

    operations: tuple[Operation, ...]
    outputs: tuple[ValueId, ...]
    gradients: tuple[tuple[ValueId, ValueId], ...] = ()
    tangents: tuple[tuple[ValueId, ValueId], ...] = ()
    mesh: Mesh | None = field(default=None, kw_only=True)
    source: Source | None = field(default=None, compare=False, repr=False)
    outputs_span: Span | None = field(default=None, compare=False, repr=False)
    gradients_span: Span | None = field(default=None, compare=False, repr=False)
    tangents_span: Span | None = field(default=None, compare=False, repr=False)
    mesh_span: Span | None = field(default=None, compare=False, repr=False)
    notes: Mapping[ValueId, str] = field(default_factory=dict, compare=False, repr=False)

    @kept_property
    def by_id(self) -> dict[ValueId, Operation]:
        """Operations by the values they define."""
        return {r.id: o for o in self.operations for r in o.results}

    @kept_property
    def values(self) -> dict[ValueId, Result]:
        """Every value, with its type and its sharding."""
        return {r.id: r for o in self.operations for r in o.results}

    @kept_property
    def inputs(self) -> tuple[Operation, ...]:
        """The Input operations, in order: the module's parameters."""
        return tuple(o for o in self.operations if o.op.opcode == "Input")

    @kept_property
    def output_types(self) -> tuple[TensorType, ...]:
        """Types of the outputs, in order."""
        return tuple(self.values[i].type for i in self.outputs)

    def __getitem__(self, id: ValueId) -> Operation:
        return self.by_id[id]

    def __len__(self) -> int:
        return len(self.operations)

    def __repr__(self) -> str:
        inputs = ", ".join([f"{o.op.name}: {o.type}" for o in self.inputs])  # type: ignore[attr-defined]
        values = self.values
        outputs = ", ".join([str(values[i].type) if i in values else f"%{i}" for i in self.outputs])
        return f"<Module of {count(len(self), 'operation')}: ({inputs}) -> ({outputs})>"

    def __str__(self) -> str:
        """The module's text."""
        return print_module(self)
