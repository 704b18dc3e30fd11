"""What `mind-opt --doctor` says of one thing that the toolchain needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One line of `mind-opt --doctor`: what was looked for, what was found, and what to do if that is not right.

    What is not `needed` can be missing: the toolchain then does without.
    """

    what: str
    found: str
    fix: str = ""
    needed: bool = True

    @property
    def ok(self) -> bool:
        """False if the toolchain does not work as it is."""
        return not (self.fix and self.needed)
