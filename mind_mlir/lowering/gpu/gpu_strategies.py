"""Every strategy for GPUs, in the order in which they are tried."""

from __future__ import annotations

from ..kernels.strategies import Strategy
from ..rules.gpu_product_rules import TileRecord
from ..rules.gpu_sum_rules import GpuSumRecord
from ..rules.gpu_tma_rules import TmaRecord
from . import elements, reductions, thread_sums, transposes, windows
from .products import product_problem, tiled_products, tma_products

GPU_STRATEGIES = {
    s.kind: s
    for s in (
        Strategy(
            "tma_product",
            TmaRecord,
            tma_products.match,
            tma_products.choose,
            tma_products.emit,
            share=0,
            fault=tma_products.fault,
        ),
        Strategy(
            "product",
            TileRecord,
            product_problem.match,
            tiled_products.choose,
            tiled_products.emit,
            share=0,
            fault=tiled_products.fault,
        ),
        Strategy(
            "transpose",
            transposes.Record,
            transposes.match,
            transposes.choose,
            transposes.emit,
            share=0,
            fault=transposes.fault,
        ),
        Strategy(
            "elements", elements.Record, elements.match, elements.choose, elements.emit, share=0, fault=elements.fault
        ),
        Strategy(
            "reduction",
            GpuSumRecord,
            reductions.match,
            reductions.choose,
            reductions.emit,
            share=0,
            fault=reductions.fault,
        ),
        Strategy("windows", windows.Record, windows.match, windows.choose, windows.emit, share=0),
        Strategy("sums", thread_sums.Record, thread_sums.match, thread_sums.choose, thread_sums.emit, share=0),
    )
}
"""Kind -> strategy. The last three take nearly everything else, one thread per element."""
