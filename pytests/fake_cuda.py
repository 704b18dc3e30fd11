"""A driver without a GPU: fake_cuda.c, with kernels run by the emulator or by functions of a test."""

from __future__ import annotations

import ctypes
import functools
import gc
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from mind_mlir.lowering.gpu.artifacts.images import artifact
from mind_mlir.lowering.gpu.artifacts.manifest import TensorMap
from mind_mlir.lowering.gpu.artifacts.manifest_reader import read_manifest
from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm
from mind_mlir.lowering.targets.chips import CHIPS
from mind_mlir.runtime.gpu import device, driver
from mind_mlir.testing.emulation import Emulator, Memory, c_compiler

SOURCE = Path(__file__).parent / "fake_cuda.c"
needs_compiler = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on PATH to build the driver with")

LAUNCH_FAILED = 719

_LOAD = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_PARAMETERS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_byte))
_LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_uint),
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.c_int,
)


@functools.cache
def library_path(*options: str) -> str:
    """The driver, built once a process."""
    folder = tempfile.mkdtemp(prefix="mind-fake-cuda-")
    path = os.path.join(folder, "libcuda.so.1")
    command = [c_compiler(), "-Wall", "-Werror", *options, "-shared", "-fPIC", "-o", path, os.fspath(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return path


@functools.lru_cache(maxsize=64)
def _made(m, text, numerics, options, chips):
    """The artifact of a module, and its emulated kernels, made once: tests differ in what they do with them.

    `text` has what equal modules may differ in, and `chips` what CHIPS says of each.
    """
    return Made(m, numerics, dict(options))


class Made:
    """The files of an artifact, and kernels for each chip once they are launched."""

    def __init__(self, m, numerics, options):
        self.files = artifact(m, numerics=numerics, **options)
        precision = options.get("precision", "f32")
        self.emulated = functools.cache(lambda chip: Emulated(m, chip, numerics, precision))


class FakeCuda:
    """The driver of one test: `path` is what the code under test opens."""

    def __init__(self, path: str = "") -> None:
        self.path = path or library_path()
        self.library = ctypes.CDLL(self.path)
        self.library.fake_log.restype = ctypes.c_char_p
        self.images: list[tuple[bytes, object]] = []  # an image, and what runs its kernels
        self.raised: list[BaseException] = []
        self.refused: dict[str, int] = {}  # kind of image -> the driver's code
        self.loaded: list[int] = []
        self.library.fake_reset()
        self._hooks = _LOAD(self._load), _PARAMETERS(self._parameters), _LAUNCH(self._launch)
        self.library.fake_hooks(*[ctypes.cast(h, ctypes.c_void_p) for h in self._hooks])

    def has(self, devices=1, capability=(9, 0), version=12040, room=1 << 30):
        """What machine this is."""
        self.library.fake_set(devices, *capability, version, ctypes.c_size_t(room))

    def fails(self, name, code, skip=0):
        """The next call of a function, after `skip` others, returns `code`."""
        self.library.fake_fail(name.encode(), code, skip)

    def log(self, *names):
        """Calls since the last time, with their numbers; those of some functions where names are given."""
        lines = self.library.fake_log().decode().splitlines()
        self.library.fake_forget()
        return [line for line in lines if not names or line.partition(" ")[0] in names]

    def adopts(self, array):
        """Let an array of the test be memory of the device."""
        self.library.fake_adopt(ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
        return array

    def live(self):
        """How many pieces of memory are allocated."""
        gc.collect()
        return self.library.fake_live()

    def files(self, m, numerics="default", **options):
        """The artifact of a module, whose kernels the emulator runs."""
        made = _made(m, str(m), numerics, tuple(options.items()), repr(CHIPS))
        for program in read_manifest(made.files["manifest.json"]).programs:
            make = functools.partial(made.emulated, program.chip)
            for file in program.images.values():
                self.images.append((made.files[file.name], make))
        return dict(made.files)

    def _load(self, image):
        kind = "cubin" if ctypes.string_at(image, 4) == b"\x7fELF" else "ptx"
        if kind in self.refused:
            return -self.refused[kind]
        for n, (data, _) in enumerate(self.images):
            if ctypes.string_at(image, min(len(data), 64)) == data[:64] and ctypes.string_at(image, len(data)) == data:
                self.loaded.append(n)
                return n + 1
        return -200

    def _parameters(self, module, kernel, is_map):
        def run():
            found = self.images[module - 1][1]().parameters(kernel.decode())
            for n, a in enumerate(found):
                is_map[n] = isinstance(a, TensorMap)
            return len(found)

        return self._guarded(run, -1)

    def _launch(self, module, kernel, sizes, values, count):
        def run():
            pointers = [values[n] for n in range(count)]
            kernels = self.images[module - 1][1]()
            arguments = kernels.parameters(kernel.decode())
            shown = [
                ctypes.c_uint64.from_address(p).value if isinstance(a, TensorMap) else p
                for a, p in zip(arguments, pointers)
            ]
            memory = {self._memory(p) for p in shown}
            kernels.launch(kernel.decode(), list(sizes[0:7]), pointers, memory)
            return 0

        return self._guarded(run, LAUNCH_FAILED)

    def _guarded(self, run, failed):
        try:
            return run()
        except BaseException as why:  # behind C: raised again at the end of the test
            self.raised.append(why)
            return failed

    def _memory(self, pointer):
        start, size = ctypes.c_uint64(), ctypes.c_uint64()
        found = self.library.fake_find(ctypes.c_uint64(pointer), ctypes.byref(start), ctypes.byref(size))
        assert found, f"a kernel is given the pointer {pointer:#x}, which is no memory of the device"
        return Memory(start.value, size.value, f"memory at {start.value:#x}")


class Emulated:
    """Kernels of a module for a chip."""

    def __init__(self, m, chip, numerics, precision):
        code = to_nvvm(m, chip, numerics, precision)
        self.arguments = {launch.kernel: launch.arguments for launch in code.plan.launches}
        self.emulator = Emulator(code.nvvm, chip)

    def parameters(self, kernel):
        return self.arguments[kernel]

    def launch(self, kernel, sizes, pointers, memory):
        self.emulator.launch(kernel, sizes[:3], sizes[3:6], pointers, sorted(memory, key=lambda m: m.start), sizes[6])


def fresh(monkeypatch):
    """The driver, new for each test; what its kernels raised is raised at the end."""
    gc.collect()  # what earlier tests hold on it goes before it is new
    driver._driver.cache_clear()
    device._device.cache_clear()
    made = FakeCuda()
    monkeypatch.setenv(driver.VARIABLE, made.path)
    monkeypatch.delenv("MIND_GPU_DEBUG", raising=False)
    yield made
    driver._driver.cache_clear()
    device._device.cache_clear()
    if made.raised:
        raise made.raised[0]


class OnDevice:
    """An array of another library, by DLPack."""

    def __init__(self, array, number=0):
        self.array, self.number, self.streams = array, number, []

    def __dlpack_device__(self):
        return 2, self.number

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()


class Interface:
    """An array of another library, by __cuda_array_interface__."""

    def __init__(self, array, **changed):
        self.array = array
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.ctypes.data, False),
            "strides": array.strides,
            **changed,
        }


def aligned(array, offset=0):
    """A copy that begins at a multiple of 64 bytes, or so many bytes beyond."""
    room = np.empty(array.nbytes + 128 + offset, np.uint8)
    start = -room.ctypes.data % 64 + offset
    out = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    out[...] = array
    return out
