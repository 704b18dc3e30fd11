"""Inverse error function. Not in the specification; docs/semantics.md, Error functions.

With p = |x| and q = 1 - p: up to p = 1/2 the value is p · (p + 10) · (Y + R(p)), up to q = 1/4 it is
sqrt(-2 ln q) / (Y + R(q - 1/4)), and above s · (Y + R(s - S)) with s = sqrt(-ln q), from two intervals. R are rational,
with coefficients of J. Maddock (Boost.Math, erf_inv). Y have few bits, and the roots come with what they are too small
by, which keeps the error below 2 ulp.
"""

import math

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._formula import Formula
from ._logarithm_pair import LN2, LN2_HIGH, LN2_LOW, log2_pair
from ._pairs import head, product, quick_sum

INNER_Y = 0.0891314744949340820313
INNER_P = (
    -0.000508781949658280665617,
    -0.00836874819741736770379,
    0.0334806625409744615033,
    -0.0126926147662974029034,
    -0.0365637971411762664006,
    0.0219878681111168899165,
    0.00822687874676915743155,
    -0.00538772965071242932965,
)
INNER_Q = (
    1.0,
    -0.970005043303290640362,
    -1.56574558234175846809,
    1.56221558398423026363,
    0.662328840472002992063,
    -0.71228902341542847553,
    -0.0527396382340099713954,
    0.0795283687341571680018,
    -0.00233393759374190016776,
    0.000886216390456424707504,
)
OUTER_Y = 2.249481201171875
OUTER_P = (
    -0.202433508355938759655,
    0.105264680699391713268,
    8.37050328343119927838,
    17.6447298408374015486,
    -18.8510648058714251895,
    -44.6382324441786960818,
    17.445385985570866523,
    21.1294655448340526258,
    -3.67192254707729348546,
)
OUTER_Q = (
    1.0,
    6.24264124854247537712,
    3.9713437953343869095,
    -28.6608180499800029974,
    -20.1432634680485188801,
    48.5609213108739935468,
    10.8268667355460159008,
    -22.6436933413139721736,
    1.72114765761200282724,
)
TAIL_START, TAIL_Y = 1.125, 0.807220458984375
TAIL_P = (
    -0.131102781679951906451,
    -0.163794047193317060787,
    0.117030156341995252019,
    0.387079738972604337464,
    0.337785538912035898924,
    0.142869534408157156766,
    0.0290157910005329060432,
    0.00214558995388805277169,
    -0.679465575181126350155e-6,
    0.285225331782217055858e-7,
    -0.681149956853776992068e-9,
)
TAIL_Q = (
    1.0,
    3.46625407242567245975,
    5.38168345707006855425,
    4.77846592945843778382,
    2.59301921623620271374,
    0.848854343457902036425,
    0.152264338295331783612,
    0.01105924229346489121,
)
END_START, END_Y = 3.0, 0.93995571136474609375
END_P = (
    -0.0350353787183177984712,
    -0.00222426529213447927281,
    0.0185573306514231072324,
    0.00950804701325919603619,
    0.00187123492819559223345,
    0.000157544617424960554631,
    0.460469890584317994083e-5,
    -0.230404776911882601748e-9,
    0.266339227425782031962e-11,
)
END_Q = (
    1.0,
    1.3653349817554063097,
    0.762059164553623404043,
    0.220091105764131249824,
    0.0341589143670947727934,
    0.00263861676657015992959,
    0.764675292302794483503e-4,
)


@op
class ErfInv(Formula):
    """The number whose error function is the input. ±inf at ±1, NaN outside; zeros keep their sign."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.scipy.special.erfinv"
    apart = True
    python_function = PythonFunction(
        "erf_inv",
        """The number whose error function is x: NaN outside of [-1, 1].

        >>> mind.erf_inv(np.float32([0, 0.5, 1]))
        array([0.        , 0.47693628,        inf], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        one, p = w.number(1.0), w.absolute(x)
        is_inside = w.less(p, one)
        q = w.select(is_inside, w.sub(one, p), one)
        y = w.select(w.less(p, w.number(0.5)), _inner(w, p), _outer(w, q))
        y = w.select(w.equal(p, one), w.number(float("inf")), w.select(is_inside, y, w.number(float("nan"))))
        return s.from_f64(w.copy_sign(y, x))

    def jvp(self, b, primals, tangents, result):
        # y = erf⁻¹ x  ->  ẏ = ẋ ⊙ √π/2 · e^(y²)
        return tangents[0] * (b.Exp(result * result) * (math.sqrt(math.pi) / 2))

    def smooth_at(self, input):
        return bool((np.abs(input) < 0.8).all())


def _rational(w, x, above, below):
    return w.div(w.polynomial(x, above), w.polynomial(x, below))


def _inner(w, p):
    """p · (10·Y + p·Y + (p + 10)·R), of which p · 10·Y is most."""
    rest = w.mul(w.add(p, w.number(10.0)), _rational(w, p, INNER_P, INNER_Q))
    rest = w.add(w.mul(p, w.number(INNER_Y)), rest)
    return w.add(w.mul(p, w.number(10 * INNER_Y)), w.mul(p, rest))


def _outer(w, q):
    is_tail = w.less(q, w.number(0.25))
    root, low = _root_of_logarithm(w, q, w.select(is_tail, w.number(1.0), w.number(2.0)))
    near = _near(w, q, root, low)
    tail = _tail(w, root, low, TAIL_START, TAIL_Y, TAIL_P, TAIL_Q)
    end = _tail(w, root, low, END_START, END_Y, END_P, END_Q)
    return w.select(is_tail, w.select(w.less(root, w.number(END_START)), tail, end), near)


def _root_of_logarithm(w, q, factor):
    """sqrt(-factor · ln q), and what it is too small by."""
    high, low = log2_pair(w, q)
    square = w.mul(high, w.number(-LN2_HIGH))
    rest = w.sub(w.mul(high, w.number(-LN2_LOW)), w.mul(low, w.number(LN2)))
    square, rest = quick_sum(w, w.mul(square, factor), w.mul(rest, factor))
    root = w.sqrt(square)
    p, p_low = product(w, root, root)
    rest = w.add(w.sub(w.sub(square, p), p_low), rest)
    return root, w.div(rest, w.add(root, root))


def _near(w, q, root, low):
    """(root + low) / (Y + R), the quotient corrected by what it leaves."""
    r = _rational(w, w.sub(q, w.number(0.25)), OUTER_P, OUTER_Q)
    below = w.add(w.number(OUTER_Y), r)
    below_low = w.sub(r, w.sub(below, w.number(OUTER_Y)))
    y = w.div(root, below)
    p, p_low = product(w, y, below)
    left = w.add(w.sub(w.sub(root, p), p_low), w.sub(low, w.mul(y, below_low)))
    return w.add(y, w.div(left, below))


def _tail(w, root, low, start, y, above, below):
    """(root + low) · (Y + R), of which the product of two numbers of few bits is most."""
    r = _rational(w, w.sub(root, w.number(start)), above, below)
    first = head(w, root, 27)
    rest = w.mul(w.number(y), w.add(w.sub(root, first), low))
    return w.add(w.mul(w.number(y), first), w.add(rest, w.mul(r, root)))
