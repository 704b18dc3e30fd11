"""Registers the passes of the dialect; mlir is imported when one of them runs."""

from __future__ import annotations

from typing import Any, Literal

from ..passes.registry import Level, register


@register("convert-mind-to-linalg", source=Level.MLIR)
def convert_mind_to_linalg(module: Any, *, numerics: Literal["default", "strict", "fast"] = "default") -> None:
    """Lower operations of the dialect mind to linalg on tensors; the rest of the module is not changed."""
    from .conversion import convert_mind_to_linalg

    convert_mind_to_linalg(module, numerics=numerics)
