"""Functions of statistics, by the names of scipy.special: what is made of gamma functions and logarithms."""

from __future__ import annotations

import math
import operator
from typing import Any

from ...ir import Value
from ..place import error
from ..promotion import binary, combined, common
from ._made import made
from .catalogue import function
from .exponentials import xlogy
from .logic import equal, less, logical_and
from .searching import where
from .statistical import floats

__all__ = [
    "entr",
    "multigammaln",
    "polygamma",
    "xlog1py",
]

ALIASES: dict[str, str] = {
    "erfinv": "erf_inv",
    "gammaln": "log_gamma",
    "lgamma": "log_gamma",
    "psi": "digamma",
}


def polygamma(n: int, x: Any) -> Any:
    """The n-th derivative of digamma(x), for a known integer n from 0 to 1000. docs/semantics.md, Gamma functions.

    >>> mind.polygamma(1, np.float32([0.5, 1]))
    array([4.934802, 1.644934], dtype=float32)
    """
    if (order := _known("polygamma", n)) == 0:
        return function("digamma")(x)
    return combined(made("Polygamma", order), x, floats=True)


def _known(name: str, n: Any) -> int:
    """A Python integer, 0 or more. E4013 for anything else."""
    help = f"{name}(2, x) takes a number, and jit leaves alone what its static_argnums name"
    if isinstance(n, Value):
        raise error("E4013", f"the first argument of {name} is a traced value", help=help)
    try:
        order = operator.index(n)
    except TypeError:
        raise error("E4013", f"{name} takes an integer, found a {type(n).__name__}", help=help) from None
    if order < 0:
        raise error("E4013", f"{name} takes an integer from 0 on, found {order}")
    return order


def multigammaln(a: Any, d: int) -> Any:
    """The logarithm of the multivariate gamma function of a in d dimensions, for a > (d - 1) / 2.

    >>> mind.multigammaln(np.float32(3), 2)
    array(1.550195, dtype=float32)
    """
    # ln Γ_d(a) = d·(d - 1)/4 · ln π + Σ ln Γ(a - i/2) over i < d
    d, a = _known("multigammaln", d), floats("multigammaln", a)
    total: Any = d * (d - 1) / 4 * math.log(math.pi)
    for i in range(d):
        total = binary("Add", function("log_gamma")(binary("Sub", a, i / 2)), total)
    return total if d else function("zeros_like")(a)


def xlog1py(x: Any, y: Any) -> Any:
    """x · log(1 + y), and 0 where x is 0.

    >>> mind.xlog1py(np.float32([0, 1]), np.float32([-1, 0]))
    array([0., 0.], dtype=float32)
    """
    x, y = common("xlog1py", x, y)
    is_zero = logical_and(equal(x, 0), equal(y, y))
    return where(is_zero, 0, binary("Mul", x, function("log1p")(where(is_zero, 0, y))))


def entr(x: Any) -> Any:
    """-x · log(x), an element's part of an entropy: 0 where x is 0, -inf below.

    >>> mind.entr(np.float32([0, 0.5, 1]))
    array([0.       , 0.3465736, 0.       ], dtype=float32)
    """
    x = floats("entr", x)
    is_below = less(x, 0)
    return where(is_below, -math.inf, binary("Sub", 0, xlogy(x, where(is_below, 1, x))))
