"""Converts `mind` operations to linalg on tensors in any MLIR module: the Python form of `convert-mind-to-linalg`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..ir import DType, Function, Mesh, MindError, Op, Reject, TensorType, check_operand_count
from ..ir.diagnostics import count
from ..lowering.emit.modes import MODES, NUMERICS
from ..lowering.mlir.failure import MlirPassFailed
from ..lowering.toolchain.installed import require_mlir
from ..passes.preflight import check_addressable
from ..passes.verify import verify
from .encoding import MESH_ATTRIBUTE, by_op_name

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.emit.collectives import AXES, GRID, emit_grid  # noqa: E402
from ..lowering.emit.emitter import Scope  # noqa: E402
from ..lowering.emit.operation_lowering import OperationLowering  # noqa: E402
from ..lowering.emit.scalars import Scalars, mlir_element  # noqa: E402
from ..lowering.emit.tensors import mlir_type  # noqa: E402
from ..lowering.mlir.retyping import retype  # noqa: E402
from ..lowering.mlir.walk import children, operations  # noqa: E402
from .attributes import DTYPES, attributes_of, core_op, core_type, stated_mesh, text_of  # noqa: E402
from .from_mind import functions_named  # noqa: E402

PASS = "convert-mind-to-linalg"

_CAST = "builtin.unrealized_conversion_cast"


def convert_mind_to_linalg(module: Any, *, numerics: Literal["default", "strict", "fast"] = "default") -> None:
    """Replace every `mind` operation in `module` (an operation or an `mlir.ir.Module`) by linalg, tensor and arith.

    Everything else stays as it is; the grid `@mind_mesh` is added if there are operations between ranks. `numerics` is
    for functions that do not have `mind.numerics` themselves. `cf.assert` checks an index that may be out of bounds at
    run time, unless the operation has `oob = "clip"` or `"fill"`. Integers without a sign, `ui8`, become those of
    arithmetic, `i8`, in the whole module. Raises MlirPassFailed, which says which operation
    breaks which rule; the operations before it are converted.
    """
    by_name = by_op_name()
    with module.context, ir.Location.unknown():
        converting: dict[_Scope, _Converting] = {}
        every = _with_scopes(module, _Scope(numerics))
        functions = _functions([o for o, _ in every if o.name in by_name and by_name[o.name].function_attributes])
        for o, scope in every:
            cls = by_name.get(o.name)
            if cls is None:
                if o.name.startswith("mind."):
                    raise MlirPassFailed(PASS, [f"{o.name} is no operation of the dialect at {_place(o)}"])
                continue
            if scope not in converting:
                converting[scope] = _Converting(scope)
            converting[scope].convert(o, cls, functions[_table(o)] if cls.function_attributes else {})
        if any(c.signs for c in converting.values()):
            _drop_signs(module)


@dataclass(frozen=True)
class _Scope:
    """The settings for an operation, from the operations around it."""

    numerics: str
    mesh: Mesh | None = None
    table: Any = None
    """With a mesh, the nearest operation around it that holds symbols."""


def _with_scopes(module: Any, scope: _Scope) -> list[tuple[Any, _Scope]]:
    """Every operation with its scope; of two settings around it, the inner one counts."""
    every = operations(module)
    if all(NUMERICS not in o.attributes and MESH_ATTRIBUTE not in o.attributes for o in every):
        return [(o, scope) for o in every]
    out: list[tuple[Any, _Scope]] = []

    def visit(o: Any, scope: _Scope) -> None:
        try:
            scope = _within(o, scope)
        except Reject as why:
            raise _failed(o, why) from None
        out.append((o, scope))
        for inner in children(o) if len(o.regions) else ():
            visit(inner, scope)

    visit(module.operation, scope)
    return out


def _within(o: Any, scope: _Scope) -> _Scope:
    """The scope of operations in `o`, which is in `scope`."""
    if NUMERICS in o.attributes:
        found = o.attributes[NUMERICS]
        mode = text_of(found)
        if mode not in MODES:
            raise Reject("E7008", f"{NUMERICS} is one of {', '.join(MODES)}, found {found}")
        scope = replace(scope, numerics=mode)
    if (mesh := stated_mesh(o)) is not None:
        scope = replace(scope, mesh=mesh)
    if scope.mesh is not None and _holds_symbols(o):
        scope = replace(scope, table=o)
    return scope


def _holds_symbols(o: Any) -> bool:
    try:
        ir.SymbolTable(o)
    except TypeError:
        return False
    return True


def _functions(holders: Sequence[Any]) -> dict[Any, Mapping[str, Function]]:
    """For each operation that holds symbols, the functions that these operations name in it; not yet converted."""
    found: dict[Any, Mapping[str, Function]] = {}
    by_table: dict[Any, list[Any]] = {}
    for o in holders:
        by_table.setdefault(_table(o), []).append(o)
    for table, group in by_table.items():
        try:
            found[table] = named = functions_named(group, table)
            inner = {g for f in named.values() for o in f.body.operations for g in o.op.functions()}
            for f in named.values():
                if f not in inner:
                    verify(f.body)
        except MindError as why:
            raise _failed(group[0], Reject(why.code, why.message)) from None
    return found


def _table(o: Any) -> Any:
    """The nearest operation around `o` that holds symbols."""
    around = o.parent
    while around.parent is not None and not _holds_symbols(around):
        around = around.parent
    return around


def _failed(o: Any, why: Reject) -> MlirPassFailed:
    return MlirPassFailed(PASS, [f"{why.code}: {why.message} at {_place(o)}"])


def _place(o: Any) -> str:
    return str(o.location).removeprefix("loc(").removesuffix(")")


class _Converting:
    """Converts operations one by one, in one scope."""

    def __init__(self, scope: _Scope) -> None:
        self.mesh, self.table = scope.mesh, scope.table
        self.has_grid = False
        self.signs = False
        """True once a value had integers without a sign."""
        self.lowering = OperationLowering(Scope(scope.numerics, scope.mesh, on_failure=_assert_inside))

    def convert(self, o: Any, cls: type[Op], functions: Mapping[str, Function]) -> None:
        try:
            op = core_op(cls, attributes_of(o), functions)
            check_operand_count(cls, len(o.operands))
            types = [core_type(v.type, cls.operand_name(n)) for n, v in enumerate(o.operands)]
            results = _checked(op, types, o, self.mesh)
            if op.across_ranks and self.mesh is not None and not self.has_grid:
                _ensure_grid(self.table, self.mesh)
                self.has_grid = True
        except Reject as why:
            raise _failed(o, why) from None
        with ir.InsertionPoint(o):
            operands = [self._cast(v, mlir_type(t)) for v, t in zip(o.operands, types)]
            values = self.lowering.lower(op, results, types, operands, o.location).values
            values = tuple([self._cast(v, r.type) for v, r in zip(values, o.results, strict=True)])
        for result, value in zip(o.results, values, strict=True):
            result.replace_all_uses_with(value)
        o.erase()

    def _cast(self, v: Any, type: Any) -> Any:
        """`v` as a value of that type, which has another sign at most."""
        if v.type == type:
            return v
        self.signs = True
        return ir.Operation.create(_CAST, results=[type], operands=[v]).result


def _drop_signs(module: Any) -> None:
    """Give all tensors the integers of arithmetic, and take out the casts, which then cast nothing."""

    def without_sign(t: Any) -> Any:
        if isinstance(t, ir.RankedTensorType) and (dtype := DTYPES.get(str(t.element_type))) is not None:
            return ir.RankedTensorType.get(t.shape, mlir_element(dtype), t.encoding)
        return t

    every = operations(module)
    retype(every, without_sign)
    for o in every:
        if o.name == _CAST and len(o.operands) == 1 and o.operands[0].type == o.result.type:
            o.result.replace_all_uses_with(o.operands[0])
            o.erase()


def _ensure_grid(table: Any, mesh: Mesh) -> None:
    """Add the grid of the mesh to the symbol table. E8004 if that has another one of that name."""
    symbols = ir.SymbolTable(table)
    if GRID not in symbols:
        with ir.InsertionPoint.at_block_begin(table.regions[0].blocks[0]):
            emit_grid(mesh)
    elif not _is_grid(symbols[GRID].operation, mesh):
        raise Reject("E8004", f"@{GRID} is there already, and is not the grid of the mesh {mesh}")


def _is_grid(o: Any, mesh: Mesh) -> bool:
    if o.name != "shard.grid" or AXES not in o.attributes:
        return False
    names = ir.ArrayAttr.get([ir.StringAttr.get(name) for name in mesh.axis_names])
    sizes = ir.DenseI64ArrayAttr.get(list(mesh.axis_sizes))
    return bool(o.attributes[AXES] == names and o.attributes["shape"] == sizes)


def _checked(op: Op, types: Sequence[TensorType], o: Any, mesh: Mesh | None) -> tuple[TensorType, ...]:
    """The inferred types of the results. E2001 and E2008 unless they are the declared ones."""
    results = op.result_types(*types)
    if len(o.results) != len(results):
        raise Reject("E2008", f"{op.opcode} has {count(len(results), 'result')}, the operation {len(o.results)}")
    for result, value in zip(results, o.results):
        if (declared := core_type(value.type, "the result")) != result:
            raise Reject("E2001", f"{op.opcode} gives {result}, the operation says {declared}")
    op.check_mesh(mesh, *types)
    for t in (*types, *results):
        check_addressable(t)
    op.check_before_run(*types)
    return results


def _assert_inside(opcode: str, flag: Any) -> None:
    """Check indices by `cf.assert` where they are used, since a foreign function has no result for a status."""
    s = Scalars(DType.I64)
    inside = s.equal(s.op("tensor.extract", flag), s.number(0))
    message = ir.StringAttr.get(f"{opcode} index out of bounds")
    ir.Operation.create("cf.assert", operands=[inside], attributes={"msg": message})
