"""Runs the launches of a plan on this CPU, on NumPy arrays, and checks what a GPU leaves to luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from ...ir import np
from ...lowering.gpu.artifacts.manifest import ALIGNMENT, Argument, Launch, Place, TensorMap, place_of
from ...lowering.targets.chips import Chip, find_chip
from .emulator_library import emulator
from .host_code import Code, launch_extents, signature
from .opaque_maps import tensor_map
from .shared import SHARED_SIZE

if TYPE_CHECKING:
    import numpy

    from ...lowering.gpu.artifacts.nvvm import Compiled

ORDERS = ("ascending", "descending", "random")
"""The orders in which blocks can run, and the threads of a block until they wait."""

_ALIGNMENT = 256
"""The alignment of what a driver allocates, in bytes."""

_MOST_STATIC = 48 << 10
"""The most bytes of shared memory that a kernel may declare; a launch may add more."""


_MOST_BLOCKS = 8
"""The most blocks of a cluster, on every chip that has clusters."""


class EmulationError(Exception):
    """A kernel breaks a rule of GPUs: the message names the kernel, the block, the thread and the operation."""


@dataclass(frozen=True)
class Memory:
    """Memory that a launch may access: its address, its size in bytes, its name in messages, and if it is writable."""

    start: int
    size: int
    name: str
    is_writable: bool = True


class Emulator:
    """The kernels of a module, compiled for this CPU."""

    def __init__(self, nvvm: Any, chip: str | Chip) -> None:
        self.chip = find_chip(chip) if isinstance(chip, str) else chip
        self.code = Code(nvvm, emulator())

    def launch(
        self,
        kernel: str,
        grid: Sequence[int],
        block: Sequence[int],
        pointers: Sequence[int],
        memory: Sequence[Memory],
        shared: int = 0,
        order: str = "ascending",
        seed: int = 0,
        races: bool = True,
    ) -> None:
        """Run one kernel. EmulationError for what a device refuses, and for faults that it would not notice.

        `pointers` are its arguments, `memory` all that it may access, without overlaps; `shared` is the number of bytes
        of shared memory that the launch adds. With `races`, it is an error if threads access the same four bytes
        without a barrier in between, unless all only read, or all are atomic.
        """
        sizes = [*grid, 1, 1][:3] + [*block, 1, 1][:3]
        known = self.code.kernels.get(kernel)
        if known is None:
            raise EmulationError(f"no kernel is named {kernel}")
        try:
            self._check_sizes(sizes, known.declared, shared, known.cluster)
        except EmulationError as why:
            raise EmulationError(f"kernel {kernel}: {why}") from None
        pieces = [(m.start, m.start + m.size, m.name, m.is_writable, False) for m in memory]
        for rank in range(known.cluster):
            for s in known.shared:
                start = self.code.shared_base + rank * SHARED_SIZE + s.start
                end = start + (shared if s.size is None else s.size)
                pieces.append((start, end, f"shared memory {s.name}", True, True))
        if message := self.code.run(known, sizes, pointers, pieces, ORDERS.index(order), seed, races):
            raise EmulationError(f"kernel {kernel}, order {order}: {message}")

    def _check_sizes(self, sizes: Sequence[int], declared: int, shared: int, cluster: int) -> None:
        *_, dz = sizes
        if not all(n > 0 for n in sizes):
            raise EmulationError(f"the grid is {sizes[:3]} and a block {sizes[3:]}, no number may be 0")
        if prod(sizes[3:]) > 1024 or dz > 64:
            raise EmulationError(f"a block of {sizes[3:]}: at most 1024 threads, and 64 along z")
        if sizes[0] > 2**31 - 1 or max(sizes[1:3]) > 65535:
            raise EmulationError(f"a grid of {sizes[:3]}: at most 2147483647 blocks along x, and 65535 along y and z")
        if cluster > _MOST_BLOCKS or sizes[0] % cluster:
            message = (
                f"{sizes[0]} blocks in clusters of {cluster}: at most {_MOST_BLOCKS} are one, and none is left over"
            )
            raise EmulationError(message)
        if declared > _MOST_STATIC:
            raise EmulationError(f"it declares {declared} bytes of shared memory, at most {_MOST_STATIC} may be")
        if declared + shared > self.chip.shared:
            message = f"{declared + shared} bytes of shared memory, of which {self.chip.name} has {self.chip.shared}"
            raise EmulationError(message)


@dataclass(frozen=True)
class Run:
    """The outputs of a plan, and its status: 0, or 1 + the ValueId of the operation that failed.

    An output without elements has one dimension, as it has in the code.
    """

    outputs: tuple[numpy.ndarray, ...]
    status: int


class Emulated:
    """A compiled module that runs on arrays, as `Run`."""

    def __init__(self, code: Compiled) -> None:
        self.plan = code.plan
        self.emulator = Emulator(code.nvvm, code.chip)
        self.types = signature(code.nvvm)
        self.extents = launch_extents(code.nvvm)

    def run(self, arrays: Sequence[Any], order: str = "ascending", seed: int = 0) -> Run:
        """Run the launches on these arrays, one for each Input, which are not written.

        Outputs have the element types that code has: truth values, floats of 16 bits and integers without a sign are
        integers with one.
        """
        plan = self.plan
        outputs = self.types[len(arrays) : len(self.types) - plan.has_status]
        for a, t in zip(arrays, self.types):
            is_float = a.dtype.kind == "f" and a.itemsize > 2  # narrower ones are stored as their bits
            assert is_float == t.dtype.is_float, f"an argument is no {t}"
            assert (a.nbytes, a.itemsize) == (t.nbytes, t.dtype.width), f"an argument is no {t}"
        sizes = {("input", n): a.nbytes for n, a in enumerate(arrays)}
        sizes |= {("output", n): t.nbytes for n, t in enumerate(outputs)}
        sizes |= {("constant", n): len(data) for n, data in enumerate(plan.constants)}
        sizes |= {("arena", 0): plan.arena, ("status", 0): 8}
        held = {(kind, n): self._held(size, kind in ("input", "output")) for (kind, n), size in sizes.items()}
        for n, a in enumerate(arrays):
            held["input", n][...] = np.ascontiguousarray(a).reshape(-1).view(np.uint8)
        for n, data in enumerate(plan.constants):
            held["constant", n][...] = np.frombuffer(data, np.uint8)
        for launch, extents in zip(plan.launches, self.extents, strict=True):
            self._launch(launch, extents, held, order, seed)
        found = tuple(held["output", n].view(t.dtype.numpy).reshape(t.shape).copy() for n, t in enumerate(outputs))
        return Run(found, int(held["status", 0].view(np.int64)[0]) if plan.has_status else 0)

    def _held(self, size: int, is_given: bool) -> numpy.ndarray:
        """Memory full of garbage, aligned as a driver's; if the caller gives it, only as much as is required."""
        room = np.empty(size + 2 * _ALIGNMENT, np.uint8)
        start = -room.ctypes.data % _ALIGNMENT + (ALIGNMENT if is_given else 0)
        self.emulator.code.poison(room.ctypes.data, room.nbytes)
        return room[start : start + size]

    def _launch(self, launch: Launch, extents: Any, held: dict[Any, numpy.ndarray], order: str, seed: int) -> None:
        of_pointers = iter(extents)
        spans = [(0, a.size) if isinstance(a, TensorMap) else next(of_pointers) for a in launch.arguments]
        shown = [_shown(launch.kernel, a, span, held) for a, span in zip(launch.arguments, spans)]
        self._check_apart(launch.kernel, shown)
        starts = [memory.start - first for memory, (first, _) in zip(shown, spans)]
        maps = {n: _encoded(a, starts[n]) for n, a in enumerate(launch.arguments) if isinstance(a, TensorMap)}
        pointers = [maps[n].ctypes.data if n in maps else start for n, start in enumerate(starts)]
        self.emulator.launch(
            launch.kernel, launch.grid, launch.block, pointers, joined(shown), launch.shared, order, seed
        )

    def _check_apart(self, kernel: str, memory: Sequence[Memory]) -> None:
        """EmulationError unless memory that a kernel may write through one `noalias` parameter is no other one's."""
        known = self.emulator.code.kernels.get(kernel)
        for n in known.apart if known else ():
            for k, other in enumerate(memory):
                m = memory[n]
                overlap = m.start < other.start + other.size and other.start < m.start + m.size
                if k != n and overlap and m.is_writable and other.is_writable:
                    raise EmulationError(
                        f"kernel {kernel}: parameter {n} is to have memory of its own, parameter {k} shows it too"
                    )


