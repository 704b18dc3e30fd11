"""A program on a device: loads its kernels, uploads its constants, and replays its launches as a graph."""

from __future__ import annotations

import contextlib
import ctypes
import os
import weakref
from collections.abc import Callable, Mapping, Sequence

from ...ir import MindError
from ...lowering.gpu.artifacts.manifest import Argument, File, Launch, Place, Program, TensorMap, place_of
from .device import Device, Memory
from .driver_errors import NO_BINARY, NO_JIT, UNSUPPORTED_PTX, CudaError, unavailable
from .encoded_maps import Encoded

DEBUG = "MIND_GPU_DEBUG"
"""The environment variable that makes runs wait after every kernel, so that an error names it. Read at loading."""

Read = Callable[[File], bytes]
"""A function from the name of an artifact's file to its bytes."""

_GRAPHS = 64
"""How many bindings of pointers are kept: a caller that rotates through buffers needs several."""

_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED: memory may be given back meanwhile, here and in other threads


class Kernels:
    """The functions of an image, by name; unloaded when nothing refers to it."""

    def __init__(self, device: Device, image: bytes, launches: Sequence[Launch]) -> None:
        """Load a cubin or PTX. Within `device.current()`; CudaError, with what the driver's compiler says as text."""
        self.module = _loaded(device, image)
        weakref.finalize(self, device.release, "cuModuleUnload", self.module, os.getpid()).atexit = False
        self.functions: dict[str, int] = {}
        for launch in launches:
            name = launch.kernel
            if name not in self.functions:
                self.functions[name] = device.driver.handle("cuModuleGetFunction", self.module, name.encode())
            if launch.shared:  # with what the kernel declares, it may exceed 48 KiB, which have to be asked for
                device.driver.call("cuFuncSetAttribute", self.functions[name], _MAX_DYNAMIC_SHARED, launch.shared)


_LOG_BUFFER, _LOG_SIZE = 5, 6  # CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES


def _loaded(device: Device, image: bytes) -> int:
    log = ctypes.create_string_buffer(4096)
    options = (ctypes.c_int * 2)(_LOG_BUFFER, _LOG_SIZE)
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
    try:
        return device.driver.handle("cuModuleLoadDataEx", image + b"\0", 2, options, values)
    except CudaError as why:
        said = "; ".join(log.value.decode("utf-8", "replace").split("\n")[:3]).strip("; ")
        raise CudaError(why.call, why.code, why.name, said or why.text) from None


def candidates(programs: Sequence[Program], capability: tuple[int, int]) -> list[tuple[Program, str]]:
    """The programs that a device may run, each with the kind of its image; best first.

    First those for exactly this chip (sm_90a), then cubins of the same major version and no later minor one, then PTX
    of no later version.
    """
    ranked = []
    for p in programs:
        digits = p.chip[3:].rstrip("af")
        version = (int(digits[:-1]), int(digits[-1]))
        alone = not p.chip[-1].isdigit()
        for kind in ("cubin", "ptx"):
            if kind not in p.images:
                continue
            if alone:
                fits = version == capability
            elif kind == "cubin":
                fits = version[0] == capability[0] and version[1] <= capability[1]
            else:
                fits = version <= capability
            if fits:
                ranked.append(((not alone, kind != "cubin", -version[0], -version[1]), p, kind))
    return [(p, kind) for _, p, kind in sorted(ranked, key=lambda entry: entry[0])]


_LOADING = range(200, 400)
"""Errors about an image, after which another image is tried."""


