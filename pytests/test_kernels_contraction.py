"""Products as kernels, for every CPU and by any record: the bits of interpret in strict, and nothing else is touched.

Every call reads Inputs between NaNs and writes results between patterns, at addresses that no vector is aligned to.
"""

from __future__ import annotations

import dataclasses
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from guarded import called
from limits import HUNG
from random_products import NUMBERS, arrays_for, convolution, dots, product
from support import after, assert_agrees, with_record

import mind_mlir as mind
from mind_mlir import Builder, DType
from mind_mlir.ir import OPS
from mind_mlir.lowering.kernels import candidates, contraction, dots as dot_products
from mind_mlir.lowering.kernels.strategies import STRATEGIES
from mind_mlir.lowering.targets import cpus
from mind_mlir.passes import Pipeline

DTYPES = (DType.F32, DType.F64, DType.I32, DType.I64)
CPUS = pytest.mark.parametrize("cpu", list(cpus.CPUS))


def check(m, numerics, seed=0):
    """Native code agrees with interpret, and leaves what lies beside its results as it is."""
    arrays = arrays_for(m, seed)
    found = called(mind.compile(m, numerics=numerics), m.output_types, arrays)
    assert_agrees(m, arrays, found, mind.interpret(m, *arrays), numerics, f"{m}\n")


def kernels(m, cpu, numerics="default"):
    """The module with its kernels and their records."""
    return str(
        Pipeline.parse(f"lower-to-linalg{{numerics={numerics}}},cpu-fuse,cpu-bufferize,form-kernels{{cpu={cpu}}}").run(
            m
        )
    )


def kinds(text):
    return re.findall(r'kind = "(\w+)"', text)


def use(monkeypatch, cpu):
    monkeypatch.setattr(cpus, "host", lambda: cpus.CPUS[cpu])


# Random problems, by the rules of every CPU


@CPUS
@pytest.mark.parametrize("seed", range(12))
def test_products_in_any_layout_agree(monkeypatch, cpu, seed):
    use(monkeypatch, cpu)
    r = random.Random(seed)
    m = product(r, DTYPES[seed % 4])
    assert {"contraction", "dots"} & set(kinds(kernels(m, cpu))), "not left to plain loops"
    for numerics in ("strict", "default") if m.inputs[0].type.dtype.is_float else ("default",):
        check(m, numerics, seed)


@CPUS
@pytest.mark.parametrize("seed", range(5))
def test_products_of_few_sums_agree(monkeypatch, cpu, seed):
    use(monkeypatch, cpu)
    m = dots(random.Random(100 + seed), [DType.F32, DType.F64, DType.I32, DType.F32, DType.I64][seed])
    check(m, "default", seed)


@CPUS
@pytest.mark.parametrize("seed", range(6))
def test_convolutions_and_their_adjoints_agree(monkeypatch, cpu, seed):
    use(monkeypatch, cpu)
    check(convolution(random.Random(seed), [DType.F32, DType.F64, DType.I32][seed % 3]), "strict", seed)


def test_every_way_of_a_product_is_drawn():
    modules = [product(random.Random(seed), DTYPES[seed % 4]) for seed in range(12)]
    text = "".join(kernels(m, "avx512") for m in modules)
    assert set(re.findall(r"pack = (\w+)", text)) == {"true", "false"}
    assert any(len(m.outputs) > 1 for m in modules)
    assert "dots" in kinds("".join(kernels(dots(random.Random(seed), DType.F32), "avx512") for seed in range(5)))


# Records


def random_record(r, p, rule, cpu):
    """One that fits, of small tiles, blocks and depths, so that few elements need every kind of them."""
    lanes = cpu.lanes(p.dtype)
    while True:
        columns = r.choice((1, 2, 3)) * lanes
        record = dataclasses.replace(
            rule,
            rows=r.randint(1, 6),
            columns=columns,
            depth=r.choice((0, 1, 2, 3, 4, 5, 8, 16, 17)),
            block=r.choice((0, 1, 2, 3)) * columns,
            pack=r.random() < 0.5,
            align=r.random() < 0.5,
            unroll=r.choice((1, 2, 3, 4)),
        )
        if candidates.contraction_fault(p, record, rule, cpu) is None:
            return record


@pytest.fixture
def any_record(monkeypatch):
    """Kernels have records that `r` draws, in place of those of the rules."""

    def start(r):
        def choose(p, cpu, numerics):
            found = contraction.choose(p, cpu, numerics)
            rule = found.record
            return found if rule is None else dataclasses.replace(found, record=random_record(r, p, rule, cpu))

        def choose_dots(p, cpu, numerics):
            found = dot_products.choose(p, cpu, numerics)
            return with_record(found, **({} if found.record is None else {"rows": r.randint(1, 5)}))

        for kind, rule in (("contraction", choose), ("dots", choose_dots)):
            monkeypatch.setitem(STRATEGIES, kind, dataclasses.replace(STRATEGIES[kind], choose=rule))

    return start


