"""What traced values refuse: uses of numbers that are not known yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir import Value
from .place import error

if TYPE_CHECKING:
    import numpy


class Unknown(Value):
    """A value whose shape and dtype are known, and whose numbers are not. Every use of the numbers is an error."""

    __slots__ = ()

    @property
    def dtype(self) -> numpy.dtype:  # type: ignore[override]
        """The NumPy dtype."""
        return self.type.dtype.numpy

    @property
    def ndim(self) -> int:
        return self.type.rank

    @property
    def size(self) -> int:
        return self.type.size

    def __bool__(self) -> bool:
        help = "mind.where(condition, x, y) chooses by traced values; static_argnums of jit keeps an argument as it is"
        raise unknown(self, "Python `if`, `while`, `and`, `or`, `not` or bool()", help)

    def __float__(self) -> float:
        raise unknown(self, "float()", "return it from the traced function to get the number")

    def __int__(self) -> int:
        raise unknown(self, "int()", "return it from the traced function to get the number")

    def __complex__(self) -> complex:
        raise unknown(self, "complex()", "return it from the traced function to get the number")

    def __index__(self) -> int:
        help = "a count, a bound or an axis is a Python integer; x[i] and mind.take(x, i) take traced positions"
        raise unknown(self, "an integer of Python's", help)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise unknown(self, "a NumPy array", "functions of mind take traced values: mind.exp, not np.exp")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise unknown(self, "x[…] = …", "traced values are not changed; x = x.at[i].set(y) makes a new one")

    def __setattr__(self, name: str, value: Any) -> None:
        raise unknown(self, f"x.{name} = …", "traced values are not changed; mind.reshape(x, shape) makes a new one")

    def __format__(self, form: str) -> str:
        if form:
            raise unknown(self, f"the format {form}", "return it from the traced function to print the number")
        return repr(self)


def unknown(x: Value, what: str, help: str) -> Exception:
    """E6010 at the user's line."""
    return error("E6010", f"{what} on a traced value: {x.type} has no numbers yet", help=help)
