"""The measurements by name: `python -m benchmarks cpu`, `python -m benchmarks frontend`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Measurements.  Every figure in docs/performance.md comes from one of these commands.",
)

WriteOption = Annotated[bool, typer.Option("--write", help="Put the tables into docs/performance.md.")]


@app.command()
def cpu(
    peers: Annotated[
        str, typer.Option("--peers", metavar="NAME,…", help="Whom to measure beside us; those installed of these.")
    ] = "numpy,torch,jax,iree",
    threads: Annotated[int, typer.Option("--threads", min=1, help="Largest number of threads of each.")] = 1,
    cases: Annotated[
        str, typer.Option("--cases", metavar="GLOB", help="Cases by name, such as 'matmul*/*' or 'mlp-*/128'.")
    ] = "*",
    quick: Annotated[bool, typer.Option("--quick", help="One size of each and few rounds: about a minute.")] = False,
    write: WriteOption = False,
) -> None:
    """Native CPU code beside NumPy, PyTorch, JAX and IREE, interleaved in one run: about ten minutes.

    Ctrl-C ends the run and reports what it has.
    """
    from .cpu import command
    from .cpu.cases import FAMILIES, select
    from .cpu.peers import PEERS

    names = [p for p in peers.split(",") if p]
    if unknown := [p for p in names if p not in PEERS]:
        raise typer.BadParameter(f"no peer is named {', '.join(unknown)}; there are {', '.join(PEERS)}")
    if not select(cases, quick, threads):
        raise typer.BadParameter(f"no case matches {cases!r}; the families are {', '.join(f.name for f in FAMILIES)}")
    raise typer.Exit(command.run(names, threads, cases, quick, write))


@app.command()
def frontend(write: WriteOption = False) -> None:
    """The front end: cost per operation, start-up, tracing, call overhead, large constants; about two minutes."""
    from .frontend import main

    raise typer.Exit(main(["--write"] if write else []))


if __name__ == "__main__":
    sys.exit(app(prog_name="python -m benchmarks"))
