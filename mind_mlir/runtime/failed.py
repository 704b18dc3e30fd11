"""Explains on one rank of several which index was out of bounds in native code.

The other ranks take no part, so only values that do not depend on what they send can be computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import Environment, MindError, Module, Operation, Reject, TensorType, ValueId, np
from ..ir.places import place

if TYPE_CHECKING:
    import numpy


def out_of_bounds_on_rank(m: Module, inputs: Sequence[Any], failed: ValueId, rank: Mapping[str, int]) -> MindError:
    """E6001 for the operation `failed`, from the arguments of one rank; `rank` is its position along each mesh axis."""
    o = m[failed]
    if o.op.function_attributes:
        return _in_a_function(m, inputs, o, rank)
    at = o.op.operand_names.index("indices")
    indices = _value(m, Environment(zip((i.id for i in m.inputs), inputs)), o.operands[at], rank)
    extent = m.values[o.operands[0]].type.shape[0]
    why = Reject(
        "E6001",
        f"an index of {o.opcode} is out of bounds for extent {extent}",
        note="other ranks send the indices, so it is not known here which",
    )
    if indices is not None:
        try:
            o.op.evaluate(*[indices if n == at else _nothing(m.values[i].type) for n, i in enumerate(o.operands)])
        except Reject as found:
            why = found
    return MindError([place(m, o, why)])


def _in_a_function(m: Module, inputs: Sequence[Any], o: Operation, rank: Mapping[str, int]) -> MindError:
    """E6001 in a function that an operation holds; of the operation itself where ranks send what it reads."""
    given = [_value(m, Environment(zip((i.id for i in m.inputs), inputs)), i, rank) for i in o.operands]
    if all(x is not None for x in given):
        try:
            o.op.result_arrays(*given)  # type: ignore[arg-type]  # none of them is None
        except MindError as found:
            return found
    return MindError([place(m, o, Reject("E6001", f"an index in a function of {o.opcode} is out of bounds"))])


def _value(m: Module, env: Environment[Any], wanted: ValueId, rank: Mapping[str, int]) -> numpy.ndarray | None:
    """A value on this rank; None if it depends on what other ranks send."""
    needed = _needed(m, wanted)
    with np.errstate(all="ignore"):
        for o in m.operations:
            if not env.has(o) and not needed.isdisjoint(o.ids):
                operands = env.read(o)
                if any(x is None for x in operands):
                    env.write(o, (None,) * len(o.results))
                elif o.op.across_ranks:
                    env.write(o, (_on_rank(o.op, operands[0], rank),))
                else:
                    env.write(o, o.op.result_arrays(*operands))
    found: numpy.ndarray | None = env[wanted]
    return found


def _needed(m: Module, wanted: ValueId) -> set[ValueId]:
    """The value, and all values that it is computed from."""
    found, waiting = {wanted}, [wanted]
    while waiting:
        new = set(m[waiting.pop()].operands) - found
        found |= new
        waiting += new
    return found


def _on_rank(op: Any, input: numpy.ndarray, rank: Mapping[str, int]) -> Any:
    if op.size > 1 and op.sends():
        return None
    return op.across([input] * op.size)[rank[op.axis]]  # the same on all ranks


def _nothing(type: TensorType) -> numpy.ndarray:
    """An array of zeros of the type that takes no memory."""
    return np.broadcast_to(np.zeros((), type.dtype.numpy), type.shape)
