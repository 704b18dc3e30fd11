"""Kernels with numbers left open: what is shared, that bits stay, and the object files that numbers are put into."""

import ctypes
import itertools
import os
import subprocess
import sys

import commands
import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.lowering.llvm.objects import WRITTEN, LlvmModule
from mind_mlir.lowering.llvm.open_numbers import OpenObject, can_leave_open, symbol
from mind_mlir.lowering.llvm.session import Linked
from mind_mlir.lowering.native import kernel_code
from mind_mlir.lowering.store import kernel_store

pytestmark = pytest.mark.skipif(not can_leave_open(), reason="numbers are left open in ELF files for x86-64 alone")


def layers(*widths):
    """A product, a bias and Relu from each width to the next."""
    b = mind.Builder()
    v = b.Input("x", mind.f32(8, widths[0]))
    for n, (k, m) in enumerate(itertools.pairwise(widths)):
        w, bias = b.Input(f"w{n}", mind.f32(k, m)), b.Input(f"b{n}", mind.f32(m))
        v = b.Relu(v @ w + bias)
    return b.finish([v])


def elementwise(extent):
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(3, extent)), b.Input("y", mind.f32(extent))
    return b.finish([b.Exp(x) * y, b.Sum(x, axes=(1,), keepdims=False), b.Transpose(x, permutation=(1, 0)) + 1])


def arguments(m):
    rng = np.random.default_rng(0)
    inputs = [o.type.shape for o in m.operations if o.opcode == "Input"]
    return [rng.standard_normal(shape, np.float32) for shape in inputs]


def bits(results):
    return [np.asarray(r).tobytes() for r in results]


@pytest.fixture
def compiled(monkeypatch):
    """How many kernels LLVM has compiled; all are written with numbers left open, and nothing is known before."""
    monkeypatch.setattr(kernel_code, "MANY", 1)
    monkeypatch.setattr(kernel_store, "_kept", type(kernel_store._kept)())
    counted = []
    plain = LlvmModule.object_file

    def counting(self, passes, *more):
        counted.append(passes)
        return plain(self, passes, *more)

    monkeypatch.setattr(LlvmModule, "object_file", counting)
    return lambda: counted.count(WRITTEN)


def closed(m, **options):
    """Compiled with all numbers in the code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_code, "MANY", 1 << 30)
        patch.setattr(kernel_store, "_kept", type(kernel_store._kept)())
        return mind.compile(m, **options)


def test_kernels_that_differ_in_numbers_alone_are_compiled_once(compiled):
    mind.compile(layers(200, 301))
    assert compiled() == 1
    m = layers(216, 317, 221, 333)  # widths of the same rest by 16, depths of the same rest by 2
    results = mind.compile(m)(*arguments(m))
    assert compiled() < 4
    assert bits(results) == bits(closed(m)(*arguments(m)))


def test_few_kernels_have_all_numbers_in_their_code(compiled, monkeypatch):
    monkeypatch.setattr(kernel_code, "MANY", 2)
    mind.compile(layers(200, 301))
    mind.compile(layers(216, 317))
    assert compiled() == 2


@pytest.mark.parametrize(("numerics", "threads"), [("default", 2), ("strict", 1), ("fast", 1)])
def test_products_of_any_rest_have_the_same_bits(compiled, numerics, threads):
    options = {"numerics": numerics, "threads": threads}
    for start in (17, 300):
        m = layers(*range(start, start + 18))
        assert bits(mind.compile(m, **options)(*arguments(m))) == bits(closed(m, **options)(*arguments(m)))


@pytest.mark.parametrize("extent", [17, 23, 64, 100, 1000, 5003])
def test_other_kernels_have_the_same_bits(compiled, extent):
    m = elementwise(extent)
    assert bits(mind.compile(m)(*arguments(m))) == bits(closed(m)(*arguments(m)))


PROGRAM = f"""
import sys
sys.path.insert(0, {commands.HERE!r})
import checkout
import test_open_kernels as t
from mind_mlir.lowering.native import kernel_code
from mind_mlir.lowering.llvm.objects import WRITTEN, LlvmModule
import mind_mlir as mind
kernel_code.MANY = 1
counted, plain = [], LlvmModule.object_file
def counting(self, passes, *more):
    counted.append(passes)
    return plain(self, passes, *more)
