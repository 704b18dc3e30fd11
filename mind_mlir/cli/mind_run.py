"""mind-run: runs a Core IR file on arrays.

`_run_options.py` has the options, `_run_arrays.py` reads and writes the arrays, `_mpi_run.py` runs on ranks.
"""

from __future__ import annotations

import os
from typing import Any

from ..ir import MindError, Module
from ..passes.preflight import check_before_run
from ..runtime.arguments import random_arrays
from . import _shared_options as shared
from ._benchmark import benchmark
from ._command import run_command
from ._compare import compare
from ._files import read_core
from ._guarded import guarded
from ._profile import verified
from ._reporting import EXIT_OK, finish, outcome
from ._reproducers import core_reproducer
from ._run_arrays import arguments, from_archives, show, tell, write
from ._run_options import Options, Target
from ._signature import parameters, takes

app = shared.make_app()


@app.command(context_settings=shared.SETTINGS)
@takes(parameters(Options))
def mind_run(**given: Any) -> None:
    """Run FILE on arrays from .npz archives, and print the results or write them to another archive."""
    options = Options(**given)
    finish(lambda: _run(options), options.diagnostics)


def _run(options: Options) -> int:
    """Run FILE; returns the exit status."""
    options.check()
    if os.path.isdir(options.file):
        return _run_artifact(options)
    m = verified(read_core(options.file, "mind-run"), options.profile)
    check_before_run(m)
    if options.mpi:
        from ._mpi_run import run_on_ranks

        return run_on_ranks(m, options)
    given = arguments(m, options)
    run_it = outcome if options.target is Target.interpret and not options.compare else guarded
    return run_it(
        lambda: _run_module(m, given, options),
        options.diagnostics,
        lambda: (core_reproducer(m, f"mind-run %s --target={options.target.value}"), ".mindir"),
    )


def _run_module(m: Module, given: dict[str, Any], options: Options) -> int:
    """Run a module in this process."""
    from .. import compile
    from ..runtime.arguments import bind

    o = options
    exe = compile(m, o.target.value, o.threads, o.numerics.value, o.tuning, o.precision.value)
    arrays = bind(exe.input_names, exe.input_types, (), given)
    results = exe(*arrays)
    tell(m, results, options, _agreement(m, arrays, results, options) if options.compare else "")
    if options.benchmark:
        print(benchmark(exe, arrays))
    return EXIT_OK


def _agreement(m: Module, arrays: list[Any], results: Any, options: Options) -> str:
    """A line on how native results agree with the interpreter's. `results` are of one, the other one is run here."""
    from .. import compile

    interpreted = options.target is Target.interpret
    exe = compile(m, "cpu" if interpreted else "interpret", options.threads, options.numerics.value, options.tuning)
    other = exe(*arrays)
    native, expected = (other, results) if interpreted else (results, other)
    where = "cpu" if interpreted else options.target.value
    return compare(m, arrays, native, expected, options.numerics.value, options.tolerance, where)


def _run_artifact(options: Options) -> int:
    """Run the artifact in a folder, which needs only NVIDIA's driver."""
    if options.target is not Target.gpu:
        raise MindError.of("E7007", f"{options.file} is a folder", help="--target=gpu runs an artifact")
    if options.compare:
        raise MindError.of("E7007", "--compare needs the module, an artifact is without it")
    from ..runtime.gpu.artifact import load_artifact

    exe = load_artifact(options.file)
    types = dict(zip(exe.input_names, exe.input_types))
    seed = options.random
    given = random_arrays(types, seed) if seed is not None else from_archives(types, options.inputs or [])
    results = exe(**given)
    if options.outputs is not None:
        write(options.outputs, results)
    elif not options.benchmark:
        show(results, exe.output_types, {})
    if options.benchmark:
        print(benchmark(exe, [given[name] for name in exe.input_names]))
    return EXIT_OK


def main() -> None:
    """Run the command."""
    run_command(app, "mind-run")


if __name__ == "__main__":
    main()
