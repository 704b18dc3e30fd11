"""The options of mind-opt, as typer declares them.

scripts/gen_usage.py writes `_opt_usage_gen.py` from this file; most command lines are read with that alone.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import click
import typer
import typer.core

from . import _shared_options as shared
from ._profile import Profile
from ._reporting import Format

app = shared.make_app()


class Phase(str, Enum):
    """Where --compile-to stops."""

    core = "core"
    gradient = "gradient"
    linalg = "linalg"
    bufferized = "bufferized"
    llvm = "llvm"


def _registered() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The passes and the named pipelines, by level and name."""
    from .. import lowering  # noqa: F401  registers its passes
    from ..passes.registry import PASSES, PIPELINES

    return PASSES, PIPELINES


def _complete_passes(incomplete: str) -> list[str]:
    """Completions of a pipeline by the name of a pass."""
    from ..passes.registry import Level

    passes, pipelines = _registered()
    before, comma, start = incomplete.rpartition(",")
    level = Level.MLIR if "lower-to-linalg" in before else Level.CORE
    names = [name for at, name in (*passes, *pipelines) if at is level and name.startswith(start)]
    return [f"{before}{comma}{name}" for name in names]


def _complete_printed(incomplete: str) -> list[str]:
    """Completions of --print-ir-before and --print-ir-after."""
    return [name for name in ("all", *(n for _, n in _registered()[0])) if name.startswith(incomplete)]


class _Command(typer.core.TyperCommand):
    """A command that completes file names and the flags of passes, which are not declared as options."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        from click.shell_completion import CompletionItem

        items = super().shell_complete(ctx, incomplete)
        if not incomplete.startswith("-"):
            return [*items, CompletionItem(incomplete, type="file")]
        passes, pipelines = _registered()
        found = [CompletionItem(f"--{name}", help=info.summary) for (_, name), info in passes.items()]
        found += [CompletionItem(f"--{name}", help="named pipeline") for _, name in pipelines]
        return items + [i for i in found if i.value.startswith(incomplete)]


@app.command(
    cls=_Command,
    context_settings={**shared.SETTINGS, "allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS | --PASS]... [FILE]",
    epilog="Every pass is also a flag: --canonicalize --gradient='wrt=0,1' run in the order given. --list-passes shows "
    "them with their options.",
)
def mind_opt(
    ctx: typer.Context,
    pass_pipeline: Annotated[
        str | None,
        typer.Option(
            "-p",
            "--pass-pipeline",
            metavar="TEXT",
            autocompletion=_complete_passes,
            help="The passes to run on Core IR and MLIR, in MLIR's syntax.",
        ),
    ] = None,
    output: shared.OutputOption = "-",
    compile_to: Annotated[Phase | None, typer.Option("--compile-to", help="Run the passes up to this phase.")] = None,
    profile: shared.ProfileOption = Profile.core_v1,
    strict_axes: shared.StrictAxes = False,
    strict_positive_dims: shared.StrictDims = False,
    strict_matmul2d: shared.StrictMatmul = False,
    print_ir_before: Annotated[
        list[str] | None,
        typer.Option(
            "--print-ir-before",
            metavar="PASS",
            autocompletion=_complete_printed,
            help="Print the IR before this pass, or before every pass if PASS is all.",
        ),
    ] = None,
    print_ir_after: Annotated[
        list[str] | None,
        typer.Option(
            "--print-ir-after",
            metavar="PASS",
            autocompletion=_complete_printed,
            help="Print the IR after this pass, or after every pass if PASS is all.",
        ),
    ] = None,
    timing: Annotated[bool, typer.Option("--timing", help="Print the time of every pass.")] = False,
    remarks: Annotated[
        bool,
        typer.Option("--remarks", help="Print which kernels form-kernels makes, and what it leaves as plain loops."),
    ] = False,
    split_input_file: Annotated[
        bool,
        typer.Option("--split-input-file", help="Treat the parts between lines of // ----- as separate files."),
    ] = False,
    verify_diagnostics: Annotated[
        bool, typer.Option("--verify-diagnostics", help="Compare errors with // expected-error@+1 {{text}} comments.")
    ] = False,
    locations: Annotated[
        bool, typer.Option("--locations", help="Print MLIR with the source locations of operations.")
    ] = False,
    show_digest: Annotated[
        bool, typer.Option("--digest", help="Print the sha256 of the resulting Core IR instead of it.")
    ] = False,
    show_communication: Annotated[
        bool,
        typer.Option(
            "--communication",
            help="Print after the resulting Core IR how many operations between ranks a run has, and how many bytes "
            "each rank sends.",
        ),
    ] = False,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove", help="Compare the derivatives of the result with finite differences, and print a report."
        ),
    ] = False,
    dump_pipeline: Annotated[
        bool, typer.Option("--dump-pipeline", help="Print the pipeline with its anchors and stop.")
    ] = False,
    list_passes: Annotated[
        bool, typer.Option("--list-passes", help="Print the passes with their options and stop.")
    ] = False,
    explain_code: Annotated[
        str | None, typer.Option("--explain", metavar="CODE", help="Print what an error code means and stop.")
    ] = None,
    doctor: Annotated[
        bool, typer.Option("--doctor", help="Print which parts of the toolchain are installed and stop.")
    ] = False,
    diagnostics: shared.DiagnosticsOption = Format.human,
    version: shared.VersionOption = False,
) -> None:
    """Run passes over a Core IR file (.mindir) or an MLIR file (.mlir) and print the result.

    Without FILE, or if it is -, standard input is read, and its text tells which of the two it is. On MLIR of the
    dialect mind, passes over Core IR run too. Without passes, the file is verified.
    """
    from ._opt_run import run

    raise typer.Exit(run(ctx.args, **{name: value for name, value in ctx.params.items() if name != "version"}))
