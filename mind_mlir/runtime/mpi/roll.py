"""A file in which the ranks of a job that `launch` has started write that they have begun, and that they have ended.

It shows when one ends by `os._exit(0)` or the like: MPICH then ends all ranks, with status 0 and without a message.
"""

from __future__ import annotations

import os
import tempfile

_VARIABLE = "MIND_ROLL_OF_RANKS"
_BEGUN, _LEFT = b"+", b"-"


class Roll:
    """The file, for the process that starts the ranks: `with Roll() as roll: …`."""

    def __enter__(self) -> Roll:
        file, self._path = tempfile.mkstemp(prefix="mind-roll-")
        os.close(file)
        return self

    def __exit__(self, *_: object) -> None:
        os.unlink(self._path)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variable by which ranks find the file."""
        return {_VARIABLE: self._path}

    def missing(self) -> int:
        """How many ranks have begun and not ended."""
        with open(self._path, "rb") as f:
            text = f.read()
        return text.count(_BEGUN) - text.count(_LEFT)


def sign_on() -> None:
    """Note that this rank has begun."""
    _write(_BEGUN)


def sign_off() -> None:
    """Note that this rank's program has ended."""
    _write(_LEFT)


def _write(mark: bytes) -> None:
    if (path := os.environ.get(_VARIABLE)) is None:
        return
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
    except OSError:
        return  # this rank is on another machine than the file; its starter then knows of no ranks at all
    os.write(file, mark)
    os.close(file)
