"""What traced values refuse: uses of numbers that are not known yet, and operators without an operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..ir import Value, np
from .operands import is_scalar
from .place import error

if TYPE_CHECKING:
    import numpy


_LOGIC = "mind.where(a, b, a) is a & b, mind.where(a, a, b) is a | b, mind.equal(a, False) is ~a of truth values"


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

    def __eq__(self, other: object) -> Any:
        if isinstance(other, (Unknown, np.ndarray)) or is_scalar(other):
            raise unknown(self, "== and !=", "> and < compare traced values")
        return NotImplemented

    __hash__ = object.__hash__

    def __ge__(self, other: object) -> Any:
        raise unknown(self, ">= and <=", "> and < compare traced values; x >= y is 1 - (y > x) but for NaN")

    __le__ = __ge__

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
        raise unknown(self, "x[…] = …", "traced values are not changed; mind.where(mask, new, x) makes a new one")

    def __setattr__(self, name: str, value: Any) -> None:
        raise unknown(self, f"x.{name} = …", "traced values are not changed; mind.reshape(x, shape) makes a new one")

    def __format__(self, form: str) -> str:
        if form:
            raise unknown(self, f"the format {form}", "return it from the traced function to print the number")
        return repr(self)

    # operators without an operation

    def __abs__(self) -> NoReturn:
        raise _no_operation(
            "abs()", "mind.where(x > 0, x, -x) is |x|; mind.relu(x) + mind.relu(-x) has the slope 0 at 0"
        )

    def __and__(self, other: Any) -> NoReturn:
        raise _no_operation("&, | and ~", _LOGIC)

    __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __and__

    def __invert__(self) -> NoReturn:
        self.__and__(self)

    def __mod__(self, other: Any) -> NoReturn:
        raise _no_operation("// and %", "compute on integers outside of the traced function")

    __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __mod__


def unknown(x: Value, what: str, help: str) -> Exception:
    """E6010 at the user's line."""
    return error("E6010", f"{what} on a traced value: {x.type} has no numbers yet", help=help)


def _no_operation(what: str, help: str) -> Exception:
    return error("E4012", f"Core IR has no operation for {what} on traced values", help=help)
