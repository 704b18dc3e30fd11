"""How much memory a compiled module keeps from call to call."""

from __future__ import annotations

from typing import Any

from ..ir import Module
from ..passes.preflight import peak_memory
from .executable import Executable

JUST_COMPILED = 1 << 20
"""Bytes that are assumed for code of unknown size. Modules of 3 to 100 operations were measured to take 0.9 MB as LLVM
leaves them in memory; the same code from the cache on disk takes 20 to 60 KB."""

_OPERATION = 1 << 10
"""Bytes of a module for each of its operations."""

_ARENA = 16 << 20
"""From so many bytes of intermediate results on, code keeps their memory: lowering/rewrites/keep_arena.py."""


def footprint(executable: Executable) -> int:
    """Bytes of the code, of the module with its constants, and of memory that the code keeps for intermediates."""
    m = executable.module
    owner: Any = getattr(executable, "_engine", None)
    code = 0 if executable.target == "interpret" else getattr(owner, "nbytes", JUST_COMPILED)
    return int(code) + _module(m) + _arena(m)


def _module(m: Module) -> int:
    operations = list(m.every_operation)
    literals = [o.op.literal for o in operations if o.op.literal is not None]
    return _OPERATION * len(operations) + sum(len(data.bits) for data in literals)


def _arena(m: Module) -> int:
    between = peak_memory(m) - sum(o.type.nbytes for o in m.inputs) - sum(t.nbytes for t in m.output_types)
    return between if between >= _ARENA else 0
