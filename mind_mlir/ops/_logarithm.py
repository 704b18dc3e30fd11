"""Steps of functions that have ln x in them: fdlibm's e_log, in its branch-free form."""

from math import inf, nan

from ._pairs import error_of_sum

LN2_HI = 6.93147180369123816490e-01
LN2_LO = 1.90821492927058770002e-10
EVEN = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)
ODD = (6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01)
SMALLEST_NORMAL = 2.2250738585072014e-308
SCALE = 18014398509481984.0  # 2^54: makes subnormals normal
SQRT_HALF_BITS = 0x3FE6A09E00000000  # the upper half of sqrt(2)/2, as bits
ONE_BITS = 0x3FF0000000000000
MANTISSA = 0x000FFFFFFFFFFFFF
UPPER = -0x100000000  # the upper half of the bits
LN2 = 6.93147180559945286227e-01
LARGE = 2.0**54  # from here on ln(1 + x) is ln x, and ln(x + √(x² ± 1)) is ln x + ln 2

F32_LN2 = float.fromhex("0x1.62e430p-1")
F64_LN2_HI = float.fromhex("0x1.62e42fefa3800p-1")  # n times it is exact
F64_LN2_LO = float.fromhex("0x1.ef35793c76730p-45")


def logarithm(w, x):
    """ln x of an f64, below 1 ulp off."""
    n, f = split(w, x)
    y = summed(w, n, f, w.mul(n, w.number(LN2_LO)))
    return special_values(w, x, y)


def split(w, x):
    """n and f with x = 2^n · (1 + f), n integral and 1 + f in [√2/2, √2), for an f64 above 0."""
    i = w.integers
    tiny = w.less(x, w.number(SMALLEST_NORMAL))
    normal = w.select(tiny, w.mul(x, w.number(SCALE)), x)
    bits = i.add(w.to_bits(normal), i.number(ONE_BITS - SQRT_HALF_BITS))
    exponent = i.sub(i.shift_right(bits, 52), i.number(1023))
    n = w.from_integer(i.sub(exponent, i.select(tiny, i.number(54), i.number(0))))
    mantissa = i.add(i.bit_and(bits, i.number(MANTISSA)), i.number(SQRT_HALF_BITS))
    return n, w.sub(w.from_bits(mantissa), w.number(1.0))


def summed(w, n, f, low):
    """n·LN2_HI + ln(1 + f) + low, where low is small."""
    q = w.div(f, w.add(w.number(2.0), f))
    z = w.mul(q, q)
    v = w.mul(z, z)
    t1 = w.mul(v, w.polynomial(v, EVEN))
    t2 = w.mul(z, w.polynomial(v, ODD))
    half = w.mul(w.mul(w.number(0.5), f), f)
    y = w.add(w.mul(q, w.add(half, w.add(t2, t1))), low)
    return w.add(w.add(w.sub(y, half), f), w.mul(n, w.number(LN2_HI)))


def logarithm_of_one_more(w, x):
    """ln(1 + x) of an f64, below 1 ulp off; it has the sign of x.

    With u = 1 + x rounded and its error c, ln(1 + x) = ln u + c/u: fdlibm's s_log1p.
    """
    u = w.add(x, w.number(1.0))
    n, f = split(w, u)
    c = w.div(error_of_sum(w, x, w.number(1.0), u), u)
    near = w.equal(n, w.number(0.0))  # then f is x itself
    f, c = w.select(near, x, f), w.select(near, w.number(0.0), c)
    y = summed(w, n, f, w.add(w.mul(n, w.number(LN2_LO)), c))
    y = w.select(w.less(u, w.number(inf)), y, u)
    y = w.select(w.equal(u, w.number(0.0)), w.number(-inf), y)
    y = w.select(w.less(u, w.number(0.0)), w.number(nan), y)
    return w.copy_sign(y, x)


def logarithm_to_base(w, x, inverse, of_two):
    """The logarithm of an f64 to a base, by 1 / ln base and the base's logarithm of 2, both in two parts.

    The first part of ln(1 + f) has 21 bits, so that its product with the first part of 1 / ln base is exact.
    """
    i = w.integers
    n, f = split(w, x)
    q = w.div(f, w.add(w.number(2.0), f))
    z = w.mul(q, q)
    v = w.mul(z, z)
    half = w.mul(w.mul(w.number(0.5), f), f)
    r = w.mul(q, w.add(half, w.add(w.mul(z, w.polynomial(v, ODD)), w.mul(v, w.polynomial(v, EVEN)))))
    high = w.from_bits(i.bit_and(w.to_bits(w.sub(f, half)), i.number(UPPER)))
    low = w.add(w.sub(w.sub(f, high), half), r)
    product = w.mul(high, w.number(inverse[0]))
    rest = w.add(w.mul(w.add(low, high), w.number(inverse[1])), w.mul(low, w.number(inverse[0])))
    rest = w.add(w.mul(n, w.number(of_two[1])), rest)
    whole = w.mul(n, w.number(of_two[0]))
    y = w.add(whole, product)
    y = w.add(w.add(rest, w.add(w.sub(whole, y), product)), y)
    return special_values(w, x, y)


def special_values(w, x, y):
    """The logarithm `y` of x, but at 0, below, and for inf and NaN."""
    y = w.select(w.equal(x, w.number(0.0)), w.number(-inf), y)
    y = w.select(w.less(x, w.number(0.0)), w.number(nan), y)
    y = w.select(w.equal(x, w.number(inf)), x, y)
    return w.select(w.unordered(x, x), x, y)
