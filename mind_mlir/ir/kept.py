"""A decorator for properties that are computed once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    kept_property = cached_property
else:

    class kept_property(cached_property):
        """`functools.cached_property` without a lock.

        Before Python 3.12 `cached_property` has a lock that all objects share: no two threads compute such properties
        at once, a thread that waits for another while it holds the lock blocks both, and in a process that is forked
        meanwhile it stays locked.
        """

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """The value; the first one stays if several threads compute it."""
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))
