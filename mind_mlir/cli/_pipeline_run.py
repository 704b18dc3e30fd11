"""Runs one pipeline on a file or its parts, and writes the results: the work of mind-opt."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ..dialects.encoding import Form
from ..ir import MindError, Source, digest, parse_source, text_pieces
from ..passes.pipeline import Pipeline, Step, Watcher, is_core
from ..passes.registry import Level
from ._files import write_output
from ._reporting import EXIT_INPUT, EXIT_OK, Format, report

_SEPARATOR = re.compile(r"^// -----[ \t]*$", re.MULTILINE)


class PipelineRun:
    """Runs one pipeline on each part of a file."""

    def __init__(
        self,
        pipeline: Pipeline,
        watchers: Sequence[Watcher],
        locations: bool,
        show_digest: bool,
        prove: bool = False,
        form: Form | None = None,
        show_communication: bool = False,
    ) -> None:
        """`form` is the form of the dialect `mind` in which the input is; Core IR is then written in it too."""
        self.show_communication = show_communication
        self.pipeline, self.watchers, self.locations = pipeline, watchers, locations
        self.show_digest, self.prove, self.form = show_digest, prove, form

    def one(self, source: Source) -> Any:
        """The result for one part: a Module or an MLIR module."""
        if self.pipeline.start is Level.MLIR:
            start: Any = source
            state = self._read(source)
        elif self.form is not None:
            from ..dialects.from_mind import from_mind

            start = state = from_mind(self._read(source), source)
        else:
            start = state = parse_source(source)
        if not self.pipeline.crosses:
            return self.pipeline.run(state, self.watchers)
        from ..lowering.mlir.failure import MlirPassFailed
        from ..lowering.mlir.pass_driver import pass_failed

        try:
            return self.pipeline.run(state, self.watchers)
        except MlirPassFailed as why:
            raise pass_failed(self.pipeline, start, why, self._read) from None

    def _read(self, source: Source) -> Any:
        """MLIR from text, which may be of the dialect `mind`."""
        if self.form is not None:
            from ..dialects.text import parse_dialect

            return parse_dialect(source)
        from ..lowering.mlir.pass_driver import parse_mlir

        return parse_mlir(source)

    def all(self, parts: list[Source], output: str, verify_diagnostics: bool, format: Format) -> int:
        """Run every part, write the results to `output` and the errors to standard error; returns the exit status."""
        status, failed, printed = EXIT_OK, EXIT_OK, []
        for source in parts:
            try:
                result = self.one(source)
                comments = self._communication(result) if self.show_communication else []
                if self.prove:
                    from ._prove import prove

                    result = prove(result)
                error = None
            except MindError as e:
                result, error = None, e
            if verify_diagnostics:
                from ._expected import check_expected

                if (mismatch := check_expected(source, error)) is not None:
                    status = max(status, report(mismatch, format))
            elif error is not None:
                status = max(status, report(error, format))
            else:
                printed.append((result, comments))
                if self.prove and not result.ok:
                    failed = EXIT_INPUT
        if printed and (status == EXIT_OK or len(parts) > 1):
            write_output(output, self._texts(printed))
        return max(status, failed)

    def _communication(self, result: Any) -> list[str]:
        """What a run sends between ranks, as lines of comments. E7007 for a result that is not Core IR."""
        if not is_core(result):
            raise MindError.of("E7007", "--communication is for Core IR; this pipeline ends in MLIR")
        from ..passes.sharding.communication import communication

        return communication(result).lines()

    def _texts(self, results: list[tuple[Any, list[str]]]) -> Iterator[str]:
        for n, (result, comments) in enumerate(results):
            if n:
                yield "// -----\n"
            if self.prove:
                yield result.text
            elif not is_core(result):
                if self.show_digest:
                    raise MindError.of("E7007", "--digest is for Core IR; this pipeline ends in MLIR")
                from ..lowering.mlir.pass_driver import mlir_text

                yield mlir_text(result, self.locations)
            elif self.show_digest:
                yield digest(result) + "\n"
            elif self.form is not None:
                from ..dialects.text import dialect_text

                yield dialect_text(result, self.form, locations=self.locations)
            else:
                yield from text_pieces(result)
            yield from (f"{line}\n" for line in comments)


class IrPrinter:
    """Prints the IR around passes, to standard error as mlir-opt does."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self.wanted = {"before": set(before), "after": set(after)}

    def __call__(self, when: str, step: Step, state: Any) -> None:
        if self.wanted[when] & {*pass_names(step), "all"}:
            if is_core(state):
                text = str(state)
            else:
                from ..lowering.mlir.pass_driver import mlir_text

                text = mlir_text(state)
            print(f"// ----- IR {when} {step.text}\n{text}", file=sys.stderr)


class KernelRemarks:
    """Prints the remarks of form-kernels to standard error, one on each line."""

    def __init__(self, pipeline: Pipeline) -> None:
        """E7007 for a pipeline without that pass."""
        if all(s.name != "form-kernels" for s in pipeline.steps):
            help = "--compile-to=llvm, or -p 'lower-to-linalg,cpu', has it"
            raise MindError.of("E7007", "--remarks prints those of form-kernels, which does not run", help=help)

    def __call__(self, when: str, step: Step, state: Any) -> None:
        if when == "after" and step.name == "form-kernels":
            from ..lowering.interface.remarks import kernel_remarks

            for line in kernel_remarks(state, **step.keywords):
                print(f"remark: {line}", file=sys.stderr)


def check_printed(pipeline: Pipeline, names: list[str]) -> None:
    """E7002 if the IR around a pass is to be printed, and it does not run."""
    run = list(dict.fromkeys(name for step in pipeline.steps for name in pass_names(step)))
    for name in names:
        if name != "all" and name not in run:
            raise MindError.of("E7002", f"no pass named {name} runs", help=f"all, or one of: {', '.join(run)}")


def pass_names(step: Step) -> list[str]:
    """The name of the pass; for a nested pipeline, the names of anchors and passes in it, which run as one step."""
    return re.findall(r"[\w.-]+", re.sub(r"\{[^{}]*\}", "", step.text))


def split_source(source: Source) -> list[Source]:
    """The parts of a file, each with blank lines in front, so that line numbers are those of the file."""
    parts, start = [], 0
    for m in [*_SEPARATOR.finditer(source.text), None]:
        end = m.start() if m else len(source.text)
        lines = source.text.count("\n", 0, start)
        parts.append(Source(source.name, "\n" * lines + source.text[start:end]))
        start = m.end() + 1 if m else end
    return parts
