"""Text in: every form that is read, the place of every part, and what is said of text that is wrong."""

import re

import pytest
from hypothesis import given, settings, strategies as st
from random_modules import modules

import mind_mlir as mind
from mind_mlir.ir import Source, Span
from mind_mlir.ir.lexer import Lexer
from mind_mlir.ir.parser import locate, locate_interface
from mind_mlir.ir.written import quote

INPUTS = """%0 = Input {name = "x"} : tensor<f32[1, 4, 4, 1]>
%1 = Input {name = "f"} : tensor<f32[2, 1, 1, 1]>
"""


def read(line, result="%2"):
    """The module of two Inputs and this line."""
    return mind.parse(f"{INPUTS}{line}\noutputs: {result}\n")


def error_of(text):
    with pytest.raises(mind.MindError) as caught:
        mind.verify(mind.parse(text))
    return caught.value


# Foreign forms

SAME = {
    "%2 = Mul (%0, %1) : tensor<f32[2, 4, 4, 1]>": [
        "%2 = BinOp(Mul, %0, %1) : tensor<f32[2, 4, 4, 1]>",
        "%2=Mul(%0,%1):tensor<f32[2,4,4,1]>",
        "%2 = Mul\n  (%0, // left\n   %1) # right\n  /* type */ : tensor<f32[2, 4, 4, 1]>",
        "%2 = Mul (%0, %1) {} : tensor<f32[2, 4, 4, 1]>",
        "%2 = Mul (%0, %1) : Tensor<f32, [2, 4, 4, 1]>",
        "%2 = Mul (%0, %1) : tensor<f32>[2, 4, 4, 1]",
        "%2 = Mul (%0, %1) : tensor<2x4x4x1xf32>",
        "%2 = Mul (%0, %1) : tensor < 2 x 4 x 4 x 1 x f32 >",
        "%3 = %1\n%2 = Mul (%0, %3) : tensor<f32[2, 4, 4, 1]>",
        "%3 = %1 : tensor<f32[2, 1, 1, 1]>\n%2 = Mul (%0, %3) : tensor<f32[2, 4, 4, 1]>",
    ],
    "%2 = Neg (%0) : tensor<f32[1, 4, 4, 1]>": [
        "%2 = UnaryOp(Neg, %0)",
        "%2 = UnOp(Neg, %0)",
        "%2 = Neg(%0)",
        "%2 = Neg(%0) : tensor<1x4x4x1xf32>",
    ],
    "%2 = Sum (%0) {axes = [1, -1], keepdims = true} : tensor<f32[1, 1, 4, 1]>": [
        "%2 = Sum(%0, [1, -1], true)",
        "%2 = Sum(%0, [1, -1], keepdims = true)",
        "%2 = Sum(%0, axes: [1, -1], keepdims: True)",
        "%2 = Sum(%0, [1, -1]) {keepdims = TRUE}",
        '%2 = Sum (%0) {"keepdims": true, "axes": [1, -1]}',
    ],
    "%2 = Sum (%0) {axes = [], keepdims = false} : tensor<f32[]>": [
        "%2 = Sum(%0, [], false) : tensor<f32>",
        "%2 = Sum(%0, [], false) : tensor<f32[ ]>",
        "%2 = Sum(%0, [], false) : Tensor<f32, []>",
        "%2 = Sum(%0, [], false) : tensor<f32>[]",
    ],
    "%2 = Slice (%0) {ends = [1, 3, 4, 1], starts = [0, 1, 0, 0], steps = [1, 1, 2, 1]} : tensor<f32[1, 2, 2, 1]>": [
        "%2 = Slice(%0, [0, 1, 0, 0], [1, 3, 4, 1], [1, 1, 2, 1])",
        "%2 = Slice(%0, [0:1, 1:3, 0:4:2, 0:1:1])",
        "%2 = Slice(%0, [0x0, +1, 0, 0], [1, 3, 4, 1], [1, 1, 2, 1])",
    ],
    '%2 = Conv2d (%0, %1) {padding = "Same", strides = [1, 1]} : tensor<f32[1, 4, 4, 1]>': [
        "%2 = Conv2d(%0, %1, [1, 1], Same)",
        "%2 = Conv2d(%0, %1, [1, 1], same)",
        '%2 = Conv2d(%0, %1, [1, 1], "SAME")',
        "%2 = Conv2d(%0, %1) {strides: [1, 1], padding: Same}",
    ],
    "%2 = Conv2d (%0, %1) {padding = [[0, 1], [1, 0]], strides = [1, 2]} : tensor<f32[1, 4, 3, 1]>": [
        "%2 = Conv2d(%0, %1, [1, 2], Custom([[0, 1], [1, 0]]))",
        "%2 = Conv2d(%0, %1, [1, 2], [[0, 1], [1, 0]])",
        "%2 = Conv2d (%0, %1) {padding = Custom([[0, 1], [1, 0]]), strides = [1, 2]}",
    ],
    '%2 = Input {name = "a b"} : tensor<f32[]>': [
        '%2 = Input() {name: "a b"} : tensor<f32>',
        '%2 = Input("a b") : tensor<f32[]>',
        '%2 = Input {name = "a\\u{20}b"} : tensor<f32[]>',
    ],
    '%2 = Input {name = "a"} : tensor<f32[]>': [
        "%2 = Input {name = a} : tensor<f32[]>",
        "%2 = Input(a) : tensor<f32[]>",
    ],
    "%2 = ConstTensor {data = [[1.0, 2.0]], dtype = f32, shape = [1, 2]} : tensor<f32[1, 2]>": [
        '%2 = ConstTensor {data = [[1.0, 2.0]], dtype = "f32", shape = [1, 2]}',
        "%2 = ConstTensor([[1, 2e0]], f32, [1, 2])",
        "%2 = ConstTensor([[1., .2e1]], f32, [1, 2]) : tensor<1x2xf32>",
        "%2 = ConstTensor([[0x3F800000, 2]], f32, [1, 2])",
        '%2 = ConstTensor(base64("AACAPwAAAEA="), f32, [1, 2])',
    ],
    "%2 = ConstTensor {data = splat(0.5), dtype = f64, shape = [2, 2]} : tensor<f64[2, 2]>": [
        "%2 = ConstTensor {data = [[0.5, 0.5], [0.5, 0.5]], dtype = f64, shape = [2, 2]}",
        "%2 = ConstTensor(splat(5e-1), f64, [2, 2])",
    ],
    "%2 = ConstTensor {data = -7, dtype = i32, shape = []} : tensor<i32[]>": ["%2 = ConstTensor(-0x7, i32, [])"],
    "%2 = ConstI64 {value = -9223372036854775808} : tensor<i64[]>": ["%2 = ConstI64(-9223372036854775808)"],
    "%2 = ConstF32 {value = -0.0} : tensor<f32[]>": ["%2 = ConstF32(-0)", "%2 = ConstF32 {value: 0x80000000}"],
    "%2 = ConstF64 {value = inf} : tensor<f64[]>": ["%2 = ConstF64(+inf)", "%2 = ConstF64(0x7FF0000000000000)"],
}


