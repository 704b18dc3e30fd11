"""Reads one statement: a definition, an alias, or a line of the module's interface."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Protocol

from .attributes import SHARDING, SHARDINGS
from .diagnostics import MindError, Reject, Source, Span, count, short
from .lexer import Token
from .mesh import Mesh, PartitionSpec
from .op import OPS, Op, check_result_count
from .operation import Result, ValueId
from .plugins import find_op
from .syntax import SyntaxParser
from .types import TensorType
from .written import Range

MAX_OPERANDS = 1 << 16
"""The most operands of one operation."""

MAX_RESULTS = 1 << 12
"""The most results of one operation."""

_STRAY_VALUE = re.compile(r"[ \t]*%[0-9]+(?![0-9]|[ \t]*=)")
_WRAPPERS = {"BinOp", "UnOp", "UnaryOp"}
"""Opcodes of the grammar form whose first argument is the operation's name."""


@dataclass
class Statement:
    """One parsed statement, with the span of each of its parts."""

    ids: tuple[ValueId, ...]
    op: Op
    operands: tuple[ValueId, ...]
    types: tuple[TensorType, ...]
    """As declared; empty if they are left out."""
    span: Span
    places: dict[str, Span] = field(default_factory=dict)
    shardings: tuple[PartitionSpec | None, ...] = ()
    """One for each result, or none."""

    def results(self, types: tuple[TensorType, ...]) -> tuple[Result, ...]:
        """The values that it defines, if these are the types."""
        shardings = self.shardings or (None,) * len(types)
        return tuple([Result(i, t, s) for i, t, s in zip(self.ids, types, shardings)])


class Scope(Protocol):
    """What a statement needs from the module around it."""

    def resolve(self, id: ValueId) -> ValueId:
        """The value that an id names."""

    def define_alias(self, id: ValueId, target: ValueId, span: Span) -> None:
        """Make an id another name for a value."""

    def define_interface(self, what: str, found: Any, span: Span) -> None:
        """Set the outputs, the gradients, the tangents or the mesh."""

    def function(self, name: str, span: Span) -> Any:
        """The function of that name, which is defined above."""


