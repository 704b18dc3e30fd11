"""A shared object in this process."""

from __future__ import annotations

import _ctypes
import ctypes
import itertools
import os

from .unloading import unload_with

_OPENED = itertools.count()


class Library:
    """A shared object, opened; closed again when nothing refers to it.

    `nbytes` is the size of its file.
    """

    def __init__(self, path: str) -> None:
        """Open the file.  OSError if the system refuses."""
        self._opened = ctypes.CDLL(path)
        self.nbytes = os.stat(path).st_size
        unload_with(self, _close, self._opened)

    @classmethod
    def of_file(cls, descriptor: int) -> Library:
        """An open file as a library, whatever its path leads to by now.  OSError if the system refuses.

        The loader takes a name that it has seen for the library that it has opened under it, and descriptors are given
        out again: so no two names are equal.
        """
        steps = f"{next(_OPENED):b}".replace("0", "/").replace("1", "/.")  # a number, spelt as ways to stay in a folder
        return cls(f"/proc/self/fd{steps}/{descriptor}")

    def has(self, function: str) -> bool:
        """True if it has a function of that name."""
        return hasattr(self._opened, function)

    def address(self, function: str) -> int:
        """Where a function of it begins.  AttributeError if it has none of that name."""
        address = ctypes.cast(self._opened[function], ctypes.c_void_p).value
        assert address, "a function has an address"
        return address


def _close(opened: ctypes.CDLL) -> None:
    """Unload code, after it has given back what it keeps between calls.

    The engine that compiles it does the same by the list of destructors, and so leaves none in the object file.
    """
    if (release := getattr(opened, "mind_release", None)) is not None:
        release()
    _ctypes.dlclose(opened._handle)
