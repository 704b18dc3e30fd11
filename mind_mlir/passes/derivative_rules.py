"""What the passes of autodiff share: a builder for derivative rules, their errors, and fresh names."""

from __future__ import annotations

import traceback
from collections.abc import Sequence

from ..ir import Builder, MindError, Module, Op, Operation, Reject, Result, Span, TensorType, Value, ValueId
from ..ir.diagnostics import short
from ..ir.places import place, written


class RuleBuilder(Builder):
    """A builder that gives what a rule emits the source location of the rule's operation."""

    span: Span | None = None

    def _check_own(self, v: Value) -> None:
        if v.builder is _UNKNOWN:
            raise ValueError(_USES_UNKNOWN)
        super()._check_own(v)

    def append(
        self, op: Op, operands: tuple[ValueId, ...], types: tuple[TensorType, ...], span: Span | None = None
    ) -> tuple[Value, ...]:
        """Append an operation whose results are known to have these types."""
        return super().append(op, operands, types, span or self.span)


class _Unknown:
    """Instead of a builder, for values of which only the type is known: a rule may ask for nothing else."""

    def __getattr__(self, name: str) -> object:
        raise ValueError(_USES_UNKNOWN)


_USES_UNKNOWN = "it uses the value of an operand in which the operation is linear; only its type is known"
_UNKNOWN: Builder = _Unknown()  # type: ignore[assignment]


def unknown(r: Result) -> Value:
    """A value of which only the type is known."""
    return Value(_UNKNOWN, r.id, r.type)


RULE_ERRORS = (MindError, Reject, ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
"""The exceptions of a faulty rule. An AssertionError is a fault of the toolchain and is not caught."""


def rule_failed(m: Module, o: Operation, rule: str, why: Exception) -> MindError:
    """The error for an exception in a derivative rule of `o`: E5003 for axes, E5004 for shapes, else E5002.

    E5001 and E6001 are kept.
    """
    code = getattr(why, "code", "")
    message = getattr(why, "message", str(why))
    if code in ("E5001", "E6001"):
        return MindError([place(m, o, Reject(code, message, help=getattr(why, "help", "")))])
    new = "E5003" if code in ("E3004", "E3005") else "E5004" if code.startswith("E3") else "E5002"
    note = f"{f'error[{code}]' if code else type(why).__name__}: {message}{_line_of_rule(o, why)}"
    return MindError([place(m, o, Reject(new, f"rule {rule} of {o.opcode} failed at {written(m, o)}", note=note))])


def _line_of_rule(o: Operation, why: Exception) -> str:
    """The line of the rule in the file that declares the operation, as text; empty if it is not found."""
    found = ""
    for frame, line in traceback.walk_tb(why.__traceback__):
        if frame.f_globals.get("__name__") == type(o.op).__module__:
            found = f", {frame.f_code.co_filename}:{line}"
    return found


def each_of(m: Module, o: Operation, rule: str, found: object) -> Sequence[object]:
    """What a rule of `o` gives for each of its results: a tuple where there are several. E5002."""
    if len(o.results) == 1:
        return (found,)
    if isinstance(found, tuple) and len(found) == len(o.results):
        return found
    gives = f"{len(found)} values" if isinstance(found, tuple) else short(repr(found))
    message = f"rule {rule} of {o.opcode} at {written(m, o)} gives {gives}, expected a tuple of {len(o.results)}"
    raise MindError([place(m, o, Reject("E5002", message))])


def owed(m: Module, o: Operation, rule: str, b: Builder, found: object, expected: TensorType) -> Value:
    """`found`, if it is what a rule of `o` has to return: a value of `b` of the type `expected`. Else E5002."""
    if isinstance(found, Value) and found.builder is b and found.type == expected:
        return found
    if not isinstance(found, Value):
        gives = f"{short(repr(found))}, expected a Value"
    elif found.builder is not b:
        gives = f"%{found.id} of another Builder"
    else:
        gives = f"{found.type}, expected {expected}"
    raise MindError([place(m, o, Reject("E5002", f"rule {rule} of {o.opcode} at {written(m, o)} gives {gives}"))])


def fresh(name: str, taken: set[str]) -> str:
    """`name`, with primes added until it is not taken; then it is."""
    while name in taken:
        name += "'"
    taken.add(name)
    return name
