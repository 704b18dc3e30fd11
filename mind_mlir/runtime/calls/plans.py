"""The data that shim.ll reads to call one executable.

The order of the fields is that of the structures in shim.ll.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from ...ir import TensorType
from .layout import ALIGNED, C_ORDER, WRITEABLE

MOST_ARRAYS = 1 << 15
"""The most arguments and results of a fast call, which holds their addresses, of 8 bytes each, on the stack."""

_MOST_PAIRS = 1 << 16
"""The most pairs of arrays that a fast call with `out=` compares; for more, sorting them is faster."""


class _Want(ctypes.Structure):
    """The type that one array must have."""

    _fields_ = (
        ("dtype", ctypes.c_void_p),
        ("extents", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("flags", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("maker", ctypes.c_void_p),
    )


class _Plan(ctypes.Structure):
    """The facts about one executable."""

    _fields_ = (
        ("process", ctypes.c_void_p),
        ("main", ctypes.c_void_p),
        ("wants", ctypes.c_void_p),
        ("inputs", ctypes.c_int64),
        ("outputs", ctypes.c_int64),
        ("releases_lock", ctypes.c_int64),
        ("takes_out", ctypes.c_int64),
    )


class Plan:
    """How to call an executable, and the memory that this points to."""

    def __init__(
        self,
        process: Any,
        main: int,
        inputs: Sequence[TensorType],
        outputs: Sequence[TensorType],
        makers: Sequence[Callable[[], Any] | None],
        releases_lock: bool,
    ) -> None:
        """For a function at the address `main`, which takes the address of a table of the arrays' addresses.

        `makers` has for each output the function that allocates it, or None for NumPy's.
        """
        types = [*inputs, *outputs]
        extents = [n for t in types for n in t.shape]
        self._extents = (ctypes.c_ssize_t * len(extents))(*extents)
        self._makers = tuple(makers)
        self._wants = (_Want * len(types))()
        at = ctypes.addressof(self._extents)
        for n, (want, t) in enumerate(zip(self._wants, types)):
            maker = self._makers[n - len(inputs)] if n >= len(inputs) else None
            flags = C_ORDER | ALIGNED | (WRITEABLE if n >= len(inputs) else 0)
            # dtype objects live as long as NumPy
            want.dtype, want.extents, want.rank, want.flags = id(t.dtype.numpy), at, t.rank, flags
            want.bytes, want.maker = t.nbytes, None if maker is None else id(maker)
            at += t.rank * ctypes.sizeof(ctypes.c_ssize_t)
        self._plan = _Plan(
            ctypes.addressof(process),
            main,
            ctypes.addressof(self._wants),
            len(inputs),
            len(outputs),
            releases_lock,
            len(outputs) * len(types) <= _MOST_PAIRS,
        )

    @property
    def address(self) -> int:
        """The plan's address."""
        return ctypes.addressof(self._plan)
