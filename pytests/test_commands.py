"""The three commands as a user meets them: exit status, streams, files, help, completion, and faults of ours."""

import inspect
import json
import os
import re
import stat
import subprocess
import sys

import commands
import numpy as np
import pytest
from commands import BUG, INPUT, OK, USAGE, assert_refused, codes, files, run
from limits import HUNG

import mind_mlir as mind
from mind_mlir.lowering.interface import codegen
from mind_mlir.lowering.toolchain.installed import tool

TEXT = """%0 = Input {name = "x"} : tensor<f32[2, 3]>
%1 = Neg (%0) : tensor<f32[2, 3]>
%2 = Sum (%1) {axes = [1], keepdims = false} : tensor<f32[2]>
outputs: %2
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)
COMMANDS = ["mind_opt", "mind_translate", "mind_run"]


@pytest.fixture
def folder(tmp_path):
    """A folder with a module, an MLIR file and arrays."""
    (tmp_path / "m.mindir").write_text(TEXT)
    (tmp_path / "m.mlir").write_text("func.func @f() {\n  return\n}\n")
    np.savez(tmp_path / "in.npz", x=X)
    return tmp_path


# Exit status


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["mind_opt", "m.mindir"], OK),
        (["mind_opt", "m.mindir", "--canonicalize"], OK),
        (["mind_opt", "m.mindir", "-p", "canonicalize,lower-to-linalg,cse"], OK),
        (["mind_opt", "m.mlir", "--canonicalize"], OK),
        (["mind_opt", "--explain", "E3001"], OK),
        (["mind_opt", "--explain=3001"], OK),
        (["mind_opt", "--list-passes"], OK),
        (["mind_opt", "--version"], OK),
        (["mind_opt", "m.mindir", "-p", "verify", "--dump-pipeline"], OK),
        (["mind_translate", "m.mindir"], OK),
        (["mind_translate", "m.mindir", "--to-dot"], OK),
        (["mind_translate", "m.mindir", "--to-llvmir"], OK),
        (["mind_run", "m.mindir", "--inputs=in.npz"], OK),
        (["mind_run", "m.mindir", "--random=1", "--compare"], OK),
    ],
    ids=lambda a: " ".join(a) if isinstance(a, list) else None,
)
def test_a_good_call_prints_a_result_and_nothing_else(arguments, status, folder):
    before = files(folder)
    done = run(*arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout
    assert files(folder) == before


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (["mind_opt", "no.mindir"], "E7004", INPUT),
        (["mind_opt", "no.mlir", "--cse"], "E7004", INPUT),
        (["mind_opt", "m.mindir", "-p", "verfy"], "E7002", USAGE),
        (["mind_opt", "m.mindir", "-p", "verify{"], "E7001", USAGE),
        (["mind_opt", "m.mindir", "-p", "verify{x=1}"], "E7003", USAGE),
        (["mind_opt", "m.mindir", "--cse"], "E7002", USAGE),
        (["mind_opt", "m.mindir", "--verify", "--compile-to=core"], "E7007", USAGE),
        (["mind_opt", "m.mindir", "in.npz"], "E7007", USAGE),
        (["mind_opt", "m.mindir", "-x"], "E7007", USAGE),
        (["mind_opt", "m.mindir", "--compile-to=nothing"], "E7007", USAGE),
        (["mind_opt", "--explain", "E0000"], "E7007", USAGE),
        (["mind_opt", "m.mindir", "--diagnostics=xml"], "E7007", USAGE),
        (["mind_opt", "m.mindir", "-p"], "E7007", USAGE),
        (["mind_opt", "m.mindir", "--lower-to-linalg", "--digest"], "E7007", USAGE),
        (["mind_translate", "m.mindir", "--to-mlir", "--to-dot"], "E7007", USAGE),
        (["mind_translate", "m.mindir", "--to-nothing"], "E7007", USAGE),
        (["mind_translate", "m.mindir", "more"], "E7007", USAGE),
        (["mind_run"], "E7007", USAGE),
        (["mind_run", "m.mindir", "--target=tpu"], "E7007", USAGE),
        (["mind_run", "m.mindir", "--threads=0"], "E7007", USAGE),
        (["mind_run", "m.mindir", "--random=-1"], "E7007", USAGE),
        (["mind_run", "m.mindir", "--tolerance=x"], "E7007", USAGE),
        (["mind_run", "m.mindir"], "E6009", INPUT),
        (["mind_run", "in.npz"], "E1001", INPUT),
    ],
    ids=lambda a: " ".join(a) if isinstance(a, list) else None,
)
def test_a_bad_call_is_one_error_with_its_exit_status(arguments, code, status, folder):
    before = files(folder)
    assert_refused(run(*arguments, cwd=folder), code, status)
    assert files(folder) == before


BROKEN_MLIR = 'func.func @f() {\n  "no.such"() : () -> ()\n  return\n}\n'


def test_an_mlir_file_that_is_wrong_is_one_error(folder):
    (folder / "bad.mlir").write_text(BROKEN_MLIR)
    done = run("mind_opt", "bad.mlir", "--cse", cwd=folder)
    assert_refused(done, "E7008")
    assert " --> bad.mlir:2:" in done.stderr


# JSON

WRONG = {
    "usage": ["mind_run", "m.mindir", "--target=tpu"],
    "an unknown option": ["mind_translate", "m.mindir", "--to-nothing"],
    "a pipeline": ["mind_opt", "m.mindir", "-p", "verfy"],
    "a missing file": ["mind_opt", "no.mindir"],
    "an output": ["mind_opt", "m.mindir", "-o", "none/x"],
    "syntax": ["mind_opt", "syntax.mindir"],
    "verify": ["mind_opt", "types.mindir"],
    "not UTF-8": ["mind_opt", "bytes.mindir"],
    "MLIR": ["mind_opt", "bad.mlir"],
    "arguments": ["mind_run", "m.mindir"],
    "an index": ["mind_run", "index.mindir", "--random=0"],
    "memory": ["mind_run", "large.mindir"],
    "an archive": ["mind_run", "m.mindir", "--inputs=m.mlir"],
}


@pytest.mark.parametrize("what", WRONG)
def test_every_kind_of_error_can_be_json(what, folder):
    (folder / "syntax.mindir").write_text("%0 = Foo\n%1 = Neg (\n%2 = ;\n")
    (folder / "types.mindir").write_text(TEXT.replace("[2]", "[4]").replace("axes = [1]", "axes = [5]"))
    (folder / "bytes.mindir").write_bytes(b"\xff")
    (folder / "bad.mlir").write_text(BROKEN_MLIR)
    (folder / "large.mindir").write_text("%0 = Input(x) : tensor<1000000000000xf32>\noutputs: %0")
    (folder / "index.mindir").write_text("%0 = Input(x) : tensor<2xf32>\n%1 = Index(%0, [2])\noutputs: %1")
    done = run(*WRONG[what], "--diagnostics=json", cwd=folder)
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert found
    assert done.returncode in (INPUT, USAGE)
    assert done.stdout == ""
    for d in found:
        assert d["severity"] == "error"
        assert re.fullmatch(r"E\d{4}", d["code"])
        assert d["message"]
    if what == "syntax":
        assert [(d["code"], d["file"], d["line"]) for d in found] == [
            ("E4012", "syntax.mindir", 1),
            ("E1001", "syntax.mindir", 3),
        ]


# Files and streams


@pytest.mark.parametrize(
    "arguments",
    [
        ["mind_opt", "m.mindir", "-o"],
        ["mind_translate", "m.mindir", "--to-mlir", "-o"],
        ["mind_translate", "m.mindir", "-o"],
    ],
    ids=lambda a: " ".join(a),
)
def test_o_writes_what_would_be_printed(arguments, folder):
    printed = run(*arguments[:-1], cwd=folder).stdout
    done = run(*arguments, "out", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (OK, "", "")
    assert (folder / "out").read_text() == printed


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are a POSIX matter")
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_o_gives_a_file_the_permissions_that_any_new_file_has(mask, folder):
    for arguments in (["mind_opt", "m.mindir", "-o", "a"], ["mind_run", "m.mindir", "--random=0", "--outputs=b"]):
        assert run(*arguments, cwd=folder, preexec_fn=lambda: os.umask(mask)).returncode == OK
    for name in "ab":
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o666 & ~mask


def test_o_may_be_the_file_that_is_read(folder):
    assert run("mind_opt", "m.mindir", "--canonicalize", "-o", "m.mindir", cwd=folder).returncode == OK
    assert (folder / "m.mindir").read_text() == TEXT


def test_o_writes_through_a_link(folder):
    (folder / "real").write_text("old")
    (folder / "link").symlink_to("real")
    assert run("mind_opt", "m.mindir", "-o", "link", cwd=folder).returncode == OK
    assert (folder / "link").is_symlink()
    assert (folder / "real").read_text() == TEXT


def test_o_dash_is_standard_output(folder):
    assert run("mind_opt", "m.mindir", "-o", "-", cwd=folder).stdout == TEXT


def test_an_error_leaves_the_output_alone(folder):
    (folder / "out").write_text("old")
    (folder / "bad.mindir").write_text("%0 = Foo")
    for command in ("mind_opt", "mind_translate"):
        assert_refused(run(command, "bad.mindir", "-o", "out", cwd=folder), "E4012")
    assert (folder / "out").read_text() == "old"


@pytest.mark.parametrize("command", ["mind_opt", "mind_translate"])
@pytest.mark.parametrize("name", [["-"], []])
def test_standard_input_is_read(command, name, folder):
    assert run(command, *name, cwd=folder, stdin=TEXT.encode()).stdout == TEXT
    done = run(command, *name, cwd=folder, stdin=b"%0 = Foo")
    assert_refused(done, "E4012")
    assert "<stdin>:1:6" in done.stderr


LINALG = """// a comment
#map = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""


