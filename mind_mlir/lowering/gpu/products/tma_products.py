"""Products of TF32 whose tiles the tensor memory accelerator brings: both operands with their terms as neighbours.

`tiled_products.py` has what the loops of a product are, and the other ways to feed tensor cores: threads bring what
cannot be copied by tiles, which are windows of convolutions, and lines that do not begin at multiples of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...kernels.nest import Nest
from ...rules import gpu_tma_rules
from ...rules.choice import Choice
from ...rules.gpu_product_rules import GpuProduct
from ...rules.gpu_tma_rules import TmaRecord, choose_tma
from ...targets.chips import Chip
from ..thread_code import GpuCode
from . import product_problem
from .product_problem import Product, roles
from .tensor_maps import view_of
from .tiled_products import plain
from .tma_tiles import TmaTiles


def match(nests: Sequence[Nest]) -> Product | None:
    """A product without windows."""
    product = product_problem.match(nests)
    return None if product is None or product.windows else product


def choose(product: Product, chip: Chip, numerics: str) -> Choice[TmaRecord]:
    """The record for a product."""
    return choose_tma(_plain(product), chip, numerics)


def fault(product: Product, record: TmaRecord, chosen: TmaRecord, chip: Chip) -> tuple[str, str] | None:
    """The field of a record that cannot be used, and why; None if all can."""
    return gpu_tma_rules.fault(_plain(product), record, chip)


def _plain(product: Product) -> GpuProduct:
    """What the rules see of a product."""
    r, (x, y) = roles(product.problem), product.problem.nest.inputs[:2]
    is_mapped = view_of(x, r.rows, r) is not None and view_of(y, r.columns, r) is not None
    return replace(plain(product), is_mapped=is_mapped)


def emit(code: GpuCode, product: Product, record: TmaRecord) -> None:
    """Write what one thread does."""
    TmaTiles(code, product, record, roles(product.problem)).write()
