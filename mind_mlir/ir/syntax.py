"""Reads the parts of a statement that have a value: tokens, attribute values, types. statement.py joins them."""

from __future__ import annotations

import binascii
import re
from typing import Any

from .attributes import read_dtype
from .diagnostics import MindError, Reject, Source, Span, short
from .lexer import Lexer, Token
from .types import MAX_EXTENT, Shape, TensorType
from .written import Call, Encoded, Quoted, Range, Symbol, Word

MAX_DEPTH = 64
"""The deepest nesting of brackets in an attribute."""

_EXTENTS = r"\[([^\[\]<>]{0,4000})\]"
_DTYPE = r"([A-Za-z]\w*)"
_TYPES = [  # Core IR's own, then tensor<f32>[2, 3] and Tensor<f32, [2, 3]>, then MLIR's tensor<2x3xf32>
    rf"[tT]ensor\s*<\s*{_DTYPE}\s*{_EXTENTS}\s*>",
    rf"[tT]ensor\s*<\s*{_DTYPE}\s*>\s*{_EXTENTS}",
    rf"[tT]ensor\s*<\s*{_DTYPE}\s*,\s*{_EXTENTS}\s*>",
    rf"[tT]ensor\s*<\s*((?:[-+]?[0-9]+\s*x\s*)*){_DTYPE}\s*>",
]


class SyntaxParser:
    """Recursive descent over tokens, attribute values and types, from an offset in a text."""

    def __init__(self, source: Source, at: int) -> None:
        self.source = source
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
        """The offset of the next token."""
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
            case "symbol":
                return self.function_named(token)
            case "number":
                if self.peek().text == ":" and depth:
                    return self._range(token)
                return token.text
        help = "lists are in brackets: [1, 2]" if token.text == "(" else ""
        raise self.error("E1001", f"found {token}, expected a value", token, help=help)

    def function_named(self, token: Token) -> Any:
        """What `@step` stands for; whoever knows no functions leaves it a name."""
        return Symbol(token.text[1:])

    def _numbers(self, start: int, depth: int) -> list[Any] | None:
        """A list of numbers, read by the JSON reader; None if it holds anything else."""
        from .number_lists import read_numbers  # here, because it imports json

        read = read_numbers(self.source.text, start)
        if read is None or depth + _json_depth(read[0]) > MAX_DEPTH:
            return None
        self._jump(read[1])
        return read[0]  # type: ignore[no-any-return]

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
        """`base64("…")`, decoded in steps to save memory; None if it is something else."""
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
            if m := re.compile(form).match(text, start):
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
        shown = short(text)
        if not re.fullmatch(r"[-+]?[0-9]{1,400}", text):
            raise Reject("E1005", f"extent {i} is no number: {shown or 'nothing'}", at="type")
        n = int(text)
        if not 0 <= n <= MAX_EXTENT:
            why = "negative" if n < 0 else f"larger than {MAX_EXTENT}"
            raise Reject("E3006", f"extent {i} of the type is {why}: {shown}", at="type")
        shape.append(n)
    return tuple(shape)


def _json_depth(found: object) -> int:
    depth = 0
    while isinstance(found, list) and found:
        depth, found = depth + 1, found[0]
    return depth
