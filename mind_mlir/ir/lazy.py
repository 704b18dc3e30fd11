"""Loads NumPy at its first use, so that a run that only parses, verifies and prints does not wait for it."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..gate import GATE

if TYPE_CHECKING:
    import numpy as np
else:

    class _OnFirstUse(ModuleType):
        def __getattr__(self, name: str) -> Any:
            with GATE:
                real = importlib.import_module(self.__name__)
            self.__dict__.update(real.__dict__)  # so that later accesses take no more time
            return getattr(real, name)

    np = _OnFirstUse("numpy")

__all__ = ["np"]
