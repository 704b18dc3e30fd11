"""Calls NVIDIA's driver through the package cuda.core instead of the driver's library.

A run calls functions by the names that they have in libcuda, and each is done by objects of cuda.core: its devices,
streams, events, memory, kernels and graphs. Objects are kept as long as their handles are in use. The handles are the
driver's own, so a caller may pass a stream of cuda.core or of another library.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ...ir import MindError
from .driver_errors import INSTALL, CudaError, check_version, not_started, unavailable

NAME = "cuda-core"
"""The name of the package, and of this choice in MIND_CUDA_DRIVER."""

_MAJOR = 75  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR; the minor version is the next one
_NO_TIMING = 2  # CU_EVENT_DISABLE_TIMING
_NO_CODE = -1
"""The code of an error that is not the driver's: there is no driver, or cuda.core refuses an argument."""
_CUBIN = b"\x7fELF"


class CudaCoreDriver:
    """A `driver.Driver` whose functions are done by cuda.core."""

    def __init__(self) -> None:
        """Import the package and set the driver up. E6002 if it is not installed, or as for the driver's library."""
        self.path = NAME
        try:
            self._core: Any = importlib.import_module("cuda.core")
            self._bindings: Any = importlib.import_module("cuda.bindings.driver")
        except ImportError as why:
            help = "pip install mind-mlir[cuda-core], or unset MIND_CUDA_DRIVER: the driver's library alone will do"
            raise unavailable(f"{NAME} is not installed", str(why), help) from None
        self._methods = self._by_name()
        self._held: dict[tuple[str, int], Any] = {}
        self._kernels: dict[int, set[int]] = {}  # module -> its kernels
        self._allocating: dict[int, Any] = {}
        self._contexts = threading.local()
        try:
            self.call("cuInit", 0)
            self.version = self.number("cuDriverGetVersion")
        except CudaError as why:
            if why.code == _NO_CODE:
                raise unavailable(f"{NAME} finds no driver", why.text, INSTALL) from None
            raise not_started(NAME, why) from None
        check_version(NAME, self.version)

    def call(self, name: str, *arguments: Any) -> None:
        """Do what the function `name` of the driver does. CudaError if that fails."""
        self._done(name, arguments)

    def number(self, name: str, *arguments: Any) -> int:
        """The integer that a function stores through its first parameter, which is left out."""
        return int(self._done(name, arguments))

    def handle(self, name: str, *arguments: Any) -> int:
        """The handle that a function stores through its first parameter, which is left out."""
        return int(self._done(name, arguments))

    def _done(self, name: str, arguments: Sequence[Any]) -> Any:
        try:
            return self._methods[name](*arguments)
        except (CudaError, MindError):
            raise
        except Exception as why:  # a CUDAError of cuda.core, or an argument that it refuses
            raise self._error(name, why) from None

    def _error(self, call: str, why: Exception) -> CudaError:
        """The CudaError for an exception of cuda.core, whose text may begin with the driver's name for the error."""
        name, _, text = str(why).partition(": ")
        code = getattr(self._bindings.CUresult, name, None) if name.isidentifier() else None
        if code is None:
            return CudaError(call, _NO_CODE, type(why).__name__, str(why))
        return CudaError(call, int(code), name, text)

    def _checked(self, call: str, found: Sequence[Any]) -> Any:
        """What a function of cuda.bindings returns after its code. CudaError unless the code is 0."""
        code, *rest = found
        if int(code):
            raise CudaError(call, int(code), code.name, "")
        return rest[0] if rest else None

    def _by_name(self) -> dict[str, Callable[..., Any]]:
        """Name of a function of the driver -> the function here that does the same."""
        bindings = self._bindings
        return {
            "cuInit": lambda flags: self._checked("cuInit", bindings.cuInit(flags)),
            "cuDriverGetVersion": lambda: self._checked("cuDriverGetVersion", bindings.cuDriverGetVersion()),
            "cuDeviceGetCount": lambda: self._checked("cuDeviceGetCount", bindings.cuDeviceGetCount()),
            "cuDeviceGet": lambda number: number,
            "cuDeviceGetName": self._device_name,
            "cuDeviceGetAttribute": lambda what, number: self._core.Device(number).compute_capability[what - _MAJOR],
            "cuDevicePrimaryCtxRetain": lambda number: number + 1,  # a handle must not be 0
            "cuCtxPushCurrent_v2": self._push,
            "cuCtxPopCurrent_v2": self._pop,
            "cuModuleLoadDataEx": self._load,
            "cuModuleUnload": self._unload,
            "cuModuleGetFunction": self._function,
            "cuFuncSetAttribute": self._set_attribute,
            "cuMemAlloc_v2": self._allocate,
            "cuMemFree_v2": self._free,
            "cuMemcpyHtoDAsync_v2": self._copy,
            "cuMemcpyDtoHAsync_v2": self._copy,
            "cuStreamCreate": lambda flags: self._hold("stream", self._here().create_stream()),
            "cuStreamDestroy_v2": lambda stream: self._released("stream", stream).close(),
            "cuStreamSynchronize": lambda stream: self._stream(stream).sync(),
            "cuStreamWaitEvent": lambda stream, event, flags: self._stream(stream).wait(self._held["event", event]),
            "cuEventCreate": self._event,
            "cuEventRecord": lambda event, stream: self._stream(stream).record(self._held["event", event]),
            "cuEventSynchronize": lambda event: self._held["event", event].sync(),
            "cuEventElapsedTime": self._elapsed,
            "cuEventDestroy_v2": lambda event: self._released("event", event).close(),
            "cuLaunchKernel": self._launch,
            "cuTensorMapEncodeTiled": self._no_tensor_map,
            "cuStreamBeginCapture_v2": self._begin,
            "cuStreamEndCapture": self._end,
            "cuGraphInstantiateWithFlags": self._instantiate,
            "cuGraphLaunch": lambda graph, stream: self._held["graph", graph].launch(self._stream(stream)),
            "cuGraphDestroy": lambda builder: self._released("builder", _number(builder)).close(),
            "cuGraphExecDestroy": lambda graph: self._released("graph", graph).close(),
        }

    def _hold(self, kind: str, made: Any) -> int:
        """Keep an object, and return its handle."""
        handle = int(made.handle)
        self._held[kind, handle] = made
        return handle

    def _released(self, kind: str, handle: int) -> Any:
        return self._held.pop((kind, handle))

    # Devices

    def _here(self) -> Any:
        """The current device."""
        return self._core.Device()

    def _device_name(self, buffer: Any, size: int, number: int) -> None:
        buffer.value = self._core.Device(number).name.encode()[: size - 1]

    def _push(self, context: int) -> None:
        """Make a device current, and remember the context that was."""
        before = self._checked("cuCtxGetCurrent", self._bindings.cuCtxGetCurrent())
        self._core.Device(context - 1).set_current()
        self._pushed().append(before)

    def _pop(self) -> int:
        before = self._pushed().pop()
        self._checked("cuCtxSetCurrent", self._bindings.cuCtxSetCurrent(before))
        return int(before)

    def _pushed(self) -> list[Any]:
        """The contexts that were current before, in this thread."""
        if not hasattr(self._contexts, "before"):
            self._contexts.before = []
        found: list[Any] = self._contexts.before
        return found

    # Memory

    def _allocate(self, out: Any, size: int) -> None:
        """Allocate memory that every stream may use when this returns, as cuMemAlloc does."""
        stream = self._allocation_stream()
        made = self._here().allocate(size, stream=stream)
        stream.sync()
        out._obj.value = self._hold("memory", made)  # `out` is a byref

    def _free(self, pointer: int) -> None:
        """Give memory back when nothing uses it any more, as cuMemFree does."""
        self._checked("cuMemFree_v2", self._bindings.cuCtxSynchronize())  # Device.sync begins with CUDA's runtime
        self._released("memory", pointer).close(self._allocation_stream())

    def _allocation_stream(self) -> Any:
        """The stream of the current device from which memory is allocated: in cuda.core, memory belongs to a stream."""
        device = self._here()
        if device.device_id not in self._allocating:
            self._allocating[device.device_id] = device.create_stream()
        return self._allocating[device.device_id]

    def _copy(self, to: int, source: int, size: int, stream: int) -> None:
        """Copy between the host and the device; the driver can tell their addresses apart."""
        buffer = self._core.Buffer.from_handle
        buffer(to, size).copy_from(buffer(source, size), stream=self._stream(stream))

    # Streams and events

    def _stream(self, handle: int) -> Any:
        """The stream with this handle: one of ours, or of another library."""
        found = self._held.get(("stream", handle))
        return self._core.Stream.from_handle(handle) if found is None else found

    def _event(self, flags: int) -> int:
        options = self._core.EventOptions(timing_enabled=not flags & _NO_TIMING)
        return self._hold("event", self._here().create_event(options))

    def _elapsed(self, out: Any, start: int, end: int) -> None:
        out._obj.value = self._held["event", end] - self._held["event", start]

    # Kernels

    def _load(self, image: bytes, *options: Any) -> int:
        """Load a cubin or PTX; the options ask for a log, which cuda.core does not have."""
        code = self._core.ObjectCode
        return self._hold("module", (code.from_cubin if image.startswith(_CUBIN) else code.from_ptx)(image))

    def _unload(self, module: int) -> None:
        self._released("module", module)
        for kernel in self._kernels.pop(module, ()):
            self._released("kernel", kernel)

    def _function(self, module: int, name: bytes) -> int:
        """A kernel by its name, kept as long as its module."""
        kernel = self._hold("kernel", self._held["module", module].get_kernel(name))
        self._kernels.setdefault(module, set()).add(kernel)
        return kernel

    def _set_attribute(self, kernel: int, attribute: int, value: int) -> None:
        """Set an attribute of a kernel through the driver, since cuda.core sets none."""
        bindings = self._bindings
        done = bindings.cuKernelSetAttribute(
            bindings.CUfunction_attribute(attribute),
            value,
            self._held["kernel", kernel].handle,
            bindings.CUdevice(self._here().device_id),
        )
        self._checked("cuFuncSetAttribute", done)

    def _launch(self, kernel: int, *sizes_and_rest: Any) -> None:
        """Launch a kernel whose parameters are all pointers, as `Binding` passes them."""
        *sizes, shared, stream, parameters, _ = sizes_and_rest
        config = self._core.LaunchConfig(grid=tuple(sizes[:3]), block=tuple(sizes[3:]), shmem_size=shared)
        pointers = [ctypes.c_uint64.from_address(p).value for p in parameters]
        where = self._held.get(("building", stream)) or self._stream(stream)
        self._core.launch(where, config, self._held["kernel", kernel], *pointers)

    def _no_tensor_map(self, *_: Any) -> None:
        """E6002: cuda.core passes parameters of a few kinds, and a tensor map of 128 bytes is none of them."""
        help = "unset MIND_CUDA_DRIVER, or load_artifact(…, driver='ctypes'); images for sm_90 have no tensor maps"
        raise unavailable(f"{NAME} takes no tensor maps, and products in TF32 for sm_90a have some", "", help)

    # Graphs

    def _begin(self, stream: int, mode: int) -> None:
        self._held["building", stream] = self._stream(stream).create_graph_builder().begin_building("relaxed")

    def _end(self, stream: int, out: Any) -> None:
        builder = self._released("building", stream).end_building()
        out._obj.value = id(builder)  # it has no handle
        self._held["builder", id(builder)] = builder

    def _instantiate(self, builder: Any, flags: int) -> int:
        return self._hold("graph", self._held["builder", _number(builder)].complete())


def _number(handle: Any) -> int:
    """A handle, or the value of one that ctypes wraps, as a number."""
    return int(getattr(handle, "value", handle) or 0)
