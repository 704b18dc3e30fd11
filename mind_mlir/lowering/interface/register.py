"""Registers the passes and named pipelines of this package; mlir is imported when one of them runs."""

from __future__ import annotations

from typing import Any, Literal

from ...ir import Module
from ...passes.registry import MLIR, PIPELINES, Level, register
from ..pipelines import PIPELINES as NAMED
from . import _rewrites_gen as _rewrites_gen  # it registers them


@register("lower-to-linalg", target=Level.MLIR)
def lower_to_linalg(m: Module, *, numerics: Literal["default", "strict", "fast"] = "default", threads: int = 1) -> Any:
    """Lower Core IR to linalg on tensors: a func.func named main, with numerics and threads noted for later passes."""
    from ..emit.to_linalg import to_linalg

    return to_linalg(m, numerics=numerics, threads=threads)


def _check(text: str) -> None:
    from ..mlir.pass_driver import check_mlir_pass

    check_mlir_pass(text)


def _run(text: str, module: Any) -> None:
    from ..mlir.pass_driver import run_mlir_pass

    run_mlir_pass(text, module)


MLIR.check, MLIR.run = _check, _run
PIPELINES.update({(Level.MLIR, name): text for name, text in NAMED.items()})
