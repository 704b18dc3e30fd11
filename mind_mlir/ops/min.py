"""The smallest along axes. Core v1 has none; docs/semantics.md, Extremes."""

from ..ir import op
from ..ir.attributes import Axes, Flag
from ._extremes import ExtremeAlong


@op
class Min(ExtremeAlong):
    """The smallest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0.

    Over nothing inf, or the largest integer.
    """

    axes: Axes
    keepdims: Flag

    kind = "min"
