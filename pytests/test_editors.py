"""The TextMate grammar of Core IR text: what it colours is what the lexer reads, in every form of the text."""

import json
import re

import pytest
from checkout import ROOT

from mind_mlir.ir import OPS, MindError, Source
from mind_mlir.ir.lexer import Lexer

FOLDER = ROOT / "editors" / "vscode-mindir"
GRAMMAR = json.loads((FOLDER / "mindir.tmLanguage.json").read_text(encoding="utf-8"))
TEXTS = sorted([*(ROOT / "examples").glob("*.mindir"), *(ROOT / "lit_tests" / "text").glob("*.mindir")])
TYPE = re.compile(r"[Tt]ensor\s*<[^>]*>")
WORDS = ("entity.", "string.unquoted", "keyword.control", "constant.language", "support.", "storage.")
SCOPES = {
    "value": ("variable.",),
    "number": ("constant.",),
    "string": ("string.quoted", "constant.character"),
    "word": WORDS,
    "symbol": ("entity.name.function.",),
}
"""Kind of a token -> scopes that it can have."""


def rules(patterns):
    """The rules of a list of patterns, those of `include` in their place."""
    for rule in patterns:
        if "include" in rule:
            yield from rules(GRAMMAR["repository"][rule["include"].removeprefix("#")]["patterns"])
        else:
            yield rule


def tokens(text):
    """`(start, end, scope)` of what has a scope, as an editor finds it: line by line, the first rule at the next place.

    The scope is the innermost one.
    """
    offset, inside = 0, None
    for line in text.split("\n"):
        at = 0
        while True:
            tried = rules(inside.get("patterns", []) if inside else GRAMMAR["patterns"])
            found = [(m.start(), n, m, rule) for n, rule in enumerate(tried) if (m := start_of(rule).search(line, at))]
            if inside and (m := re.compile(inside["end"]).search(line, at)):
                found.append((m.start(), -1, m, None))  # the end of a rule comes before what starts there
            start, _, m, rule = min(found, key=lambda f: f[:2], default=(len(line), 0, None, None))
            if inside and at < start:
                yield offset + at, offset + start, inside["name"]
            if m is None:
                break
            yield offset + start, offset + m.end(), (rule or inside)["name"]
            at = m.end()
            if rule is None:
                inside = None
            elif "begin" in rule:
                inside = rule
        offset += len(line) + 1


def start_of(rule):
    return re.compile(rule.get("begin") or rule["match"])


def scopes(text):
    """The scope of each character; None where there is none."""
    out = [None] * len(text)
    for start, end, scope in tokens(text):
        out[start:end] = [scope] * (end - start)
    return out


def shown(text):
    """`[(text, scope)]` of what is not blank, without `.mindir`."""
    return [(text[i:k], scope.removesuffix(".mindir")) for i, k, scope in tokens(text) if text[i:k].strip()]


def test_the_files_of_the_extension_name_each_other():
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    assert language["id"] == grammar["language"]
    assert grammar["scopeName"] == GRAMMAR["scopeName"] == "source.mindir"
    assert (FOLDER / grammar["path"]).is_file()
    json.loads((FOLDER / language["configuration"]).read_text(encoding="utf-8"))


