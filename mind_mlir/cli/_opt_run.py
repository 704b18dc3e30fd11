"""Runs mind-opt, once its command line has been read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..dialects.text import form_of_text
from ..ir import MindError, Source, np
from ..passes.pipeline import Pipeline, Watcher, begins_in_core
from ..passes.registry import Level
from ._files import is_mlir, read, write_output
from ._guarded import guarded
from ._opt_arguments import file_and_flags, with_verify
from ._opt_usage_gen import OPTIONS
from ._pipeline_run import IrPrinter, KernelRemarks, PipelineRun, check_printed, split_source
from ._reporting import EXIT_OK, Format, outcome

if TYPE_CHECKING:
    from ..dialects.encoding import Form
    from ..passes.timing import Timing

PHASES = {
    "core": ["verify", "canonicalize"],
    "gradient": ["verify", "gradient"],
    "linalg": ["verify", "canonicalize", "lower-to-linalg"],
    "bufferized": ["verify", "canonicalize", "lower-to-linalg", "cpu-fuse", "cpu-bufferize"],
    "llvm": ["verify", "canonicalize", "lower-to-linalg", "cpu"],
}
"""Phase of --compile-to -> the passes up to it."""


class Options(NamedTuple):
    """The options of a command line, without FILE and the flags of passes; `_opt_options.py` describes them."""

    pass_pipeline: str | None = None
    output: str = "-"
    compile_to: str | None = None
    profile: str = "core-v1"
    strict_axes: bool = False
    strict_positive_dims: bool = False
    strict_matmul2d: bool = False
    print_ir_before: Sequence[str] | None = None
    print_ir_after: Sequence[str] | None = None
    timing: bool = False
    remarks: bool = False
    split_input_file: bool = False
    verify_diagnostics: bool = False
    locations: bool = False
    show_digest: bool = False
    show_communication: bool = False
    prove: bool = False
    dump_pipeline: bool = False
    list_passes: bool = False
    explain_code: str | None = None
    doctor: bool = False
    diagnostics: str = "human"

    @property
    def format(self) -> Format:
        """The form in which errors are reported."""
        return Format(self.diagnostics)

    @property
    def strict(self) -> dict[str, bool]:
        """The options of verify that refuse more than a profile does, by name."""
        return {
            "strict-axes": self.strict_axes,
            "strict-positive-dims": self.strict_positive_dims,
            "strict-matmul2d": self.strict_matmul2d,
        }


class Opened(NamedTuple):
    """A file of Core IR or MLIR, and its text if it has been read."""

    file: str
    source: Source | None
    level: Level
    form: Form | None = None
    """The form of the dialect mind in it; None if it is not of the dialect."""

    @property
    def text(self) -> Source:
        """The text, read now if it has not been."""
        return self.source or read(self.file)


def run(arguments: list[str], **given: Any) -> int:
    """Run with the options `given`, which are those of Options; `arguments` are the file and the flags of passes.

    Returns the exit status; every error becomes a diagnostic.
    """
    options = Options(**given)
    return outcome(lambda: _run(arguments, options), options.format)


def _run(arguments: list[str], options: Options) -> int:
    if options.explain_code is not None or options.doctor or options.list_passes:
        return _answer(options)
    file, flags = file_and_flags(arguments, [name for name in OPTIONS if name.startswith("--")])
    text = _passes(options, flags)
    opened = _opened(file, text, options)
    pipeline = with_verify(Pipeline.parse(text, opened.level), options.profile, options.strict)
    if options.dump_pipeline:
        write_output(options.output, [str(pipeline) + "\n"])
        return EXIT_OK
    check_printed(pipeline, [*(options.print_ir_before or ()), *(options.print_ir_after or ())])
    return _run_passes(pipeline, opened, options)


def _answer(options: Options) -> int:
    """Print what --explain-code, --doctor or --list-passes ask for."""
    from . import _answers

    if options.explain_code is not None:
        return _answers.explain_code(options.explain_code)
    return _answers.show_doctor() if options.doctor else _answers.list_passes()


def _passes(options: Options, flags: list[str]) -> str:
    """The text of the pipeline, which one of three options gives. E7007 for several of them."""
    if sum(map(bool, (options.pass_pipeline is not None, flags, options.compile_to is not None))) > 1:
        raise MindError.of("E7007", "give --pass-pipeline, pass flags or --compile-to, not several of them")
    if options.pass_pipeline is not None:
        return options.pass_pipeline
    return ",".join(flags or PHASES.get(options.compile_to or "", []))


def _opened(file: str, text: str, options: Options) -> Opened:
    """The file, read if its name does not say whether it is Core IR or MLIR. E7007 for --compile-to of MLIR."""
    named = file.endswith((".mindir", ".mlir"))
    source = read(file) if not named and not options.dump_pipeline else None
    level = Level.MLIR if is_mlir(source or Source(file, "")) else Level.CORE
    form = None
    if level is Level.MLIR and not options.dump_pipeline:
        source = source or read(file)
        form = form_of_text(source)
        if form is not None and begins_in_core(text):
            level = Level.CORE
    if options.compile_to and level is Level.MLIR:
        raise MindError.of("E7007", f"--compile-to starts at Core IR, {file} is MLIR", help="-p cpu lowers MLIR")
    return Opened(file, source, level, form)


def _run_passes(pipeline: Pipeline, opened: Opened, options: Options) -> int:
    """Run the passes on the file, or on each of its parts, guarded if they need MLIR."""
    timer = _timer() if options.timing else None
    watchers: list[Watcher] = [IrPrinter(options.print_ir_before or (), options.print_ir_after or ())]
    if timer:
        watchers.append(timer)
    if options.remarks:
        watchers.append(KernelRemarks(pipeline))
    form = opened.form
    passes = PipelineRun(
        pipeline, watchers, options.locations, options.show_digest, options.prove, form, options.show_communication
    )
    source = opened.text
    parts = split_source(source) if options.split_input_file else [source]

    def work() -> int:
        try:
            return passes.all(parts, options.output, options.verify_diagnostics, options.format)
        finally:
            if timer:
                print(timer.report(), file=sys.stderr)

    suffix = ".mlir" if form or opened.level is Level.MLIR else ".mindir"
    run_it = guarded if form or pipeline.crosses else outcome
    return run_it(work, options.format, lambda: (f"// mind-opt %s -p '{pipeline}'\n{source.text}", suffix))


def _timer() -> Timing:
    from ..passes.timing import Timing

    np.ndarray  # noqa: B018  loads NumPy, so that its time is counted for no pass
    return Timing()
