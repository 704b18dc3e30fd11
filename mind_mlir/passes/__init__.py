"""Passes over Core IR: Module -> Module."""

from .canonicalize import canonicalize
from .pipeline import Pipeline
from .registry import Level, register
from .verify import verify

register("verify")(verify)
register("canonicalize")(canonicalize)

__all__ = ["Level", "Pipeline", "canonicalize", "verify"]
