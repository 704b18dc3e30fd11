"""Bounds how far rounding may take one operation's result from the interpreter's, element by element.

A value v of a run has a radius r: in another evaluation it is within r of v. A radius of 0 stands for the same bits,
inf for anything. With ε twice the unit roundoff and η the smallest subnormal, M = Σ|t| and n the number of terms t that
are not 0:

    sums and products    r = the same on radii + n·ε·M + n·η    two orders to add, each within γ_n·M of the exact sum
                                                                (Higham, Accuracy and Stability of Numerical Algorithms,
                                                                3.1); in blocks, n is the depth of the tree at most
    other element-wise   r = the largest change at the ends of the operands' intervals + a few ε·|v| + η

Roundings count only where the mode leaves the operation free or an operand has a radius: else the same steps are taken
on the same numbers. Infinities and NaNs have to agree, unless an operand is uncertain or M overflows.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from ..ir import OPS, DType, Growth, Linearity, Op, TensorType, np
from ..ir.rounding_growth import OPEN_BY_DEFAULT
from ..ir.types import Shape
from ..ops._reduction import BLOCK, Reduction

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Known:
    """A value of the interpreter, its radius (None is 0 everywhere), and the sum of its terms' magnitudes.

    That sum, `size`, is used in the mode fast alone, which may reorder across operations; None is |value|.
    """

    value: numpy.ndarray
    radius: numpy.ndarray | None = None
    size: numpy.ndarray | None = None

    @property
    def radii(self) -> numpy.ndarray:
        """The radius as an array."""
        return np.zeros(self.value.shape) if self.radius is None else self.radius

    @property
    def magnitude(self) -> numpy.ndarray:
        """`size` or |value|, with 0 where it is not finite."""
        size = np.abs(self.value.astype(np.float64)) if self.size is None else self.size
        return np.where(np.isfinite(size), size, 0.0)


def results_of(op: Op, values: Sequence[numpy.ndarray], operands: list[Known], mode: str) -> list[Known]:
    """What is known of the results of `op`, whose values are `values`.

    Of several results, each has the same bits if no operand is off and the mode leaves the operation alone; a float
    is anything otherwise, for how roundings spread to each is known of one result alone.
    """
    if len(values) == 1:
        return [result_of(op, values[0], operands, mode)]
    exact = all(x.radius is None for x in operands)
    return [Known(v) if exact and not _leaves_open(op, mode) else Known(v, np.full(v.shape, np.inf)) for v in values]


def result_of(op: Op, value: numpy.ndarray, operands: list[Known], mode: str) -> Known:
    """The radius of the result of `op`, whose value is `value`, from what is known of the operands."""
    free = _leaves_open(op, mode) and value.dtype.kind in "fV"
    if not free and all(x.radius is None for x in operands):
        return Known(value)
    size = None
    match op.rounding.growth:
        case Growth.MONOTONE:
            radius = _at_ends(op, value, operands, free, mode)
        case Growth.EXTREMES:
            radius = _extreme(op, value, operands)
        case Growth.BITS:
            radius = _anything_where_off(value, operands)
        case Growth.ELEMENTS:
            own = _at_ends(op, value, [Known(x.value) for x in operands], free, mode)
            radius = np.maximum(own, _anything_where_off(value, operands))
        case Growth.CHOICE:
            radius, size = _selected(value, operands)
        case Growth.WHOLE | Growth.UNKNOWN:
            radius = np.full(value.shape, np.inf)
        case _:
            radius, size = _of_terms(op, value, operands, free, mode)
    radius = np.where(np.isnan(radius), np.inf, radius)
    beyond = np.isfinite(value) & (radius > 0) & (np.abs(value.astype(np.float64)) + radius >= _largest(value))
    radius = np.where(beyond, np.inf, radius)
    if mode == "fast" and free:
        radius = np.where(np.isfinite(value), radius, np.inf)
    return Known(value, radius if radius.any() else None, size if mode == "fast" else None)


def _leaves_open(op: Op, mode: str) -> bool:
    """True if the numerics mode leaves open how the operation rounds floats. docs/semantics.md, Same bits."""
    growth = op.rounding.growth
    if mode == "fast":
        return bool(op.operand_names) and growth not in (Growth.MOVES, Growth.CHOICE, Growth.EXTREMES)
    return mode == "default" and (growth in OPEN_BY_DEFAULT or op.rounding.ulps > 0)


def _largest(value: numpy.ndarray) -> float:
    if value.dtype.kind == "b":
        return np.inf
    return float(DType.of(value.dtype).finfo.max if value.dtype.kind in "fV" else np.iinfo(value.dtype).max)


def _epsilon(value: numpy.ndarray, mode: str) -> tuple[float, float]:
    """ε and η: η is the smallest subnormal, or the smallest normal where subnormals may be flushed to 0."""
    if value.dtype.kind not in "fV":
        return 0.0, 0.0
    about = DType.of(value.dtype).finfo
    return float(about.eps), float(about.tiny if mode == "fast" else about.smallest_subnormal)


# Sums of terms


def _of_terms(
    op: Op, value: numpy.ndarray, operands: list[Known], free: bool, mode: str
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The radius, and Σ|t|."""
    form = _without_signs(op)
    if any(op.names_positions(n) and x.radius is not None for n, x in enumerate(operands)):
        return np.full(value.shape, np.inf), np.zeros(value.shape)
    sizes = [x.magnitude for x in operands]
    radii = [np.where(np.isinf(x.radii), 0.0, x.radii) for x in operands]
    size = _evaluate(form, operands, sizes)
    moved = _differences(form, operands, sizes, radii)
    count = _evaluate(_counting(form), operands, [(x.value != 0).astype(np.float64) for x in operands])
    epsilon, smallest = _epsilon(value, mode)
    roundings = _roundings(op, operands, count, moved > 0, free, mode)
    radius = (moved + roundings * (epsilon * (size + moved) + smallest)) * 1.01  # 1.01: of second order
    overflows = (roundings > 0) & (size * 1.01 + radius >= _largest(value))
    radius = np.where(overflows | _uncertain(form, value, operands), np.inf, radius)
    return np.where(np.isfinite(value) | np.isinf(radius), radius, 0.0), size


