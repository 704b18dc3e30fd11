"""Reads a Core IR module from an MLIR module of the dialect's operations: the inverse of to_mind.py.

Passes of MLIR may have dropped, moved or copied operations since. If ids or the positions of Inputs no longer fit, the
module is numbered anew, Inputs first; values that `gradients:` names must still exist, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir import (
    Function,
    Mesh,
    MindError,
    Module,
    Op,
    Operation,
    PartitionSpec,
    Reject,
    Result,
    Source,
    TensorType,
    check_operand_count,
    check_result_count,
)
from ..ir.gc import without_gc
from ..lowering.toolchain.installed import require_mlir
from .encoding import DIALECT, IR_VERSION, IR_VERSION_ATTRIBUTE, OPEN, SHARDING_ATTRIBUTE, by_op_name

require_mlir()

from mlir import ir  # noqa: E402

from ..lowering.mlir.pass_driver import span_of  # noqa: E402
from ..lowering.mlir.walk import children  # noqa: E402
from .attributes import attributes_of, core_op, core_type, sharding_of, stated_mesh, symbols_in, text_of  # noqa: E402
from .to_mind import AFTER, GRADIENTS, ID, NAME, NOTE, TANGENTS  # noqa: E402


@without_gc
def from_mind(module: Any, source: Source | None = None) -> Module:
    """Read an `mlir.ir.Module` that holds a function of `mind` operations; the result is not verified.

    Private functions beside it are those that its operations hold.
    `source` is the text it was parsed from, for the locations of errors. Parameters without a name get one, `arg0`, …
    Raises MindError: E7016 unless it is Core IR, E2002, E2007 and E4013 for types, operands and attributes, E8001
    and E8003 for a mesh and shardings.
    """
    return _Reader(module, source).module()


def functions_named(operations: Iterable[Any], table: Any) -> Mapping[str, Function]:
    """The functions that operations of the dialect name, and those that these do. Errors as `from_mind`.

    `table` is the operation that holds them as symbols.
    """
    reader = _Reader(table, None)
    reader.read_functions(operations)
    return reader.functions


@dataclass
class _Line:
    """An operation whose results may have no ids yet."""

    op: Op
    operands: tuple[Any, ...]
    """Its operands, as MLIR values."""
    types: tuple[TensorType, ...]
    values: tuple[Any, ...]
    """Its results, as MLIR values."""
    ids: tuple[int, ...] | None
    notes: tuple[str | None, ...]
    shardings: tuple[PartitionSpec | None, ...]
    after: int = 0
    """For an Input, the number of operations before it."""


class _Reader:
    def __init__(self, module: Any, source: Source | None) -> None:
        self.root, self.source = module, source
        self.ops: dict[tuple[Any, ...], Op] = {}
        self.functions: dict[str, Function] = {}
        """Those that have been read, by their names in MLIR."""

    def module(self) -> Module:
        with self.root.context, ir.Location.unknown():
            self._version()
            mesh = self._mesh()
            f = self._main()
            self.read_functions(children(f))
            return self._body(f, mesh)

    def _main(self) -> Any:
        """The function that is the module itself: the only one, or the only one that is not private."""
        inside = children(self.root)
        if any(o.name != "func.func" or len(o.regions[0].blocks) != 1 for o in inside) or not inside:
            found = ", ".join(dict.fromkeys(o.name for o in inside)) or "nothing"
            raise self._no_module(self.root.operation, f"the module holds {found}, not one func.func with one block")
        public = [f for f in inside if text_of(f.attributes.get("sym_visibility")) != "private"]
        if len(inside) > 1 and len(public) != 1:
            message = f"the module holds {len(public)} that are not private, not one func.func with one block"
            raise self._no_module(self.root.operation, message)
        return inside[0] if len(inside) == 1 else public[0]

    def read_functions(self, top: Iterable[Any]) -> None:
        """Read the functions that these operations name, each after those that its own operations name.

        E4018 for one that holds itself.
        """
        table = {text_of(f.attributes["sym_name"]): f for f in children(self.root) if f.name == "func.func"}
        waiting = [iter(_named(top))]
        entered: dict[str, Any] = {}
        while waiting:
            name = next(waiting[-1], None)
            if name is None:
                waiting.pop()
                if entered:
                    symbol, f = entered.popitem()
                    self.functions[symbol] = Function(self._text(f, f.attributes, NAME) or symbol, self._body(f))
            elif name in entered:
                raise self._error(entered[name], Reject("E4018", f"@{name} holds itself"))
            elif name not in self.functions and name in table:
                entered[name] = table[name]
                waiting.append(iter(_named(children(table[name]))))

    def _body(self, f: Any, mesh: Mesh | None = None) -> Module:
        """The module that a function is."""
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
                Operation(
                    x.op,
                    tuple(ids[v] for v in x.operands),
                    tuple(Result(ids[v], t, s) for v, t, s in zip(x.values, x.types, x.shardings)),
                )
                for x in order
            ),
            tuple(ids[v] for v in outputs),
            gradients=self._pairs(f, GRADIENTS, order, ids),
            tangents=self._pairs(f, TANGENTS, order, ids),
            mesh=mesh,
            notes={ids[v]: note for x in order for v, note in zip(x.values, x.notes) if note is not None},
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
            ids, after = self._ids(f, attributes, 1), self._number(f, attributes, AFTER)
            shardings = self._shardings(f, attributes, 1)
            op, notes = Input(f"arg{n}" if name is None else name, type), self._notes(f, attributes, 1)
            out.append(_Line(op, (), (type,), (argument,), ids, notes, shardings, after or 0))
        return out

    def _operation(self, o: Any, cls: type[Op]) -> _Line:
        try:
            attributes = attributes_of(o)
            key = o.name, *attributes.items()
            check_operand_count(cls, len(o.operands))
            if (op := self.ops.get(key)) is None:
                self.ops[key] = op = core_op(cls, attributes, self.functions)
            values, results = tuple(o.results), len(o.results)
            check_result_count(cls, results, results)
            types = tuple([core_type(v.type, "the result") for v in values])
        except Reject as why:
            raise self._error(o, why) from None
        beside = self._ids(o, attributes, results), self._notes(o, attributes, results)
        return _Line(op, tuple(o.operands), types, values, *beside, self._shardings(o, attributes, results))

    def _type(self, o: Any, type: Any, what: str) -> TensorType:
        try:
            return core_type(type, what)
        except Reject as why:
            raise self._error(o, why) from None

    # The attributes beside an operation, with an entry for each of its results: itself for one, a list for several

    def _shardings(self, o: Any, attributes: Any, results: int) -> tuple[PartitionSpec | None, ...]:
        try:
            return tuple(
                [
                    None if a is None or text_of(a) == OPEN else sharding_of(SHARDING_ATTRIBUTE, a)
                    for a in self._each(o, attributes, SHARDING_ATTRIBUTE, results)
                ]
            )
        except Reject as why:
            raise self._error(o, why) from None

    def _notes(self, o: Any, attributes: Any, results: int) -> tuple[str | None, ...]:
        if results == 1:
            return (self._text(o, attributes, NOTE),)
        return tuple([text_of(a) or None for a in self._each(o, attributes, NOTE, results)])

    def _ids(self, o: Any, attributes: Any, results: int) -> tuple[int, ...] | None:
        if results == 1 or ID not in attributes:
            id = self._number(o, attributes, ID)
            return None if id is None else (id,)
        found = attributes[ID]
        if not isinstance(found, ir.DenseI64ArrayAttr) or len(found) != results or any(i < 0 for i in found):
            raise self._no_module(o, f"{ID} is {found}, not {results} numbers from 0 on")
        return tuple(found)

    def _each(self, o: Any, attributes: Any, name: str, results: int) -> Sequence[Any]:
        """One attribute for each result, None for each where there is none."""
        if name not in attributes:
            return (None,) * results
        found = attributes[name]
        if results == 1:
            return (found,)
        if not isinstance(found, ir.ArrayAttr) or len(found) != results:
            raise self._no_module(o, f"{name} is {found}, not a list of {results}")
        return tuple(found)

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
            for id, value in zip(line.ids or (), line.values):
                named.setdefault(id, []).append(ids[value])
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


def _named(operations: Iterable[Any]) -> list[str]:
    """The names of the functions that these operations hold."""
    by_name = by_op_name()
    found: dict[str, None] = {}
    for o in operations:
        cls = by_name.get(o.name)
        for name in cls.function_attributes if cls is not None else ():
            if name in o.attributes:
                found.update(dict.fromkeys(symbols_in(o.attributes[name]) or ()))
    return list(found)


def _numbered(inputs: list[_Line], lines: list[_Line]) -> tuple[dict[Any, int], list[_Line]]:
    """The id of every value, and the lines in Core's order: as they were, or anew if that does not fit."""
    ids = {x.values[0]: n if x.ids is None else x.ids[0] for n, x in enumerate(inputs)}
    natural = len(inputs)
    for x in lines:
        ids.update(zip(x.values, range(natural, natural + len(x.values)) if x.ids is None else x.ids))
        natural = ids[x.values[-1]] + 1
    order = list(lines)
    after = 0
    for n, x in enumerate(inputs):
        after = max(after, x.after)  # Inputs stay in the order of the parameters
        order.insert(after + n, x)
    defined: set[Any] = set()
    for x in order:
        if not defined.issuperset(x.operands):
            break
        defined.update(x.values)
    else:
        if len(set(ids.values())) == len(ids):
            return ids, order
    order = [*inputs, *lines]
    return {v: n for n, v in enumerate([v for x in order for v in x.values])}, order
