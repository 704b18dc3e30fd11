"""Runs mind-opt, once its command line has been read."""

from __future__ import annotations

import sys
from collections.abc import Sequence

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

PHASES = {
    "core": ["verify", "canonicalize"],
    "gradient": ["verify", "gradient"],
    "linalg": ["verify", "canonicalize", "lower-to-linalg"],
    "bufferized": ["verify", "canonicalize", "lower-to-linalg", "cpu-fuse", "cpu-bufferize"],
    "llvm": ["verify", "canonicalize", "lower-to-linalg", "cpu"],
}
"""Phase of --compile-to -> the passes up to it."""


def run(
    arguments: list[str],
    *,
    pass_pipeline: str | None = None,
    output: str = "-",
    compile_to: str | None = None,
    profile: str = "core-v1",
    strict_axes: bool = False,
    strict_positive_dims: bool = False,
    strict_matmul2d: bool = False,
    print_ir_before: Sequence[str] | None = None,
    print_ir_after: Sequence[str] | None = None,
    timing: bool = False,
    remarks: bool = False,
    split_input_file: bool = False,
    verify_diagnostics: bool = False,
    locations: bool = False,
    show_digest: bool = False,
    show_communication: bool = False,
    prove: bool = False,
    dump_pipeline: bool = False,
    list_passes: bool = False,
    explain_code: str | None = None,
    doctor: bool = False,
    diagnostics: str = "human",
) -> int:
    """Run with the options that `_opt_options.py` describes; `arguments` are the file and the flags of passes.

    Returns the exit status; every error becomes a diagnostic.
    """
    format = Format(diagnostics)

    def action() -> int:
        if explain_code is not None or doctor or list_passes:
            from . import _answers

            if explain_code is not None:
                return _answers.explain_code(explain_code)
            return _answers.show_doctor() if doctor else _answers.list_passes()
        file, flags = file_and_flags(arguments, [name for name in OPTIONS if name.startswith("--")])
        if sum(map(bool, (pass_pipeline is not None, flags, compile_to is not None))) > 1:
            raise MindError.of("E7007", "give --pass-pipeline, pass flags or --compile-to, not several of them")
        named = file.endswith((".mindir", ".mlir"))
        source = read(file) if not named and not dump_pipeline else None
        start = Level.MLIR if is_mlir(source or Source(file, "")) else Level.CORE
        form = None
        text = pass_pipeline if pass_pipeline is not None else ",".join(flags or PHASES.get(compile_to or "", []))
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
        pipeline = with_verify(pipeline, profile, strict)
        if dump_pipeline:
            write_output(output, [str(pipeline) + "\n"])
            return EXIT_OK
        check_printed(pipeline, [*(print_ir_before or ()), *(print_ir_after or ())])
        timer = None
        if timing:
            from ..passes.timing import Timing

            timer = Timing()
            np.ndarray  # noqa: B018  loads NumPy, so that its time is counted for no pass
        watchers: list[Watcher] = [IrPrinter(print_ir_before or (), print_ir_after or ())]
        if timer:
            watchers.append(timer)
        if remarks:
            watchers.append(KernelRemarks(pipeline))
        passes = PipelineRun(pipeline, watchers, locations, show_digest, prove, form, show_communication)
        source = source or read(file)
        parts = split_source(source) if split_input_file else [source]

        def work() -> int:
            try:
                return passes.all(parts, output, verify_diagnostics, format)
            finally:
                if timer:
                    print(timer.report(), file=sys.stderr)

        suffix = ".mlir" if form or start is Level.MLIR else ".mindir"
        run_it = guarded if form or pipeline.crosses else outcome
        return run_it(work, format, lambda: (f"// mind-opt %s -p '{pipeline}'\n{source.text}", suffix))

    return outcome(action, format)
