"""`to_mlir` and `write_artifact`: lowering for other MLIR projects."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ...gate import unforked
from ...ir import MindError, Module
from ...passes.verify import verify
from ..abi.c_header import check_symbol
from ..emit.modes import MODES
from ..gpu.precision import check_precision
from ..toolchain.installed import require_mlir


@unforked
def to_mlir(module: Module, context: Any = None, *, name: str = "main", numerics: str = "default") -> Any:
    """Lower a module to linalg on tensors: an `mlir.ir.Module` with one `func.func` called `name`.

    The result belongs to `context`; if that is None, to the current context (`with ir.Context():`), else to a new one.
    `numerics` is as for `compile`: a sum is one `linalg.reduce` whose additions may be reordered (`reassoc`), so
    whoever lowers it chooses an accurate order; with strict it has the blocks in which `interpret` adds. Raises
    MindError: any code of `verify`, E6001 and E6004 for what is known before a run, E7006 if MLIR is not installed,
    E7007 for an argument of another kind.
    """
    verify(module)
    context = callers_context(context, name)
    from ..emit.to_linalg import to_linalg

    _check_numerics(numerics)
    return to_linalg(module, context, name, numerics)


def write_artifact(
    module: Module,
    folder: str | os.PathLike[str],
    *,
    name: str = "main",
    chips: Sequence[str] = ("sm_80", "sm_90", "sm_90a"),
    numerics: str = "default",
    precision: str = "f32",
) -> None:
    """Write a module as code for NVIDIA GPUs into a folder, which `load_artifact` reads without MLIR.

    The folder appears as a whole or not at all, and replaces an older artifact. It holds PTX for each of the `chips`,
    and cubins if ptxas is installed. `numerics` and `precision` are as for `compile`. Raises
    MindError: any code of `verify`, E6001 and E6004 for what is known before a run, E7005 if it cannot be written,
    E7006 if MLIR is not installed or ptxas is too old, E7007 for an unknown chip, numerics mode or precision.
    """
    verify(module)
    _check_numerics(numerics)
    check_symbol(name)
    check_precision(precision, numerics)
    require_mlir()
    from ..gpu.artifacts.images import artifact
    from ..gpu.artifacts.manifest import FILE_NAME
    from ..store.folders import write_folder

    write_folder(os.fspath(folder), artifact(module, name, chips, numerics, precision=precision), FILE_NAME)


def _check_numerics(numerics: str) -> None:
    if numerics not in MODES:
        raise MindError.of("E7007", f"no numerics mode is named {numerics}", help=f"modes: {', '.join(MODES)}")


def callers_context(context: Any, name: str) -> Any:
    """`context`, else the current one (`with context:`), else None. E7006; E7007 for a wrong context or name."""
    require_mlir()
    from mlir import ir

    if context is None:
        context = ir.Context.current
    if context is not None and not isinstance(context, ir.Context):
        raise MindError.of("E7007", f"context is an mlir.ir.Context or None, found {context!r}")
    check_symbol(name)
    return context
