"""What Erf and Erfc share: their values by steps of formulas, those of fdlibm's s_erf, whose coefficients these are.

Up to 0.84375 erf x = x + x·R(x²); up to 1.25 it is ONE + R(x - 1), with ONE near erf 1; above, erfc x = e^t / x with
t = -x² - 0.5625 + R(1/x²).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._exponential import power_of_sum, scaled_by_power
from ._pairs import head, quick_sum

NEAR, MIDDLE = 0.84375, 1.25
ONE = 8.45062911510467529297e-01
FAR = 1 / 0.35  # from here on R has other coefficients
END = 28.0  # erfc is 0

NEAR_P = (
    1.28379167095512558561e-01,
    -3.25042107247001499370e-01,
    -2.84817495755985104766e-02,
    -5.77027029648944159157e-03,
    -2.37630166566501626084e-05,
)
NEAR_Q = (
    1.0,
    3.97917223959155352819e-01,
    6.50222499887672944485e-02,
    5.08130628187576562776e-03,
    1.32494738004321644526e-04,
    -3.96022827877536812320e-06,
)
MIDDLE_P = (
    -2.36211856075265944077e-03,
    4.14856118683748331666e-01,
    -3.72207876035701323847e-01,
    3.18346619901161753674e-01,
    -1.10894694282396677476e-01,
    3.54783043256182359371e-02,
    -2.16637559486879084300e-03,
)
MIDDLE_Q = (
    1.0,
    1.06420880400844228286e-01,
    5.40397917702171048937e-01,
    7.18286544141962662868e-02,
    1.26171219808761642112e-01,
    1.36370839120290507362e-02,
    1.19844998467991074170e-02,
)
TAIL_P = (
    -9.86494403484714822705e-03,
    -6.93858572707181764372e-01,
    -1.05586262253232909814e01,
    -6.23753324503260060396e01,
    -1.62396669462573470355e02,
    -1.84605092906711035994e02,
    -8.12874355063065934246e01,
    -9.81432934416914548592e00,
)
TAIL_Q = (
    1.0,
    1.96512716674392571292e01,
    1.37657754143519042600e02,
    4.34565877475229228821e02,
    6.45387271733267880336e02,
    4.29008140027567833386e02,
    1.08635005541779435134e02,
    6.57024977031928170135e00,
    -6.04244152148580987438e-02,
)
FAR_P = (
    -9.86494292470009928597e-03,
    -7.99283237680523006574e-01,
    -1.77579549177547519889e01,
    -1.60636384855821916062e02,
    -6.37566443368389627722e02,
    -1.02509513161107724954e03,
    -4.83519191608651397019e02,
)
FAR_Q = (
    1.0,
    3.03380607434824582924e01,
    3.25792512996573918826e02,
    1.53672958608443695994e03,
    3.19985821950859553908e03,
    2.55305040643316442583e03,
    4.74528541206955367215e02,
    -2.24409524465858183362e01,
)


class Parts(NamedTuple):
    """What the function is made of, of which one is right for each x."""

    near: Any  # erf x - x, for |x| below NEAR
    middle: Any  # erf |x| - ONE, for |x| between NEAR and MIDDLE
    tail: Any  # erfc |x|, for |x| above MIDDLE


def parts(w: Any, x: Any) -> Parts:
    """All of them, of an f64."""
    a = w.absolute(x)
    near = w.mul(x, _quotient(w, w.mul(a, a), NEAR_P, NEAR_Q))
    middle = _quotient(w, w.sub(a, w.number(1.0)), MIDDLE_P, MIDDLE_Q)
    return Parts(near, middle, _tail(w, w.clamped(a, 1.0, END)))


def _quotient(w: Any, x: Any, above: tuple[float, ...], below: tuple[float, ...]) -> Any:
    return w.div(w.polynomial(x, above), w.polynomial(x, below))


def _tail(w: Any, a: Any) -> Any:
    v = w.div(w.number(1.0), w.mul(a, a))
    is_far = w.less(w.number(FAR), a)
    r = w.select(is_far, _quotient(w, v, FAR_P, FAR_Q), _quotient(w, v, TAIL_P, TAIL_Q))
    # a² = h² - (h - a)·(h + a), where h has so few bits that its square is exact
    h = head(w, a, 32)
    square = w.sub(w.negative(w.mul(h, h)), w.number(0.5625))
    t, low = quick_sum(w, square, w.add(w.mul(w.sub(h, a), w.add(h, a)), r))
    y, k = power_of_sum(w, t, low)
    return scaled_by_power(w, w.div(y, a), k)
