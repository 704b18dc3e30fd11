"""Whatever is read, the answer is a result or an error with a code: no trace, abort, hang or half-written file."""

import json
import os
import random
import re
import subprocess
import sys
import zipfile

import commands
import numpy as np
import pytest
from commands import INPUT, OK, USAGE, assert_refused, codes, files, run
from limits import HUNG

import mind_mlir as mind
from mind_mlir.ir import OPS, parser
from mind_mlir.passes import preflight

MODULE = """// every kind of statement, in several spellings
%0 = Input {name = "x"} : tensor<f32[2, 3]>
%1 = ConstTensor {data = [[1.0, -0.0, inf], [nan, 0x7FC00001, 1e-3]], dtype = f32, shape = [2, 3]} : tensor<f32[2, 3]>
%2 = BinOp(Mul, %0, %1) : Tensor<f32, [2, 3]>
%3 = Sum(%2, [1], true)
%4 = Slice(%2, [0:2:1, 1:3]) /* comment */
%5 = ConstTensor {data = base64("AACAPw=="), dtype = "f32", shape = []} : tensor<f32>
%6 = ConstTensor {data = splat(1.0), dtype = f32, shape = [4, 4]} : tensor<4x4xf32>
%7 = Input() {name: "im\\u{41}\\n"} : tensor<f32>[1, 5, 5, 1]
%8 = Input {name = k} : tensor<f32[3, 3, 1, 1]>
%9 = Conv2d(%7, %8, [1, 1], Custom([[0, 1], [0, 1]])) : tensor<f32[1, 4, 4, 1]>
%10 = %9
%11 = ConstI64 {value = -3} : tensor<i64[]>
outputs: %3, %4, %10, %11
gradients: %0 -> %2
"""

SMALL = '%0 = Input {name = "x"} : tensor<f32[2, 3]>\n%1 = Neg (%0) : tensor<f32[2, 3]>\noutputs: %1\n'


def judged(text):
    """The codes that parse and verify give for a text; an exception of any other kind fails the test."""
    error = None
    try:
        mind.verify(mind.parse(text))
    except mind.MindError as why:
        error = why
    if error is None:
        return []
    assert str(error).startswith("error[E")
    assert len(str(error)) < 20_000
    return [json.loads(line)["code"] for line in error.to_json().splitlines()]


# Text


def test_the_module_that_the_mutations_start_from_is_valid():
    assert judged(MODULE) == []


def test_a_module_cut_anywhere_is_an_error_or_a_module():
    outcomes = [judged(MODULE[:i]) for i in range(len(MODULE))]
    assert outcomes[0] == ["E4014"]
    assert sum(map(bool, outcomes)) > len(MODULE) * 9 // 10


def test_a_module_that_lacks_a_character_is_an_error_or_a_module():
    for i in range(len(MODULE)):
        judged(MODULE[:i] + MODULE[i + 1 :])


def test_random_tokens_are_an_error():
    tokens = re.findall(r"\w+|\s+|[^\w\s]", MODULE) + list(OPS)
    tokens += ["0x", "1e400", "->", "%99999999999999999999", "%-1", '"', "\\", "/*", "*/", "#", "//", "[[", "{{"]
    tokens += ['base64("', "splat(", "9" * 500, "é", "\0", "\u202e", "\ufeff", "tensor<", "tensor<f32["]
    r = random.Random(0)
    accepted = 0
    for n in range(2000):
        if n % 2:
            soup = "".join(r.choice(tokens) + r.choice(["", " "]) for _ in range(r.randint(1, 60)))
        else:
            mutated = re.findall(r"\w+|\s+|[^\w\s]", MODULE)
            for _ in range(r.randint(1, 4)):
                mutated[r.randrange(len(mutated))] = r.choice(tokens)
            soup = "".join(mutated)
        accepted += not judged(soup)
    assert accepted < 400


def test_random_bytes_are_an_error():
    r = random.Random(1)
    for _ in range(1000):
        assert judged(r.randbytes(r.randint(1, 200)))


DEEP = 100_000


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("[" * DEEP + "]" * DEEP, "E1001"),
        ("[" * DEEP, "E1001"),
        ("[1, " * DEEP, "E1001"),
        ("[" * 500 + "]" * 500, "E1001"),
        ("[1, " + "[" * 500 + "]" * 501, "E3010"),
        ("splat(" * DEEP + ")" * DEEP, "E1001"),
        ("[f(" * DEEP + ")]" * DEEP, "E1001"),
        ("{" * DEEP, "E1001"),
        ("(" * DEEP, "E1001"),
    ],
    ids=["brackets", "open brackets", "rows", "some", "some inside", "calls", "mixed", "braces", "parentheses"],
)
def test_deep_nesting_is_an_error(value, code):
    assert judged(f"%0 = ConstTensor {{data = {value}, dtype = f32, shape = [1]}} : tensor<f32[1]>\n") == [code]


