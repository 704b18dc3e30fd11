"""One line of `mind-opt --doctor`, about one thing that the toolchain needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What was looked for, what was found, and what to do if that is not right.

    If it is not `needed`, the toolchain works without it.
    """

    what: str
    found: str
    fix: str = ""
    needed: bool = True

    @property
    def ok(self) -> bool:
        """False if the toolchain does not work until this is fixed."""
        return not (self.fix and self.needed)
