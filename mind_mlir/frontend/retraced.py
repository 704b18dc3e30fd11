"""Finds the user's line of an index that is out of bounds in compiled code, by tracing the function with numbers.

Compiled code knows the operation alone. So the function is traced once more, on the arguments that failed, and each
operation is evaluated when it is recorded: the one that fails is recorded at the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import MindError, Op, Reject, Span, TensorType, Value, np
from .place import located
from .trace_builder import TraceBuilder
from .tracer import Tracer

if TYPE_CHECKING:
    import numpy

MODES = 'indices run from 0 when they are traced; mind.take(x, i, mode="clip") or mode="fill" takes others'


class _Evaluated(TraceBuilder):
    """A trace whose values are known: those of the arguments are `arrays`."""

    def __init__(self, arrays: Sequence[numpy.ndarray]) -> None:
        super().__init__(Tracer)
        self.arrays: dict[int, Any] = {}
        self._of_inputs = list(arrays)
        """Of those that are not there yet; a capture's is added before its Input is."""

    def append(
        self, op: Op, operands: tuple[int, ...], types: tuple[TensorType, ...], span: Span | None = None
    ) -> tuple[Value, ...]:
        """Append an operation and evaluate it. MindError at the user's line for an index out of bounds."""
        made = super().append(op, operands, types, span)
        if op.opcode == "Input":
            found: Sequence[Any] = [self._of_inputs.pop(0)]
        else:
            try:
                with np.errstate(all="ignore"):
                    found = op.result_arrays(*[self.arrays[n] for n in operands])
            except Reject as why:
                why.help = MODES
                raise _Found(located(why)) from None
        self.arrays.update(zip([v.id for v in made], found))
        return made

    def _capture(self, x: Any, type: TensorType) -> Any:
        self._of_inputs = [x]
        return super()._capture(x, type)


class _Found(Exception):
    """The error at the user's line, apart from those that the function raises and catches itself."""

    def __init__(self, error: MindError) -> None:
        super().__init__(error)
        self.error = error


def at_users_line(error: MindError, trace: Callable[[TraceBuilder], Any], arrays: Sequence[numpy.ndarray]) -> MindError:
    """An E6001 of compiled code, at the line of the user's function that gives it for these leaves of its arguments.

    `trace` calls the function in a trace. The error itself where that line is not found: in a rule of the user's, or if
    the function does something else now.
    """
    try:
        trace(_Evaluated(arrays))
    except _Found as found:
        return found.error
    except Exception:  # the function is the user's, and may fail in any way
        return error
    return error
