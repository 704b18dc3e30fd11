"""Loads a GPU artifact without MLIR, and calls it with arrays. docs/gpu.md, The loader."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...ir import MindError, TensorType, np
from ...ir.forks import ForkLock
from ...lowering.gpu.artifacts.manifest import FILE_NAME, File, Manifest, damaged
from ...lowering.gpu.artifacts.manifest_reader import read_manifest
from ..arguments import by_position, checked, checked_outputs
from .arrays import DeviceArray, check_apart, checked_on_device
from .device import Memory, device
from .device_program import Read, Runner, load_best, status_error
from .dlpack import Foreign, is_on_device

if TYPE_CHECKING:
    import numpy


def load_artifact(folder: str | os.PathLike[str], device: int = 0, driver: str | None = None) -> Artifact:
    """Load the artifact in a folder that `mind-translate --to-gpu-artifact` wrote, on the GPU number `device`.

    `driver` is the path of a driver's library other than the system's, or "cuda-core" to use NVIDIA's package of that
    name; where it is None, the environment variables MIND_CUDA_DRIVER and MIND_LIBCUDA choose. Raises MindError: E7004
    for a folder that cannot be read, E7017 for one that is no artifact, E6002 without a driver, a GPU or an image for
    it, E6004 if its memory does not suffice, E6008 if it fails, E7007 for a variable with another value.
    """
    path = os.fspath(folder)
    manifest = read_manifest(_read(path, FILE_NAME))
    for file in manifest.files():  # a folder that lacks something is refused before it runs
        if not os.path.isfile(os.path.join(path, file.name)):
            raise damaged(f"{os.path.join(path, file.name)} is missing")
    return Artifact(manifest, lambda file: file.checked(_read(path, file.name)), device, driver)


def artifact_in_memory(files: Mapping[str, bytes], device: int = 0, driver: str | None = None) -> Artifact:
    """Load an artifact from its files by name, as `lowering.gpu.artifacts.images.artifact` makes them."""
    manifest = read_manifest(files[FILE_NAME])
    return Artifact(manifest, lambda file: file.checked(files[file.name]), device, driver)


def _read(folder: str, name: str) -> bytes:
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as why:
        if os.path.isdir(folder) and not os.path.exists(path):
            raise damaged(f"{path} is missing") from None
        raise MindError.of("E7004", f"cannot read {path}: {why.strerror}") from None


class Artifact:
    """Compiled GPU code: `a(*arrays)` or `a(name=array)` returns a tuple with one array for each output.

    Arguments are of exactly the Inputs' types (E6009), each a NumPy array or an array of another library on the device,
    which is not copied. With NumPy arrays alone the results are NumPy arrays, else DeviceArrays. `out=` takes an
    array, or one for each output, to write the results into. Calls from several threads wait for each other.
    """

    def __init__(self, manifest: Manifest, read: Read, number: int = 0, driver: str | None = None) -> None:
        """Load the best image and the constants. E6002, E6004, E6008 and E7017, as for `load_artifact`."""
        self.manifest = manifest
        self.input_names = tuple(n.name for n in manifest.inputs)
        self.input_types = tuple(n.type for n in manifest.inputs)
        self.output_types = tuple(n.type for n in manifest.outputs)
        self.device = device(number, driver)
        self._lock = ForkLock()
        self._staged: dict[str, list[Memory]] = {}
        with self.device.current():
            self.program, self.image, kernels = load_best(self.device, manifest.programs, read)
            self.runner = Runner(self.device, self.program, kernels, manifest.constants, read)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{n}: {t}" for n, t in zip(self.input_names, self.input_types))
        signature = f"({inputs}) -> ({', '.join(map(str, self.output_types))})"
        return f"<{self.manifest.name} on {self.device.name}, {self.image} for {self.program.chip}: {signature}>"

    def __call__(self, /, *arrays: Any, out: Any = None, stream: Any = None, **by_name: Any) -> tuple[Any, ...]:
        """Run. Raises E6001 for an index out of bounds, E6004, E6008 and E6009.

        With `stream`, a handle or a stream of another library, the call begins the launches there and returns. Then all
        arrays and `out` are on the device, and `check` waits and raises what went wrong.
        """
        given = by_position(self.input_names, self.input_types, arrays, by_name)
        outputs = [None] * len(self.output_types) if out is None else self._as_list(out)
        if stream is None and not any(map(_elsewhere, (*given, *outputs))):
            return self._on_host(given, out)
        with self._lock, self.device.current():
            if stream is None:
                return self._on_device(given, outputs, self.runner.stream.handle, wait=True)
            if out is None or not all(map(_elsewhere, (*given, *outputs))):
                raise MindError.of("E6009", "stream= takes arrays on the device alone, for the results in out= too")
            return self._on_device(given, outputs, _handle(stream), wait=False)

    def check(self) -> None:
        """Wait for what has been begun with `stream=`. E6001 and E6008."""
        with self._lock, self.device.current():
            self._finish()

    def _as_list(self, out: Any) -> list[Any]:
        outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(outputs) != len(self.output_types):
            raise MindError.of("E6009", f"out= takes {len(self.output_types)} arrays, found {len(outputs)}")
        return outputs

    def _on_host(self, given: Sequence[Any], out: Any) -> tuple[numpy.ndarray, ...]:
        inputs = [checked(f"argument {n}", t, a) for n, t, a in zip(self.input_names, self.input_types, given)]
        if out is None:
            results = [np.empty(t.shape, t.dtype.numpy) for t in self.output_types]
        else:
            results = checked_outputs(self.output_types, out, inputs)
        with self._lock, self.device.current():
            runner, stream = self.runner, self.runner.stream
            there = self._memory("inputs", self.input_types)
            back = self._memory("outputs", self.output_types)
            for memory, a in zip(there, inputs):
                stream.upload(memory.pointer, a.ctypes.data, a.nbytes)
            runner.run([m.pointer for m in there], [m.pointer for m in back])
            for memory, a in zip(back, results):
                stream.download(a.ctypes.data, memory.pointer, a.nbytes)
            self._finish()
        return tuple(results)

    def _memory(self, what: str, types: Sequence[TensorType]) -> list[Memory]:
        """Memory on the device for arrays that are copied from or to the host, made at the first call and kept."""
        if what not in self._staged:
            self._staged[what] = [self.device.memory(t.nbytes, str(t)) for t in types]
        return self._staged[what]

    def _on_device(self, given: Sequence[Any], outputs: Sequence[Any], stream: int, wait: bool) -> tuple[Any, ...]:
        call = _Call(self.runner, stream)
        uploads: list[tuple[int, numpy.ndarray]] = []
        for n, (name, type, value) in enumerate(zip(self.input_names, self.input_types, given)):
            what = f"argument {name}"
            if _elsewhere(value):
                call.takes(what, type, value)
            else:
                array = checked(what, type, value)
                memory = self._memory("inputs", self.input_types)[n]
                uploads.append((memory.pointer, array))
                call.pointers.append((what, memory.pointer, type.nbytes))
        results = [call.writes(n, type, value) for n, (type, value) in enumerate(zip(self.output_types, outputs))]
        for pointer, array in uploads:
            self.runner.stream.upload(pointer, array.ctypes.data, array.nbytes)
        pointers = [pointer for _, pointer, _ in call.pointers]
        inputs = len(self.input_types)
        self.runner.run(pointers[:inputs], pointers[inputs:], stream)
        if wait:
            self._finish()
        return tuple(results)

    def _finish(self) -> None:
        """Wait for the run, and raise the error that its status stands for."""
        if status := self.runner.status():
            raise status_error(status, self.manifest.failures)


class _Call:
    """The pointers of one call: (name, address, bytes) for each argument and then each output."""

    def __init__(self, runner: Runner, stream: int) -> None:
        self.runner, self.stream = runner, stream
        self.pointers: list[tuple[str, int, int]] = []
        self._kept: list[Foreign] = []  # as long as this is

    def takes(self, what: str, type: TensorType, value: Any) -> Foreign:
        """Check an array of another library, and let the call wait for what that library has begun with it."""
        found = checked_on_device(what, type, value, self.runner.device, self.stream)
        if found.stream:
            self.runner.after(found.stream, self.stream)
        self._kept.append(found)
        self.pointers.append((what, found.pointer, type.nbytes))
        return found

    def writes(self, n: int, type: TensorType, value: Any) -> Any:
        """The n-th output: `value`, or new memory where that is None."""
        what = f"out[{n}]"
        if value is None:
            memory = self.runner.device.memory(type.nbytes, f"out{n}: {type}")
            self.pointers.append((what, memory.pointer, type.nbytes))
            return DeviceArray(memory, type)
        if not _elsewhere(value):
            message = f"{what} is on the host, and other arrays are on the device"
            raise MindError.of("E6009", message, help="leave out= away and call numpy() on what is returned")
        before = list(self.pointers)
        found = self.takes(what, type, value)
        if not found.writable:
            raise MindError.of("E6009", f"{what} is read-only")
        check_apart(what, type, found.pointer, before)
        return value


def _elsewhere(value: Any) -> bool:
    return not isinstance(value, (np.ndarray, np.generic)) and value is not None and is_on_device(value)


def _handle(stream: Any) -> int:
    """The driver's handle of a stream, from a number or an object of PyTorch, CuPy or with __cuda_stream__. E6009."""
    if hasattr(stream, "__cuda_stream__"):
        _, stream = stream.__cuda_stream__()
    for name in ("cuda_stream", "ptr"):
        stream = getattr(stream, name, stream)
    if isinstance(stream, bool) or not isinstance(stream, int):
        raise MindError.of("E6009", f"stream= takes the handle of a stream, found a {stream.__class__.__name__}")
    return stream or 1  # 0 stands for the default stream


__all__ = ["Artifact", "File", "artifact_in_memory", "load_artifact"]
