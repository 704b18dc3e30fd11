"""Division, an extension: Core v1 has none. Spec: Core IR, Binary operations; docs/semantics.md, Div."""

from ..ir import Growth, Linearity, Rounding, np, op
from ._elementwise import Binary
from ._rules import unbroadcast


@op
class Div(Binary):
    """`lhs / rhs`, element by element, broadcasting.

    Integers truncate toward zero; x / 0 has all bits set, and the smallest integer divided by -1 is itself.
    """

    linearity = Linearity.NONLINEAR
    core_v1 = False
    core_v1_gradient = False
    rounding = Rounding(Growth.MONOTONE, pole=True)

    def evaluate(self, lhs, rhs):
        if lhs.dtype.kind == "f":
            return np.divide(lhs, rhs)
        lhs, rhs = np.broadcast_arrays(lhs, rhs)
        smallest = np.iinfo(lhs.dtype).min
        plain = (rhs != 0) & ~((lhs == smallest) & (rhs == -1))
        safe = np.where(plain, rhs, 1).astype(lhs.dtype)
        # NumPy's // rounds down; it is one too small where signs differ and something is left over
        down = lhs // safe
        truncated = down + ((down < 0) & (down * safe != lhs)).astype(lhs.dtype)
        return np.where(rhs == 0, np.invert(np.zeros((), lhs.dtype)), truncated)

    def jvp(self, b, primals, tangents, result):
        # y = x₁ / x₂  ->  ẏ = ẋ₁ / x₂ - y ⊙ ẋ₂ / x₂
        lhs, rhs = tangents
        _, divisor = primals
        first = None if lhs is None else lhs / divisor
        if rhs is None:
            return first
        second = result * rhs / divisor
        return -second if first is None else first - second

    def linear_in(self, operands):
        return operands == {0}

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ / x₂, linear in x₁  ->  x̄₁ += ȳ / x₂
        assert wrt == 0, "Div is linear in its first operand only"
        return unbroadcast(b, ct / operands[1], operands[0].type)

    def smooth_at(self, lhs, rhs):
        return rhs.dtype.kind != "f" or bool((np.abs(rhs) > 0.4).all())

    def lower(self, e, result, lhs, rhs):
        return e.linalg.map(_divide, (lhs, rhs), result)


def _divide(s, x, y):
    if s.is_float:
        return s.div(x, y)
    zero, minus_one = s.number(0), s.number(-1)
    by_zero = s.equal(y, zero)
    overflow = s.both(s.equal(x, s.number(s.smallest)), s.equal(y, minus_one))
    # arith.divsi has no defined result for these two; dividing by 1 gives x itself, right for the overflow
    safe = s.select(s.either(by_zero, overflow), s.number(1), y)
    return s.select(by_zero, minus_one, s.div(x, safe))
