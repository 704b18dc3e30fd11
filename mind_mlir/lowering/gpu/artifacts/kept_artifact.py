"""GPU code of a module: from the cache on disk, or compiled and kept there.

What is found is used without MLIR and without ptxas.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from ....ir import Module
from ....passes.preflight import check_before_run
from ...store import cache
from ...store.cache_key import cache_key
from ...toolchain.installed import require_mlir
from .ptxas import find_ptxas


def gpu_code(m: Module, chip: str, numerics: str, precision: str) -> dict[str, bytes]:
    """The files of the artifact of a verified module for one chip, by name: see `images.artifact`.

    E6001 and E6004 for what is known before a run, E7006 without MLIR, E7007 for a bad MIND_CACHE_SIZE.
    """
    check_before_run(m)
    key, folder = None, cache.cache_folder()
    if folder is not None:
        options = {"target": "gpu", "chip": chip, "numerics": numerics, "precision": precision, "ptxas": _assembler()}
        key = cache_key(m, options, longest=cache.cache_limit())
    kept = cache.load_data(folder, key) if folder is not None and key is not None else None
    if kept is not None and (found := _unpacked(kept)) is not None:
        return found
    require_mlir()
    from .images import artifact

    files = artifact(m, chips=(chip,), numerics=numerics, precision=precision)
    if folder is not None and key is not None:
        cache.store_data(folder, key, _packed(files))
    return files


def _assembler() -> tuple[str, int, int] | None:
    """The ptxas that would be used, as its file; None without one."""
    path = find_ptxas()
    if path is None:
        return None
    path = os.path.realpath(path)
    found = os.stat(path)
    return path, found.st_size, found.st_mtime_ns


def _packed(files: Mapping[str, bytes]) -> bytes:
    """Files as one: a line with their names and lengths, and then all of them."""
    sizes = {name: len(data) for name, data in files.items()}
    return b"".join((json.dumps(sizes).encode(), b"\n", *files.values()))


def _unpacked(data: bytes) -> dict[str, bytes] | None:
    """Files from one; None if it is not what `_packed` writes."""
    line, _, rest = data.partition(b"\n")
    try:
        sizes = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(sizes, dict) or not all(type(n) is int and n >= 0 for n in sizes.values()):
        return None
    if sum(sizes.values()) != len(rest):
        return None
    files, start = {}, 0
    for name, size in sizes.items():
        files[name] = rest[start : start + size]
        start += size
    return files
