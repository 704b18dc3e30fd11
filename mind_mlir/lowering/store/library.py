"""Opens shared objects in this process."""

from __future__ import annotations

import _ctypes
import ctypes
import itertools
import os

from .unloading import unload_with

_OPENED = itertools.count()


class Library:
    """An open shared object, which is closed when nothing refers to this.

    `nbytes` is the size of its file.
    """

    def __init__(self, path: str) -> None:
        """Open the file. OSError if the system refuses."""
        self._opened = ctypes.CDLL(path)
        self.nbytes = os.stat(path).st_size
        unload_with(self, _close, self._opened)

    @classmethod
    def of_file(cls, descriptor: int) -> Library:
        """The library in an open file, whatever is at its path by now. OSError if the system refuses.

        The loader takes a name that it has seen for the library that it has opened under it, and descriptors are used
        again, so each name is made different.
        """
        steps = f"{next(_OPENED):b}".replace("0", "/").replace(
            "1", "/."
        )  # a number, written as a path that stays in a folder
        return cls(f"/proc/self/fd{steps}/{descriptor}")

    def has(self, function: str) -> bool:
        """True if the library has a function of that name."""
        return hasattr(self._opened, function)

    def address(self, function: str) -> int:
        """The address of a function. AttributeError if there is none of that name."""
        address = ctypes.cast(self._opened[function], ctypes.c_void_p).value
        assert address, "a function has an address"
        return address


def _close(opened: ctypes.CDLL) -> None:
    """Unload code, after it has freed the memory that it keeps between calls."""
    if (release := getattr(opened, "mind_release", None)) is not None:
        release()
    _ctypes.dlclose(opened._handle)
