"""Compiles kernels by LLVM for the emulator, in this process, and reads what a module says of their memory."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.execution_engine import ExecutionEngine

from ...ir import DType, TensorType
from ...lowering.mlir.walk import children, functions, operations
from ...lowering.store.library import Library
from .instructions import rewritten
from .retarget import NotEmulated, retarget
from .shared import Shared

_MESSAGE = 2000


class _Piece(ctypes.Structure):
    """`Piece` of emulator.h."""

    _fields_ = (
        ("start", ctypes.c_size_t),
        ("end", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("is_writable", ctypes.c_uint32),
        ("is_shared", ctypes.c_uint32),
        ("shadow", ctypes.c_void_p),
    )


_LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_uint32,
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
)
"""`emu_launch` of emulator.c."""

_POISON = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)
"""`emu_poison` of memory.c."""


@dataclass(frozen=True)
class Kernel:
    """A kernel: its code, the pieces of shared memory that it uses, and the parameters that are `noalias`.

    `cluster` is the number of blocks that run together.
    """

    address: int
    shared: tuple[Shared, ...]
    apart: frozenset[int]
    cluster: int

    @property
    def declared(self) -> int:
        """The bytes of shared memory, without what a launch adds."""
        return sum(s.size or 0 for s in self.shared)


class Code:
    """The kernels of a module's gpu.module as code for this CPU. NotEmulated for an unknown instruction."""

    def __init__(self, nvvm: Any, library: Library) -> None:
        self.library = library
        self.shared_base = library.address("emu_shared")
        self._launch = _LAUNCH(library.address("emu_launch"))
        self._poison = _POISON(library.address("emu_poison"))
        self.kernels: dict[str, Kernel] = {}
        device = [op for op in children(nvvm) if op.name == "gpu.module"]
        assert len(device) <= 1, "one module for the device"
        self.sites: tuple[bytes, ...] = (b"",)
        if device:
            self._compile(device[0])
        self._sites = (ctypes.c_char_p * len(self.sites))(*self.sites)

    def _compile(self, device: Any) -> None:
        made = retarget(device, self.library.address("emu_results"), rewritten)
        self.sites = tuple(s.encode() for s in made.sites)
        with made.module.context, ir.Location.unknown():
            self._engine = ExecutionEngine(made.module, opt_level=2)
            for name in made.used:
                self._engine.raw_register_runtime(name, ctypes.c_void_p(self._function(name)))
            for name, shared in made.kernels.items():
                self.kernels[name] = Kernel(
                    self._engine.raw_lookup(name), shared, made.apart[name], made.clusters[name]
                )

    def _function(self, name: str) -> int:
        try:
            return self.library.address(name)
        except AttributeError:
            raise NotEmulated(f"the emulator has no function {name}") from None

    def run(
        self,
        kernel: Kernel,
        sizes: Sequence[int],
        pointers: Sequence[int],
        pieces: Sequence[tuple[int, int, str, bool, bool]],
        order: int,
        seed: int,
        races: bool,
    ) -> str:
        """Launch a kernel; returns the message of what it did wrong, or an empty text."""
        values = (ctypes.c_void_p * len(pointers))(*pointers)
        start = ctypes.addressof(values)
        slots = (ctypes.c_void_p * len(pointers))(*(start + 8 * n for n in range(len(pointers))))
        given = (_Piece * len(pieces))(*(_Piece(a, b, n.encode(), w, s, None) for a, b, n, w, s in pieces))
        message = ctypes.create_string_buffer(_MESSAGE)
        extents = (ctypes.c_uint32 * 7)(*sizes, kernel.cluster)
        failed = self._launch(
            kernel.address, slots, extents, given, len(pieces), order, seed, races, self._sites, message, _MESSAGE
        )
        return message.value.decode("utf-8", "replace") if failed else ""

    def poison(self, start: int, size: int) -> None:
        """Fill memory with garbage: NaNs, and unlikely integers."""
        self._poison(start, size)


def signature(nvvm: Any) -> list[TensorType]:
    """The types that the host's function takes: of the Inputs, the outputs, and perhaps a status."""
    return [_tensor(a.type) for a in _main(nvvm).regions[0].blocks[0].arguments]


def launch_extents(nvvm: Any) -> list[list[tuple[int, int]]]:
    """For each launch and pointer, the first byte that it may access, counted from the pointer, and the end of them."""
    found = []
    for op in operations(_main(nvvm)):
        if op.name == "gpu.launch_func":
            found.append([_extent(v.type) for v in op.operands if str(v.type).startswith("memref")])
    return found


def _main(nvvm: Any) -> Any:
    (f,) = [f for f in functions(nvvm) if "sym_visibility" not in f.attributes]
    return f


def _tensor(type: Any) -> TensorType:
    t = ir.MemRefType(type)
    return TensorType(DType(str(t.element_type)), tuple(t.shape))


def _extent(type: Any) -> tuple[int, int]:
    t = ir.MemRefType(type)
    width = -(-int(str(t.element_type)[1:]) // 8)
    strides, offset = t.get_strides_and_offset()
    elements = 0 if 0 in t.shape else 1 + sum((n - 1) * s for n, s in zip(t.shape, strides))
    return offset * width, (offset + elements) * width
