"""Products by tensor cores, emulated: their sums in every order of threads, with what the emulator checks of copies."""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from mlir import ir
from support import error_of

import mind_mlir as mind
from mind_mlir import f32, f64
from mind_mlir.cli._pipeline_run import PipelineRun
from mind_mlir.ir import Source
from mind_mlir.lowering.gpu.artifacts.nvvm import Compiled, to_nvvm, to_ptx
from mind_mlir.lowering.gpu.artifacts.plan import read_plan
from mind_mlir.lowering.gpu.artifacts.ptxas import assemble, find_ptxas
from mind_mlir.lowering.gpu.mbarriers import Barriers
from mind_mlir.lowering.gpu.products.tma_tiles import TmaTiles
from mind_mlir.lowering.gpu.thread_code import GpuCode
from mind_mlir.lowering.rules import gpu_tma_rules
from mind_mlir.lowering.targets import chips
from mind_mlir.passes.pipeline import Pipeline
from mind_mlir.passes.registry import Level
from mind_mlir.testing.emulation import ORDERS, Emulated, EmulationError


def matrices(x, y, turned_x=False, turned_y=False):
    """A product of two Inputs, each perhaps stored the other way round."""

    def build(b):
        left, right = b.Input("x", x), b.Input("y", y)
        return (left.mT if turned_x else left) @ (right.mT if turned_y else right)

    return build


def convolution(x, w, strides, padding):
    return lambda b: b.Conv2d(b.Input("x", x), b.Input("w", w), strides, padding)


def filter_gradient(x, ct, shape):
    return lambda b: b.Conv2dBackwardFilter(b.Input("x", x), b.Input("ct", ct), shape, (1, 1), "Same")


def finished(build):
    b = mind.Builder()
    return b.finish([build(b)])


def check(build, chip, terms):
    """Every order gives the same bits; each sum is as near to that of float64 as its terms allow."""
    m = finished(build)
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(i.type.shape).astype(i.type.dtype.numpy) for i in m.inputs]
    code = to_nvvm(m, chip=chip, precision="tf32")
    assert ("wgmma.mma_async" if chip == "sm_90a" else "nvvm.mma.sync") in str(code.nvvm)
    kernels = Emulated(code)
    found, *others = (kernels.run(arrays, order).outputs[0] for order in ORDERS)
    for other in others:
        np.testing.assert_array_equal(found, other)
    in_f64 = [mind.f64(*i.type.shape) for i in m.inputs]
    wide = finished(lambda b: build(_Recast(b, in_f64)))
    (exact,) = mind.interpret(wide, *[a.astype(np.float64) for a in arrays])
    (size,) = mind.interpret(wide, *[np.abs(a).astype(np.float64) for a in arrays])
    bits = 10 if found.dtype == np.float32 else 52
    bound = 2.0**-bits + terms * (2.0**-23 if bits == 10 else 2.0**-52)
    assert np.all(np.abs(found - exact) <= bound * size)


class _Recast:
    """A Builder whose Inputs have these types, in order."""

    def __init__(self, builder, types):
        self.builder, self.types = builder, iter(types)

    def Input(self, name, type):
        return self.builder.Input(name, next(self.types))

    def __getattr__(self, name):
        return getattr(self.builder, name)


PRODUCTS = {
    "tiles divide": (matrices(f32(128, 64), f32(64, 128)), 64),
    "by elements": (matrices(f32(70, 43), f32(43, 71)), 43),
    "by 16 bytes": (matrices(f32(70, 100), f32(100, 68)), 100),
    "columns stored": (matrices(f32(70, 100), f32(68, 100), turned_y=True), 100),
    "rows stored": (matrices(f32(100, 68), f32(100, 70), turned_x=True), 100),
    "one step": (matrices(f32(70, 20), f32(20, 68)), 20),
    "many rows": (matrices(f32(520, 16), f32(16, 70)), 16),
    "rows in eights": (matrices(f32(1000, 16), f32(16, 70)), 16),
    "batches": (matrices(f32(3, 40, 36), f32(3, 36, 68)), 36),
    "one operand for all": (matrices(f32(2, 1, 40, 36), f32(3, 36, 68)), 36),
    "f64": (matrices(f64(70, 43), f64(43, 70)), 43),
    "f64 by 16 bytes": (matrices(f64(70, 46), f64(46, 70)), 46),
    "f64, columns stored": (matrices(f64(70, 100), f64(68, 100), turned_y=True), 100),
    "convolution": (convolution(f32(2, 9, 10, 8), f32(3, 3, 8, 20), (1, 1), "Same"), 72),
    "convolution with steps": (convolution(f32(2, 19, 20, 3), f32(5, 3, 3, 32), (2, 2), "Valid"), 45),
    "filter gradient": (filter_gradient(f32(2, 9, 10, 8), f32(2, 9, 10, 20), (3, 3, 8, 20)), 180),
}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Reproducers are written where the command runs."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", PRODUCTS)
def test_sums_are_near_those_of_float64(name):
    build, terms = PRODUCTS[name]
    check(build, "sm_80", terms)


