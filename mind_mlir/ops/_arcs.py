"""What inverses of circular functions share, by steps of formulas, with fdlibm's coefficients (s_atan and e_asin)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ._pairs import head

HALF_PI, HALF_PI_LOW = 1.57079632679489655800e00, 6.12323399573676603587e-17
QUARTER_PI = 7.85398163397448278999e-01

LIMITS = (7 / 16, 11 / 16, 19 / 16, 39 / 16)
"""Where the point c changes from which the arc tangent is computed: 0, 1/2, 1, 3/2, inf."""

POINTS = (0.0, 0.5, 1.0, 1.5)
ARCS = (0.0, 4.63647609000806093515e-01, QUARTER_PI, 9.82793723247329054082e-01, HALF_PI)
ARCS_LOW = (
    0.0,
    2.26987774529616870924e-17,
    3.06161699786838301793e-17,
    1.39033110312309984516e-17,
    HALF_PI_LOW,
)
ARC_TANGENT = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
HUGE = 1e300  # the arc tangent is π/2 long before

ARC_SINE_P = (
    1.66666666666666657415e-01,
    -3.25565818622400915405e-01,
    2.01212532134862925881e-01,
    -4.00555345006794114027e-02,
    7.91534994289814532176e-04,
    3.47933107596021167570e-05,
)
ARC_SINE_Q = (
    1.0,
    -2.40339491173441421878e00,
    2.02094576023350569471e00,
    -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
)


def arc_tangent(w: Any, t: Any) -> Any:
    """atan t of an f64 that is not negative: atan c + atan x with x = (t - c) / (1 + c·t), or -1/t for c = inf."""
    t = w.select(w.less(w.number(HUGE), t), w.number(HUGE), t)
    c = _by_limits(w, t, (*POINTS, 0.0))
    is_last = w.less(t, w.number(LIMITS[-1]))
    above = w.select(is_last, w.sub(t, c), w.number(-1.0))
    below = w.select(is_last, w.add(w.number(1.0), w.mul(c, t)), t)
    x = w.div(above, below)
    z = w.mul(x, x)
    rest = w.mul(x, w.mul(z, w.polynomial(z, ARC_TANGENT)))
    return w.sub(_by_limits(w, t, ARCS), w.sub(w.sub(rest, _by_limits(w, t, ARCS_LOW)), x))


def _by_limits(w: Any, t: Any, values: Sequence[float]) -> Any:
    """The value of the interval between LIMITS that t is in."""
    chosen = w.number(values[-1])
    for n in reversed(range(len(LIMITS))):
        chosen = w.select(w.less(t, w.number(LIMITS[n])), w.number(values[n]), chosen)
    return chosen


class ArcSine(NamedTuple):
    """What arc sine and arc cosine are made of. Up to |x| = 1/2, asin x = x + x·r; above, with s = sqrt((1 - |x|) / 2),
    asin |x| = π/2 - 2·(s + s·r)."""

    is_outer: Any  # |x| is above 1/2
    r: Any
    s: Any
    s_head: Any  # s without its lowest bits
    s_rest: Any  # what it is too small by


def arc_sine(w: Any, x: Any) -> ArcSine:
    """Its parts, of an f64."""
    one, half, a = w.number(1.0), w.number(0.5), w.absolute(x)
    is_outer = w.less(half, a)
    z = w.select(is_outer, w.mul(w.sub(one, a), half), w.mul(a, a))
    r = w.div(w.mul(z, w.polynomial(z, ARC_SINE_P)), w.polynomial(z, ARC_SINE_Q))
    s = w.sqrt(z)
    s_head = head(w, s, 32)
    total = w.add(s, s_head)
    total = w.select(w.equal(total, w.number(0.0)), one, total)
    return ArcSine(is_outer, r, s, s_head, w.div(w.sub(z, w.mul(s_head, s_head)), total))


def inside_or_nan(w: Any, x: Any, y: Any) -> Any:
    """y, or NaN if |x| is above 1 or x is NaN."""
    return w.select(w.greater(w.absolute(x), w.number(1.0)), w.number(float("nan")), w.select(w.unordered(x, x), x, y))
