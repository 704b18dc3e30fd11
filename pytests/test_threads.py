"""Threads: the same bits whatever their number, who may call what when, and how their number is said."""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import commands
import numpy as np
import pytest
from limits import HUNG
from support import assert_same_bits, error_of, everything_shared

import mind_mlir as mind
from mind_mlir.ir import print_module
from mind_mlir.lowering.interface import doctor
from mind_mlir.lowering.kernels.strategies import STRATEGIES
from mind_mlir.lowering.native import compiler as native
from mind_mlir.lowering.toolchain import openmp
from mind_mlir.passes import Pipeline, gradient
from mind_mlir.runtime import jit, threads as runtime_threads

needs_openmp = pytest.mark.skipif(openmp.find_openmp() is None, reason="no runtime of OpenMP is installed")


@pytest.fixture
def all_shared():
    """Threads share every kernel, however small."""
    with everything_shared():
        yield


def product(*shapes, transposed=(), bias=False):
    """x · y for the shapes of both, as they lie in memory; `transposed` counts those that are turned before."""
    b = mind.Builder()
    operands = []
    for n, shape in enumerate(shapes):
        v = b.Input("xy"[n], mind.f32(*shape))
        rank = len(shape)
        operands.append(b.Transpose(v, permutation=(*range(rank - 2), rank - 1, rank - 2)) if n in transposed else v)
    result = operands[0] @ operands[1]
    if bias:
        result = b.Relu(result + b.Input("b", mind.f32(result.shape[-1])))
    return b.finish([result])


def dot(n):
    b = mind.Builder()
    return b.finish([b.Dot(b.Input("x", mind.f32(n)), b.Input("y", mind.f32(n)))])


def convolution(image, window, stride, differentiated=False):
    b = mind.Builder()
    y = b.Conv2d(
        b.Input("x", mind.f32(*image)), b.Input("w", mind.f32(*window)), strides=(stride, stride), padding="same"
    )
    if not differentiated:
        return b.finish([y])
    return gradient(b.finish([b.Sum(y * y, axes=(), keepdims=False)]))


def elementwise(*shape, turned=False):
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(*shape)), b.Input("y", mind.f32(*(shape[::-1] if turned else shape)))
    if turned:
        y = b.Transpose(y, permutation=tuple(reversed(range(len(shape)))))
    return b.finish([b.Relu(x * y + x) - y])


def exponentials(*shape):
    b = mind.Builder()
    x = b.Input("x", mind.f32(*shape))
    return b.finish([b.Exp(x), b.Log(x * x)])


def total(shape, axes):
    b = mind.Builder()
    return b.finish([b.Sum(b.Input("x", mind.f32(*shape)), axes=axes, keepdims=False)])


def transpose(shape, permutation):
    b = mind.Builder()
    return b.finish([b.Transpose(b.Input("x", mind.f32(*shape)), permutation=permutation)])


def rows(count, length, picks):
    b = mind.Builder()
    return b.finish([b.Gather(b.Input("x", mind.f32(count, length)), b.Input("k", mind.i32(picks)))])


def largest(count, length):
    b = mind.Builder()
    return b.finish([b.ArgMax(b.Input("x", mind.f32(count, length)), axis=1, keepdims=False)])


MODULES = {
    "one row": product((1, 65), (65, 333), bias=True),
    "three rows of tiles": product((33, 17), (17, 65)),
    "tiles left over on both sides": product((131, 257), (257, 97), bias=True),
    "packed": product((193, 331), (331, 577)),
    "packed in a batch": product((5, 193, 331), (5, 331, 257)),
    "both transposed": product((64, 31), (53, 64), transposed=(0, 1)),
    "a batch of three": product((3, 17, 33), (3, 33, 47), bias=True),
    "a batch of eleven, transposed": product((11, 7, 33), (11, 17, 33), transposed=(1,)),
    "a dot product": dot(100_003),
    "a matrix times a vector": product((777, 129), (129, 1)),
    "rows along the terms": product((2, 1000), (77, 1000), transposed=(1,)),
    "convolution": convolution((1, 14, 13, 5), (3, 3, 5, 9), 1),
    "convolution by steps": convolution((3, 13, 13, 16), (3, 3, 16, 33), 2),
    "gradients of a convolution": convolution((2, 9, 11, 3), (3, 3, 3, 17), 1, differentiated=True),
    "gradients of a convolution by steps": convolution((1, 12, 9, 17), (3, 3, 17, 5), 2, differentiated=True),
    "a long row": elementwise(100_003),
    "three long rows": elementwise(3, 40_001),
    "many short rows": elementwise(1001, 70, turned=True),
    "exponentials and logarithms": exponentials(65, 1003),
    "sums of rows": total((67, 1003), (1,)),
    "sums of columns": total((331, 3001), (0,)),
    "sums of few columns": total((30_011, 7), (0,)),
    "sums in the middle": total((5, 331, 33), (1,)),
    "the sum of all": total((100_003,), (0,)),
    "a transpose": transpose((333, 1003), (1, 0)),
    "three turned axes": transpose((3, 65, 131), (2, 0, 1)),
    "rows picked": rows(50, 33, 1001),
    "where rows are largest": largest(67, 4099),
}