@pytest.mark.parametrize("name", ["by elements", "by 16 bytes", "columns stored", "rows stored", "f64"])
@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
def test_large_tiles_give_the_same(name, chip, monkeypatch):
    monkeypatch.setitem(chips.CHIPS, chip, replace(chips.CHIPS[chip], multiprocessors=1))
    build, terms = PRODUCTS[name]
    check(build, chip, terms)


GROUPS = {
    "tiles divide": (matrices(f32(256, 64), f32(64, 256)), 64),
    "by elements": (matrices(f32(140, 71), f32(71, 139)), 71),
    "by 16 bytes": (matrices(f32(140, 68), f32(68, 300)), 68),
    "columns stored": (matrices(f32(140, 100), f32(300, 100), turned_y=True), 100),
    "rows stored": (matrices(f32(100, 140), f32(100, 300), turned_x=True), 100),
    "one step": (matrices(f32(140, 20), f32(20, 139)), 20),
    "less wide tiles": (matrices(f32(140, 36), f32(36, 100)), 36),
    "narrow tiles": (matrices(f32(300, 68), f32(68, 40)), 68),
    "batches": (matrices(f32(3, 70, 36), f32(3, 36, 68)), 36),
    "convolution": (convolution(f32(2, 9, 10, 8), f32(3, 3, 8, 48), (1, 1), "Same"), 72),
}


@pytest.mark.parametrize("name", GROUPS)
def test_warp_groups_give_the_same(name, monkeypatch):
    monkeypatch.setitem(chips.CHIPS, "sm_90a", replace(chips.SM_90A, multiprocessors=1))
    build, terms = GROUPS[name]
    check(build, "sm_90a", terms)


@pytest.mark.parametrize("name", ["by elements", "f64 by 16 bytes"])
def test_a_chip_without_copies_beside_the_threads_loads_and_stores(name, monkeypatch):
    monkeypatch.setitem(chips.CHIPS, "sm_80", replace(chips.SM_80, async_copies=False))
    build, terms = PRODUCTS[name]
    assert "cp.async" not in str(to_nvvm(finished(build), precision="tf32").nvvm)
    check(build, "sm_80", terms)


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("barrier", lambda old: lambda self: None),
        ("copies_awaited", lambda old: lambda self, left: old(self, left + 1)),
    ],
)
def test_a_barrier_or_a_wait_that_is_missing_is_found(method, change, monkeypatch):
    monkeypatch.setattr(GpuCode, method, change(getattr(GpuCode, method)))
    with pytest.raises((EmulationError, AssertionError)):
        check(PRODUCTS["by 16 bytes"][0], "sm_80", 100)


def test_a_barrier_that_warp_groups_miss_is_found(monkeypatch):
    monkeypatch.setitem(chips.CHIPS, "sm_90a", replace(chips.SM_90A, multiprocessors=1))
    monkeypatch.setattr(GpuCode, "barrier", lambda self: None)
    with pytest.raises((EmulationError, AssertionError)):
        check(GROUPS["by 16 bytes"][0], "sm_90a", 68)


def test_records_say_what_keeps_warp_groups_from_a_product():
    m = finished(GROUPS["by 16 bytes"][0])
    pipeline = Pipeline.parse("lower-to-linalg,gpu-fuse,gpu-bufferize,form-gpu-kernels{chip=sm_90a precision=tf32}")
    text = str(pipeline.run(m))
    for change, chip, says in (
        ({}, "sm_90", "which sm_90 has not"),
        ({"stages": 2}, "sm_90a", "3 stages, found 32 and 2"),
        ({"part_rows": 32}, "sm_90a", "part_rows is a multiple of 64, found 32"),
        ({"columns": 512, "part_columns": 512}, "sm_90a", "up to 256 columns, found 512"),
    ):
        record = {"rows": 128, "columns": 128, "depth": 32, "part_rows": 64, "part_columns": 128, "stages": 3} | change
        changed = text.replace('"mma"', '"wgmma"')
        for name, value in record.items():
            changed = re.sub(rf"\b{name} = \d+ : i64", f"{name} = {value} : i64", changed)
        expand = Pipeline.parse(f"expand-gpu-kernels{{chip={chip}}}", Level.MLIR)
        error = error_of(PipelineRun(expand, [], False, False).one, Source("kernels.mlir", changed))
        assert error.code == "E7008"
        assert says in str(error)