@pytest.mark.parametrize("name", ["-", "m.txt"])
def test_without_a_suffix_the_text_says_whether_it_is_mlir(name, folder):
    (folder / "m.txt").write_text(LINALG)
    done = run("mind_opt", name, "--cse", cwd=folder, stdin=LINALG.encode())
    assert (done.returncode, done.stderr) == (OK, "")
    assert "func.func @f" in done.stdout
    for command in ("mind_translate", "mind_run"):
        assert_refused(run(command, name, cwd=folder, stdin=LINALG.encode()), "E7007", USAGE)


def test_commands_can_be_piped_past_the_lowering(folder):
    linalg = run("mind_opt", "m.mindir", "--lower-to-linalg", cwd=folder).stdout
    done = run("mind_opt", "-p", "cpu", cwd=folder, stdin=linalg.encode())
    assert "llvm.func @main" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are a POSIX matter")
@pytest.mark.parametrize("command", [["mind_opt"], ["mind_translate"], ["mind_run", "-"]])
def test_a_command_that_waits_for_a_terminal_says_so(command, folder):
    import pty

    terminal, stdin = pty.openpty()
    with subprocess.Popen(commands.program(*command), cwd=folder, stdin=stdin, stderr=subprocess.PIPE) as process:
        assert process.stderr.readline() == b"reading standard input; Ctrl-D ends it\n"
        os.write(terminal, b"\x04")
        assert b"E4014" in process.stderr.read()
    os.close(terminal)
    os.close(stdin)


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are a POSIX matter")
def test_an_object_file_does_not_go_to_a_terminal(folder):
    import pty

    terminal, stdout = pty.openpty()
    command = commands.program("mind_translate", "m.mindir", "--to-obj")
    done = subprocess.run(command, cwd=folder, stdout=stdout, stderr=subprocess.PIPE, timeout=HUNG)
    os.close(terminal)
    os.close(stdout)
    assert done.returncode == USAGE
    assert b"give -o FILE" in done.stderr


