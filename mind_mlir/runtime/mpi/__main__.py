"""`python -m mind_mlir.runtime.mpi -n 2 train.py …`: a script on several ranks of this machine."""

from __future__ import annotations

import sys

from ...ir import MindError
from .launch import launch

USAGE = "usage: python -m mind_mlir.runtime.mpi -n RANKS SCRIPT.py [ARGUMENT …]"


def main(arguments: list[str]) -> int:
    """Start the ranks; returns the exit status."""
    if arguments in (["-h"], ["--help"]):
        print(f"{USAGE}\n\nRuns a Python script on several ranks of this machine.  If one fails, all end.")
        return 0
    if len(arguments) < 3 or arguments[0] != "-n" or not arguments[1].isdecimal() or int(arguments[1]) < 1:
        print(MindError.of("E7007", "the number of ranks and a script are wanted", help=USAGE), file=sys.stderr)
        return 2
    try:
        # under mpi4py, a rank that leaves with an error ends all, whatever it has imported by then
        return launch(int(arguments[1]), [sys.executable, "-m", "mpi4py", *arguments[2:]])
    except MindError as why:
        print(why, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
