"""The peers: one in each file, each a class with a method for every kind of work it can do.

A method takes the problem's arrays and options and returns a `Prepared`, or the call alone. Everything that a user
would do once is done before the call: arrays in the peer's own memory and order, memory for the result, compilation.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..problems import Problem

if TYPE_CHECKING:
    from ..cases import Case

CLASSES = {
    "mind": ("mind", "Mind"),
    "numpy": ("numpy", "NumPy"),
    "torch": ("torch", "Torch"),
    "jax": ("jax", "Jax"),
    "iree": ("iree", "Iree"),
    "mkl": ("mkl", "Mkl"),
    "onednn": ("onednn", "OneDnn"),
    "memory": ("memory", "Memory"),
}
"""Name of a peer -> the module in this folder, and the class in it."""

PEERS = ("numpy", "torch", "jax", "iree")
"""The peers that are measured if a user names none."""
LIBRARIES = ("mkl", "onednn")
"""Further peers that a user can name: libraries for products and for convolutions alone."""

ALIGNMENT = 64


@dataclass(frozen=True)
class Prepared:
    """A call that computes the result into memory that exists, and how to read the result as NumPy arrays."""

    call: Callable[[], Any]
    read: Callable[[Any], Sequence[Any]]


class Peer:
    """The base class of the peers. `threads` is how many it may use."""

    name: str
    package: str
    """The package that has to be importable."""

    offset = 0
    """The bytes from a line of the cache to the start of results in NumPy's memory."""
    allocates = False
    """True if a call allocates its results; else they are given to it, if the package can take them."""

    def __init__(self, threads: int, cpu: str = "native") -> None:
        self.threads, self.cpu = threads, cpu

    @property
    def version(self) -> str:
        """The name and version in the heading of the tables."""
        module = importlib.import_module(self.package.partition(".")[0])
        return f"{self.name} {module.__version__}"

    def prepare(self, case: Case, inputs: Sequence[np.ndarray]) -> Prepared | None:
        """The call for a case, or None if the peer cannot do it."""
        self.offset, self.allocates = case.offset, case.allocates
        method = getattr(self, case.kind, None)
        if method is None:
            return None
        made = method(*inputs, **case.problem.options)
        return made if isinstance(made, Prepared) else Prepared(made, as_arrays)

    def room(self, shape: Sequence[int], dtype: Any = "float32") -> Callable[[], np.ndarray]:
        """A function that gives the array for a call's result: the same one each time, or a new one."""
        if self.allocates:
            return partial(np.empty, shape, dtype)
        out = empty(shape, dtype, self.offset)
        return lambda: out

    def unused(self, case: Case, inputs: Sequence[np.ndarray]) -> Callable[[], Any]:
        """A call that is compiled and has not run yet, so that its first run can be watched."""
        prepared = self.prepare(case, inputs)
        assert prepared, f"{self.name} has {case.kind}"
        return prepared.call


def as_arrays(result: Any) -> list[np.ndarray]:
    """A result, or each of several, as NumPy arrays."""
    return [np.asarray(a) for a in (result if isinstance(result, (tuple, list)) else [result])]


def load(name: str) -> type[Peer]:
    """The class of a peer; imports its package. ImportError if that is not installed."""
    module, cls = CLASSES[name]
    return getattr(importlib.import_module(f".{module}", __name__), cls)  # type: ignore[no-any-return]


def arguments(problem: Problem, seed: int = 0, offset: int = 0) -> list[np.ndarray]:
    """The problem's arrays, the same in every process, each `offset` bytes after a multiple of 64."""
    r = np.random.default_rng(seed)
    out = []
    for x in problem.inputs:
        a = empty(x.shape, {"f32": "float32", "f64": "float64", "i64": "int64"}[x.dtype], offset)
        if x.one_hot:
            a[...] = 0
            a[np.arange(x.shape[0]), r.integers(0, x.shape[1], x.shape[0])] = 1
        elif x.dtype == "i64":
            a[...] = r.integers(int(x.low), int(x.high), x.shape)
        else:
            r.random(dtype=a.dtype, out=a)
            np.multiply(a, x.high - x.low, out=a)
            np.add(a, x.low, out=a)
        out.append(a)
    return out


def empty(shape: Sequence[int], dtype: Any = "float32", offset: int = 0) -> np.ndarray:
    """An uninitialised array that starts `offset` bytes after a multiple of 64, where the peers' own start."""
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    memory = np.empty(size + ALIGNMENT + offset, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT + offset
    return memory[start : start + size].view(dtype).reshape(shape)
