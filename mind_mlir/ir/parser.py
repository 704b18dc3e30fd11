"""Text -> Module, keeping ids, declared types and spans as written; judging them is verify's work.

One recursive-descent parser reads every form: the canonical one and the foreign ones (grammar form with positional
attributes, `BinOp(Mul, …)`, other spellings of types, aliases).  In front of it stands a memo: a statement written
exactly as the printer writes is taken apart by one regular expression, and what follows the operands (opcode,
attributes and type) is parsed once for each distinct text.
"""

from __future__ import annotations

import binascii
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any

from .attributes import Call, Encoded, Quoted, Range, Word, read_dtype
from .diagnostics import Diagnostic, MindError, Reject, Source, Span
from .gc import without_gc
from .lexer import Lexer, Token
from .module import Module, Operation, ValueId
from .op import OPS, Op, check_operand_count
from .types import MAX_EXTENT, Shape, TensorType

MAX_ERRORS = 20
"""Errors reported at once."""

MAX_DEPTH = 64
"""Deepest nesting of brackets in an attribute."""

MAX_OPERANDS = 256
"""Most operands of one operation."""

_CANONICAL = re.compile(
    r"%([0-9]{1,18}) = (?P<head>[A-Z]\w*)(?: \((%[0-9]{1,18}(?:, %[0-9]{1,18})*)\))?"
    r"(?P<tail>(?: \{[^{}\n#/]{0,400}\})? : tensor<\w+\[[0-9, ]*\]>)\n"
)
_EXTENTS = r"\[([^\[\]<>]{0,4000})\]"
_DTYPE = r"([A-Za-z]\w*)"
_TYPES = [  # Core IR's own, then tensor<f32>[2, 3] and Tensor<f32, [2, 3]>, then MLIR's tensor<2x3xf32>
    re.compile(rf"[tT]ensor\s*<\s*{_DTYPE}\s*{_EXTENTS}\s*>"),
    re.compile(rf"[tT]ensor\s*<\s*{_DTYPE}\s*>\s*{_EXTENTS}"),
    re.compile(rf"[tT]ensor\s*<\s*{_DTYPE}\s*,\s*{_EXTENTS}\s*>"),
    re.compile(rf"[tT]ensor\s*<\s*((?:[-+]?[0-9]+\s*x\s*)*){_DTYPE}\s*>"),
]
_STATEMENT = re.compile(r"^[ \t]*(?=%|outputs\b|gradients\b)", re.MULTILINE)
_STRAY_VALUE = re.compile(r"[ \t]*%[0-9]+(?![0-9]|[ \t]*=)")
_JSON = json.JSONDecoder(parse_float=str, parse_int=str)

_ALIASES = {"BinOp", "UnOp", "UnaryOp"}
"""Opcodes of the grammar form whose first argument is the operation's name."""


def parse(text: str | bytes | os.PathLike[str], name: str | None = None) -> Module:
    """Read a module from text, UTF-8 bytes or a file.

    `name` is what messages call the text; for a file it is the path.  Raises MindError with every syntax error found
    (E1xxx, E2002, E2003, E2007, E4005, E4012, E4013 …), or E7004 if the file cannot be read.  `verify` checks types.
    """
    if isinstance(text, os.PathLike):
        return parse_source(read_source(os.fspath(text)))
    if isinstance(text, bytes):
        return parse_source(Source.from_bytes(name or "<bytes>", text))
    return parse_source(Source(name or "<text>", text))


def read_source(path: str) -> Source:
    """The text of a file; `-` is standard input.  E7004, E1001."""
    import sys

    try:
        if path == "-":
            return Source.from_bytes("<stdin>", sys.stdin.buffer.read())
        with open(path, "rb") as f:
            return Source.from_bytes(path, f.read())
    except (OSError, ValueError) as why:  # ValueError: a path with a NUL
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7004", f"cannot read {path}: {reason}") from None


@without_gc
def parse_source(source: Source) -> Module:
    """Read a module; see `parse`."""
    return _ModuleParser(source).parse()


@dataclass
class Statement:
    """One parsed statement, with the place of each of its parts."""

    id: ValueId
    op: Op
    operands: tuple[ValueId, ...]
    type: TensorType | None
    span: Span
    places: dict[str, Span] = field(default_factory=dict)


