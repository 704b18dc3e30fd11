# Written by scripts/gen_builder_stub.py from the op classes; do not edit.
"""The functions of element-wise operations, for type checkers alone. At run time `elementwise.py` makes them."""

from typing import Any

def abs(x: Any) -> Any:
    """The magnitude of x; the derivative at 0 is 0."""

def acos(x: Any) -> Any:
    """The angle in [0, π] whose cosine is x: NaN outside of [-1, 1]."""

def acosh(x: Any) -> Any:
    """The inverse hyperbolic cosine of x; NaN below 1."""

def asin(x: Any) -> Any:
    """The angle in [-π/2, π/2] whose sine is x: NaN outside of [-1, 1]."""

def asinh(x: Any) -> Any:
    """The inverse hyperbolic sine of x."""

def atan(x: Any) -> Any:
    """The angle in [-π/2, π/2] whose tangent is x."""

def atan2(x: Any, y: Any) -> Any:
    """The angle in [-π, π] of the point with the coordinates y and x, in this order."""

def atanh(x: Any) -> Any:
    """The inverse hyperbolic tangent of x: ±inf at ±1, NaN beyond."""

def cbrt(x: Any) -> Any:
    """The cube root of x, of negative numbers too."""

def ceil(x: Any) -> Any:
    """The smallest integer that is not below x, as a float. The derivative is 0."""

def cos(x: Any) -> Any:
    """The cosine of x radians."""

def cosh(x: Any) -> Any:
    """The hyperbolic cosine of x."""

def digamma(x: Any) -> Any:
    """The derivative of log_gamma(x): NaN at 0, -1, -2, …"""

def equal(x: Any, y: Any) -> Any:
    """True where x == y."""

def erf(x: Any) -> Any:
    """The error function of x, 2/√π times the integral of e^(-t²) from 0 to x."""

def erf_inv(x: Any) -> Any:
    """The number whose error function is x: NaN outside of [-1, 1]."""

def erfc(x: Any) -> Any:
    """1 - erf(x), with all digits where erf(x) is near 1."""

def exp(x: Any) -> Any:
    """e to the power of x."""

def expm1(x: Any) -> Any:
    """e to the power of x, less 1, with all digits where x is small."""

def floor(x: Any) -> Any:
    """The largest integer that is not above x, as a float. The derivative is 0."""

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

def log10(x: Any) -> Any:
    """The logarithm to base 10: -inf at 0, NaN below."""

def log1p(x: Any) -> Any:
    """The natural logarithm of 1 + x, with all digits where x is small: -inf at -1, NaN below."""

def log2(x: Any) -> Any:
    """The logarithm to base 2: -inf at 0, NaN below."""

def log_gamma(x: Any) -> Any:
    """The logarithm of |Γ(x)|, the gamma function: inf at 0, -1, -2, …"""

def logistic(x: Any) -> Any:
    """The logistic function, `1 / (1 + exp(-x))`, also called sigmoid, without overflow."""

def maximum(x: Any, y: Any) -> Any:
    """The larger one of x and y, element by element; NaN if either is. Equal ones share the derivative."""

def minimum(x: Any, y: Any) -> Any:
    """The smaller one of x and y, element by element; NaN if either is. Equal ones share the derivative."""

def not_equal(x: Any, y: Any) -> Any:
    """True where x != y."""

def pow(x: Any, y: Any) -> Any:
    """x to the power of y, of floats."""

def reciprocal(x: Any) -> Any:
    """1 / x, of f32 or f64."""

def relu(x: Any) -> Any:
    """`x if x > 0 else 0`; the derivative at 0 is 0."""

def remainder(x: Any, y: Any) -> Any:
    """What is left of x after whole y, with the sign of y, as x % y in Python."""

def round(x: Any) -> Any:
    """The integer nearest to x, as a float; of two, the even one. The derivative is 0."""

def rsqrt(x: Any) -> Any:
    """1 / √x: inf at 0, NaN below."""

def sign(x: Any) -> Any:
    """1 where x > 0, -1 where x < 0; zeros and NaN stay. The derivative is 0."""

def sin(x: Any) -> Any:
    """The sine of x radians."""

def sinh(x: Any) -> Any:
    """The hyperbolic sine of x."""

def sqrt(x: Any) -> Any:
    """The square root of x; NaN below 0."""

def stop_gradient(x: Any) -> Any:
    """x, with the derivative zero."""

def tan(x: Any) -> Any:
    """The tangent of x radians."""

def tanh(x: Any) -> Any:
    """The hyperbolic tangent of x."""
