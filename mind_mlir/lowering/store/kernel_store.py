"""Keeps the code of kernels by their keys, in this process and in the cache on disk. It needs no MLIR."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass

from . import cache

LIMIT = 64 << 20
"""The bytes of code that a process keeps for later modules."""


@dataclass(frozen=True)
class KernelCode:
    """An object file with one function, and the MLIR types of the scratch memory that callers pass after operands."""

    scratch: tuple[str, ...]
    code: bytes

    def packed(self) -> bytes:
        """The bytes for a file: a line of JSON, then the object file."""
        return json.dumps(self.scratch).encode() + b"\n" + self.code

    @classmethod
    def unpacked(cls, data: bytes) -> KernelCode:
        """The code from bytes that `packed` gave."""
        head, _, code = data.partition(b"\n")
        return cls(tuple(json.loads(head)), code)


_kept: OrderedDict[str, KernelCode] = OrderedDict()
_size = 0


def find(key: str, on_disk: bool) -> KernelCode | None:
    """The code that is kept under a key, also `on_disk` if so; None if there is none."""
    if (found := _kept.get(key)) is not None:
        return found
    folder = cache.cache_folder() if on_disk else None
    data = None if folder is None else cache.load_data(folder, key, cache.KERNEL)
    if data is None:
        return None
    found = KernelCode.unpacked(data)
    _remember(key, found)
    return found


def keep(key: str, code: KernelCode, on_disk: bool) -> None:
    """Keep code under a key. If there is more than LIMIT, the oldest is dropped from this process."""
    _remember(key, code)
    if on_disk and (folder := cache.cache_folder()) is not None:
        cache.store_data(folder, key, code.packed(), cache.KERNEL)


def _remember(key: str, code: KernelCode) -> None:
    """Keep code in this process. A fork could leave a lock taken, so there is none; a race costs a compilation."""
    global _size
    if key not in _kept:
        _kept[key] = code
        _size += len(code.code)
    while _size > LIMIT and len(_kept) > 1:
        try:
            _, gone = _kept.popitem(last=False)
        except KeyError:
            return
        _size -= len(gone.code)
