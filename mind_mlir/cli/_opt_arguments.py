"""Reads the arguments of mind-opt: the file, and passes in the order of their flags, with verify in front of them."""

from __future__ import annotations

from typing import Any

from .. import lowering  # noqa: F401  registers its passes
from ..ir import MindError
from ..passes.pipeline import Pipeline
from ..passes.registry import PASSES, PIPELINES, Level, show_option


def file_and_flags(arguments: list[str], options: list[str]) -> tuple[str, list[str]]:
    """The file, and the flags of passes in order, as elements of a pipeline. E7007 for a misspelt one of `options`."""
    files, flags = [], []
    for a in arguments:
        if a.startswith("--"):
            name, _, values = a[2:].partition("=")
            known = any(name == pass_name for _, pass_name in (*PASSES, *PIPELINES))
            near = () if known else _near(f"--{name}", options)
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


def _near(name: str, options: list[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(name, options, n=1, cutoff=0.8)


def with_verify(pipeline: Pipeline, profile: str, strict: dict[str, bool]) -> Pipeline:
    """The pipeline with verify in front, by the command line's options, so that no pass meets an invalid module."""
    if pipeline.start is not Level.CORE:
        return pipeline
    steps = pipeline.steps
    given: dict[str, Any] = {}
    if steps and steps[0].name == "verify":
        given, steps = dict(steps[0].options), steps[1:]
    steps = tuple(s.with_option("profile", profile) if s.name == "linearize" else s for s in steps)
    options = {"profile": profile, **{k: v for k, v in strict.items() if v}, **given}
    shown = " ".join(f"{k}={show_option(v)}" for k, v in options.items())
    first = Pipeline.parse(f"verify{{{shown}}}").steps[0]
    return Pipeline((first, *steps))
