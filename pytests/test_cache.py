"""Compiled code on disk: what is found again, what is not, and that nothing that goes wrong there changes a result."""

import errno
import gc
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import commands
import numpy as np
import pytest
from limits import HUNG
from support import assert_same_bits, operands_for, samples_of, side_by_side

import mind_mlir as mind
from mind_mlir.ir import OPS
from mind_mlir.lowering.interface.doctor import doctor
from mind_mlir.lowering.native import kept_code as compiled
from mind_mlir.lowering.store import cache, cache_key
from mind_mlir.lowering.store.cache import CacheWarning
from mind_mlir.lowering.store.library import Library
from mind_mlir.lowering.toolchain import linker
from mind_mlir.lowering.toolchain.openmp import find_openmp

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="compiled code is kept on Linux only"),
    pytest.mark.skipif(linker.find_linker() is None, reason="no linker on PATH: no compiled code is kept"),
]

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[2, 3]>
%1 = ConstTensor {data = [0.5, -0.5, 2.0], dtype = f32, shape = [3]} : tensor<f32[3]>
%2 = Mul (%0, %1) : tensor<f32[2, 3]>
%3 = Exp (%2) : tensor<f32[2, 3]>
outputs: %3
"""
M = mind.parse(TEXT)
X = np.arange(6, dtype=np.float32).reshape(2, 3)
(Y,) = mind.compile(M)(X)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache, and nothing remarked yet."""
    path = tmp_path / "cache"
    monkeypatch.setenv("MIND_CACHE", str(path))
    monkeypatch.setattr(cache, "_told", set())
    return path


def entries(folder):
    return sorted(p for p in folder.glob("*") if p.suffix == ".so")


def is_from_the_cache(exe):
    return type(exe._engine) is Library


def run(m=M, **options):
    """Compile, check what a call gives, and say whether the code was found."""
    exe = mind.compile(m, **options)
    assert_same_bits(exe(X)[0], Y)
    return is_from_the_cache(exe)


PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import numpy as np
import mind_mlir as mind
BEFORE
x = np.arange(6, dtype=np.float32).reshape(2, 3)
exe = mind.compile(mind.parse({TEXT!r}))
print(exe(x)[0].tobytes().hex(), "mlir" in sys.modules)
"""


def start(folder, before="", **more):
    """A process that compiles and calls M."""
    env = {**os.environ, "MIND_CACHE": str(folder)}
    command = [sys.executable, "-c", PROGRAM.replace("BEFORE", before)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def finished(process):
    """What the process says of its result: the bits, and whether MLIR was loaded; and its standard error."""
    out, err = process.communicate(timeout=HUNG)
    assert process.returncode == 0, err
    bits, loaded = out.split()
    assert bits == Y.tobytes().hex()
    return loaded == "True", err


# What is found again


def test_the_second_process_loads_no_mlir(folder):
    assert finished(start(folder)) == (True, "")
    assert finished(start(folder)) == (False, "")
    assert len(entries(folder)) == 1


def test_every_operation_gives_the_same_bits_from_the_cache(folder):
    samples = [(opcode, next(iter(samples_of(opcode)))) for opcode in OPS if opcode != "Input"]
    m = side_by_side([sample for _, sample in samples])
    arrays = [a for n, (_, (op, types)) in enumerate(samples) for a in operands_for(op, types, seed=n)]
    fresh, kept = mind.compile(m), mind.compile(m)
    assert (is_from_the_cache(fresh), is_from_the_cache(kept)) == (False, True)
    names = [opcode for opcode, (op, types) in samples for _ in op.result_types(*types)]
    for opcode, a, b in zip(names, fresh(*arrays), kept(*arrays), strict=True):
        assert_same_bits(b, a, opcode)


def test_code_with_threads_finds_its_runtime_again(folder, tmp_path):
    if find_openmp() is None:
        pytest.skip("no runtime of OpenMP is installed")
    program = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import numpy as np
import mind_mlir as mind
b = mind.Builder()
x = b.Input("x", mind.f32(1000, 1000))
m = b.finish([x @ x, b.Relu(x)])
a = np.random.default_rng(0).standard_normal((1000, 1000), np.float32)
exe = mind.compile(m, threads=2)
product, relu = exe(a)
print(type(exe._engine).__name__, abs(product - a @ a).max() < 1e-2, (relu == np.maximum(a, 0)).all())
print(sum(line.endswith(("omp.so", "iomp5.so")) for line in open("/proc/self/maps").read().splitlines()) > 0)
"""
    env = {**os.environ, "MIND_CACHE": str(folder)}
    for owner in ("NativeCode", "Library"):
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=HUNG)
        assert done.stdout.splitlines() == [f"{owner} True True", "True"], done.stderr


