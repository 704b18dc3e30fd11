"""mind-opt-cc and mind-lsp-server: programs in C++, which exist where the dialect is built in C++."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from ..dialects.native_dialect import native_folder, unusable
from ._reporting import Format, report


def mind_opt_cc() -> NoReturn:
    """Run mlir-opt with the dialect `mind` and its passes."""
    _become("mind-opt-cc")


def mind_lsp_server() -> NoReturn:
    """Run MLIR's language server with the dialect `mind`."""
    _become("mind-lsp-server")


def _become(name: str) -> NoReturn:
    """Replace this process by the program of that name, with the same arguments. E7014 if it does not exist."""
    program = native_folder() / (f"{name}.exe" if os.name == "nt" else name)
    command = [os.fspath(program), *sys.argv[1:]]
    try:
        if os.name == "nt":  # where exec would return to the shell at once
            sys.exit(subprocess.run(command).returncode)
        os.execv(program, command)
    except OSError as why:
        fault = f"{program} does not exist" if isinstance(why, FileNotFoundError) else f"{program}: {why.strerror}"
        sys.exit(report(unusable(fault), Format.human))
