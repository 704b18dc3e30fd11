"""Checks what native calls assume of the interpreter's and NumPy's memory layout.

shim.ll reads fields of array objects, calls functions of Python by name, and calls one function of NumPy by its index
in the table of NumPy's C API. CPython from 3.10 on and NumPy 1.26 and 2 fit these assumptions; where one of them
fails, `process_table` gives None, and calls go through Python.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

from ...ir import np

C_ORDER, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
"""NumPy's flags of an array object."""

_FUNCTIONS = (
    "Py_IncRef",
    "Py_DecRef",
    "PyTuple_New",
    "PyTuple_Size",
    "PyTuple_GetItem",
    "PyTuple_SetItem",
    "PyObject_CallNoArgs",
    "PyObject_VectorcallMethod",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyList_AsTuple",
)
"""Functions of Python's stable ABI (VectorcallMethod from 3.12 on), in the order of the table in shim.ll."""

_API_VERSIONS = (0x01000009, 0x02000000)
"""What PyArray_GetNDArrayCVersion gives in NumPy 1 and 2. Within each, the indices of the table never change."""

_VERSION, _NDARRAY, _DTYPE, _NEW_FROM_DESCR = 0, 2, 3, 94
"""Indices of the table of NumPy's C API."""


class _Array(ctypes.Structure):
    """PyArrayObject: the fields of an array object, as NumPy 1.26 and 2 lay them out."""

    _fields_ = (
        ("references", ctypes.c_ssize_t),
        ("type", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("rank", ctypes.c_int),
        ("extents", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("base", ctypes.c_void_p),
        ("dtype", ctypes.c_void_p),
        ("flags", ctypes.c_int),
    )


@functools.cache
def process_table() -> Any:
    """The addresses that shim.ll reads, as an array of pointers, which callers keep; None where an assumption fails."""
    if not is_ordinary_python() or not _fields_are_as_assumed():
        return None
    make = _new_from_descr()
    python = [getattr(ctypes.pythonapi, name, None) for name in _FUNCTIONS]
    if make is None or None in python:
        return None
    entries = [id(np.ndarray), id(tuple), id(_OUT), id(_CALL), make]
    entries += [ctypes.cast(f, ctypes.c_void_p).value or 0 for f in python]  # type: ignore[arg-type]
    entries.append(id(list))
    return (ctypes.c_void_p * len(entries))(*entries)


_OUT, _CALL = sys.intern("out"), sys.intern("__call__")


def is_ordinary_python() -> bool:
    """True for CPython with an interpreter lock, 64-bit pointers, and objects that begin with a count and a type."""
    return (
        sys.implementation.name == "cpython"
        and (3, 10) <= sys.version_info < (3, 15)
        and not hasattr(sys, "gettotalrefcount")  # a debug build: objects may have other heads
        and getattr(sys, "_is_gil_enabled", lambda: True)()
        and "t" not in getattr(sys, "abiflags", "")
        and sys.maxsize == 2**63 - 1
        and object.__basicsize__ == 16
    )


def _fields_are_as_assumed() -> bool:
    """True if `_Array` reads from an array object what NumPy says about it."""
    usual = C_ORDER | ALIGNED | WRITEABLE
    trial = np.zeros((5, 6), np.float32)[2:]
    still = trial[:, ::2]
    still.flags.writeable = False
    return all(
        (a.type, a.data, a.rank, a.dtype, a.base) == (id(np.ndarray), x.ctypes.data, 2, id(x.dtype), id(x.base))
        and (*a.extents[:2],) == x.shape
        and (*a.strides[:2],) == x.strides
        and a.flags & usual == flags
        for x, flags in ((trial, usual), (still, ALIGNED))
        for a in [_Array.from_address(id(x))]
    )


def _new_from_descr() -> int | None:
    """The address of PyArray_NewFromDescr; None unless the table of NumPy's C API is a known one, and a trial works."""
    core: Any = np._core if hasattr(np, "_core") else np.core  # NumPy 2, NumPy 1
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    pointer = pointer_of(("PyCapsule_GetPointer", ctypes.pythonapi))
    api = pointer(core._multiarray_umath._ARRAY_API, None)
    table = (ctypes.c_size_t * (_NEW_FROM_DESCR + 1)).from_address(api)
    if (table[_NDARRAY], table[_DTYPE]) != (id(np.ndarray), id(np.dtype)):
        return None
    if ctypes.PYFUNCTYPE(ctypes.c_uint)(table[_VERSION])() not in _API_VERSIONS:
        return None
    dtype, extents = np.dtype(np.float64), (ctypes.c_ssize_t * 2)(3, 4)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(dtype))  # the array takes this reference
    thing, address, number = ctypes.py_object, ctypes.c_void_p, ctypes.c_int
    prototype = ctypes.PYFUNCTYPE(thing, thing, thing, number, *[address] * 3, number, address)
    make = prototype(table[_NEW_FROM_DESCR])
    made = make(np.ndarray, dtype, 2, ctypes.addressof(extents), None, None, 0, None)
    found = type(made), made.shape, made.dtype, made.flags.carray, made.flags.owndata
    return table[_NEW_FROM_DESCR] if found == (np.ndarray, (3, 4), dtype, True, True) else None
