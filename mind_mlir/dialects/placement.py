"""Reads meshes and shardings from text in attributes of MLIR, which is that of Core IR, with one text for each value.

dialect/lib/Mesh.cpp reads the same. This file imports no mlir.
"""

from __future__ import annotations

import re

from ..ir.mesh import Mesh, PartitionSpec

_AXIS = r"(?!_(?!\w))[A-Za-z_]\w*"
_ENTRY = rf"\[{_AXIS}(?:, {_AXIS})+\]|{_AXIS}|_"
_DIMS = rf"\[((?:{_ENTRY})(?:, (?:{_ENTRY}))*)?\]"
_SPEC = re.compile(rf"{_DIMS}|partial\({_DIMS}, \[({_AXIS}(?:, {_AXIS})*)\]\)", re.ASCII)
_SIZED = rf"({_AXIS}) = (0|[1-9]\d{{0,17}})"
_MESH = re.compile(rf"(?:{_SIZED}(?:, {_SIZED})*)?", re.ASCII)


def spec_of(text: str) -> PartitionSpec | None:
    """The spec for a text such as `partial([dp, _], [tp])`; None if it is no spec.

    MindError E8003 for a mesh axis that is used twice.
    """
    if (m := _SPEC.fullmatch(text)) is None:
        return None
    entries = re.findall(_ENTRY, m[1] or m[2] or "", re.ASCII)
    dims = [re.findall(_AXIS, entry, re.ASCII) for entry in entries]
    unreduced = re.findall(_AXIS, m[3] or "", re.ASCII)
    return PartitionSpec(*dims, unreduced=unreduced) if unreduced == sorted(set(unreduced)) else None


def mesh_of(text: str) -> Mesh | None:
    """The mesh for a text such as `dp = 2, tp = 4`; None if it is no mesh.

    MindError E8001 for invalid axes or sizes.
    """
    if _MESH.fullmatch(text) is None:
        return None
    axes = re.findall(_SIZED, text, re.ASCII)
    return Mesh([name for name, _ in axes], [int(size) for _, size in axes])
