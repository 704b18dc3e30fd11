"""Options that several commands have, and the settings that all commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from ._numerics import Numerics, Precision
from ._profile import Profile
from ._reporting import EXIT_OK, Format


def _version(value: bool) -> None:
    if value:
        from .. import __version__

        print(f"mind-mlir {__version__}")
        raise typer.Exit(EXIT_OK)


ProfileOption = Annotated[
    Profile, typer.Option("--profile", help="Which operations are allowed: those of Core v1, or all.")
]
StrictAxes = Annotated[bool, typer.Option("--strict-axes", help="Refuse negative axes (E3004).")]
StrictDims = Annotated[bool, typer.Option("--strict-positive-dims", help="Refuse extents of 0 (E3006).")]
StrictMatmul = Annotated[bool, typer.Option("--strict-matmul2d", help="Refuse MatMul of other ranks than 2 (E3002).")]
DiagnosticsOption = Annotated[
    Format,
    typer.Option("--diagnostics", help="How errors are written to standard error: for people, or as JSON lines."),
]
NumericsOption = Annotated[
    Numerics, typer.Option("--numerics", help="How far results may differ from the interpreter's.")
]
PrecisionOption = Annotated[
    Precision,
    typer.Option("--precision", help="With tf32, a GPU may round factors of f32 products to 10 bits."),
]
OutputOption = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write here; - is standard output.")]
TuningOption = Annotated[
    str | None,
    typer.Option(
        "--tuning", metavar="FILE", help="A file that mind-tune wrote; without it, that of MIND_TUNING, else none."
    ),
]
VersionOption = Annotated[
    bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
]


SETTINGS = {"help_option_names": ["-h", "--help"]}
"""The `context_settings` of every command."""


def make_app() -> typer.Typer:
    """A typer application without rich's help and tracebacks, which take half the time of a short run."""
    return typer.Typer(add_completion=True, rich_markup_mode=None, pretty_exceptions_enable=False)
