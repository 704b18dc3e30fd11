"""LLVM IR, assembly and object files, by the tools of the toolchain."""

from __future__ import annotations

import subprocess
from typing import Literal

from ..ir import MindError, Module
from .driver import mlir_text
from .native import to_llvm
from .reproducer import write_reproducer
from .toolchain import tool


def llvm_ir(m: Module) -> bytes:
    """LLVM IR text of a module.  E7006 without mlir-translate, E9001 if it fails."""
    return _run([tool("mlir-translate"), "--mlir-to-llvmir"], mlir_text(to_llvm(m), locations=True).encode(), ".mlir")


def machine_code(m: Module, kind: Literal["asm", "obj"]) -> bytes:
    """Assembly text or an object file for this machine.  E7006 without llc, E9001 if it fails."""
    llc = tool("llc")
    return _run([llc, "-O2", "-mcpu=native", "-relocation-model=pic", f"-filetype={kind}"], llvm_ir(m), ".ll")


def _run(command: list[str], data: bytes, suffix: str) -> bytes:
    """What a tool makes of `data`.  E9001 with a reproducer, whose name ends in `suffix`, if it fails."""
    done = subprocess.run(command, input=data, capture_output=True)
    if done.returncode:
        path = write_reproducer(data.decode(), suffix)
        message = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise MindError.of(
            "E9001",
            f"{command[0]} failed with status {done.returncode}",
            note="; ".join(message[:3]),
            help=f"see it again with: {' '.join(command)} {path}",
        )
    return done.stdout
