"""NVIDIA's assembler: PTX to cubin, and what it says about registers and memory. It is not part of the toolchain.

A CUDA toolkit has it, and so has the wheel nvidia-cuda-nvcc. PTX is made without it.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from ....ir import MindError
from ...mlir.reproducer import write_reproducer
from ...toolchain.finding import Finding

VARIABLE = "MIND_PTXAS"
"""The environment variable that names the program; `off` stands for none."""

OFF = ("off", "0", "no", "none")

USUAL = "/usr/local/cuda/bin"
"""The folder that toolkits install it in."""

INSTALL = "pip install nvidia-cuda-nvcc, or install a CUDA toolkit and set CUDA_HOME"

_LONGEST = 120
"""Seconds after which the assembler counts as hung; a kernel takes less than 1."""


@dataclass(frozen=True)
class Usage:
    """What a kernel needs, as `ptxas -v` reports it: registers per thread, and memory in bytes."""

    registers: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    stack: int = 0
    shared: int = 0
    constant: int = 0
    barriers: int = 0


@dataclass(frozen=True)
class Assembled:
    """A cubin, and what each kernel in it needs, by name."""

    cubin: bytes
    usage: dict[str, Usage]


def find_ptxas() -> str | None:
    """The assembler: MIND_PTXAS, else a CUDA toolkit's, else that of the wheel; None without one."""
    given = os.environ.get(VARIABLE, "").strip()
    if given:
        return None if given.lower() in OFF else shutil.which(given)
    return next((path for folder in _folders() if (path := shutil.which("ptxas", path=folder))), None)


def _folders() -> Iterator[str]:
    """The folders to search: toolkits that the environment names, PATH, the usual folder, wheels."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if home := os.environ.get(variable):
            yield os.path.join(home, "bin")
    yield os.environ.get("PATH", "")
    yield USUAL
    spec = importlib.util.find_spec("nvidia")  # a namespace that many wheels share
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for part in ("cu13", "cuda_nvcc"):
            yield os.path.join(folder, part, "bin")


def ptxas_finding() -> Finding:
    """The line of `mind-opt --doctor`."""
    path = find_ptxas()
    if path is None:
        return Finding("ptxas", "missing", f"{INSTALL}, to make cubins", needed=False)
    return Finding("ptxas", path)


def require_ptxas() -> str:
    """The path of the assembler. E7006 without one."""
    path = find_ptxas()
    if path is None:
        given = os.environ.get(VARIABLE, "").strip()
        note = f"{VARIABLE} is {given}" if given else ""
        raise MindError.of("E7006", "ptxas is not installed", note=note, help=f"{INSTALL}; PTX needs none")
    return path


_TOO_OLD = ("Unsupported .version", "is not defined for option 'gpu-name'", "Unsupported .target")
"""Messages of an assembler that is older than the PTX or the chip."""


def assemble(ptx: str, chip: str) -> Assembled:
    """PTX as a cubin for a chip. E7006 without an assembler or with one too old, E9001 if it refuses the text."""
    program = require_ptxas()
    with tempfile.TemporaryDirectory(prefix="mind-ptxas-") as folder:
        text, made = os.path.join(folder, "kernels.ptx"), os.path.join(folder, "kernels.cubin")
        try:
            with open(text, "w", encoding="utf-8") as f:
                f.write(ptx)
            command = [program, "-v", "-O3", f"-arch={chip}", text, "-o", made]
            done = subprocess.run(command, capture_output=True, timeout=_LONGEST)
            said = (done.stdout + done.stderr).decode("utf-8", "replace")
            if done.returncode:
                raise _refused(program, ptx, chip, said.replace(text, "kernels.ptx"))
            with open(made, "rb") as f:
                return Assembled(f.read(), read_usage(said))
        except subprocess.TimeoutExpired:
            raise _refused(program, ptx, chip, f"it did not end within {_LONGEST} s") from None
        except OSError as why:
            raise MindError.of("E7006", f"{program} makes no cubin: {why.strerror or why}", help=INSTALL) from None


def _refused(program: str, ptx: str, chip: str, said: str) -> MindError:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    note = "; ".join(lines[:3])
    if any(words in said for words in _TOO_OLD):
        return MindError.of("E7006", f"{program} is too old for {chip}", note=note, help=INSTALL)
    path = write_reproducer(ptx, ".ptx")
    return MindError.of(
        "E9001",
        f"ptxas refuses the kernels for {chip}",
        note=note,
        help=f"see it again with: {program} -arch={chip} {path}",
    )


_KERNEL = re.compile(r"Compiling entry function '(?P<name>[^']+)'")
_NUMBERS = {
    "registers": r"Used (\d+) registers",
    "spill_stores": r"(\d+) bytes spill stores",
    "spill_loads": r"(\d+) bytes spill loads",
    "stack": r"(\d+) bytes stack frame",
    "shared": r"(\d+) bytes smem",
    "constant": r"(\d+) bytes cmem\[0\]",
    "barriers": r"used (\d+) barriers",
}


def read_usage(said: str) -> dict[str, Usage]:
    """What `ptxas -v` says of each kernel. What it does not name is 0."""
    starts = list(_KERNEL.finditer(said))
    out: dict[str, Usage] = {}
    for n, m in enumerate(starts):
        part = said[m.end() : starts[n + 1].start() if n + 1 < len(starts) else len(said)]
        found = {what: re.search(pattern, part) for what, pattern in _NUMBERS.items()}
        out[m["name"]] = Usage(**{what: int(f[1]) for what, f in found.items() if f})
    return out
