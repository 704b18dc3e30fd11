"""Copies operations without `Operation.clone`.

That looks up the Python class of what it makes, and for linalg it imports mlir.dialects.linalg, which takes 80 ms.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from .walk import children


def copied(op: Any, values: dict[Any, Any]) -> Any:
    """A copy of an operation at the insertion point, with all that it contains and the same source location.

    Operands are replaced by `values`, to which the results of the copy are added.
    """
    results, attributes, regions = list(op.results), op.attributes, len(op.regions)
    made = ir.Operation.create(
        op.name,
        results=[v.type for v in results],
        operands=[values.get(v, v) for v in op.operands],
        attributes={name: attributes[name] for name in attributes},
        regions=regions,
        loc=op.location,
    )
    values.update(zip(results, made.results))
    if regions:
        _copy_regions(op, made, values)
    return made


def _copy_regions(op: Any, made: Any, values: dict[Any, Any]) -> None:
    """Copy the blocks of all regions: a single block in a single region, or none in a declaration."""
    (region,), (target,) = op.regions, made.regions
    if not len(region.blocks):
        return
    (block,) = region.blocks
    own = target.blocks.append(*[a.type for a in block.arguments], arg_locs=[a.location for a in block.arguments])
    values.update(zip(block.arguments, own.arguments))
    with ir.InsertionPoint(own):
        for inner in children(op):
            copied(inner, values)
