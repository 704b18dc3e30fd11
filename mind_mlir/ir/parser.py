"""Reads a Module from text, with ids, declared types and spans as written; `verify` checks them.

One recursive-descent parser reads every form: the canonical one and the foreign ones (grammar form with positional
attributes, `BinOp(Mul, …)`, other spellings of types, aliases). A memo in front of it saves time: a statement written
exactly as the printer writes is split by one regular expression, and the rest (opcode, attributes and type) is parsed
once for each distinct text.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any, TypeAlias

from .diagnostics import MAX_ERRORS, Diagnostic, MindError, Reject, Source, Span, count, short
from .gc import without_gc
from .mesh import PartitionSpec
from .module import Function, Module
from .op import Op, check_operand_count
from .operation import Operation, Result, ValueId
from .statement import Statement, StatementParser
from .types import TensorType

_CANONICAL = re.compile(
    r"%([0-9]{1,18}(?:, %[0-9]{1,18})*) = (?P<head>[A-Z]\w*)(?: \((%[0-9]{1,18}(?:, %[0-9]{1,18})*)\))?"
    r"(?P<tail>(?: \{[^{}\n#/]{0,400}\})? : tensor<\w+\[[0-9, ]*\]>(?:, tensor<\w+\[[0-9, ]*\]>)*)\n"
)
_STATEMENT = re.compile(r"^[ \t]*(?=%|outputs\b|gradients\b|tangents\b|mesh\b|func\b)", re.MULTILINE)
_STATEMENT_OR_END = re.compile(_STATEMENT.pattern + r"|^[ \t]*(?=\}[ \t\r]*(?:$|#|//))", re.MULTILINE)
"""Where reading continues after an error: in the module itself, and within a function."""

_HEAD = re.compile(r"[ \t]*func\b[^\n{]*\{[ \t\r]*$", re.MULTILINE)
"""The first line of a function, well formed or not."""

_Key: TypeAlias = tuple[str, bool, str, int]
_Known: TypeAlias = tuple[Op, tuple[TensorType, ...], tuple["PartitionSpec | None", ...]]


def parse(text: str | bytes | os.PathLike[str], name: str | None = None) -> Module:
    """Read a module from text, UTF-8 bytes or a file.

    `name` is the text's name in messages; for a file it is the path. Raises MindError with every syntax error found
    (E1xxx, E2002, E2003, E2007, E4005, E4012, E4013 …), or E7004 if the file cannot be read. `verify` checks types.
    """
    if isinstance(text, os.PathLike):
        return parse_source(read_source(os.fspath(text)))
    if isinstance(text, bytes):
        return parse_source(Source.from_bytes(name or "<bytes>", text))
    if not isinstance(text, str):
        raise TypeError(f"expected text, bytes or a path, found {type(text).__name__}")
    if text.endswith(".mindir") and text.split() == [text]:
        raise MindError.of("E1001", f"{text} is the name of a file", help=f"parse(Path({text!r})) reads it")
    return parse_source(Source(name or "<text>", text))


def read_source(path: str) -> Source:
    """The text of a file; `-` is standard input. E7004, E1001."""
    return Source.from_bytes(*read_bytes(path))


def read_bytes(path: str) -> tuple[str, bytes]:
    """The name and the bytes of a file; `-` is standard input. E7004."""
    import sys

    try:
        if path == "-":
            return "<stdin>", sys.stdin.buffer.read()
        with open(path, "rb") as f:
            return path, f.read()
    except (OSError, ValueError) as why:  # ValueError: a path with a NUL
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7004", f"cannot read {path}: {reason}") from None


@without_gc
def parse_source(source: Source) -> Module:
    """Read a module; see `parse`."""
    return _TextParser(source).parse()


class _TextParser:
    """A text: its functions, its errors, and what is known of statements that were read before."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.errors: list[Diagnostic] = []
        self.functions: dict[str, Function] = {}
        self.memo: dict[_Key, _Known] = {}

    def parse(self) -> Module:
        """The module. MindError with every error found."""
        body = _BodyParser(self)
        body.read(0)
        if self.errors:
            raise MindError(self.errors)
        return body.module()

    def error(self, code: str, message: str, span: Span, **more: Any) -> MindError:
        return MindError.of(code, message, self.source, span, **more)

    def define_function(self, name: str, body: Module, span: Span) -> None:
        """Make a function known to the statements below it. E4019 if there is one of that name."""
        if (first := self.functions.get(name)) is not None:
            assert first.span is not None, "it was read"
            related = ((first.span, "it is first defined here"),)
            raise self.error("E4019", f"@{short(name)} is defined twice", span, related=related)
        self.functions[name] = Function(name, body, span)


