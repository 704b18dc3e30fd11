"""Makes LLVM IR, assembly, object files and shared libraries, by LLVM's tools and the system's linker."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Literal

from mlir import ir

from ...ir import MindError, Module
from ..abi.rank_table import SET_RANKS, set_ranks_name
from ..mlir.pass_driver import mlir_text
from ..mlir.reproducer import write_reproducer
from ..mlir.walk import children
from ..native.compiler import to_llvm
from ..targets.system import host_triple, kernels_for
from ..toolchain.installed import tool
from ..toolchain.linker import find_linker, library_command, run_linker


@dataclass(frozen=True)
class Options:
    """How code is made: the function's name, LLVM's name of the CPU, the numerics mode, the most threads.

    `tuning` is the path of a tuning file, or None.
    """

    name: str = "main"
    mcpu: str = "native"
    numerics: str = "default"
    threads: int = 1
    tuning: str | None = None


def llvm_ir(m: Module, options: Options = Options()) -> bytes:
    """LLVM IR of a module, as text. E7006 without mlir-translate, E7007 for an unknown CPU, E9001 if a tool fails."""
    module = to_llvm(m, options.numerics, options.threads, kernels_for(options.mcpu), options.tuning)
    _name(module, options.name)
    return _run([tool("mlir-translate"), "--mlir-to-llvmir"], mlir_text(module, locations=True).encode(), ".mlir")


def machine_code(m: Module, kind: Literal["asm", "obj"], options: Options = Options()) -> bytes:
    """Assembly text or an object file, with position-independent code. Errors as for `llvm_ir`."""
    cpu = [f"-mtriple={host_triple()}", f"-mcpu={options.mcpu}"]
    optimized = _run([tool("opt"), "-O2", *cpu], llvm_ir(m, options), ".ll")
    return _run([tool("llc"), "-O2", *cpu, "-relocation-model=pic", f"-filetype={kind}"], optimized, ".bc")


def shared_library(m: Module, file: str, options: Options = Options()) -> bytes:
    """A shared library that exports one function, and for a module between ranks one more, which sets the ranks.

    Its own name is that of `file`. Errors as for `machine_code`; also E7006 if there is no linker, or if it fails.
    """
    linker = find_linker(driver_first=True)
    instead = "--to-obj writes an object file, which needs none"
    if linker is None:
        raise MindError.of("E7006", "no linker and no C compiler is on PATH", help=f"install one; or {instead}")
    code = machine_code(m, "obj", options)
    with tempfile.TemporaryDirectory(prefix="mind-link-") as folder:
        made, output = os.path.join(folder, "code.o"), os.path.join(folder, "code.so")
        try:
            with open(made, "wb") as f:
                f.write(code)
            run_linker(library_command(linker, made, output, os.path.basename(file), code))
            with open(output, "rb") as f:
                return f.read()
        except OSError as why:
            message = f"{os.path.basename(linker.path)} makes no shared library: {why.strerror or why}"
            raise MindError.of("E7006", message, help=instead) from None


def _name(module: Any, name: str) -> None:
    """Give `main` its name and make all else private, so that a program can have several modules."""
    with module.context:
        internal = ir.Attribute.parse("#llvm.linkage<internal>")
        for f in children(module):
            if f.name != "llvm.func" or not len(f.regions[0].blocks):
                continue
            if (own := f.attributes["sym_name"].value) == "main":
                f.attributes["sym_name"] = ir.StringAttr.get(name)
            elif own == SET_RANKS:
                f.attributes["sym_name"] = ir.StringAttr.get(set_ranks_name(name))
            else:
                f.attributes["linkage"] = internal


def _run(command: list[str], data: bytes, suffix: str) -> bytes:
    """The output of a tool for the input `data`. E9001 if it fails, with a reproducer whose name ends in `suffix`."""
    done = subprocess.run(command, input=data, capture_output=True)
    if done.returncode:
        path = write_reproducer(data, suffix)
        message = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise MindError.of(
            "E9001",
            f"{command[0]} failed with status {done.returncode}",
            note="; ".join(message[:3]),
            help=f"see it again with: {' '.join(command)} {path}",
        )
    return done.stdout
