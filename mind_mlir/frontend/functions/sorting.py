"""Elements in order, and what is found by it."""

from __future__ import annotations

from typing import Any

from ...ir import np
from ..integers import axis_of, integer
from ..operands import operand
from ..place import error
from ..promotion import binary
from ._made import applied
from .joining import concat
from .manipulation import expand_dims, flip, ravel, sliced
from .statistical import mean

__all__ = ["argsort", "median", "sort", "top_k"]

ALIASES: dict[str, str] = {}