def _without_signs(op: Op) -> Op:
    """The operation with the magnitudes of its coefficients."""
    return OPS[op.rounding.unsigned]() if op.rounding.unsigned else op


def _counting(op: Op) -> Op:
    """The operation that gives the number of terms if given ones; not Mean, which would divide."""
    return OPS["Sum"](op.axes, op.keepdims) if isinstance(op, Reduction) else op  # type: ignore[call-arg]


def _evaluate(op: Op, operands: list[Known], data: list[Any]) -> numpy.ndarray:
    """`op` on f64 arrays; what names positions is taken from the operands."""
    given = [x.value if op.names_positions(n) else a for n, (x, a) in enumerate(zip(operands, data, strict=True))]
    return np.asarray(op.evaluate(*given), np.float64)


def _differences(op: Op, operands: list[Known], sizes: list[Any], radii: list[Any]) -> numpy.ndarray:
    """How far the exact result may change if every operand changes by its radius."""
    if len(operands) == 2 and _is_product(op):
        (x, y), (rx, ry) = sizes, radii  # (x ± rx)(y ± ry) - x·y
        change: numpy.ndarray = _evaluate(op, operands, [x, ry]) + _evaluate(op, operands, [rx, y + ry])
        return change
    return _evaluate(op, operands, radii)


def _is_product(op: Op) -> bool:
    return op.linearity is Linearity.EACH


def _uncertain(op: Op, value: numpy.ndarray, operands: list[Known]) -> numpy.ndarray:
    """True where an operand may be anything, or where an infinity is multiplied by what may be 0 or of either sign."""
    unknown = [np.isinf(x.radii).astype(np.float64) for x in operands]
    if not _is_product(op):
        return _evaluate(op, operands, unknown) > 0
    special = [(~np.isfinite(x.value)).astype(np.float64) for x in operands]
    signless = [((x.radii > 0) & (x.radii >= x.magnitude)).astype(np.float64) for x in operands]
    ones = [np.ones(x.value.shape) for x in operands]
    pairs = [(unknown[0], ones[1]), (ones[0], unknown[1]), (special[0], signless[1]), (signless[0], special[1])]
    found = np.zeros(value.shape, bool)
    for pair in pairs:
        if all(a.any() for a in pair):
            found |= _evaluate(op, operands, list(pair)) > 0
    return found


