"""Parameter records as attributes of a function, and back."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from mlir import ir

from ..mlir.walk import children, operations

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


def kind_of(attribute: Any) -> str:
    """The kind of strategy that an attribute names. ValueError if it names none."""
    if not isinstance(attribute, ir.DictAttr):
        raise ValueError(f"{ATTRIBUTE} is {{kind = …, …}}, found {attribute}")
    if "kind" not in attribute or not isinstance(attribute["kind"], ir.StringAttr):
        raise ValueError(f'{ATTRIBUTE} has kind = "…", the name of a strategy')
    return str(attribute["kind"].value)


def from_attribute(attribute: Any, record: type[R]) -> R:
    """The record that an attribute with a kind describes. ValueError names the first field at fault."""
    found = {entry.name: entry.attr for entry in attribute if entry.name != "kind"}
    fields = {f.name: str(f.type) for f in dataclasses.fields(record)}  # type: ignore[arg-type]
    for name in found:
        if name not in fields:
            raise ValueError(f"a record has {', '.join(fields)}, found {name}")
    for name, type in fields.items():
        if name not in found:
            raise ValueError(f"{name} is missing")
        if getattr(found[name], "value", None).__class__.__name__ != type:
            raise ValueError(f"{name} is {_WRITTEN[type]}, found {found[name]}")
    return record(**{name: found[name].value for name in fields})


_WRITTEN = {"int": "an i64", "bool": "true or false", "str": "a string"}
"""Type of a field -> how its attribute is written."""


def is_written(f: Any) -> bool:
    """True for a kernel that its strategy has written: loops, vectors and plain arithmetic; no linalg, exp or log."""
    return ATTRIBUTE in f.attributes and not any(op.name.startswith("linalg.") for op in children(f))


def operations_to_lower(module: Any) -> list[Any]:
    """The module's operations, without those in kernels that are written, which are most of them."""
    return [op for f in children(module) if not is_written(f) for op in operations(f)]