class _ModuleParser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.operations: list[Operation] = []
        self.types: dict[ValueId, TensorType] = {}
        self.aliases: dict[ValueId, ValueId] = {}
        self.errors: list[Diagnostic] = []
        self.interface: dict[str, tuple[Any, Span]] = {}

    def parse(self) -> Module:
        text, memo, types = self.source.text, {}, self.types  # type: ignore[var-annotated]
        match, append = _CANONICAL.match, self.operations.append
        at = 0
        while True:
            if (m := match(text, at)) and not self.aliases:
                id_text, head, operand_text, tail = m.groups()
                key = head, operand_text is None, tail
                known = memo.get(key)
                if known is None:
                    try:
                        s = StatementParser(self.source, at, self).operation()
                    except MindError as e:
                        if (at := self._recover(e, at)) < 0:
                            break
                        continue
                    assert s.type is not None, "the canonical form has a type"
                    memo[key] = known = s.op, s.type
                op, type = known
                id = int(id_text)
                operands = tuple(map(int, operand_text[1:].split(", %"))) if operand_text else ()
                types[id] = type
                append(Operation(id, op, operands, type, Span(at, m.end() - 1)))
                at = m.end()
                continue
            try:
                at = self._statement(at)
            except MindError as e:
                at = self._recover(e, at)
            if at < 0:
                break
        if self.errors:
            raise MindError(self.errors)
        outputs, outputs_span = self.interface.get("outputs", ((), None))
        gradients, gradients_span = self.interface.get("gradients", ((), None))
        return Module(tuple(self.operations), outputs, gradients, self.source, outputs_span, gradients_span)

    def _recover(self, error: MindError, start: int) -> int:
        """Keep the error and go on with the next line that begins a statement; -1 at the end or after too many."""
        self.errors += error.diagnostics
        if len(self.errors) >= MAX_ERRORS:
            return -1
        span = error.span
        line_end = self.source.text.find("\n", max(start, span.start if span else start))
        m = _STATEMENT.search(self.source.text, line_end) if line_end >= 0 else None
        return m.end() if m else -1

    def _statement(self, at: int) -> int:
        p = StatementParser(self.source, at, self)
        token = p.peek()
        if token.kind == "end":
            return -1
        if token.kind == "value":
            s = p.definition()
            if isinstance(s, Statement):
                type = s.type if s.type is not None else self._infer(s)
                self.types[s.id] = type
                self.operations.append(Operation(s.id, s.op, s.operands, type, s.span))
            return p.position()
        if token.kind == "word" and token.text in ("outputs", "gradients"):
            p.interface_line(token.text)
            return p.position()
        raise p.error(
            "E1001", f"found {token}, expected a statement", token, help="a statement starts with %id or outputs:"
        )

    def _infer(self, s: Statement) -> TensorType:
        """The type that the statement leaves out.  E2003 if its operands do not determine it."""
        where = s.places["opcode"]
        unknown = [i for i in s.operands if i not in self.types]
        if unknown:
            note = f"%{unknown[0]} is not defined above"
            raise self._error("E2003", f"the type of %{s.id} cannot be inferred", where, note=note)
        try:
            check_operand_count(s.op, len(s.operands))
            return s.op.infer_type(*(self.types[i] for i in s.operands))
        except Reject as why:
            note = f"error[{why.code}]: {why.message}"
            raise self._error("E2003", f"the type of %{s.id} cannot be inferred", where, note=note) from None

    def _error(self, code: str, message: str, span: Span, **more: str) -> MindError:
        return MindError.of(code, message, self.source, span, **more)

    # What statements ask of the module so far.

    def resolve(self, id: ValueId) -> ValueId:
        return self.aliases.get(id, id)

    def define_alias(self, id: ValueId, target: ValueId, span: Span) -> None:
        """`%8 = %7`: from here on, %8 is another name for %7."""
        target = self.resolve(target)
        if target not in self.types:
            raise self._error("E4001", f"%{target} is used before it is defined", span)
        if id in self.types or id in self.aliases:
            raise self._error("E4002", f"%{id} is defined twice", span)
        self.aliases[id] = target

    def define_interface(self, what: str, ids: tuple[Any, ...], span: Span) -> None:
        if what in self.interface:
            raise self._error("E4015", f"a second `{what}:` line", span, help="join the lines into one")
        self.interface[what] = ids, span


