"""mind-run: runs a Core IR file on arrays."""

from __future__ import annotations

import io
import os
import statistics
import time
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..ir import MindError, Module, TensorType, np
from ..passes.preflight import check_before_run
from ..runtime.arguments import random_arguments, random_arrays
from ..runtime.threads import MOST
from . import _shared_options as shared
from ._command import run_command
from ._compare import compare as compare_outputs
from ._files import read_core, replaced_file
from ._guarded import guarded
from ._numerics import Numerics, Precision
from ._profile import Profile, verified
from ._reporting import EXIT_INPUT, EXIT_OK, Format, finish, outcome
from ._reproducers import core_reproducer

if TYPE_CHECKING:
    from ..runtime.executable import Executable
    from ..runtime.gpu.artifact import Artifact

app = shared.make_app()


class Target(str, Enum):
    """What runs the module."""

    cpu = "cpu"
    gpu = "gpu"
    interpret = "interpret"


class Prefer(str, Enum):
    """What the sharding of a module for ranks minimizes."""

    bytes = "bytes"
    time = "time"


@app.command(context_settings=shared.SETTINGS)
def mind_run(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Core IR in any of its text forms, or the folder of a GPU artifact; - is standard input.",
        ),
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--inputs", metavar="IN.npz", help="Arguments by Input name; several archives may be given."),
    ] = None,
    outputs: Annotated[
        str | None,
        typer.Option(
            "--outputs", metavar="OUT.npz", help="Write results here, as out0, out1, …, instead of printing them."
        ),
    ] = None,
    target: Annotated[
        Target, typer.Option("--target", help="Run native code, code for a GPU, or the NumPy interpreter.")
    ] = Target.cpu,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare", help="Run the interpreter too; fail if a value differs by more than --numerics allows."
        ),
    ] = False,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", min=0.0, help="The relative difference that --compare allows instead; 0 means equal bits."
        ),
    ] = None,
    benchmark: Annotated[bool, typer.Option("--benchmark", help="Time calls, without the compilation.")] = False,
    random: Annotated[
        int | None, typer.Option("--random", metavar="SEED", min=0, help="Random arguments instead of --inputs.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            min=1,
            max=MOST,
            help="The largest number of threads; without it, MIND_NUM_THREADS, else all cores.",
        ),
    ] = None,
    mpi: Annotated[
        bool,
        typer.Option(
            "--mpi", help="Run on the ranks of FILE's mesh: start them, or within a job of MPI be one of them."
        ),
    ] = False,
    prefer: Annotated[
        Prefer,
        typer.Option(
            "--prefer", help="With --mpi: shard FILE for few bytes sent, or for little time, with ranks measured once."
        ),
    ] = Prefer.bytes,
    numerics: shared.NumericsOption = Numerics.default,
    precision: shared.PrecisionOption = Precision.f32,
    tuning: shared.TuningOption = None,
    profile: shared.ProfileOption = Profile.core_v1,
    diagnostics: shared.DiagnosticsOption = Format.human,
    version: shared.VersionOption = False,
) -> None:
    """Run FILE on arrays from .npz archives, and print the results or write them to another archive."""
    del version

    def action() -> int:
        if inputs and random is not None:
            raise MindError.of("E7007", "give --inputs or --random, not both")
        if tolerance is not None and not compare:
            raise MindError.of("E7007", "--tolerance is for --compare")
        if compare and tolerance is None and precision is not Precision.f32:
            message = f"--compare bounds rounding of f32, not of {precision.value}"
            raise MindError.of("E7007", message, help="give --tolerance")
        if prefer is not Prefer.bytes and not mpi:
            raise MindError.of("E7007", "--prefer is for --mpi")
        if os.path.isdir(file):
            return _run_artifact(file, target, compare, inputs or [], random, outputs, benchmark)
        source = read_core(file, "mind-run")
        m = verified(source, profile)
        check_before_run(m)
        if mpi:
            options = {"target": target.value, "threads": threads, "numerics": numerics.value, "tuning": tuning}
            return _run_on_ranks(m, options, prefer, inputs or [], random, outputs, compare, tolerance, benchmark)
        types = {o.op.name: o.type for o in m.inputs}  # type: ignore[attr-defined]
        arguments = random_arguments(m, random) if random is not None else _arguments(types, inputs or [])

        def work() -> int:
            from .. import compile
            from ..runtime.arguments import bind

            exe = compile(m, target.value, threads, numerics.value, tuning, precision.value)
            arrays = bind(exe.input_names, exe.input_types, (), arguments)
            results = exe(*arrays)
            agreement = ""
            if compare:
                turned = target is Target.interpret
                other = compile(m, "cpu" if turned else "interpret", threads, numerics.value, tuning)
                native, expected = (results, other(*arrays))[:: -1 if turned else 1]
                where = "cpu" if turned else target.value
                agreement = compare_outputs(m, arrays, native, expected, numerics.value, tolerance, where)
            _tell(m, results, outputs, agreement, shown=not (compare or benchmark))
            if benchmark:
                print(_benchmark(exe, arrays))
            return EXIT_OK

        run_it = outcome if target is Target.interpret and not compare else guarded
        return run_it(
            work,
            diagnostics,
            lambda: (core_reproducer(m, f"mind-run %s --target={target.value}"), ".mindir"),
        )

    finish(action, diagnostics)


