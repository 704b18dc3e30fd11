"""Arrays on a device: checks of those that a call is given, and the class of those that it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir import MindError, TensorType, np
from ...lowering.gpu.artifacts.manifest import ALIGNMENT
from .device import Device, Memory
from .dlpack import CUDA, Foreign, exported, foreign, typestr

if TYPE_CHECKING:
    import numpy


class DeviceArray:
    """A result on a device. `numpy()` copies it; torch.from_dlpack, cupy.asarray and others take it without a copy."""

    _dlpack_kind = CUDA

    def __init__(self, memory: Memory, type: TensorType) -> None:
        self._memory, self.type = memory, type

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return self.type.shape

    @property
    def dtype(self) -> numpy.dtype:
        """The NumPy dtype of its elements."""
        return self.type.dtype.numpy

    @property
    def pointer(self) -> int:
        """Its address on the device; 0 if it has no elements."""
        return self._memory.pointer if self.type.size else 0

    def numpy(self) -> numpy.ndarray:
        """A copy in host memory. E6008 if the device fails."""
        out = np.empty(self.type.shape, self.type.dtype.numpy)
        with self._memory.device.current():
            stream = self._memory.device.stream()
            stream.download(out.ctypes.data, self.pointer, out.nbytes)
            stream.wait()
        return out

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._dlpack_kind, self._memory.device.number

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """A DLPack capsule for another library. The elements are computed already, so no stream needs to wait."""
        if copy:
            raise BufferError("a DeviceArray is passed on without a copy")
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError(f"a DeviceArray stays on device {self._memory.device.number}")
        return exported(self.pointer, self.type, self._memory.device.number, self._memory, self._dlpack_kind)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": typestr(self.type.dtype),
            "data": (self.pointer, False),
            "strides": None,
            "stream": None,
        }

    def __repr__(self) -> str:
        return f"<{self.type} on {self._memory.device.name}>"


def checked_on_device(what: str, type: TensorType, value: Any, device: Device, stream: int) -> Foreign:
    """An array of another library. E6009 unless it has this type, is C-ordered, aligned, and on `device`."""
    try:
        found = foreign(value, stream)
    except (BufferError, TypeError, ValueError, KeyError, RuntimeError) as why:
        reason = (str(why).splitlines() or [type_name(value)])[0]
        raise MindError.of("E6009", f"{what}: the {type_name(value)} gives no array on the device: {reason}") from None
    if (found.dtype, found.shape) != (type.dtype.value, type.shape):
        shown = f"{found.dtype}[{', '.join(map(str, found.shape))}]"
        raise MindError.of("E6009", f"{what}: expected {type}, found {shown} on the device")
    if found.device not in (None, device.number):
        raise MindError.of("E6009", f"{what} is on device {found.device}, the code is on device {device.number}")
    if not found.is_c_ordered:
        raise MindError.of("E6009", f"{what}: expected {type}, found a strided array", help="make it contiguous")
    if type.size and found.pointer % ALIGNMENT:
        message = f"{what} begins at an address on the device that is no multiple of {ALIGNMENT}"
        raise MindError.of("E6009", message, help="pass a copy, or a part that begins elsewhere")
    return found


def type_name(value: Any) -> str:
    """The name of an object's type, for a message."""
    return str(value.__class__.__name__)


def check_apart(what: str, type: TensorType, pointer: int, others: list[tuple[str, int, int]]) -> None:
    """E6009 if an output shares memory with one of `others`: (name, address, bytes) of each."""
    for name, start, size in others:
        if pointer < start + size and start < pointer + type.nbytes:
            raise MindError.of("E6009", f"{what} shares memory with {name}", help="pass an array of its own")
