"""How errors are told: the human form, JSON, the catalogue, and the exit status."""

import ast
import json
import re
from pathlib import Path

import pytest

import mind_mlir as mind
from mind_mlir.cli._reporting import exit_status
from mind_mlir.ir import Diagnostic, MindError, Source, Span
from mind_mlir.ir.codes import CODES, explain

PACKAGE = Path(mind.__file__).parent


def shown(text, part, **more):
    """The human form of an error at `part` of `text`."""
    start = text.index(part)
    return str(Diagnostic("E1001", "message", Source("m.mindir", text), Span(start, start + len(part)), **more))


def test_an_error_has_a_heading_a_place_the_line_a_caret_and_remarks():
    text = "%0 = A\n%1 = Bcd (%0)\n"
    there = ((Span(0, 2), "defined here"),)
    found = shown(text, "Bcd", label="not a", note="a note", help="some help", related=there)
    assert (
        found
        == """error[E1001]: message
 --> m.mindir:2:6
  |
2 | %1 = Bcd (%0)
  |      ^^^ not a
 ::: m.mindir:1:1
  |
1 | %0 = A
  | ^^ defined here
  = note: a note
  = help: some help"""
    )


def test_an_error_without_a_place_shows_its_label_as_a_note():
    assert str(Diagnostic("E6009", "message", label="why")) == "error[E6009]: message\n  = note: why"


def test_the_gutter_is_as_wide_as_the_line_number():
    found = shown("\n" * 999 + "%1 = X", "X").splitlines()
    assert found[1:] == ["    --> m.mindir:1000:6", "     |", "1000 | %1 = X", "     |      ^"]


@pytest.mark.parametrize("at", [0, 10, 95, 150, 5000, 9990, 9999])
def test_a_long_line_is_cut_around_the_place(at):
    line = "a" * at + "X" + "b" * (10_000 - at - 1)
    _, place, _, source, caret = shown(line, "X").splitlines()
    assert place.endswith(f":1:{at + 1}")
    assert len(source) < 110
    assert source[caret.index("^")] == "X"
    assert caret.count("^") == 1
    assert source.startswith("1 | …") == (at > 33)
    assert source.endswith("…") == (at < 9933)


def test_a_long_part_is_underlined_as_far_as_it_is_shown():
    *_, source, caret = shown("ab" + "X" * 1000, "X" * 1000).splitlines()
    assert caret.count("^") <= 101
    assert len(source) < 110


def test_a_place_at_the_end_of_the_text_has_a_caret():
    text = "%0 = A"
    d = Diagnostic("E1001", "message", Source("m", text), Span(len(text), len(text)))
    assert str(d).splitlines()[-1] == "  |       ^"
    assert str(Diagnostic("E4014", "message", Source("m", ""), Span(0, 0))).splitlines()[-1] == "  | ^"


def test_a_part_over_several_lines_is_underlined_on_the_first():
    *_, source, caret = shown("a (b,\n   c)", "(b,\n   c)").splitlines()
    assert (source, caret) == ("1 | a (b,", "  |   ^^^")


@pytest.mark.parametrize("line", ["a\tX", "\x1b[31mX", "é X", "a\u202eX", "\u200bX", "\r X"])
def test_nothing_in_the_source_moves_the_caret_or_the_terminal(line):
    *_, source, caret = shown(line, "X").splitlines()
    assert source.isprintable()
    assert source[caret.index("^")] == "X"


@pytest.mark.parametrize(("line", "column"), [("値 X", 7), ("ｗＸ X", 9), ("e\u0301 X", 6), ("🙂🙂X", 8)])
def test_the_caret_stands_below_what_follows_wide_characters(line, column):
    assert shown(line, "X").splitlines()[-1].index("^") == column


def test_wide_characters_are_underlined_whole():
    assert shown("a 値値 b", "値値").splitlines()[-1] == "  |   ^^^^"


def test_control_characters_in_messages_and_names_are_escaped():
    d = Diagnostic("E1001", "a\x1b[31mb", Source("m\n\x07", "x"), Span(0, 1), label="\x00", note="\x7f", help="\u202e")
    assert re.sub(r"[ -~\n]", "", str(d)) == ""
    assert "\\x1b" in str(d)
    assert " --> m\\n\\x07:1:1" in str(d)


def test_a_long_message_loses_its_middle():
    d = Diagnostic("E1001", "a" * 10**6 + "b", note="c" * 10**6)
    assert len(str(d)) < 2200
    assert str(d).splitlines()[0].endswith("aab")
    assert len(d.to_json()) < 2200


def test_line_and_column_count_from_one():
    s = Source("m", "ab\n\ncd")
    assert [s.line_col(i) for i in range(7)] == [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)]
    assert [s.line(n) for n in (1, 2, 3)] == ["ab", "", "cd"]


def test_lines_may_end_in_crlf():
    assert Source("m", "ab\r\ncd").line(1) == "ab"


# JSON


def test_json_has_the_place_in_lines_and_in_characters():
    s = Source("m.mindir", "ab\ncd ef\n")
    d = Diagnostic("E4002", "twice", s, Span(6, 8), label="l", note="n", help="h", related=((Span(0, 2), "here"),))
    assert json.loads(d.to_json()) == {
        "severity": "error",
        "code": "E4002",
        "message": "twice",
        "file": "m.mindir",
        "line": 2,
        "column": 4,
        "end_line": 2,
        "end_column": 6,
        "start": 6,
        "end": 8,
        "related": [{"line": 1, "column": 1, "message": "here"}],
        "label": "l",
        "note": "n",
        "help": "h",
    }