def _run_on_ranks(
    m: Module,
    options: dict[str, Any],
    prefer: Prefer,
    inputs: list[str],
    seed: int | None,
    outputs: str | None,
    compare: bool,
    tolerance: float | None,
    benchmark: bool,
) -> int:
    """Run on the ranks of the mesh. The first rank prints, writes and compares."""
    from . import _mpi_run
    from ._mapped import mapped_arrays

    if (status := _mpi_run.start_job(m)) is not None:
        return EXIT_OK if status == 0 else EXIT_INPUT
    try:
        run = _mpi_run.RankRun(m, options, prefer.value)
        types = dict(zip(*run.names_and_types()))
        given = random_arguments(m, seed) if seed is not None else _arguments(types, inputs, mapped_arrays)
        arrays = run.arguments(given)
        results = run.whole(run.exe(*arrays))
        if run.is_first:
            agreement = ""
            if compare:
                from .. import compile

                whole = [np.array(given[name]) for name in types]
                expected = compile(m, "interpret")(*whole)
                agreement = compare_outputs(m, whole, results, expected, options["numerics"], tolerance, "mpi")
            _tell(m, results, outputs, agreement, shown=not (compare or benchmark))
        if benchmark:
            said = run.benchmark(arrays)
            if run.is_first:
                print(said)
        return EXIT_OK
    except MindError as why:
        if m.mesh is not None and m.mesh.size > 1 and why.code != "E8010":
            from ..runtime.mpi.ending import end_all
            from ..runtime.mpi.ranks import mpi

            end_all(mpi(), why)
        raise


def _run_artifact(
    folder: str,
    target: Target,
    compare: bool,
    inputs: list[str],
    seed: int | None,
    outputs: str | None,
    benchmark: bool,
) -> int:
    """Run the artifact in a folder, which needs only NVIDIA's driver."""
    if target is not Target.gpu:
        raise MindError.of("E7007", f"{folder} is a folder", help="--target=gpu runs an artifact")
    if compare:
        raise MindError.of("E7007", "--compare needs the module, an artifact is without it")
    from ..runtime.gpu.artifact import load_artifact

    exe = load_artifact(folder)
    types = dict(zip(exe.input_names, exe.input_types))
    arguments = random_arrays(types, seed) if seed is not None else _arguments(types, inputs)
    results = exe(**arguments)
    if outputs is not None:
        _write(outputs, results)
    elif not benchmark:
        _print(results, exe.output_types, {})
    if benchmark:
        print(_benchmark(exe, [arguments[name] for name in types]))
    return EXIT_OK