def shared_kernels(m):
    """The kinds of the kernels whose loops threads share."""
    text = str(Pipeline.parse("lower-to-linalg{threads=3},cpu-fuse,cpu-bufferize,cpu-kernels").run(m))
    functions = text.split("func.func private ")[1:]
    return {re.search(r'kind = "(\w+)"', f)[1] for f in functions if "scf.parallel" in f}


def arguments(m, seed=0):
    rng = np.random.default_rng(seed)
    arrays = []
    for o in m.inputs:
        picks = str(o.type.dtype) == "i32"
        arrays.append(
            rng.integers(0, 50, o.type.shape, np.int32) if picks else rng.standard_normal(o.type.shape, np.float32)
        )
    return arrays


def results_by_threads(m):
    arrays = arguments(m)
    return {n: mind.compile(m, threads=n)(*arrays) for n in (1, 2, 3, 8)}


@needs_openmp
@pytest.mark.parametrize("m", MODULES.values(), ids=MODULES)
def test_results_do_not_depend_on_the_number_of_threads(m, all_shared):
    assert shared_kernels(m)
    alone, *others = results_by_threads(m).values()
    for found in others:
        for a, b in zip(found, alone, strict=True):
            assert_same_bits(a, b)


def test_every_strategy_lets_threads_share_loops(all_shared):
    assert set().union(*map(shared_kernels, MODULES.values())) == set(STRATEGIES)


def teams(m, threads):
    """How many threads the teams have, ascending."""
    found = []
    for function in str(native.to_llvm(m, threads=threads)).split("llvm.func ")[1:]:
        numbers = dict(re.findall(r"(%\w+) = llvm.mlir.constant\((\d+) : i32\)", function))
        found += [int(numbers[v]) for v in re.findall(r"omp.parallel num_threads\((%\w+) : i32\)", function)]
    return sorted(found)


def test_a_kernel_has_no_more_threads_than_its_work_is_worth():
    share = STRATEGIES["elementwise"].share
    b = mind.Builder()
    sizes = {"a": share // 2, "b": share, "c": 5 * share, "d": 300 * share}
    m = b.finish([b.Relu(b.Input(name, mind.f32(n))) for name, n in sizes.items()])
    assert teams(m, 64) == [2, 10, 64]
    assert teams(m, 4) == [2, 4, 4]


@needs_openmp
def test_long_modules_use_threads_as_well(monkeypatch):
    monkeypatch.setattr(native, "LONG", 20)
    b = mind.Builder()
    x = b.Input("x", mind.f32(200, 200))
    y = x
    for _ in range(10):
        y = b.Relu(y @ x) - y
    m = b.finish([y])
    assert len(m) > native.LONG
    assert "omp.parallel" in str(native.to_llvm(m, threads=2))
    arrays = [a / 20 for a in arguments(m)]
    (found,), (expected,) = (mind.compile(m, threads=n)(*arrays) for n in (2, 1))
    assert np.isfinite(expected).all()
    assert_same_bits(found, expected)


# Who calls what when


LARGE = product((300, 301), (301, 303), bias=True)
"""So large that threads share it without being told to."""


@needs_openmp
def test_threads_of_python_may_call_code_with_threads_at_once():
    exe, inputs = mind.compile(LARGE, threads=2), [arguments(LARGE, seed) for seed in range(6)]
    expected = [mind.compile(LARGE, threads=1)(*arrays)[0] for arrays in inputs]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda n: exe(*inputs[n % 6])[0], range(120)))
    for n, result in enumerate(found):
        assert_same_bits(result, expected[n % 6])


def child(exe, arrays, expected):
    """What a forked process does; its exit status is 0 if all is well."""
    assert_same_bits(exe(*arrays)[0], expected)
    assert openmp.opened(openmp.openmp_library()).kmp_get_blocktime() == int(openmp.WAIT.partition("=")[2])


@needs_openmp
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_may_use_threads(monkeypatch):
    exe, arrays = mind.compile(LARGE, threads=3), arguments(LARGE)
    (expected,) = exe(*arrays)
    process = multiprocessing.get_context("fork").Process(target=child, args=(exe, arrays, expected))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert_same_bits(exe(*arrays)[0], expected)


