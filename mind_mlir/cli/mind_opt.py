"""mind-opt: run a pipeline of Core IR and MLIR passes over a file and print the result."""

from __future__ import annotations

import difflib
import sys
from enum import Enum
from typing import Annotated, Any

import click
import typer
import typer.core
from click.shell_completion import CompletionItem

from .. import lowering  # noqa: F401  registers its passes
from ..dialects.text import form_of_text
from ..ir import MindError, Source, np
from ..passes.pipeline import Pipeline, Watcher, begins_in_core
from ..passes.registry import PASSES, PIPELINES, Level, show_option
from ..passes.timing import Timing
from . import _answers
from . import _common as common
from ._common import EXIT_OK, Format, Profile
from ._files import is_mlir, read, write_output
from ._pipeline_run import IrPrinter, KernelRemarks, PipelineRun, check_printed, split_source

app = common.make_app()


class Phase(str, Enum):
    """Where --compile-to stops."""

    core = "core"
    gradient = "gradient"
    linalg = "linalg"
    bufferized = "bufferized"
    llvm = "llvm"


PHASES = {
    Phase.core: ["verify", "canonicalize"],
    Phase.gradient: ["verify", "gradient"],
    Phase.linalg: ["verify", "canonicalize", "lower-to-linalg"],
    Phase.bufferized: ["verify", "canonicalize", "lower-to-linalg", "cpu-fuse", "cpu-bufferize"],
    Phase.llvm: ["verify", "canonicalize", "lower-to-linalg", "cpu"],
}


def _complete_passes(incomplete: str) -> list[str]:
    """Pipelines that go on with the name of a pass."""
    before, comma, start = incomplete.rpartition(",")
    level = Level.MLIR if "lower-to-linalg" in before else Level.CORE
    names = [name for at, name in (*PASSES, *PIPELINES) if at is level and name.startswith(start)]
    return [f"{before}{comma}{name}" for name in names]


def _complete_printed(incomplete: str) -> list[str]:
    """What IR is printed around."""
    return [name for name in ("all", *(n for _, n in PASSES)) if name.startswith(incomplete)]


