"""What an operation states about rounding: how far its result may be off, by itself and by operands that are off.

`mind_mlir/testing/rounding.py` computes bounds from it.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class Growth(enum.Enum):
    """How errors of the operands, and roundings in the operation's own steps, affect the result."""

    UNKNOWN = "not stated: anything, if an operand is off"
    MOVES = "elements are moved, and none is computed"
    TERMS = "each element is a sum or a product of a few terms"
    SUMS = "each element is a sum of many terms, in an order that is left open"
    PRODUCTS = "each element is a sum of many products, in an order that is left open"
    MONOTONE = "element-wise, and between two poles monotone in each operand: extreme at the ends of intervals"
    EXTREMES = "each element is the largest, or the smallest, of some"
    ELEMENTS = "element-wise, and anything where an operand is off"
    WHOLE = "anything, if any element of an operand is off"
    BITS = "element-wise on bits, and anything else where an operand is off"
    CHOICE = "each element is one of the operands' after the first, by the first"


OPEN_BY_DEFAULT = (Growth.SUMS, Growth.PRODUCTS)
"""The kinds of operations whose results default numerics leave open. docs/semantics.md, Same bits."""


class Rounding(NamedTuple):
    """What an operation states."""

    growth: Growth = Growth.UNKNOWN
    ulps: int = 0
    """For a function, how far default numerics may be from `evaluate`, in ε of the result; 0 is the same bits."""
    exact: bool = False
    """True if its own step is never rounded, as in Neg and Relu."""
    after: int = 0
    """The number of roundings after a sum, as in Mean."""
    unsigned: str = ""
    """The operation with the magnitudes of the coefficients, if they are not all 1: Add for Sub."""
    pole: bool = False
    """True if the last operand has a pole at 0."""
    exact_zero: bool = False
    """True if a result of 0 is exact, as the logarithm of 1 is."""
    fast_f32: int = 0
    """The absolute error of fast numerics in f32, in ε, where a GPU's own instruction loses small results."""
    compares: bool = False
    """True if the result is a truth value, which an operand that is off may change."""
