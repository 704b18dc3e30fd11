"""The dimensions of a general product: which are batches, which are contracted, which are left. After StableHLO."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import Reject, Shape, TensorType
from ._rules import names


def counted_from_0(name: str, side: str, batch: Sequence[int], contract: Sequence[int], rank: int) -> list[list[int]]:
    """The batch and the contracted dimensions of the operand `side`, from 0 on. E3004 out of range, E3005 if twice."""
    out: list[list[int]] = []
    seen: list[int] = []
    for what, axes in (("batch", batch), ("contract", contract)):
        made: list[int] = []
        for a in axes:
            if not -rank <= a < rank:
                raise Reject(
                    "E3004",
                    f"{name} {side}_{what} names dimension {a}, out of range for rank {rank}",
                    help=f"dimensions are from {-rank} to {rank - 1}" if rank else "a scalar has no dimensions",
                    at=f"{side}_{what}",
                )
            d = a + rank if a < 0 else a
            if d in seen:
                raise Reject(
                    "E3005",
                    f"{name} names dimension {d} of {side} twice",
                    note=f"{side}_batch is {list(batch)}, {side}_contract is {list(contract)}",
                    help="a dimension is a batch, or contracted, or neither",
                    at=f"{side}_{what}",
                )
            seen.append(d)
            made.append(d)
        out.append(made)
    return out


def check_pairs(name: str, what: str, lhs: TensorType, rhs: TensorType, a: Sequence[int], b: Sequence[int]) -> None:
    """E3002 unless as many dimensions of both operands are named, E3003 unless they have equal extents."""
    if len(a) != len(b):
        raise Reject(
            "E3002",
            f"{name} names {len(a)} dimensions as lhs_{what} and {len(b)} as rhs_{what}",
            help="each dimension of one operand belongs to one of the other",
            at=f"rhs_{what}",
        )
    for d, e in zip(a, b):
        if lhs.shape[d] != rhs.shape[e]:
            verb = "contracts" if what == "contract" else "pairs batches of"
            raise Reject(
                "E3003",
                f"{name} {verb} {lhs.shape[d]} against {rhs.shape[e]}",
                label=f"lhs[{d}] is {lhs.shape[d]}, rhs[{e}] is {rhs.shape[e]}",
                note=f"lhs is {lhs}, rhs is {rhs}",
            )


def free(rank: int, batch: Sequence[int], contract: Sequence[int]) -> list[int]:
    """The dimensions that are neither."""
    return [d for d in range(rank) if d not in batch and d not in contract]


def labels(rank: int, batch: Sequence[int], contract: Sequence[int], letter: str) -> list[str]:
    """A name for each dimension: b0 … for batches, k0 … for what is contracted, `letter` and a number for the rest."""
    out = names(rank, letter)
    for i, d in enumerate(batch):
        out[d] = f"b{i}"
    for i, d in enumerate(contract):
        out[d] = f"k{i}"
    left = free(rank, batch, contract)
    for i, d in enumerate(left):
        out[d] = f"{letter}{i}"
    return out


def extents(shape: Shape, dims: Sequence[int]) -> Shape:
    """The extents of these dimensions."""
    return tuple(shape[d] for d in dims)
