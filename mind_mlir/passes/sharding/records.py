"""What is known of values while a module is partitioned, and what comes of it."""

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
    """Bytes that each rank sends, in a ring."""
    of: ValueId
    """The value of the module in global view that moves."""


@dataclass(frozen=True)
class Partitioned:
    """What each rank runs, and how Inputs and outputs lie."""

    module: Module
    inputs: tuple[PartitionSpec, ...]
    outputs: tuple[PartitionSpec, ...]
    communication: tuple[Communication, ...]


@dataclass
class Entry:
    """What is known of a value: `spec` is how it lies, None where that is open."""

    o: Operation
    dims: Dimensions
    spec: PartitionSpec | None
    waits: bool
    depth: int


@dataclass
class Decisions:
    """How each operation is cut that does not wait, which results move at once and where, and how outputs lie."""

    ways: dict[ValueId, Way] = field(default_factory=dict)
    copies: dict[ValueId, PartitionSpec] = field(default_factory=dict)
    outputs: dict[ValueId, PartitionSpec] = field(default_factory=dict)