def _roundings(
    op: Op, operands: list[Known], count: numpy.ndarray, moves: numpy.ndarray, free: bool, mode: str
) -> numpy.ndarray:
    """The error of all roundings, as a multiple of ε times the sum of magnitudes."""
    growth = op.rounding.growth
    if growth is Growth.MOVES or op.rounding.exact:
        return np.zeros(count.shape)
    own = count if growth is Growth.PRODUCTS else count - 1
    if isinstance(op, Reduction):
        own = np.minimum(own, _depth(op, operands[0].value.shape))
    own = own + op.rounding.after * (own > 0)
    own = np.where(count > 1, own, 0)  # one term has only one order
    if not free:
        own = np.zeros(count.shape)
    elif mode == "fast":
        own = np.where(count > 0, own + 4, 0)
    return np.maximum(own, np.where(moves, np.maximum(count, 1), 0))


def _depth(op: Reduction, shape: Shape) -> int:
    """The most additions that a term goes through, axis by axis or along all axes at once."""
    extents = [shape[axis] for axis in op.reduced(TensorType(DType.F64, shape))]
    return max(sum(_depth_of(n) for n in extents), _depth_of(prod(extents)))


def _depth_of(n: int) -> int:
    """The depth for one axis in blocks of 128, and blocks of their sums, as ops/_reduction.py says."""
    return min(n, BLOCK) + (_depth_of(-(-n // BLOCK)) if n > BLOCK else 0)


# Element-wise


def _at_ends(op: Op, value: numpy.ndarray, operands: list[Known], free: bool, mode: str) -> numpy.ndarray:
    """The radius of a function that is monotone between poles."""
    wide = [x.value.astype(np.float64) if x.value.dtype.kind in "fV" else x.value for x in operands]
    centre = np.asarray(op.evaluate(*wide), np.float64)
    radius = np.zeros(value.shape)
    for signs in itertools.product((-1, 1), repeat=len(operands)):
        ends = [a if x.radius is None else a + s * x.radius for s, a, x in zip(signs, wide, operands)]
        there = np.asarray(op.evaluate(*ends), np.float64)
        same = (there == centre) | (np.isnan(there) & np.isnan(centre))
        radius = np.maximum(radius, np.where(same, 0.0, np.abs(there - centre)))  # NaN stays NaN
    for known in operands:
        if known.radius is not None:  # an infinite radius allows anything, and NaN ± inf has hidden it
            radius = np.where(np.isinf(known.radius), np.inf, radius)
    divisor = operands[-1]
    if op.rounding.pole and divisor.radius is not None:
        pole = (divisor.radius > 0) & (np.abs(wide[-1]) <= divisor.radius)
        radius = np.where(pole, np.inf, radius)
    if value.dtype.kind not in "fV":
        return np.where((radius > 0) & (not op.rounding.compares), np.inf, radius)
    epsilon, smallest = _epsilon(value, mode)
    rounding = epsilon * np.abs(centre) + smallest
    own = 0
    if free and not op.rounding.exact:
        own = (op.rounding.ulps or 4) + 4 * (mode == "fast")
    x = wide[0]
    exact = (radius == 0) & (~np.isfinite(x) | (x == 0) | (value == 0) & op.rounding.exact_zero)
    times = np.where(exact & (mode != "fast"), 0, np.maximum(own, 4 * (radius > 0)))
    if mode == "fast" and value.dtype == np.float32:
        radius = radius + op.rounding.fast_f32 * epsilon
    return np.where(np.isfinite(value), radius + times * rounding, radius)


def _extreme(op: Op, value: numpy.ndarray, operands: list[Known]) -> numpy.ndarray:
    """The radius of the largest, or the smallest, of some elements: it is monotone in each of them."""
    radius = np.zeros(value.shape)
    for sign in (-1, 1):
        ends = [
            np.where(np.isinf(x.radii), sign * np.inf, x.value.astype(np.float64) + sign * x.radii) for x in operands
        ]
        there = np.asarray(op.evaluate(*ends), np.float64)
        same = (there == value) | (np.isnan(there) & np.isnan(value))
        radius = np.maximum(radius, np.where(same, 0.0, np.abs(there - value)))
    return radius


def _anything_where_off(value: numpy.ndarray, operands: list[Known]) -> numpy.ndarray:
    off = np.broadcast_to(sum([x.radii for x in operands]), value.shape) > 0
    return np.where(off, 1.0 if value.dtype.kind == "b" else np.inf, 0.0)


def _selected(value: numpy.ndarray, operands: list[Known]) -> tuple[numpy.ndarray, numpy.ndarray]:
    condition, *branches = operands
    radius = np.where(condition.value != 0, *[x.radii for x in branches])
    size = np.where(condition.value != 0, *[x.magnitude for x in branches])
    return np.where(condition.radii > 0, np.inf, radius), np.broadcast_to(size, value.shape)