class StatementParser:
    """Recursive descent over one statement.  Used on its own, it finds the places of a statement's parts."""

    def __init__(self, source: Source, at: int, module: _ModuleParser | None = None) -> None:
        self.source, self.module = source, module
        self.lexer = Lexer(source, at)
        self.ahead: Token | None = None
        self.last_end = at
        self.places: dict[str, Span] = {}

    # Tokens

    def peek(self) -> Token:
        if self.ahead is None:
            self.ahead = self.lexer.next()
        return self.ahead

    def take(self) -> Token:
        token, self.ahead = self.peek(), None
        self.last_end = token.end
        return token

    def _jump(self, end: int) -> None:
        self.ahead = None
        self.lexer.at = self.last_end = end

    def position(self) -> int:
        """Where the next token starts."""
        return self.ahead.start if self.ahead is not None else self.lexer.at

    def error(self, code: str, message: str, where: Token | Span, **more: str) -> MindError:
        span = where.span if isinstance(where, Token) else where
        return MindError.of(code, message, self.source, span, **more)

    def expect(self, text: str) -> Token:
        token = self.take()
        if token.text != text or token.kind not in ("punctuation", "word"):
            raise self.error("E1001", f"found {token}, expected `{text}`", token)
        return token

    def accept(self, text: str) -> bool:
        token = self.peek()
        if token.text == text and token.kind == "punctuation":
            self.ahead, self.last_end = None, token.end
            return True
        return False

    def value_id(self) -> tuple[ValueId, Span]:
        token = self.take()
        if token.kind != "value":
            raise self.error("E1001", f"found {token}, expected a value such as %0", token)
        id = int(token.text[1:])
        return (self.module.resolve(id) if self.module else id), token.span

    # Statements

    def interface_line(self, what: str) -> None:
        """`outputs: %3, %4` or `gradients: %1 -> %14, %2 -> %12`."""
        start = self.take()
        self.expect(":")
        entries: list[Any] = []
        end = start.end
        while self.peek().kind == "value" or entries:
            id, span = self.value_id()
            if what == "gradients":
                self.expect("->")
                other, target = self.value_id()
                span = Span(span.start, target.end)
                entries.append((id, other))
                self.places[f"gradient {len(entries) - 1}"] = span
            else:
                entries.append(id)
                self.places[f"output {len(entries) - 1}"] = span
            end = span.end
            if not self.accept(","):
                break
        if self.module:
            self.module.define_interface(what, tuple(entries), Span(start.start, end))

    def definition(self) -> Statement | None:
        """`%id = …`; None for an alias."""
        start = self.take()
        self.expect("=")
        if self.peek().kind == "value":
            target, span = self.value_id()
            if self.module:
                self.module.define_alias(int(start.text[1:]), target, Span(start.start, span.end))
            if self.accept(":"):
                self.type()
            return None
        return self._operation(start)

    def operation(self) -> Statement:
        """A definition that is no alias."""
        start = self.take()
        self.expect("=")
        return self._operation(start)

    def _operation(self, start: Token) -> Statement:
        self.places["value"] = start.span
        opcode = self.take()
        if opcode.kind != "word":
            raise self.error("E1001", f"found {opcode}, expected an operation", opcode)
        wrapped = opcode.text in _ALIASES
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
        declared = None
        if self.accept(":"):
            declared = self.type()
        self._end_of_statement(opcode, bool(operands or positional or written))
        span = Span(start.start, self.last_end)
        try:
            self._place_positional(cls, positional, written)
            op = cls.from_syntax(self._known(cls, written), declared)
        except Reject as why:
            raise MindError([why.located(self.source, self._place(why.at))]) from None
        return Statement(int(start.text[1:]), op, tuple(operands), declared, span, self.places)

    def _end_of_statement(self, opcode: Token, has_arguments: bool) -> None:
        """E1001 if a value follows on the same line: `Relu %0` lacks its parentheses."""
        if _STRAY_VALUE.match(self.source.text, self.last_end):
            token = self.peek()
            help = "" if has_arguments else f"operands stand in parentheses: {opcode.text} ({token.text}, …)"
            raise self.error("E1001", f"found {token}, expected the end of the line", token, help=help)

    def _find_op(self, opcode: Token) -> type[Op]:
        if (cls := OPS.get(opcode.text)) is not None:
            return cls
        import difflib

        near = difflib.get_close_matches(opcode.text, OPS, n=1, cutoff=0.6) or [
            n for n in OPS if n.lower() == opcode.text.lower()
        ]
        hint = f"did you mean {near[0]}?" if near else "docs/ops.md lists the operations"
        raise self.error("E4012", f"unknown operation {opcode.text[:60]}", opcode, help=hint)

    def _arguments(self, operands: list[ValueId], positional: list[tuple[Any, Span]], written: dict[str, Any]) -> None:
        """What stands in parentheses: values, then attributes by position or by name."""
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
            else:
                if token.kind == "word":
                    word = self.take()
                    if self.accept("=") or self.accept(":"):
                        self._named(word, written)
                    else:
                        positional.append((self._after_word(word, 0), Span(word.start, self.last_end)))
                else:
                    positional.append((self.syntax(), Span(token.start, self.last_end)))
            if self.accept(")"):
                return
            token = self.take()
            if token.text != ",":
                raise self.error("E1001", f"found {token}, expected `,` or `)`", token)

    def _attributes(self, written: dict[str, Any]) -> None:
        """`{name = value, …}`; `:` may stand for `=`."""
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
        names = [n for n, k in cls.kinds.items() if not k.implied]
        if len(positional) == 1 and _is_ranges(positional[0][0]):  # Slice(%0, [0:2:1, 1:3])
            ranges, span = positional[0]
            parts = [list(r.parts) + ["1"] * (3 - len(r.parts)) for r in ranges]
            positional = [([p[i] for p in parts], span) for i in range(3)]
        for i, (syntax, span) in enumerate(positional):
            if i >= len(names):
                where = f"{cls.opcode} has {len(names)} attribute{'s' * (len(names) != 1)}" + (
                    f": {', '.join(names)}" if names else ""
                )
                self.places["surplus"] = span
                raise Reject("E4013", f"{cls.opcode} has no attribute at position {i}", note=where, at="surplus")
            if names[i] in written:
                self.places["surplus"] = span
                raise Reject("E4013", f"attribute {names[i]} is given twice", at="surplus")
            written[names[i]] = syntax
            self.places[names[i]] = span

    def _known(self, cls: type[Op], written: dict[str, Any]) -> dict[str, Any]:
        names = [n for n, k in cls.kinds.items() if not k.implied]
        for name in written:
            if name not in names:
                has = f"{cls.opcode} has: {', '.join(names)}" if names else f"{cls.opcode} has no attributes"
                raise Reject("E4013", f"{cls.opcode} has no attribute {name[:60]}", help=has, at=f"name of {name}")
        return written

    def _place(self, part: str) -> Span:
        return self.places.get(part) or self.places["opcode"]

    # Attribute values

    def syntax(self, depth: int = 0) -> Any:
        """One attribute value, as attributes.py describes it."""
        token = self.peek()
        if token.text == "[" and token.kind == "punctuation":
            if (numbers := self._numbers(token.start, depth)) is not None:
                return numbers
            return self._list(depth)
        token = self.take()
        match token.kind:
            case "string":
                return Quoted(token.text)
            case "word":
                return self._after_word(token, depth)
            case "number":
                if self.peek().text == ":" and depth:
                    return self._range(token)
                return token.text
        raise self.error("E1001", f"found {token}, expected a value", token)

    def _numbers(self, start: int, depth: int) -> list[Any] | None:
        """A list of plain decimals, however long, by the JSON reader; None if it holds anything else."""
        try:
            found, end = _JSON.raw_decode(self.source.text, start)
        except (ValueError, RecursionError):
            return None
        text = self.source.text
        if any(text.find(c, start, end) >= 0 for c in '"{tfnNI') or depth + _json_depth(found) > MAX_DEPTH:
            return None
        self._jump(end)
        return found  # type: ignore[no-any-return]

    def _list(self, depth: int) -> list[Any]:
        start = self.expect("[")
        if depth >= MAX_DEPTH:
            raise self.error("E1001", f"brackets are nested deeper than {MAX_DEPTH}", start)
        items: list[Any] = []
        if self.accept("]"):
            return items
        while True:
            items.append(self.syntax(depth + 1))
            if self.accept("]"):
                return items
            token = self.take()
            if token.text != ",":
                raise self.error("E1001", f"found {token}, expected `,` or `]`", token)

    def _range(self, first: Token) -> Range:
        parts = [first.text]
        while len(parts) < 3 and self.accept(":"):
            token = self.take()
            if token.kind != "number":
                raise self.error("E1001", f"found {token}, expected a number", token)
            parts.append(token.text)
        return Range(tuple(parts))

    def _after_word(self, word: Token, depth: int) -> Any:
        if not self.accept("("):
            return Word(word.text)
        if word.text == "base64" and (data := self._base64()) is not None:
            return data
        if depth >= MAX_DEPTH:
            raise self.error("E1001", f"calls are nested deeper than {MAX_DEPTH}", word)
        arguments = []
        if not self.accept(")"):
            while True:
                arguments.append(self.syntax(depth + 1))
                if self.accept(")"):
                    break
                self.expect(",")
        return Call(word.text, tuple(arguments))

    def _base64(self) -> Encoded | None:
        """`base64("…")`, decoded in steps so that only the bytes are held; None if it is something else."""
        text, start = self.source.text, self.lexer.skip()
        if self.ahead is not None or not text.startswith('"', start):
            return None
        end = text.find('"', start + 1)
        if end < 0:
            return None  # the string reader says what is wrong
        chunk = 1 << 22
        try:
            pieces = [
                binascii.a2b_base64(text[at : min(at + chunk, end)].encode("ascii"))
                for at in range(start + 1, end, chunk)
            ]
        except (binascii.Error, UnicodeEncodeError) as why:
            raise self.error("E4005", f"the data is not base64: {why}", Span(start, end + 1)) from None
        data = b"".join(pieces)
        if len(data) // 3 * 4 + (4 if len(data) % 3 else 0) != end - start - 1:
            raise self.error("E4005", "the data is not base64: it has other characters", Span(start, end + 1))
        self._jump(end + 1)
        self.expect(")")
        return Encoded(data)

    # Types

    def type(self) -> TensorType:
        """`tensor<f32[2, 3]>` or one of the foreign spellings."""
        start = self.lexer.skip() if self.ahead is None else self.ahead.start
        text = self.source.text
        for i, form in enumerate(_TYPES):
            if m := form.match(text, start):
                self._jump(m.end())
                self.places["type"] = span = Span(start, m.end())
                try:
                    if i == 3:
                        dtype, extents = m[2], [n for n in re.split(r"\s*x\s*", m[1]) if n]
                    else:
                        dtype, extents = m[1], [n.strip() for n in m[2].split(",")] if m[2].strip() else []
                    return TensorType(read_dtype(dtype, at="type"), _shape(extents))
                except Reject as why:
                    raise MindError([why.located(self.source, span)]) from None
        token = self.take()
        help = "a type is written tensor<f32[2, 3]>, with extents that are numbers"
        if token.text in ("tensor", "Tensor"):
            written = Span(start, text.find("\n", start) if "\n" in text[start : start + 60] else start + 60)
            shown = text[start : written.end].rstrip()
            raise self.error("E1001", f"malformed type {shown}", Span(start, start + len(shown)), help=help)
        raise self.error("E1001", f"found {token}, expected a type", token, help=help)