def test_arrays_without_names_are_told_how_to_get_them(folder):
    np.savez(folder / "positional.npz", np.ones((2, 3), np.float32))
    done = run("mind_run", "m.mindir", "--inputs=positional.npz", cwd=folder)
    assert_refused(done, "E6009")
    assert "np.savez(path, name=array) names them" in done.stderr


def test_mind_run_reads_standard_input_too(folder):
    done = run("mind_run", "-", "--inputs=in.npz", cwd=folder, stdin=TEXT.encode())
    assert done.stdout == "out0: tensor<f32[2]>\n[ -3., -12.]\n"


def test_a_file_name_is_no_option_after_two_dashes_or_with_a_folder(folder):
    (folder / "-x.mindir").write_text(TEXT)
    assert run("mind_opt", "./-x.mindir", cwd=folder).stdout == TEXT
    assert run("mind_translate", "--", "-x.mindir", cwd=folder).stdout == TEXT


@pytest.mark.skipif(sys.platform == "win32", reason="closed pipes are a POSIX matter")
@pytest.mark.parametrize(
    "arguments",
    [
        ["mind_opt", "big.mindir"],
        ["mind_opt", "big.mindir", "--lower-to-linalg"],
        ["mind_opt", "--list-passes"],
        ["mind_opt", "--help"],
    ],
    ids=lambda a: " ".join(a),
)
def test_a_reader_that_leaves_early_is_no_error(arguments, folder):
    lines = [f'%{n} = Input {{name = "{n}"}} : tensor<f32[2]>\n' for n in range(3000)]
    (folder / "big.mindir").write_text("".join(lines) + "outputs: %0\n")
    process = subprocess.Popen(
        commands.program(*arguments),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) in (OK, INPUT)
    assert not [f for f in files(folder) if "reproducer" in f]


