"""The options of mind-run, and which of them go together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

import typer

from ..ir import MindError
from ..runtime.threads import MOST
from . import _shared_options as shared
from ._numerics import Numerics, Precision
from ._profile import Profile
from ._reporting import Format


class Target(str, Enum):
    """What runs the module."""

    cpu = "cpu"
    gpu = "gpu"
    interpret = "interpret"


class Prefer(str, Enum):
    """What the choice between ways to cut a module for ranks saves."""

    bytes = "bytes"
    time = "time"


@dataclass(frozen=True)
class Options:
    """What a command line says, in the order of `--help`: a field is a parameter of the command, with its default."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Core IR in any of its text forms, or the folder of a GPU artifact; - is standard input.",
        ),
    ]
    inputs: Annotated[
        list[str] | None,
        typer.Option("--inputs", metavar="IN.npz", help="Arguments by Input name; several archives are joined."),
    ] = None
    outputs: Annotated[
        str | None,
        typer.Option("--outputs", metavar="OUT.npz", help="Where results go, as out0, out1, …; else they are printed."),
    ] = None
    target: Annotated[
        Target, typer.Option("--target", help="Native code, code for a GPU, or the NumPy interpreter.")
    ] = Target.cpu
    compare: Annotated[
        bool,
        typer.Option(
            "--compare", help="Run on interpret too; show the first value that differs by more than --numerics allows."
        ),
    ] = False
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", min=0.0, help="Relative difference that --compare allows instead; 0 means equal bits."
        ),
    ] = None
    benchmark: Annotated[bool, typer.Option("--benchmark", help="Time calls, compilation excluded.")] = False
    random: Annotated[
        int | None, typer.Option("--random", metavar="SEED", min=0, help="Random arguments in place of --inputs.")
    ] = None
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", min=1, max=MOST, help="Largest number of threads; else MIND_NUM_THREADS, else all cores."
        ),
    ] = None
    mpi: Annotated[
        bool,
        typer.Option(
            "--mpi", help="Run on the ranks of FILE's mesh: as one of them in a job of MPI, else by starting them."
        ),
    ] = False
    prefer: Annotated[
        Prefer,
        typer.Option(
            "--prefer", help="With --mpi: cut FILE for few bytes, or for little time on ranks that are measured once."
        ),
    ] = Prefer.bytes
    numerics: shared.NumericsOption = Numerics.default
    precision: shared.PrecisionOption = Precision.f32
    tuning: shared.TuningOption = None
    profile: shared.ProfileOption = Profile.core_v1
    diagnostics: shared.DiagnosticsOption = Format.human
    version: shared.VersionOption = False

    def check(self) -> None:
        """E7007 for options that do not go together."""
        if self.inputs and self.random is not None:
            raise MindError.of("E7007", "give --inputs or --random, not both")
        if self.tolerance is not None and not self.compare:
            raise MindError.of("E7007", "--tolerance is for --compare")
        if self.compare and self.tolerance is None and self.precision is not Precision.f32:
            message = f"--compare bounds rounding of f32, not of {self.precision.value}"
            raise MindError.of("E7007", message, help="give --tolerance")
        if self.prefer is not Prefer.bytes and not self.mpi:
            raise MindError.of("E7007", "--prefer is for --mpi")

    @property
    def is_printed(self) -> bool:
        """Whether results are printed where no file is to have them: they are what the command is run for."""
        return not (self.compare or self.benchmark)