def test_calls_of_kept_code_are_checked_as_others_are(folder):
    b = mind.Builder()
    m = b.finish([b.Gather(b.Input("x", mind.f32(3)), b.Input("k", mind.i64(2)))])
    x, inside, beyond = np.float32([1, 2, 3]), np.array([2, 0]), np.array([0, 3])
    for kept in (False, True):
        exe = mind.compile(m)
        assert is_from_the_cache(exe) is kept
        assert exe(x, inside)[0].tolist() == [3, 1]
        assert exe(k=inside, x=x, out=np.empty(2, np.float32))[0].tolist() == [3, 1]
        with pytest.raises(mind.MindError, match="E6001"):
            exe(x, beyond)
        with pytest.raises(mind.MindError, match="E6009"):
            exe(x.astype(np.float64), inside)


def test_what_decides_the_code_decides_the_file(folder, monkeypatch):
    keys = set()

    def note(m=M, **options):
        options = {"numerics": "default", "threads": 1, **options}
        keys.add(cache_key.cache_key(m, options, longest=10_000))
        return len(keys)

    assert [note(), note()] == [1, 1]
    assert note(numerics="strict") == 2
    assert note(threads=2) == 3
    assert note(tuning="0" * 64) == 4
    assert note(mind.parse(TEXT.replace("2.0]", "2.5]"))) == 5
    assert note(mind.parse(TEXT.replace("2.0]", "-0.0]"))) == note(mind.parse(TEXT.replace("2.0]", "0.0]"))) - 1 == 6
    for name, value in (("_cpu", lambda: "another CPU"), ("_PACKAGE", cache_key._PACKAGE + "/.")):
        with monkeypatch.context() as patch:
            before = len(keys)
            patch.setattr(cache_key, name, value)
            cache_key._compiler.cache_clear()
            assert note() == before + 1, name
        cache_key._compiler.cache_clear()
    assert note() == len(keys)
    assert None not in keys


@pytest.mark.parametrize("name", ["lowering/native/compiler.py", "ops/exp.py", "ir/op.py", "passes/preflight.py"])
def test_another_version_of_a_source_file_is_another_compiler(name, monkeypatch):
    real = os.path.getmtime(os.path.join(cache_key._PACKAGE, name))
    whole, path = cache_key._compiler.__wrapped__(), os.path.join(cache_key._PACKAGE, name)
    stat = cache_key._file

    def changed(p):
        at, size, when = stat(p)
        return (at, size, when - 1) if p == path else (at, size, when)

    monkeypatch.setattr(cache_key, "_file", changed)
    assert cache_key._compiler.__wrapped__() != whole
    assert real == os.path.getmtime(path)


def test_a_source_file_that_changes_under_the_process_turns_the_cache_off(folder, monkeypatch):
    monkeypatch.setattr(cache_key, "IMPORTED_AT", 0.0)  # so every file is newer
    cache_key._compiler.cache_clear()
    try:
        assert [run(), run()] == [False, False]
        assert not folder.exists()
    finally:
        cache_key._compiler.cache_clear()


OPERATION = """
from mind_mlir.ir import Op, Linearity, op
import numpy as np

@op
class {name}(Op):
    "Adds {number}."
    linearity = Linearity.OPAQUE
    def infer_type(self, input): return input
    def evaluate(self, input): return input + np.float32({number})
    def lower(self, e, result, input): return e.linalg.map(lambda s, x: s.add(x, s.number({number})), (input,), result)
    @classmethod
    def samples(cls): return [(cls(), (__import__("mind_mlir").f32(2),))]
"""

