"""The result of a rule: a record of parameters, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Generic, TypeVar

R = TypeVar("R")


@dataclass(frozen=True)
class Choice(Generic[R]):
    """The record that a rule chooses, None where another strategy is better, and the reasons as sentences."""

    kind: str
    record: R | None
    why: tuple[str, ...]

    def __str__(self) -> str:
        """The kind with its record as docs/records.md has it, and a line for each reason."""
        return "\n".join([written(self.kind, self.record), *(f"  {reason}" for reason in self.why)])


def written(kind: str, record: Any) -> str:
    """`contraction: rows=6 columns=64 fused`, fields in the order of the alphabet; flags that are off are left out."""
    if record is None:
        return f"{kind}: declined"
    shown = []
    for name, value in sorted(asdict(record).items()):
        if value is True:
            shown.append(name)
        elif value is not False:
            shown.append(f"{name}={value}")
    return f"{kind}: {' '.join(shown)}"


def size(bytes: int) -> str:
    """`320 KiB`: a number of bytes, for people."""
    for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if bytes >= 1 << shift:
            return f"{bytes / (1 << shift):.4g} {unit}"
    return f"{bytes} B"


def counted(n: int, what: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
