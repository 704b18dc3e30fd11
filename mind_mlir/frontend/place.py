"""Finds the line of the user's program that an error is about: the innermost one outside of this package."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from types import CodeType, FrameType
from typing import Any

from ..ir import Diagnostic, MindError, Reject, Source, Span

_PACKAGE = __name__.partition(".")[0]


def located(why: Reject) -> MindError:
    """The error for `why`, at the user's line."""
    return MindError([why.located(*_here())])


def error(code: str, message: str, *, help: str = "", note: str = "", label: str = "") -> MindError:
    """An error at the user's line."""
    source, span = _here()
    return MindError([Diagnostic(code, message, source, span, label, note, help)])


def line() -> tuple[str, int]:
    """The file and the line at which the user's innermost frame is, for warnings."""
    frame = _users_frame(sys._getframe(1))
    return ("<unknown>", 1) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def _users_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame from this one on that is outside of this package."""
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
    return frame


def _here() -> tuple[Source | None, Span | None]:
    """The expression at which the user's innermost frame is; None if its text cannot be read."""
    frame = _users_frame(sys._getframe(2))
    if frame is None:
        return None, None
    code = frame.f_code
    text = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    if not text:
        return None, None
    source = Source(_shown(code.co_filename), text)
    lines = text.count("\n") + 1
    place = _expression(code, frame.f_lasti)
    if place is not None and place[1] <= lines:
        first, last, column, end_column = place
        start, end = _offset(source, first, column), _offset(source, last, end_column)
    elif frame.f_lineno <= lines:
        line = source.line(frame.f_lineno)
        start, end = (source.offset(frame.f_lineno, 1 + n) for n in (len(line) - len(line.lstrip()), len(line)))
    else:  # the file has changed since
        return None, None
    return source, Span(start, end)


def _expression(code: CodeType, instruction: int) -> tuple[int, int, int, int] | None:
    """First line, last line, first column and last column of an instruction; lines count from 1, columns are bytes.

    None if only the line is known: before Python 3.11, and in generated code.
    """
    positions: Any = getattr(code, "co_positions", None)
    if positions is None:
        return None
    place = next(itertools.islice(positions(), instruction // 2, None))
    return None if None in place else place


def _offset(source: Source, line: int, column: int) -> int:
    """The offset in characters of a column that counts bytes of UTF-8."""
    return source.offset(line, 1 + len(source.line(line).encode()[:column].decode(errors="ignore")))


def _shown(filename: str) -> str:
    """A path relative to the working directory for files in it, else unchanged."""
    if not os.path.isabs(filename):
        return filename
    try:
        relative = os.path.relpath(filename)
    except ValueError:  # on another drive
        return filename
    return filename if relative.startswith(os.pardir) else relative
