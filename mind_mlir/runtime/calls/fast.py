"""Objects whose calls go straight into native code, and to their method `__call__` if the arguments do not fit.

A class written in Python gets a subclass whose objects have two more fields: the address of the function that the
interpreter calls instead of the method (PEP 590), and that of the plan. While the first is null, nothing changes.
"""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any

from ...ir import DType, MindError, TensorType, np
from .layout import is_ordinary_python, process_table
from .plans import Plan

# Constants of Python's C API, the same in every version: flags of a type, slots of its specification, kinds of members.
_HEAP, _BASE, _VECTORCALLS, _COLLECTED = 1 << 9, 1 << 10, 1 << 11, 1 << 14
_MEMBERS_SLOT = 72
_SSIZE, _READ_ONLY = 19, 1


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("value", ctypes.c_void_p))


class _Member(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("item_size", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.c_void_p),
    )


def with_short_way(cls: type) -> type:
    """A subclass of the same name, for whose objects `connect` works; `cls` itself where the interpreter lacks this.

    `cls` is a class written in Python that is no such subclass, and has no `__slots__`.
    """
    if not is_ordinary_python():
        return cls
    at = cls.__basicsize__
    members = (_Member * 2)(_Member(b"__vectorcalloffset__", _SSIZE, at, _READ_ONLY, None), _Member())
    slots = (_Slot * 2)(_Slot(_MEMBERS_SLOT, ctypes.addressof(members)), _Slot())
    name = f"{cls.__module__}.{cls.__name__}".encode()
    spec = _Spec(name, at + 16, 0, _HEAP | _BASE | _VECTORCALLS, ctypes.addressof(slots))
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object)(
        ("PyType_FromSpecWithBases", ctypes.pythonapi)
    )
    made: type = make(ctypes.addressof(spec), (cls,))
    _kept.append((name, members, slots, spec))  # the type may refer to its name and members
    made.__doc__, made.__qualname__ = cls.__doc__, cls.__qualname__
    is_whole = made.__flags__ & (_VECTORCALLS | _COLLECTED) == _VECTORCALLS | _COLLECTED
    return made if made.__basicsize__ == at + 16 and is_whole else cls


_kept: list[Any] = []


def is_ready() -> bool:
    """True if the code that `connect` uses has been loaded."""
    return _vectorcall.cache_info().currsize > 0


def connect(object: Any, plan: Plan) -> bool:
    """Let calls of an object go by the plan from now on, which it owns then; False where they cannot.

    The object's class comes from `with_short_way`. The code that the plan calls must live as long as the object.
    """
    size = type(object).__basicsize__
    function = None if process_table() is None or not _is_short(type(object)) else _vectorcall(size)
    if function is None:
        return False
    _write(object, size, function, plan)
    return True


def _write(object: Any, size: int, function: int, plan: Plan) -> None:
    object.plan_of_calls = plan  # lives as long
    fields = (ctypes.c_void_p * 2).from_address(id(object) + size - 16)
    fields[1] = plan.address  # before the function that reads it
    fields[0] = function


def _is_short(cls: type) -> bool:
    return bool(cls.__flags__ & _VECTORCALLS)


class _Trial:
    """A class to try the short way with."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        return "in Python", args, named


@functools.cache
def _vectorcall(size: int) -> int | None:
    """The address of the function of shim.ll for objects of `size` bytes; None if it cannot be made or fails its trial.

    It is never freed, because an executable may be called until the process ends.
    """
    from ...lowering.native.fixed_code import fixed_code

    with open(os.path.join(os.path.dirname(__file__), "shim.ll"), encoding="utf-8") as f:
        text = f.read().replace("PLAN_OFFSET", str(size - 8))
    try:
        owner = fixed_code(text)
        function, main = owner.address("mind_vectorcall"), owner.address("mind_trial")
    except (MindError, OSError, AttributeError):
        return None
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner))
    return function if _does_as_told(function, main, size) else None


def _does_as_told(function: int, main: int, size: int) -> bool:
    """True if the short way returns the right result, and calls the method in Python where it has to.

    `main` copies one i64, and fails if that is odd.
    """
    cls = with_short_way(_Trial)
    trial, type, process = cls(), TensorType(DType.I64, ()), process_table()
    if cls.__basicsize__ != size:
        return False
    plan = Plan(process, main, [type], [type], [None], releases_lock=False)
    _write(trial, size, function, plan)
    even, odd, out = np.array(6), np.array(7), np.array(0)
    made, failed, named, given = trial(even), trial(odd), trial(even, n=odd), trial(even, out=out)
    return (
        len(made) == len(given) == 1
        and made[0] is not even
        and made[0].base is None
        and (made[0].dtype, made[0].shape, made[0][()]) == (even.dtype, (), 6)
        and given[0] is out
        and out[()] == 6
        and failed == ("in Python", (odd,), {})
        and named == ("in Python", (even,), {"n": odd})
    )
