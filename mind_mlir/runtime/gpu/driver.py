"""Calls NVIDIA's driver, by ctypes or by the package cuda.core. Every call is checked; errors have the driver's names.

The signatures are those of the CUDA Driver API 12.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from ctypes import c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Protocol

from ...ir import MindError
from .cuda_core import CudaCoreDriver
from .driver_errors import INSTALL, UPDATE, CudaError, check_version, not_started, unavailable

CHOICE = "MIND_CUDA_DRIVER"
"""The environment variable that chooses how the driver is called."""

CHOICES = ("libcuda", "cuda-core")
"""Its values: by ctypes, or by NVIDIA's package."""

VARIABLE = "MIND_LIBCUDA"
"""The environment variable that names a library of the driver other than the system's."""

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

_pointer = ctypes.POINTER
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "cuInit": (c_uint,),
    "cuDriverGetVersion": (_pointer(c_int),),
    "cuGetErrorName": (c_int, _pointer(c_char_p)),
    "cuGetErrorString": (c_int, _pointer(c_char_p)),
    "cuDeviceGetCount": (_pointer(c_int),),
    "cuDeviceGet": (_pointer(c_int), c_int),
    "cuDeviceGetName": (c_char_p, c_int, c_int),
    "cuDeviceGetAttribute": (_pointer(c_int), c_int, c_int),
    "cuDevicePrimaryCtxRetain": (_pointer(c_void_p), c_int),
    "cuCtxPushCurrent_v2": (c_void_p,),
    "cuCtxPopCurrent_v2": (_pointer(c_void_p),),
    "cuModuleLoadDataEx": (_pointer(c_void_p), c_char_p, c_uint, c_void_p, c_void_p),
    "cuModuleUnload": (c_void_p,),
    "cuModuleGetFunction": (_pointer(c_void_p), c_void_p, c_char_p),
    "cuFuncSetAttribute": (c_void_p, c_int, c_int),
    "cuMemAlloc_v2": (_pointer(c_uint64), c_size_t),
    "cuMemFree_v2": (c_uint64,),
    "cuMemcpyHtoDAsync_v2": (c_uint64, c_void_p, c_size_t, c_void_p),
    "cuMemcpyDtoHAsync_v2": (c_void_p, c_uint64, c_size_t, c_void_p),
    "cuStreamCreate": (_pointer(c_void_p), c_uint),
    "cuStreamDestroy_v2": (c_void_p,),
    "cuStreamSynchronize": (c_void_p,),
    "cuStreamWaitEvent": (c_void_p, c_void_p, c_uint),
    "cuEventCreate": (_pointer(c_void_p), c_uint),
    "cuEventRecord": (c_void_p, c_void_p),
    "cuEventSynchronize": (c_void_p,),
    "cuEventElapsedTime": (_pointer(c_float), c_void_p, c_void_p),
    "cuEventDestroy_v2": (c_void_p,),
    "cuLaunchKernel": (c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p),
    "cuTensorMapEncodeTiled": (c_void_p, c_int, c_uint, *[c_void_p] * 5, *[c_int] * 4),
    "cuStreamBeginCapture_v2": (c_void_p, c_int),
    "cuStreamEndCapture": (c_void_p, _pointer(c_void_p)),
    "cuGraphInstantiateWithFlags": (_pointer(c_void_p), c_void_p, c_uint64),
    "cuGraphLaunch": (c_void_p, c_void_p),
    "cuGraphDestroy": (c_void_p,),
    "cuGraphExecDestroy": (c_void_p,),
}


class Driver(Protocol):
    """NVIDIA's driver, whose functions are called by the names that they have in libcuda. CudaError if one fails.

    `path` names it in messages; `version` is that of CUDA, as cuDriverGetVersion has it.
    """

    path: str
    version: int

    def __hash__(self) -> int: ...

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function with all of its parameters."""

    def number(self, name: str, *arguments: Any) -> int:
        """The integer that a function stores through its first parameter, which is left out."""

    def handle(self, name: str, *arguments: Any) -> int:
        """The handle that a function stores through its first parameter, which is left out."""


class CtypesDriver:
    """A `Driver` that calls the library by ctypes."""

    def __init__(self, path: str) -> None:
        """Open the library at `path`. E6002 if it is missing, does not start, or is too old."""
        self.path = path
        try:
            library = ctypes.CDLL(path)
        except OSError as why:
            found = "cannot be loaded" if os.path.exists(path) else "is missing"
            raise unavailable(f"{path} {found}", str(why), INSTALL) from None
        self._functions: dict[str, Any] = {}
        for name, types in _SIGNATURES.items():
            try:
                function = library[name]
            except AttributeError:
                what = "is no driver" if name == "cuInit" else "is too old"
                raise unavailable(f"{path} {what}", f"it has no {name}", UPDATE) from None
            function.argtypes, function.restype = types, c_int
            self._functions[name] = function
        try:
            self.call("cuInit", 0)
            version = c_int()
            self.call("cuDriverGetVersion", ctypes.byref(version))
        except CudaError as why:
            raise not_started(path, why) from None
        self.version = version.value
        check_version(path, self.version)

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver. CudaError unless it returns 0."""
        if code := self._functions[name](*arguments):
            raise self.error(name, code)

    def error(self, call: str, code: int) -> CudaError:
        """The error with the driver's name and text for its code."""
        found = []
        for function in ("cuGetErrorName", "cuGetErrorString"):
            text = c_char_p()
            failed = self._functions[function](code, ctypes.byref(text))
            found.append("" if failed or not text.value else text.value.decode("utf-8", "replace"))
        return CudaError(call, code, found[0] or "an error that the driver has no name for", found[1])

    def number(self, name: str, *arguments: Any) -> int:
        """The integer that a function stores through its first parameter."""
        found = c_int()
        self.call(name, ctypes.byref(found), *arguments)
        return found.value

    def handle(self, name: str, *arguments: Any) -> int:
        """The handle that a function stores through its first parameter."""
        found = c_void_p()
        self.call(name, ctypes.byref(found), *arguments)
        return found.value or 0


def driver(path: str | None = None) -> Driver:
    """The driver: the library at `path`, or cuda.core if that is "cuda-core". It is loaded once.

    Where `path` is None, MIND_CUDA_DRIVER chooses, and MIND_LIBCUDA names another library than the system's. E6002;
    E7007 for a choice that does not exist.
    """
    choice = os.environ.get(CHOICE, "").strip() or CHOICES[0]
    if choice not in CHOICES:
        raise MindError.of("E7007", f"{CHOICE} is one of {', '.join(CHOICES)}, found {choice}")
    if path is None and choice == CHOICES[0]:
        path = os.environ.get(VARIABLE, "").strip() or LIBRARY
    return _driver(path or choice, os.getpid())


@functools.cache
def _driver(path: str, process: int) -> Driver:
    """The driver of one process: after a fork the child sets up its own."""
    if path != CHOICES[1]:
        return CtypesDriver(path)
    return CudaCoreDriver()
