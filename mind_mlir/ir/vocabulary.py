"""Finds operations by opcode: each is imported when it is first looked up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, TypeVar

from ..gate import GATE

T = TypeVar("T", bound=type[Any])
"""The type of a class of operations."""


class Vocabulary(MutableMapping[str, T]):
    """Operations by opcode: those of a package, one in each file, and others that are declared.

    A file is named after its opcode, apart from case and underscores: MatMul is in matmul.py or mat_mul.py. So looking
    one up imports one file, however many there are. Iterating and counting import the whole package.
    """

    def __init__(self, home: str) -> None:
        """`home` is the name of the package, in which files that begin with an underscore have no operations."""
        self._home = home
        self._declared: dict[str, T] = {}
        """All declared operations, also of files that are still being imported, in this thread or another."""
        self._ready: dict[str, T] = {}
        """Operations that have been looked up, whose files are imported completely."""
        self._files: dict[str, str] = {}
        """File name in lower case without underscores -> full name of the module."""
        self._is_whole = False
        """True when every file of the package has been imported: to ask for each again takes milliseconds."""

    def declare(self, cls: T) -> None:
        """Add an operation. TypeError if another one has its name, or if its file's name does not fit."""
        name = cls.__name__
        inside = cls.__module__.rpartition(".")[0] == self._home
        if inside and self._file_of(name) != cls.__module__:
            raise TypeError(f"op {name}: its file is {cls.__module__}, which is not named after it")
        other = self._declared.get(name) if inside else self.get(name)
        if other is not None:
            raise TypeError(f"op {name}: declared twice, in {other.__module__} and {cls.__module__}")
        self._declared[name] = cls

    def __getitem__(self, opcode: str) -> T:
        found = self._ready.get(opcode)
        return found if found is not None else self._looked_up(opcode)

    def get(self, opcode: str, default: Any = None) -> Any:
        """The operation of that name, or `default`."""
        found = self._ready.get(opcode)
        return found if found is not None else super().get(opcode, default)

    def __setitem__(self, opcode: str, cls: T) -> None:
        self._declared[opcode] = self._ready[opcode] = cls

    def __delitem__(self, opcode: str) -> None:
        del self._declared[opcode]
        self._ready.pop(opcode, None)

    def __iter__(self) -> Iterator[str]:
        """The opcodes of the package in the order of files, then the others in the order of declaration."""
        order = {file: n for n, file in enumerate(self._modules().values())}
        self._import_all()
        last = len(order)
        return iter(sorted(self._declared, key=lambda name: order.get(self._declared[name].__module__, last)))

    def __len__(self) -> int:
        self._import_all()
        return len(self._declared)

    def _import_all(self) -> None:
        if not self._is_whole:
            for file in self._modules().values():
                _import(file)
            self._is_whole = True

    def of_function(self, name: str) -> T | None:
        """The operation whose function in Python has this name; None if there is none.

        It is found by its file, which is named after it, or among the declared ones.
        """
        if (file := self._modules().get(name.replace("_", ""))) is not None:
            _import(file)
        for cls in list(self._declared.values()):
            if cls.python_function is not None and cls.python_function.name == name:
                return cls
        return None

    def function_names(self) -> list[str]:
        """The names of all functions that are made from operations, in alphabetical order. Imports the package."""
        return sorted(cls.python_function.name for cls in self.values() if cls.python_function is not None)

    def _looked_up(self, opcode: str) -> T:
        if (file := self._file_of(opcode)) is not None:
            _import(file)
        cls = self._declared[opcode]
        if cls.__module__ in sys.modules:
            import_module(cls.__module__)  # waits if another thread is importing the file
        self._ready[opcode] = cls
        return cls

    def _file_of(self, opcode: str) -> str | None:
        return self._modules().get(opcode.lower())

    def _modules(self) -> dict[str, str]:
        if not self._files:
            folders = import_module(self._home).__path__
            files = sorted(file for folder in folders for file in os.listdir(folder))
            names = [file[:-3] for file in files if file.endswith(".py") and not file.startswith("_")]
            self._files = {name.replace("_", "").lower(): f"{self._home}.{name}" for name in names}
        return self._files


def _import(file: str) -> None:
    with GATE:  # a child that is forked during an import could never finish it
        import_module(file)