class StatementParser(SyntaxParser):
    """Recursive descent over one statement. Used by itself, it finds the spans of a statement's parts."""

    def __init__(self, source: Source, at: int, module: Scope | None = None) -> None:
        super().__init__(source, at)
        self.module = module

    def value_id(self) -> tuple[ValueId, Span]:
        token = self.take()
        if token.kind != "value":
            raise self.error("E1001", f"found {token}, expected a value such as %0", token)
        id = int(token.text[1:])
        return (self.module.resolve(id) if self.module else id), token.span

    def function_named(self, token: Token) -> Any:
        """The function that `@step` names. E4018 if none above does."""
        return self.module.function(token.text[1:], token.span) if self.module else super().function_named(token)

    # Statements

    def function_head(self) -> tuple[str, Span]:
        """Read `func @step {`: the name, and the span of the text before the brace."""
        start = self.take()
        name = self.take()
        if name.kind != "symbol":
            help = "a function begins with func @name {"
            raise self.error("E1001", f"found {name}, expected the name of a function such as @step", name, help=help)
        span = Span(start.start, name.end)
        self.expect("{")
        return name.text[1:], span

    def interface_line(self, what: str) -> None:
        """Read `outputs: %3, %4`, `gradients: %1 -> %14, %2 -> %12` or `tangents: %0 -> %2`."""
        start = self.take()
        colon = self.expect(":")
        entries: list[Any] = []
        end = start.end
        while self.peek().kind == "value" or entries or self._goes_on(colon):
            id, span = self.value_id()
            if what != "outputs":
                self.expect("->")
                other, target = self.value_id()
                span = Span(span.start, target.end)
                entries.append((id, other))
                self.places[f"{what[:-1]} {len(entries) - 1}"] = span
            else:
                entries.append(id)
                self.places[f"output {len(entries) - 1}"] = span
            end = span.end
            if not self.accept(","):
                break
        if self.module:
            self.module.define_interface(what, tuple(entries), Span(start.start, end))

    def mesh_line(self) -> None:
        """Read `mesh: dp = 2, tp = 4`, which may have no axes."""
        start = self.take()
        colon = self.expect(":")
        end = colon.end
        names: list[str] = []
        sizes: list[int] = []
        while names or (self.peek().kind == "word" and self._goes_on(colon)):
            name = self.take()
            if name.kind != "word":
                raise self.error("E1001", f"found {name}, expected the name of a mesh axis", name)
            self.expect("=")
            size = self.take()
            if size.kind != "number" or not size.text.isdecimal() or len(size.text) > 18:
                raise self.error("E1001", f"found {size}, expected the size of mesh axis {short(name.text)}", size)
            self.places[f"axis {len(names)}"] = Span(name.start, size.end)
            names.append(name.text)
            sizes.append(int(size.text))
            end = size.end
            if not self.accept(","):
                break
        span = Span(start.start, end)
        try:
            mesh = Mesh(names, sizes)
        except MindError as why:
            raise self.error(why.code, why.message, span, help=why.diagnostics[0].help) from None
        if self.module:
            self.module.define_interface("mesh", mesh, span)

    def _goes_on(self, before: Token) -> bool:
        """True if the next token is on the same line."""
        token = self.peek()
        return token.kind != "end" and "\n" not in self.source.text[before.end : token.start]

    def definition(self) -> Statement | None:
        """Read `%id, … = …`; None for an alias."""
        start = self.take()
        ids = [start]
        while self.accept(","):
            ids.append(self.take())
            if ids[-1].kind != "value":
                raise self.error("E1001", f"found {ids[-1]}, expected a value such as %0", ids[-1])
            if len(ids) > MAX_RESULTS:
                raise self.error("E2008", f"an operation has at most {MAX_RESULTS} results", ids[-1])
        self.expect("=")
        if self.peek().kind == "value" and len(ids) == 1:
            target, span = self.value_id()
            if self.module:
                self.module.define_alias(int(start.text[1:]), target, Span(start.start, span.end))
            if self.accept(":"):
                self.type()
            return None
        return self._operation(ids)

    def _operation(self, ids: list[Token]) -> Statement:
        """Read what follows `%id, … =`: opcode, operands, attributes and types, in any of the forms."""
        for n, id in enumerate(ids):
            self.places[f"value {n}"] = id.span
        self.places["value"] = ids[0].span
        opcode = self.take()
        if opcode.kind != "word":
            raise self.error("E1001", f"found {opcode}, expected an operation", opcode)
        wrapped = opcode.text in _WRAPPERS
        if wrapped:  # BinOp(Mul, %0, %1)
            self.expect("(")
            opcode = self.take()
            if not (self.accept(",") or self.peek().text == ")"):
                raise self.error("E1001", f"found {self.peek()}, expected `,`", self.peek())
        self.places["opcode"] = opcode.span
        cls = self._find_op(opcode)
        operands: list[ValueId] = []
        positional: list[tuple[Any, Span]] = []
        written: dict[str, Any] = {}
        if wrapped or self.accept("("):
            self._arguments(operands, positional, written)
        if self.accept("{"):
            self._attributes(written)
        types = self._types() if self.accept(":") else ()
        self._end_of_statement(opcode, bool(operands or positional or written))
        span = Span(ids[0].start, self.last_end)
        try:
            if types:
                check_result_count(cls, len(ids), len(types))
            shardings = _shardings(cls, written, len(ids))
            self._place_positional(cls, positional, written)
            self._check_names(cls, written)
            op = cls.from_syntax(written, types[0] if len(types) == 1 else None)
        except Reject as why:
            where = self.places.get(why.at) or self.places["opcode"]
            raise MindError([why.located(self.source, where)]) from None
        names = tuple([int(id.text[1:]) for id in ids])
        return Statement(names, op, tuple(operands), types, span, self.places, shardings)

    def _types(self) -> tuple[TensorType, ...]:
        """The types of the results, in order."""
        types = [self.type()]
        first = self.places["type"]
        while self.accept(","):
            self.places[f"type {len(types) - 1}"] = self.places["type"]
            types.append(self.type())
        self.places[f"type {len(types) - 1}"] = self.places["type"]
        self.places["type"] = first if len(types) == 1 else Span(first.start, self.places["type"].end)
        return tuple(types)

    def _end_of_statement(self, opcode: Token, has_arguments: bool) -> None:
        """E1001 if a value follows on the same line: `Relu %0` lacks its parentheses."""
        if _STRAY_VALUE.match(self.source.text, self.last_end):
            token = self.peek()
            help = "" if has_arguments else f"operands are in parentheses: {opcode.text} ({token.text}, …)"
            raise self.error("E1001", f"found {token}, expected the end of the line", token, help=help)

    def _find_op(self, opcode: Token) -> type[Op]:
        if (cls := find_op(opcode.text)) is not None:
            return cls
        import difflib

        near = difflib.get_close_matches(opcode.text, OPS, n=1, cutoff=0.6) or [
            n for n in OPS if n.lower() == opcode.text.lower()
        ]
        own = "docs/ops.md lists the operations; a package adds its own by the entry point mind_mlir.ops"
        hint = f"did you mean {near[0]}?" if near else own
        raise self.error("E4012", f"unknown operation {short(opcode.text)}", opcode, help=hint)

    def _arguments(self, operands: list[ValueId], positional: list[tuple[Any, Span]], written: dict[str, Any]) -> None:
        """Read what is in parentheses: values, then attributes by position or by name."""
        if self.accept(")"):
            return
        while True:
            token = self.peek()
            if token.kind == "value":
                if positional or written:
                    raise self.error("E1001", f"found {token} after an attribute, operands come first", token)
                if len(operands) == MAX_OPERANDS:
                    raise self.error("E2007", f"an operation has at most {MAX_OPERANDS} operands", token)
                id, span = self.value_id()
                self.places[f"operand {len(operands)}"] = span
                operands.append(id)
            elif token.kind == "word":
                self.take()
                if self.accept("=") or self.accept(":"):
                    self._named(token, written)
                else:
                    positional.append((self._after_word(token, 0), Span(token.start, self.last_end)))
            else:
                positional.append((self.syntax(), Span(token.start, self.last_end)))
            if self.accept(")"):
                return
            token = self.take()
            if token.text != ",":
                raise self.error("E1001", f"found {token}, expected `,` or `)`", token)

    def _attributes(self, written: dict[str, Any]) -> None:
        """Read `{name = value, …}`, with `=` or `:`."""
        if self.accept("}"):
            return
        while True:
            name = self.take()
            if name.kind not in ("word", "string"):
                raise self.error("E1001", f"found {name}, expected the name of an attribute", name)
            if not (self.accept("=") or self.accept(":")):
                raise self.error("E1001", f"found {self.peek()}, expected `=`", self.peek())
            self._named(name, written)
            if self.accept("}"):
                return
            token = self.take()
            if token.text != ",":
                raise self.error("E1001", f"found {token}, expected `,` or `}}`", token)

    def _named(self, name: Token, written: dict[str, Any]) -> None:
        if name.text in written:
            raise self.error("E4013", f"attribute {name.text} is given twice", name)
        start = self.peek().start
        written[name.text] = self.syntax()
        self.places[name.text] = Span(start, self.last_end)
        self.places[f"name of {name.text}"] = name.span

    def _place_positional(self, cls: type[Op], positional: list[tuple[Any, Span]], written: dict[str, Any]) -> None:
        """Give attributes without names theirs, in the order of the op's fields. E4013."""
        names = cls.attribute_names
        if len(positional) == 1 and _is_ranges(positional[0][0]):  # Slice(%0, [0:2:1, 1:3])
            ranges, span = positional[0]
            parts = [list(r.parts) + ["1"] * (3 - len(r.parts)) for r in ranges]
            positional = [([p[i] for p in parts], span) for i in range(3)]
        for i, (syntax, span) in enumerate(positional):
            if i >= len(names):
                self.places["surplus"] = span
                message = f"{cls.opcode} has {count(len(names), 'attribute')}, none at position {i}"
                help = cls.attributes_help() if names else "operands are values such as %0; constants are operations"
                raise Reject("E4013", message, help=help, at="surplus")
            if names[i] in written:
                self.places["surplus"] = span
                raise Reject("E4013", f"attribute {names[i]} is given twice", at="surplus")
            written[names[i]] = syntax
            self.places[names[i]] = span

    def _check_names(self, cls: type[Op], written: dict[str, Any]) -> None:
        """E4013 for an attribute that the operation does not have."""
        for name in written:
            if name not in cls.attribute_names:
                message = f"{cls.opcode} has no attribute {short(name)}"
                raise Reject("E4013", message, help=cls.attributes_help(), at=f"name of {name}")


def _shardings(cls: type[Op], written: dict[str, Any], results: int) -> tuple[PartitionSpec | None, ...]:
    """What is written of shardings, taken out of `written`. E4013, E8003."""
    if "shardings" in written and results > 1:
        return SHARDINGS.read("shardings", written.pop("shardings"), results)
    if "sharding" not in written:
        return ()
    if results > 1:
        message = f"{cls.opcode} has {results} results here, and one sharding"
        raise Reject("E4013", message, help="write shardings = [[dp, _], open], one for each result", at="sharding")
    return (SHARDING.read("sharding", written.pop("sharding")),)


def _is_ranges(syntax: object) -> bool:
    return isinstance(syntax, list) and bool(syntax) and all(isinstance(x, Range) for x in syntax)
