"""Finds which values of a linearized module are differential; this is not stored. Design after Slang's propagation."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace

from ..ir import MindError, Module, Operation, Reject, ValueId
from ..ir.op import Linearity
from ..ir.places import place


def propagate(m: Module) -> Module:
    """Show which values are differential, and why, as remarks after the operations.

    A value is differential if it is a tangent Input or if its operation uses a differential value. E5006 if the module
    has no tangents, or if an operation is not linear in one.
    """
    why = differential(m)
    primal = {t: x for x, t in m.tangents}
    notes = {i: f"tangent of %{primal[i]}" if i in primal else f"differential through %{why[i]}" for i in why}
    return replace(m, notes=notes)


def differential(m: Module) -> dict[ValueId, ValueId]:
    """Differential value -> the operand through which it is one; a tangent Input is mapped to itself.

    E5006 as `propagate` says.
    """
    if not m.tangents and any(o.type.dtype.is_float for o in m.inputs):
        raise MindError.of("E5006", "the module has no `tangents:` line", help="run linearize first")
    through = {t: t for _, t in m.tangents}
    for o in m.operations:
        try:
            which = linear_operands(o, through, m.__getitem__)
        except Reject as why:
            raise MindError([place(m, o, why)]) from None
        if which:
            through.update({r.id: o.operands[which[0]] for r in o.results if r.type.dtype.is_float})
    return through


def linear_operands(o: Operation, linear: Container[ValueId], of: Callable[[ValueId], Operation]) -> list[int]:
    """The positions of operands of `o` that are among the `linear` values; `of` gives the operation of a value.

    Reject, E5006, unless `o` is linear in them together: x + t is linear in t only if x is zero.
    """
    which = [n for n, i in enumerate(o.operands) if i in linear]
    if which and not o.op.linear_in(frozenset(which)):
        raise _not_linear(o, which)
    if which and o.op.linearity is Linearity.JOINT and len(which) < len(o.operands):
        for n, i in enumerate(o.operands):
            if n not in which and of(i).type_of(i).dtype.is_float and not is_zero(i, of):
                message = f"{o.opcode} is not linear in its differential operand: %{i} is neither differential nor zero"
                raise Reject("E5006", message, at=f"operand {n}")
    return which


def _not_linear(o: Operation, which: list[int]) -> Reject:
    used = [f"%{o.operands[n]}" for n in which]
    together = f"{', '.join(used[:-1])} and {used[-1]} together" if used[1:] else used[0]
    values = list(dict.fromkeys(used))
    note = f"{' and '.join(values)} {'are differential values' if values[1:] else 'is a differential value'}"
    return Reject("E5006", f"{o.opcode} is not linear in {together}", note=note, at=f"operand {which[-1]}")


def is_zero(i: ValueId, of: Callable[[ValueId], Operation]) -> bool:
    """True for constant zeros, and for operations that are linear in nothing else."""
    waiting, seen = [i], {i}
    while waiting:
        o = of(waiting.pop())
        if (elements := o.op.literal) is not None:
            if any(elements.numbers()):
                return False
        elif o.op.linearity is Linearity.JOINT:
            floats = {n for n in o.operands if of(n).type_of(n).dtype.is_float}
            waiting += floats - seen
            seen |= floats
        else:
            return False
    return True