@pytest.mark.parametrize(
    ("canonical", "foreign"), [(c, f) for c, forms in SAME.items() for f in forms], ids=lambda text: text[:60]
)
def test_a_foreign_form_is_read_as_the_written_one(canonical, foreign):
    m = mind.verify(read(foreign))
    assert m == read(canonical)
    assert str(m) == f"{INPUTS}{canonical}\noutputs: %2\n"


def test_late_inputs_are_read_and_moved_first_by_canonicalize():
    m = mind.parse("%5 = ConstF32(2.0)\n%7 = Input(x) : tensor<f32>\n%9 = Mul(%5, %7)\noutputs: %9")
    assert [o.id for o in m.operations] == [5, 7, 9]
    assert str(mind.canonicalize(m)).splitlines() == [
        '%0 = Input {name = "x"} : tensor<f32[]>',
        "%1 = ConstTensor {data = 2.0, dtype = f32, shape = []} : tensor<f32[]>",
        "%2 = Mul (%0, %1) : tensor<f32[]>",
        "outputs: %2",
    ]


def test_an_alias_may_stand_for_an_alias_an_output_and_a_gradient():
    m = mind.parse(f"{INPUTS}%2 = %0\n%3 = %2\noutputs: %3, %1\ngradients: %2 -> %3\n")
    assert (m.outputs, m.gradients) == ((0, 1), ((0, 0),))


