"""Words that the pages have given up, since they stood for several things or stop a reader.  docs/style.md, Text."""

import re

import pytest
from checkout import ROOT

GIVEN_UP = {
    r"(?<!\bin )\bplaces?\b": "location, offset, position, sharding, layout",
    r"\bin (?:the )?place of\b": "instead of",
    r"\b(?:a|by|each|every|in|its|takes?|their|those of) turns?\b|\bturns of\b": "iteration; alternately, in order",
    r"\bturned\b": "transposed",
    r"\blies?\b|\bto lie\b": "is stored, is laid out, is sharded, is between",
    r"\bstands? (?!for\b|alone\b)|\bstand(?:s|ing)? on\b": "is, is written, follows",
    r"\bbehind\b": "after",
    r"\b(?:holds?|held|holding) (?:\S+ ){0,4}against\b": "compare with",
    r"\b(?:hand|hands|handed|handing) (?:\S+ )?on\b": "pass on",
    r"\band (?:its|their|the) like\b": "and similar ones",
    r"\bone's own\b": "user-defined",
    r"\bof use\b": "has a meaning, is defined",
    r"\bdearer\b|\bdear\b": "takes longer, costs more",
    r"\bthe way of data\b": "from text to machine code",
    r"[.!?:]  +(?=\S)": "one space",
}
"""Pattern -> what to say instead."""

GENERATED = re.compile(
    r"<!-- (?:begin\b.*?-->.*?<!-- end|(\w+): begin -->.*?<!-- \1: end|written by .*?-->.*?<!-- up to here) -->",
    re.DOTALL,
)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)\s]*\)", re.MULTILINE | re.DOTALL)
LATER = {"docs/architecture.md", "docs/adding-an-op.md"}
"""Pages that still have some of them."""
PAGES = [
    page.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "editors", "examples", "examples/*")
    for page in sorted(ROOT.glob(f"{folder}/*.md"))
    if not page.read_text(encoding="utf-8").startswith("<!-- written by")
]
"""Decisions, in docs/adr, stay as they were written."""


def prose(text):
    """The text with what is generated or is no prose blanked out, line by line."""
    for pattern in (GENERATED, CODE):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", "#", m[0]), text)
    return text


@pytest.mark.parametrize("page", [page for page in PAGES if page not in LATER])
def test_a_page_has_none_of_the_words_that_were_given_up(page):
    text = prose((ROOT / page).read_text(encoding="utf-8"))
    found = [
        f"{page}:{text.count(chr(10), 0, m.start()) + 1}: {m[0]!r}; say: {instead}"
        for pattern, instead in GIVEN_UP.items()
        for m in re.finditer(pattern, text, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


def test_the_words_are_found_in_prose_and_nowhere_else():
    text = "It turned `a place`.\n\n```text\nit lies\n```\n<!-- cpu: begin -->\nbehind\n<!-- cpu: end -->\nIt lies.\n"
    found = [m[0] for pattern in GIVEN_UP for m in re.finditer(pattern, prose(text))]
    assert found == ["turned", "lies"]
    assert prose(text).count("\n") == text.count("\n")
