"""MLIR module of the dialect's operations -> Core IR module: to_mind.py backwards."""

from __future__ import annotations

from typing import Any

from ..ir import MindError, Module, Op, Operation, Reject, Source, TensorType, check_operand_count
from ..ir.gc import without_gc
from ..lowering.toolchain import require_mlir
from .encoding import DIALECT, IR_VERSION, IR_VERSION_ATTRIBUTE, by_op_name

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.driver import span_of  # noqa: E402
from ..lowering.rewrites._walk import children  # noqa: E402
from .attributes import attributes_of, core_op, core_type  # noqa: E402
from .to_mind import AFTER, GRADIENTS, ID, NAME, NOTE, TANGENTS  # noqa: E402


@without_gc
def from_mind(module: Any, source: Source | None = None) -> Module:
    """Read an `mlir.ir.Module` that holds one function of `mind` operations; `verify` has not seen the result.

    `source` is the text it was parsed from, for the places of errors.  Parameters without a name get one, `arg0`, …
    Raises MindError: E7016 for what is no Core IR, E2002, E2007 and E4013 for types, operands and attributes.
    """
    return _Reader(module, source).module()


class _Reader:
    def __init__(self, module: Any, source: Source | None) -> None:
        self.root, self.source = module, source
        self.ids: dict[Any, int] = {}
        self.notes: dict[int, str] = {}
        self.ops: dict[tuple[Any, ...], Op] = {}

    def module(self) -> Module:
        with self.root.context, ir.Location.unknown():
            self._version()
            inside = children(self.root)
            if len(inside) != 1 or inside[0].name != "func.func" or len(inside[0].regions[0].blocks) != 1:
                found = ", ".join(dict.fromkeys(o.name for o in inside)) or "nothing"
                raise self._no_module(
                    self.root.operation, f"the module holds {found}, not one func.func with one block"
                )
            (f,) = inside
            inputs = self._inputs(f)
            operations: list[Operation] = []
            outputs: tuple[int, ...] = ()
            by_name = by_op_name()
            natural = len(inputs)
            for o in children(f):
                if o.name == "func.return":
                    outputs = tuple(self.ids[v] for v in o.operands)
                    continue
                cls = by_name.get(o.name)
                if cls is None:
                    raise self._no_module(o, f"{o.name} is no operation of Core IR")
                operation = self._operation(o, cls, natural)
                natural = operation.id + 1
                operations.append(operation)
            for n, (after, o) in enumerate(inputs):
                operations.insert(after + n, o)
            return Module(
                tuple(operations),
                outputs,
                gradients=self._pairs(f, GRADIENTS),
                tangents=self._pairs(f, TANGENTS),
                notes=self.notes,
            )

    def _version(self) -> None:
        attributes = self.root.operation.attributes
        if IR_VERSION_ATTRIBUTE in attributes:
            found = attributes[IR_VERSION_ATTRIBUTE]
            if getattr(found, "value", None) != IR_VERSION:
                raise self._no_module(
                    self.root.operation, f"{IR_VERSION_ATTRIBUTE} is {found}, this toolchain reads {IR_VERSION}"
                )

    def _inputs(self, f: Any) -> list[tuple[int, Operation]]:
        """Each parameter's Input, with the number of operations that stand before it."""
        from ..ops.input import Input

        given = f.attributes.get("arg_attrs", [])
        out: list[tuple[int, Operation]] = []
        for n, argument in enumerate(f.regions[0].blocks[0].arguments):
            attributes = given[n] if n < len(given) else {}
            type = self._type(f, argument.type, f"parameter {n}")
            name = attributes[NAME].value if NAME in attributes else f"arg{n}"
            id = self._number(f, attributes, ID, n)
            self.ids[argument] = id
            self._note(attributes, id)
            out.append((self._number(f, attributes, AFTER, 0), Operation(id, Input(name, type), (), type)))
        return out

    def _operation(self, o: Any, cls: type[Op], natural: int) -> Operation:
        try:
            attributes = attributes_of(o)
            key = o.name, *attributes.items()
            check_operand_count(cls, len(o.operands))
            if (op := self.ops.get(key)) is None:
                self.ops[key] = op = core_op(cls, attributes)
            if len(o.results) != 1:
                raise Reject("E2007", f"{o.name} has one result, found {len(o.results)}")
            type = core_type(o.results[0].type, "the result")
            operands = tuple(self.ids[v] for v in o.operands)
        except Reject as why:
            raise self._error(o, why) from None
        id = self._number(o, attributes, ID, natural)
        self.ids[o.results[0]] = id
        self._note(attributes, id)
        return Operation(id, op, operands, type)

    def _type(self, o: Any, type: Any, what: str) -> TensorType:
        try:
            return core_type(type, what)
        except Reject as why:
            raise self._error(o, why) from None

    def _number(self, o: Any, attributes: Any, name: str, natural: int) -> int:
        if name not in attributes:
            return natural
        value = getattr(attributes[name], "value", None)
        if type(value) is not int or value < 0:
            raise self._no_module(o, f"{name} is {attributes[name]}, not a number from 0 on")
        return value

    def _note(self, attributes: Any, id: int) -> None:
        if NOTE in attributes:
            self.notes[id] = attributes[NOTE].value

    def _pairs(self, f: Any, name: str) -> tuple[tuple[int, int], ...]:
        if name not in f.attributes:
            return ()
        found = f.attributes[name]
        if not isinstance(found, ir.DenseI64ArrayAttr) or len(found) % 2:
            raise self._no_module(f, f"{name} is {found}, not pairs of ids")
        return tuple(zip(list(found)[::2], list(found)[1::2]))

    def _no_module(self, o: Any, message: str) -> MindError:
        help = f"one function whose operations are those of {DIALECT} is a Core IR module"
        return self._error(o, Reject("E7016", message, help=help))

    def _error(self, o: Any, why: Reject) -> MindError:
        span = None if self.source is None else span_of(self.source, str(o.location))
        return MindError([why.located(self.source if span else None, span)])
