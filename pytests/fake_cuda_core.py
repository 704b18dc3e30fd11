"""cuda.core and cuda.bindings.driver without a GPU: as much of them as the loader uses, over the fake driver.

Names, parameters and what is returned are those of the packages; test_gpu_cuda_core.py compares the signatures with
theirs where they are installed.
"""

from __future__ import annotations

import contextlib
import ctypes
import enum
import functools
import sys
import threading
import types
from collections import namedtuple
from dataclasses import dataclass

from mind_mlir import MindError
from mind_mlir.runtime.gpu.driver import CtypesDriver
from mind_mlir.runtime.gpu.driver_errors import CudaError

ComputeCapability = namedtuple("ComputeCapability", ("major", "minor"))

_here = threading.local()
_CONTEXT = 0x1000


class CUDAError(Exception):
    """The driver's name for an error, and what it says about it."""


class CUresult(enum.IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_STUB_LIBRARY = 34
    CUDA_ERROR_NO_DEVICE = 100
    CUDA_ERROR_INVALID_DEVICE = 101
    CUDA_ERROR_INVALID_IMAGE = 200
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222
    CUDA_ERROR_NOT_FOUND = 500
    CUDA_ERROR_LAUNCH_FAILED = 719


class CUfunction_attribute(enum.IntEnum):
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


class _Library:
    """The fake driver, whose errors become those of cuda.core."""

    def __init__(self):
        self.driver = None

    def __getattr__(self, method):
        def call(*arguments):
            try:
                return getattr(self.driver, method)(*arguments)
            except CudaError as why:
                raise CUDAError(f"{why.name}: {why.text}") from None

        return call


_library = _Library()


class Device:
    def __new__(cls, device_id=None):
        made = super().__new__(cls)
        made.device_id = getattr(_here, "device", 0) or 0 if device_id is None else device_id
        return made

    @property
    def name(self):
        buffer = ctypes.create_string_buffer(64)
        _library.call("cuDeviceGetName", buffer, 64, _library.number("cuDeviceGet", self.device_id))
        return buffer.value.decode()

    @property
    def compute_capability(self):
        device = _library.number("cuDeviceGet", self.device_id)
        return ComputeCapability(*[_library.number("cuDeviceGetAttribute", what, device) for what in (75, 76)])

    def set_current(self, ctx=None):
        if getattr(_here, "device", None) is None:
            _library.call("cuCtxPushCurrent_v2", _CONTEXT)
        _here.device = self.device_id

    def create_stream(self, obj=None, options=None):
        return Stream(_library.handle("cuStreamCreate", 1), True)

    def create_event(self, options=None):
        return Event(_library.handle("cuEventCreate", 0 if options.timing_enabled else 2))

    def allocate(self, size, *, stream):
        assert isinstance(stream, Stream)
        found = ctypes.c_uint64()
        _library.call("cuMemAlloc_v2", ctypes.byref(found), size)
        return Buffer(found.value, size)


@dataclass
class EventOptions:
    timing_enabled: bool | None = False
    blocking_sync: bool | None = False
    ipc_enabled: bool | None = False


class Event:
    def __init__(self, handle):
        self.handle = handle

    def __sub__(self, other):
        found = ctypes.c_float()
        _library.call("cuEventElapsedTime", ctypes.byref(found), other.handle, self.handle)
        return found.value

    def sync(self):
        _library.call("cuEventSynchronize", self.handle)

    def close(self):
        _library.call("cuEventDestroy_v2", self.handle)


class Stream:
    def __init__(self, handle, is_ours):
        self.handle, self._is_ours = handle, is_ours

    @staticmethod
    def from_handle(handle):
        return Stream(handle, False)

    def __cuda_stream__(self):
        return 0, self.handle

    def sync(self):
        _library.call("cuStreamSynchronize", self.handle)

    def record(self, event=None, options=None):
        _library.call("cuEventRecord", event.handle, self.handle)
        return event

    def wait(self, event_or_stream):
        assert isinstance(event_or_stream, Event)
        _library.call("cuStreamWaitEvent", self.handle, event_or_stream.handle, 0)

    def create_graph_builder(self):
        return GraphBuilder(self)

    def close(self):
        assert self._is_ours
        _library.call("cuStreamDestroy_v2", self.handle)


class Buffer:
    def __init__(self, handle, size):
        self.handle, self.size = handle, size

    @staticmethod
    def from_handle(ptr, size, mr=None, owner=None):
        return Buffer(ptr, size)

    def copy_from(self, src, *, stream):
        to_device = _library.driver.is_on_device(self.handle)
        name = "cuMemcpyHtoDAsync_v2" if to_device else "cuMemcpyDtoHAsync_v2"
        assert self.size == src.size
        _library.call(name, self.handle, src.handle, src.size, stream.handle)

    def close(self, stream=None):
        _library.call("cuMemFree_v2", self.handle)


class ObjectCode:
    def __init__(self, module):
        self._module = module

    @staticmethod
    def from_cubin(module, *, name="", symbol_mapping=None):
        assert module.startswith(b"\x7fELF")
        return ObjectCode(module)

    @staticmethod
    def from_ptx(module, *, name="", symbol_mapping=None):
        assert not module.startswith(b"\x7fELF")
        return ObjectCode(module)

    @functools.cached_property
    def handle(self):
        return _library.handle("cuModuleLoadDataEx", self._module, 0, None, None)

    def get_kernel(self, name):
        return Kernel(_library.handle("cuModuleGetFunction", self.handle, name))


class Kernel:
    def __init__(self, handle):
        self.handle = handle


class LaunchConfig:
    def __init__(
        self,
        grid=None,
        cluster=None,
        block=None,
        shmem_size=None,
        is_cooperative=False,
        programmatic_stream_serialization=False,
    ):
        self.grid, self.block, self.shmem_size = grid, block, shmem_size


def launch(stream, config, kernel, *kernel_args):
    values = (ctypes.c_uint64 * max(len(kernel_args), 1))(*kernel_args)
    pointers = [ctypes.addressof(values) + 8 * n for n in range(len(values))]
    where = stream.stream if isinstance(stream, GraphBuilder) else stream
    assert where.handle is not None
    _library.call(
        "cuLaunchKernel",
        kernel.handle,
        *config.grid,
        *config.block,
        config.shmem_size,
        where.handle,
        (ctypes.c_void_p * len(values))(*pointers),
        None,
    )


class GraphBuilder:
    def __init__(self, stream):
        self.stream, self._graph = stream, ctypes.c_void_p()

    def begin_building(self, mode="relaxed"):
        assert mode == "relaxed"
        _library.call("cuStreamBeginCapture_v2", self.stream.handle, 2)
        return self

    def end_building(self):
        _library.call("cuStreamEndCapture", self.stream.handle, ctypes.byref(self._graph))
        return self

    def complete(self, options=None):
        return Graph(_library.handle("cuGraphInstantiateWithFlags", self._graph, 0))

    def close(self):
        _library.call("cuGraphDestroy", self._graph)


class Graph:
    def __init__(self, handle):
        self.handle = handle

    def launch(self, stream):
        _library.call("cuGraphLaunch", self.handle, stream.handle)

    def close(self):
        _library.call("cuGraphExecDestroy", self.handle)


def _coded(call):
    """A function of cuda.bindings: its code comes first."""

    @functools.wraps(call)
    def function(*arguments):
        try:
            found = call(*arguments)
        except CudaError as why:
            return (CUresult(why.code),) if _gives_nothing(call) else (CUresult(why.code), None)
        return (CUresult(0),) if _gives_nothing(call) else (CUresult(0), found)

    return function


def _gives_nothing(call):
    return call.__name__ in ("cuInit", "cuCtxSetCurrent", "cuCtxSynchronize", "cuKernelSetAttribute")


@_coded
def cuInit(Flags):
    _library.driver.call("cuInit", Flags)


@_coded
def cuDriverGetVersion():
    return _library.driver.number("cuDriverGetVersion")


@_coded
def cuDeviceGetCount():
    return _library.driver.number("cuDeviceGetCount")


@_coded
def cuCtxGetCurrent():
    device = getattr(_here, "device", None)
    return 0 if device is None else _CONTEXT + device


@_coded
def cuCtxSetCurrent(ctx):
    if not ctx and getattr(_here, "device", None) is not None:
        _library.driver.handle("cuCtxPopCurrent_v2")
    _here.device = ctx - _CONTEXT if ctx else None


@_coded
def cuCtxSynchronize():
    """The fake driver runs what is begun when someone waits for its stream."""


@_coded
def cuKernelSetAttribute(attrib, val, kernel, dev):
    _library.driver.call("cuFuncSetAttribute", kernel, int(attrib), val)


def CUdevice(init_value=0):
    return init_value


class _Driver(CtypesDriver):
    """The fake driver, whose cuInit is left to who uses it."""

    def __init__(self, fake):
        self._fake = fake
        with contextlib.suppress(MindError):  # what cuInit and the version say, they say again
            super().__init__(fake.path)

    def is_on_device(self, pointer):
        start, size = ctypes.c_uint64(), ctypes.c_uint64()
        return bool(self._fake.library.fake_find(ctypes.c_uint64(pointer), ctypes.byref(start), ctypes.byref(size)))


CORE = (Device, EventOptions, Event, Stream, Buffer, ObjectCode, Kernel, LaunchConfig, launch)
BINDINGS = (CUresult, CUfunction_attribute, CUdevice, cuInit, cuDriverGetVersion, cuCtxGetCurrent, cuCtxSetCurrent)
BINDINGS += (cuCtxSynchronize, cuDeviceGetCount, cuKernelSetAttribute)


def install(monkeypatch, fake):
    """Let the packages be these, over a fake driver."""
    _library.driver = _Driver(fake)
    core, bindings = types.ModuleType("cuda.core"), types.ModuleType("cuda.bindings.driver")
    for module, names in ((core, CORE), (bindings, BINDINGS)):
        for thing in names:
            setattr(module, thing.__name__, thing)
    for name, module in (("cuda.core", core), ("cuda.bindings.driver", bindings)):
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("cuda", "cuda.bindings"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
