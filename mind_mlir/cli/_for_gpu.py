"""mind-translate: what it writes for GPUs."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import MindError, Module
from ..lowering.gpu.precision import check_precision
from ._files import write_output

GPU_FORMS = ("nvvm", "ptx", "cubin", "gpu-artifact")
"""What stands after `--to-`."""


def check_gpu_options(
    form: str,
    output: str,
    chips: Sequence[str] | None,
    mcpu: str,
    threads: int,
    tuning: str | None,
    precision: str,
    numerics: str,
) -> None:
    """E7007 for options that do not go together."""
    if form not in GPU_FORMS:
        if chips or precision != "f32":
            raise MindError.of("E7007", f"--chip and --precision are for --to-{', --to-'.join(GPU_FORMS)}")
        return
    check_precision(precision, numerics)
    if mcpu != "native" or threads != 1 or tuning is not None:
        raise MindError.of("E7007", "--mcpu, --threads and --tuning are for code of a CPU")
    if form == "gpu-artifact" and output == "-":
        raise MindError.of("E7007", "an artifact is a folder", help="give -o FOLDER")
    if form != "gpu-artifact" and len(chips or ()) > 1:
        raise MindError.of("E7007", f"--to-{form} takes one --chip, found {', '.join(chips or ())}")


def write_for_gpu(
    m: Module,
    form: str,
    output: str,
    chips: Sequence[str] | None,
    numerics: str,
    precision: str,
    name: str,
    locations: bool,
) -> None:
    """Write a verified module as MLIR, PTX, cubin or artifact.  E7005, E7006, E7007, and what compiling raises."""
    from ..lowering.toolchain.installed import require_mlir

    require_mlir()
    from ..lowering.gpu.artifacts import images

    chip = chips[0] if chips else "sm_80"
    match form:
        case "nvvm":
            from ..lowering.mlir.pass_driver import mlir_text

            write_output(output, [mlir_text(images.nvvm_module(m, chip, numerics, precision), locations)])
        case "ptx":
            write_output(output, [images.ptx(m, chip, numerics, precision)])
        case "cubin":
            write_output(output, images.cubin(m, chip, numerics, precision).cubin)
        case _:
            from ..lowering.gpu.artifacts.manifest import FILE_NAME
            from ..lowering.store.folders import write_folder
            from ..lowering.targets.chips import CHIPS

            files = images.artifact(m, name, chips or tuple(CHIPS), numerics, precision=precision)
            write_folder(output, files, FILE_NAME)
