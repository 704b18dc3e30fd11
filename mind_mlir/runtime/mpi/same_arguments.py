"""MIND_CHECK_RANKS=full: compares at every call the arguments of which several ranks hold the same part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir import Mesh, MindError, PartitionSpec
from .checks import Checks
from .differing import fingerprint, first_difference
from .ranks import Ranks


def check_same(
    ranks: Ranks,
    function: str,
    names: Callable[[], Sequence[str]],
    specs: Sequence[PartitionSpec],
    arrays: Sequence[Any],
) -> None:
    """With MIND_CHECK_RANKS=full, E8008 unless ranks that should hold the same part of an argument do, to the bit.

    `arrays` are what this rank holds. Partial sums are different on every rank.
    """
    if ranks.calls is None or ranks.calls.checks is not Checks.FULL:
        return
    with ranks.call(f"the comparison of arguments of {function}", f"comparison {function}"):
        found = ranks.world.allgather([fingerprint(a) for a in arrays])
        for n, spec in enumerate(specs):
            for group in alike(ranks.mesh, spec):
                if any(found[r][n] != found[group[0]][n] for r in group):
                    where = first_difference(ranks.world, arrays[n], group)
                    help = f"every rank passes the same {names()[n]}: check what it is computed or read from"
                    raise MindError.of("E8008", f"argument {names()[n]} of {function} differs {where}", help=help)


def alike(mesh: Mesh, spec: PartitionSpec) -> list[list[int]]:
    """The ranks of a mesh in groups that hold the same part of a value."""
    groups: dict[tuple[int, ...], list[int]] = {}
    used = sorted(spec.used())
    for rank in range(mesh.size):
        where = mesh.coordinates(rank)
        groups.setdefault(tuple(where[axis] for axis in used), []).append(rank)
    return list(groups.values())
