"""Contractions in tiles: matrix products in any layout, with batches; convolutions and filter gradients.

A block computes `rows` x `columns` sums. It walks over the terms, `depth` at a time, which its threads bring from
memory into shared memory while they compute on those brought before; each thread holds `part_rows` x `part_columns`
sums in registers, or each warp, with `tensor`, by the tensor cores. Rows, columns and terms may each be several loops
of the nest, so that a convolution is a product whose left operand is never written down. Where no tile divides an
extent, elements outside are read as zeros and not stored. Where there are few tiles and many terms, as in the adjoint
of a convolution in its filter, the terms are cut into `parts`, for a block each (partial_sums.py).
"""

from __future__ import annotations

from ...rules import gpu_product_rules
from ...rules.choice import Choice
from ...rules.gpu_product_rules import GpuProduct, TileRecord, choose_tiles
from ...targets.chips import Chip
from ..groups import contiguous, is_wide
from ..partial_sums import stage_of
from ..thread_code import GpuCode
from .pipelined_tiles import PipelinedTiles
from .product_parts import SumOfParts
from .product_problem import Product, roles
from .product_tiles import Tiles
from .tensor_tiles import TensorTiles
from .warpgroup_tiles import WarpgroupTiles


def plain(product: Product) -> GpuProduct:
    """What the rules see of a product, but for tensor maps."""
    p = product.problem
    r = roles(p, product.windows)
    sides = zip(p.nest.inputs[:2], (r.rows, r.columns))
    is_aligned = all(is_wide(p.nest, a, contiguous(a, g, r.terms), 16 // p.dtype.width) for a, g in sides)
    sizes = r.batches.size, r.rows.size, r.columns.size, r.terms.size
    return GpuProduct(p.dtype, *sizes, has_windows=bool(product.windows), is_wide=is_aligned)


def choose(product: Product, chip: Chip, numerics: str) -> Choice[TileRecord]:
    """The record for a product."""
    return choose_tiles(plain(product), chip, numerics)


def fault(product: Product, record: TileRecord, chosen: TileRecord, chip: Chip) -> tuple[str, str] | None:
    """The field of a record that cannot be used, and why; None if all can."""
    return gpu_product_rules.fault(plain(product), record, chip)


def emit(code: GpuCode, product: Product, r: TileRecord) -> None:
    """Write what one thread does."""
    if (found := fault(product, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    if r.parts > 1 and product.problem.dtype.is_float and code.numerics == "strict":
        raise ValueError(f"strict numerics add floats in one part, found {r.parts}")
    if stage_of(code, r.parts) == "finish":
        tiles: type[Tiles] = SumOfParts
    elif r.instruction == "wgmma":
        tiles = WarpgroupTiles
    else:
        tiles = PipelinedTiles if r.stages > 2 else TensorTiles if r.is_tensor else Tiles
    tiles(code, product, r, roles(product.problem, product.windows)).write()
