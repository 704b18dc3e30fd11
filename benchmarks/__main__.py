"""The benchmarks by name: `python -m benchmarks cpu`, `frontend`, `start`, `compile`, `calls`, `mpi`, …"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from .mpi.cluster import ALGORITHM, BANDWIDTH, LATENCY, RANKS, RATE

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Benchmarks. Every figure in docs/results.md, docs/scaling.md and of bytes beside XLA comes from one.",
)

WriteOption = Annotated[bool, typer.Option("--write", help="Write the tables into docs/results.md.")]


@app.command()
def cpu(
    peers: Annotated[
        str, typer.Option("--peers", metavar="NAME,…", help="The libraries to compare with; also mkl, onednn.")
    ] = "numpy,torch,jax,iree",
    threads: Annotated[int, typer.Option("--threads", min=1, help="The largest number of threads of each.")] = 1,
    cases: Annotated[
        str,
        typer.Option("--cases", metavar="GLOB", help="Only cases of these names, such as 'matmul*/*' or 'mlp-*/128'."),
    ] = "*",
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure one size of each in few rounds, in about a minute.")
    ] = False,
    target: Annotated[
        str,
        typer.Option(
            "--cpu", metavar="CPU", help="The CPU to make code for, by LLVM's name: one with AVX2, or native."
        ),
    ] = "native",
    write: WriteOption = False,
) -> None:
    """Compare native CPU code with NumPy, PyTorch, JAX and IREE, interleaved in one run of about ten minutes.

    Ctrl-C ends the run and reports what has been measured.
    """
    from .cpu import command
    from .cpu.cases import FAMILIES, select
    from .cpu.peers import LIBRARIES, PEERS

    names = [p for p in peers.split(",") if p]
    if unknown := [p for p in names if p not in (*PEERS, *LIBRARIES)]:
        known = ", ".join((*PEERS, *LIBRARIES))
        raise typer.BadParameter(f"no peer is named {', '.join(unknown)}; there are {known}")
    if not select(cases, quick, threads):
        raise typer.BadParameter(f"no case matches {cases!r}; the families are {', '.join(f.name for f in FAMILIES)}")
    if target != "native":
        _check_cpu(target)
    raise typer.Exit(command.run(names, threads, cases, quick, write, target))


def _check_cpu(name: str) -> None:
    """BadParameter for a CPU to whose instructions the peers cannot be limited."""
    from mind_mlir import MindError
    from mind_mlir.lowering.targets.system import kernels_for

    try:
        kind = kernels_for(name)
    except MindError as why:
        raise typer.BadParameter(why.diagnostics[0].message) from None
    if kind != "avx2":
        raise typer.BadParameter(
            f"the peers can be limited to AVX2 alone, and {name} has {kind}; haswell and znver3 fit"
        )


@app.command()
def frontend(write: WriteOption = False) -> None:
    """Measure the front end: time per operation, tracing, overhead of calls, large constants; about two minutes."""
    from .frontend import main

    raise typer.Exit(main(["--write"] if write else []))


@app.command()
def start(write: WriteOption = False) -> None:
    """Measure start-up: CPU time of fresh processes, less that of a bare Python; half a minute.

    The exit status is 1 if a bar is not met.
    """
    from .start import main

    raise typer.Exit(main(write))


@app.command(name="compile")
def compile_(
    quick: Annotated[bool, typer.Option("--quick", help="Measure one round, on a tenth of the operations.")] = False,
    write: WriteOption = False,
) -> None:
    """Measure compilation: first results of fresh processes beside JAX's, and long modules; two minutes.

    The exit status is 1 if a bar is not met.
    """
    from .compile.command import run

    raise typer.Exit(run(quick, write))


@app.command()
def calls(
    quick: Annotated[bool, typer.Option("--quick", help="Measure few rounds, in about a second.")] = False,
    write: WriteOption = False,
) -> None:
    """Measure the overhead of a call, beside numpy.add and JAX's jitted functions; half a minute."""
    from .calls import main

    raise typer.Exit(main(write, *((3, 500) if quick else ())))


@app.command()
def mpi(
    simulate: Annotated[
        str | None,
        typer.Option(
            "--simulate", metavar=RANKS, help="Do not measure; simulate these numbers of ranks, powers of two."
        ),
    ] = None,
    latency: Annotated[
        float, typer.Option("--latency", min=0, help="Simulated latency of a message, in µs.")
    ] = LATENCY,
    bandwidth: Annotated[
        float, typer.Option("--bandwidth", min=1e-6, help="Simulated bandwidth of a rank's link, in GB/s.")
    ] = BANDWIDTH,
    flops: Annotated[float, typer.Option("--flops", min=1e-6, help="Simulated rate of a rank, in GFLOP/s.")] = RATE,
    algorithm: Annotated[
        str, typer.Option("--algorithm", metavar="ring|tree|best", help="Simulated algorithm of collectives.")
    ] = ALGORITHM,
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure small arrays in few rounds, in about a minute.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the tables and the plot into docs/scaling.md.")] = False,
) -> None:
    """Measure steps on 1, 2 and 4 ranks of this machine, in about five minutes; with --simulate, model more ranks.

    Ctrl-C ends the run and reports what has been measured.
    """
    from .mpi import command
    from .mpi.model import ALGORITHMS

    if algorithm not in ALGORITHMS:
        raise typer.BadParameter(f"no algorithm is named {algorithm}; there are {', '.join(ALGORITHMS)}")
    if simulate is None:
        raise typer.Exit(command.measure(quick, write))
    try:
        status = command.simulate(simulate, latency, bandwidth, flops, algorithm, write)
    except ValueError as why:
        raise typer.BadParameter(str(why)) from None
    raise typer.Exit(status)


@app.command()
def communication(
    quick: Annotated[bool, typer.Option("--quick", help="Take a few programs, in some seconds.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the table into docs/sharding.md.")] = False,
) -> None:
    """Count the bytes that partitioned programs send, beside XLA's for the same shardings; half a minute, needs JAX.

    The exit status is 1 if one of our programs sends more, 2 without JAX.
    """
    from .communication.command import run

    raise typer.Exit(run(quick, write))


@app.command()
def accuracy(
    opcodes: Annotated[list[str], typer.Argument(metavar="OPCODE…", help="Functions of one float, such as Tanh.")],
    numerics: Annotated[str, typer.Option("--numerics", metavar="strict|default|fast")] = "default",
    stride: Annotated[int, typer.Option("--stride", min=1, help="Take every so many-th f32 only.")] = 1,
) -> None:
    """Find the largest error of functions over every f32, in a few minutes each; the exit status is 1 above one ulp."""
    from .accuracy import run

    raise typer.Exit(run(opcodes, numerics, stride))


if __name__ == "__main__":
    sys.exit(app(prog_name="python -m benchmarks"))
