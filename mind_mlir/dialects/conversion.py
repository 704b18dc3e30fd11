"""`mind` operations to linalg on tensors, in place, in any MLIR module: the Python form of `convert-mind-to-linalg`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..ir import DType, Op, Reject, TensorType, check_operand_count
from ..lowering.failure import MlirPassFailed
from ..lowering.modes import MODES, NUMERICS
from ..lowering.toolchain import require_mlir
from ..passes.preflight import check_addressable
from .encoding import by_op_name

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.emitter import Emitter  # noqa: E402
from ..lowering.operation import OperationLowering  # noqa: E402
from ..lowering.rewrites._walk import children, operations  # noqa: E402
from ..lowering.scalars import Scalars  # noqa: E402
from .attributes import attributes_of, core_op, core_type  # noqa: E402

PASS = "convert-mind-to-linalg"


def convert_mind_to_linalg(module: Any, *, numerics: Literal["default", "strict", "fast"] = "default") -> None:
    """Replace every `mind` operation in `module` (an operation or an `mlir.ir.Module`) by linalg, tensor and arith.

    What else is there stays as it is.  `numerics` is for functions that do not say `mind.numerics` themselves.  An
    index that may be out of bounds at run time is checked by `cf.assert`, unless the operation says what it means
    instead (`oob = "clip"` or `"fill"`).  Raises MlirPassFailed, which says at which operation which rule was broken;
    the operations before it are converted.
    """
    by_name = by_op_name()
    with module.context, ir.Location.unknown():
        emitters: dict[str, _Converting] = {}
        for o, mode in _with_numerics(module, numerics):
            cls = by_name.get(o.name)
            if cls is None:
                if o.name.startswith("mind."):
                    raise MlirPassFailed(PASS, [f"{o.name} is no operation of the dialect at {_place(o)}"])
                continue
            if mode not in emitters:
                emitters[mode] = _Converting(mode)
            emitters[mode].convert(o, cls)


def _with_numerics(module: Any, numerics: str) -> list[tuple[Any, str]]:
    """Every operation with the numerics that hold for it: those of the nearest operation around it that says so."""
    every = operations(module)
    if all(NUMERICS not in o.attributes for o in every):
        return [(o, numerics) for o in every]
    out: list[tuple[Any, str]] = []

    def visit(o: Any, mode: str) -> None:
        if NUMERICS in o.attributes:
            value = getattr(o.attributes[NUMERICS], "value", None)
            if value not in MODES:
                found = o.attributes[NUMERICS]
                what = f"{NUMERICS} is one of {', '.join(MODES)}, found {found}"
                raise MlirPassFailed(PASS, [f"E7008: {what} at {_place(o)}"])
            mode = value
        out.append((o, mode))
        for inner in children(o) if len(o.regions) else ():
            visit(inner, mode)

    visit(module.operation, numerics)
    return out


def _place(o: Any) -> str:
    return str(o.location).removeprefix("loc(").removesuffix(")")


class _Converting:
    """Converts operations one by one, in one mode of numerics."""

    def __init__(self, numerics: str) -> None:
        self.lowering = OperationLowering(_AssertingEmitter(numerics))

    def convert(self, o: Any, cls: type[Op]) -> None:
        try:
            op = core_op(cls, attributes_of(o))
            check_operand_count(cls, len(o.operands))
            types = [core_type(v.type, name) for name, v in zip(cls.operand_names, o.operands)]
            result = _checked(op, types, o)
        except Reject as why:
            raise MlirPassFailed(PASS, [f"{why.code}: {why.message} at {_place(o)}"]) from None
        with ir.InsertionPoint(o):
            value = self.lowering.lower(op, result, types, list(o.operands), o.location)
        o.results[0].replace_all_uses_with(value)
        o.erase()


def _checked(op: Op, types: Sequence[TensorType], o: Any) -> TensorType:
    """The result type, if it is the one that is declared."""
    result = op.infer_type(*types)
    if (declared := core_type(o.results[0].type, "the result")) != result:
        raise Reject("E2001", f"{op.opcode} gives {result}, the operation says {declared}")
    for t in (*types, result):
        check_addressable(t)
    op.check_before_run(*types)
    return result


class _AssertingEmitter(Emitter):
    """Checks indices where they are used: a foreign function has no result for a status."""

    def __init__(self, numerics: str) -> None:
        super().__init__({}, numerics)

    def report(self, opcode: str, indices: Any, extent: int, oob: str) -> None:
        before = len(self.failures)
        super().report(opcode, indices, extent, oob)
        for flag in self.failures[before:]:
            s = Scalars(DType.I64)
            inside = s.equal(s.op("tensor.extract", flag), s.number(0))
            message = ir.StringAttr.get(f"{opcode} index out of bounds")
            ir.Operation.create("cf.assert", operands=[inside], attributes={"msg": message})
