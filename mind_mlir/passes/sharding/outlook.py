"""What each sharding of a value costs its users. docs/adr/0029-partition-looks-back.md.

A use is a list of options: a sharding of the operand, and what the user then pays beyond its cheapest option, in bytes.
Only differences count, so that what follows a value which two paths reach is not paid twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from ...ir import Module, PartitionSpec, TensorType, ValueId
from .moves import Prices

Use: TypeAlias = "Sequence[tuple[PartitionSpec, float]]"
"""The options of a user, cheapest first."""

MOST_OPTIONS = 4
"""How many options of one use are kept."""

MOST_WISHES = 6
"""How many shardings of a value are considered as its users' wishes."""


class Outlook:
    """The uses of the values of a module, which are added from the last operation to the first."""

    def __init__(self, m: Module, prices: Prices) -> None:
        self._m, self._prices = m, prices
        self.outputs: dict[ValueId, PartitionSpec] = {}
        self._uses: dict[ValueId, list[Use]] = {}
        self._wishes: dict[ValueId, list[PartitionSpec]] = {}
        self._ahead: dict[tuple[ValueId, PartitionSpec], tuple[float, PartitionSpec | None, PartitionSpec | None]] = {}

    def add(self, id: ValueId, use: Use) -> None:
        """Add a use of a value, before anything is asked about it."""
        self._uses.setdefault(id, []).append(use[:MOST_OPTIONS])

    def used(self, id: ValueId) -> bool:
        """True if anything uses the value."""
        return id in self._uses

    def wishes(self, id: ValueId) -> list[PartitionSpec]:
        """The shardings that users want for a value, the first options of each first."""
        if id not in self._wishes:
            uses = self._uses.get(id, ())
            found = (use[n][0] for n in range(MOST_OPTIONS) for use in uses if n < len(use))
            self._wishes[id] = list(dict.fromkeys(found))[:MOST_WISHES]
        return self._wishes[id]

    def ahead(self, id: ValueId, spec: PartitionSpec) -> float:
        """The bytes that users pay for a value made with the sharding `spec`."""
        return self._look(id, spec)[0]

    def copy(self, id: ValueId, spec: PartitionSpec) -> PartitionSpec | None:
        """The sharding to which a value made as `spec` is best moved once for several users; None if there is none."""
        return self._look(id, spec)[1]

    def shared(self, id: ValueId, spec: PartitionSpec) -> PartitionSpec | None:
        """The sharding to which two users would each move a value made as `spec`; None if there is none."""
        return self._look(id, spec)[2]

    def spread(self, id: ValueId) -> float:
        """The bytes that users pay for the best sharding of the value."""
        return min((self.ahead(id, s) for s in self.wishes(id)), default=0.0)

    def _look(self, id: ValueId, spec: PartitionSpec) -> tuple[float, PartitionSpec | None, PartitionSpec | None]:
        found = self._ahead.get((id, spec))
        if found is None:
            uses, type = self._uses.get(id, ()), self._m.values[id].type
            copy = None
            least, shared = self._served(type, uses, (spec,))
            if len(uses) > 1:
                for to in dict.fromkeys([*self.wishes(id), spec.resolved]):
                    if to != spec and (moved := self._prices(type, spec, to)) < least:
                        total = moved + self._served(type, uses, (spec, to))[0]
                        least, copy = (total, to) if total < least else (least, copy)
            found = self._ahead[id, spec] = least, copy, shared
        return found

    def _served(
        self, type: TensorType, uses: Sequence[Use], have: tuple[PartitionSpec, ...]
    ) -> tuple[float, PartitionSpec | None]:
        """What all users pay together, and a sharding that two of them move the value to, which is paid once."""
        total, shared = 0.0, None
        moved = set(have)
        for use in uses:
            least, wanted = math.inf, have[-1].resolved
            for to, extra in use:
                if extra >= least:
                    break  # the cheapest options come first
                price = extra if to in moved else extra + min([self._prices(type, s, to) for s in have])
                if price < least:
                    least, wanted = price, to
            shared = wanted if wanted in moved and wanted not in have else shared
            moved.add(wanted)
            total += least
        return total, shared
