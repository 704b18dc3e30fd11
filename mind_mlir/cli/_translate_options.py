"""The options of mind-translate, except the flags of the forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ..ir import Module
from ..passes import verify
from ..runtime.threads import MOST
from . import _shared_options as shared
from ._numerics import Numerics, Precision
from ._profile import Profile
from ._reporting import Format


@dataclass(frozen=True)
class Options:
    """The options of a command line, in the order of `--help`: each field is a parameter, with its default."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Core IR in any of its text forms, or with --from-mind MLIR; - is standard input."
        ),
    ] = "-"
    output: shared.OutputOption = "-"
    from_mind: Annotated[bool, typer.Option("--from-mind", help="Read MLIR of the dialect mind, text or bytecode.")] = (
        False
    )
    pretty: Annotated[
        bool, typer.Option("--pretty", help="Write the dialect's short form; needs the dialect built in C++.")
    ] = False
    bytecode: Annotated[
        bool, typer.Option("--emit-bytecode", help="Write the dialect as MLIR bytecode instead of text.")
    ] = False
    header: Annotated[
        str | None,
        typer.Option("--header", metavar="FILE", help="Write the C header beside an object file or a shared library."),
    ] = None
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="The function's name; without it, that of the file for an object file or a shared library, else main.",
        ),
    ] = None
    mcpu: Annotated[
        str,
        typer.Option(
            "--mcpu", "-mcpu", metavar="CPU", help="The CPU, as LLVM calls it: native, generic, x86-64-v3, znver4, …"
        ),
    ] = "native"
    chip: Annotated[
        list[str] | None,
        typer.Option(
            "--chip",
            metavar="CHIP",
            help="The GPU: sm_80 (the default), sm_90 or sm_90a. An artifact takes several, and all by default.",
        ),
    ] = None
    numerics: shared.NumericsOption = Numerics.default
    precision: shared.PrecisionOption = Precision.f32
    threads: Annotated[
        int,
        typer.Option(
            "--threads", min=1, max=MOST, help="The largest number of threads that the code uses, on any machine."
        ),
    ] = 1
    tuning: Annotated[
        str | None, typer.Option("--tuning", metavar="FILE", help="A file that mind-tune wrote for this CPU.")
    ] = None
    canonicalize: Annotated[bool, typer.Option("--canonicalize", help="Canonicalise first.")] = False
    locations: Annotated[
        bool, typer.Option("--locations", help="Print MLIR with the source locations of operations.")
    ] = False
    profile: shared.ProfileOption = Profile.core_v1
    strict_axes: shared.StrictAxes = False
    strict_positive_dims: shared.StrictDims = False
    strict_matmul2d: shared.StrictMatmul = False
    diagnostics: shared.DiagnosticsOption = Format.human
    version: shared.VersionOption = False

    def given(self, option: str) -> bool:
        """True if an option has another value than its default."""
        return bool(getattr(self, option) != getattr(Options, option))

    def verified(self, m: Module) -> Module:
        """The module, if it is valid by the profile and the strict options."""
        return verify(
            m,
            profile=self.profile.value,
            strict_axes=self.strict_axes,
            strict_positive_dims=self.strict_positive_dims,
            strict_matmul2d=self.strict_matmul2d,
        )
