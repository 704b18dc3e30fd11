"""The records of a partition: what is known of values meanwhile, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir import Module, Operation, PartitionSpec, ValueId
from .dimensions import Dimensions
from .ways import Way


@dataclass(frozen=True)
class Communication:
    """One operation between ranks of a partitioned module."""

    opcode: str
    axis: str
    nbytes: int
    """The bytes that each rank sends, in a ring."""
    of: ValueId
    """The value that is moved, in the module in global view."""


@dataclass(frozen=True)
class Partitioned:
    """The module that each rank runs, the shardings of Inputs and outputs, and all communication."""

    module: Module
    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    communication: tuple[Communication, ...]


@dataclass
class Entry:
    """What is known of a value. `spec` is its sharding, None if it is open; `waits` is true if it is not yet made."""

    o: Operation
    dims: Dimensions
    spec: PartitionSpec | None
    waits: bool
    depth: int


@dataclass
class Decisions:
    """The ways of operations that do not wait, the shardings to which results are moved at once, and the outputs'."""

    ways: dict[ValueId, Way] = field(default_factory=dict)
    copies: dict[ValueId, PartitionSpec] = field(default_factory=dict)
    outputs: dict[ValueId, PartitionSpec] = field(default_factory=dict)
