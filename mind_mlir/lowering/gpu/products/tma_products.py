"""Products of TF32 whose tiles the tensor memory accelerator brings: both operands with their terms as neighbours.

`tiled_products.py` has what the loops of a product are, and the other ways to feed tensor cores: threads bring what
cannot be copied by tiles, which are windows of convolutions, and lines that do not begin at multiples of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....ir import DType
from ...kernels.nest import Nest
from ...targets.chips import Chip
from ..mapped_views import TERMS
from ..thread_code import GpuCode
from . import product_problem
from .product_problem import Product, Roles, roles
from .tensor_maps import view_of
from .tiled_products import count_tiles, wastes
from .tma_record import Record
from .tma_tiles import TmaTiles

RECORDS = (
    Record(rows=128, columns=256, stages=4, cluster=2),
    Record(rows=128, columns=128, stages=6, cluster=2),
)
"""Large tiles first.  Two warp groups of 64 x 256 sums take half of the registers, and rings are of 192 KiB."""

_BOX = 256
"""The most lines of a tile that is copied."""

_MOST_BLOCKS = 8
"""Of a cluster, on every device that has clusters."""


def match(nests: Sequence[Nest]) -> Product | None:
    """A product without windows."""
    product = product_problem.match(nests)
    return None if product is None or product.windows else product


def choose(product: Product, chip: Chip, numerics: str) -> Record | None:
    """The first tile of which there are enough to fill the chip, in clusters where rows of tiles come in pairs."""
    if numerics == "strict" or not chip.tf32 or 0 in product.problem.nest.extents:
        return None
    r = roles(product.problem)
    for record in RECORDS:
        if -(-r.rows.size // record.rows) % record.cluster:
            record = replace(record, cluster=1)
        is_filled = count_tiles(r, record.rows, record.columns) >= chip.multiprocessors
        is_wasted = wastes(r.rows.size, record.rows) or wastes(r.columns.size, record.columns)
        if is_filled and not is_wasted and fault(product, record, record, chip) is None:
            return record
    return None


def fault(product: Product, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
    """What keeps a record from being used."""
    r = roles(product.problem)
    if product.problem.dtype is not DType.F32 or not chip.warpgroups:
        return "kind", f"tma_product multiplies f32 as TF32, on chips with wgmma, which {chip.name} has not"
    if not _is_copied(product, r):
        return "kind", "tma_product takes operands whose terms are neighbours, in lines from multiples of 16 bytes on"
    if record.rows < 64 or record.rows % 64 or record.rows > _BOX:
        return "rows", f"rows is a multiple of 64 up to {_BOX}, found {record.rows}"
    if record.columns < 8 or record.columns % 8 or record.columns > 256:
        return "columns", f"columns is a multiple of 8 up to 256, found {record.columns}"
    if not 1 <= record.cluster <= _MOST_BLOCKS or -(-r.rows.size // record.rows) % record.cluster:
        tiles = -(-r.rows.size // record.rows)
        return (
            "cluster",
            f"a cluster has 1 to {_MOST_BLOCKS} blocks, which share {tiles} evenly, found {record.cluster}",
        )
    if record.columns % (8 * record.cluster):
        return "cluster", f"each block of a cluster brings lines in eights, found {record.columns} for {record.cluster}"
    if record.stages < 2 or shared_bytes(record) > chip.shared:
        most = f"2 stages and {chip.shared} bytes of shared memory"
        return "stages", f"a block has {most}, found {record.stages}, which take {shared_bytes(record)}"
    return None


def shared_bytes(record: Record) -> int:
    """Shared memory of a block: the tiles, and two mbarriers for each stage before them."""
    return record.stages * (record.rows + record.columns) * TERMS * 4 + 1024


def _is_copied(product: Product, r: Roles) -> bool:
    x, y = product.problem.nest.inputs[:2]
    return view_of(x, r.rows, r) is not None and view_of(y, r.columns, r) is not None


def emit(code: GpuCode, product: Product, record: Record) -> None:
    """Write what one thread does."""
    TmaTiles(code, product, record, roles(product.problem)).write()
