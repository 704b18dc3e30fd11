"""Activations and normalisations of neural networks, by the names of jax.nn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...ir import DType, np
from ..integers import axis_of, integer
from ..operands import dtype_of, operand
from ..place import error
from ..promotion import binary, combined, convert
from ..trace_builder import PLAIN, apply
from ._made import applied, made
from .catalogue import function
from .creation import element_type
from .exponentials import logaddexp
from .joining import split
from .logic import equal, greater, isfinite
from .manipulation import expand_dims, squeeze
from .searching import where
from .statistical import floats, max as _max, mean, sum as _sum, var

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_sigmoid",
    "hard_swish",
    "hard_tanh",
    "layer_norm",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "logsumexp",
    "mish",
    "one_hot",
    "relu6",
    "selu",
    "silu",
    "soft_sign",
    "softmax",
    "softplus",
    "standardize",
]

ALIASES: dict[str, str] = {
    "expit": "logistic",
    "hard_silu": "hard_swish",
    "hardtanh": "hard_tanh",
    "logsigmoid": "log_sigmoid",
    "sigmoid": "logistic",
    "softsign": "soft_sign",
    "swish": "silu",
}

Axis = int | Sequence[int] | None


def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow on the way.

    >>> mind.softplus(np.float32([0, 100]))
    array([  0.6931472, 100.       ], dtype=float32)
    """
    return logaddexp(floats("softplus", x), 0.0)


def log_sigmoid(x: Any) -> Any:
    """The logarithm of the logistic function: -softplus(-x).

    >>> mind.log_sigmoid(np.float32([0, -100]))
    array([  -0.6931472, -100.       ], dtype=float32)
    """
    return _negative(softplus(_negative(x)))


def silu(x: Any) -> Any:
    """x times the logistic function of x.

    >>> mind.silu(np.float32([0, 100]))
    array([  0., 100.], dtype=float32)
    """
    x = floats("silu", x)
    return binary("Mul", x, function("logistic")(x))


def mish(x: Any) -> Any:
    """x · tanh(softplus(x)).

    >>> mind.mish(np.float32([0, 100]))
    array([  0., 100.], dtype=float32)
    """
    x = floats("mish", x)
    return binary("Mul", x, function("tanh")(softplus(x)))


def gelu(x: Any, approximate: bool = True) -> Any:
    """x · Φ(x), with the distribution function Φ of the normal distribution.

    As in jax.nn, an approximation by tanh unless `approximate` is false; PyTorch's is exact.

    >>> mind.gelu(np.float32([0, 100]))
    array([  0., 100.], dtype=float32)
    """
    x = floats("gelu", x)
    if approximate:
        cube = binary("Mul", binary("Mul", x, x), x)
        inner = binary("Mul", math.sqrt(2 / math.pi), binary("Add", x, binary("Mul", 0.044715, cube)))
        return binary("Mul", binary("Mul", x, 0.5), binary("Add", 1.0, function("tanh")(inner)))
    half = binary("Mul", x, 0.5)
    return binary("Mul", half, function("erfc")(binary("Mul", x, -math.sqrt(0.5))))


def leaky_relu(x: Any, negative_slope: float = 0.01) -> Any:
    """x where it is 0 or more, else x times a small slope.

    >>> mind.leaky_relu(np.float32([-100, 1]))
    array([-1.,  1.], dtype=float32)
    """
    x = floats("leaky_relu", x)
    return where(combined(made("GreaterEqual"), x, 0), x, binary("Mul", x, negative_slope))


def elu(x: Any, alpha: float = 1.0) -> Any:
    """x where it is greater than 0, else alpha · (exp(x) - 1).

    >>> mind.elu(np.float32([-100, 1]))
    array([-1.,  1.], dtype=float32)
    """
    x = floats("elu", x)
    is_positive = greater(x, 0)
    return where(is_positive, x, binary("Mul", alpha, function("expm1")(where(is_positive, 0, x))))


def celu(x: Any, alpha: float = 1.0) -> Any:
    """x where it is greater than 0, else alpha · (exp(x / alpha) - 1).

    >>> mind.celu(np.float32([-100, 1]))
    array([-1.,  1.], dtype=float32)
    """
    x = floats("celu", x)
    is_positive = greater(x, 0)
    below = function("expm1")(binary("Div", where(is_positive, 0, x), alpha))
    return where(is_positive, x, binary("Mul", alpha, below))


def selu(x: Any) -> Any:
    """elu(x, 1.6733) times 1.0507: outputs keep the mean 0 and the variance 1.

    >>> mind.selu(np.float32([0, 1]))
    array([0.      , 1.050701], dtype=float32)
    """
    return binary("Mul", 1.0507009873554804934193349852946, elu(x, 1.6732632423543772848170429916717))


def soft_sign(x: Any) -> Any:
    """x / (1 + |x|).

    >>> mind.soft_sign(np.float32([-1, 3]))
    array([-0.5 ,  0.75], dtype=float32)
    """
    x = floats("soft_sign", x)
    return binary("Div", x, binary("Add", 1, function("abs")(x)))


