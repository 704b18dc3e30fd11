"""The precision of the factors of f32 products on a GPU."""

from __future__ import annotations

from ...ir import MindError

PRECISIONS = ("f32", "tf32")
"""f32: not rounded. tf32: rounded to TF32, whose mantissa has 10 bits, where tensor cores are faster."""


def check_precision(precision: str, numerics: str) -> None:
    """E7007 for an unknown precision, and for one that `numerics` does not allow."""
    if precision not in PRECISIONS:
        raise MindError.of("E7007", f"no precision is named {precision}", help=f"precisions: {', '.join(PRECISIONS)}")
    if precision != "f32" and numerics == "strict":
        message = f"precision {precision} rounds factors, numerics strict has the bits of interpret"
        raise MindError.of("E7007", message, help="numerics default allows it")
