"""What an operation says of rounding: how far its result may be off, and what it makes of operands that are off.

`mind_mlir/testing/rounding.py` computes bounds from it.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class Growth(enum.Enum):
    """How numbers that are off, and the roundings of the operation's own steps, reach the result."""

    UNKNOWN = "anything, if an operand is off"
    MOVES = "elements are moved, and none is computed"
    TERMS = "each element is a sum or a product of a few terms"
    SUMS = "each element is a sum of many terms, in an order that is left open"
    PRODUCTS = "each element is a sum of many products, in an order that is left open"
    MONOTONE = "element-wise, and between two poles monotone in each operand: extreme at the ends of intervals"
    CHOICE = "each element is one of the operands' after the first, by the first"


OPEN_BY_DEFAULT = (Growth.SUMS, Growth.PRODUCTS)
"""Those whose result default numerics leave open.  docs/semantics.md, Same bits."""


class Rounding(NamedTuple):
    """The declaration of an operation."""

    growth: Growth = Growth.UNKNOWN
    ulps: int = 0
    """How many ε of the result default numerics may be off from `evaluate`, for a function; 0 is the same bits."""
    exact: bool = False
    """True if its own step is never rounded, as in Neg and Relu."""
    after: int = 0
    """Roundings of a sum once it is added up, as in Mean."""
    unsigned: str = ""
    """The operation with |coefficients|, where they are not all 1: what Add is of Sub."""
    pole: bool = False
    """True if the last operand has a pole at 0."""
    exact_zero: bool = False
    """True if a result of 0 is exact: of the logarithm, of 1."""
    fast_f32: int = 0
    """ε, not of the result, that fast numerics are off in f32, where a GPU's own instruction loses small results."""
    compares: bool = False
    """True if the result is a truth value, which an operand that is off may change."""
