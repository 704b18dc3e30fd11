"""Writes a benchmark's text into a page of docs/, between two comments that name it."""

from __future__ import annotations

from pathlib import Path


def markers(name: str) -> tuple[str, str]:
    """The comments before and after a text."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def put(page: Path, name: str, text: str) -> None:
    """Write a text between its markers. ValueError if the page has none."""
    before, _, after = _parts(page, name)
    begin, end = markers(name)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def get(page: Path, name: str) -> str:
    """The text between the markers. ValueError if the page has none."""
    return _parts(page, name)[1]


def _parts(page: Path, name: str) -> tuple[str, str, str]:
    """The text before, between and after the markers."""
    begin, end = markers(name)
    before, has_begin, rest = page.read_text(encoding="utf-8").partition(begin)
    text, has_end, after = rest.partition(end)
    if not (has_begin and has_end):
        raise ValueError(f"{page.name} has no {begin} … {end}")
    return before, text.strip("\n"), after
