"""What transforms ask of a function that `jit` has put on a mesh, which `sharded.py` knows all about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class Meshed(ABC):
    """A function that knows its mesh.  One that wraps it computes something else, and is none."""

    __slots__ = ()

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result on all ranks of the mesh."""

    @abstractmethod
    def transformed(self, transform: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[..., Any]:
        """A transform of the function, on the same mesh, from the same arguments."""