class _Command(typer.core.TyperCommand):
    """Completes the flags of passes, which are no options of their own, and file names."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        items = super().shell_complete(ctx, incomplete)
        if not incomplete.startswith("-"):
            return [*items, CompletionItem(incomplete, type="file")]
        passes = [CompletionItem(f"--{name}", help=info.summary) for (_, name), info in PASSES.items()]
        pipelines = [CompletionItem(f"--{name}", help="named pipeline") for _, name in PIPELINES]
        return items + [i for i in passes + pipelines if i.value.startswith(incomplete)]


@app.command(
    cls=_Command,
    context_settings={**common.SETTINGS, "allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS | --PASS]... [FILE]",
    epilog="Every pass is also a flag: --canonicalize --gradient='wrt=0,1' run in the order given.  --list-passes has "
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
            help="Passes in MLIR's syntax, over both levels.",
        ),
    ] = None,
    output: common.OutputOption = "-",
    compile_to: Annotated[Phase | None, typer.Option("--compile-to", help="Run the passes up to this phase.")] = None,
    profile: common.ProfileOption = Profile.core_v1,
    strict_axes: common.StrictAxes = False,
    strict_positive_dims: common.StrictDims = False,
    strict_matmul2d: common.StrictMatmul = False,
    print_ir_before: Annotated[
        list[str] | None,
        typer.Option(
            "--print-ir-before",
            metavar="PASS",
            autocompletion=_complete_printed,
            help="Print the IR before this pass, or before all of them: all.",
        ),
    ] = None,
    print_ir_after: Annotated[
        list[str] | None,
        typer.Option(
            "--print-ir-after",
            metavar="PASS",
            autocompletion=_complete_printed,
            help="Print the IR after this pass, or after all of them: all.",
        ),
    ] = None,
    timing: Annotated[bool, typer.Option("--timing", help="Print the time of every pass.")] = False,
    remarks: Annotated[
        bool,
        typer.Option("--remarks", help="Say which kernels form-kernels makes, and what it leaves to plain loops."),
    ] = False,
    split_input_file: Annotated[
        bool,
        typer.Option("--split-input-file", help="Treat the parts between lines of // ----- as files of their own."),
    ] = False,
    verify_diagnostics: Annotated[
        bool, typer.Option("--verify-diagnostics", help="Check errors against // expected-error@+1 {{text}} comments.")
    ] = False,
    locations: Annotated[
        bool, typer.Option("--locations", help="Print MLIR with the places that operations come from.")
    ] = False,
    show_digest: Annotated[
        bool, typer.Option("--digest", help="Print the sha256 of the resulting Core IR instead of it.")
    ] = False,
    show_communication: Annotated[
        bool,
        typer.Option(
            "--communication",
            help="Say behind the resulting Core IR how many operations between ranks, and bytes per rank, a run takes.",
        ),
    ] = False,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove", help="Hold the derivatives of the result against finite differences and print a report."
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
    doctor: Annotated[bool, typer.Option("--doctor", help="Say what of the toolchain is installed and stop.")] = False,
    diagnostics: common.DiagnosticsOption = Format.human,
    version: common.VersionOption = False,
) -> None:
    """Run passes over a Core IR file (.mindir) or an MLIR file (.mlir) and print the result.

    FILE is standard input if left out; there, the text itself says which of the two it is.  MLIR of the dialect mind
    is Core IR too: passes of either kind run on it.  Without passes, it is verified.
    """
    del version

    def action() -> int:
        if explain_code is not None:
            return _answers.explain_code(explain_code)
        if doctor:
            return _answers.show_doctor()
        if list_passes:
            return _answers.list_passes()
        options = [name for p in ctx.command.params for name in p.opts if name.startswith("--")]
        file, flags = _arguments(ctx.args, options)
        if sum(map(bool, (pass_pipeline is not None, flags, compile_to is not None))) > 1:
            raise MindError.of("E7007", "give --pass-pipeline, pass flags or --compile-to, not several of them")
        named = file.endswith((".mindir", ".mlir"))
        source = read(file) if not named and not dump_pipeline else None
        start = Level.MLIR if is_mlir(source or Source(file, "")) else Level.CORE
        form = None
        text = pass_pipeline if pass_pipeline is not None else ",".join(flags or PHASES.get(compile_to, []))  # type: ignore[arg-type]
        if start is Level.MLIR and not dump_pipeline:
            source = source or read(file)
            form = form_of_text(source)
            if form is not None and begins_in_core(text):
                start = Level.CORE
        if compile_to and start is Level.MLIR:
            raise MindError.of("E7007", f"--compile-to starts at Core IR, {file} is MLIR", help="-p cpu lowers MLIR")
        pipeline = Pipeline.parse(text, start)
        strict = {
            "strict-axes": strict_axes,
            "strict-positive-dims": strict_positive_dims,
            "strict-matmul2d": strict_matmul2d,
        }
        pipeline = _with_verify(pipeline, profile, strict)
        if dump_pipeline:
            write_output(output, [str(pipeline) + "\n"])
            return EXIT_OK
        check_printed(pipeline, [*(print_ir_before or ()), *(print_ir_after or ())])
        timer = Timing() if timing else None
        if timer:
            np.ndarray  # noqa: B018  loads NumPy, so that no pass is charged for it
        watchers: list[Watcher] = [IrPrinter(print_ir_before or (), print_ir_after or ())]
        if timer:
            watchers.append(timer)
        if remarks:
            watchers.append(KernelRemarks(pipeline))
        run = PipelineRun(pipeline, watchers, locations, show_digest, prove, form, show_communication)
        source = source or read(file)
        parts = split_source(source) if split_input_file else [source]

        def work() -> int:
            try:
                return run.all(parts, output, verify_diagnostics, diagnostics)
            finally:
                if timer:
                    print(timer.report(), file=sys.stderr)

        suffix = ".mlir" if form or start is Level.MLIR else ".mindir"
        run_it = common.guarded if form or pipeline.crosses else common.outcome
        return run_it(work, diagnostics, lambda: (f"// mind-opt %s -p '{pipeline}'\n{source.text}", suffix))

    common.finish(action, diagnostics)


def _arguments(arguments: list[str], options: list[str]) -> tuple[str, list[str]]:
    """The file, and the flags as pipeline elements in the order given.  E7007 for what is nearly one of `options`."""
    files, flags = [], []
    for a in arguments:
        if a.startswith("--"):
            name, _, values = a[2:].partition("=")
            known = any(name == pass_name for _, pass_name in (*PASSES, *PIPELINES))
            near = () if known else difflib.get_close_matches(f"--{name}", options, n=1, cutoff=0.8)
            if near:
                raise MindError.of("E7007", f"unknown option --{name}", help=f"did you mean {near[0]}?")
            flags.append(f"{name}{{{values.strip('{}')}}}" if values else name)
        elif a.startswith("-") and a != "-":
            raise MindError.of("E7007", f"unknown option {a}", help="passes and long options start with --")
        else:
            files.append(a)
    if len(files) > 1:
        raise MindError.of("E7007", f"one file expected, found {len(files)}: {', '.join(files)}")
    return (files or ["-"])[0], flags


def _with_verify(pipeline: Pipeline, profile: Profile, strict: dict[str, bool]) -> Pipeline:
    """Verify first, with what the command line says, so that no later step meets a broken module."""
    if pipeline.start is not Level.CORE:
        return pipeline
    steps = pipeline.steps
    given: dict[str, Any] = {}
    if steps and steps[0].name == "verify":
        given, steps = dict(steps[0].options), steps[1:]
    steps = tuple(s.with_option("profile", profile.value) if s.name == "linearize" else s for s in steps)
    options = {"profile": profile.value, **{k: v for k, v in strict.items() if v}, **given}
    shown = " ".join(f"{k}={show_option(v)}" for k, v in options.items())
    first = Pipeline.parse(f"verify{{{shown}}}").steps[0]
    return Pipeline((first, *steps))


def main() -> None:
    """Run the command."""
    common.run(app, "mind-opt")


if __name__ == "__main__":
    main()
