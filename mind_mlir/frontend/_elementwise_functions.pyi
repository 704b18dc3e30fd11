# Written by scripts/gen_builder_stub.py from the op classes; do not edit.
"""The functions of element-wise operations, for type checkers alone. At run time `elementwise.py` makes them."""

from typing import Any

def equal(x: Any, y: Any) -> Any:
    """True where x == y."""

def exp(x: Any) -> Any:
    """e to the power of x."""

def expm1(x: Any) -> Any:
    """e to the power of x, less 1, with all digits where x is small."""

def greater(x: Any, y: Any) -> Any:
    """True where x > y; what `x > y` gives for traced values."""

def greater_equal(x: Any, y: Any) -> Any:
    """True where x >= y."""

def less(x: Any, y: Any) -> Any:
    """True where x < y; what `x < y` gives for traced values."""

def less_equal(x: Any, y: Any) -> Any:
    """True where x <= y."""

def log(x: Any) -> Any:
    """The natural logarithm: -inf at 0, NaN below."""

def log1p(x: Any) -> Any:
    """The natural logarithm of 1 + x, with all digits where x is small: -inf at -1, NaN below."""

def logistic(x: Any) -> Any:
    """The logistic function, `1 / (1 + exp(-x))`, also called sigmoid, without overflow."""

def maximum(x: Any, y: Any) -> Any:
    """The larger one of x and y, element by element; NaN if either is. Equal ones share the derivative."""

def minimum(x: Any, y: Any) -> Any:
    """The smaller one of x and y, element by element; NaN if either is. Equal ones share the derivative."""

def not_equal(x: Any, y: Any) -> Any:
    """True where x != y."""

def reciprocal(x: Any) -> Any:
    """1 / x, of f32 or f64."""

def relu(x: Any) -> Any:
    """`x if x > 0 else 0`; the derivative at 0 is 0."""

def sqrt(x: Any) -> Any:
    """The square root of x; NaN below 0."""

def tanh(x: Any) -> Any:
    """The hyperbolic tangent of x."""
