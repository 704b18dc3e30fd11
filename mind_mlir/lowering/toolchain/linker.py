"""Finds and calls the system's linker, which makes shared objects of object files: LLVM's wheels have none."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

LINKERS = ("ld", "ld.lld")
DRIVERS = ("cc", "gcc", "clang")
"""C compilers, which call a linker with the right libraries."""

_LONGEST = 60
"""Seconds after which a linker counts as hung."""


@dataclass(frozen=True)
class Linker:
    """A program that links: its path, and whether it is a C compiler, which calls the linker."""

    path: str
    is_driver: bool

    def command(self, output: str, objects: Sequence[str], options: Sequence[str]) -> list[str]:
        """The command line that makes the shared object `output`; `options` are those of a linker."""
        return [self.path, "-shared", *self.words(options), "-o", output, *objects]

    def words(self, options: Sequence[str]) -> list[str]:
        """Options of a linker, as this program takes them."""
        if not self.is_driver:
            return list(options)
        return [word for option in options for word in ("-Xlinker", option)]


def find_linker(driver_first: bool = False) -> Linker | None:
    """A linker from PATH, or None. The linker itself takes 4 ms, a C compiler that calls it 15."""
    import shutil

    linkers = [] if sys.platform == "darwin" else [(name, False) for name in LINKERS]  # on macOS, only cc knows the SDK
    drivers = [(name, True) for name in DRIVERS]
    for name, is_driver in (*drivers, *linkers) if driver_first else (*linkers, *drivers):
        if path := shutil.which(name):
            return Linker(path, is_driver)
    return None


_TEAMS = b"__kmpc_fork_call"
"""A name that occurs in code with threads."""


def needs_teams(code: bytes) -> bool:
    """True for an object file that needs the runtime of OpenMP."""
    return _TEAMS in code


def runtime_arguments(code: bytes) -> tuple[list[str], list[str]]:
    """What an object with this code is linked with: files, and options by which they are found at run time.

    E7006 if the runtime of OpenMP is needed and not installed.
    """
    if not needs_teams(code):
        return [], []
    from .openmp import openmp_library

    path = openmp_library()
    return ([path], ["-rpath", os.path.dirname(path)]) if os.path.isabs(path) else ([f"-l:{path}"], [])


def archive(objects: Sequence[bytes]) -> bytes:
    """Object files as one file in the format of `ar`, without an index, for linkers that are told to take all of it."""
    parts = [b"!<arch>\n"]
    for n, data in enumerate(objects):
        parts.append(f"{f'{n}.o/':<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(data):<10}`\n".encode())
        parts.append(data + b"\n" * (len(data) % 2))
    return b"".join(parts)


def library_command(linker: Linker, made: str, output: str, name: str, code: bytes) -> list[str]:
    """The command line that makes the shared library `output` from the object file `made`, whose bytes are `code`.

    Programs that are linked with it look for it by `name`. E7006 as for `runtime_arguments`.
    """
    files, options = runtime_arguments(code)
    if sys.platform == "darwin":
        options += ["-install_name", f"@rpath/{name}"]
    else:
        options += ["-soname", name, "-z", "noexecstack"]
    mathematics = ["-lm"] if linker.is_driver else []  # a linker by itself does not find it
    return linker.command(output, [made, *files, *mathematics], options)


def run_linker(command: Sequence[str], pass_fds: Sequence[int] = ()) -> None:
    """Run a command line of `Linker.command`. OSError with the linker's message if it fails or does not end."""
    import subprocess

    name = os.path.basename(command[0])
    try:
        done = subprocess.run(command, capture_output=True, timeout=_LONGEST, pass_fds=pass_fds)
    except subprocess.TimeoutExpired:
        raise OSError(f"{name} did not end within {_LONGEST} s") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise OSError(said[-1] if said else f"{name} ended with status {done.returncode}")
