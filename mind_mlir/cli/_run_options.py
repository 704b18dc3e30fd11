"""The options of mind-run, and which of them can be combined."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

import typer

from ..ir import MindError
from . import _shared_options as shared
from ._numerics import Numerics, Precision
from ._profile import Profile
from ._reporting import Format
from ._threads_option import ThreadsOption


class Target(str, Enum):
    """What runs the module."""

    cpu = "cpu"
    gpu = "gpu"
    interpret = "interpret"


class Prefer(str, Enum):
    """What the sharding of a module for ranks minimizes."""

    bytes = "bytes"
    time = "time"


@dataclass(frozen=True)
class Options:
    """The options in the order of `--help`: each field is a parameter of the command, with its default."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Core IR in any of its text forms, or the folder of a GPU artifact; - is standard input.",
        ),
    ]
    inputs: Annotated[
        list[str] | None,
        typer.Option("--inputs", metavar="IN.npz", help="Arguments by Input name; several archives may be given."),
    ] = None
    outputs: Annotated[
        str | None,
        typer.Option(
            "--outputs", metavar="OUT.npz", help="Write results here, as out0, out1, …, instead of printing them."
        ),
    ] = None
    target: Annotated[
        Target, typer.Option("--target", help="Run native code, code for a GPU, or the NumPy interpreter.")
    ] = Target.cpu
    compare: Annotated[
        bool,
        typer.Option(
            "--compare", help="Run the interpreter too; fail if a value differs by more than --numerics allows."
        ),
    ] = False
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", min=0.0, help="The relative difference that --compare allows instead; 0 means equal bits."
        ),
    ] = None
    benchmark: Annotated[bool, typer.Option("--benchmark", help="Time calls, without the compilation.")] = False
    random: Annotated[
        int | None, typer.Option("--random", metavar="SEED", min=0, help="Random arguments instead of --inputs.")
    ] = None
    threads: ThreadsOption = None
    mpi: Annotated[
        bool,
        typer.Option(
            "--mpi", help="Run on the ranks of FILE's mesh: start them, or within a job of MPI be one of them."
        ),
    ] = False
    prefer: Annotated[
        Prefer,
        typer.Option(
            "--prefer", help="With --mpi: shard FILE for few bytes sent, or for little time, with ranks measured once."
        ),
    ] = Prefer.bytes
    numerics: shared.NumericsOption = Numerics.default
    precision: shared.PrecisionOption = Precision.f32
    tuning: shared.TuningOption = None
    profile: shared.ProfileOption = Profile.core_v1
    diagnostics: shared.DiagnosticsOption = Format.human
    version: shared.VersionOption = False

    def check(self) -> None:
        """Raise E7007 for options that cannot be combined."""
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
        """True if results are printed when no file is given for them."""
        return not (self.compare or self.benchmark)
