"""Every strategy for GPUs, in the order in which they are asked."""

from __future__ import annotations

from ..kernels.strategies import Strategy
from . import elements, product_problem, products, reductions, sums, tma_products, transposes, windows

GPU_STRATEGIES = {
    s.kind: s
    for s in (
        Strategy(
            "tma_product",
            tma_products.Record,
            tma_products.match,
            tma_products.choose,
            tma_products.emit,
            share=0,
            fault=tma_products.fault,
        ),
        Strategy(
            "product",
            products.Record,
            product_problem.match,
            products.choose,
            products.emit,
            share=0,
            fault=products.fault,
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
        Strategy("sums", sums.Record, sums.match, sums.choose, sums.emit, share=0),
    )
}
"""Kind -> strategy.  The last three take nearly everything else, one thread an element."""
