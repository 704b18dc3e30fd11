"""A module in global view, compiled for this rank of its mesh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir import Module
from ...passes import canonicalize
from ...passes.sharding.partition import partitioned
from ...passes.sharding.records import Partitioned
from ..executable import Executable
from ..jit import compile as compile_module
from .ranks import Ranks, ranks_of


@dataclass(frozen=True)
class CompiledForRanks:
    """The code of one rank, how Inputs and outputs lie, and the ranks."""

    exe: Executable
    parts: Partitioned
    ranks: Ranks


def compile_for_ranks(m: Module, options: Mapping[str, Any], captured: Sequence[Any] = ()) -> CompiledForRanks:
    """Partition and compile, on every rank alike; `options` are those of `mind.compile`.

    `captured` are arrays that every rank passes whole and that are to be the same on all.  MindError: as `partition`
    and `compile`; E8007 for another number of ranks than the mesh has, E8008 where ranks disagree.
    """
    assert m.mesh is not None, "callers see to it"
    ranks = ranks_of(m.mesh)
    parts = partitioned(m)
    local = canonicalize(parts.module, verified=True)
    ranks.agree(local, captured)
    return CompiledForRanks(compile_module(local, **options), parts, ranks)
