"""Parameter records as attributes of a function, and back."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from mlir import ir

ATTRIBUTE = "mind.strategy"
"""The function's attribute that holds the kind of strategy and its parameters."""

R = TypeVar("R")


def to_attribute(kind: str, record: Any) -> Any:
    """`{kind = "…", field = value, …}`: integers as i64, yes and no as i1, text as strings."""
    entries = {"kind": ir.StringAttr.get(kind)}
    for f in dataclasses.fields(record):
        value = getattr(record, f.name)
        if isinstance(value, bool):
            entries[f.name] = ir.BoolAttr.get(value)
        elif isinstance(value, int):
            entries[f.name] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
        else:
            entries[f.name] = ir.StringAttr.get(value)
    return ir.DictAttr.get(entries)


def from_attribute(attribute: Any, record: type[R]) -> R:
    """The record that an attribute describes.  ValueError if a field is missing or not known."""
    found = {}
    for entry in attribute:
        if entry.name != "kind":
            value = entry.attr
            found[entry.name] = value.value
    fields = {f.name: str(f.type) for f in dataclasses.fields(record)}  # type: ignore[arg-type]
    if set(fields) != set(found):
        raise ValueError(f"a record of {sorted(fields)}, found {sorted(found)}")
    for name, type in fields.items():
        if found[name].__class__.__name__ != type:
            raise ValueError(f"{name} is of type {type}, found {found[name]!r}")
    return record(**found)
