"""Passes over Core IR: Module -> Module."""

from .canonicalize import canonicalize
from .pipeline import Level, Pipeline, register
from .verify import verify

register("verify")(verify)
register("canonicalize")(canonicalize)

__all__ = ["Level", "Pipeline", "canonicalize", "verify"]
