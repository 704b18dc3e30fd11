"""Which values of a linearized module are differential is derived, not stored.  Design after Slang's propagation."""

from __future__ import annotations

from dataclasses import replace

from ..ir import MindError, Module, Operation, Reject, ValueId
from ..ir.op import Linearity
from .verify import interface_line, place


def propagate(m: Module) -> Module:
    """Show which values are differential and why, as remarks behind the operations.

    A value is differential if it is a tangent Input or an operation uses a differential value.  E5006 if the module
    has no tangents, or one stands in an operation that is not linear in it.
    """
    why = differential(m)
    primal = {t: x for x, t in m.tangents}
    notes = {i: f"tangent of %{primal[i]}" if i in primal else f"differential through %{why[i]}" for i in why}
    return replace(m, notes=notes)


def differential(m: Module) -> dict[ValueId, ValueId]:
    """Every differential value, with the operand through which it is one; a tangent Input is one by itself.

    E5006 as `propagate` says.
    """
    if not m.tangents and any(o.type.dtype.is_float for o in m.inputs):
        raise MindError.of("E5006", "the module has no `tangents:` line", help="run linearize first")
    through = {t: t for _, t in m.tangents}
    for o in m.operations:
        which = [n for n, i in enumerate(o.operands) if i in through]
        if which:
            if not o.op.linear_in(frozenset(which)):
                raise _not_linear(m, o, which)
            if o.op.linearity is Linearity.JOINT and len(which) < len(o.operands):
                _check_others_are_zero(m, o, through)
            through[o.id] = o.operands[which[0]]
    return through


def tangent_outputs(m: Module) -> tuple[tuple[ValueId, ...], tuple[tuple[int, ValueId], ...]]:
    """The primal outputs, and the tangents of the float ones with the position of the output each belongs to.

    E5006 if the outputs are not primals followed by tangents of the same types.
    """
    total = len(m.outputs)
    floats: list[int] = []
    for count, i in enumerate(m.outputs, start=1):
        if m[i].type.dtype.is_float:
            floats.append(count - 1)
        if count + len(floats) == total:
            pairs = tuple(zip(floats, m.outputs[count:]))
            if all(m[m.outputs[n]].type == m[t].type for n, t in pairs):
                return m.outputs[:count], pairs
            break
    source, line = interface_line(m, "output")
    raise MindError.of(
        "E5006",
        "the outputs are not those of a linearized module",
        source,
        line,
        help="first the outputs of the function, then the tangents of the float ones, of the same types",
    )


def _not_linear(m: Module, o: Operation, which: list[int]) -> MindError:
    used = [f"%{o.operands[n]}" for n in which]
    together = f"{', '.join(used[:-1])} and {used[-1]} together" if used[1:] else used[0]
    values = list(dict.fromkeys(used))
    note = f"{' and '.join(values)} {'are differential values' if values[1:] else 'is a differential value'}"
    message = f"{o.opcode} is not linear in {together}"
    return MindError([place(m, o, Reject("E5006", message, note=note, at=f"operand {which[-1]}"))])


def _check_others_are_zero(m: Module, o: Operation, through: dict[ValueId, ValueId]) -> None:
    """x + t is linear in t only where x is zero."""
    for n, i in enumerate(o.operands):
        if i not in through and m[i].type.dtype.is_float and not _is_zero(m[i]):
            message = f"{o.opcode} is not linear in its differential operand: %{i} is neither differential nor zero"
            raise MindError([place(m, o, Reject("E5006", message, at=f"operand {n}"))])


def _is_zero(o: Operation) -> bool:
    return o.opcode == "ConstTensor" and not any(o.op.data.numbers())  # type: ignore[attr-defined]
