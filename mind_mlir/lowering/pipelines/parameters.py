"""Pipelines with parameters: options that several of their passes share."""

from __future__ import annotations

from typing import Any

from ...passes.pipeline import Pipeline


def with_options(pipeline: Pipeline, **options: Any) -> Pipeline:
    """The pipeline where every pass that has an option of one of these names, and is not given it, gets the value."""
    steps = pipeline.steps
    for name, value in options.items():
        steps = tuple([s.with_option(name, value) for s in steps])
    return Pipeline(steps, pipeline.start)
