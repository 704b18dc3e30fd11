"""A module in global view, compiled for this rank of its mesh."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir import Module
from ...passes import canonicalize
from ...passes.sharding.machine import ORDINARY
from ...passes.sharding.merge_reductions import merge_reductions
from ...passes.sharding.partition import partitioned
from ...passes.sharding.records import Partitioned
from ..executable import Executable
from ..jit import compile as compile_module
from .measured import Preference, machine_of
from .ranks import Ranks, ranks_of
from .same_arguments import check_same
from .same_module import agree


@dataclass(frozen=True)
class CompiledForRanks:
    """The code of one rank, the shardings of Inputs and outputs, the ranks, and the function's name in messages."""

    exe: Executable
    parts: Partitioned
    ranks: Ranks
    name: str

    def check_same(self, names: Callable[[], Sequence[str]], arrays: Sequence[Any]) -> None:
        """With MIND_CHECK_RANKS=full, E8008 unless ranks that are to hold the same part of an argument do."""
        check_same(self.ranks, self.name, names, self.parts.inputs, arrays)


def compile_for_ranks(
    m: Module,
    options: Mapping[str, Any],
    name: str,
    captured: Sequence[Any] = (),
    prefer: Preference = "bytes",
) -> CompiledForRanks:
    """Partition and compile a module; every rank calls this. `options` are those of `mind.compile`, `name` is for
    messages.

    `captured` are arrays that every rank passes whole and that have to be the same on all. With `prefer` "bytes" the
    partition is that of the pass, with "time" the one that is best for the measured speed of these ranks.
    MindError: as `partition` and `compile`; E8007 for another number of ranks than the mesh has, E8008 where ranks
    disagree.
    """
    assert m.mesh is not None, "callers see to it"
    ranks = ranks_of(m.mesh)
    agree(ranks, name, m, captured)
    machine = machine_of(ranks, options.get("threads")) if prefer == "time" else ORDINARY
    parts = partitioned(m, machine)
    local = merge_reductions(parts.module, largest=machine.worth_merging)
    exe = compile_module(canonicalize(local, verified=True), **options)
    if exe.among_ranks is not None:
        types = ", ".join(f"{o.type.dtype}{list(o.type.shape)}" for o in m.inputs)
        exe.among_ranks.text = f"{name} ({types})"
    return CompiledForRanks(exe, parts, ranks, name)