@pytest.mark.parametrize(
    ("line", "code"),
    [("%2 = %7", "E4001"), ("%0 = %1", "E4002"), ("%2 = %1\n%2 = %0", "E4002"), ("%2 = %1 :", "E1001")],
)
def test_a_wrong_alias_is_an_error(line, code):
    assert error_of(f"{INPUTS}{line}\noutputs: %0").code == code


# The two ways to read


def perturbed(text):
    """The same module, written so that only the general parser can read it."""
    lines = [re.sub(r"^(%\d+) = (\w+)", r"  \1 /* id */ =\t\2", line) for line in text.splitlines()]
    return "# a comment\r\n" + " // end\r\n\n".join(lines) + "\n"


@settings(max_examples=150)
@given(modules())
def test_both_parsers_read_the_same_module(m):
    text = str(m)
    assert mind.parse(perturbed(text)) == mind.parse(text) == m


def test_an_equal_line_in_another_place_has_its_own_span():
    text = f"{INPUTS}%2 = Neg (%0) : tensor<f32[1, 4, 4, 1]>\n%3 = Neg (%2) : tensor<f32[1, 4, 4, 1]>\noutputs: %3\n"
    for o in mind.parse(text).operations:
        assert text[o.span.start : o.span.end] == text.splitlines()[o.id]


# Places

LINE = "%7 = Conv2d (%0, %11) {padding = [[0, 1], [0, 1]], strides = [2, 2]} : tensor<f32[1, 2, 3, 4]>"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("value", "%7"),
        ("opcode", "Conv2d"),
        ("operand 0", "%0"),
        ("operand 1", "%11"),
        ("padding", "[[0, 1], [0, 1]]"),
        ("name of padding", "padding"),
        ("strides", "[2, 2]"),
        ("type", "tensor<f32[1, 2, 3, 4]>"),
        ("no such part", "Conv2d"),
    ],
)
@pytest.mark.parametrize("line", [LINE, "/* é */ " + LINE.replace(", ", " , \n\t")])
def test_every_part_of_a_statement_has_a_place(line, part, text):
    source = Source("m", "\n\n" + line)
    span = locate(source, Span(source.text.index("%7"), len(source.text)), part)
    assert source.text[span.start : span.end].replace(" , \n\t", ", ") == text


@pytest.mark.parametrize(
    ("line", "part", "text"),
    [
        ("%3 = Sum(%0, [1], true)", "axes", "[1]"),
        ("%3 = Sum(%0, [1], true)", "keepdims", "true"),
        ("%3 = Sum(%0, [1], keepdims = true)", "keepdims", "true"),
        ("%3 = BinOp(Mul, %0, %1)", "opcode", "Mul"),
        ("%3 = Slice(%0, [0:1, 2:3])", "ends", "[0:1, 2:3]"),
        ("%3 = Neg(%0) : tensor<2xf32>", "type", "tensor<2xf32>"),
        ("%3 = Conv2d(%0, %1, [1, 1], Custom([[0, 1], [0, 1]]))", "padding", "Custom([[0, 1], [0, 1]])"),
        ('%3 = ConstTensor(base64("AACAPw=="), f32, [])', "data", 'base64("AACAPw==")'),
        ('%3 = Input {name = "a\\n"} : tensor<f32>', "name", '"a\\n"'),
    ],
)
def test_every_part_of_a_foreign_statement_has_a_place(line, part, text):
    span = locate(Source("m", line), Span(0, len(line)), part)
    assert line[span.start : span.end] == text


