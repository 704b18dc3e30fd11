"""Converts attributes of Core operations to attributes of MLIR, and back, without loss, even of NaN payloads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir import DType, Function, Literal, MindError, Op, Reject, TensorType, np
from ..ir.attributes import (
    SHARDING,
    ChoiceKind,
    CountKind,
    DataKind,
    DTypeKind,
    FlagKind,
    IntsKind,
    Kind,
    NameKind,
    PaddingKind,
    ScalarKind,
    ShardingKind,
)
from ..ir.function_kinds import FunctionKind, FunctionsKind
from ..ir.mesh import Mesh, PartitionSpec
from ..lowering.toolchain.installed import require_mlir
from ..passes.preflight import check_addressable
from .encoding import MESH_ATTRIBUTE, encoded_attributes
from .placement import mesh_of, spec_of

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.emit.scalars import mlir_element  # noqa: E402
from ..lowering.emit.tensors import elements_attribute, literal_of_halves, mlir_type, number_attribute  # noqa: E402

DTYPES = {d.mlir: d for d in DType}
"""Element types by their spelling in MLIR."""


def mind_element(dtype: DType) -> Any:
    """The MLIR type of elements in the dialect, where integers without a sign say so."""
    return ir.Type.parse(dtype.mlir)


def mind_type(t: TensorType) -> Any:
    """The MLIR type of a Core type in the dialect."""
    return ir.RankedTensorType.get(t.shape, mind_element(t.dtype))


def core_type(type: Any, what: str = "a value") -> TensorType:
    """The Core type of an MLIR type. E2002 unless it is a static tensor of an element type of Core, not encoded."""
    if isinstance(type, ir.RankedTensorType) and type.has_static_shape and type.encoding is None:
        dtype = DTYPES.get(str(type.element_type))
        if dtype is not None:
            return TensorType(dtype, tuple(type.shape))
    help = f"Core IR has tensors of {DType.listed()} whose extents are known"
    raise Reject("E2002", f"{what} is {type}", help=help)


def mlir_attributes(op: Op, symbols: Mapping[Function, str] | None = None) -> dict[str, Any]:
    """The attributes of an operation, in the current context.

    `symbols` are the names of functions in MLIR; without it, those that they have.
    MindError E6004 for a constant that MLIR cannot hold, Reject E4013 for a sharding whose axes have no names.
    """
    given = [(a, getattr(op, a.name)) for a in encoded_attributes(type(op))]
    return {a.name: _to_mlir(a.name, a.kind, value, op, symbols) for a, value in given if value is not None}


def _to_mlir(name: str, kind: Kind, value: Any, op: Op, symbols: Mapping[Function, str] | None) -> Any:
    match kind:
        case FunctionKind():
            return ir.FlatSymbolRefAttr.get(value.name if symbols is None else symbols[value])
        case FunctionsKind():
            names = [f.name if symbols is None else symbols[f] for f in value]
            return ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(n) for n in names])
        case IntsKind():
            return ir.DenseI64ArrayAttr.get(list(value))
        case FlagKind():
            return ir.BoolAttr.get(value)
        case ChoiceKind() | NameKind():
            return ir.StringAttr.get(value)
        case CountKind():
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
        case ShardingKind():
            if spec_of(text := kind.show(value)) != value:
                raise kind.wrong(name, text)
            return ir.StringAttr.get(text)
        case PaddingKind():
            return ir.StringAttr.get(value) if isinstance(value, str) else ir.DenseI64ArrayAttr.get(sum(value, ()))
        case ScalarKind():
            return number_attribute(value)
        case DTypeKind():
            return ir.TypeAttr.get(mind_element(value))
        case DataKind():
            return elements_attribute(value, _addressable(op.infer_type()), mind_element(value.dtype))
    raise AssertionError(f"{type(kind).__name__} has an encoding")


def _addressable(type: TensorType) -> TensorType:
    try:
        check_addressable(type)
    except Reject as why:
        raise MindError.of(why.code, why.message) from None
    return type


def attributes_of(operation: Any) -> dict[str, Any]:
    """The attributes of an MLIR operation by name. E2002 for elements for which the bindings have no class."""
    try:
        return dict(operation.attributes.items())
    except TypeError:  # complex elements, for one
        help = f"Core IR has elements of {DType.listed()}"
        raise Reject("E2002", f"{operation.name} has elements of another type in an attribute", help=help) from None


def core_op(cls: type[Op], found: Mapping[str, Any], functions: Mapping[str, Function] | None = None) -> Op:
    """The operation with these MLIR attributes. E4013 for one that is missing or of another kind.

    `functions` are those that it may name; E4018 for another one.
    """
    values: dict[str, Any] = {}
    for a in encoded_attributes(cls):
        if a.name not in found:
            if a.is_required:
                raise Reject("E4013", f"{cls.opcode} has no attribute {a.name}", help=cls.attributes_help())
            continue
        if isinstance(a.kind, DataKind):
            data, type = literal_of(a.name, found[a.name])
            values |= {a.name: data, "dtype": type.dtype, "shape": type.shape}
        else:
            values[a.name] = _from_mlir(a.kind, a.name, found[a.name], functions or {})
    return cls(**values)


def _from_mlir(kind: Kind, name: str, attribute: Any, functions: Mapping[str, Function]) -> Any:
    value: Any = None
    match kind, attribute:
        case ((FunctionKind() | FunctionsKind()), _) if (names := symbols_in(attribute)) is not None:
            if missing := [n for n in names if n not in functions]:
                raise Reject("E4018", f"attribute {name}: no function @{missing[0]} stands beside", at=name)
            named = tuple([functions[n] for n in names])
            value = named if isinstance(attribute, ir.ArrayAttr) else named[0]
        case IntsKind(), ir.DenseI64ArrayAttr():
            value = tuple(attribute)
        case FlagKind(), ir.BoolAttr():
            value = attribute.value
        case ((ChoiceKind() | NameKind() | PaddingKind()), ir.StringAttr()):
            value = text_of(attribute)
        case ShardingKind(), _:
            value = sharding_of(name, attribute)
        case DTypeKind(), ir.TypeAttr():
            value = DTYPES.get(str(attribute.value))
        case CountKind(), ir.IntegerAttr() if attribute.type == ir.IntegerType.get_signless(64):
            value = attribute.value
        case PaddingKind(), ir.DenseI64ArrayAttr():
            sides = tuple(attribute)
            value = (sides[:2], sides[2:])
        case ScalarKind(), _ if getattr(attribute, "type", None) == mlir_element(kind.dtype):
            one = ir.DenseElementsAttr.get_splat(mlir_type(TensorType(kind.dtype, ())), attribute)
            value, _ = literal_of(name, one)
    if value is None:
        raise kind.wrong(name, str(attribute))
    return kind.take(name, value)


def symbols_in(attribute: Any) -> list[str] | None:
    """The names that an attribute holds, as one or as a list of them; None if it is another attribute."""
    each = list(attribute) if isinstance(attribute, ir.ArrayAttr) else [attribute]
    return [a.value for a in each] if all(isinstance(a, ir.FlatSymbolRefAttr) for a in each) else None


def text_of(attribute: Any) -> str | None:
    """The text of a string attribute; None for another attribute, or bytes that are not UTF-8."""
    try:
        return attribute.value_bytes.decode() if isinstance(attribute, ir.StringAttr) else None
    except UnicodeDecodeError:
        return None


def sharding_of(name: str, attribute: Any) -> PartitionSpec:
    """The sharding in an attribute, as text. E4013 if it has none, E8003 for a mesh axis used twice."""
    try:
        spec = spec_of(text_of(attribute) or "")
    except MindError as why:
        raise Reject(why.code, why.message, at=name) from None
    if spec is None:
        raise SHARDING.wrong(name, str(attribute))
    return spec


def stated_mesh(o: Any) -> Mesh | None:
    """The mesh that a module states.

    E7016 for an attribute that is no mesh or is on another operation, E8001 for an invalid mesh.
    """
    if MESH_ATTRIBUTE not in o.attributes:
        return None
    if o.name != "builtin.module":
        raise Reject("E7016", f"{MESH_ATTRIBUTE} belongs on builtin.module")
    attribute = o.attributes[MESH_ATTRIBUTE]
    try:
        mesh = mesh_of(text) if (text := text_of(attribute)) is not None else None
    except MindError as why:
        raise Reject(why.code, why.message) from None
    if mesh is None:
        help = "the axes with their sizes, such as dp = 2, tp = 4"
        raise Reject("E7016", f"{MESH_ATTRIBUTE} is {attribute}, not the text of a mesh", help=help)
    return mesh


def literal_of(name: str, attribute: Any) -> tuple[Literal, TensorType]:
    """The elements of a dense attribute, and their type. E4013 if it is none, E2002 for a type that Core lacks."""
    if not isinstance(attribute, ir.DenseElementsAttr):
        raise Reject("E4013", f"attribute {name}: expected dense elements, found {str(attribute)[:60]}", at=name)
    type = core_type(attribute.type, f"attribute {name}")
    if type.size == 0:
        return Literal(type.dtype, b""), type
    if type.dtype.is_half:
        return literal_of_halves(attribute, type.dtype), type
    array = np.asarray(attribute)
    if attribute.is_splat:
        array = array.reshape(-1)[:1]
    return Literal.from_array(array), type