class _BodyParser:
    """The statements of the module itself, or of one of its functions."""

    def __init__(self, text: _TextParser, function: Span | None = None) -> None:
        """`function` is the span at which that function begins."""
        self.text = text
        self.source, self.begin = text.source, function
        self.operations: list[Operation] = []
        self.types: dict[ValueId, TensorType] = {}
        self.aliases: dict[ValueId, ValueId] = {}
        self.interface: dict[str, tuple[Any, Span]] = {}

    def read(self, at: int) -> int:
        """Read statements from `at` on, up to the end; returns the offset of the end, or -1 at the end of the text."""
        text, types, memo, source = self.source.text, self.types, self.text.memo, self.source
        match, append, inside = _CANONICAL.match, self.operations.append, self.begin is not None
        while True:
            if inside and text.startswith("  ", at):
                at += 2
            if (m := match(text, at)) and not self.aliases:
                id_text, head, operand_text, tail = m.groups()
                ids = tuple(map(int, id_text.split(", %"))) if "," in id_text else (int(id_text),)
                key = head, operand_text is None, tail, len(ids)
                known = memo.get(key)
                if known is None:
                    try:
                        s = StatementParser(source, at, self).definition()
                    except MindError as e:
                        if (at := self._recover(e, at)) < 0:
                            return at
                        continue
                    assert s is not None, "the canonical form is no alias"
                    assert s.types, "the canonical form has types"
                    memo[key] = known = s.op, s.types, s.shardings or (None,) * len(s.types)
                op, result_types, shardings = known
                operands = tuple(map(int, operand_text[1:].split(", %"))) if operand_text else ()
                if len(ids) == 1:  # nearly always: as little as can be
                    types[ids[0]] = result_types[0]
                    results: tuple[Result, ...] = (Result(ids[0], result_types[0], shardings[0]),)
                else:
                    types.update(zip(ids, result_types))
                    results = tuple([Result(*r) for r in zip(ids, result_types, shardings)])
                append(Operation(op, operands, results, Span(at, m.end() - 1)))
                at = m.end()
                continue
            try:
                end = self._end(at) if inside else -1
                at = self._statement(at) if end < 0 else end
            except MindError as e:
                at, end = self._recover(e, at), -1
            if at < 0 or end >= 0:
                return at

    def module(self) -> Module:
        """What was read."""
        outputs, outputs_span = self.interface.get("outputs", ((), None))
        gradients, gradients_span = self.interface.get("gradients", ((), None))
        tangents, tangents_span = self.interface.get("tangents", ((), None))
        mesh, mesh_span = self.interface.get("mesh", (None, None))
        return Module(
            tuple(self.operations),
            outputs,
            gradients,
            tangents,
            mesh=mesh,
            source=self.source,
            outputs_span=outputs_span,
            gradients_span=gradients_span,
            tangents_span=tangents_span,
            mesh_span=mesh_span,
        )

    def _recover(self, error: MindError, start: int) -> int:
        """Note the error, and find the next line that begins a statement; -1 at the end or after too many errors."""
        self.text.errors += error.diagnostics
        if len(self.text.errors) >= MAX_ERRORS:
            return -1
        span = error.span
        line_end = self.source.text.find("\n", max(start, span.start if span else start))
        following = _STATEMENT if self.begin is None else _STATEMENT_OR_END
        m = following.search(self.source.text, line_end) if line_end >= 0 else None
        return m.end() if m else -1

    def _end(self, at: int) -> int:
        """Where a function ends that has no statement at `at`, else -1. E1001 if its brace is missing."""
        p = StatementParser(self.source, at)
        token = p.peek()
        if p.accept("}"):
            return _next_line(self.source.text, p.last_end)
        if token.kind == "end" or (token.kind == "word" and token.text == "func"):
            assert self.begin is not None, "the module itself has no brace"
            help = "close it with } on a line of its own; functions are not nested"
            message = f"the function is not closed before {token}"
            self.text.errors += self.text.error("E1001", message, self.begin, help=help).diagnostics
            return token.start
        return -1

    def _statement(self, at: int) -> int:
        p = StatementParser(self.source, at, self)
        token = p.peek()
        if token.kind == "end":
            return -1
        if token.kind == "value":
            s = p.definition()
            if s is not None:
                types = s.types or self._infer(s)
                self.types.update(zip(s.ids, types))
                self.operations.append(Operation(s.op, s.operands, s.results(types), s.span))
            return p.position()
        if token.kind == "word" and token.text in ("outputs", "gradients", "tangents"):
            p.interface_line(token.text)
            return p.position()
        if token.kind == "word" and token.text == "mesh":
            p.mesh_line()
            return p.position()
        if token.kind == "word" and token.text == "func":
            return self._function(p, token.start)
        raise p.error(
            "E1001", f"found {token}, expected a statement", token, help="a statement starts with %id or outputs:"
        )

    def _function(self, p: StatementParser, at: int) -> int:
        """Read a function. What is wrong with its first line does not keep its body from being read."""
        try:
            name, span = p.function_head()
        except MindError as e:
            if (head := _HEAD.match(self.source.text, at)) is None:
                raise
            self.text.errors += e.diagnostics
            return _BodyParser(self.text, Span(at, head.end())).read(head.end())
        body = _BodyParser(self.text, span)
        end = body.read(_next_line(self.source.text, p.position()))
        try:
            self.text.define_function(name, body.module(), span)
        except MindError as e:
            self.text.errors += e.diagnostics
        return end

    def _infer(self, s: Statement) -> tuple[TensorType, ...]:
        """The types that the statement leaves out. E2003 if its operands do not determine them, E2008."""
        where = s.places["opcode"]
        untyped = f"the type of %{s.ids[0]} cannot be inferred"
        unknown = [i for i in s.operands if i not in self.types]
        if unknown:
            note = f"%{unknown[0]} is not defined above"
            raise self.text.error("E2003", untyped, where, note=note)
        try:
            check_operand_count(s.op, len(s.operands))
            found = s.op.result_types(*(self.types[i] for i in s.operands))
        except Reject as why:
            note = f"error[{why.code}]: {why.message}"
            raise self.text.error("E2003", untyped, where, note=note) from None
        if len(found) != len(s.ids):
            message = f"{s.op.opcode} has {count(len(found), 'result')}, the line names {len(s.ids)}"
            raise self.text.error("E2008", message, s.places["value"])
        return found

    # What statements need from the module so far

    def resolve(self, id: ValueId) -> ValueId:
        return self.aliases.get(id, id)

    def define_alias(self, id: ValueId, target: ValueId, span: Span) -> None:
        """`%8 = %7`: from here on, %8 is another name for %7."""
        target = self.resolve(target)
        if target not in self.types:
            raise self.text.error("E4001", f"%{target} is used before it is defined", span)
        if id in self.types or id in self.aliases:
            raise self.text.error("E4002", f"%{id} is defined twice", span)
        self.aliases[id] = target

    def define_interface(self, what: str, found: Any, span: Span) -> None:
        if self.begin is not None and what != "outputs":
            help = f"`{what}:` belongs in the module itself"
            raise self.text.error("E4017", f"a function has no {what}", span, help=help)
        if what in self.interface:
            raise self.text.error("E4015", f"a second `{what}:` line", span, help="join the lines into one")
        self.interface[what] = found, span

    def function(self, name: str, span: Span) -> Function:
        """The function of that name. E4018 if none above has it."""
        if (found := self.text.functions.get(name)) is not None:
            return found
        names = ", ".join([f"@{n}" for n in list(self.text.functions)[:5]])
        help = f"defined above: {names}" if names else "define a function above what holds it: func @name { … }"
        raise self.text.error("E4018", f"@{short(name)} is not defined above", span, help=help)


def _next_line(text: str, at: int) -> int:
    """Where the next line begins if this one ends at `at`: there the memo can take over."""
    return at + 1 if text.startswith("\n", at) else at


def locate(source: Source, span: Span, part: str) -> Span:
    """The span of a part of the statement: "opcode", "value", "value 1", "type", "operand 1", or an attribute."""
    parser = StatementParser(source, span.start)
    with suppress(MindError):  # it has read the statement before; functions have no names here
        parser.definition()
    return parser.places.get(part) or parser.places.get("opcode") or span


def locate_interface(source: Source, span: Span) -> dict[str, Span]:
    """The spans of "output 0", "output 1", …, "gradient 0", … or "tangent 0", … in the line at `span`."""
    parser = StatementParser(source, span.start)
    try:
        parser.interface_line(parser.peek().text)
    except MindError:
        return {}
    return parser.places
