"""An array that is sharded over the ranks of a mesh: each holds its part."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir import DType, MindError, Reject, Sharding, TensorType, np
from .pieces import joined, piece
from .ranks import ranks_of

if TYPE_CHECKING:
    import numpy


class ShardedArray:
    """A value on a mesh, of which this rank holds the part `local`. `shard` and functions of `jit` with a mesh make it.

    `shape` and `dtype` are those of the whole value. If every rank holds all of it, it can be used as an array.
    """

    def __init__(self, local: numpy.ndarray, type: TensorType, sharding: Sharding) -> None:
        self.local, self.type, self.sharding = local, type, sharding

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def dtype(self) -> numpy.dtype:
        return self.type.dtype.numpy

    @property
    def ndim(self) -> int:
        return self.type.rank

    @property
    def size(self) -> int:
        return self.type.size

    @property
    def is_whole(self) -> bool:
        """True if every rank holds the whole value."""
        mesh = self.sharding.mesh
        return all(mesh.axis_size(axis) == 1 for axis in self.sharding.spec.used())

    def gather(self) -> numpy.ndarray:
        """The whole value, on every rank; every rank calls it."""
        if self.is_whole:
            return self.local
        ranks = ranks_of(self.sharding.mesh)
        what = f"gather() of a {self.type}"
        with ranks.call(what, f"{what} as {self.sharding}"):
            parts = ranks.world.allgather(self.local)
        return joined(parts, self.sharding.mesh, self.sharding.spec, self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        """The value, if this rank holds all of it; else E8003, since other ranks would have to take part."""
        if not self.is_whole:
            message = f"this rank holds a part of {self.type}, whose sharding is {self.sharding}"
            raise MindError.of("E8003", message, help="x.gather() on every rank gives the whole; x.local is the part")
        return np.array(self.local, dtype, copy=copy is not False)

    def __float__(self) -> float:
        return float(self.__array__())

    def __int__(self) -> int:
        return int(self.__array__())

    def __len__(self) -> int:
        if not self.type.shape:
            raise TypeError("len() of a scalar")
        return self.type.shape[0]

    def item(self) -> Any:
        """The one element, as a Python number."""
        return self.__array__().item()

    def __repr__(self) -> str:
        if self.is_whole:
            return f"ShardedArray({self.local!r}, {self.sharding.spec})"
        return f"<ShardedArray of {self.type}, {self.sharding.spec} on {self.sharding.mesh}>"


def shard(array: Any, sharding: Sharding) -> ShardedArray:
    """The part of an array that this rank holds under a sharding; no more of an np.memmap is read.

    >>> x = mind.shard(np.load("x.npy", mmap_mode="r"), mind.Sharding(mesh, mind.P("dp", None)))

    MindError: E2002 for a dtype that Core IR does not have, E8003 for another number of dimensions, E8007 for another
    number of ranks.
    """
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    try:
        type = TensorType(DType.of(array.dtype), array.shape)
    except ValueError as why:
        raise MindError.of("E2002", str(why), help=f"dtypes are {DType.listed()}") from None
    _check(sharding, type)
    local = piece(array, sharding.mesh, sharding.spec, ranks_of(sharding.mesh).rank)
    return ShardedArray(np.asarray(local, type.dtype.numpy, order="C"), type, sharding)


def from_local(local: Any, sharding: Sharding, shape: Sequence[int]) -> ShardedArray:
    """An array of this shape from the part that each rank has; what is in the padding of parts does not matter.

    E6009 for a part of another shape than `Sharding.local_shape` gives.
    """
    local = np.asarray(local, order="C")
    type = TensorType(DType.of(local.dtype), tuple(shape))
    _check(sharding, type)
    expected = sharding.local_shape(type.shape)
    if local.shape != expected:
        message = f"a part of {type} sharded as {sharding} has shape {list(expected)}, found {list(local.shape)}"
        raise MindError.of("E6009", message)
    return ShardedArray(local, type, sharding)


@functools.lru_cache(4096)
def _check(sharding: Sharding, type: TensorType) -> None:
    """E8003 unless a value of this type can have this sharding."""
    try:
        sharding.spec.check(sharding.mesh, type)
    except Reject as why:
        raise MindError([why.located(None, None)]) from None
