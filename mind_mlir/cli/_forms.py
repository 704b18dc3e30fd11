"""The forms that mind-translate writes, as a table: a new form is one more entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ..ir import Module
from . import _form_writers as writers, _gpu_form_writers as gpu
from ._translate_options import Options


class Level(Enum):
    """The language that a form is written in. It decides which options the form takes (`_form_checks.py`)."""

    CORE = "Core IR"
    DIALECT = "the dialect mind"
    LINALG = "linalg on tensors"
    CPU = "LLVM IR and what is made of it"
    GPU = "kernels for a GPU"


@dataclass(frozen=True)
class Form:
    """One form, written by `mind-translate --to-NAME`."""

    name: str
    level: Level
    write: Callable[[Module, Options], None]
    help: str
    binary: str = ""
    """What messages call the form, if it is binary and so not for a terminal."""
    folder: bool = False
    """True if it is a folder, not a file."""
    linked: bool = False
    """True if programs are linked with it: then it may have a C header, and its name is one that C can have."""

    @property
    def flag(self) -> str:
        """The flag on the command line."""
        return f"--to-{self.name}"

    @property
    def parameter(self) -> str:
        """The name of the command's parameter."""
        return self.flag[2:].replace("-", "_")


CORE = Form("core", Level.CORE, writers.write_core, "Core IR as this toolchain writes it (the default).")

FORMS = (
    CORE,
    Form("mind", Level.DIALECT, writers.write_dialect, "MLIR of the dialect mind, in its generic form."),
    Form("mlir", Level.LINALG, writers.write_linalg, "MLIR: linalg on tensors."),
    Form(
        "shard",
        Level.LINALG,
        writers.write_shard,
        "MLIR: linalg on tensors, and shardings in MLIR's dialect shard.",
    ),
    Form("llvmir", Level.CPU, writers.write_llvmir, "LLVM IR, by the CPU pipeline."),
    Form("asm", Level.CPU, writers.write_asm, "Assembly."),
    Form(
        "obj",
        Level.CPU,
        writers.write_obj,
        "An object file, to be linked into a program.",
        binary="an object file",
        linked=True,
    ),
    Form(
        "shared-lib",
        Level.CPU,
        writers.write_shared_library,
        "A shared library; needs a linker or a C compiler.",
        binary="a shared library",
        linked=True,
    ),
    Form("nvvm", Level.GPU, gpu.write_nvvm, "MLIR: kernels for a GPU in nvvm, and launches."),
    Form("ptx", Level.GPU, gpu.write_ptx, "PTX: kernels for a GPU, as text."),
    Form("cubin", Level.GPU, gpu.write_cubin, "Kernels for one chip; needs ptxas.", binary="a cubin"),
    Form(
        "gpu-artifact",
        Level.GPU,
        gpu.write_artifact,
        "A folder that runs on a GPU without MLIR; give -o FOLDER.",
        folder=True,
    ),
    Form("dot", Level.CORE, writers.write_dot, "The graph of values, for Graphviz; derivatives in colour."),
)
"""All forms, in the order of `--help`."""


def one_form(wanted: list[Form]) -> Form:
    """The form of a command line, Core IR if it names none. E7007 for several."""
    if len(wanted) > 1:
        from ..ir import MindError

        raise MindError.of("E7007", f"one form expected, found {' '.join(f.flag for f in wanted)}")
    return wanted[0] if wanted else CORE
