"""`Op.dims` for operands of given types: which dimensions of operands and result are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...ir import Op, TensorType

WHOLE = ("_", "1")
"""Names of dimensions that are not cut."""


@dataclass(frozen=True)
class Dimensions:
    """The name of each dimension of each operand and of the result, and the extent that goes with a name."""

    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]
    extents: dict[str, int]

    @property
    def contracted(self) -> list[str]:
        """Names that only operands have: pieces along them are added."""
        return [name for name in self.extents if name not in self.result]

    @property
    def repeated(self) -> list[str]:
        """Names that only the result has: pieces along them come from whole operands."""
        return [name for name in self.result if name in self.extents and not any(name in t for t in self.operands)]


def dimensions(op: Op, types: Sequence[TensorType], result: TensorType) -> Dimensions:
    """The named dimensions of an operation; where it has none, everything stays whole."""
    text = op.dims(*types)
    if text is None:
        return Dimensions(tuple(("_",) * t.rank for t in types), ("_",) * result.rank, {})
    left, _, right = text.partition("->")
    written = [*([term.split() for term in left.split(",")] if types else []), right.split()]
    terms = [_written_out(term, t.rank) for term, t in zip(written, (*types, result))]
    extents: dict[str, int] = {}
    for term, t in zip(terms, (*types, result)):
        for name, n in zip(term, t.shape):
            if name not in WHOLE:
                extents[name] = n if extents.get(name, 1) == 1 else extents[name]
    for term, t in zip(terms, (*types, result)):
        for i, (name, n) in enumerate(zip(term, t.shape)):
            if n == 1 and extents.get(name, 1) != 1:
                term[i] = "1"  # stretched
    return Dimensions(tuple(map(tuple, terms[:-1])), tuple(terms[-1]), extents)


def _written_out(term: list[str], rank: int) -> list[str]:
    """`...` as the names of right-aligned batch dimensions."""
    if "..." not in term:
        return list(term)
    at, batches = term.index("..."), rank - len(term) + 1
    return [*term[:at], *(f"...{batches - i}" for i in range(batches)), *term[at + 1 :]]
