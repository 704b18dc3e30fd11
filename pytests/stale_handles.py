"""MLIR's bindings with every use of an operation or value that is gone as an error.

The bindings do not know that an operation has been erased by another handle, or with the one around it: what they read
then is freed memory, which is mostly still as it was.  So faults of that kind show in large modules alone, as an abort.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools

from mind_mlir.lowering.toolchain.installed import require_mlir

require_mlir()

from mlir import ir  # noqa: E402
from mlir.passmanager import PassManager  # noqa: E402

BASE = ir.Operation.__mro__[1]
READS = ("attributes", "name", "regions", "location", "parent")
CALLS = ("__str__", "__eq__", "get_asm", "verify", "move_after", "move_before", "clone", "detach_from_parent", "walk")
VALUE_READS = ("owner", "uses", "type", "location")
VALUE_CALLS = ("__str__", "__eq__", "get_name", "set_type", "replace_all_uses_with", "replace_all_uses_except")


class StaleHandle(AssertionError):
    """Something was used that is no longer there."""


class _Values:
    """The list of an operation's operands or results; each value that it hands out is noted."""

    def __init__(self, values, note):
        self.values, self.note = values, note

    def __len__(self):
        return len(self.values)

    def __getitem__(self, n):
        found = self.values[n]
        return [self.note(v) for v in found] if isinstance(n, slice) else self.note(found)

    def __setitem__(self, n, value):
        self.values[n] = value

    def __iter__(self):
        return map(self.note, self.values)


class _Handles:
    """Which handles of operations and values have been given out, and which of them are stale by now."""

    def __init__(self):
        self.given, self.stale = {}, {}

    def note(self, handle, owner):
        """`handle` shows what goes when `owner`, an address, goes."""
        self.given.setdefault(owner, []).append(handle)
        return handle

    def check(self, *handles):
        for h in handles:
            if id(h) in self.stale:
                raise StaleHandle(f"a handle of {self.stale[id(h)][1]} is used after it is gone")

    def erased(self, addresses, what):
        for handle in itertools.chain.from_iterable(self.given.pop(a, ()) for a in addresses):
            self.stale[id(handle)] = handle, what


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def address(op):
    """Where an operation lies in memory."""
    return _pointer(op._CAPIPtr, b"mlir.ir.Operation._CAPIPtr")


@contextlib.contextmanager
def checked_handles():
    """Within it StaleHandle is raised."""
    handles, undo = _Handles(), []
    owner_of = ir.Value.owner.__get__
    walk, name_of = BASE.walk, BASE.name.__get__

    def patch(cls, name, new):
        undo.append((cls, name, vars(cls)[name]))
        setattr(cls, name, new)

    def owner(v):
        found = owner_of(v)
        return address(found.owner.operation if isinstance(found, ir.Block) else found.operation)

    def given(op):
        return handles.note(op, address(op))

    def value(v):
        return handles.note(v, owner(v))

    def reading(cls, name, then=lambda self, found: found):
        old = vars(cls)[name]
        patch(cls, name, property(lambda self: (handles.check(self), then(self, old.__get__(self)))[1], old.__set__))

    def calling(cls, name, then=lambda found: found):
        old = getattr(cls, name)

        def call(self, *args, **kwargs):
            handles.check(self, *args)
            return then(old(self, *args, **kwargs))

        patch(cls, name, call)

    for name in READS:
        reading(BASE, name)
    for name in CALLS:
        calling(BASE, name)
    for name in ("operands", "results"):
        reading(BASE, name, lambda self, found: _Values(found, value))
    reading(BASE, "result", lambda self, found: value(found))
    for cls in (ir.Operation, ir.OpView):
        if "operation" in vars(cls):
            reading(cls, "operation", lambda self, found: given(found))
    for name in VALUE_READS:
        reading(ir.Value, name)
    for name in VALUE_CALLS:
        calling(ir.Value, name)

    create, erase, run = ir.Operation.create, BASE.erase, PassManager.run

    def checked_create(*args, operands=(), **kwargs):
        operands = list(operands)
        handles.check(*operands)
        return given(create(*args, operands=operands, **kwargs))

    def checked_erase(self):
        handles.check(self)
        inside, what = [], name_of(self)
        walk(self, lambda op: (inside.append(address(op.operation)), ir.WalkResult.ADVANCE)[1])
        handles.erased(inside, what)
        erase(self)

    def checked_run(self, op):
        handles.given.clear()  # what passes of MLIR's own erase is not known
        run(self, op)

    patch(ir.Operation, "create", staticmethod(checked_create))
    patch(BASE, "erase", checked_erase)
    patch(PassManager, "run", checked_run)
    try:
        yield
    finally:
        for cls, name, old in reversed(undo):
            setattr(cls, name, old)
