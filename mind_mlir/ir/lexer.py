"""Reads tokens, one at a time, from an offset on. Comments: `#`, `//` to the end of the line, `/* … */`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .diagnostics import MindError, Source, Span, short

_SKIP = re.compile(r"(?:[ \t\r\n\f\v]+|#[^\n]*|//[^\n]*)+")
_TOKEN = re.compile(
    r"""
      (?P<value>%[0-9]+)
    | (?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?))
    | (?P<special>[-+]?(?:inf|nan)(?![\w.$]))
    | (?P<word>[A-Za-z_][\w.$]*)
    | (?P<symbol>@[A-Za-z_][\w.$]*)
    | (?P<punctuation>->|[()\[\]{}<>=:,])
    """,
    re.VERBOSE,
)
_PLAIN = re.compile(r'[^"\\\n]*')
_TAIL = re.compile(r"[\w.$]+")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r", "'": "'", "0": "\0"}

MAX_NUMBER = 400
"""The most characters of a number."""

MAX_ID_DIGITS = 18
"""The most digits of a value id."""


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is value, number, word, symbol, string, punctuation or end; `text` is unescaped for strings."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def __str__(self) -> str:
        if self.kind == "end":
            return "the end of the text"
        return f'"{short(self.text)}"' if self.kind == "string" else f"`{short(self.text)}`"


class Lexer:
    """Reads tokens from `source`, starting at the offset `at`. E1001 to E1006 with the location."""

    def __init__(self, source: Source, at: int = 0) -> None:
        self.source, self.text, self.at = source, source.text, at

    def error(self, code: str, message: str, start: int, end: int, **more: str) -> MindError:
        return MindError.of(code, message, self.source, Span(start, end), **more)

    def skip(self) -> int:
        """Skip blanks and comments; returns the new offset."""
        text, at = self.text, self.at
        while True:
            if m := _SKIP.match(text, at):
                at = m.end()
            if not text.startswith("/*", at):
                self.at = at
                return at
            end = text.find("*/", at + 2)
            if end < 0:
                line, column = self.source.line_col(at)
                self.at = len(text)
                raise self.error("E1006", f"the comment that starts at {line}:{column} is not closed", at, at + 2)
            at = end + 2

    def next(self) -> Token:
        """The next token; kind `end` at the end of the text."""
        start = self.skip()
        text = self.text
        if start == len(text):
            return Token("end", "", start, start)
        m = _TOKEN.match(text, start)
        if m is None:
            return self._other(start)
        kind, end = m.lastgroup or "", m.end()
        if kind in ("value", "number") and (tail := _TAIL.match(text, end)):
            self.at = tail.end()
            raise self._malformed(start, tail.end())
        if kind == "value" and end - start > MAX_ID_DIGITS + 1:
            self.at = end
            raise self.error(
                "E1005",
                f"value id {text[start : min(end, start + 24)]} is too long",
                start,
                end,
                help=f"ids have up to {MAX_ID_DIGITS} digits",
            )
        if kind == "number" and end - start > MAX_NUMBER:
            self.at = end
            raise self._malformed(start, end)
        self.at = end
        return Token("number" if kind == "special" else kind, m[0], start, end)

    def _malformed(self, start: int, end: int) -> MindError:
        shown = short(self.text[start:end])
        what = "value id" if shown.startswith("%") else "number"
        return self.error("E1005", f"malformed {what} {shown}", start, end)

    def _other(self, start: int) -> Token:
        c = self.text[start]
        if c == '"':
            return self._string(start)
        if c == "%":
            m = re.compile(r"%[-+]?[\w.$]*").match(self.text, start)
            self.at = m.end() if m else start + 1
            raise self.error(
                "E1005",
                f"malformed value id {self.text[start : self.at][:40]}",
                start,
                self.at,
                help="write % and a number",
            )
        self.at = start + 1
        message = f"no token contains the character {c!r} (U+{ord(c):04X})"
        help = 'strings are in double quotes: "x"' if c == "'" else ""
        raise self.error("E1002", message, start, start + 1, help=help)

    def _string(self, start: int) -> Token:
        text, at, out = self.text, start + 1, []
        while True:
            end = _PLAIN.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if text[end : end + 1] in ("", "\n") or text[end : end + 2] in ("\\", "\\\n"):
                self.at = end
                row, column = self.source.line_col(start)
                raise self.error("E1003", f"the string that starts at {row}:{column} is not closed", start, start + 1)
            out.append(text[at:end])
            if text[end] == '"':
                self.at = end + 1
                return Token("string", "".join(out), start, end + 1)
            at = self._escape(end, out)

    def _escape(self, slash: int, out: list[str]) -> int:
        text = self.text
        c = text[slash + 1 : slash + 2]
        if (
            c == "u"
            and (m := re.compile(r"\\u\{([0-9a-fA-F]{1,6})\}").match(text, slash))
            and _is_scalar(int(m[1], 16))
        ):
            out.append(chr(int(m[1], 16)))
            return m.end()
        if c not in _ESCAPES:
            self.at = slash + 2
            shown = c if c.isprintable() else f"U+{ord(c):04X}"
            raise self.error(
                "E1004",
                f"unknown escape \\{shown}",
                slash,
                slash + 2,
                help="known: \\\" \\' \\\\ \\n \\t \\r \\0 \\u{…}",
            )
        out.append(_ESCAPES[c])
        return slash + 2


def _is_scalar(point: int) -> bool:
    """True for a scalar value of Unicode, that is, no surrogate."""
    return point < 0xD800 or 0xDFFF < point < 0x110000
