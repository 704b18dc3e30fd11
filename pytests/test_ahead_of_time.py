"""Object files, shared libraries and C headers: they run without Python, and give what compiled code gives here."""

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
import types

import commands
import numpy as np
import pytest
from checkout import ROOT
from limits import HUNG
from support import assert_same_bits, error_of, operands_for, random_array, samples_of, side_by_side

import mind_mlir as mind
from mind_mlir.ir import OPS
from mind_mlir.lowering.abi.c_header import c_header, check_name, name_from
from mind_mlir.lowering.interface import codegen
from mind_mlir.lowering.interface.codegen import Options, llvm_ir, machine_code, shared_library
from mind_mlir.lowering.targets.system import kernels_for
from mind_mlir.lowering.toolchain import linker
from mind_mlir.lowering.toolchain.openmp import find_openmp

EXAMPLE = ROOT / "examples" / "c"
CC = shutil.which("cc")
needs_cc = pytest.mark.skipif(CC is None, reason="no C compiler named cc on PATH")
needs_linker = pytest.mark.skipif(linker.find_linker() is None, reason="no linker and no C compiler on PATH")
on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="names CPUs of x86-64")

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[2, 3]>
%1 = Input {name = "k"} : tensor<i64[2]>
%2 = Gather (%0, %1) : tensor<f32[2, 3]>
%3 = Exp (%2) : tensor<f32[2, 3]>
outputs: %3
"""
M = mind.parse(TEXT)
X, K = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 0])


def called(path, name, m, *arrays):
    """The status and the outputs of the function in a library."""
    function = ctypes.CDLL(os.fspath(path))[name]
    function.restype = ctypes.c_int64
    outputs = [np.full(t.shape, 7, t.dtype.numpy) for t in m.output_types]
    return function(*[ctypes.c_void_p(a.ctypes.data) for a in (*arrays, *outputs)]), outputs


def translated(folder, *arguments, text=TEXT, file="rows.mindir"):
    (folder / file).write_text(text)
    return commands.run("mind_translate", file, *arguments, cwd=folder)


# The example


def steps():
    """The commands of the example's page, in order."""
    text = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    return [
        line
        for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


@needs_cc
def test_the_commands_of_the_example_classify_digits_without_python(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    bin = tmp_path / "bin"
    bin.mkdir()
    start = f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout; "
    for name, main in (
        ("mind-translate", "from mind_mlir.cli.mind_translate import main; main()"),
        ("python", "import runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"),
    ):
        (bin / name).write_text(f'#!/bin/sh\nexec \'{sys.executable}\' -c "{start}{main}" "$@"\n')
        (bin / name).chmod(0o755)
    said = {}
    for step in steps():
        made = step.startswith(("python", "mind-translate"))
        path = f"{bin}{os.pathsep}{os.environ['PATH']}" if made else os.environ["PATH"]
        step = step.replace("cc ", "cc -Wall -Wextra -Werror ", 1) if step.startswith("cc ") else step
        done = subprocess.run(
            step,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=HUNG,
        )
        assert (done.returncode, done.stderr) == (0, ""), f"$ {step}\n{done.stdout}{done.stderr}"
        said[step.split()[0]] = done.stdout
    assert said["./classify"] == "7\n"
    assert said["./classify-alone"] == "3\n"
    (logits,) = mind.compile(mind.parse(tmp_path / "digit.mindir"))(np.full(64, 0.5, np.float32))
    found = np.float32([line.split()[1] for line in said["yes"].splitlines()])
    assert_same_bits(found, logits)
    for bad in ("", "x\n" * 8, "........\n" * 7):
        done = subprocess.run(["./classify"], cwd=tmp_path, input=bad, capture_output=True, text=True, timeout=HUNG)
        assert (done.returncode, done.stdout) == (2, "")


# Libraries


@needs_linker
def test_every_operation_gives_the_same_bits_from_a_library(tmp_path):
    samples = [(opcode, next(iter(samples_of(opcode)))) for opcode in OPS if opcode != "Input"]
    m = side_by_side([sample for _, sample in samples])
    arrays = [a for n, (_, (op, types)) in enumerate(samples) for a in operands_for(op, types, seed=n)]
    expected = mind.compile(m)(*arrays)
    (tmp_path / "all.so").write_bytes(shared_library(m, "all.so", Options(name="everything")))
    status, found = called(tmp_path / "all.so", "everything", m, *[np.ascontiguousarray(a) for a in arrays])
    assert status == 0
    names = [opcode for opcode, (op, types) in samples for _ in op.result_types(*types)]
    for opcode, a, b in zip(names, found, expected, strict=True):
        assert_same_bits(a, b, opcode)


def products():
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(33, 70)), b.Input("y", mind.f32(70, 21))
    return b.finish([b.Relu(x @ y), b.Sum(b.Exp(x), axes=(1,), keepdims=False)])


@needs_linker
@on_x86
@pytest.mark.parametrize("numerics", ["strict", "default"])
@pytest.mark.parametrize("mcpu", ["native", "generic", "x86-64-v2", "haswell"])
def test_code_for_another_cpu_computes_the_same(tmp_path, mcpu, numerics):
    if mcpu == "haswell" and kernels_for_host() not in ("avx2", "avx512"):
        pytest.skip("this machine has no AVX2")
    m, rng = products(), np.random.default_rng(0)
    arrays = [random_array(o.type, rng) for o in m.inputs]
    (tmp_path / "p.so").write_bytes(shared_library(m, "p.so", Options("products", mcpu, numerics)))
    status, found = called(tmp_path / "p.so", "products", m, *arrays)
    assert status == 0
    for a, b in zip(found, mind.interpret(m, *arrays), strict=True):
        if numerics == "strict":
            assert_same_bits(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def kernels_for_host():
    from mind_mlir.lowering.targets.cpus import host

    return host().name


@on_x86
def test_kinds_of_cpu_are_what_llvm_makes_of_them():
    kinds = {
        "native": ["native"],
        "sse2": ["generic", "x86-64-v2", "sandybridge"],
        "avx2": ["x86-64-v3", "haswell", "znver3", "knl"],
        "avx512": ["x86-64-v4", "skylake-avx512", "znver4"],
    }
    for kind, names in kinds.items():
        assert [kernels_for(mcpu) for mcpu in names] == [kind] * len(names)


@on_x86
def test_code_for_an_old_cpu_has_no_new_instructions():
    widest = {"generic": "xmm", "haswell": "ymm", "znver4": "zmm"}
    for mcpu, register in widest.items():
        text = machine_code(products(), "asm", Options(mcpu=mcpu)).decode()
        found = {r for r in ("xmm", "ymm", "zmm") if f"%{r}" in text}
        assert max(found) == register, mcpu
        assert ("vfmadd" in text) == (mcpu != "generic")


@needs_linker
def test_a_library_exports_one_function_and_nothing_else(tmp_path):
    file = tmp_path / "libp.so"
    file.write_bytes(shared_library(products(), "libp.so", Options("products")))
    nm = codegen.tool("llc").replace("llc", "llvm-nm")
    listed = subprocess.run([nm, "-D", "--defined-only", file], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1] for line in listed.splitlines()]
    assert [n for n in names if not n.startswith("_")] == ["products"]


@needs_cc
def test_two_modules_fit_into_one_program(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.o").write_bytes(machine_code(products(), "obj", Options(name)))
        (tmp_path / f"{name}.h").write_text(c_header(products(), name))
    calls = "".join(f"s += {n}(x, y, o, p);" for n in ("one", "two"))
    main = '#include "one.h"\n#include "two.h"\n'
    main += "static float x[ONE_X_SIZE], y[ONE_Y_SIZE], o[ONE_OUT0_SIZE], p[TWO_OUT1_SIZE];"
    (tmp_path / "main.c").write_text(
        f"{main}\nint main(void) {{ int64_t s = 0; {calls} return (int)s + (p[0] != 70); }}\n"
    )
    subprocess.run([CC, "-Werror", "main.c", "one.o", "two.o", "-lm", "-o", "main"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "main"]).returncode == 0


@needs_linker
def test_a_status_says_which_operation_failed(tmp_path):
    done = translated(tmp_path, "--to-shared-lib", "-o", "librows.so", "--header", "rows.h")
    assert (done.returncode, done.stderr) == (0, "")
    status, (found,) = called(tmp_path / "librows.so", "rows", M, X, K)
    assert status == 0
    assert_same_bits(found, mind.compile(M)(X, K)[0])
    status, _ = called(tmp_path / "librows.so", "rows", M, X, np.array([0, 2]))
    assert f"#define ROWS_OUT_OF_BOUNDS_2 {status} " in (tmp_path / "rows.h").read_text()


@needs_linker
def test_the_same_module_gives_the_same_library(tmp_path):
    first, second = (shared_library(M, "r.so", Options("rows")) for _ in range(2))
    assert first == second


@needs_linker
def test_a_library_with_threads_names_its_runtime(tmp_path):
    if find_openmp() is None:
        pytest.skip("no runtime of OpenMP is installed")
    b = mind.Builder()
    x = b.Input("x", mind.f32(1000, 1000))
    m = b.finish([x @ x])
    file = tmp_path / "libt.so"
    file.write_bytes(shared_library(m, "libt.so", Options("t", threads=2)))
    program = f"""
import ctypes, numpy as np
x, out = np.ones((1000, 1000), np.float32), np.zeros((1000, 1000), np.float32)
f = ctypes.CDLL({str(file)!r}).t
print(f(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(out.ctypes.data)), (out == 1000).all())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HUNG)
    assert done.stdout == "0 True\n", done.stderr


@needs_linker
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory of the process from /proc")
def test_an_unloaded_library_leaves_no_memory_behind(tmp_path):
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(1800, 1800)), b.Input("y", mind.f32(1800, 1800))
    m = b.finish([b.Sum((x @ y) @ b.Exp(x @ x), axes=(), keepdims=False)])
    file = tmp_path / "libp.so"
    file.write_bytes(shared_library(m, "libp.so", Options("product")))
    program = f"""
import _ctypes, ctypes
import numpy as np
a, out = np.zeros((1800, 1800), np.float32), np.empty((), np.float32)
pointers = [ctypes.c_void_p(array.ctypes.data) for array in (a, a, out)]
for _ in range(4):
    library = ctypes.CDLL({str(file)!r})
    status = library.product(*pointers)
    _ctypes.dlclose(library._handle)
    used = int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20
    print(status, used, {str(file)!r} in open("/proc/self/maps").read())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    statuses, used, loaded = zip(*[line.split() for line in done.stdout.splitlines()])
    assert set(statuses) == {"0"}
    assert set(loaded) == {"False"}
    assert int(used[-1]) - int(used[1]) < 16, done.stdout  # the C library may keep one


# Headers


@needs_cc
@pytest.mark.parametrize("language", ["c99", "c11", "c++11", "c++17"])
def test_a_header_compiles_alone_whatever_the_names(tmp_path, language):
    b = mind.Builder()
    names = ["x", "X", "x 1", "größe", "*/ int y;", "int", "class", "9", "", "_z", "out0", 'a"b\\', "a\nb", "x_2", "OK"]
    values = [b.Input(n, mind.f32(2)) for n in names if n]
    values += [b.Input("d", mind.f64()), b.Input("i", mind.i32(0, 3)), b.Input("l", mind.i64(1))]
    m = b.finish([*values, b.Gather(values[0], b.constant(np.array([0])))])
    (tmp_path / "h.h").write_text(c_header(m, "f"))
    (tmp_path / "main.c").write_text('#include "h.h"\n#include "h.h"\nint64_t s(void) { return F_OK; }\n')
    kind = "c++" if "+" in language else "c"
    if kind == "c++" and shutil.which("c++") is None:
        pytest.skip("no C++ compiler named c++ on PATH")
    command = [
        "c++" if kind == "c++" else CC,
        "-x",
        kind,
        f"-std={language}",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
    ]
    done = subprocess.run([*command, "-c", "main.c"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_header_has_shapes_dtypes_and_statuses():
    text = c_header(M, "rows")
    for line in (
        "#define ROWS_X_SIZE 6 /* f32[2, 3] */",
        "#define ROWS_X_EXTENT_0 2",
        "#define ROWS_X_EXTENT_1 3",
        "#define ROWS_K_SIZE 2 /* i64[2] */",
        "#define ROWS_OK 0",
        "#define ROWS_OUT_OF_BOUNDS_2 3 /* %2, Gather: an index is out of bounds */",
        "int64_t rows(",
        "    const float *ROWS_RESTRICT x, /* f32[2, 3] */",
        "    const int64_t *ROWS_RESTRICT k, /* i64[2] */",
        "    float *ROWS_RESTRICT out0 /* f32[2, 3] */",
        ");",
    ):
        assert f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("file", "name"),
    [
        *(("net.mindir", "net"), ("a/b/my-net.v2.mindir", "my_net"), ("-", "mind_module"), ("3d.mindir", "mind_3d")),
        *(
            ("größe.mindir", "gr__e"),
            (".mindir", "mind_module"),
            ("int.mindir", "mind_int"),
            ("main.mindir", "mind_main"),
        ),
        *(("exp.mindir", "mind_exp"), ("read.mindir", "mind_read"), ("select.mindir", "mind_select")),
    ],
)
def test_the_function_is_called_as_the_file_where_that_can_be(file, name):
    assert name_from(file) == name
    check_name(name)


@pytest.mark.parametrize(
    "name", ["", "a b", "9", "größe", "a-b", "f;", "int", "main", "class", "exp", "malloc", "read"]
)
def test_a_name_that_c_cannot_have_is_an_error(name):
    assert error_of(check_name, name).code == "E7007"


# The command


@pytest.mark.parametrize("form", ["--to-obj", "--to-shared-lib"])
@needs_linker
def test_what_is_written_is_whole_or_is_not_there(tmp_path, form):
    for arguments in (["-o", "missing/out"], ["-o", "out", "--header", "missing/h.h"]):
        done = translated(tmp_path, form, *arguments)
        commands.assert_refused(done, "E7005")
        assert commands.files(tmp_path) <= {"rows.mindir", "out"}
    (tmp_path / "out").write_text("before")
    done = translated(tmp_path, form, "-o", "out", text=TEXT.replace("Exp (%2)", "Exp (%7)"))
    commands.assert_refused(done, "E4001")
    assert (tmp_path / "out").read_text() == "before"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to-asm", "--header", "h.h"], "--header is for --to-obj and --to-shared-lib"),
        (["--to-obj", "-o", "a", "--header", "a"], "both write to a"),
        (["--to-obj", "-o", "a", "--name", "exp"], "exp is a function of the system"),
        (["--to-obj", "-o", "a", "--name", "a b"], "'a b' is no name of a C function"),
        (["--to-asm", "--mcpu", "z80"], "LLVM knows no CPU named z80"),
        (["--to-core", "--mcpu", "generic"], "are for forms below Core IR"),
        (["--to-dot", "--name", "f"], "--name is for forms below Core IR"),
        (["--to-obj", "--to-shared-lib"], "one form expected"),
        (["--to-obj", "--numerics", "loose"], "loose"),
    ],
)
def test_arguments_that_do_not_go_together_are_usage_errors(tmp_path, arguments, said):
    done = translated(tmp_path, *arguments)
    commands.assert_refused(done, "E7007", commands.USAGE)
    assert said in done.stderr
    assert commands.files(tmp_path) == {"rows.mindir"}


def test_without_a_linker_the_error_names_the_object_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = translated(tmp_path, "--to-shared-lib", "-o", "a.so")
    commands.assert_refused(done, "E7006", commands.USAGE)
    assert "--to-obj" in done.stderr
    assert commands.files(tmp_path) == {"rows.mindir"}
    assert translated(tmp_path, "--to-obj", "-o", "a.o").returncode == commands.OK


def test_a_linker_that_fails_is_an_error_with_its_words(tmp_path, monkeypatch):
    bin = tmp_path / "bin"
    bin.mkdir()
    for name in (*linker.LINKERS, *linker.DRIVERS):
        (bin / name).write_text("#!/bin/sh\necho cannot find -lm >&2\nexit 1\n")
        (bin / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(bin) + os.pathsep + os.environ["PATH"])
    done = translated(tmp_path, "--to-shared-lib", "-o", "a.so")
    commands.assert_refused(done, "E7006", commands.USAGE)
    assert "cannot find -lm" in done.stderr
    assert "--to-obj" in done.stderr
    assert commands.files(tmp_path) == {"rows.mindir", "bin"}


@pytest.mark.parametrize("name", [*linker.LINKERS, *linker.DRIVERS])
def test_every_linker_makes_a_library(tmp_path, monkeypatch, name):
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    only = linker.Linker(path, name in linker.DRIVERS)
    monkeypatch.setattr(codegen, "find_linker", lambda driver_first: only)
    (tmp_path / "r.so").write_bytes(shared_library(M, "r.so", Options("rows")))
    status, (found,) = called(tmp_path / "r.so", "rows", M, X, K)
    assert status == 0
    assert_same_bits(found, mind.compile(M)(X, K)[0])


def test_macos_is_told_where_programs_look_for_the_library(monkeypatch):
    monkeypatch.setattr(linker, "sys", types.SimpleNamespace(platform="darwin"))
    command = linker.library_command(linker.Linker("cc", True), "a.o", "out", "liba.dylib", b"")
    assert command == [
        "cc",
        "-shared",
        "-Xlinker",
        "-install_name",
        "-Xlinker",
        "@rpath/liba.dylib",
        "-o",
        "out",
        "a.o",
        "-lm",
    ]


def test_llvm_ir_keeps_everything_but_the_function_to_itself():
    text = llvm_ir(products(), Options("products")).decode()
    defined = re.findall(r"^define (internal )?.*@(\w+)\(", text, re.MULTILINE)
    assert [name for internal, name in defined if not internal] == ["products"]
