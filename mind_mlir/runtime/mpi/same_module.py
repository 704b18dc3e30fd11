"""Checks that all ranks compile the same module, and says what differs if not."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...ir import DType, MindError, Module, digest, np, print_module
from ...ir.version import VERSION
from .differing import first_difference
from .ranks import Ranks

_LONGEST = 200
"""How many characters of an operation a message shows."""


def agree(ranks: Ranks, name: str, m: Module, captured: Sequence[Any] = ()) -> None:
    """E8008 unless every rank has this module, to the byte of its text, and the same arrays as its last Inputs.

    The error says what differs first: the function's name, an argument, a constant, an operation, an array.
    """
    if ranks.world is None:
        return
    with ranks.call(f"the compilation of {name}", "compilation"):
        arrays = [np.ascontiguousarray(a) for a in captured]
        mine = hashlib.sha256(f"{VERSION}\n{digest(m)}".encode())
        for a in arrays:
            mine.update(a.data)
        found = ranks.world.allgather(mine.hexdigest())
        if all(d == found[0] for d in found):
            return
        facts = _Facts.of(name, m, arrays)
        first = ranks.world.bcast(facts if ranks.rank == 0 else None, root=0)
        said = ranks.world.allgather(first.other(facts, ranks.rank))
        message = next((s for s in said if s), "") or _of_arrays(ranks, arrays)
        others = [r for r, d in enumerate(found) if d != found[0]]
        note = f"rank{'s' * (len(others) > 1)} {', '.join(map(str, others[:8]))}{', …' * (len(others) > 8)}"
        help = "the function, its arguments' types and what it closes over must be the same on every rank"
        raise MindError.of("E8008", message, note=f"{note} would run another module than rank 0", help=help)


@dataclass(frozen=True)
class _Facts:
    """What a rank would compile, as texts, which are compared in this order."""

    version: str
    name: str
    mesh: str
    arguments: tuple[tuple[str, str, str], ...]
    """Name, type and sharding of each Input, except arrays that the function closes over."""
    captured: tuple[str, ...]
    """The types of the arrays that the function closes over."""
    lines: tuple[str, ...]

    @classmethod
    def of(cls, name: str, m: Module, captured: Sequence[Any]) -> _Facts:
        inputs = [(_name(o), _type(o.type.dtype.numpy, o.type.shape), str(o.sharding)) for o in m.inputs]
        given = len(inputs) - len(captured)
        lines = print_module(replace(m, notes={})).splitlines()
        return cls(
            VERSION, name, str(m.mesh), tuple(inputs[:given]), tuple(t for _, t, _ in inputs[given:]), tuple(lines)
        )

    def other(self, theirs: _Facts, rank: int) -> str:
        """What differs between another rank and this one, rank 0; empty if no text differs."""
        for what, a, b in (
            ("the version of mind-mlir", self.version, theirs.version),
            ("the function", self.name, theirs.name),
            ("the mesh", self.mesh, theirs.mesh),
            ("the number of arguments", len(self.arguments), len(theirs.arguments)),
        ):
            if a != b:
                return f"{what}: rank 0 has {a}, rank {rank} has {b}"
        for (name, type, sharding), (other_name, other_type, other_sharding) in zip(self.arguments, theirs.arguments):
            for what, a, b in (
                ("an argument", name, other_name),
                (f"argument {name}", type, other_type),
                (f"sharding of argument {name}", sharding, other_sharding),
            ):
                if a != b:
                    return f"{what}: rank 0 has {a}, rank {rank} has {b}"
        if self.captured != theirs.captured:
            a, b = (", ".join(types) or "none" for types in (self.captured, theirs.captured))
            return f"arrays that the function closes over: rank 0 has {a}, rank {rank} has {b}"
        return self._other_line(theirs, rank)

    def _other_line(self, theirs: _Facts, rank: int) -> str:
        for a, b in zip(self.lines, theirs.lines):
            if a != b:
                what = "a constant" if " = Const" in a and " = Const" in b else "an operation"
                return f"{what} of {self.name}: rank 0 has {_shown(a)}, rank {rank} has {_shown(b)}"
        if len(self.lines) != len(theirs.lines):
            return f"operations of {self.name}: rank 0 has {len(self.lines)}, rank {rank} has {len(theirs.lines)}"
        return ""


def _of_arrays(ranks: Ranks, arrays: Sequence[Any]) -> str:
    """The first array that the function closes over and that differs, and where; every rank calls this."""
    everyone = list(range(ranks.mesh.size))
    for n, a in enumerate(arrays):
        if (found := first_difference(ranks.world, a, everyone)) is not None:
            return f"array {n + 1} that the function closes over, {_type(a.dtype, a.shape)}, differs {found}"
    return "the module's text or the arrays that it closes over"


def _name(o: Any) -> str:
    name: str = o.op.name
    return name


def _type(dtype: Any, shape: Sequence[int]) -> str:
    return f"{DType.of(dtype)}{list(shape)}"


def _shown(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"