OWN_OPERATION = f"""
import sys
sys.path[:0] = [{commands.HERE!r}, sys.argv[1]]
import checkout
import numpy as np
import mind_mlir as mind
IMPORT
b = mind.Builder()
exe = mind.compile(b.finish([b.emit(AddSome(), b.Input("x", mind.f32(2)))]))
print(exe(np.zeros(2, np.float32))[0].tolist(), type(exe._engine).__name__)
"""


def own(folder, tmp_path, how):
    """What a module with an operation of its own gives in a process of its own."""
    env = {**os.environ, "MIND_CACHE": str(folder)}
    command = [sys.executable, "-c", OWN_OPERATION.replace("IMPORT", how), str(tmp_path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_operation_of_another_package_is_compiled_again_when_its_file_changes(folder, tmp_path):
    for number, found in ((1.0, "NativeCode"), (1.0, "Library"), (2.0, "NativeCode"), (2.0, "Library")):
        path = tmp_path / "some_ops.py"
        text = OPERATION.format(name="AddSome", number=number)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        assert own(folder, tmp_path, "from some_ops import AddSome") == f"[{number}, {number}] {found}"


def test_an_operation_that_no_file_defines_is_never_kept(folder, tmp_path):
    for number in (1.0, 1.0, 2.0):
        found = own(folder, tmp_path, OPERATION.format(name="AddSome", number=number))
        assert found == f"[{number}, {number}] NativeCode"


# What is damaged


def damaged(data):
    """Ways in which a file can be broken."""
    yield "empty", b""
    yield "one byte", data[:1]
    yield "cut in the middle", data[: len(data) // 2]
    yield "the last byte is missing", data[:-1]
    yield "one byte more", data + b"\0"
    yield "text", b"not code\n" * 100
    yield "zeros", bytes(len(data))
    for at in (0, len(data) // 3, len(data) // 2, len(data) - 40, len(data) - 1):
        yield f"byte {at} is flipped", data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def test_a_damaged_file_is_compiled_again_and_replaced(folder):
    assert run() is False
    (path,) = entries(folder)
    good = path.read_bytes()
    for what, data in damaged(good):
        path.unlink()  # an open library keeps the old file
        path.write_bytes(data)
        assert run() is False, what
        assert path.read_bytes() == good, what
    assert run() is True


def test_a_file_under_another_name_is_not_used(folder):
    assert run() is False
    (path,) = entries(folder)
    (other,) = {path.with_name("0" * 64 + ".so"), path} - {path}
    shutil.copy(path, other)
    assert cache.load(str(folder), "0" * 64) is None
    assert cache.load(str(folder), path.stem) is not None


def test_a_folder_in_place_of_a_file_is_no_error(folder):
    assert run() is False
    (path,) = entries(folder)
    path.unlink()
    path.mkdir()
    with pytest.warns(CacheWarning, match="directory"):
        assert run() is False


# Several processes


def test_processes_that_compile_the_same_at_once_all_give_the_result(folder):
    processes = [start(folder) for _ in range(4)]
    found = [finished(p) for p in processes]
    assert all(err == "" for _, err in found)
    assert len(entries(folder)) == 1
    kernels = {p.name for p in folder.glob("*.kernel")}
    assert len(kernels) == 1
    assert commands.files(folder) == {entries(folder)[0].name, *kernels}
    assert finished(start(folder)) == (False, "")


def test_a_file_is_whole_whenever_it_is_read(folder):
    assert run() is False
    (path,) = entries(folder)
    linked = folder.parent / "linked.so"
    linked.write_bytes(path.read_bytes()[: -cache._DIGEST])
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), path.stem, str(linked)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert writer.stdout.readline() == "writing\n"
        assert all(cache.load(str(folder), path.stem) is not None for _ in range(300))
    finally:
        writer.terminate()
        writer.communicate(timeout=HUNG)


WRITER = f"""
import sys, shutil
sys.path.insert(0, {commands.HERE!r})
import checkout
from mind_mlir.lowering.store import cache
folder, key, linked = sys.argv[1:]
print("writing", flush=True)
while True:
    cache.store(folder, key, lambda path: shutil.copyfile(linked, path))
"""


@pytest.mark.parametrize("at", ["os.replace", "subprocess.run"])
def test_a_process_that_is_killed_while_it_writes_leaves_nothing_to_be_found(folder, at):
    name = at.partition(".")[0]
    kill = f"import os, signal, {name}; {at} = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)"
    process = start(folder, kill)
    process.communicate(timeout=HUNG)
    assert process.returncode == -signal.SIGKILL
    assert entries(folder) == []
    (left,) = folder.glob("mind-writing-*")
    assert finished(start(folder)) == (True, "")
    cache.sweep(str(folder), 1 << 30)
    assert left.exists()  # it might still be written
    os.utime(left, (time.time() - 7200,) * 2)
    cache.sweep(str(folder), 1 << 30)
    assert not left.exists()
    assert len(entries(folder)) == 1


# What the system refuses

REFUSALS = [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT, errno.EIO]
PLACES = [(os, "makedirs"), (os, "replace"), (tempfile, "mkdtemp"), (cache, "write_all")]


@pytest.mark.parametrize("code", REFUSALS, ids=lambda c: errno.errorcode[c])
@pytest.mark.parametrize("place", PLACES, ids=lambda p: p[1])
def test_a_folder_that_takes_no_file_costs_one_remark(folder, place, code, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(code, os.strerror(code))

    folder.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(*place, refuse)
        with pytest.warns(CacheWarning, match=re.escape(os.strerror(code))) as remarks:
            found = [run(), run()]
        assert found == [False, False]
        assert len(remarks) == 1
    assert list(folder.iterdir()) == []
    assert [run(), run()] == [False, True]


def test_a_limit_of_the_size_of_files_costs_one_remark(folder):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    loaded, err = finished(start(folder, limit))
    assert loaded
    assert err.count("CacheWarning: ") == 1
    assert "ulimit -f" in err
    assert list(folder.iterdir()) == []
    assert finished(start(folder)) == (True, "")
    assert finished(start(folder, limit)) == (False, "")


@pytest.mark.skipif(os.access("/", os.W_OK), reason="root writes everywhere")
def test_a_folder_that_may_not_be_written_is_read(folder):
    assert run() is False
    folder.chmod(0o500)
    try:
        assert run() is True
        with pytest.warns(CacheWarning, match="Permission denied"):
            mind.compile(mind.parse(TEXT.replace("2.0]", "2.5]")))
    finally:
        folder.chmod(0o700)


def test_a_file_in_place_of_the_folder_costs_one_remark(folder):
    folder.write_text("")
    with pytest.warns(CacheWarning, match="File exists"):
        assert run() is False
    assert run() is False


def test_code_that_may_not_be_loaded_from_the_folder_is_compiled(folder, monkeypatch):
    assert run() is False

    def refuse(path):
        raise OSError(f"{path}: failed to map segment from shared object")

    monkeypatch.setattr(Library, "of_file", refuse)
    with pytest.warns(CacheWarning, match="failed to map segment"):
        assert run() is False


def test_a_file_that_goes_while_it_is_read_is_used_all_the_same(folder, monkeypatch):
    assert run() is False
    (entry,) = entries(folder)
    read = cache.read_all

    def read_and_remove(file):
        data = read(file)
        entry.unlink(missing_ok=True)
        return data

    with monkeypatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        patch.setattr(cache, "read_all", read_and_remove)
        assert run() is True
    assert [run(), run()] == [False, True]


def test_a_command_writes_the_remark_as_one_line(folder, tmp_path):
    folder.write_text("")
    (tmp_path / "m.mindir").write_text(TEXT)
    done = commands.run("mind_run", "m.mindir", "--random", "0", cwd=tmp_path)
    assert done.returncode == commands.OK
    assert done.stderr.splitlines() == [
        f"remark: the cache of compiled code in {folder} is not used: File exists; "
        "MIND_CACHE names another folder, or is off"
    ]


# Linkers


def fake_linker(tmp_path, monkeypatch, script):
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "ld").write_text(f"#!/bin/sh\n{script}\n")
    (bin / "ld").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo one >&2; echo ld: no such luck >&2; exit 1", "ld: no such luck"),
        ("exit 3", "ld ended with status 3"),
        ("kill -9 $$", "ld ended with status -9"),
        ("exit 0", "No such file"),  # nothing was written
        (f'exec {shutil.which("ld")} "$@" -o /dev/full', "No space left on device"),
        ("sleep 60", "ld did not end within 0.2 s"),
    ],
)
def test_a_linker_that_fails_costs_one_remark(folder, tmp_path, monkeypatch, script, said):
    fake_linker(tmp_path, monkeypatch, script)
    monkeypatch.setattr(linker, "_LONGEST", 0.2 if "sleep" in script else 60)
    with pytest.warns(CacheWarning, match=said) as remarks:
        assert [run(), run()] == [False, False]
    assert len(remarks) == 1
    assert list(folder.iterdir()) == []


def test_without_a_linker_nothing_is_kept_and_the_doctor_says_so(folder, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [run(), run()] == [False, False]
    assert not folder.exists()
    (found,) = [f for f in doctor() if f.what == "linker"]
    assert (found.found, found.ok) == ("missing", True)
    assert "binutils" in found.fix


@pytest.mark.parametrize("name", [*linker.LINKERS, *linker.DRIVERS])
def test_every_linker_makes_code_that_loads(folder, tmp_path, monkeypatch, name):
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    only = tmp_path / "bin"
    only.mkdir()
    for program in {name, "ld"}:  # a C compiler calls ld
        if shutil.which(program):
            (only / program).symlink_to(shutil.which(program))
    monkeypatch.setattr(linker, "LINKERS", (name,) if name in linker.LINKERS else ())
    monkeypatch.setattr(linker, "DRIVERS", (name,) if name in linker.DRIVERS else ())
    assert [run(), run()] == [False, True]


# Size


def keep(folder, key, size):
    cache.store(str(folder), key, lambda path: Path(path).write_bytes(bytes(size)))


def test_what_was_used_least_recently_goes(folder, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", "64KB")
    keys = [f"{n:064x}" for n in range(12)]
    for n, key in enumerate(keys):
        keep(folder, key, 10_000)
        os.utime(folder / f"{key}.so", (n, n))
        if n == 5:
            os.utime(folder / f"{keys[0]}.so")  # used again
    kept = [n for n, key in enumerate(keys) if (folder / f"{key}.so").exists()]
    assert kept == [0, 7, 8, 9, 10, 11]
    assert cache.usage(str(folder)) == (6, 6 * (10_000 + cache._DIGEST))


def test_loading_counts_as_use(folder):
    assert run() is False
    (path,) = entries(folder)
    os.utime(path, (1, 1))
    assert run() is True
    assert path.stat().st_mtime > 1


def test_files_of_other_names_stay(folder, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", "20KB")
    folder.mkdir()
    others = [folder / name for name in ("notes.txt", "a.so", f"{'f' * 63}.so", f"{'f' * 64}.so.bak")]
    for path in others:
        path.write_bytes(bytes(50_000))
        os.utime(path, (1, 1))
    for n in range(6):
        keep(folder, f"{n:064x}", 4000)
    assert all(path.exists() for path in others)
    assert cache.usage(str(folder))[0] == 5


def test_a_large_object_pushes_nothing_out(folder, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", "64KB")
    keep(folder, "1" * 64, 10_000)
    keep(folder, "2" * 64, 20_000)
    assert [p.stem[0] for p in entries(folder)] == ["1"]


def test_a_module_with_more_text_than_the_cache_holds_is_not_kept(folder, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", str(len(TEXT) - 1))
    assert [run(), run()] == [False, False]
    assert not folder.exists()


def test_the_folder_stays_about_as_small_as_asked(folder, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", "2MB")
    for n in range(600):
        keep(folder, hashlib.sha256(str(n).encode()).hexdigest(), 6000)
        assert cache.usage(str(folder))[1] < 2.2 * (1 << 20)
    assert cache.usage(str(folder))[1] > 1.9 * (1 << 20)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("", 256 << 20), ("0", 0), ("1000", 1000), ("3K", 3072), ("3 kb", 3072), ("3KiB", 3072)),
        *(("500MB", 500 << 20), (" 2 GB ", 2 << 30), ("1t", 1 << 40)),
    ],
)
def test_a_size_is_a_number_with_a_unit(text, size, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", text)
    assert cache.cache_limit() == size


@pytest.mark.parametrize("text", ["many", "-1", "1.5GB", "1 GB 2", "MB", "1x", "９９", "1" * 30])
def test_what_is_no_size_is_an_error_that_shows_one(folder, text, monkeypatch):
    monkeypatch.setenv("MIND_CACHE_SIZE", text)
    with pytest.raises(mind.MindError, match="MIND_CACHE_SIZE=500MB") as caught:
        mind.compile(M)
    assert caught.value.code == "E7007"
    (found,) = [f for f in doctor() if f.what == "cache"]
    assert not found.ok


# Where


@pytest.mark.parametrize("off", ["off", "OFF", "0", "no", "none"])
def test_off_keeps_nothing_and_uses_nothing(folder, off, tmp_path, monkeypatch):
    assert run() is False
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("MIND_CACHE", off)
    assert [run(), run()] == [False, False]
    assert not (tmp_path / "xdg").exists()
    assert [f.found for f in doctor() if f.what == "cache"] == ["off"]


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"XDG_CACHE_HOME": "/x"}, "/x/mind-mlir"),
        ({"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/mind-mlir"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/mind-mlir"),
        ({"MIND_CACHE": "/m", "XDG_CACHE_HOME": "/x"}, "/m"),
        ({"MIND_CACHE": "~/m", "HOME": "/h"}, "/h/m"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "."}, None),
    ],
)
def test_the_folder_is_where_the_variables_say(variables, expected, monkeypatch):
    monkeypatch.delenv("MIND_CACHE")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache.cache_folder() == expected


def test_a_relative_folder_is_one_of_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MIND_CACHE", "here")
    assert [run(), run()] == [False, True]
    assert len(entries(tmp_path / "here")) == 1


def test_the_folder_is_the_users_own(folder):
    assert run() is False
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_doctor_names_the_folder_and_its_size(folder):
    assert run() is False
    (found,) = [f for f in doctor() if f.what == "cache"]
    assert found.found.startswith(f"{folder}: 1 file, 0.0 of 256 MB")
    assert found.ok


# The code itself


def test_code_that_nobody_needs_any_more_is_unloaded(folder):
    assert run() is False
    (path,) = entries(folder)
    exe = mind.compile(M)
    assert str(path) in Path("/proc/self/maps").read_text()
    del exe
    gc.collect()
    assert str(path) not in Path("/proc/self/maps").read_text()


def test_memory_that_code_keeps_between_calls_goes_with_it(folder):
    program = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import gc
import numpy as np
import mind_mlir as mind
b = mind.Builder()
x, y = b.Input("x", mind.f32(1500, 1500)), b.Input("y", mind.f32(1500, 1500))
m = b.finish([b.Sum((x @ y) @ b.Exp(x @ x), axes=(), keepdims=False)])
a = np.zeros((1500, 1500), np.float32)
def used(): return int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20
for _ in range(4):
    exe = mind.compile(m)
    exe(a, a)
    owner = type(exe._engine).__name__
    del exe
    gc.collect()
    print(owner, used())
"""
    env = {**os.environ, "MIND_CACHE": str(folder)}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    owners, used = zip(*[line.split() for line in done.stdout.splitlines()])
    assert owners == ("NativeCode", "Library", "Library", "Library")
    assert int(used[-1]) - int(used[1]) < 16, done.stdout  # the C library may keep one


def test_code_stays_when_its_file_goes(folder):
    assert run() is False
    exe = mind.compile(M)
    shutil.rmtree(folder)
    assert_same_bits(exe(X)[0], Y)
    assert run() is False


def test_linked_code_calls_its_own_main_and_nothing_of_the_process(folder):
    assert run() is False
    (path,) = entries(folder)
    text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True).stdout
    if not text:
        pytest.skip("readelf is not installed")
    assert "SYMBOLIC" in text
    assert "NEEDED" not in text


def test_options_of_the_linker_reach_it_through_a_c_compiler():
    command = linker.Linker("cc", is_driver=True).command("out.so", ["a.o"], ["-z", "notext"])
    assert command == ["cc", "-shared", "-Xlinker", "-z", "-Xlinker", "notext", "-o", "out.so", "a.o"]


def test_the_options_of_kept_code_are_known():
    assert "-Bsymbolic" in compiled._OPTIONS  # else `main` would be Python's
