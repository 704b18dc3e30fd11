"""Errors of the compiler: a stable code, one sentence, the source location, and what to do.

Rules raise `Reject`: they know why, not where. The parser, the verifier and the builder know where, and make a
`MindError` of it, which holds one or more located `Diagnostic`s.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .kept import kept_property

_WIDTH = 100
"""How many columns of a source line are shown; longer lines are cut around the error."""

_LONGEST = 1000
"""The most characters of a message or a note; the middle of longer ones is cut out."""

MAX_ERRORS = 20
"""The most errors that are reported together."""


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range `[start, end)` of characters in a source text."""

    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """A text, and its name in messages."""

    name: str
    text: str = field(repr=False)

    @classmethod
    def from_bytes(cls, name: str, data: bytes) -> Source:
        """Decode UTF-8. E1001 with offset and bytes if it is not."""
        try:
            return cls(name, data.decode("utf-8-sig"))
        except UnicodeDecodeError as e:
            bad = " ".join(f"0x{byte:02x}" for byte in data[e.start : e.start + 4])
            raise MindError.of(
                "E1001", f"{name} is not UTF-8: byte {e.start} is {bad}", help="save the file as UTF-8 text"
            ) from None

    @kept_property
    def _starts(self) -> list[int]:
        starts, at = [0], -1
        while (at := self.text.find("\n", at + 1)) >= 0:
            starts.append(at + 1)
        return starts

    def line_col(self, offset: int) -> tuple[int, int]:
        """The line and column of a character offset, counted from 1."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The character offset of a 1-based line and column, or the end of the text if it is shorter."""
        start = self._starts[line - 1] if line <= len(self._starts) else len(self.text)
        return min(start + column - 1, len(self.text))

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True)
class Diagnostic:
    """One error. `label` is shown at the caret, `note` and `help` below; `related` are other spans, with remarks."""

    code: str
    message: str
    source: Source | None = None
    span: Span | None = None
    label: str = ""
    note: str = ""
    help: str = ""
    related: tuple[tuple[Span, str], ...] = ()

    def __post_init__(self) -> None:
        for part in ("message", "label", "note", "help"):
            if len(text := getattr(self, part)) > _LONGEST:
                object.__setattr__(self, part, f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}")

    def __str__(self) -> str:
        """The text for people: heading, location, source line with a caret, notes."""
        out = [f"error[{self.code}]: {_printable(self.message)}"]
        if self.source is not None and self.span is not None:
            out += _excerpt(self.source, self.span, self.label, arrow="-->")
        elif self.label:
            out.append(f"  = note: {_printable(self.label)}")
        if self.source is not None:
            for span, remark in self.related:
                out += _excerpt(self.source, span, remark, arrow=":::")
        if self.note:
            out.append(f"  = note: {_printable(self.note)}")
        if self.help:
            out.append(f"  = help: {_printable(self.help)}")
        return "\n".join(out)

    def to_json(self) -> str:
        """One line of JSON; line and column are 1-based, offsets count characters."""
        import json

        d: dict[str, Any] = {"severity": "error", "code": self.code, "message": self.message}
        if self.source is not None:
            d["file"] = self.source.name
            if self.span is not None:
                d["line"], d["column"] = self.source.line_col(self.span.start)
                d["end_line"], d["end_column"] = self.source.line_col(self.span.end)
                d["start"], d["end"] = self.span.start, self.span.end
            for span, remark in self.related:
                line, column = self.source.line_col(span.start)
                d.setdefault("related", []).append({"line": line, "column": column, "message": remark})
        d |= {k: v for k in ("label", "note", "help") if (v := getattr(self, k))}
        return json.dumps(d, ensure_ascii=False)


class Reject(Exception):
    """Raised by a rule that knows why but not where; whoever knows where raises a MindError of it.

    `at` names the part of the operation that is at fault: "opcode", "type", "operand 1", or an attribute's name.
    """

    def __init__(
        self, code: str, message: str, *, label: str = "", note: str = "", help: str = "", at: str = "opcode"
    ) -> None:
        super().__init__(code, message)
        self.code, self.message, self.label, self.note, self.help, self.at = code, message, label, note, help, at

    def located(self, source: Source | None, span: Span | None) -> Diagnostic:
        """The diagnostic for it at a location."""
        return Diagnostic(self.code, self.message, source, span, self.label, self.note, self.help)


class MindError(Exception):
    """An error with one or more diagnostics. `str(error)` is the whole text for people.

    `code`, `message`, `span` and `source` are those of the first diagnostic; `diagnostics` has all of them.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        assert diagnostics, "an error has at least one diagnostic"
        super().__init__(*diagnostics)
        self.diagnostics = tuple(diagnostics)

    @classmethod
    def of(
        cls, code: str, message: str, source: Source | None = None, span: Span | None = None, **more: Any
    ) -> MindError:
        """An error of one diagnostic; `more` are its label, note, help and related spans."""
        return cls([Diagnostic(code, message, source, span, **more)])

    @property
    def code(self) -> str:
        return self.diagnostics[0].code

    @property
    def message(self) -> str:
        return self.diagnostics[0].message

    @property
    def span(self) -> Span | None:
        return self.diagnostics[0].span

    @property
    def source(self) -> Source | None:
        return self.diagnostics[0].source

    def __str__(self) -> str:
        return "\n".join(map(str, self.diagnostics))

    def to_json(self) -> str:
        """A line of JSON for each diagnostic."""
        return "\n".join(d.to_json() for d in self.diagnostics)


def short(text: str) -> str:
    """A text, cut to 40 characters for a message."""
    return text if len(text) <= 40 else text[:37] + "..."


def count(n: int, noun: str) -> str:
    """A number with its noun: `1 operand`, `2 operands`."""
    return f"{n} {noun}{'s' * (n != 1)}"


def _printable(text: str) -> str:
    """A text with control characters as escapes, so that it cannot garble a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def _excerpt(source: Source, span: Span, label: str, arrow: str) -> Iterable[str]:
    line, col = source.line_col(span.start)
    text = source.line(line)
    start, end = col - 1, min(col - 1 + max(span.end - span.start, 1), max(len(text), col))
    if len(text) > _WIDTH:  # show a part of the line, with room before the error
        first = max(0, min(start - _WIDTH // 3, len(text) - _WIDTH))
        cut = text[first : first + _WIDTH]
        before, after = "…" * (first > 0), "…" * (first + _WIDTH < len(text))
        text, start, end = before + cut + after, start - first + len(before), end - first + len(before)
        end = min(end, len(text))
    shown = "".join(c if c.isprintable() else " " for c in text)
    gutter = " " * len(str(line))
    carets = " " * _columns(shown[:start]) + "^" * max(1, _columns(shown[start:end]))
    name = _printable(source.name).replace("\n", "\\n")
    return [
        f"{gutter}{arrow} {name}:{line}:{col}",
        f"{gutter} |",
        f"{line} | {shown}",
        f"{gutter} | {carets} {_printable(label)}".rstrip(),
    ]


def _columns(text: str) -> int:
    """The columns of a text on a terminal: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