def relu6(x: Any) -> Any:
    """x between 0 and 6.

    >>> mind.relu6(np.float32([-1, 7]))
    array([0., 6.], dtype=float32)
    """
    return combined(made("Minimum"), combined(made("Maximum"), floats("relu6", x), 0), 6)


def hard_tanh(x: Any) -> Any:
    """x between -1 and 1.

    >>> mind.hard_tanh(np.float32([-2, 0.5]))
    array([-1. ,  0.5], dtype=float32)
    """
    return combined(made("Minimum"), combined(made("Maximum"), floats("hard_tanh", x), -1), 1)


def hard_sigmoid(x: Any) -> Any:
    """(x + 3) / 6 between 0 and 1.

    >>> mind.hard_sigmoid(np.float32([-4, 0]))
    array([0. , 0.5], dtype=float32)
    """
    return binary("Div", relu6(binary("Add", floats("hard_sigmoid", x), 3)), 6)


def hard_swish(x: Any) -> Any:
    """x · hard_sigmoid(x).

    >>> mind.hard_swish(np.float32([-4, 3]))
    array([-0.,  3.], dtype=float32)
    """
    x = floats("hard_swish", x)
    return binary("Mul", x, hard_sigmoid(x))


def glu(x: Any, axis: int = -1) -> Any:
    """One half of x along an axis, times the logistic function of the other half.

    >>> mind.glu(np.float32([2, 0]))
    array([1.], dtype=float32)
    """
    first, second = split(floats("glu", x), 2, axis)
    return binary("Mul", first, function("logistic")(second))


def softmax(x: Any, axis: Axis = -1) -> Any:
    """exp(x), divided by its sum along an axis, without overflow on the way.

    >>> mind.softmax(np.float32([1000, 1000]))
    array([0.5, 0.5], dtype=float32)
    """
    x = floats("softmax", x)
    e = function("exp")(binary("Sub", x, _largest(x, axis)))
    return binary("Div", e, _sum(e, axis, keepdims=True))


def log_softmax(x: Any, axis: Axis = -1) -> Any:
    """The logarithm of softmax(x), without overflow on the way.

    >>> mind.log_softmax(np.float32([1000, 1000]))
    array([-0.6931472, -0.6931472], dtype=float32)
    """
    x = floats("log_softmax", x)
    centred = binary("Sub", x, _largest(x, axis))
    return binary("Sub", centred, function("log")(_sum(function("exp")(centred), axis, keepdims=True)))


def logsumexp(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The logarithm of the sum of exp(x) along `axis`, without overflow on the way.

    >>> mind.logsumexp(np.float32([1000, 1000]))
    array(1000.6932, dtype=float32)
    """
    x = floats("logsumexp", x)
    if not x.size:
        return function("log")(_sum(x, axis, keepdims))
    largest = _largest(x, axis)
    largest = where(isfinite(largest), largest, 0)  # infinities minus themselves are NaN
    total = function("log")(_sum(function("exp")(binary("Sub", x, largest)), axis, keepdims=True))
    found = binary("Add", total, largest)
    if keepdims:
        return found
    return squeeze(found, axis if axis is not None else tuple(range(x.ndim))) if x.ndim else found


def _largest(x: Any, axis: Axis) -> Any:
    """The largest elements along an axis, as constants for derivatives: what they are subtracted from is unchanged."""
    return applied("StopGradient", (), _max(x, axis, keepdims=True)) if x.size else _sum(x, axis, keepdims=True)


def standardize(x: Any, axis: Axis = -1, epsilon: float = 1e-5) -> Any:
    """x minus its mean along an axis, divided by the root of its variance plus `epsilon`.

    >>> mind.standardize(np.float32([1, 3])).round(2)
    array([-1.,  1.], dtype=float32)
    """
    x = floats("standardize", x)
    centred = binary("Sub", x, mean(x, axis, keepdims=True))
    scale = function("rsqrt")(binary("Add", var(x, axis, keepdims=True), epsilon))
    return binary("Mul", centred, scale)


def layer_norm(x: Any, weight: Any = None, bias: Any = None, axis: Axis = -1, epsilon: float = 1e-5) -> Any:
    """standardize(x) along an axis, times `weight`, plus `bias`, where these are given.

    >>> mind.layer_norm(np.float32([1, 3]), np.float32([1, 2]), np.float32(10)).round(2)
    array([ 9., 12.], dtype=float32)
    """
    found = standardize(x, axis, epsilon)
    found = found if weight is None else binary("Mul", found, weight)
    return found if bias is None else binary("Add", found, bias)


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Any:
    """1 at the position that an integer names along a new axis, and 0 elsewhere; all 0 for one out of range.

    >>> mind.one_hot(np.array([0, 2]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    x, count = operand("one_hot", x), integer("num_classes", num_classes)
    if dtype_of(x).is_float:
        raise error("E2005", f"one_hot takes integers, found {dtype_of(x)}")
    a = axis_of("one_hot", axis, x.ndim + 1)
    classes = np.arange(count, dtype=dtype_of(x).numpy).reshape([count if n == a else 1 for n in range(x.ndim + 1)])
    return convert(equal(expand_dims(x, a), classes), element_type("one_hot", dtype, DType.F32))


def _negative(x: Any) -> Any:
    return apply(PLAIN["Neg"], floats("negative", x))
