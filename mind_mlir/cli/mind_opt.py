"""mind-opt: runs a pipeline of Core IR and MLIR passes on a file and prints the result."""

from __future__ import annotations

import sys
from typing import Any

from ._command import prepare, run_command
from ._opt_usage_gen import HELP, OPTIONS
from ._plain import asks_for_help, completes, read
from ._reporting import EXIT_OK, Format, outcome

NAME = "mind-opt"


def main() -> None:
    """Run the command. An ordinary command line is read here, any other by typer, which takes long to load."""
    prepare()
    words = sys.argv[1:]
    plain = None if completes(NAME) else read(words, OPTIONS)
    if asks_for_help(words) and not completes(NAME):
        sys.exit(outcome(_help, Format.human))
    if plain is None:
        run_command(__getattr__("app"), NAME)
    else:
        from ._opt_run import run

        sys.exit(run(plain.arguments, **plain.options))


def _help() -> int:
    print(HELP, end="")
    return EXIT_OK


def __getattr__(name: str) -> Any:
    """`app` and `mind_opt`, the command as typer declares it, loaded when they are used."""
    if name not in ("app", "mind_opt"):
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name)
    from . import _opt_options

    return getattr(_opt_options, name)


if __name__ == "__main__":
    main()
