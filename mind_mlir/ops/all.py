"""Whether all truth values along axes are true. Core v1 has none; docs/semantics.md, Extremes."""

from ..ir import op
from ..ir.attributes import Axes, Flag
from ._quantifiers import Quantifier


@op
class All(Quantifier):
    """True if all elements of `input` along `axes` are true; empty `axes` take all, to a scalar. True over nothing."""

    axes: Axes
    keepdims: Flag

    kind = "min"
