"""mind-opt-cc and mind-lsp-server: programs in C++, which are there where the native dialect is built."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from ..dialects.native_dialect import native_folder, unusable
from ._reporting import Format, report


def mind_opt_cc() -> NoReturn:
    """mlir-opt with the dialect `mind` and its passes."""
    _become("mind-opt-cc")


def mind_lsp_server() -> NoReturn:
    """MLIR's language server with the dialect `mind`."""
    _become("mind-lsp-server")


def _become(name: str) -> NoReturn:
    """Go on as the program of that name, with the arguments of this process.  E7014 if it is not there."""
    program = native_folder() / (f"{name}.exe" if os.name == "nt" else name)
    command = [os.fspath(program), *sys.argv[1:]]
    try:
        if os.name == "nt":  # where exec returns to the shell at once
            sys.exit(subprocess.run(command).returncode)
        os.execv(program, command)
    except OSError as why:
        fault = f"{program} does not exist" if isinstance(why, FileNotFoundError) else f"{program}: {why.strerror}"
        sys.exit(report(unusable(fault), Format.human))