@pytest.mark.parametrize("seed", range(48))
def test_no_record_changes_a_bit_of_a_product(monkeypatch, any_record, seed):
    r = random.Random(seed)
    use(monkeypatch, r.choice(list(cpus.CPUS)))
    m = product(r, r.choice(NUMBERS))
    any_record(r)
    check(m, "strict", seed)


@pytest.mark.parametrize("seed", range(16))
def test_no_record_changes_a_bit_of_a_convolution(monkeypatch, any_record, seed):
    r = random.Random(seed)
    use(monkeypatch, r.choice(list(cpus.CPUS)))
    m = convolution(r, r.choice(NUMBERS))
    any_record(r)
    check(m, "strict", seed)


@pytest.mark.parametrize("seed", range(8))
def test_dot_products_agree_whatever_number_of_rows_is_taken_at_a_time(any_record, seed):
    r = random.Random(seed)
    m = dots(r, DTYPES[seed % 4])
    any_record(r)
    check(m, "default", seed)


BLOCKS = {
    "terms in blocks": {"depth": 4},
    "terms in blocks, one left over": {"depth": 5},
    "columns in blocks": {"block": 16},
    "packed": {"pack": True, "block": 16, "depth": 0},
    "packed, terms in blocks": {"pack": True, "block": 32, "depth": 8},
    "packed, all columns at once": {"pack": True, "block": 0, "depth": 7},
    "one sum at a time": {"rows": 1, "columns": 16},
    "several terms a turn": {"unroll": 4},
    "copied": {"align": True},
    "copied, terms in blocks": {"align": True, "depth": 8},
    "copied, columns in blocks": {"align": True, "block": 16},
}


@pytest.mark.parametrize("changes", BLOCKS.values(), ids=list(BLOCKS))
@pytest.mark.parametrize("stored", [False, True], ids=["the last value alone", "sums too"])
def test_steps_on_sums_wait_for_the_last_block_of_terms(monkeypatch, changes, stored):
    """Relu and a bias must see whole sums, and sums that are wanted too are stored once they are whole."""
    use(monkeypatch, "avx512")

    def choose(p, cpu, numerics):
        rule = contraction.choose(p, cpu, numerics)
        return with_record(rule, **{"rows": 3, "columns": 16, **changes})

    monkeypatch.setitem(STRATEGIES, "contraction", dataclasses.replace(STRATEGIES["contraction"], choose=choose))
    b = Builder()
    x, y = b.Input("x", mind.f32(7, 21)), b.Input("y", mind.f32(21, 37))
    row, column = b.Input("row", mind.f32(37)), b.Input("column", mind.f32(7, 1))
    other = b.Input("p", mind.f32(7, 3)) @ b.Input("q", mind.f32(3, 37))
    sums = x @ y
    scaled = b.Relu(sums + row) * column
    result = b.Relu(scaled - other)  # stored where `other` has lain until then
    m = b.finish([result, *([sums, scaled] if stored else [])])
    text = kernels(m, "avx512")
    assert kinds(text) == ["contraction", "contraction"]
    assert "memref.alloc" not in text.split("func.func private")[0], "no memory but that of results"
    for numerics in ("strict", "default"):
        check(m, numerics)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("depth", [0, 13, 40, 100])
@pytest.mark.parametrize(
    ("pack", "is_constant"), [(True, False), (True, True), (False, False)], ids=["packed", "constant", "copied"]
)
def test_filters_of_a_convolution_are_copied_in_blocks_of_terms(monkeypatch, threads, depth, pack, is_constant):
    """Blocks that hold all terms, some turns of the innermost loop, of that around it, and rows of windows."""
    use(monkeypatch, "avx2")

    def choose(p, cpu, numerics):
        rule = contraction.choose(p, cpu, numerics)
        return with_record(rule, rows=4, columns=16, block=32, depth=depth, pack=pack, align=not pack)

    strategy = dataclasses.replace(STRATEGIES["contraction"], choose=choose, share=1)
    monkeypatch.setitem(STRATEGIES, "contraction", strategy)
    b = Builder()
    x, w = b.Input("x", mind.f32(2, 9, 13, 5)), mind.f32(3, 4, 5, 44)
    filters = b.constant(np.arange(3 * 4 * 5 * 44, dtype=np.float32).reshape(w.shape) % 7) if is_constant else None
    m = b.finish([b.Relu(b.Conv2d(x, filters or b.Input("w", w), [1, 1], "Valid"))])
    arrays = arrays_for(m, depth)
    found = called(mind.compile(m, numerics="strict", threads=threads), m.output_types, arrays)
    assert_agrees(m, arrays, found, mind.interpret(m, *arrays), "strict", f"{m}\n")


