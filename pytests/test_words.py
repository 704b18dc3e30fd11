"""Words that texts have given up, since they stood for several things or stop a reader. docs/style.md, Text.

They are looked for in pages, in docstrings, comments and messages of the package and the programs beside it, and in
what commands print for --help.
"""

import ast
import io
import re
import tokenize

import pytest
import typer
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
PAGES = [
    page.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "editors", "examples", "examples/*")
    for page in sorted(ROOT.glob(f"{folder}/*.md"))
    if not page.read_text(encoding="utf-8").startswith("<!-- written by")
]
"""Decisions, in docs/adr, stay as they were written."""

LANGUAGES = {
    ".c": re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL),
    ".cpp": re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL),
    ".h": re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL),
    ".ll": re.compile(r";[^\n]*"),
    ".mindir": re.compile(r"(?://|#)[^\n]*"),
}
"""Ending -> the comments of such a file."""
SOURCES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("mind_mlir", "benchmarks", "examples", "scripts")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", *LANGUAGES) or (folder == "scripts" and path.is_file() and not path.suffix)
]
WRITTEN = re.compile(r"\A(?:#|\"\"\").*?[wW]ritten by scripts/", re.DOTALL)
MESSAGE = re.compile(r"[A-Za-z'-]+,? [A-Za-z'-]+,? [A-Za-z'-]+")
"""A string of the code with three words one after the other is a text for people."""


def prose(text):
    """The text with what is generated or is no prose blanked out, line by line."""
    for pattern in (GENERATED, CODE):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", "#", m[0]), text)
    return text


def found_in(name, text, line=1):
    """A line for each word that a text has, which begins at this line of the file."""
    text = prose(text)
    return [
        f"{name}:{line + text.count(chr(10), 0, m.start())}: {m[0]!r}; say: {instead}"
        for pattern, instead in GIVEN_UP.items()
        for m in re.finditer(pattern, text, re.IGNORECASE)
    ]


def texts(name, code):
    """(text, line) of each docstring, comment and message of a source file."""
    if (comments := LANGUAGES.get((ROOT / name).suffix)) is not None:
        return [(m[0], code.count("\n", 0, m.start()) + 1) for m in comments.finditer(code)]
    tree = ast.parse(code)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [
        (token.string, token.start[0])
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            without_examples = re.sub(
                r"^ *>>> .*(?:\n *\S.*)*", lambda m: "\n" * m[0].count("\n"), node.value, flags=re.M
            )
            if id(node) in docstrings or MESSAGE.search(node.value):
                found.append((without_examples, node.lineno))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_none_of_the_words_that_were_given_up(page):
    found = found_in(page, (ROOT / page).read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


def found_in_source(name):
    """A line for each word in a docstring, a comment or a message of a source file that is no generated one."""
    code = (ROOT / name).read_text(encoding="utf-8")
    if WRITTEN.match(code[:300]):
        return []
    return [line for text, start in texts(name, code) for line in found_in(name, text, start)]


def test_docstrings_comments_and_messages_have_none_of_the_words():
    found = [line for name in SOURCES for line in found_in_source(name)]
    assert not found, "\n".join(found)


def commands():
    """Each command, with those within it: (name, click's command)."""
    from benchmarks.__main__ import app as benchmarks
    from mind_mlir.cli import _opt_options, mind_run, mind_translate, mind_tune

    apps = {
        "mind-opt": _opt_options.app,
        "mind-run": mind_run.app,
        "mind-translate": mind_translate.app,
        "mind-tune": mind_tune.app,
        "python -m benchmarks": benchmarks,
    }
    for name, app in apps.items():
        command = typer.main.get_command(app)
        yield name, command
        for inner in getattr(command, "commands", {}).values():
            yield f"{name} {inner.name}", inner


def test_help_has_none_of_the_words():
    helps = {name: command.get_help(typer.Context(command, info_name=name)) for name, command in commands()}
    assert len(helps) >= 11
    found = [line for name, text in helps.items() for line in found_in(name, " ".join(text.split()))]
    assert not found, "\n".join(found)


def test_the_words_are_found_in_prose_and_nowhere_else():
    text = "It turned `a place`.\n\n```text\nit lies\n```\n<!-- cpu: begin -->\nbehind\n<!-- cpu: end -->\nIt lies.\n"
    found = [m[0] for pattern in GIVEN_UP for m in re.finditer(pattern, prose(text))]
    assert found == ["turned", "lies"]
    assert prose(text).count("\n") == text.count("\n")


def test_the_words_are_found_in_docstrings_comments_and_messages():
    code = (
        '"""It lies.\n\n>>> turned\narray([1.  , 2.])\n"""\n'
        "place = behind  # in its place\n"
        'raise Error("behind", f"{x} stands twice in it", "it lies")\n'
    )
    found = [line for text, start in texts("x.py", code) for line in found_in("x.py", text, start)]
    assert sorted(line.partition(";")[0] for line in found) == [
        "x.py:1: 'lies'",
        "x.py:6: 'place'",
        "x.py:7: 'stands '",
    ]
    found = [
        line
        for text, start in texts("x.c", "int place; /* it\n lies */ // behind\n")
        for line in found_in("x.c", text, start)
    ]
    assert sorted(line.partition(";")[0] for line in found) == ["x.c:2: 'behind'", "x.c:2: 'lies'"]