def _arguments(
    types: dict[str, TensorType],
    paths: list[str],
    mapped: Callable[[str], dict[str, Any] | None] = lambda path: None,
) -> dict[str, Any]:
    """The arguments by name, from the archives at `paths`; `mapped` opens one without reading it, if it can."""
    arguments: dict[str, Any] = {}
    for path in paths:
        arrays = mapped(path) or _read_arrays(path)
        if twice := arguments.keys() & arrays.keys():
            raise MindError.of("E6009", f"argument {min(twice)} is given twice, the second time by {path}")
        arguments |= arrays
    if "arr_0" in arguments and "arr_0" not in types:
        raise MindError.of("E6009", "the arrays have no names", help="np.savez(path, name=array) names them")
    if types and not paths:
        from ..runtime.arguments import missing_arguments

        names = list(types)
        raise missing_arguments(names, names, list(types.values()), help="give --inputs IN.npz, or --random SEED")
    return arguments


def _read_arrays(path: str) -> dict[str, Any]:
    try:
        loaded = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            raise MindError.of("E7010", f"{path} is a single array, not an archive", help="np.savez(path, name=array)")
        with loaded as archive:
            if len(set(archive.files)) < len(archive.files):
                twice = next(name for name in archive.files if archive.files.count(name) > 1)
                raise MindError.of("E7010", f"{path} holds {twice} twice")
            arrays = {name: archive[name] for name in archive.files}
    except OSError as why:
        raise MindError.of("E7004", f"cannot read {path}: {why.strerror or why}") from None
    except (MindError, MemoryError):
        raise
    except Exception as why:  # a damaged file raises any error of zipfile, zlib, tokenize or NumPy
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        if "pickle" in reason:  # NumPy takes any other format for a pickle
            reason = "it has another format, or holds Python objects"
        raise MindError.of("E7010", f"{path} is not an .npz archive of arrays: {reason}") from None
    for name, value in arrays.items():
        if not isinstance(value, np.ndarray):
            raise MindError.of("E7010", f"{path} holds {name}, which is no array")
    return arrays


def _tell(m: Module, results: Any, path: str | None, agreement: str, shown: bool) -> None:
    """Write the outputs to the file `path`, or print them if `shown`; then print `agreement`."""
    if path is not None:
        _write(path, results)
    elif shown:
        _print(results, m.output_types, _gradients(m))
    if agreement:
        print(agreement)


def _gradients(m: Module) -> dict[int, str]:
    """Number of an output -> the name of the Input whose gradient it is."""
    names = {g: m[x].op.name for x, g in m.gradients if m[x].opcode == "Input"}  # type: ignore[attr-defined]
    return {n: names[i] for n, i in enumerate(m.outputs) if i in names}


def _print(results: Any, types: Sequence[TensorType], gradients: dict[int, str]) -> None:
    for n, (t, a) in enumerate(zip(types, results)):
        text = np.array2string(a, separator=", ", threshold=1000)
        print(f"out{n}: {t}{f', gradient of {gradients[n]}' if n in gradients else ''}\n{text}")


def _write(path: str, results: Any) -> None:
    archive = io.BytesIO()  # a ZipFile on a file that fails would write to it once more when it is collected
    np.savez(archive, **{f"out{n}": a for n, a in enumerate(results)})
    with replaced_file(path) as f:
        f.write(archive.getbuffer())


def _benchmark(exe: Executable | Artifact, arrays: list[Any]) -> str:
    """Median wall time of a call over at least 5 calls and a quarter of a second, after one warm-up call."""
    exe(*arrays)
    times: list[float] = []
    stop = time.perf_counter() + 0.25
    while len(times) < 5 or (time.perf_counter() < stop and len(times) < 100_000):
        start = time.perf_counter()
        exe(*arrays)
        times.append(time.perf_counter() - start)
    median, best = statistics.median(times), min(times)
    return f"{getattr(exe, 'target', 'gpu')}: median {_time(median)}, best {_time(best)} of {len(times)} calls"


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def main() -> None:
    """Run the command."""
    run_command(app, "mind-run")


if __name__ == "__main__":
    main()
