"""What the passes of autodiff share: a builder for derivative rules, their errors, and fresh names."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import Builder, MindError, Module, Op, Operation, Reject, Span, TensorType, Value, ValueId
from .verify import place


class RuleBuilder(Builder):
    """A builder in which what a rule emits comes from the place of the operation that the rule belongs to."""

    span: Span | None = None

    def append(self, op: Op, operands: tuple[ValueId, ...], type: TensorType, span: Span | None = None) -> Value:
        """Append an operation whose type is known to be `type`."""
        return super().append(op, operands, type, span or self.span)

    def repeat(self, o: Operation, env: dict[ValueId, Value]) -> None:
        """Append an operation of another module, with its operands' and its own value in `env`."""
        env[o.id] = super().append(o.op, tuple([env[i].id for i in o.operands]), o.type, o.span)


class _Unknown:
    """Stands for the builder of a value that is being solved for: a rule may ask such a value for its type alone."""

    def __getattr__(self, name: str) -> object:
        raise ValueError("it uses the value of an operand in which the operation is linear; only its type is known")


_UNKNOWN: Builder = _Unknown()  # type: ignore[assignment]


def unknown(o: Operation) -> Value:
    """A value of which only the type is known."""
    return Value(_UNKNOWN, o.id, o.type)


def rule_failed(m: Module, o: Operation, rule: str, why: MindError | Reject | ValueError) -> MindError:
    """What it means that a derivative rule of `o` failed: E5003 for axes, E5004 for shapes, else E5002.

    E5001 and E6001 stay what they are.
    """
    code = getattr(why, "code", "")
    message = getattr(why, "message", str(why))
    if code in ("E5001", "E6001"):
        return MindError([place(m, o, Reject(code, message, help=getattr(why, "help", "")))])
    new = "E5003" if code in ("E3004", "E3005") else "E5004" if code.startswith("E3") else "E5002"
    note = f"error[{code}]: {message}" if code else message
    return MindError([place(m, o, Reject(new, f"rule {rule} of {o.opcode} failed at %{o.id}", note=note))])


def wrong_type(m: Module, o: Operation, rule: str, found: TensorType, expected: TensorType) -> MindError:
    """E5002: a rule gave a value of another type than it owes."""
    message = f"rule {rule} of {o.opcode} gives {found} at %{o.id}, expected {expected}"
    return MindError([place(m, o, Reject("E5002", message))])


def fresh(name: str, taken: Iterable[str]) -> str:
    """`name`, with primes added until it is not taken."""
    while name in taken:
        name += "'"
    return name