def test_every_output_and_gradient_has_a_place():
    line = "outputs: %1, %22, %3"
    places = locate_interface(Source("m", line), Span(0, len(line)))
    assert {k: line[s.start : s.end] for k, s in places.items()} == {
        "output 0": "%1",
        "output 1": "%22",
        "output 2": "%3",
    }
    line = "gradients: %1 -> %4, %2 -> %55"
    places = locate_interface(Source("m", line), Span(0, len(line)))
    assert {k: line[s.start : s.end] for k, s in places.items()} == {
        "gradient 0": "%1 -> %4",
        "gradient 1": "%2 -> %55",
    }


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        ("%2 = Neg (%0) : tensor<f32[2]>", "E2001", "tensor<f32[2]>"),
        ("%2 = Neg (%0) : tensor<f31[2]>", "E2002", "tensor<f31[2]>"),
        ("%2 = Neg (%0, %1)", "E2003", "Neg"),
        ("%2 = Neg (%9) : tensor<f32[2]>", "E4001", "%9"),
        ("%1 = Neg (%0) : tensor<f32[1, 4, 4, 1]>", "E4002", "%1"),
        ("%2 = Sum (%0) {axes = [7], keepdims = true} : tensor<f32[]>", "E3004", "[7]"),
        ("%2 = Sum (%0) {axis = [7], keepdims = true} : tensor<f32[]>", "E4013", "axis"),
        ("%2 = Sum (%0) {axes = [1], keepdims = maybe} : tensor<f32[]>", "E4013", "maybe"),
        ("%2 = Sum (%0, [1], true, 3)", "E4013", "3"),
        ("%2 = Sum (%0, [1], axes = [1])", "E4013", "[1]"),
        ("%2 = Neh (%0) : tensor<f32[]>", "E4012", "Neh"),
        ("%2 = Neg (%0} : tensor<f32[]>", "E1001", "}"),
        ("%2 = Neg (%0) {a} : tensor<f32[]>", "E1001", "}"),
        ("%2 = Sum (%0, [1, true)", "E1001", ")"),
        ("%2 = Sum ([1], %0)", "E1001", "%0"),
        ("%2 = Neg (%0) ; x", "E1002", ";"),
        ('%2 = Input {name = "a} : tensor<f32[]>', "E1003", '"'),
        ('%2 = Input {name = "a\\', "E1003", '"'),
        ('%2 = Input {name = "a\\q"} : tensor<f32[]>', "E1004", "\\q"),
        ('%2 = Input {name = "a\\u{d800}"} : tensor<f32[]>', "E1004", "\\u"),
        ("%2 = ConstF32(1.5.2)", "E1005", "1.5.2"),
        ("%2 = ConstF32(0x7F)", "E1005", "0x7F"),
        ("%2 = Neg (%0) /* x", "E1006", "/*"),
        ("%2 = ConstF32(1e39)", "E4005", "1e39"),
        ("outputs: %1", "E4015", "outputs: %0"),
        ("gradients: %0 -> %1\ngradients: %0 -> %1", "E4015", "gradients: %0 -> %1"),
    ],
    ids=lambda x: x[:50],
)
def test_an_error_points_at_the_part_at_fault(line, code, at):
    error = error_of(f"{INPUTS}{line}\noutputs: %0")
    text = error.source.text
    assert (error.code, text[error.span.start : error.span.end]) == (code, at)