def test_deep_nesting_of_operations_is_an_error():
    assert judged("%0 = " + "BinOp(" * DEEP) == ["E1001"]
    assert judged("%0 = Relu (%0) : " + "tensor<" * DEEP) == ["E1001"]


TEN_MB = 10**7
INPUT_LINE = '%0 = Input {name = "x"} : tensor<f32[2]>\n'

LONG_LINES = {
    "blanks": (" " * TEN_MB, "E4014"),
    "a word": ("x" * TEN_MB, "E1001"),
    "a number": ("%0 = ConstI64 {value = " + "9" * TEN_MB + "} : tensor<i64[]>", "E1005"),
    "an id": ("%" + "9" * TEN_MB, "E1005"),
    "a string without end": ('%0 = Input {name = "' + "x" * TEN_MB, "E1003"),
    "escapes without end": ('%0 = Input {name = "' + "\\n" * (TEN_MB // 10), "E1003"),
    "two long names": (f'{{}} = Input {{{{name = "{"x" * TEN_MB}"}}}} : tensor<f32[]>\n' * 2, "E4004"),
    "operands": (INPUT_LINE + "%1 = Neg (" + "%0, " * (TEN_MB // 4) + "%0) : tensor<f32[2]>", "E2007"),
    "one attribute": (INPUT_LINE + "%1 = Neg (%0) {" + "a = 1, " * (TEN_MB // 7), "E4013"),
    "numbers": (
        "%0 = ConstTensor {data = [" + "1.0, " * (TEN_MB // 5) + "1.0], dtype = f32, shape = [2]} : tensor<f32[2]>",
        "E4005",
    ),
    "no base64": (
        '%0 = ConstTensor {data = base64("' + "!" * TEN_MB + '"), dtype = f32, shape = [2]} : tensor<f32[2]>',
        "E4005",
    ),
    "extents": ('%0 = Input {name = "x"} : tensor<f32[' + "1, " * (TEN_MB // 3) + "1]>", "E1001"),
    "percent signs": ("%" * TEN_MB, "E1005"),
    "open comments": ("/* " * (TEN_MB // 3), "E1006"),
    "undefined operations": ("%0 = Foo " * (TEN_MB // 9), "E4012"),
}


@pytest.mark.parametrize("what", LONG_LINES)
def test_ten_megabytes_on_one_line_are_one_short_error(what):
    text, code = LONG_LINES[what]
    with pytest.raises(mind.MindError) as caught:
        mind.verify(mind.parse(text.format("%0", "%1") if text.startswith("{}") else text))
    assert caught.value.code == code
    assert len(str(caught.value)) < 3000
    assert len(caught.value.to_json()) < 3000


def test_ten_megabytes_of_numbers_on_one_line_are_read():
    n = TEN_MB // 10
    text = f"%0 = ConstTensor {{data = [{'1.5, 2.5, ' * n}3.5], dtype = f32, shape = [{2 * n + 1}]}}\noutputs: %0"
    (constant,) = mind.verify(mind.parse(text)).operations
    assert constant.op.data.numbers()[-2:] == [2.5, 3.5]


def test_a_long_name_with_escapes_is_read():
    n = TEN_MB // 10
    m = mind.parse('%0 = Input {name = "' + "a\\n" * n + '"} : tensor<f32[2]>\noutputs: %0')
    assert m[0].op.name == "a\n" * n


def test_an_error_on_a_long_line_shows_a_piece_of_it(tmp_path):
    (tmp_path / "m.mindir").write_text(INPUT_LINE + "%1 = Neg (%0) " + " " * TEN_MB + "]")
    done = run("mind_opt", "m.mindir", cwd=tmp_path)
    assert_refused(done, "E1001")
    assert f"m.mindir:2:{15 + TEN_MB}" in done.stderr


def test_more_wrong_lines_than_anyone_reads_are_cut():
    assert judged("%0 = Foo\n" * 100_000) == ["E4012"] * parser.MAX_ERRORS
    assert judged(INPUT_LINE + "outputs: " + "%1, " * 20_000 + "%1") == ["E4003"] * 20


@pytest.mark.parametrize(
    ("id", "code"),
    [("%-1", "E1005"), ("%", "E1005"), ("%x", "E1005"), ("%1x", "E1005"), ("%1.5", "E1005"), ("%" + "9" * 19, "E1005")],
)
def test_an_id_that_is_no_small_natural_number_is_an_error(id, code):
    assert judged(f'{id} = Input {{name = "x"}} : tensor<f32[]>\n{INPUT_LINE}outputs: %0') == [code]


def test_the_largest_id_is_read_and_lowered_and_renumbered():
    top = 10**18 - 1
    m = mind.verify(mind.parse(f'%{top} = Input {{name = "x"}} : tensor<f32[2]>\noutputs: %{top}'))
    assert str(mind.canonicalize(m)).startswith("%0 = Input")
    x = np.float32([1, 2])
    assert mind.compile(m)(x)[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe" + SMALL.encode("utf-16-le"), "E1001"),
        (b'%0 = Input {name = "\xe9"}', "E1001"),
        (SMALL.encode() + b"\x80", "E1001"),
        (SMALL.encode() + b"\0", "E1002"),
        (b"\0" + SMALL.encode(), "E1002"),
        (b"\xed\xa0\x80", "E1001"),
    ],
    ids=["UTF-16", "Latin-1", "a stray byte", "NUL at the end", "NUL in front", "a surrogate"],
)
def test_bytes_that_are_no_text_are_one_error(data, code, tmp_path):
    (tmp_path / "m.mindir").write_bytes(data)
    done = run("mind_opt", "m.mindir", cwd=tmp_path)
    assert set(codes(done)) == {code}
    assert done.returncode == INPUT


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf" + SMALL.encode(), SMALL.replace("\n", "\r\n").encode(), SMALL.rstrip().encode()],
    ids=["byte order mark", "CRLF", "no last line end"],
)
def test_what_editors_do_to_line_ends_changes_nothing(data):
    assert mind.parse(data) == mind.parse(SMALL)


# Shapes


def one_op(shape):
    return f'%0 = Input {{name = "x"}} : tensor<f32[{shape}]>\n%1 = Neg (%0)\noutputs: %1\n'


TOO_LARGE = {
    "10^12 elements": one_op("1000000000000"),
    "a product of 2^64": one_op("4294967296, 4294967296"),
    "the largest extents": one_op(", ".join(["9223372036854775807"] * 4)),
    "a product of 2^64 beside a 0": one_op("4294967296, 0, 4294967296"),
    "a splat": "%0 = ConstTensor {data = splat(1.0), dtype = f32, shape = [1000000000000]}\noutputs: %0\n",
    "an empty constant": (
        '%0 = ConstTensor {data = base64(""), dtype = f32, shape = [9223372036854775807, 0]}\n'
        "%1 = Sum (%0, [], false)\noutputs: %1\n"
    ),
    "a broadcast": (
        '%0 = Input {name = "x"} : tensor<f32[10000000, 1]>\n%1 = Input {name = "y"} : tensor<f32[1, 10000000]>\n'
        "%2 = Add (%0, %1)\noutputs: %2\n"
    ),
    "a padded input": (
        '%0 = Input {name = "x"} : tensor<f32[1, 4, 4, 1]>\n%1 = Input {name = "f"} : tensor<f32[1, 1, 1, 1]>\n'
        "%2 = Conv2d (%0, %1, [1000000000000, 1], Custom([[10000000000000, 0], [0, 0]]))\noutputs: %2\n"
    ),
}


def test_a_padding_beyond_what_an_extent_can_be_is_refused():
    with pytest.raises(mind.MindError, match=r"E4010.*Conv2d pads 4 to 9223372036854775820") as caught:
        mind.parse(
            '%0 = Input {name = "x"} : tensor<f32[1, 4, 4, 1]>\n%1 = Input {name = "f"} : tensor<f32[1, 1, 1, 1]>\n'
            "%2 = Conv2d (%0, %1, [9223372036854775807, 1], Custom([[9223372036854775807, 9], [0, 0]]))\noutputs: %2\n"
        )
    assert caught.value.span is not None


@pytest.mark.parametrize("what", TOO_LARGE)
def test_a_shape_too_large_is_refused_before_anything_runs(what):
    m = mind.verify(mind.parse(TOO_LARGE[what]))
    assert mind.parse(str(mind.canonicalize(m))) == mind.canonicalize(m)
    for use in (mind.interpret, mind.compile, mind.to_mlir):
        with pytest.raises(mind.MindError) as caught:
            use(m)
        assert caught.value.code == "E6004"
        assert caught.value.span is not None


@pytest.mark.parametrize(
    "command",
    [
        ("mind_run", "m.mindir"),
        ("mind_run", "m.mindir", "--random=0"),
        ("mind_run", "m.mindir", "--target=interpret", "--random=0"),
        ("mind_translate", "m.mindir", "--to-mlir"),
        ("mind_translate", "m.mindir", "--to-obj", "-o", "m.o"),
        ("mind_opt", "m.mindir", "--compile-to=llvm"),
    ],
    ids=" ".join,
)
def test_a_shape_too_large_is_refused_by_every_command(command, tmp_path):
    (tmp_path / "m.mindir").write_text(TOO_LARGE["a product of 2^64"])
    assert_refused(run(*command, cwd=tmp_path), "E6004")
    assert files(tmp_path) == {"m.mindir"}


def test_a_rank_that_arrays_do_not_have_is_refused_before_anything_runs():
    most = preflight.MAX_RANK
    m = mind.verify(mind.parse(one_op(", ".join(["1"] * (most + 1)))))
    for use in (mind.interpret, mind.compile, mind.to_mlir):
        with pytest.raises(mind.MindError, match=r"E6003.*up to 31 axes"):
            use(m)
    m = mind.parse(one_op(", ".join(["1"] * most)))
    x = np.ones((1,) * most, np.float32)
    assert mind.compile(m)(x)[0] == mind.interpret(m, x)[0] == -1


def test_values_that_fit_alone_but_not_together_are_refused():
    m = mind.parse(SMALL)
    preflight.check_memory(m, 48)
    with pytest.raises(mind.MindError, match=r"E6004.*48 bytes are needed at once at %1; 47 bytes are available"):
        preflight.check_memory(m, 47)


# Files

FULL = ["/dev/full"] if os.path.exists("/dev/full") else []


def test_a_missing_file_is_one_error(tmp_path):
    for command in ("mind_opt", "mind_translate", "mind_run"):
        assert_refused(run(command, "no.mindir", cwd=tmp_path), "E7004")


def test_a_directory_as_input_is_one_error(tmp_path):
    assert_refused(run("mind_opt", str(tmp_path), cwd=tmp_path), "E7004")


def test_a_path_below_a_file_is_one_error(tmp_path):
    (tmp_path / "m.mindir").write_text(SMALL)
    assert_refused(run("mind_opt", "m.mindir/x", cwd=tmp_path), "E7004")
    assert_refused(run("mind_opt", "m.mindir", "-o", "m.mindir/x", cwd=tmp_path), "E7005")


def test_a_path_with_nul_is_one_error(tmp_path):
    with pytest.raises(mind.MindError, match="E7004"):
        parser.read_source("m\0.mindir")


def test_a_file_without_permission_is_one_error(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(mind.MindError, match=r"error\[E7004\]: cannot read m.mindir: Permission denied"):
        parser.read_source("m.mindir")


@pytest.mark.parametrize("name", ["folder", "none/m.out", *FULL])
@pytest.mark.parametrize(
    "command", [("mind_opt", "-o"), ("mind_translate", "--to-mlir", "-o"), ("mind_run", "--random=0", "--outputs")]
)
def test_an_output_that_cannot_be_written_is_one_error(command, name, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "m.mindir").write_text(SMALL)
    before = files(tmp_path)
    assert_refused(run(*command, name, "m.mindir", cwd=tmp_path), "E7005")
    assert files(tmp_path) == before


@pytest.mark.skipif(not FULL, reason="this system has no device that is always full")
def test_a_full_standard_output_is_one_error(tmp_path):
    (tmp_path / "m.mindir").write_text(SMALL)
    for arguments in (["--list-passes"], ["m.mindir"], ["--help"]):
        with open("/dev/full", "wb") as full:
            command = commands.program("mind_opt", *arguments)
            done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=HUNG)
        assert done.stderr.decode().startswith("error[E7005]: "), arguments
        assert done.stderr.count(b"\n") == 1
        assert done.returncode == INPUT


@pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of a file are a POSIX matter")
@pytest.mark.parametrize(
    "command", [("mind_opt", "-o"), ("mind_translate", "--to-mlir", "-o"), ("mind_run", "--random=0", "--outputs")]
)
def test_a_write_that_fails_half_way_keeps_the_old_file(command, tmp_path):
    import resource

    (tmp_path / "m.mindir").write_text(one_op("1000") + "// " + "x" * 100)
    (tmp_path / "old.npz").write_text("old")
    before = files(tmp_path)
    done = run(
        *command,
        "old.npz",
        "m.mindir",
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50)),
    )
    assert_refused(done, "E7005")
    assert (tmp_path / "old.npz").read_text() == "old"
    assert files(tmp_path) == before


# Arrays


@pytest.fixture
def exe(request):
    return mind.compile(mind.parse(SMALL), target=request.param)


TARGETS = pytest.mark.parametrize("exe", ["cpu", "interpret"], indirect=True)
X = np.arange(6, dtype=np.float32).reshape(2, 3)

UNFIT = {
    "another dtype": (X.astype(np.float64), "found float64[2, 3]"),
    "another shape": (X.reshape(3, 2), "found float32[3, 2]"),
    "another rank": (X[0], "found float32[3]"),
    "a shape that would broadcast": (X[:1], "found float32[1, 3]"),
    "Fortran order": (np.asfortranarray(X), "found a Fortran-ordered array"),
    "a strided view": (np.zeros((2, 6), np.float32)[:, ::2], "found a strided array"),
    "the other byte order": (X.astype(X.dtype.newbyteorder()), "in the other byte order"),
    "misaligned": (np.frombuffer(b"\0" * 25, np.uint8)[1:].view(np.float32).reshape(2, 3), "not aligned"),
    "a list": (X.tolist(), "found a list"),
    "a number": (1.0, "found a float"),
    "nothing": (None, "found a NoneType"),
    "an object array": (X.astype(object), "found object[2, 3]"),
    "a structured array": (np.zeros((2, 3), [("a", "f4")]), "found"),
    "text": ("x", "found a str"),
}


@TARGETS
@pytest.mark.parametrize("what", UNFIT)
def test_an_array_that_does_not_fit_is_one_error(exe, what):
    value, found = UNFIT[what]
    for call in (lambda: exe(value), lambda: exe(x=value), lambda: mind.interpret(exe.module, value)):
        with pytest.raises(mind.MindError) as caught:
            call()
        assert caught.value.code == "E6009"
        assert caught.value.message.startswith("argument x: expected tensor<f32[2, 3]>, found")
        assert found in caught.value.message
        assert caught.value.diagnostics[0].help


@TARGETS
def test_a_read_only_input_is_fine(exe):
    x = X.copy()
    x.flags.writeable = False
    assert exe(x)[0].tolist() == (-X).tolist()


@TARGETS
@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((), {}, "argument x is missing"),
        ((X, X), {}, "1 argument expected, found 2"),
        ((X,), {"x": X}, "argument x is given twice: by position and by name"),
        ((), {"y": X}, "no Input is named y"),
        ((X,), {"y": X}, "no Input is named y"),
    ],
)
def test_missing_and_surplus_arguments_are_one_error(exe, arguments, named, message):
    with pytest.raises(mind.MindError) as caught:
        exe(*arguments, **named)
    assert (caught.value.code, caught.value.message) == ("E6009", message)


def read_only():
    a = np.empty_like(X)
    a.flags.writeable = False
    return a


@TARGETS
@pytest.mark.parametrize(
    ("out", "message"),
    [
        (read_only(), r"out\[0\] is read-only"),
        (np.empty((2, 3)), r"out\[0\]: expected tensor<f32\[2, 3\]>, found float64\[2, 3\]"),
        (np.empty((2, 6), np.float32)[:, ::2], r"out\[0\]: .* found a strided array"),
        ([], "out= takes 1 array, found 0"),
        ([np.empty_like(X)] * 2, "out= takes 1 array, found 2"),
        (5, "out= takes 1 array, found a int"),
        (X, r"out\[0\] shares memory with an argument"),
        ([[1.0]], r"out\[0\]: .* found a list"),
        ([np.float32(1)], r"out\[0\]: .* found float32\[\]"),
    ],
    ids=["read-only", "dtype", "strided", "none", "two", "a number", "the argument", "a list", "a scalar"],
)
def test_an_out_that_does_not_fit_is_one_error(exe, out, message):
    with pytest.raises(mind.MindError, match=rf"error\[E6009\]: {message}"):
        exe(X, out=out)


# Archives


def archive(tmp_path, **arrays):
    np.savez(tmp_path / "in.npz", **arrays)


def run_on_archive(tmp_path, *more):
    (tmp_path / "m.mindir").write_text(SMALL)
    return run("mind_run", "m.mindir", "--inputs=in.npz", "--target=interpret", *more, cwd=tmp_path)


def test_an_archive_with_the_inputs_is_read(tmp_path):
    archive(tmp_path, x=X)
    done = run_on_archive(tmp_path, "--outputs=out.npz")
    assert (done.returncode, done.stdout, done.stderr) == (OK, "", "")
    with np.load(tmp_path / "out.npz") as out:
        assert out["out0"].tolist() == (-X).tolist()


BAD_ARCHIVES = {
    "text": b"x = 1\n",
    "empty": b"",
    "a zip without end": b"PK\x03\x04" + b"\0" * 60,
    "not UTF-8": b"\xff" * 100,
}


@pytest.mark.parametrize("what", BAD_ARCHIVES)
def test_a_file_that_is_no_archive_is_one_error(what, tmp_path):
    (tmp_path / "in.npz").write_bytes(BAD_ARCHIVES[what])
    assert_refused(run_on_archive(tmp_path), "E7010")


def test_a_single_array_is_no_archive(tmp_path):
    with open(tmp_path / "in.npz", "wb") as f:
        np.save(f, X)
    assert_refused(run_on_archive(tmp_path), "E7010")


def test_a_pickled_array_is_refused(tmp_path):
    archive(tmp_path, x=np.array([{"a": 1}], object))
    assert_refused(run_on_archive(tmp_path), "E7010")


def member(array) -> bytes:
    import io

    f = io.BytesIO()
    np.save(f, array)
    return f.getvalue()


def test_an_archive_with_one_name_twice_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "in.npz", "w") as z:
        z.writestr("x.npy", member(X))
        with pytest.warns(UserWarning, match="Duplicate name"):
            z.writestr("x.npy", member(X + 1))
    done = run_on_archive(tmp_path)
    assert_refused(done, "E7010")
    assert "x" in done.stderr


def test_an_archive_member_that_is_no_array_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "in.npz", "w") as z:
        z.writestr("x", b"hello")
    assert_refused(run_on_archive(tmp_path), "E7010")


def test_a_damaged_archive_is_an_error_wherever_it_is_damaged(tmp_path, capsys):
    from mind_mlir.cli.mind_run import app

    (tmp_path / "m.mindir").write_text(SMALL)
    np.savez_compressed(tmp_path / "good.npz", x=X)
    good = (tmp_path / "good.npz").read_bytes()
    bad = tmp_path / "bad.npz"
    r = random.Random(2)
    refused = 0
    for n in range(400):
        data = bytearray(good[: r.randrange(len(good))] if n % 3 == 0 else good)
        if data and n % 3:
            data[r.randrange(len(data))] = r.randrange(256)
        bad.write_bytes(data)
        arguments = [str(tmp_path / "m.mindir"), f"--inputs={bad}", "--target=interpret"]
        status = app(arguments, standalone_mode=False)
        printed = capsys.readouterr()
        if status == OK:
            assert printed.out.startswith("out0: ")
        else:
            assert re.match(r"error\[(E7004|E7010|E6004|E6009)\]: ", printed.err)
            assert status == INPUT
            refused += 1
    assert refused > 200


def test_an_array_that_says_it_is_huge_is_one_error(tmp_path):
    header = member(X).replace(b"(2, 3), }        ", b"(999999999, 3), }")
    with zipfile.ZipFile(tmp_path / "in.npz", "w") as z:
        z.writestr("x.npy", header)
    assert_refused(run_on_archive(tmp_path), "E7010")


def test_arrays_that_do_not_fit_the_inputs_are_one_error(tmp_path):
    for arrays in ({"x": X.T}, {"x": X.astype(int)}, {}, {"x": X, "y": X}, {"y": X}):
        archive(tmp_path, **arrays)
        assert_refused(run_on_archive(tmp_path), "E6009")


def test_inputs_that_are_missing_or_a_directory_are_one_error(tmp_path):
    assert_refused(run_on_archive(tmp_path), "E7004")
    (tmp_path / "in.npz").mkdir()
    assert_refused(run_on_archive(tmp_path), "E7004")


def test_inputs_and_random_together_are_wrong_usage(tmp_path):
    archive(tmp_path, x=X)
    assert_refused(run_on_archive(tmp_path, "--random=1"), "E7007", USAGE)