def load_best(device: Device, programs: Sequence[Program], read: Read) -> tuple[Program, str, Kernels | None]:
    """The best program that this device accepts, the kind of its image, and its kernels.

    Within `device.current()`. E6002 if no image is for the device, or its driver is too old for all of them.
    """
    if not programs[0].launches:
        return programs[0], "none", None
    found = candidates(programs, device.capability)
    failed: CudaError | None = None
    for program, kind in found:
        image = read(program.images[kind])
        try:
            return program, kind, Kernels(device, image, program.launches)
        except CudaError as why:
            if why.code not in _LOADING:
                raise
            failed = why
    shown = "{}.{}".format(*device.capability)
    if failed is None:
        there = ", ".join(f"{kind} for {p.chip}" for p in programs for kind in p.images)
        message = f"no image is for {device.name}, which has compute capability {shown}"
        raise unavailable(message, f"there is {there}", "mind-translate --to-gpu-artifact --chip makes others")
    if failed.code in (UNSUPPORTED_PTX, NO_JIT, NO_BINARY):
        help = "update the driver, or write the artifact where ptxas is, for a cubin"
        raise unavailable(f"the driver of {device.name} takes none of the images", str(failed), help)
    raise failed


class Binding:
    """The launches of a program with their pointers, ready for the driver.

    `where` gives the address of an array, `encoded` the tensor map for it.
    """

    def __init__(
        self,
        launches: Sequence[Launch],
        kernels: Kernels,
        where: Callable[[Place], int],
        encoded: Callable[[TensorMap, int], Encoded],
    ) -> None:
        self.uses = 0
        self.graph: int | None = None
        self.calls = []
        for launch in launches:
            values = [_value(a, where, encoded) for a in launch.arguments]
            pointers = (ctypes.c_void_p * max(len(values), 1))(*[_place_of_value(v) for v in values])
            function = kernels.functions[launch.kernel]
            self.calls.append((launch, function, values, pointers))


def _value(
    a: Argument, where: Callable[[Place], int], encoded: Callable[[TensorMap, int], Encoded]
) -> ctypes.c_uint64 | Encoded:
    pointer = where(place_of(a))
    return encoded(a, pointer) if isinstance(a, TensorMap) else ctypes.c_uint64(pointer)


def _place_of_value(value: ctypes.c_uint64 | Encoded) -> int:
    return value.address if isinstance(value, Encoded) else ctypes.addressof(value)


