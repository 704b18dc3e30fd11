"""MKL without a framework: matrix products by its C functions, into memory that exists."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from . import Peer
from .libraries import opened

_ROWS, _NOT_TRANSPOSED = 101, 111  # CblasRowMajor, CblasNoTrans


class Mkl(Peer):
    """The library that `pip install mkl` installs."""

    name, package = "mkl", "numpy"

    def __init__(self, threads: int, cpu: str = "native") -> None:
        super().__init__(threads, cpu)
        self._library = opened("mkl_rt")
        self._library.MKL_Set_Threading_Layer(1 if threads == 1 else 3)  # sequential, or GNU's OpenMP
        self._sgemm = self._library.cblas_sgemm
        self._sgemm.restype = None

    @property
    def version(self) -> str:
        """The version, as the library tells it."""
        text = ctypes.create_string_buffer(200)
        self._library.mkl_get_version_string(text, 200)
        words = text.value.decode().split()
        return f"mkl {next((w for w in words if w[0].isdigit()), '')}"

    def matmul(self, a: np.ndarray, b: np.ndarray) -> Callable[[], Any]:
        """The product of two matrices, or of the pairs of two batches one after the other."""
        (m, k), n = a.shape[-2:], b.shape[-1]
        room = self.room((*a.shape[:-1], n))
        one, zero = ctypes.c_float(1), ctypes.c_float(0)

        def place(x: np.ndarray, rows: int, columns: int, number: int) -> Any:
            return ctypes.c_void_p(x.ctypes.data + 4 * number * rows * columns)

        def bound(out: np.ndarray, number: int) -> tuple[Any, ...]:
            operands = place(a, m, k, number), k, place(b, k, n, number), n
            return _ROWS, _NOT_TRANSPOSED, _NOT_TRANSPOSED, m, n, k, one, *operands, zero, place(out, m, n, number), n

        def products(out: np.ndarray) -> list[tuple[Any, ...]]:
            return [bound(out, number) for number in range(a.size // (m * k))]

        given, sgemm = room(), self._sgemm
        prepared = products(given)

        def call() -> Any:
            out, calls = given, prepared
            if self.allocates:
                out = room()
                calls = products(out)
            for arguments in calls:
                sgemm(*arguments)
            return out

        return call