@pytest.mark.parametrize("stream", [0, 1, 2])
@pytest.mark.skipif(sys.platform == "win32", reason="closed descriptors are a POSIX matter")
def test_a_closed_stream_is_no_fault_of_ours(stream, folder):
    arguments = [] if stream == 0 else ["m.mindir" if stream == 1 else "no.mindir"]
    done = run("mind_opt", *arguments, cwd=folder, preexec_fn=lambda: os.close(stream))
    assert done.returncode in (OK, INPUT)
    assert "Traceback" not in done.stderr
    assert not [f for f in files(folder) if "reproducer" in f]


def test_output_is_utf_8_whatever_the_locale(folder):
    text = TEXT.replace('"x"', '"é値🙂"')
    (folder / "u.mindir").write_text(text, encoding="utf-8")
    (folder / "bad.mindir").write_text('%0 = Input {name = "é値"} : tensor<f33[2]>\n', encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    assert run("mind_opt", "u.mindir", cwd=folder, env=env).stdout == text
    done = run("mind_opt", "bad.mindir", cwd=folder, env=env)
    assert_refused(done, "E2002")
    assert run("mind_opt", "--help", cwd=folder, env=env).returncode == OK
    assert run("mind_run", "u.mindir", "--random=1", cwd=folder, env=env).returncode == OK


# mind-run


def test_mind_run_prints_results_or_writes_them_by_name(folder):
    done = run("mind_run", "m.mindir", "--inputs=in.npz", cwd=folder)
    assert done.stdout == "out0: tensor<f32[2]>\n[ -3., -12.]\n"
    done = run("mind_run", "m.mindir", "--inputs=in.npz", "--outputs=out.npz", cwd=folder)
    assert (done.returncode, done.stdout) == (OK, "")
    with np.load(folder / "out.npz") as out:
        assert {n: out[n].tolist() for n in out.files} == {"out0": [-3.0, -12.0]}


def test_mind_run_takes_inputs_of_any_name(folder):
    np.savez(folder / "names.npz", **{"out": X, "a b": X, "self": X})
    text = "".join(f'%{i} = Input {{name = "{n}"}} : tensor<f32[2, 3]>\n' for i, n in enumerate(["out", "a b", "self"]))
    (folder / "names.mindir").write_text(text + "%3 = Sub (%0, %1)\n%4 = Sub (%3, %2)\noutputs: %4\n")
    for target in ("cpu", "interpret"):
        done = run("mind_run", "names.mindir", "--inputs=names.npz", f"--target={target}", cwd=folder)
        assert done.stdout.splitlines()[0] == "out0: tensor<f32[2, 3]>", done.stderr


def test_mind_run_compares_and_times(folder):
    done = run("mind_run", "m.mindir", "--random=3", "--compare", "--numerics=strict", "--benchmark", cwd=folder)
    equal, timed = done.stdout.splitlines()
    assert equal == "1 output equal on cpu and interpret"
    assert re.fullmatch(r"cpu: median \S+ (ns|µs|ms), best \S+ (ns|µs|ms) of \d+ calls", timed)


# Help and completion


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_option_with_a_text(command, tmp_path):
    import importlib

    module = importlib.import_module(f"mind_mlir.cli.{command}")
    done = run(command, "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (OK, "")
    function = getattr(module, command)
    assert inspect.getdoc(function).splitlines()[0].split(",")[0] in " ".join(done.stdout.split())
    import typer

    for parameter in typer.main.get_command(module.app).params:
        for name in parameter.opts:
            if name.startswith("-"):
                assert name in done.stdout
                assert getattr(parameter, "help", None), name


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_can_be_made_for_the_shell(command, shell, tmp_path):
    name = command.replace("_", "-")
    variable = f"_{command.upper()}_COMPLETE"
    done = run(command, cwd=tmp_path, env={**os.environ, variable: f"source_{shell}"})
    assert done.returncode == OK
    assert name in done.stdout
    assert variable in done.stdout


def test_completion_knows_the_options(tmp_path):
    env = {
        **os.environ,
        "_MIND_RUN_COMPLETE": "complete_bash",
        "COMP_WORDS": "mind-run --bench",
        "COMP_CWORD": "1",
        "_TYPER_COMPLETE_ARGS": "mind-run --bench",
    }
    assert run("mind_run", cwd=tmp_path, env=env).stdout.split() == ["--benchmark"]


def test_completion_of_mind_opt_knows_the_passes(tmp_path):
    env = {
        **os.environ,
        "_MIND_OPT_COMPLETE": "complete_bash",
        "COMP_WORDS": "mind-opt --can",
        "COMP_CWORD": "1",
    }
    assert run("mind_opt", cwd=tmp_path, env=env).stdout.split() == ["--canonicalize"]


# Printing around passes


def test_ir_is_printed_around_passes_on_standard_error(folder):
    done = run(
        "mind_opt", "m.mindir", "--canonicalize", "--print-ir-before=canonicalize", "--print-ir-after=all", cwd=folder
    )
    assert done.stdout == TEXT
    headings = re.findall(r"^// ----- IR (\w+) (\S+)", done.stderr, re.MULTILINE)
    assert [(when, name.partition("{")[0]) for when, name in headings] == [
        ("after", "verify"),
        ("before", "canonicalize"),
        ("after", "canonicalize"),
    ]
    assert done.stderr.count(TEXT) == 3


def test_timing_is_printed_on_standard_error(folder):
    done = run("mind_opt", "m.mindir", "--canonicalize", "--timing", cwd=folder)
    assert done.stdout == TEXT
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["pass", "verify", "canonicalize", "total"]


def test_the_parts_of_a_split_file_are_judged_each_for_itself(folder):
    (folder / "split.mindir").write_text(f"{TEXT}// -----\n%0 = Foo\n// -----\n{TEXT}")
    done = run("mind_opt", "split.mindir", "--split-input-file", cwd=folder)
    assert codes(done) == ["E4012"]
    assert "split.mindir:6:6" in done.stderr
    assert done.returncode == INPUT
    assert done.stdout == f"{TEXT}// -----\n{TEXT}"


# Faults of ours

DRIVER = """
import sys
sys.path.insert(0, {here!r})
import checkout
from mind_mlir.cli._command import run_command
from mind_mlir.cli.mind_opt import app
from mind_mlir.passes.registry import Level, register

@register("break", source=Level.CORE)
def break_(m):
    "Break a rule of the toolchain."
    raise KeyError("the \\x1b reason\\nin two lines")

@register("hang-up", source=Level.MLIR)
def hang_up(m):
    "Die of a signal that is no assertion."
    import os, signal
    os.kill(os.getpid(), signal.SIGSEGV)

@register("interrupt", source=Level.CORE)
def interrupt(m):
    "Stop as Ctrl-C does."
    raise KeyboardInterrupt

@register("exhaust", source=Level.CORE)
def exhaust(m):
    "Run out of memory."
    raise MemoryError

run_command(app, "mind-opt")
"""


def drive(folder, *arguments):
    """mind-opt with passes that fail in known ways."""
    program = DRIVER.format(here=commands.HERE)
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=folder, capture_output=True, text=True, timeout=HUNG
    )
    reproducers = list(folder.glob("mind-reproducer-*"))
    return done, reproducers


def test_an_exception_inside_a_core_pass_is_an_internal_error_with_a_reproducer(folder):
    done, (reproducer,) = drive(folder, "m.mindir", "--verify", "--break")
    assert_refused(done, "E9002", BUG)
    assert "KeyError" in done.stderr
    assert "\x1b" not in done.stderr
    assert reproducer.name in done.stderr
    text = reproducer.read_text()
    assert text.startswith("// mind-opt ")
    assert "break" in text.splitlines()[0]
    assert TEXT in text
    assert "// Traceback (most recent call last):" in text
    assert mind.parse(text) == mind.parse(TEXT)  # the file is a module again


def test_an_internal_error_can_be_json(folder):
    done, (reproducer,) = drive(folder, "m.mindir", "--break", "--diagnostics=json")
    found = json.loads(done.stderr)
    assert (found["code"], done.returncode) == ("E9002", BUG)
    assert reproducer.name in found["help"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="commands are guarded where processes can fork")
def test_a_crash_can_be_json(folder):
    done, (reproducer,) = drive(folder, "m.mindir", "-p", "lower-to-linalg,hang-up", "--diagnostics=json")
    found = json.loads(done.stderr)
    assert (found["code"], done.returncode) == ("E9003", BUG)
    assert "SIGSEGV" in found["message"]
    assert reproducer.name in found["help"]


def test_an_interrupt_ends_the_command_quietly(folder):
    done, reproducers = drive(folder, "m.mindir", "--interrupt")
    assert (done.returncode, done.stdout, done.stderr, reproducers) == (130, "", "", [])


def test_running_out_of_memory_is_one_error(folder):
    done, reproducers = drive(folder, "m.mindir", "--exhaust")
    assert_refused(done, "E6004")
    assert not reproducers


FAILING = "lower-to-linalg,func.func(transform-interpreter)"


def test_a_failing_mlir_pass_leaves_a_reproducer_that_mlir_opt_fails_on_in_the_same_way(folder):
    done = run("mind_opt", "m.mindir", "-p", FAILING, cwd=folder)
    assert_refused(done, "E9001", BUG)
    (reproducer,) = folder.glob("mind-reproducer-*.mlir")
    assert f"mlir-opt --run-reproducer {reproducer.name}" in done.stderr
    message = re.search(r"= note: (.+?)(?: at .*)?$", done.stderr, re.MULTILINE)[1]
    again = subprocess.run(
        [tool("mlir-opt"), "--run-reproducer", reproducer.name],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HUNG,
    )
    assert again.returncode == 1
    assert message in again.stderr


def test_a_failing_tool_leaves_a_reproducer_and_the_command(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with pytest.raises(mind.MindError, match=r"E9001.*mlir-translate failed with status 1") as caught:
        codegen._run([tool("mlir-translate"), "--mlir-to-llvmir"], b"func.func", ".mlir")
    (reproducer,) = folder.glob("mind-reproducer-*.mlir")
    assert reproducer.read_text() == "func.func"
    assert f"--mlir-to-llvmir {reproducer.name}" in str(caught.value)


def test_a_failing_pass_on_an_mlir_file_is_the_fault_of_the_input(folder):
    done = run("mind_opt", "m.mlir", "-p", "func.func(transform-interpreter)", cwd=folder)
    assert_refused(done, "E7008")
    assert len(list(folder.glob("mind-reproducer-*.mlir"))) == 1
