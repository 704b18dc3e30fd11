"""Where the largest element is along an axis. Core v1 has none; docs/semantics.md, Extremes."""

from ..ir import op
from ..ir.attributes import Count, Flag
from ._arg_extremes import ArgExtreme


@op
class ArgMax(ArgExtreme):
    """The position of the first largest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal.

    The axis stays as an extent of 1 with `keepdims`.
    """

    axis: Count
    keepdims: Flag

    kind = "max"