LlvmModule.object_file = counting
m = t.layers(*map(int, sys.argv[1:]))
r = mind.compile(m)(*t.arguments(m))
print(counted.count(WRITTEN), [a.hex() for a in t.bits(r)])
"""


def process(folder, *widths):
    env = {**os.environ, "MIND_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, widths)], env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    count, results = done.stdout.split(maxsplit=1)
    return int(count), results


def test_a_later_process_finds_the_code_and_puts_other_numbers_in(tmp_path):
    assert process(tmp_path, 200, 301)[0] == 1
    count, results = process(tmp_path, 216, 317)
    assert count == 0
    assert results == process(tmp_path / "other", 216, 317)[1], "the same bits"


def test_a_thread_that_fails_ends_in_a_coded_error_and_the_next_compilation_works(compiled, monkeypatch):
    plain, m = LlvmModule.object_file, layers(200, 301)

    def failing(self, passes, *more):
        if passes == WRITTEN:
            raise MemoryError
        return plain(self, passes, *more)

    with monkeypatch.context() as patch:
        patch.setattr(LlvmModule, "object_file", failing)
        with pytest.raises(mind.MindError, match="MemoryError") as raised:
            mind.compile(m)
        assert raised.value.code == "E9001"
    assert bits(mind.compile(m)(*arguments(m))) == bits(closed(m)(*arguments(m)))


def opened(body, count):
    """An object file with the function `f_0000` of LLVM IR, in which %a, %b, … are numbers left open."""
    names = [f"@{symbol(n)} = external global i8" for n in range(count)]
    lets = [f"%{'ab'[n]} = ptrtoint ptr @{symbol(n)} to i64" for n in range(count)]
    text = "\n".join([*names, "define i64 @f_0000(i64 %x) {", *lets, body, "}"])
    module = LlvmModule.parsed(text.encode())
    module.leave_open(count)
    return OpenObject(module.object_file("function(instcombine)"))


def called(code, name, x):
    linked = Linked([code])
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(linked.address(name))(x)


@pytest.mark.parametrize(
    ("body", "meaning"),
    [
        ("%r = add i64 %x, %a\nret i64 %r", lambda x, a, b: x + a),
        ("%r = mul i64 %x, %b\nret i64 %r", lambda x, a, b: x * b),
        ("%r = sub i64 %b, 1\nret i64 %r", lambda x, a, b: b - 1),  # lea, with an address that is relative
        ("%c = icmp slt i64 %x, %a\n%r = select i1 %c, i64 %b, i64 7\nret i64 %r", lambda x, a, b: b if x < a else 7),
        ("%s = shl i64 %a, 3\n%t = sub i64 %s, %b\n%r = xor i64 %t, %x\nret i64 %r", lambda x, a, b: (8 * a - b) ^ x),
    ],
)
def test_numbers_are_put_into_instructions(body, meaning):
    shared = opened(body, 2)
    for n, (a, b) in enumerate([(1, 2), (100, 101), (5000, 70000), ((1 << 30) - 1, (1 << 30) - 2)]):
        code = shared.filled([a, b], "0000", f"{n + 1:04}")
        assert b"0000" not in code
        for x in (0, 3, 100, 123456):
            assert called(code, f"f_{n + 1:04}", x) == meaning(x, a, b)


def test_copies_with_other_numbers_are_linked_side_by_side():
    shared = opened("%r = add i64 %x, %a\nret i64 %r", 1)
    linked = Linked([shared.filled([a], "0000", f"{a:04}") for a in (1111, 2222)])
    for a in (1111, 2222):
        assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(linked.address(f"f_{a}"))(5) == 5 + a


def test_a_number_that_is_written_in_an_unknown_way_is_a_coded_error():
    text = f"@{symbol(0)} = external global i8\ndefine i8 @f_0000() {{\n%r = load i8, ptr @{symbol(0)}\nret i8 %r\n}}"
    code = LlvmModule.parsed(text.encode()).object_file("function(instcombine)")
    with pytest.raises(mind.MindError, match="relocation") as raised:
        OpenObject(code)
    assert raised.value.code == "E9001"
