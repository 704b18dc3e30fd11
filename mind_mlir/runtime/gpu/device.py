"""One GPU: its context, memory and streams. Errors of the driver become E6004 and E6008 that name the device."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import weakref
from collections.abc import Iterator

from ...ir import MindError
from ...lowering.toolchain.finding import Finding
from .driver import Driver, driver
from .driver_errors import (
    DEINITIALIZED,
    INVALID_DEVICE,
    NOT_INITIALIZED,
    OUT_OF_MEMORY,
    CudaError,
    unavailable,
)

OLDEST = (8, 0)
"""The lowest compute capability for which code is generated."""

_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
_NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING: apart from the default stream, which other libraries use
_NO_TIMING = 2  # CU_EVENT_DISABLE_TIMING


_WAITING = ("cuStreamSynchronize", "cuEventSynchronize", "cuMemcpyDtoHAsync_v2")
"""Calls that may report errors of kernels launched before them."""


class Device:
    """A GPU with its primary context, which libraries in one process share."""

    def __init__(self, library: Driver, number: int) -> None:
        """Device `number`. E6002 if there is none, or if it is too old."""
        self.driver, self.number, self.name = library, number, f"device {number}"
        try:
            count = library.number("cuDeviceGetCount")
            if not 0 <= number < count:
                has = f"there {'is' if count == 1 else 'are'} {count}"
                raise unavailable(f"there is no GPU with number {number}", f"{has}, counted from 0")
            self._handle = library.number("cuDeviceGet", number)
            name = ctypes.create_string_buffer(256)
            library.call("cuDeviceGetName", name, len(name), self._handle)
            self.name = name.value.decode("utf-8", "replace")
            major, minor = (library.number("cuDeviceGetAttribute", a, self._handle) for a in (_MAJOR, _MINOR))
            self.capability = (major, minor)
            if self.capability < OLDEST:
                message = f"{self.name} has compute capability {major}.{minor}, {OLDEST[0]}.{OLDEST[1]} is needed"
                raise unavailable(message)
            self._context = library.handle("cuDevicePrimaryCtxRetain", self._handle)
        except CudaError as why:
            if why.code == INVALID_DEVICE:
                raise unavailable(f"there is no GPU with number {number}", str(why)) from None
            raise self.failed(why) from None

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """Within this, the context is the calling thread's current one, and a CudaError becomes E6004 or E6008."""
        try:
            self.driver.call("cuCtxPushCurrent_v2", self._context)
            try:
                yield
            finally:
                self.driver.handle("cuCtxPopCurrent_v2")
        except CudaError as why:
            raise self.failed(why) from None

    def failed(self, why: CudaError, doing: str = "") -> MindError:
        """The error for a CudaError: E6004 if memory is used up, else E6008."""
        what = f"{doing}: {why.call}" if doing else why.call
        if why.code == OUT_OF_MEMORY:
            return MindError.of("E6004", f"{self.name} has no memory left", note=f"{what}: {why.name}")
        help = ""
        if why.call in _WAITING and not doing:
            help = "set MIND_GPU_DEBUG=1 to wait after every kernel and see which one fails"
        if why.code in (NOT_INITIALIZED, DEINITIALIZED):
            help = "a GPU cannot be used in a child process that was forked after its first use: compile there"
        message = f"{self.name}: {what} failed with {why.name} ({why.code})"
        return MindError.of("E6008", message, note=why.text, help=help)

    def memory(self, size: int, what: str = "") -> Memory:
        """New memory of `size` bytes, at least 1. Within `current`; E6004 if there is not as much."""
        pointer = ctypes.c_uint64()
        try:
            self.driver.call("cuMemAlloc_v2", ctypes.byref(pointer), max(size, 1))
        except CudaError as why:
            if why.code != OUT_OF_MEMORY:
                raise
            note = f"{what or 'memory'} takes {size} bytes; {why.call}: {why.name}"
            raise MindError.of("E6004", f"{self.name} has no memory left", note=note) from None
        return Memory(self, pointer.value, size)

    def stream(self) -> Stream:
        """A new stream. Within `current`."""
        return Stream(self, self.driver.handle("cuStreamCreate", _NON_BLOCKING))

    def event(self) -> int:
        """A new event, to wait for. Within `current`."""
        return self.driver.handle("cuEventCreate", _NO_TIMING)

    def release(self, function: str, handle: int, process: int) -> None:
        """Give a handle back by a function of the driver, in any thread and at any time; errors are ignored.

        In a child process nothing happens: what was made before the fork is its parent's.
        """
        if os.getpid() == process:
            with contextlib.suppress(MindError), self.current():
                self.driver.call(function, handle)


class Memory:
    """Memory on a device, given back when nothing refers to it."""

    def __init__(self, device: Device, pointer: int, size: int) -> None:
        self.device, self.pointer, self.size = device, pointer, size
        weakref.finalize(self, device.release, "cuMemFree_v2", pointer, os.getpid()).atexit = False


class Stream:
    """A stream, destroyed when nothing refers to it."""

    def __init__(self, device: Device, handle: int) -> None:
        self.device, self.handle = device, handle
        weakref.finalize(self, device.release, "cuStreamDestroy_v2", handle, os.getpid()).atexit = False

    def upload(self, pointer: int, host: int, size: int) -> None:
        """Copy from the address `host`. Unless its memory is pinned, it may be reused when this returns."""
        if size:
            self.device.driver.call("cuMemcpyHtoDAsync_v2", pointer, host, size, self.handle)

    def download(self, host: int, pointer: int, size: int) -> None:
        """Begin to copy to the address `host`; `wait` ends it."""
        if size:
            self.device.driver.call("cuMemcpyDtoHAsync_v2", host, pointer, size, self.handle)

    def wait(self) -> None:
        """Wait until everything on the stream is done."""
        self.device.driver.call("cuStreamSynchronize", self.handle)


def device(number: int = 0, path: str | None = None) -> Device:
    """The GPU of that number, through the driver at `path` or the default one. E6002."""
    return _device(driver(path), number)


@functools.cache
def _device(library: Driver, number: int) -> Device:
    return Device(library, number)


def gpu_finding() -> Finding:
    """The line of `mind-opt --doctor`: the first GPU and its driver, or what is missing."""
    try:
        found = device()
    except MindError as why:
        message = why.message.partition("not available: ")[2] or why.message
        return Finding("GPU", message, "install NVIDIA's driver, for the target gpu", needed=False)
    version = found.driver.version
    capability = "{}.{}".format(*found.capability)
    shown = f"{found.name}, compute capability {capability}, driver of CUDA {version // 1000}.{version % 1000 // 10}"
    return Finding("GPU", shown)
