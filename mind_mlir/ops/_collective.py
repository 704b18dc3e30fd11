"""What operations between ranks share: the mesh axis they run along, and their meaning on all ranks of it.

They occur in modules for one rank: those that `partition` makes, and those that users write. Every rank along `axis`
runs the same operation; `size` is the number of ranks there, so that the result's type follows from the operands
alone. Extension; docs/sharding.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir import Growth, Linearity, Mesh, Op, Reject, Rounding, TensorType, Value
from ..ir.attributes import Count, Name
from ..ir.diagnostics import count
from ._rules import names

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Collective(Op):
    """One operand, on each of the `size` ranks along the mesh axis `axis`."""

    axis: Name
    size: Count

    linearity = Linearity.JOINT
    core_v1 = False
    across_ranks = True
    rounding = Rounding(Growth.MOVES)

    @staticmethod
    def sent(held: int, n: int) -> int:
        """Bytes that a rank sends which holds so many before, to the `n` ranks along an axis, in a ring.

        Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH.
        """
        return held * (n - 1) // n

    @classmethod
    def sends(cls) -> bool:
        """False if each rank has what it needs."""
        return cls.sent(2, 2) > 0

    @property
    def cut(self) -> int | None:
        """The dimension of the operand that is cut into `size` equal parts; None if none is."""
        return None

    def check_size(self) -> None:
        """E8006 for an axis of no ranks, E8002 for one without a name."""
        if not self.axis:
            raise Reject("E8002", f"{self.opcode} needs the name of a mesh axis", at="axis")
        if self.size < 1:
            raise Reject("E8006", f"{self.opcode} along {self.axis} says {self.size} ranks", at="size")

    def check_dim(self, name: str, dim: int, input: TensorType) -> None:
        """E3004 for a dimension that the operand does not have."""
        if dim >= input.rank:
            span = f"dimensions run from 0 to {input.rank - 1}" if input.rank else "a scalar has no dimensions"
            message = f"{self.opcode} {name} {dim} is out of range for rank {input.rank}"
            raise Reject("E3004", message, help=span, at=name)

    def part(self, name: str, dim: int, input: TensorType) -> int:
        """The extent of one of `size` equal parts. E8006 if there are none."""
        n = input.shape[dim]
        if n % self.size:
            message = f"{self.opcode} along {self.axis} cuts extent {n} of dimension {dim} into {self.size} parts"
            raise Reject("E8006", message, note=f"input is {input}", help="Pad makes extents that divide", at=name)
        return n // self.size

    def part_type(self, name: str, dim: int, input: TensorType) -> TensorType:
        """The type of one of `size` equal parts of the operand along `dim`. E3004, E8002 and E8006."""
        self.check_size()
        self.check_dim(name, dim, input)
        part = self.part(name, dim, input)
        return input.with_shape(tuple(part if i == dim else n for i, n in enumerate(input.shape)))

    def check_mesh(self, mesh: Mesh | None, *operands: TensorType) -> None:
        if mesh is None:
            if self.size > 1:
                help = "a line such as `mesh: dp = 2` names the axes"
                raise Reject("E8002", f"{self.opcode} along {self.axis} without a mesh", help=help, at="axis")
            return
        try:
            found = mesh.axis_size(self.axis)
        except Reject as why:
            why.at = "axis"
            raise
        if found != self.size:
            message = f"{self.opcode} along {self.axis} says {count(self.size, 'rank')}, the mesh has {found}"
            raise Reject("E8006", message, at="size")

    def across(self, values: Sequence[numpy.ndarray]) -> list[numpy.ndarray]:
        """The results on all ranks along the axis, from the operands there, in order."""
        raise NotImplementedError  # every collective has its own

    def evaluate(self, input: numpy.ndarray) -> numpy.ndarray:
        if self.size > 1:
            message = f"{self.opcode} along {self.axis} takes {self.size} ranks, one process runs it"
            raise Reject("E8007", message, help="mind-run --mpi runs a module on several ranks")
        return self.across([input])[0]

    def fold(self, b, input: Value) -> Value | None:
        return input if self.size == 1 else None  # nothing moves

    def dims(self, input: TensorType) -> str:
        whole = [getattr(self, name) for name in ("dim", "split", "concat") if name in self.kinds]
        d = ["_" if i in whole else n for i, n in enumerate(names(input.rank))]
        return f"{' '.join(d)} -> {' '.join(d)}"