def relu_of(build, bias):
    """The product with a row added to each of its rows, and Relu of that."""
    return lambda b: b.Relu(build(b) + b.Input("b", bias))


def products_of_one(x):
    """A product of an Input with itself, which is both operands."""

    def build(b):
        a = b.Input("x", x)
        return a @ a.mT

    return build


TILES = {
    "tiles divide": (matrices(f32(256, 64), f32(256, 64), turned_y=True), 64, 2),
    "nothing divides": (matrices(f32(140, 100), f32(300, 100), turned_y=True), 100, 2),
    "more steps than stages": (matrices(f32(130, 300), f32(140, 300), turned_y=True), 300, 2),
    "rows of tiles that come in no pairs": (matrices(f32(300, 68), f32(260, 68), turned_y=True), 68, 1),
    "less wide tiles": (matrices(f32(140, 36), f32(100, 36), turned_y=True), 36, 2),
    "part of a step": (matrices(f32(140, 4), f32(300, 4), turned_y=True), 4, 2),
    "half a tile of columns outside": (matrices(f32(256, 36), f32(140, 36), turned_y=True), 36, 2),
    "batches": (matrices(f32(3, 140, 36), f32(3, 68, 36), turned_y=True), 36, 2),
    "one operand for all": (matrices(f32(2, 1, 140, 36), f32(3, 68, 36), turned_y=True), 36, 1),
    "bias and relu": (relu_of(matrices(f32(140, 100), f32(300, 100), turned_y=True), f32(300)), 101, 2),
    "bias and relu, odd columns": (relu_of(matrices(f32(140, 36), f32(171, 36), turned_y=True), f32(171)), 37, 2),
    "one matrix twice": (products_of_one(f32(140, 68)), 68, 2),
}


def few(monkeypatch):
    """Let a few tiles fill the chip."""
    monkeypatch.setitem(chips.CHIPS, "sm_90a", replace(chips.SM_90A, multiprocessors=1))


@pytest.mark.parametrize("name", TILES)
def test_tiles_that_are_copied_give_the_same(name, monkeypatch):
    few(monkeypatch)
    build, terms, cluster = TILES[name]
    text = str(to_nvvm(finished(build), chip="sm_90a", precision="tf32").nvvm)
    assert "nvvm.cp.async.bulk.tensor" in text
    assert ("multicast" in text) == (cluster > 1)
    check(build, "sm_90a", terms)


@pytest.mark.parametrize(
    ("rows", "columns", "stages", "cluster"),
    [(64, 64, 3, 4), (64, 24, 2, 3), (192, 128, 2, 1), (256, 32, 4, 1), (128, 256, 2, 2)],
)
def test_tiles_of_other_records_give_the_same(rows, columns, stages, cluster, monkeypatch):
    few(monkeypatch)
    monkeypatch.setattr(gpu_tma_rules, "RECORDS", (gpu_tma_rules.TmaRecord(rows, columns, stages, cluster),))
    build = matrices(f32(rows * cluster * 2 - 20, 164), f32(columns + 36, 164), turned_y=True)
    code = to_nvvm(finished(build), chip="sm_90a", precision="tf32")
    (launch,) = code.plan.launches
    assert (launch.kernel, launch.block) == ("tma_product0", (rows * 2 + 32, 1, 1))
    assert f"nvvm.cluster_dim = array<i32: {cluster}, 1, 1>" in str(code.nvvm) or cluster == 1
    check(build, "sm_90a", 164)


@pytest.mark.parametrize(
    "build",
    [
        matrices(f32(140, 101), f32(300, 101), turned_y=True),  # lines at odd places
        matrices(f32(140, 100), f32(100, 300)),
        matrices(f32(100, 140), f32(300, 100), turned_x=True, turned_y=True),
        convolution(f32(2, 12, 12, 32), f32(3, 3, 32, 64), (1, 1), "Valid"),
    ],
)
def test_what_cannot_be_copied_by_tiles_is_brought_by_threads(build, monkeypatch):
    few(monkeypatch)
    text = str(to_nvvm(finished(build), chip="sm_90a", precision="tf32").nvvm)
    assert "wgmma.mma_async" in text
    assert "nvvm.cp.async.bulk.tensor" not in text


def turned(m, lines):
    """The module compiled with copies of operands where the other one has so many lines."""
    pipeline = Pipeline.parse("lower-to-linalg,gpu-nvvm")
    steps = pipeline.steps
    for option, value in {"chip": "sm_90a", "precision": "tf32", "lines": lines}.items():
        steps = tuple(s.with_option(option, value) for s in steps)
    module = Pipeline(steps).run(m)
    with module.context, ir.Location.unknown():
        return Compiled("sm_90a", module, read_plan(module, len(m.inputs), len(m.outputs)))


