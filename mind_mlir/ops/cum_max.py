"""Cumulative maximum along an axis. Core v1 has none; docs/semantics.md, Cumulative operations."""

from ..ir import op
from ..ir.attributes import Count, Flag
from ._cumulative import CumExtreme


@op
class CumMax(CumExtreme):
    """The largest of each element and all before it along `axis`, or all after it with `reverse`.

    NaN wins, and -0 is below +0.
    """

    axis: Count
    reverse: Flag

    kind = "max"
