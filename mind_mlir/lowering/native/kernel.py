"""A kernel while it is compiled: its name, its key, and how its kind is compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ..kernels.open_code import OpenCode
from ..store import kernel_store
from ..store.kernel_store import KernelCode
from .workers import Task, finished

DIGITS = 24
"""How many hexadecimal digits of a key are in a name: 96 bits."""


@dataclass(frozen=True)
class Stage:
    """A kind of functions that are compiled alone: which ones, and how they become machine code.

    `takes` is true for such functions. `expand` writes their bodies as loops and vectors, `lower` lowers these to the
    LLVM dialect, and `passes` are LLVM's. `expand_open` writes the body of one with numbers left open, if that is
    possible.
    """

    name: str
    takes: Callable[[Any], bool]
    expand: Callable[[Any], object]
    lower: Callable[[Any], object]
    passes: str
    expand_open: Callable[[Any], OpenCode] | None = None


class Kernel:
    """One kernel while it is compiled."""

    scratch: list[Any]
    """The types of the scratch memory that callers pass, after other parameters."""
    code: Task[KernelCode]

    def __init__(self, f: Any, settings: str) -> None:
        self.function: Any = f
        self.inputs = list(ir.FunctionType(f.attributes["function_type"].value).inputs)
        self.called = name_of(f)
        f.attributes["sym_name"] = ir.StringAttr.get("kernel")
        text = f.get_asm(use_local_scope=True, assume_verified=True)
        self.stem = self.called.rstrip("0123456789")
        self.is_alone = text.count("@") == 1  # if not, it names a constant in memory, or another function
        self.key = hashlib.sha256(f"{settings}\n{text}".encode()).hexdigest()
        self.name = self.name_for(self.key) if self.is_alone else self.called
        f.attributes["sym_name"] = ir.StringAttr.get(self.name)

    def name_for(self, key: str) -> str:
        """The name of the function whose code has this key."""
        return f"mind_{self.stem}_{key[:DIGITS]}"

    def find(self, on_disk: bool) -> bool:
        """True if the code is known already, which is then set."""
        found = kernel_store.find(self.key, on_disk)
        if found is None:
            return False
        self.code = finished(found)
        self.scratch = [ir.Type.parse(text) for text in found.scratch]
        return True

    def remove(self) -> None:
        """Erase the function, if it is still in its module."""
        if self.function is not None:
            self.function.erase()
            self.function = None

    def declare(self, module: Any) -> None:
        """Declare the kernel in a module, unless it is declared."""
        attributes = {
            "sym_name": ir.StringAttr.get(self.name),
            "sym_visibility": ir.StringAttr.get("private"),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get([*self.inputs, *self.scratch], [])),
        }
        with ir.InsertionPoint(module.body):
            ir.Operation.create("func.func", attributes=attributes, regions=1)


def name_of(f: Any) -> str:
    """The name of a function or another symbol."""
    return str(f.attributes["sym_name"].value)
