"""Passes over Core IR: Module -> Module. Each is imported when it is used."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .registry import Level, register, register_late

if TYPE_CHECKING:
    from .canonicalize import canonicalize
    from .gradient import differentiate, gradient, gradient_pipeline
    from .linearize import linearize
    from .pipeline import Pipeline
    from .propagate import propagate
    from .sharding.merge_reductions import merge_reductions
    from .sharding.partition import partition
    from .sharding.propagate_sharding import propagate_sharding
    from .transpose_linear import transpose
    from .unzip import unzip
    from .verify import verify

__all__ = [
    "Level",
    "Pipeline",
    "canonicalize",
    "differentiate",
    "gradient",
    "gradient_pipeline",
    "linearize",
    "merge_reductions",
    "partition",
    "propagate",
    "propagate_sharding",
    "register",
    "transpose",
    "unzip",
    "verify",
]

_HOMES = {
    **{name: name for name in ("canonicalize", "gradient", "linearize", "propagate", "unzip", "verify")},
    **dict.fromkeys(("differentiate", "gradient_pipeline"), "gradient"),
    "Pipeline": "pipeline",
    "merge_reductions": "sharding.merge_reductions",
    "partition": "sharding.partition",
    "propagate_sharding": "sharding.propagate_sharding",
    "transpose": "transpose_linear",
}
"""Name -> the file of this folder that has it."""


class _Passes(ModuleType):
    """The package. `passes.verify` is the function, though its file, which has the same name, is imported into it."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__} has no attribute {name}", name=name, obj=self)
        value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _HOMES and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Passes

for _name in ("verify", "canonicalize", "linearize", "propagate", "unzip", "transpose"):
    register_late(_name, f"{__name__}.{_HOMES[_name]}:{_name}")
for _name in ("propagate_sharding", "partition", "merge_reductions"):
    register_late(_name.replace("_", "-"), f"{__name__}.sharding.{_name}:{_name}")
register_late("gradient", f"{__name__}.gradient:gradient", stands_for=f"{__name__}.gradient:gradient_pipeline")