def placed(array, offset):
    """A copy whose first element lies `offset` bytes behind a multiple of 64."""
    memory = np.zeros(array.nbytes + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    found = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("cpu", ["avx512", "avx2"])
def test_no_address_changes_a_bit(monkeypatch, cpu, threads):
    """Operands are copied by some calls and not by others, or packed by all of them."""
    use(monkeypatch, cpu)
    b = Builder()
    x, y = b.Input("x", mind.f32(96, 130)), b.Input("y", mind.f32(130, 192))
    image, filters = b.Input("image", mind.f32(2, 9, 20, 32)), b.Input("filters", mind.f32(3, 3, 32, 32))
    m = b.finish([b.Relu(x @ y), b.Conv2d(image, filters, [1, 1], "Valid")])
    assert f"align = {'true' if cpu == 'avx512' else 'false'}" in kernels(m, cpu)
    program = mind.compile(m, threads=threads)
    arrays = arrays_for(m, 1)
    expected = [a.tobytes() for a in program(*[placed(a, 0) for a in arrays])]
    for offset in (4, 16, 32, 48):
        for moved in ({0, 1, 2, 3}, {1}, {3}, set()):
            given = [placed(a, offset if n in moved else 0) for n, a in enumerate(arrays)]
            out = tuple(placed(np.empty(t.shape, t.dtype.numpy), offset) for t in m.output_types)
            program(*given, out=out)
            assert [a.tobytes() for a in out] == expected, (offset, moved)


# What was wrong once


@pytest.mark.parametrize(("window", "channels", "filters"), [((1, 1), 3, 4), ((1, 1), 1, 17), ((1, 2), 3, 1)], ids=str)
@pytest.mark.parametrize(("image", "strides"), [((5, 6), (1, 2)), ((1, 8), (2, 2)), ((1, 3), (1, 4))], ids=str)
def test_zeros_stand_where_no_window_of_an_adjoint_comes(image, strides, window, channels, filters):
    """Steps that lead evenly through an image make its sums one row, which does not touch all of the result."""
    b = Builder()
    x, w = mind.f32(2, *image, channels), mind.f32(*window, channels, filters)
    ct = b.Input("ct", OPS["Conv2d"](strides, "Same").infer_type(x, w))
    m = b.finish([b.Conv2dBackwardInput(ct, b.Input("w", w), x.shape, strides, "Same")])
    for numerics in ("strict", "default"):
        check(m, numerics)


@CPUS
def test_records_of_the_rules_fit(cpu):
    """A block of columns has to be a multiple of the tile's, whatever number of vectors that has."""
    b = Builder()
    outputs = []
    for n, (rows, columns) in enumerate(
        (rows, columns) for rows in (3, 8, 200) for columns in (3, 9, 20, 40, 100, 700)
    ):
        x, y = b.Input(f"x{n}", mind.f32(rows, 160)), b.Input(f"y{n}", mind.f32(columns, 160))
        outputs += [x @ y.mT, x.mT @ b.Input(f"z{n}", mind.f32(rows, columns))]
    formed = kernels(b.finish(outputs), cpu, "strict")
    assert kinds(formed).count("contraction") == len(outputs)
    assert "linalg." not in after(f"expand-kernels{{cpu={cpu}}}", formed)


def test_what_lies_between_the_rows_of_a_result_is_not_filled():
    text = """
    #x = affine_map<(i, j, k) -> (i, k)>
    #y = affine_map<(i, j, k) -> (k, j)>
    #o = affine_map<(i, j, k) -> (i * 2, j)>
    func.func @main(%x: memref<2x8xf32>, %y: memref<8x4xf32>, %o: memref<3x4xf32, strided<[9, 1]>>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%o : memref<3x4xf32, strided<[9, 1]>>)
      linalg.generic {indexing_maps = [#x, #y, #o], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : memref<2x8xf32>, memref<8x4xf32>) outs(%o : memref<3x4xf32, strided<[9, 1]>>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        linalg.yield %s : f32
      }
      return
    }"""
    assert kinds(after("form-kernels{cpu=avx2}", text)) == []
    assert kinds(after("form-kernels{cpu=avx2}", text.replace("[9, 1]", "[4, 1]"))) == ["contraction"]


# Memory


@pytest.mark.skipif(sys.platform != "linux", reason="pages are protected as Linux does it")
def test_nothing_beside_operands_and_results_is_touched():
    done = fenced("0", "40")
    assert done.returncode == 0, f"ended with {done.returncode} at {done.stdout[-2000:]}{done.stderr[-2000:]}"
    assert done.stdout.count("seed") == 40


@pytest.mark.skipif(sys.platform != "linux", reason="pages are protected as Linux does it")
@pytest.mark.parametrize("place", ["before", "behind"])
def test_the_pages_beside_an_array_cannot_be_read(place):
    assert fenced(place).returncode < 0


def fenced(*arguments):
    """Run guarded.py in a process of its own, which a fault may end."""
    script = Path(__file__).with_name("guarded.py")
    return subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, timeout=HUNG)
