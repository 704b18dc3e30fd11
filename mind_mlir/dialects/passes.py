"""The passes of the dialect, with mlir imported only when one of them runs."""

from __future__ import annotations

from typing import Any, Literal

from ..passes.registry import Level, register


@register("convert-mind-to-linalg", source=Level.MLIR)
def convert_mind_to_linalg(module: Any, *, numerics: Literal["default", "strict", "fast"] = "default") -> None:
    """Operations of the dialect mind to linalg on tensors, wherever they stand; the rest of the module stays."""
    from .conversion import convert_mind_to_linalg

    convert_mind_to_linalg(module, numerics=numerics)
