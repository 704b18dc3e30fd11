"""Exchanges arrays on a device with other libraries without copies, by DLPack and __cuda_array_interface__.

The structures are those of DLPack 0.x, which every library exchanges: https://dmlc.github.io/dlpack.
"""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any

from ...ir import DType, TensorType

CPU, CUDA, CUDA_MANAGED = 1, 2, 13
"""Values of DLPack's DLDeviceType."""

LEGACY_STREAM = 1
"""The handle of the default stream, in DLPack and in the driver."""

_NAME = b"dltensor"
"""The name of a capsule that no library has taken yet."""

_NAMES = {(d.dlpack, 8 * d.width): d.value for d in DType}
"""The element types by DLDataTypeCode and bits in memory."""


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("number", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("rank", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


def _function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new = _function("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_pointer_of = _function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
# called with the address of a capsule, since it may be one that is being freed
_is_valid = _function("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer_in = _function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


@dataclass(slots=True)
class Foreign:
    """An array of another library: `owner` keeps it alive; `stream` is one to wait for, 0 for none.

    `dtype` is a name such as `f32`, also for types that Core IR does not have; strides count elements.
    """

    pointer: int
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    device: int | None
    stream: int
    writable: bool
    owner: Any

    @property
    def is_c_ordered(self) -> bool:
        """True if the elements are stored one after the other, the last axis fastest."""
        if self.strides is None or 0 in self.shape:
            return True
        step = 1
        for extent, stride in zip(self.shape[::-1], self.strides[::-1]):
            if extent != 1 and stride != step:
                return False
            step *= extent
        return True


def is_on_device(value: Any) -> bool:
    """True for an array of any library that is on a GPU."""
    kind = getattr(type(value), "__dlpack_device__", None)
    if kind is not None:
        return int(value.__dlpack_device__()[0]) in (CUDA, CUDA_MANAGED)
    return _interface(value) is not None


def _interface(value: Any) -> Any:
    return getattr(value, "__cuda_array_interface__", None)


def foreign(value: Any, stream: int) -> Foreign:
    """An array for which `is_on_device` is true, ready to be used on a stream. BufferError, TypeError or ValueError."""
    if hasattr(type(value), "__dlpack__"):
        _, number = value.__dlpack_device__()
        capsule = value.__dlpack__(stream=stream)  # its library makes our stream wait for what it has begun
        t = ctypes.cast(_pointer_of(capsule, _NAME), ctypes.POINTER(_Managed))[0].tensor
        key = t.dtype.code, t.dtype.bits
        name = _NAMES.get(key, f"kind{key[0]}:{key[1]}") if t.dtype.lanes == 1 else f"vector:{key[1]}"
        shape = tuple(t.shape[n] for n in range(t.rank))
        strides = tuple(t.strides[n] for n in range(t.rank)) if t.strides else None
        # the capsule is left unused, so it gives the array back itself when it is freed
        pointer = (t.data or 0) + t.offset
        return Foreign(pointer, name, shape, strides, int(number), 0, True, capsule)
    data = _interface(value)
    letter, width = data["typestr"][1], int(data["typestr"][2:])
    strides = data.get("strides")
    if strides is not None:
        strides = tuple(-1 if s % width else s // width for s in strides)
    pointer, read_only = data["data"]
    waits = data.get("stream", LEGACY_STREAM)  # version 2 names no stream: wait for the default one
    native = data["typestr"][0] != ">"
    dtype = _typestrs().get(data["typestr"][1:], f"{letter}{width * 8}") if native else data["typestr"]
    return Foreign(pointer or 0, dtype, tuple(data["shape"]), strides, None, waits or 0, not read_only, value)


_exported: dict[int, Any] = {}
"""Arrays that were passed on as capsules and have not been given back, by address."""


def _give_back(managed: int) -> None:
    _exported.pop(managed, None)


def _capsule_goes(capsule: int) -> None:
    if _is_valid(capsule, _NAME):  # no library has taken it
        _exported.pop(_pointer_in(capsule, _NAME), None)


_callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_DELETER, _DESTRUCTOR = _callback(_give_back), _callback(_capsule_goes)


def exported(pointer: int, type: TensorType, device: int, owner: Any, kind: int = CUDA) -> Any:
    """A DLPack capsule for memory on a device; `owner` lives until whoever takes the capsule gives it back."""
    shape = (ctypes.c_int64 * max(type.rank, 1))(*type.shape)
    managed = _Managed(
        _Tensor(
            pointer,
            _Device(kind, device),
            type.rank,
            _DataType(type.dtype.dlpack, type.dtype.width * 8, 1),
            ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)),
            None,
            0,
        ),
        None,
        ctypes.cast(_DELETER, ctypes.c_void_p),
    )
    address = ctypes.addressof(managed)
    _exported[address] = (managed, shape, owner)
    return _new(address, _NAME, ctypes.cast(_DESTRUCTOR, ctypes.c_void_p))


@functools.cache
def _typestrs() -> dict[str, str]:
    return {typestr(d)[1:]: d.value for d in DType}


def typestr(dtype: DType) -> str:
    """An element type as __cuda_array_interface__ writes it: `<f4`."""
    return str(dtype.numpy.newbyteorder("<").str)