def _shape(extents: list[str]) -> Shape:
    shape = []
    for i, text in enumerate(extents):
        shown = text if len(text) <= 40 else text[:37] + "..."
        if not re.fullmatch(r"[-+]?[0-9]{1,400}", text):
            raise Reject("E1005", f"extent {i} is no number: {shown or 'nothing'}", at="type")
        n = int(text)
        if not 0 <= n <= MAX_EXTENT:
            why = "negative" if n < 0 else f"larger than {MAX_EXTENT}"
            raise Reject("E3006", f"extent {i} of the type is {why}: {shown}", at="type")
        shape.append(n)
    return tuple(shape)


def _is_ranges(syntax: object) -> bool:
    return isinstance(syntax, list) and bool(syntax) and all(isinstance(x, Range) for x in syntax)


def _json_depth(found: object) -> int:
    depth = 0
    while isinstance(found, list) and found:
        depth, found = depth + 1, found[0]
    return depth


def locate(source: Source, span: Span, part: str) -> Span:
    """The place of a part of the statement at `span`: "opcode", "value", "type", "operand 1", or an attribute."""
    parser = StatementParser(source, span.start)
    try:
        parser.definition()
    except MindError:
        return span
    return parser.places.get(part) or parser.places.get("opcode") or span


def locate_interface(source: Source, span: Span) -> dict[str, Span]:
    """The places of "output 0", "output 1", … or "gradient 0", … in the line at `span`."""
    parser = StatementParser(source, span.start)
    try:
        parser.interface_line(parser.peek().text)
    except MindError:
        return {}
    return parser.places
