"""The interface by which transforms use a function that `jit` has put on a mesh; `sharded.py` implements it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class Meshed(ABC):
    """A function with a mesh. A wrapper of it is none, since it may compute something else."""

    __slots__ = ()

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result on all ranks of the mesh."""

    @abstractmethod
    def transformed(self, transform: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[..., Any]:
        """A transform of the function, on the same mesh, from the same arguments."""
