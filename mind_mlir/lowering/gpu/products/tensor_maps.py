"""Tensor maps: what lets one instruction copy a tile from memory to shared memory, with its bounds checked.

A kernel has a parameter for each map. The host makes a map of memory that another parameter shows, as
`nvgpu.tma.create.descriptor` says in `@main`; plan.py reads it from there.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from mlir import ir

from ...kernels.nest import Access
from ..artifacts.manifest import Place, TensorMap
from ..groups import Group
from ..mapped_views import TENSOR_MAP, View
from .product_problem import Roles

_WIDTH, _UNIT = 4, 4
"""Bytes of an element, and elements in 16 bytes, of which addresses and strides are multiples."""

_MOST_DIMENSIONS, _MOST_ELEMENTS, _MOST_STRIDE = 5, 2**31 - 1, 2**40
"""The most elements that a map may have: an index into it is an i32."""


def view_of(a: Access, lines: Group, roles: Roles) -> View | None:
    """An operand of f32 as tiles are copied from it; None if terms are no neighbours, or lines are not aligned."""
    line, last = _as_one(a, lines), _as_one(a, roles.terms)
    if not isinstance(a.value, ir.BlockArgument) or line is None or last != 1:
        return None
    loops = {d: n for d, n in zip(roles.batches.dims, roles.batches.extents) if a.strides[d]}
    extents = (*loops.values(), lines.size, roles.terms.size)
    strides = (*(a.strides[d] for d in loops), line)
    _, start = ir.MemRefType(a.value.type).get_strides_and_offset()
    offset = a.offset + start
    if len(extents) > _MOST_DIMENSIONS or max(extents) > _MOST_ELEMENTS or offset % _UNIT:
        return None
    if any(s <= 0 or s % _UNIT or s * _WIDTH >= _MOST_STRIDE for s in strides):
        return None
    return View(a.value.arg_number, tuple(loops), extents, (*strides, 1), offset)


def _as_one(a: Access, group: Group) -> int | None:
    """The stride of the loops of a group as one loop; None if there is none, or they do not walk as one."""
    walk = [(a.strides[d], n) for d, n in zip(group.dims, group.extents)]
    if not walk or any(outer != stride * n for (outer, _), (stride, n) in pairwise(walk)):
        return None
    return walk[-1][0]


def read_map(op: Any, type: Any, place: Place) -> TensorMap:
    """What `nvgpu.tma.create.descriptor` says for a host, of a memref of this type whose memory starts at `place`."""
    t, found = ir.MemRefType(type), _DESCRIPTOR.search(str(op.result.type))
    assert found is not None, f"{op.result.type} is a map of tiles in shared memory"
    strides, offset = t.get_strides_and_offset()
    return TensorMap(
        Place(place.kind, place.number, place.offset + offset * _WIDTH),
        op.attributes[TENSOR_MAP].value,
        tuple(reversed(t.shape)),
        tuple(s * _WIDTH for s in reversed(strides[:-1])),
        tuple(int(n) for n in reversed(found[1].split("x"))),
        int(found[2]),
    )


_DESCRIPTOR = re.compile(r"tensor = memref<([\dx]+)xf32, 3>, swizzle = swizzle_(\d+)b")