@pytest.mark.parametrize(
    ("build", "copies"),
    [
        (matrices(f32(140, 100), f32(100, 300)), 1),
        (matrices(f32(100, 140), f32(100, 300), turned_x=True), 2),
        (matrices(f32(3, 140, 36), f32(3, 36, 68)), 1),
        (relu_of(matrices(f32(140, 100), f32(100, 300)), f32(300)), 1),
        (matrices(f32(140, 102), f32(102, 300)), 0),  # lines of a copy would begin at odd places
        (matrices(f32(60, 100), f32(100, 300)), 0),  # too few lines
    ],
)
def test_operands_whose_terms_are_no_neighbours_are_transposed_first(build, copies, monkeypatch):
    few(monkeypatch)
    m = finished(build)
    code = turned(m, 64)
    kinds = [re.sub(r"\d", "", launch.kernel) for launch in code.plan.launches]
    assert kinds == (["transpose"] * copies + ["tma_product"] if copies else ["product"])
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-4, 5, i.type.shape).astype(np.float32) for i in m.inputs]  # exact in TF32
    kernels = Emulated(code)
    for order in ORDERS:
        np.testing.assert_array_equal(kernels.run(arrays, order).outputs[0], mind.interpret(m, *arrays)[0])


def dropped(nth):
    """`Barriers.wait` without the nth one that is written: of the copies 0, of the products 1."""

    def change(old):
        count = itertools.count()
        return lambda self, n, parity: None if next(count) == nth else old(self, n, parity)

    return change


@pytest.mark.parametrize("name", ["more steps than stages", "rows of tiles that come in no pairs"])
@pytest.mark.parametrize(
    ("owner", "method", "change"),
    [
        (Barriers, "wait", dropped(1)),
        (Barriers, "expect", lambda old: lambda self, n, bytes: old(self, n, bytes // 2)),
        (Barriers, "expect", lambda old: lambda self, n, bytes: old(self, n, bytes + 16)),
        (Barriers, "set_up", lambda old: lambda self, arrivals: old(self, arrivals + 1)),
    ],
)
def test_a_fault_of_the_mbarriers_is_found(owner, method, change, name, monkeypatch):
    few(monkeypatch)
    monkeypatch.setattr(owner, method, change(getattr(owner, method)))
    build, terms, _ = TILES[name]
    with pytest.raises((EmulationError, AssertionError)):
        check(build, "sm_90a", terms)


@pytest.mark.parametrize(
    ("owner", "method", "change"),
    [
        (Barriers, "wait", dropped(0)),
        (TmaTiles, "_release", lambda old: lambda self, stage: None),
        (TmaTiles, "_await", lambda old: lambda self, left: old(self, left + 1)),
        (GpuCode, "cluster_barrier", lambda old: lambda self: None),
    ],
)
def test_a_fault_between_the_blocks_of_a_cluster_is_found(owner, method, change, monkeypatch):
    few(monkeypatch)
    monkeypatch.setattr(owner, method, change(getattr(owner, method)))
    build, terms, _ = TILES["more steps than stages"]
    with pytest.raises((EmulationError, AssertionError)):
        check(build, "sm_90a", terms)


LARGE = {
    "matrices": matrices(f32(4096, 4096), f32(4096, 4096)),
    "matrices, columns stored": matrices(f32(4096, 4096), f32(4096, 4096), turned_y=True),
    "odd matrices": matrices(f32(4095, 4097), f32(4093, 4095), turned_x=True, turned_y=True),
    "convolution": convolution(f32(64, 30, 30, 256), f32(3, 3, 256, 256), (1, 1), "Valid"),
    "odd convolution": convolution(f32(32, 57, 59, 33), f32(3, 3, 33, 129), (2, 1), "Valid"),
    "f64": matrices(f64(4095, 4096), f64(4096, 4095)),
}


@pytest.mark.skipif(find_ptxas() is None, reason="ptxas is not installed")
@pytest.mark.parametrize("chip", chips.CHIPS)
@pytest.mark.parametrize("name", LARGE)
def test_sums_and_addresses_stay_in_registers(name, chip):
    text = to_ptx(to_nvvm(finished(LARGE[name]), chip=chip, precision="tf32"))
    is_group = chip == "sm_90a" and name != "f64"
    is_copied = is_group and name.startswith("matrices")
    usage = assemble(text, chip).usage["tma_product0" if is_copied else "product0"]
    assert (usage.spill_stores, usage.spill_loads, usage.stack) == (0, 0, 0)
    assert ("wgmma.mma_async" in text) == is_group
    assert ("cp.async.bulk.tensor" in text) == is_copied
    assert ("cp.async.c" in text) != is_group
