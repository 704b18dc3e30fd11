"""Operations of linalg by name: which compute element by element, and which add up products."""

from __future__ import annotations

ELEMENTWISE = frozenset(f"linalg.{name}" for name in ("add", "sub", "mul", "div", "max", "min", "negf", "exp", "log"))
"""Named operations whose body computes each element of the result from those of the operands at its position."""

CONTRACTIONS = frozenset(
    f"linalg.{n}" for n in ("matmul", "batch_matmul", "contract", "dot", "matvec", "vecmat", "conv_2d_nhwc_hwcf")
)
"""Named operations whose body multiplies and adds."""
