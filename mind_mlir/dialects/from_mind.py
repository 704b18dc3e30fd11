"""MLIR module of the dialect's operations -> Core IR module: to_mind.py backwards.

Passes of MLIR may have dropped, moved or copied operations since.  Where their ids or the places of Inputs no longer
fit, the module is numbered anew, Inputs first; what `gradients:` names must still be there, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir import (
    Mesh,
    MindError,
    Module,
    Op,
    Operation,
    PartitionSpec,
    Reject,
    Source,
    TensorType,
    check_operand_count,
)
from ..ir.gc import without_gc
from ..lowering.toolchain.installed import require_mlir
from .encoding import DIALECT, IR_VERSION, IR_VERSION_ATTRIBUTE, SHARDING_ATTRIBUTE, by_op_name

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.mlir.pass_driver import span_of  # noqa: E402
from ..lowering.mlir.walk import children  # noqa: E402
from .attributes import attributes_of, core_op, core_type, sharding_of, stated_mesh, text_of  # noqa: E402
from .to_mind import AFTER, GRADIENTS, ID, NAME, NOTE, TANGENTS  # noqa: E402


@without_gc
def from_mind(module: Any, source: Source | None = None) -> Module:
    """Read an `mlir.ir.Module` that holds one function of `mind` operations; `verify` has not seen the result.

    `source` is the text it was parsed from, for the places of errors.  Parameters without a name get one, `arg0`, …
    Raises MindError: E7016 for what is no Core IR, E2002, E2007 and E4013 for types, operands and attributes, E8001
    and E8003 for a mesh and shardings.
    """
    return _Reader(module, source).module()


@dataclass
class _Line:
    """An operation before it is known which id its result has."""

    op: Op
    operands: tuple[Any, ...]
    """MLIR values."""
    type: TensorType
    value: Any
    id: int | None
    note: str | None
    sharding: PartitionSpec | None
    after: int = 0
    """Of an Input: how many operations stand before it."""


class _Reader:
    def __init__(self, module: Any, source: Source | None) -> None:
        self.root, self.source = module, source
        self.ops: dict[tuple[Any, ...], Op] = {}

    def module(self) -> Module:
        with self.root.context, ir.Location.unknown():
            self._version()
            mesh = self._mesh()
            inside = children(self.root)
            if len(inside) != 1 or inside[0].name != "func.func" or len(inside[0].regions[0].blocks) != 1:
                found = ", ".join(dict.fromkeys(o.name for o in inside)) or "nothing"
                raise self._no_module(
                    self.root.operation, f"the module holds {found}, not one func.func with one block"
                )
            (f,) = inside
            inputs = self._inputs(f)
            lines: list[_Line] = []
            outputs: list[Any] = []
            by_name = by_op_name()
            for o in children(f):
                if o.name == "func.return":
                    outputs = list(o.operands)
                    continue
                cls = by_name.get(o.name)
                if cls is None:
                    raise self._no_module(o, f"{o.name} is no operation of Core IR")
                lines.append(self._operation(o, cls))
            ids, order = _numbered(inputs, lines)
            return Module(
                tuple(
                    Operation(ids[x.value], x.op, tuple(ids[v] for v in x.operands), x.type, sharding=x.sharding)
                    for x in order
                ),
                tuple(ids[v] for v in outputs),
                gradients=self._pairs(f, GRADIENTS, order, ids),
                tangents=self._pairs(f, TANGENTS, order, ids),
                mesh=mesh,
                notes={ids[x.value]: x.note for x in order if x.note is not None},
            )

    def _version(self) -> None:
        attributes = self.root.operation.attributes
        if IR_VERSION_ATTRIBUTE in attributes:
            found = attributes[IR_VERSION_ATTRIBUTE]
            if getattr(found, "value", None) != IR_VERSION:
                raise self._no_module(
                    self.root.operation, f"{IR_VERSION_ATTRIBUTE} is {found}, this toolchain reads {IR_VERSION}"
                )

    def _mesh(self) -> Mesh | None:
        try:
            return stated_mesh(self.root.operation)
        except Reject as why:
            raise self._error(self.root.operation, why) from None

    def _inputs(self, f: Any) -> list[_Line]:
        from ..ops.input import Input

        given = f.attributes.get("arg_attrs", [])
        out: list[_Line] = []
        for n, argument in enumerate(f.regions[0].blocks[0].arguments):
            attributes = given[n] if n < len(given) else {}
            type = self._type(f, argument.type, f"parameter {n}")
            name = self._text(f, attributes, NAME)
            id, after = self._number(f, attributes, ID), self._number(f, attributes, AFTER)
            sharding = self._sharding(f, attributes)
            op, note = Input(f"arg{n}" if name is None else name, type), self._text(f, attributes, NOTE)
            out.append(_Line(op, (), type, argument, id, note, sharding, after or 0))
        return out

    def _operation(self, o: Any, cls: type[Op]) -> _Line:
        try:
            attributes = attributes_of(o)
            key = o.name, *attributes.items()
            check_operand_count(cls, len(o.operands))
            if (op := self.ops.get(key)) is None:
                self.ops[key] = op = core_op(cls, attributes)
            if len(o.results) != 1:
                raise Reject("E2007", f"{o.name} has one result, found {len(o.results)}")
            type = core_type(o.results[0].type, "the result")
        except Reject as why:
            raise self._error(o, why) from None
        id, note = self._number(o, attributes, ID), self._text(o, attributes, NOTE)
        return _Line(op, tuple(o.operands), type, o.results[0], id, note, self._sharding(o, attributes))

    def _type(self, o: Any, type: Any, what: str) -> TensorType:
        try:
            return core_type(type, what)
        except Reject as why:
            raise self._error(o, why) from None

    def _sharding(self, o: Any, attributes: Any) -> PartitionSpec | None:
        try:
            return (
                sharding_of(SHARDING_ATTRIBUTE, attributes[SHARDING_ATTRIBUTE])
                if SHARDING_ATTRIBUTE in attributes
                else None
            )
        except Reject as why:
            raise self._error(o, why) from None

    def _number(self, o: Any, attributes: Any, name: str) -> int | None:
        if name not in attributes:
            return None
        value = getattr(attributes[name], "value", None)
        if type(value) is not int or value < 0:
            raise self._no_module(o, f"{name} is {attributes[name]}, not a number from 0 on")
        return value

    def _text(self, o: Any, attributes: Any, name: str) -> str | None:
        if name not in attributes:
            return None
        if (text := text_of(attributes[name])) is None:
            raise self._no_module(o, f"{name} is {attributes[name]}, not text")
        return text

    def _pairs(self, f: Any, name: str, lines: list[_Line], ids: dict[Any, int]) -> tuple[tuple[int, int], ...]:
        if name not in f.attributes:
            return ()
        found = f.attributes[name]
        if not isinstance(found, ir.DenseI64ArrayAttr) or len(found) % 2:
            raise self._no_module(f, f"{name} is {found}, not pairs of ids")
        named: dict[int, list[int]] = {}
        for line in lines:
            if line.id is not None:
                named.setdefault(line.id, []).append(ids[line.value])
        for id in found:
            if (count := len(named.get(id, ()))) != 1:
                raise self._no_module(f, f"{name} names {id}, which is the {ID} of {count or 'no'} values")
        values = [named[id][0] for id in found]
        return tuple(zip(values[::2], values[1::2]))

    def _no_module(self, o: Any, message: str) -> MindError:
        help = f"one function whose operations are those of {DIALECT} is a Core IR module"
        return self._error(o, Reject("E7016", message, help=help))

    def _error(self, o: Any, why: Reject) -> MindError:
        span = None if self.source is None else span_of(self.source, str(o.location))
        return MindError([why.located(self.source if span else None, span)])


def _numbered(inputs: list[_Line], lines: list[_Line]) -> tuple[dict[Any, int], list[_Line]]:
    """The id of every value, and the lines in Core's order: as they were, or anew where that no longer fits."""
    ids = {x.value: n if x.id is None else x.id for n, x in enumerate(inputs)}
    natural = len(inputs)
    for x in lines:
        ids[x.value] = natural if x.id is None else x.id
        natural = ids[x.value] + 1
    order = list(lines)
    after = 0
    for n, x in enumerate(inputs):
        after = max(after, x.after)  # Inputs stay in the order of the parameters
        order.insert(after + n, x)
    defined: set[Any] = set()
    for x in order:
        if not defined.issuperset(x.operands):
            break
        defined.add(x.value)
    else:
        if len(set(ids.values())) == len(ids):
            return ids, order
    order = [*inputs, *lines]
    return {x.value: n for n, x in enumerate(order)}, order
