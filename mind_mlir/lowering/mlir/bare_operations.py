"""MLIR's Python objects without the classes of their dialects.

Whenever MLIR's bindings wrap an operation or a value, they import the dialect's module, mlir.dialects.linalg for
instance, which takes 80 ms.  Nothing here needs those classes.  What a program has imported itself is still found.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from mlir._mlir_libs import _mlir

from ...ir.forks import ForkLock

_lock = ForkLock()
_users = 0
_prefixes: list[str] = []


@contextlib.contextmanager
def bare_operations() -> Iterator[None]:
    """Let the bindings import no dialects; that holds for the whole process, while anything is within."""
    global _users, _prefixes
    with _lock:
        if not _users:
            _prefixes = list(_mlir.globals.dialect_search_modules)
            _mlir.globals.dialect_search_modules = []
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                _restore()


def _restore() -> None:
    added = [p for p in _mlir.globals.dialect_search_modules if p not in _prefixes]
    _mlir.globals.dialect_search_modules = [*_prefixes, *added]


def _renew() -> None:
    """In a child that was forked, whose one thread is within nothing: what others held is gone."""
    global _lock, _users
    _lock = ForkLock()
    if _users:
        _users = 0
        _restore()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
