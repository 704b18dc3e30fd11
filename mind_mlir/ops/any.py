"""Whether any truth values along axes are true. Core v1 has none; docs/semantics.md, Extremes."""

from ..ir import op
from ..ir.attributes import Axes, Flag
from ._quantifiers import Quantifier


@op
class Any(Quantifier):
    """True if any element of `input` along `axes` is true; empty `axes` take all, to a scalar. False over nothing."""

    axes: Axes
    keepdims: Flag

    kind = "max"
