"""Which values of a linearized module are differential is derived, not stored.  Design after Slang's propagation."""

from __future__ import annotations

from collections.abc import Callable, Container
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
        try:
            which = linear_operands(o, through, m.__getitem__)
        except Reject as why:
            raise MindError([place(m, o, why)]) from None
        if which:
            through[o.id] = o.operands[which[0]]
    return through


def linear_operands(o: Operation, linear: Container[ValueId], of: Callable[[ValueId], Operation]) -> list[int]:
    """Which operands of `o` are among the `linear` values; `of` gives the operation of a value.

    Reject, E5006, unless `o` is linear in them together: x + t is linear in t only where x is zero.
    """
    which = [n for n, i in enumerate(o.operands) if i in linear]
    if which and not o.op.linear_in(frozenset(which)):
        raise _not_linear(o, which)
    if which and o.op.linearity is Linearity.JOINT and len(which) < len(o.operands):
        for n, i in enumerate(o.operands):
            if n not in which and of(i).type.dtype.is_float and not is_zero(i, of):
                message = f"{o.opcode} is not linear in its differential operand: %{i} is neither differential nor zero"
                raise Reject("E5006", message, at=f"operand {n}")
    return which


def tangent_outputs(
    m: Module, linear: Container[ValueId]
) -> tuple[tuple[ValueId, ...], tuple[tuple[int, ValueId], ...]]:
    """The primal outputs, and the tangents of the float ones with the position of the output each belongs to.

    E5006 if the outputs are not primals followed by tangents of the same types, which are `linear` or zero.
    """
    count = _primal_count(m)
    primals = m.outputs[:count]
    pairs = tuple(zip([n for n, i in enumerate(primals) if m[i].type.dtype.is_float], m.outputs[count:]))
    for n, i in enumerate(primals):
        if i in linear:
            raise _bad_outputs(m, f"%{i}, output {n}, is differential and stands among the primals")
    for n, t in pairs:
        i = primals[n]
        if m[t].type != m[i].type:
            raise _bad_outputs(m, f"%{i} is {m[i].type}, its tangent %{t} is {m[t].type}")
        if t not in linear and not is_zero(t, m.__getitem__):
            raise _bad_outputs(m, f"%{t}, the tangent of %{i}, is neither differential nor zero")
    return primals, pairs


def _primal_count(m: Module) -> int:
    """How many outputs are primals, when the float ones among them have a tangent each behind them."""
    floats = 0
    for count, i in enumerate(m.outputs, start=1):
        floats += m[i].type.dtype.is_float
        if count + floats == len(m.outputs):
            return count
    raise _bad_outputs(m, "the outputs are not those of a linearized module")


def _bad_outputs(m: Module, message: str) -> MindError:
    source, line = interface_line(m, "output")
    help = "first the outputs of the function, then the tangents of the float ones"
    return MindError.of("E5006", message, source, line, help=help)


def _not_linear(o: Operation, which: list[int]) -> Reject:
    used = [f"%{o.operands[n]}" for n in which]
    together = f"{', '.join(used[:-1])} and {used[-1]} together" if used[1:] else used[0]
    values = list(dict.fromkeys(used))
    note = f"{' and '.join(values)} {'are differential values' if values[1:] else 'is a differential value'}"
    return Reject("E5006", f"{o.opcode} is not linear in {together}", note=note, at=f"operand {which[-1]}")


def is_zero(i: ValueId, of: Callable[[ValueId], Operation]) -> bool:
    """True for constant zeros and what is linear in nothing else."""
    waiting, seen = [i], {i}
    while waiting:
        o = of(waiting.pop())
        if o.opcode == "ConstTensor":
            if any(o.op.data.numbers()):  # type: ignore[attr-defined]
                return False
        elif o.op.linearity is Linearity.JOINT:
            floats = {n for n in o.operands if of(n).type.dtype.is_float}
            waiting += floats - seen
            seen |= floats
        else:
            return False
    return True
