"""A reduction with the roles of its loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir import DType
from ...ir.kept import kept_property
from ..rules import sum_rules
from ..rules.sum_rules import Sum, Told
from .chain import Ref, Step
from .nest import FUNCTIONS, Access, Nest


@dataclass(frozen=True)
class Problem:
    """A sum, or another reduction, with the role of each of its loops.

    What is said of sums holds for every `kind`: two elements become one by `Scalars.joined`.

    `nest.inputs` are what the terms are computed from, what the operations on the sums read, and what is stored.
    Loop `v` runs along vectors, `ks` are the other loops that add up and `kept` those that do not, outermost first.
    """

    nest: Nest
    inputs: int
    before: tuple[Step, ...]
    term: Ref
    reads: int
    after: tuple[Step, ...]
    stored: tuple[Ref, ...]
    initial: Any
    kind: str
    in_order: bool
    v: int
    ks: tuple[int, ...]
    kept: tuple[int, ...]
    dtype: DType

    @property
    def terms(self) -> tuple[Access, ...]:
        """What the terms are computed from."""
        return self.nest.inputs[: self.inputs]

    @property
    def extras(self) -> tuple[Access, ...]:
        """What the operations on the sums read."""
        return self.nest.inputs[self.inputs : self.inputs + self.reads]

    @property
    def stores(self) -> tuple[tuple[Ref, Access], ...]:
        """What is stored, and where."""
        return tuple(zip(self.stored, self.nest.inputs[self.inputs + self.reads :]))

    @kept_property
    def sum(self) -> Sum:
        """What the rules see of it."""
        nest, terms = self.nest, tuple(a.strides for a in self.terms)
        roles = self.v, self.ks, self.kept
        return Sum(
            self.dtype, nest.extents, nest.reduction, terms, nest.output.strides, *roles, self.in_order, self._work
        )

    @property
    def _work(self) -> int:
        """About how many operations one term takes."""
        names = [str(o.name) for s in self.before for o in s.nest.body()]
        arithmetic = [name for name in names if name.startswith("arith.") and name != "arith.constant"]
        return len(arithmetic) + 16 * sum(name.startswith(FUNCTIONS) for name in names)

    @property
    def is_minor(self) -> bool:
        """True if the loop along vectors adds up."""
        return self.nest.reduction[self.v]

    def extent(self, d: int | None) -> int:
        """Iterations of a loop; 1 for none."""
        return 1 if d is None else self.nest.extents[d]


def told_apart(nest: Nest, inputs: int, in_order: bool) -> tuple[Nest, Told] | None:
    """A nest with as few loops as can be, and their roles; its first `inputs` operands make the terms.

    None if terms would change their order though they are to be added `in_order`.
    """
    memory = [n for n, a in enumerate(nest.inputs[:inputs]) if a.is_memory]
    found = sum_rules.told_apart(nest.loops, memory, in_order)
    return None if found is None else (nest.with_loops(found.loops), found)
