"""Writes a verified module in the forms of mind-translate that are for GPUs.

Each function takes the module and the options, and writes to the output that they name. E7005, E7006, E7007, and the
errors of compiling.
"""

from __future__ import annotations

from types import ModuleType

from ..ir import Module
from ._files import write_output
from ._translate_options import Options


def write_nvvm(m: Module, options: Options) -> None:
    """Write MLIR: kernels in nvvm, and launches."""
    images = _images()
    from ..lowering.mlir.pass_driver import mlir_text

    module = images.nvvm_module(m, _chip(options), options.numerics.value, options.precision.value)
    write_output(options.output, [mlir_text(module, options.locations)])


def write_ptx(m: Module, options: Options) -> None:
    """Write PTX."""
    write_output(options.output, [_images().ptx(m, _chip(options), options.numerics.value, options.precision.value)])


def write_cubin(m: Module, options: Options) -> None:
    """Write machine code for one chip."""
    image = _images().cubin(m, _chip(options), options.numerics.value, options.precision.value)
    write_output(options.output, image.cubin)


def write_artifact(m: Module, options: Options) -> None:
    """Write a folder that runs without MLIR."""
    images = _images()
    from ..lowering.abi.c_header import name_from
    from ..lowering.gpu.artifacts.manifest import FILE_NAME
    from ..lowering.store.folders import write_folder
    from ..lowering.targets.chips import CHIPS

    name = name_from(options.file) if options.name is None else options.name
    chips = options.chip or tuple(CHIPS)
    files = images.artifact(m, name, chips, options.numerics.value, precision=options.precision.value)
    write_folder(options.output, files, FILE_NAME)


def _chip(options: Options) -> str:
    return options.chip[0] if options.chip else "sm_80"


def _images() -> ModuleType:
    """The module that compiles for GPUs. E7006 without MLIR."""
    from ..lowering.toolchain.installed import require_mlir

    require_mlir()
    from ..lowering.gpu.artifacts import images

    return images
