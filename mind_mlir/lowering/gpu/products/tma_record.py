"""The record of a product whose tiles the tensor memory accelerator brings."""

from __future__ import annotations

from dataclasses import dataclass

from ..mapped_views import TERMS
from . import product_record


@dataclass(frozen=True)
class Record:
    """A block's tile of sums, the steps of 32 terms in shared memory at a time, and the blocks of a cluster.

    64 rows are a warp group's.  The blocks of a cluster have tiles below each other, and share the tile of columns.
    """

    rows: int
    columns: int
    stages: int
    cluster: int

    @property
    def tiles(self) -> product_record.Record:
        """The same for the warp groups that multiply."""
        return product_record.Record(self.rows, self.columns, TERMS, 64, self.columns, self.stages, "wgmma")
