"""What rounding takes from a sum, exactly."""


def error_of_sum(s, x, y, total):
    """x + y - total, where total is x + y rounded. Knuth, The Art of Computer Programming, 4.2.2."""
    b = s.sub(total, y)
    return s.add(s.sub(y, s.sub(total, b)), s.sub(x, b))
