"""`python -m mind_mlir.runtime.mpi -n 2 train.py …`: a script on several ranks of this machine."""

from __future__ import annotations

import sys

from ...ir import MindError
from .launch import launch

USAGE = "usage: python -m mind_mlir.runtime.mpi -n RANKS (SCRIPT.py [ARGUMENT …] | --measure)"

HELP = """Runs a Python script on several ranks of this machine. If one fails, all end.

--measure measures how fast so many ranks compute and send, keeps the figures for prefer="time", and prints them as
options of the passes partition and propagate-sharding."""


def main(arguments: list[str]) -> int:
    """Start the ranks; returns the exit status."""
    if arguments in (["-h"], ["--help"]):
        print(f"{USAGE}\n\n{HELP}")
        return 0
    if len(arguments) < 3 or arguments[0] != "-n" or not arguments[1].isdecimal() or int(arguments[1]) < 1:
        print(MindError.of("E7007", "the number of ranks and a script are wanted", help=USAGE), file=sys.stderr)
        return 2
    if arguments[2] == "--measure" and len(arguments) > 3:
        print(MindError.of("E7007", f"--measure takes no argument, found {arguments[3]}", help=USAGE), file=sys.stderr)
        return 2
    script = ["-m", "mind_mlir.runtime.mpi.measured"] if arguments[2] == "--measure" else arguments[2:]
    try:
        # under mpi4py, a rank that ends with an error ends all, whatever it has imported by then
        return launch(int(arguments[1]), [sys.executable, "-m", "mpi4py", *script])
    except MindError as why:
        print(why, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
