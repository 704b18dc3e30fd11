"""The roll of a job that `launch` has started: a file in which ranks write that they have begun, and have left.

MPICH ends all ranks, with status 0 and without a word, when one ends with status 0 past Python's own way out.
"""

from __future__ import annotations

import os
import tempfile

_VARIABLE = "MIND_ROLL_OF_RANKS"
_BEGUN, _LEFT = b"+", b"-"


class Roll:
    """The file, as the starter has it: `with Roll() as roll: …`."""

    def __enter__(self) -> Roll:
        file, self._path = tempfile.mkstemp(prefix="mind-roll-")
        os.close(file)
        return self

    def __exit__(self, *_: object) -> None:
        os.unlink(self._path)

    @property
    def environment(self) -> dict[str, str]:
        """What ranks find it by."""
        return {_VARIABLE: self._path}

    def missing(self) -> int:
        """How many ranks have begun and not left."""
        with open(self._path, "rb") as f:
            text = f.read()
        return text.count(_BEGUN) - text.count(_LEFT)


def sign_on() -> None:
    """This rank has begun."""
    _write(_BEGUN)


def sign_off() -> None:
    """This rank's program has ended."""
    _write(_LEFT)


def _write(mark: bytes) -> None:
    if (path := os.environ.get(_VARIABLE)) is None:
        return
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
    except OSError:
        return  # on another machine than the starter, which then knows of none
    os.write(file, mark)
    os.close(file)
