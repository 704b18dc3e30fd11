"""Reads long nested lists of numbers, which most of a constant's text is, by the JSON reader."""

from __future__ import annotations

import json
import re
from typing import Any

_LIST_OF_NUMBERS = re.compile(r"\[[\[\]\w+\-.,\s]*")
_NOT_JSON = re.compile(r"(?<![\w.$+-])[-+]?(?:inf|nan|0[xX][0-9a-fA-F]+)(?![\w.$])")
_JSON_WORDS = re.compile(r"true|false|null|NaN|Infinity")
_JSON = json.JSONDecoder(parse_float=str, parse_int=str)


def read_numbers(text: str, start: int) -> tuple[Any, int] | None:
    """The list at `start`, its numbers as they are written, and where it ends; None if it holds anything else."""
    try:
        found, end = _JSON.raw_decode(text, start)
        if any(text.find(c, start, end) >= 0 for c in '"{tfnNI'):
            return None
    except ValueError:
        return _quoted(text, start)
    except RecursionError:
        return None
    return found, end


def _quoted(text: str, start: int) -> tuple[Any, int] | None:
    """A list with nan, inf or bit patterns, which JSON reads if they are put into quotes."""
    region = _LIST_OF_NUMBERS.match(text, start)
    quoted = _NOT_JSON.sub(r'"\g<0>"', region[0]) if region else ""
    try:
        found, end = _JSON.raw_decode(quoted)
    except (ValueError, RecursionError):
        return None
    quotes = quoted.count('"', 0, end)
    if not quotes or _JSON_WORDS.search(quoted, 0, end):
        return None
    return found, start + end - quotes