class Runner:
    """A program with its memory: constants, one arena, and the status. One run at a time: they share the arena."""

    def __init__(
        self, device: Device, program: Program, kernels: Kernels | None, constants: Sequence[File], read: Read
    ) -> None:
        """Upload the constants that the program uses. Within `device.current()`."""
        self.device, self.program, self.kernels = device, program, kernels
        self.stream = device.stream()
        self.memory: dict[str, Mapping[int, Memory]] = {
            "constant": self._upload(constants, read),
            "arena": {0: device.memory(program.arena, "the arena")} if program.arena else {},
            "status": {0: device.memory(8)} if program.has_status else {},
        }
        self._bindings: dict[tuple[int, ...], Binding] = {}
        self._maps: dict[tuple[TensorMap, int], Encoded] = {}
        self._status = ctypes.c_int64()
        self._event = device.event()
        weakref.finalize(self, device.release, "cuEventDestroy_v2", self._event, os.getpid()).atexit = False
        self._last_stream = self.stream.handle
        self._waits = os.environ.get(DEBUG, "") not in ("", "0")

    def _upload(self, constants: Sequence[File], read: Read) -> Mapping[int, Memory]:
        used = {place_of(a) for launch in self.program.launches for a in launch.arguments}
        places = {a for a in used if a.kind == "constant"}
        out = {}
        for number in sorted({a.number for a in places}):
            data = read(constants[number])
            out[number] = self.device.memory(len(data), f"constant {number}")
            self.stream.upload(out[number].pointer, _address(data), len(data))
        self.stream.wait()
        return out

    def run(self, inputs: Sequence[int], outputs: Sequence[int], stream: int | None = None) -> None:
        """Begin all launches, on `stream` or on the program's own. Within `device.current()`."""
        stream = stream or self.stream.handle
        if self.kernels is None:
            return
        if stream != self._last_stream:  # the arena is in use there
            self.after(self._last_stream, stream)
            self._last_stream = stream
        binding = self._bound((*inputs, *outputs), inputs, outputs)
        if self._waits:
            self._one_by_one(binding, stream)
            return
        if binding.graph is None and binding.uses and len(binding.calls) > 1:
            self._capture(binding)
        binding.uses += 1
        if binding.graph is not None:
            self.device.driver.call("cuGraphLaunch", binding.graph, stream)
        else:
            for call in binding.calls:
                self._launch(call, stream)

    def after(self, first: int, then: int) -> None:
        """Let what follows on the stream `then` wait for what has begun on `first`."""
        self.device.driver.call("cuEventRecord", self._event, first)
        self.device.driver.call("cuStreamWaitEvent", then, self._event, 0)

    def status(self) -> int:
        """Wait for the last run; its status, 0 if nothing failed. Within `device.current()`."""
        if self._last_stream != self.stream.handle:
            self.after(self._last_stream, self.stream.handle)
            self._last_stream = self.stream.handle
        if not self.program.has_status:
            self.stream.wait()
            return 0
        self.stream.download(ctypes.addressof(self._status), self.memory["status"][0].pointer, 8)
        self.stream.wait()
        return self._status.value

    def _bound(self, key: tuple[int, ...], inputs: Sequence[int], outputs: Sequence[int]) -> Binding:
        if (found := self._bindings.get(key)) is not None:
            return found

        def where(a: Place) -> int:
            if a.kind == "input":
                return inputs[a.number] + a.offset
            if a.kind == "output":
                return outputs[a.number] + a.offset
            memory = self.memory[a.kind].get(a.number)
            return memory.pointer + a.offset if memory is not None else 0  # an arena of no bytes

        assert self.kernels is not None, "there are launches"
        while len(self._bindings) >= _GRAPHS:
            self._bindings.pop(next(iter(self._bindings)))
        self._bindings[key] = made = Binding(self.program.launches, self.kernels, where, self._encoded)
        return made

    def _encoded(self, map: TensorMap, pointer: int) -> Encoded:
        """The map of memory that stays at its address, which all bindings share, or of an array of the caller."""
        if map.place.kind in ("input", "output"):
            return Encoded(self.device.driver, map, pointer)
        if (map, pointer) not in self._maps:
            self._maps[map, pointer] = Encoded(self.device.driver, map, pointer)
        return self._maps[map, pointer]

    def _capture(self, binding: Binding) -> None:
        """Make a graph of the launches, by capturing our own stream; it may run on any."""
        driver, stream = self.device.driver, self.stream.handle
        graph = ctypes.c_void_p()
        driver.call("cuStreamBeginCapture_v2", stream, _RELAXED)
        try:
            for call in binding.calls:
                self._launch(call, stream)
        except MindError:
            with contextlib.suppress(CudaError):  # a stream that is still capturing accepts nothing else
                driver.call("cuStreamEndCapture", stream, ctypes.byref(graph))
            raise
        driver.call("cuStreamEndCapture", stream, ctypes.byref(graph))
        try:
            binding.graph = driver.handle("cuGraphInstantiateWithFlags", graph, 0)
        finally:
            driver.call("cuGraphDestroy", graph)
        weakref.finalize(binding, self.device.release, "cuGraphExecDestroy", binding.graph, os.getpid()).atexit = False

    def _launch(self, call: tuple[Launch, int, object, object], stream: int) -> None:
        launch, function, _, pointers = call
        try:
            self.device.driver.call(
                "cuLaunchKernel", function, *launch.grid, *launch.block, launch.shared, stream, pointers, None
            )
        except CudaError as why:
            raise self.device.failed(why, _shown(launch)) from None

    def _one_by_one(self, binding: Binding, stream: int) -> None:
        for call in binding.calls:
            self._launch(call, stream)
            try:
                self.device.driver.call("cuStreamSynchronize", stream)
            except CudaError as why:
                raise self.device.failed(why, _shown(call[0])) from None


def _shown(launch: Launch) -> str:
    return f"kernel {launch.kernel}, grid {list(launch.grid)}, block {list(launch.block)}"


def _address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def status_error(status: int, failures: Mapping[int, str]) -> MindError:
    """E6001 for a status other than 0; `failures` has what each status means."""
    return MindError.of("E6001", failures.get(status, f"an index of %{status - 1} is out of bounds"))
