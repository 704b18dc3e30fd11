"""Arrays with other elements at some positions: `x.at[…].set(y)`, as in JAX."""

from __future__ import annotations

from typing import Any

from ...ir import np
from ..indexing import indexed, positions
from ..operands import Operand, dtype_of, is_scalar, operand
from ..place import error
from ..promotion import as_dtype, binary, promoted
from ..trace_builder import trace_of
from ..unknown import Unknown
from ._made import applied
from .manipulation import broadcast_to, reshape

__all__ = ["at"]

ALIASES: dict[str, str] = {}


def at(x: Any) -> At:
    """What gives x with other elements, of an array or a traced value: `mind.at(x)[0].set(7)`; of a traced one x.at.

    `set`, `add`, `subtract`, `multiply`, `divide`, `max` and `min` take a value that broadcasts to x[…]; `get` is x[…].
    Where positions occur twice, `set` keeps the last value, `add`, `max` and `min` take all of them, and the others
    refuse (E4013). An index out of bounds is E6001.

    >>> mind.at(np.float32([1, 2, 3]))[1].set(7)
    array([1., 7., 3.], dtype=float32)
    >>> mind.at(np.zeros(2))[np.array([0, 0, 1])].add(1)
    array([2., 1.])
    """
    return At(operand("at", x))


class At:
    """An array whose elements at an index are to be other ones."""

    def __init__(self, x: Operand) -> None:
        self.x = x

    def __getitem__(self, index: Any) -> Elements:
        return Elements(self.x, index)


class Elements:
    """The elements of an array at an index, of which other ones are made."""

    def __init__(self, x: Any, index: Any) -> None:
        self.x, self.index = x, index

    def get(self) -> Any:
        """The elements."""
        return self.x[self.index]

    def set(self, value: Any) -> Any:
        """The array with the value there."""
        return self._scattered("ScatterSlices", value)

    def add(self, value: Any) -> Any:
        """The array with the value added there."""
        return self._scattered("ScatterAddSlices", value)

    def subtract(self, value: Any) -> Any:
        """The array with the value subtracted there."""
        return self.add(binary("Sub", 0, value))

    def max(self, value: Any) -> Any:
        """The array with the larger one of what is there and the value."""
        return self._scattered("ScatterMaxSlices", value)

    def min(self, value: Any) -> Any:
        """The array with the smaller one of what is there and the value."""
        return self._scattered("ScatterMinSlices", value)

    def multiply(self, value: Any) -> Any:
        """The array with what is there times the value."""
        return self._once("multiply", binary("Mul", self._element(), value))

    def divide(self, value: Any) -> Any:
        """The array with what is there divided by the value."""
        return self._once("divide", binary("Div", self._element(), value))

    def _element(self) -> Any:
        return self.x[self.index]

    def _once(self, what: str, value: Any) -> Any:
        places, _ = self._places()
        if isinstance(places, Unknown) and places.size > 1:
            help = "x.at[i].add(y) takes every position as often as it occurs"
            raise error("E4013", f"x.at[…].{what} at positions that are not known may change one twice", help=help)
        if isinstance(places, np.ndarray) and len(np.unique(places)) < places.size:
            raise error("E4013", f"x.at[…].{what} names a position twice", help="x.at[i].add(y) takes each of them")
        return self.set(value)

    def _scattered(self, opcode: str, value: Any) -> Any:
        x = self.x
        places, are_rows = self._places()
        updates = self._as_element(value)
        shape = (*places.shape, *x.shape[1:]) if are_rows else places.shape
        updates = broadcast_to(updates, shape) if updates.shape != shape else updates
        if not are_rows:
            x, places, updates = reshape(x, x.size), reshape(places, places.size), reshape(updates, updates.size)
        found = applied(opcode, ((0,), (), ()), x, reshape(places, (*places.shape, 1)), updates)
        return found if are_rows else reshape(found, self.x.shape)

    def _as_element(self, value: Any) -> Any:
        """The value in the element type of the array. E2004 if it has another one that is wider."""
        own = dtype_of(self.x)
        if not is_scalar(value):
            value = operand("x.at[…]", value)
            if promoted(dtype_of(value), own) is not own:
                help = "x.astype(…) or y.astype(…) makes them one"
                raise error("E2004", f"x.at[…] of {own} with a value of {dtype_of(value)}", help=help)
        return as_dtype("x.at[…]", value, own)

    def _places(self) -> tuple[Any, bool]:
        """Positions of rows and True for one index of the first axis; else of elements in row-major order and False."""
        index, shape = self.index, self.x.shape
        if shape and not isinstance(index, (tuple, slice, list)) and index is not None and index is not ...:
            array = index if isinstance(index, Unknown) else np.asarray(index)
            if array.dtype.kind != "b":
                return positions("x.at[…]", array, shape[0], 0), True
        numbers = np.arange(self.x.size).reshape(shape)
        trace = trace_of(index if isinstance(index, tuple) else [index])
        if trace is not None:
            return indexed(trace.lift(numbers), index), False
        try:
            return np.asarray(numbers[index]), False
        except IndexError as why:
            raise error("E6001", f"x.at[…]: {why}") from None
