"""Code that goes when its owner does, and no earlier."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import Any


def unload_with(owner: Any, unload: Callable[..., object], *arguments: Any) -> weakref.finalize[Any, Any]:
    """Call `unload` when nothing refers to the owner, but not at the end of the process.

    The owner of code is often part of a cycle: an executable that is kept by what it was made for. The collector calls
    weak references back before it calls __del__, and a __del__ may call the executable. What it does not track, it
    leaves until the last reference is gone; so the owner may not be part of a cycle itself.
    """
    ctypes.pythonapi.PyObject_GC_UnTrack(ctypes.py_object(owner))
    finalizer = weakref.finalize(owner, unload, *arguments)
    finalizer.atexit = False
    return finalizer
