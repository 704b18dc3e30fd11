"""A plain command line, read without typer, says what typer says of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from hypothesis import given, strategies as st

from mind_mlir.cli import _opt_run
from mind_mlir.cli._opt_options import app
from mind_mlir.cli._opt_usage_gen import OPTIONS
from mind_mlir.cli._plain import read

COMMAND = typer.main.get_command(app)


def said_by_typer(words):
    """The parameters and the other arguments; ClickException for wrong usage."""
    with COMMAND.make_context("mind-opt", list(words)) as context:
        values = {name: list(v) if isinstance(v, tuple) else v for name, v in context.params.items()}
        return {name: None if v == [] else v for name, v in values.items() if name != "version"}, context.args


VALUES = [v for _, takes in OPTIONS.values() if isinstance(takes, tuple) for v in takes]
WORDS = st.sampled_from(
    [*OPTIONS, *VALUES, "m.mindir", "-", "--", "a b", "", "--canonicalize", "--gradient=wrt=0,1", "-x", "--output="]
)
JOINED = st.builds("{}={}".format, st.sampled_from(sorted(OPTIONS)), st.sampled_from([*VALUES, "x", ""]))


@given(st.lists(WORDS | JOINED, max_size=5))
def test_a_line_that_is_read_without_typer_says_the_same_as_with_it(words):
    plain = read(words, OPTIONS)
    if plain is None:
        return  # typer reads it
    params, arguments = said_by_typer(words)
    assert plain.arguments == arguments
    assert {**_opt_run.Options()._asdict(), **plain.options} == params


@pytest.mark.parametrize(
    "words",
    [
        ["m.mindir", "--verify", "--canonicalize"],
        ["--profile=extended", "-", "-p", "verify,canonicalize", "-o", "out"],
        ["m.mindir", "--compile-to", "llvm", "--print-ir-after", "all", "--print-ir-after=cse"],
    ],
)
def test_usual_lines_are_read_without_typer(words):
    assert read(words, OPTIONS) is not None


@pytest.mark.parametrize(
    "words",
    [
        *(["--profile"], ["--profile", "no"], ["--profile=extended", "--profile=core-v1"], ["-ofile"], ["-x"]),
        *(["--timing=1"], ["-o", "--timing"], ["--", "m.mindir"], ["m.mindir", "--help"], ["--version"], ["-p=x"]),
    ],
)
def test_everything_else_is_left_to_typer(words):
    assert read(words, OPTIONS) is None


def help_of(columns, program):
    """What a program writes on a terminal so wide."""
    paths = f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parent.parent}"
    environment = {**os.environ, "COLUMNS": str(columns), "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


BY_MAIN = "import sys; sys.argv = ['mind-opt', '--help']; from mind_mlir.cli.mind_opt import main; main()"
BY_TYPER = "from mind_mlir.cli._opt_options import app; app(['--help'], prog_name='mind-opt')"


@pytest.mark.parametrize("columns", [60, 79, 80, 200])
def test_the_help_is_typers_at_every_width(columns):
    text = help_of(columns, BY_MAIN)
    assert text == help_of(columns, BY_TYPER)
    assert max(map(len, text.splitlines())) <= columns
