"""The base of the dialect's op classes in Python, which check and infer by Core's rules, with C++ or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..ir import OPS, DType, MindError, Reject, TensorType, check_operand_count
from ..ir.attributes import DataKind, Kind
from ..ir.diagnostics import count
from ..ir.literal import Literal
from ..lowering.toolchain.installed import require_mlir
from .encoding import op_name

require_mlir()

from mlir import ir  # noqa: E402
from mlir.dialects import _ods_common  # noqa: E402

from .attributes import attributes_of, core_op, core_type, literal_of, mind_type, mlir_attributes  # noqa: E402


class Built(ir.OpView):  # type: ignore[misc]
    """An operation of the dialect."""

    _ODS_REGIONS = (0, True)

    @property
    def result(self) -> ir.Value:
        """The one result; ValueError if there are several."""
        return self.operation.result


class _Dialect(ir.Dialect):  # type: ignore[misc]
    DIALECT_NAMESPACE = "mind"


_ods_common._cext.register_dialect(_Dialect)
register_op = _ods_common._cext.register_operation(_Dialect)
"""Lets the bindings return an operation of that name as an instance of this class."""


def attribute(op: Any, name: str) -> Any:
    """An attribute in Core's form; a constant's elements as a Literal. E4013 if it is missing."""
    cls = next(c for c in OPS.values() if op_name(c) == op.OPERATION_NAME)
    with op.context, ir.Location.unknown():
        return getattr(core_op(cls, attributes_of(op.operation)), name)


def build(opcode: str, operands: Sequence[Any], given: Mapping[str, Any], result: Any, loc: Any, ip: Any) -> Any:
    """Make an operation at `ip`, or at the current insertion point, and return its result, or several.

    Types of results are inferred; `result`, if given, must be it, or the list of them. MindError with the code of
    Core's rule.
    """
    cls = OPS[opcode]
    values = [_ods_common.get_op_result_or_value(o) for o in operands]
    try:
        check_operand_count(cls, len(values))
        types = [core_type(v.type, cls.operand_name(n)) for n, v in enumerate(values)]
        op = cls(**_python(cls.kinds, given))
        inferred = op.result_types(*types)
        attributes = mlir_attributes(op)
        if result is not None:
            _check_results(opcode, inferred, [core_type(t, "the result") for t in _listed(result)])
    except Reject as why:
        raise MindError.of(why.code, why.message, note=why.note, help=why.help) from None
    made = ir.Operation.create(
        op_name(cls),
        results=[mind_type(t) for t in inferred],
        operands=values,
        attributes=attributes,
        loc=loc,
        ip=ip,
    )
    return made.result if cls.has_one_result() else list(made.results)


def _listed(result: Any) -> Sequence[Any]:
    return result if isinstance(result, (list, tuple)) else [result]


def _check_results(opcode: str, inferred: Sequence[TensorType], given: Sequence[TensorType]) -> None:
    """E2008, E2001 unless the types of results are those that are inferred."""
    if len(given) != len(inferred):
        raise Reject("E2008", f"{opcode} has {count(len(inferred), 'result')}, the result types are {len(given)}")
    for type, said in zip(inferred, given):
        if type != said:
            raise Reject("E2001", f"{opcode} gives {type}, the result type says {said}", at="type")


def _python(kinds: Mapping[str, Kind], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given attributes, with a constant's dense attribute or array split into elements, dtype and shape."""
    out = dict(given)
    for name, kind in kinds.items():
        if isinstance(kind, DataKind):
            data = out[name]
            if isinstance(data, ir.Attribute):
                literal, type = literal_of(name, data)
                out |= {name: literal, "dtype": type.dtype, "shape": type.shape}
            else:
                literal = Literal.from_array(data)
                out |= {name: literal, "dtype": DType.of(data.dtype), "shape": data.shape}
    return out
