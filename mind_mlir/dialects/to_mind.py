"""Writes a Core IR module as an MLIR module with a `func.func` of the dialect's operations, without loss.

`@main(%x: tensor<…> {mind.name = "x"}) -> …` has a parameter for each Input and a result for each output. Attributes
have the rest, unless it is the default:

    mind.ir_version   on the module: the version of Core IR
    mind.mesh         on the module: its mesh, "dp = 2, tp = 4"
    mind.sharding     on a parameter or an operation: the sharding of its value, "[dp, _]"
    mind.id           on a parameter or an operation: its ValueId, unless that is its position among the parameters,
                      or the one after the operation before; always where the next two name it
    mind.gradients, mind.tangents    on the function: the pairs of these lines, one after the other
    mind.after        on a parameter: the number of operations before its Input
    mind.note         on an operation: the remark printed after it

An operation with several results has a list in mind.sharding, mind.id and mind.note, with an entry for each result; the
entry "open" is for one without a sharding, "" for one without a remark.

A function that operations hold is a `func.func` too, private and before the module's own function. If it has the same
name as that one, it gets another name there, and the attribute mind.name.

MLIR's passes keep these attributes without knowing them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from ..ir import Environment, Function, MindError, Module, Operation
from ..ir.gc import without_gc
from ..ir.printer import lines_before
from ..lowering.interface.api import callers_context
from ..lowering.toolchain.installed import require_mlir
from ..passes.verify import verify
from .encoding import IR_VERSION, IR_VERSION_ATTRIBUTE, MESH_ATTRIBUTE, OPEN, SHARDING_ATTRIBUTE, op_name
from .registration import register

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.emit.to_linalg import file_location, location_of  # noqa: E402
from ..lowering.mlir.context import new_context  # noqa: E402
from .attributes import mind_type, mlir_attributes  # noqa: E402

NAME, ID, AFTER, NOTE = "mind.name", "mind.id", "mind.after", "mind.note"
GRADIENTS, TANGENTS = "mind.gradients", "mind.tangents"


@without_gc
def to_mind(module: Module, context: Any = None, *, name: str = "main") -> Any:
    """Write a module in the dialect `mind`: an `mlir.ir.Module` with one `func.func` called `name`.

    The result belongs to `context`; if that is None, to the current context, else to a new one. The dialect is
    registered in a context without it. Raises MindError: any code of `verify`, E7006 if MLIR is not installed, E7007
    for an argument of another kind, E7015 if the context has the dialect in C++, which lacks an operation of another
    package.
    """
    m = verify(module)
    context = callers_context(context, name) or new_context()
    form = register(context)
    with context, ir.Location.unknown():
        out = ir.Module.create(loc=file_location(m))
        out.operation.attributes[IR_VERSION_ATTRIBUTE] = _i64(IR_VERSION)
        if m.mesh is not None:
            out.operation.attributes[MESH_ATTRIBUTE] = ir.StringAttr.get(str(m.mesh))
        symbols = _symbols(m.functions, name)
        with ir.InsertionPoint(out.body):
            for f in m.functions:
                beside = {"sym_visibility": ir.StringAttr.get("private")}
                if symbols[f] != f.name:
                    beside[NAME] = ir.StringAttr.get(f.name)
                _function(f.body, symbols[f], beside, symbols, form)
            _function(m, name, {**_pairs(GRADIENTS, m.gradients), **_pairs(TANGENTS, m.tangents)}, symbols, form)
    return out


def _symbols(functions: Sequence[Function], name: str) -> dict[Function, str]:
    """The name of each function in MLIR: its own, unless that is `name`."""
    taken = {name, *[f.name for f in functions]}
    free = next(n for n in (f"{name}_{i}" for i in count()) if n not in taken)
    return {f: free if f.name == name else f.name for f in functions}


def _function(m: Module, name: str, attributes: dict[str, Any], symbols: Mapping[Function, str], form: str) -> None:
    """A `func.func`: parameters, operations and results."""
    inputs = [mind_type(o.type) for o in m.inputs]
    outputs = [mind_type(t) for t in m.output_types]
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs)),
        **attributes,
    }
    if inputs:
        attributes["arg_attrs"] = ir.ArrayAttr.get(_parameters(m))
    f = ir.Operation.create("func.func", attributes=attributes, regions=1)
    block = f.regions[0].blocks.append(*inputs, arg_locs=[ir.Location.name(o.op.name) for o in m.inputs])  # type: ignore[attr-defined]
    env = Environment((o.id, a) for o, a in zip(m.inputs, block.arguments))
    with ir.InsertionPoint(block):
        _operations(m, env, symbols, form)
        ir.Operation.create("func.return", operands=env.of(m.outputs))


def _in_pairs(m: Module) -> frozenset[int]:
    """The values that `gradients:` and `tangents:` name."""
    return frozenset(i for pair in (*m.gradients, *m.tangents) for i in pair)


def _operations(m: Module, env: Environment[Any], symbols: Mapping[Function, str], form: str) -> None:
    written: dict[Any, dict[str, Any]] = {}
    in_pairs = _in_pairs(m)
    natural = len(m.inputs)
    for line, o in enumerate(m.operations, start=1 + lines_before(m)):
        if o.opcode == "Input":
            continue
        if (attributes := written.get(o.op)) is None:
            written[o.op] = attributes = mlir_attributes(o.op, symbols)
        ids = o.ids
        if ids != tuple(range(natural, natural + len(ids))) or not in_pairs.isdisjoint(ids):
            attributes = {**attributes, ID: _i64(ids[0]) if len(ids) == 1 else ir.DenseI64ArrayAttr.get(ids)}
        if beside := _beside(m, o):
            attributes = {**attributes, **beside}
        natural = ids[-1] + 1
        full_name = op_name(type(o.op))
        if form == "native" and not ir.Context.current.is_registered_operation(full_name):
            help = "register(context, 'irdl') before has operations of other packages too"
            raise MindError.of("E7015", f"the dialect in C++ has no operation {full_name}", help=help)
        made = ir.Operation.create(
            full_name,
            results=[mind_type(t) for t in o.types],
            operands=env.read(o),
            attributes=attributes,
            loc=location_of(m, o, line),
        )
        env.write(o, made.results)


def _parameters(m: Module) -> list[Any]:
    """The attributes of each parameter."""
    out: list[Any] = []
    in_pairs = _in_pairs(m)
    before = 0
    for o in m.operations:
        if o.opcode != "Input":
            before += 1
            continue
        attributes: dict[str, Any] = {NAME: ir.StringAttr.get(o.op.name)}  # type: ignore[attr-defined]
        if o.id != len(out) or o.id in in_pairs:
            attributes[ID] = _i64(o.id)
        if before:
            attributes[AFTER] = _i64(before)
        out.append(ir.DictAttr.get(attributes | _beside(m, o)))
    return out


def _beside(m: Module, o: Operation) -> dict[str, Any]:
    """The attributes with the remarks and shardings of an operation's results."""
    notes = [m.notes.get(i) for i in o.ids] if m.notes else [None] * len(o.results)
    shardings = [None if r.sharding is None else str(r.sharding) for r in o.results]
    found: dict[str, Any] = {}
    for name, texts, nothing in ((NOTE, notes, ""), (SHARDING_ATTRIBUTE, shardings, OPEN)):
        if any(text is not None for text in texts):
            each = [ir.StringAttr.get(nothing if text is None else text) for text in texts]
            found[name] = each[0] if len(each) == 1 else ir.ArrayAttr.get(each)
    return found


def _pairs(name: str, pairs: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    return {name: ir.DenseI64ArrayAttr.get([i for pair in pairs for i in pair])} if pairs else {}


def _i64(n: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), n)
