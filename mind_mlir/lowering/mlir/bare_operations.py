"""Keeps MLIR's bindings from importing the classes of dialects.

Whenever the bindings wrap an operation or a value, they import the dialect's module, for example mlir.dialects.linalg,
which takes 80 ms. Nothing here needs those classes. What a program has imported itself is still found.
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
    """Within this, the bindings import no dialects; it holds for the whole process while any thread is within."""
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
    """Start anew in a forked child, whose only thread is outside, whatever threads of the parent were within."""
    global _lock, _users
    _lock = ForkLock()
    if _users:
        _users = 0
        _restore()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