def test_json_leaves_out_what_there_is_not():
    d = Diagnostic("E6009", "m")
    assert json.loads(d.to_json()) == {"severity": "error", "code": "E6009", "message": "m"}


def test_json_is_one_line_for_each_diagnostic_whatever_is_in_it():
    nasty = 'quote " backslash \\ line\nend\u2028 \x00 é 値'
    error = MindError([Diagnostic("E1001", nasty, Source(nasty, nasty), Span(0, 3), note=nasty)] * 2)
    lines = error.to_json().split("\n")
    assert [json.loads(line)["message"] for line in lines] == [nasty, nasty]


# MindError


def test_an_error_shows_the_first_of_its_diagnostics_and_prints_all():
    first, second = Diagnostic("E2001", "one", Source("m", "x"), Span(0, 1)), Diagnostic("E3001", "two")
    error = MindError([first, second])
    assert (error.code, error.message, error.span, error.source) == ("E2001", "one", Span(0, 1), first.source)
    assert str(error) == f"{first}\n{second}"


def test_errors_of_a_built_module_have_a_place_in_its_printed_text():
    b = mind.Builder()
    x = b.Input("x", mind.f32(2))
    b.Neg(x)
    good = b.finish([x])
    op = good[1].op
    wrong = mind.Operation(op, (0,), (mind.Result(1, mind.f32(3)),))
    undefined = mind.Operation(op, (7,), (mind.Result(1, mind.f32(2)),))
    twice = mind.Operation(op, (0,), (mind.Result(0, mind.f32(2)),))
    for operation, at in ((wrong, "tensor<f32[3]>"), (undefined, "%7"), (twice, "%0")):
        m = mind.Module((good[0], operation), (0,))
        with pytest.raises(MindError) as caught:
            mind.verify(m)
        source, span = caught.value.source, caught.value.span
        assert source.text == str(m)
        assert source.line_col(span.start)[0] == 2
        assert source.text[span.start : span.end] == at


@pytest.mark.parametrize(
    ("outputs", "gradients", "code", "at"),
    [((), (), "E4014", ""), ((0, 9), (), "E4003", "%9"), ((0,), ((0, 0), (0, 8)), "E4003", "%0 -> %8")],
)
def test_errors_of_a_built_interface_have_a_place_in_its_printed_text(outputs, gradients, code, at):
    b = mind.Builder()
    b.Input("outputs: ", mind.f32(2))
    m = mind.Module(tuple(b.operations), outputs, gradients)
    with pytest.raises(MindError) as caught:
        mind.verify(m)
    error = caught.value
    assert error.code == code
    assert error.source.text == str(m)
    assert str(m)[error.span.start : error.span.end] == at


def test_errors_keep_their_place_through_passes():
    text = '%5 = Input {name = "x"} : tensor<f32[3]>\n%7 = Neg (%5)\n%9 = Index (%7, [4])\noutputs: %9\n'
    m = mind.canonicalize(mind.parse(text))
    with pytest.raises(MindError) as caught:
        mind.compile(m)
    assert caught.value.code == "E6001"
    assert text[caught.value.span.start : caught.value.span.end] == "[4]"


# The catalogue


def codes_in_the_source():
    """Every E-code in a string of the package that is not a docstring, and where."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        if path.name == "codes.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"E\d{4}", node.value):
                found.setdefault(node.value, path.name)
    return found


def test_every_code_that_is_used_is_in_the_catalogue():
    unknown = {code: where for code, where in codes_in_the_source().items() if code not in CODES}
    assert not unknown


def test_every_code_in_the_catalogue_is_used():
    unused = set(CODES) - set(codes_in_the_source())
    assert not {c for c in unused if c[:2] not in ("E5", "E8")}


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(code):
    entry = CODES[code]
    text = explain(code)
    assert text.startswith(f"{code}: {entry.title}\n")
    assert "When: " in text
    assert "What to do: " in text
    assert re.fullmatch(r"E[1-9]\d{3}", code)
    assert entry.when.endswith(".")
    assert entry.fix.endswith((".", "`"))


def test_the_catalogue_is_in_order():
    assert list(CODES) == sorted(CODES)


def test_an_unknown_code_has_no_explanation():
    with pytest.raises(KeyError):
        explain("E0000")


@pytest.mark.parametrize(
    ("codes", "status"),
    [
        (["E1001"], 1),
        (["E4014"], 1),
        (["E6009"], 1),
        (["E7004"], 1),
        (["E7005"], 1),
        (["E7011"], 1),
        (["E7001"], 2),
        (["E7002"], 2),
        (["E7003"], 2),
        (["E7006"], 2),
        (["E7007"], 2),
        (["E7007", "E1001"], 1),
        (["E9001"], 3),
        (["E9002"], 3),
        (["E1001", "E9003"], 3),
    ],
)
def test_the_exit_status_follows_from_the_codes(codes, status):
    assert exit_status(MindError([Diagnostic(c, "m") for c in codes])) == status
