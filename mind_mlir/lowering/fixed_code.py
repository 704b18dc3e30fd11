"""Native code of MLIR text that no module decides: compiled once, and kept on disk beside the code of modules."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from . import cache
from .cache_key import compiler
from .compiled import link_into


def fixed_code(text: str, functions: Sequence[str]) -> Any:
    """What owns the code of a module in MLIR's LLVM dialect; `function_address` finds these functions of it.

    Raises MindError: E7006 without MLIR, E7007 for a bad MIND_CACHE_SIZE.
    """
    folder = cache.cache_folder()
    key = None
    if folder is not None and (made_by := compiler()) is not None:
        key = hashlib.sha256(repr((made_by, text, tuple(functions))).encode()).hexdigest()
        if (found := cache.load(folder, key)) is not None:
            return found
    from .linker import find_linker
    from .native import compiled_text

    linker = find_linker() if key is not None else None
    engine = compiled_text(text, functions, keep_object=linker is not None)
    if folder is not None and key is not None and linker is not None:
        cache.store(folder, key, lambda path: link_into(linker, engine, path))
    return engine
