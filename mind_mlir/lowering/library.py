"""A shared object in this process."""

from __future__ import annotations

import _ctypes
import ctypes
import weakref


class Library:
    """A shared object, opened; closed again when nothing refers to it."""

    def __init__(self, path: str) -> None:
        """Open the file.  OSError if the system refuses."""
        self._opened = ctypes.CDLL(path)
        weakref.finalize(self, _ctypes.dlclose, self._opened._handle).atexit = False

    def address(self, function: str) -> int:
        """Where a function of it begins.  AttributeError if it has none of that name."""
        address = ctypes.cast(self._opened[function], ctypes.c_void_p).value
        assert address, "a function has an address"
        return address