def test_every_rule_is_used_and_has_a_name():
    def used(patterns):
        return {r["include"] for p in patterns for r in (p, *p.get("patterns", [])) if "include" in r}

    named = used(GRAMMAR["patterns"]) | used([p for r in GRAMMAR["repository"].values() for p in r["patterns"]])
    assert named == {f"#{name}" for name in GRAMMAR["repository"]}
    for rule in rules(GRAMMAR["patterns"]):
        assert rule["name"].endswith(".mindir")
        start_of(rule)  # a regular expression, for Python as well


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: p.stem)
def test_what_the_lexer_reads_has_the_scope_of_its_kind(path):
    text = path.read_text(encoding="utf-8")
    found = scopes(text)
    lexer, at = Lexer(Source(path.name, text)), 0
    while True:
        start = lexer.skip()
        assert all(s is None or s.startswith("comment.") for s in found[at:start])
        uncoloured = [c for c, s in zip(text[at:start], found[at:start]) if s is None]
        assert not "".join(uncoloured).strip(), "a comment without its scope"
        if type_ := TYPE.match(text, start):  # the parser reads 2x3xf32 in its own way
            assert all(found[start : type_.end()])
            lexer.at = at = type_.end()
            continue
        try:
            token = lexer.next()
        except MindError:
            return  # of a test of what cannot be read
        if token.kind == "end":
            break
        at = token.end
        expected = SCOPES.get(token.kind, ("punctuation.", "keyword.operator."))
        assert all(scope and scope.startswith(expected) for scope in found[start:at]), (token, found[start:at])


def test_every_opcode_is_one_for_the_grammar():
    for opcode in OPS:
        assert (opcode, "entity.name.function.opcode") in shown(f"%3 = {opcode} (%1, %2) {{}}")


def test_a_line_in_the_written_form():
    line = "%2 = Sum (%0) {axes = [-1], keepdims = false} : tensor<f32[8, 64]>  // remark"
    assert [t for t in shown(line) if not t[1].startswith("punctuation.s")] == [
        ("%2", "variable.other.value"),
        ("=", "keyword.operator.assignment"),
        ("Sum", "entity.name.function.opcode"),
        ("%0", "variable.other.value"),
        ("axes", "entity.other.attribute-name"),
        ("=", "keyword.operator.assignment"),
        ("-1", "constant.numeric.decimal"),
        ("keepdims", "entity.other.attribute-name"),
        ("=", "keyword.operator.assignment"),
        ("false", "constant.language.boolean"),
        ("tensor<", "meta.type"),
        ("f32", "storage.type.element"),
        ("8", "constant.numeric.extent"),
        ("64", "constant.numeric.extent"),
        (">", "meta.type"),
        ("// remark", "comment.line.double-slash"),
    ]


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("%x", "invalid.illegal.value"),
        ("%1a", "invalid.illegal.value"),
        ("12ab", "invalid.illegal.number"),
        ("0x7FC00001", "constant.numeric.hex"),
        ("-1.5e-3", "constant.numeric.decimal"),
        (".5", "constant.numeric.decimal"),
        ("nan", "constant.language.number"),
        ("-inf", "constant.language.number"),
        ("f64", "storage.type.element"),
        ("layer_1.bias", "string.unquoted"),
        ("nan.x", "string.unquoted"),
        ("# x", "comment.line.number-sign"),
        ("Same", "constant.language.padding"),
        ("->", "keyword.operator.arrow"),
    ],
)
def test_a_single_token(text, scope):
    assert shown(text) == [(text, scope)]


def test_lines_of_the_interface():
    assert shown("gradients: %0 -> %1") == [
        ("gradients", "keyword.control.interface"),
        (":", "punctuation.separator"),
        ("%0", "variable.other.value"),
        ("->", "keyword.operator.arrow"),
        ("%1", "variable.other.value"),
    ]
    assert shown("mesh: dp = 2")[:3] == [
        ("mesh", "keyword.control.interface"),
        (":", "punctuation.separator"),
        ("dp", "entity.other.attribute-name"),
    ]
    assert all(shown(f"{word}: %0")[0] == (word, "keyword.control.interface") for word in ("outputs", "tangents"))


def test_what_stands_in_strings_and_in_comments_over_lines_is_not_looked_at():
    assert {s for _, s in shown('"a # b // %1 /* d"')} == {"string.quoted.double"}
    assert shown("/* %1\n// */ %2") == [
        ("/*", "comment.block"),
        (" %1", "comment.block"),
        ("// ", "comment.block"),
        ("*/", "comment.block"),
        ("%2", "variable.other.value"),
    ]
    assert scopes('"not closed\n%1')[-2:] == ["variable.other.value.mindir"] * 2