def _shown(kernel: str, a: Argument, span: tuple[int, int], held: dict[Any, numpy.ndarray]) -> Memory:
    """The memory that an argument points to; `span` is its first byte and its end, counted from the argument."""
    place, (first, end) = place_of(a), span
    memory = held[place.kind, place.number]
    if place.offset + end > memory.nbytes:
        raise EmulationError(f"kernel {kernel}: {_name(place)} has {memory.nbytes} bytes, {end} are used")
    can_write = isinstance(a, Place) and place.kind not in ("input", "constant")
    return Memory(memory.ctypes.data + place.offset + first, end - first, _name(place), can_write)


def _encoded(a: TensorMap, start: int) -> numpy.ndarray:
    data = tensor_map(start, a.extents, a.strides, a.box, 4, a.swizzle, rounds=a.dtype == "tf32")
    return np.frombuffer(data, np.uint8)


def _name(p: Place) -> str:
    return f"{p.kind} {p.number}" if p.kind in ("input", "output", "constant") else f"{p.kind} + {p.offset}"


def joined(memory: Sequence[Memory]) -> list[Memory]:
    """The pieces of memory, with those that overlap as one, which is writable if any of them is."""
    found: list[Memory] = []
    for m in sorted(memory, key=lambda m: (m.start, -m.size)):
        if m.size == 0:
            continue
        before = found[-1] if found else None
        if before is None or before.start + before.size <= m.start:
            found.append(m)
            continue
        size = max(before.start + before.size, m.start + m.size) - before.start
        name = before.name if m.name == before.name else f"{before.name}, {m.name}"
        found[-1] = Memory(before.start, size, name, before.is_writable or m.is_writable)
    return found


def emulate(code: Compiled, arrays: Sequence[Any], order: str = "ascending", seed: int = 0) -> Run:
    """Run a compiled module once. EmulationError for what a kernel must not do; E7006 without a C compiler."""
    return Emulated(code).run(arrays, order, seed)
