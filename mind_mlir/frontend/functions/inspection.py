"""What the Python array API standard asks a namespace: its version, element types and capabilities."""

from __future__ import annotations

from typing import Any

from ...ir import DType
from .data_types import isdtype

__array_api_version__ = "2024.12"


class __array_namespace_info__:
    """The standard's inspection of a namespace.

    >>> mind.__array_namespace_info__().default_device()
    'cpu'
    """

    def capabilities(self) -> dict[str, Any]:
        """What is possible: no masks as indices, no shapes that depend on numbers."""
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": None}

    def default_device(self) -> str:
        """The device of arrays."""
        return "cpu"

    def devices(self) -> list[str]:
        """The devices of arrays."""
        return ["cpu"]

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The element types of Python numbers and of positions."""
        return {"real floating": DType.F32.numpy, "integral": DType.I64.numpy, "indexing": DType.I64.numpy}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The element types of a kind that the standard names, by name: not those of 16-bit floats."""
        named = [d for d in DType if not d.is_half]
        return {d.numpy_name: d.numpy for d in named if kind is None or isdtype(d.numpy, kind)}
