"""Sums split into parts over several blocks: a first kernel adds within parts, and a second one adds the parts.

The pass split-gpu-sums makes two calls of such a kernel, with memory for the parts between them.
"""

from __future__ import annotations

from typing import Any

from .thread_code import GpuCode

STAGE = "mind.stage"
"""An attribute of a kernel with split sums: "parts" if it adds within parts, "finish" if it adds the parts."""


def stage_of(code: GpuCode, parts: int) -> str:
    """Which of the two kernels is written; empty for sums in one part. ValueError if there are not two."""
    attributes = code.function.attributes
    stage = attributes[STAGE].value if STAGE in attributes else ""
    if (parts > 1) != bool(stage):
        raise ValueError("a sum in parts needs two kernels: split-gpu-sums comes first")
    return str(stage)


def memory_of_parts(code: GpuCode) -> Any:
    """What the pass gives both kernels: the last parameter."""
    return list(code.function.regions[0].blocks[0].arguments)[-1]
