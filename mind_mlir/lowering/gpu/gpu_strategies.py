"""Every strategy for GPUs, in the order in which they are asked."""

from __future__ import annotations

from ..kernels.strategies import Strategy
from . import elements, reductions, thread_sums, transposes, windows
from .products import product_problem, product_record, tiled_products, tma_products, tma_record

GPU_STRATEGIES = {
    s.kind: s
    for s in (
        Strategy(
            "tma_product",
            tma_record.Record,
            tma_products.match,
            tma_products.choose,
            tma_products.emit,
            share=0,
            fault=tma_products.fault,
        ),
        Strategy(
            "product",
            product_record.Record,
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
            reductions.Record,
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
"""Kind -> strategy.  The last three take nearly everything else, one thread an element."""
