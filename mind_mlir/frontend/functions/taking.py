"""Elements by their positions."""

from __future__ import annotations

from typing import Any

from ..indexing import gathered, positions
from ..integers import axis_of
from ..operands import operand
from ..place import error

__all__ = ["take"]

ALIASES: dict[str, str] = {}


def take(x: Any, indices: Any, axis: int = 0, mode: str = "error") -> Any:
    """The parts of x at these positions of an axis, which the axes of `indices` replace.

    Out of bounds is E6001 in mode "error", the nearest part in "clip" and zeros in "fill". In mode "error" known
    indices may count from the end; traced ones, and those of the other modes, count from 0.

    >>> mind.take(np.float32([10, 20, 30]), [2, 0, -1])
    array([30., 10., 30.], dtype=float32)
    """
    x = operand("take", x)
    if mode not in ("error", "clip", "fill"):
        raise error("E4013", f'take has the modes "error", "clip" and "fill", found {mode!r}')
    axis = axis_of("take", axis, x.ndim)
    indices = positions("take", indices, x.shape[axis] if mode == "error" else None, axis)
    return gathered(x, [axis], [indices], axis, mode)
