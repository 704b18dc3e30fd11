"""Numbers, and NumPy's names of element types."""

from __future__ import annotations

import math
from typing import Any

from ...ir import DType

e = math.e
inf = math.inf
nan = math.nan
newaxis = None
pi = math.pi

_TYPES = {d.numpy_name: d for d in DType}

__all__ = ["e", "inf", "nan", "newaxis", "pi", *_TYPES]

ALIASES = {"bool_": "bool"}


def __getattr__(name: str) -> Any:
    """The type of NumPy or of ml_dtypes by its name, which makes numbers: `mind.float32(3)`."""
    if name not in _TYPES:
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name)
    return _TYPES[name].numpy.type