def python(program, *arguments, **environment):
    """What a program prints that Python runs in a process of its own."""
    start = f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout\n"
    command = [sys.executable, "-c", start + textwrap.dedent(program), *map(str, arguments)]
    plain = {name: v for name, v in os.environ.items() if not name.startswith(("KMP_", "OMP_"))}
    done = subprocess.run(command, env=plain | environment, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


COMPILED = """
    import numpy as np
    import mind_mlir as mind
    b = mind.Builder()
    m = b.finish([b.Input("x", mind.f32(300, 300)) @ b.Input("y", mind.f32(300, 300))])
    x = np.random.default_rng(0).standard_normal((300, 300), np.float32)
    (alone,), exe = mind.compile(m, threads=1)(x, x), mind.compile(m, threads=2)
    assert exe(x, x)[0].tobytes() == alone.tobytes()
"""


@needs_openmp
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
@pytest.mark.parametrize("first", ["torch", "mind_mlir"])
def test_pytorch_keeps_its_own_threads_beside_ours(first):
    torch = """
    import torch
    torch.set_num_threads(2)
    y = torch.ones(4_000_000)
    assert float((torch.relu(y) + y).sum()) == 8_000_000
"""
    calls = """
    assert exe(x, x)[0].tobytes() == alone.tobytes()
    assert torch.get_num_threads() == 2
"""
    python((torch + COMPILED if first == "torch" else COMPILED + torch) + calls)


@needs_openmp
def test_other_libraries_do_not_see_the_runtime():
    program = """
    import ctypes
    from mind_mlir.lowering.toolchain import openmp
    assert openmp.find_openmp() in open("/proc/self/maps").read()
    print(hasattr(ctypes.CDLL(None), "__kmpc_fork_call"))
"""
    assert python(COMPILED + program) == ["False"]


@needs_openmp
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process has loaded is known on Linux only")
@pytest.mark.parametrize("name", ["libomp.so", "libiomp5.so", "libomp-0123abcd.so.5"])
def test_a_runtime_that_is_there_already_is_used_as_it_is(tmp_path, name):
    copy = tmp_path / name
    shutil.copy(openmp.find_openmp(), copy)
    program = """
    import ctypes
    from mind_mlir.lowering.toolchain import openmp
    there = ctypes.CDLL(sys.argv[1])
    before = there.kmp_get_blocktime()
"""
    after = """
    print(openmp.find_openmp(), there.kmp_get_blocktime() - before)
"""
    assert python(program + COMPILED + after, copy) == [str(copy), "0"]


@needs_openmp
@pytest.mark.parametrize("environment", [{"KMP_BLOCKTIME": "7"}, {"OMP_WAIT_POLICY": "active"}, {}])
def test_how_long_threads_wait_is_the_users_choice(environment):
    program = """
    from mind_mlir.lowering.toolchain import openmp
    print(openmp.opened(openmp.find_openmp()).kmp_get_blocktime())
"""
    (found,) = python(COMPILED + program, **environment)
    assert (int(found) == 1) is (not environment)


@pytest.fixture
def counted(monkeypatch):
    """The numbers of threads that modules are compiled for."""
    numbers = []
    compile_native = jit._compile_native

    def noted(module, numerics, threads, *more):
        numbers.append(threads)
        return compile_native(module, numerics, threads, *more)

    monkeypatch.setattr(jit, "_compile_native", noted)
    return numbers


# Without a runtime


@pytest.fixture
def no_runtime(monkeypatch):
    monkeypatch.setattr(openmp, "find_openmp", lambda: None)


@pytest.mark.parametrize("threads", [None, 2])
def test_without_a_runtime_code_runs_on_one_thread_with_one_remark(no_runtime, monkeypatch, counted, threads):
    monkeypatch.setattr(runtime_threads, "_told", False)
    monkeypatch.delenv("MIND_NUM_THREADS")
    monkeypatch.setattr(runtime_threads, "usable_cores", lambda: 2)
    with pytest.warns(runtime_threads.ThreadsWarning, match="1 thread instead of 2; pip install") as told:
        found = [mind.compile(LARGE, "cpu", threads)(*arguments(LARGE))[0] for _ in range(2)]
    assert len(told) == 1
    assert counted == [1, 1]
    for result in found:
        assert_same_bits(result, mind.compile(LARGE, threads=1)(*arguments(LARGE))[0])


def test_one_thread_needs_no_runtime_and_no_remark(no_runtime, monkeypatch, recwarn):
    monkeypatch.setattr(runtime_threads, "_told", False)
    monkeypatch.delenv("MIND_NUM_THREADS")
    monkeypatch.setattr(runtime_threads, "usable_cores", lambda: 1)
    mind.compile(LARGE, threads=1)
    mind.compile(LARGE)
    assert not [w for w in recwarn if w.category is runtime_threads.ThreadsWarning]


def test_a_library_with_threads_needs_a_runtime(no_runtime):
    assert error_of(openmp.openmp_library).code == "E7006"


SMALL = {
    "a product": product((16, 16), (16, 16), bias=True),
    "an element-wise chain": elementwise(64, 64),
    "a sum": total((64, 64), (1,)),
    "exponentials": exponentials(16, 64),
    "a transpose": transpose((64, 64), (1, 0)),
    "a convolution": convolution((1, 8, 8, 4), (3, 3, 4, 8), 1),
}


@pytest.mark.parametrize("m", SMALL.values(), ids=SMALL)
def test_threads_do_not_share_what_is_small(m):
    assert "omp.parallel" not in str(native.to_llvm(m, threads=64))


def test_the_doctor_says_how_to_get_a_runtime(monkeypatch):
    monkeypatch.setattr(doctor, "find_openmp", lambda: None)
    (found,) = [f for f in doctor.doctor() if f.what == "OpenMP"]
    assert (found.found, found.ok) == ("missing", True)
    assert openmp.INSTALL in found.fix


# How many


@needs_openmp
def test_the_variable_says_how_many_where_nobody_else_does(monkeypatch, counted):
    x = np.arange(3, dtype=np.float32)
    f = mind.jit(lambda x: mind.sum(x * x))
    monkeypatch.setattr(runtime_threads, "usable_cores", lambda: 7)
    for value in ("3", " 2 ", "", None):
        monkeypatch.delenv("MIND_NUM_THREADS", raising=False)
        if value is not None:
            monkeypatch.setenv("MIND_NUM_THREADS", value)
        mind.compile(product((3, 4), (4, 5)))
        mind.compile(product((3, 4), (4, 5)), threads=4)
    assert counted == [3, 4, 2, 4, 7, 4, 7, 4]
    counted.clear()
    monkeypatch.setenv("MIND_NUM_THREADS", "5")
    assert f(x) == 5
    mind.grad(lambda x: mind.sum(x * x * x * x))(x)
    assert counted == [5, 5]


@needs_openmp
@pytest.mark.parametrize(
    ("variables", "count"),
    [
        ({}, 7),
        ({"OMP_NUM_THREADS": "2"}, 2),
        ({"OMP_NUM_THREADS": "3,2"}, 3),
        ({"OMP_NUM_THREADS": "64"}, 7),
        ({"OMP_NUM_THREADS": "0"}, 1),
        ({"OMP_NUM_THREADS": "all"}, 7),
        ({"OMP_NUM_THREADS": "2", "MIND_NUM_THREADS": "5"}, 5),
    ],
)
def test_by_default_it_is_the_cores_or_fewer_where_openmp_has_fewer(monkeypatch, variables, count):
    monkeypatch.setattr(runtime_threads, "usable_cores", lambda: 7)
    for name in ("MIND_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert runtime_threads.thread_count(None) == count
    assert runtime_threads.thread_count(3) == 3


@pytest.mark.parametrize("value", ["0", "-1", "two", "2.0", "1025", "1e3", "²", "9" * 5000])
def test_a_value_of_the_variable_that_is_no_number_of_threads_is_named(monkeypatch, value):
    monkeypatch.setenv("MIND_NUM_THREADS", value)
    m = product((3, 4), (4, 5))
    x = np.arange(3, dtype=np.float32)
    for call in (lambda: mind.compile(m), lambda: mind.jit(lambda x: x / 3)(x), lambda: mind.grad(mind.sum)(x)):
        error = error_of(call)
        assert error.code == "E7007"
        assert "MIND_NUM_THREADS" in error.message
    mind.compile(m, threads=1)


@pytest.mark.parametrize("arguments", [(), ("--threads=2",)])
def test_mind_run_takes_threads_from_the_variable_too(tmp_path, monkeypatch, arguments):
    (tmp_path / "m.mindir").write_text(print_module(product((3, 4), (4, 5))))
    monkeypatch.setenv("MIND_NUM_THREADS", "many")
    done = commands.run("mind_run", "m.mindir", "--random=1", *arguments, cwd=tmp_path)
    if arguments:
        assert done.returncode == commands.OK
    else:
        commands.assert_refused(done, "E7007", commands.USAGE)
        assert "MIND_NUM_THREADS" in done.stderr
