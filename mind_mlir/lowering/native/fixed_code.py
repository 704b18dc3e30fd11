"""Compiles LLVM IR text that depends on no module, once, and keeps the code on disk beside that of modules."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from ..store import cache
from ..store.cache_key import compiler_digest
from ..toolchain.linker import find_linker
from .kept_code import link_into

if TYPE_CHECKING:
    from ..llvm.session import Linked
    from ..store.library import Library


def fixed_code(text: str) -> Library | Linked:
    """The functions of LLVM IR text, ready to be called. E7006 without LLVM, E9001 if it refuses the text."""
    folder, digest = cache.cache_folder(), compiler_digest()
    key = None if digest is None else hashlib.sha256((digest + text).encode()).hexdigest()
    if folder is not None and key is not None and (found := cache.load(folder, key)) is not None:
        return found
    from ..llvm.objects import CALLS, LlvmModule
    from ..llvm.session import Linked

    code = LlvmModule.parsed(text.encode()).object_file(CALLS)
    if folder is not None and key is not None and (linker := find_linker()) is not None:
        cache.store(folder, key, lambda path: link_into(linker, [code], path))
    return Linked([code])
