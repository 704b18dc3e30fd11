"""Passes over Core IR: Module -> Module."""

from .canonicalize import canonicalize
from .gradient import differentiate, gradient, gradient_pipeline
from .linearize import linearize
from .pipeline import Pipeline
from .propagate import propagate
from .registry import Level, register
from .sharding.partition import partition
from .sharding.propagate_sharding import propagate_sharding
from .transpose import transpose
from .unzip import unzip
from .verify import verify

register("verify")(verify)
register("canonicalize")(canonicalize)
register("linearize")(linearize)
register("propagate")(propagate)
register("unzip")(unzip)
register("transpose")(transpose)
register("propagate-sharding")(propagate_sharding)
register("partition")(partition)
register("gradient", stands_for=gradient_pipeline)(gradient)

__all__ = [
    "Level",
    "Pipeline",
    "canonicalize",
    "differentiate",
    "gradient",
    "linearize",
    "partition",
    "propagate",
    "propagate_sharding",
    "transpose",
    "unzip",
    "verify",
]
