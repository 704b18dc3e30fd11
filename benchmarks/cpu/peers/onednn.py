"""oneDNN without a framework: convolutions by its C functions, with filters in the order that it prefers.

The filters are put into that order before the first call, as for a network that is used many times.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import Peer, empty
from .libraries import opened

# From dnnl_types.h
_CPU, _IN_ORDER = 1, 1
_F32, _ANY_ORDER = 3, 1
_INFERENCE, _DIRECT = 96, 1
_SOURCE, _TARGET, _FILTERS = 1, 17, 33
_MEMORY_OF_FILTERS = 131
_MOST_DIMENSIONS = 12


class _Argument(ctypes.Structure):
    _fields_ = [("role", ctypes.c_int), ("memory", ctypes.c_void_p)]


class OneDnn(Peer):
    """The library that `pip install onednn-cpu-gomp` installs."""

    name, package = "onednn", "numpy"

    def __init__(self, threads: int, cpu: str = "native") -> None:
        super().__init__(threads, cpu)
        self._library = opened("dnnl")
        self._library.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self._library.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self._engine = self._made("dnnl_engine_create", _CPU, ctypes.c_size_t(0))
        self._stream = self._made("dnnl_stream_create", self._engine, _IN_ORDER)

    @property
    def version(self) -> str:
        """The version, as the library tells it."""
        self._library.dnnl_version.restype = ctypes.POINTER(ctypes.c_int * 3)
        return "onednn " + ".".join(str(n) for n in self._library.dnnl_version().contents)

    def conv(self, x: np.ndarray, w: np.ndarray, stride: int, pad: int) -> Callable[[], Any]:
        """The convolution of images [N, H, W, C] with filters [height, width, C, F]."""
        n, height, width, c = x.shape
        size, _, _, f = w.shape
        rows, columns = ((extent + 2 * pad - size) // stride + 1 for extent in (height, width))
        room = self.room((n, rows, columns, f))
        source = self._layout((n, c, height, width), (height * width * c, 1, width * c, c))
        target = self._layout((n, f, rows, columns), (rows * columns * f, 1, columns * f, f))
        own = self._layout((f, c, size, size), (1, f, size * c * f, c * f))
        best = self._made("dnnl_memory_desc_create_with_tag", 4, _numbers(f, c, size, size), _F32, _ANY_ORDER)
        pads = _numbers(pad, pad)
        problem = source, best, None, target, _numbers(stride, stride), _numbers(0, 0), pads, pads, None
        chosen = self._made(
            "dnnl_convolution_forward_primitive_desc_create", self._engine, _INFERENCE, _DIRECT, *problem
        )
        order = ctypes.c_void_p(self._library.dnnl_primitive_desc_query_md(chosen, _MEMORY_OF_FILTERS, 0))
        filters = empty((self._library.dnnl_memory_desc_get_size(order) // 4,))
        turning = self._made("dnnl_reorder_primitive_desc_create", own, self._engine, order, self._engine, None)
        turn = self._made("dnnl_primitive_create", turning)
        self._run(turn, self._arguments({_SOURCE: (own, w), _TARGET: (order, filters)}))
        convolution = self._made("dnnl_primitive_create", chosen)

        def bound(out: np.ndarray) -> Any:
            return self._arguments({_SOURCE: (source, x), _FILTERS: (order, filters), _TARGET: (target, out)})

        given = room()
        prepared = bound(given)

        def call(owned: Sequence[np.ndarray] = (x, w, filters)) -> Any:
            out, arguments = given, prepared
            if self.allocates:
                out = room()
                arguments = bound(out)
            self._run(convolution, arguments)
            return out

        return call

    def _layout(self, extents: Sequence[int], strides: Sequence[int]) -> Any:
        """The description of memory with these extents and strides."""
        rank = len(extents)
        return self._made("dnnl_memory_desc_create_with_strides", rank, _numbers(*extents), _F32, _numbers(*strides))

    def _arguments(self, memories: dict[int, tuple[Any, np.ndarray]]) -> Any:
        made = [
            _Argument(role, self._made("dnnl_memory_create", kind, self._engine, ctypes.c_void_p(a.ctypes.data)))
            for role, (kind, a) in memories.items()
        ]
        return (_Argument * len(made))(*made)

    def _run(self, primitive: Any, arguments: Any) -> None:
        _check(self._library.dnnl_primitive_execute(primitive, self._stream, len(arguments), arguments))

    def _made(self, function: str, *arguments: Any) -> Any:
        """Call a function of the library; returns what it writes to the address that is its first argument."""
        made = ctypes.c_void_p()
        _check(getattr(self._library, function)(ctypes.byref(made), *arguments))
        return made


def _check(status: int) -> None:
    if status:
        raise RuntimeError(f"oneDNN answers with status {status}")


def _numbers(*numbers: int) -> Any:
    return (ctypes.c_int64 * _MOST_DIMENSIONS)(*numbers)
