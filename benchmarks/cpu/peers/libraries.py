"""Opens C libraries that wheels without a Python module install: MKL, oneDNN."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from pathlib import Path


def opened(name: str) -> ctypes.CDLL:
    """The library of this name, from the environment or from the system. ImportError if neither has it."""
    folder = Path(sys.prefix, "lib")
    found = [str(p) for p in sorted(folder.glob(f"lib{name}.so*"))] or [ctypes.util.find_library(name)]
    for path in found:
        try:
            if path:
                return ctypes.CDLL(path)
        except OSError:  # a version whose own libraries are missing
            continue
    raise ImportError(f"no library {name} is in {folder} or in the system")
