"""The values of --numerics and --precision: how exact the results of compiled code are."""

from __future__ import annotations

from enum import Enum


class Numerics(str, Enum):
    """How far results may differ from the interpreter's."""

    default = "default"
    strict = "strict"
    fast = "fast"


class Precision(str, Enum):
    """How exact the factors of f32 products are on a GPU."""

    f32 = "f32"
    tf32 = "tf32"