def test_several_syntax_errors_are_told_at_once():
    text = f"""{INPUTS}%2 = Foo (%0) : tensor<f32[]>
%3 = Neg (%0 : tensor<f32[]>
%4 = Neg (%0) : tensor<f32[1, 4, 4, 1]>
%5 = Sum(%4, [0.5], true)
%6 = Input {{name = "a
outputs: %4, ;
"""
    error = error_of(text)
    assert [(d.code, d.source.line_col(d.span.start)[0]) for d in error.diagnostics] == [
        ("E4012", 3),
        ("E1001", 4),
        ("E4013", 6),
        ("E1003", 7),
        ("E1002", 8),
    ]


def test_independent_errors_of_verify_are_told_at_once_and_follow_on_ones_are_not():
    text = f"""{INPUTS}%2 = Dot (%0, %1) : tensor<f32[1]>
%3 = Neg (%2) : tensor<f32[1]>
%4 = Sum (%3) {{axes = [4], keepdims = false}} : tensor<f32[]>
outputs: %9
"""
    assert [d.code for d in error_of(text).diagnostics] == ["E3002", "E3004", "E4003"]


# Tokens


def tokens(text):
    lexer = Lexer(Source("m", text))
    found = []
    while (token := lexer.next()).kind != "end":
        assert token.kind == "string" or text[token.start : token.end] == token.text
        found.append((token.kind, token.text))
    return found


def test_the_lexer_tells_the_kinds_apart():
    assert tokens('%1 -> x.y$ -1.5e-3 +inf -nan 0xFF "a" [:,=] info nan_ .5 5.') == [
        ("value", "%1"),
        ("punctuation", "->"),
        ("word", "x.y$"),
        ("number", "-1.5e-3"),
        ("number", "+inf"),
        ("number", "-nan"),
        ("number", "0xFF"),
        ("string", "a"),
        *[("punctuation", c) for c in "[:,=]"],
        ("word", "info"),
        ("word", "nan_"),
        ("number", ".5"),
        ("number", "5."),
    ]


def test_comments_of_all_kinds_are_blanks():
    assert tokens("a # b\nc // d\r\ne /* f\n g */ h /**/ i //") == [("word", c) for c in "acehi"]


@given(st.text())
def test_a_quoted_string_reads_back_equal(text):
    if not any(0xD800 <= ord(c) < 0xE000 for c in text):  # a surrogate is no character
        written = quote(text)
        assert written.isprintable()
        assert tokens(written) == [("string", text)]


def test_every_escape_is_read():
    assert tokens(r'"\" \\ \n \t \r \0 \' \u{41} \u{1F600}"') == [("string", "\" \\ \n \t \r \0 ' A \U0001f600")]


def test_a_name_with_every_kind_of_character_survives_the_round_trip():
    name = "".join(map(chr, range(0x180))) + "\u2028\u202e\ufeff\U0001f600"
    b = mind.Builder()
    m = b.finish([b.Input(name, mind.f32(2))])
    assert mind.parse(str(m)) == m
    assert str(m).count("\n") == 2


# Printing


@pytest.mark.parametrize("opcode", ["Sum", "Conv2d", "ConstTensor", "Slice"])
def test_attributes_are_written_in_alphabetical_order(opcode):
    from mind_mlir.ir import OPS

    for op, _ in OPS[opcode].samples():
        names = re.findall(r"(\w+) = ", op.attribute_text())
        assert names == sorted(names)
        assert names


def test_an_attribute_with_its_default_value_is_not_written():
    b = mind.Builder()
    x, i = b.Input("x", mind.f32(3)), b.Input("i", mind.i64(2))
    m = b.finish([b.Gather(x, i), b.Gather(x, i, oob="fill")])
    lines = str(m).splitlines()
    assert lines[2] == "%2 = Gather (%0, %1) : tensor<f32[2]>"
    assert lines[3] == '%3 = Gather (%0, %1) {oob = "fill"} : tensor<f32[2]>'
    assert mind.parse(str(m)) == m


def test_the_digest_is_that_of_the_text():
    import hashlib

    m = read("%2 = Neg(%0)")
    assert mind.digest(m) == hashlib.sha256(str(m).encode()).hexdigest()
