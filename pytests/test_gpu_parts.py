"""Products whose terms are cut into parts: when they are, and, emulated, that every order gives the same right bits."""

import re

import numpy as np
import pytest
from emulated import check, check_tf32
from support import error_of

from mind_mlir import Builder, f32, f64, i32
from mind_mlir.cli._pipeline_run import PipelineRun
from mind_mlir.ir import Source
from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm
from mind_mlir.passes.pipeline import Pipeline
from mind_mlir.passes.registry import Level
from mind_mlir.testing import emulation

needs_emulator = pytest.mark.skipif(emulation.c_compiler() is None, reason="no C compiler: kernels are not emulated")


def module(build):
    b = Builder()
    return b.finish([build(b)])


def product(x, y, turned_x=False, turned_y=False):
    """A product of two Inputs, each perhaps stored the other way round."""

    def build(b):
        left, right = b.Input("x", x), b.Input("y", y)
        return (left.mT if turned_x else left) @ (right.mT if turned_y else right)

    return build


def with_bias(b):
    return b.Relu(product(f32(33, 1100), f32(1100, 20))(b) + b.Input("bias", f32(20)))


def added_to_another(b):
    return product(f32(70, 1030), f32(1030, 40))(b) + product(f32(70, 1030), f32(1030, 40))(_Renamed(b))


class _Renamed:
    """A Builder of other Inputs."""

    def __init__(self, builder):
        self.builder = builder

    def Input(self, name, type):
        return self.builder.Input(f"{name}2", type)


def filter_gradient(x, ct, shape, strides=(1, 1), padding="Same"):
    return lambda b: b.Conv2dBackwardFilter(b.Input("x", x), b.Input("ct", ct), shape, strides, padding)


def input_gradient(b):
    return b.Conv2dBackwardInput(
        b.Input("ct", f32(1, 5, 7, 130)), b.Input("w", f32(3, 3, 17, 130)), (1, 5, 7, 17), (1, 1), "Same"
    )


CASES = {
    "parts divide the terms": product(f32(64, 1024), f32(1024, 64)),
    "nothing divides": product(f32(17, 1025), f32(1025, 33)),
    "the last step has one term": product(f32(20, 1553), f32(1553, 18)),
    "neighbours are the terms": product(f32(40, 1500), f32(36, 1500), turned_y=True),
    "neighbours are the lines": product(f32(1500, 40), f32(1500, 35), turned_x=True),
    "a batch": product(f32(2, 20, 800), f32(2, 800, 24)),
    "integers": product(i32(33, 1100), i32(1100, 20)),
    "f64 by tensor cores": product(f64(33, 1100), f64(1100, 20)),
    "bias and relu": with_bias,
    "two products": added_to_another,
    "adjoint in the filter": filter_gradient(f32(3, 14, 15, 7), f32(3, 14, 15, 18), (3, 3, 7, 18)),
    "adjoint in the filter, with steps": filter_gradient(
        f32(5, 21, 22, 3), f32(5, 11, 11, 16), (3, 3, 3, 16), (2, 2), "Same"
    ),
    "adjoint in the input": input_gradient,
}


def stages(m, numerics="default", chip="sm_80", precision="f32"):
    """The kernels in the order of their launches."""
    return [launch.kernel for launch in to_nvvm(m, chip, numerics, precision).plan.launches]


def arguments(m, seed=0):
    rng = np.random.default_rng(seed)
    return [(rng.standard_normal(o.type.shape) * 4).astype(o.type.dtype.numpy) for o in m.inputs]


@needs_emulator
@pytest.mark.parametrize("case", CASES)
def test_parts_give_the_same_right_bits_in_every_order(case):
    m = module(CASES[case])
    assert "product0_finish" in stages(m)
    for numerics in ("default", "fast"):
        check(m, [arguments(m)], numerics)


@needs_emulator
def test_special_values_come_through_parts():
    m = module(product(f32(20, 1100), f32(1100, 18)))
    x, y = arguments(m)
    x[3, 5], x[7, 1099], y[600, 4] = np.inf, np.nan, -np.inf
    x[9], y[:, 9] = -0.0, 1.0
    check(m, [[x, y]], "default")


@needs_emulator
@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
def test_tf32_is_cut_as_well(chip):
    m = module(product(f32(40, 3000), f32(3000, 33)))
    assert "product0_finish" in stages(m, chip=chip, precision="tf32")
    check_tf32(m, arguments(m), chip)


def test_strict_numerics_cut_no_floats():
    for build in (CASES["nothing divides"], CASES["f64 by tensor cores"], CASES["adjoint in the filter"]):
        assert "product0_finish" not in stages(module(build), "strict")
    assert "product0_finish" in stages(module(CASES["integers"]), "strict")


FORMED = "lower-to-linalg,gpu-fuse,gpu-bufferize,form-gpu-kernels"


def formed(build, numerics="default", **options):
    """The text of a module whose kernels name their records."""
    text = FORMED.replace("linalg,", f"linalg{{numerics={numerics}}},", 1)
    given = " ".join(f"{name}={value}" for name, value in options.items())
    return str(Pipeline.parse(f"{text}{{{given}}}" if given else text).run(module(build)))


def record(build, **options):
    """Of its first product: rows of a tile, and parts."""
    text = formed(build, **options)
    return tuple(int(re.search(rf"\b{name} = (\d+)", text)[1]) for name in ("rows", "parts"))


def test_terms_are_cut_where_tiles_leave_multiprocessors_idle():
    wide = f32(32, 58, 58, 64), f32(32, 56, 56, 128), (3, 3, 64, 128), (1, 1), "Valid"
    assert record(filter_gradient(*wide)) == (128, 21)  # 5 tiles, 108 multiprocessors
    assert record(filter_gradient(*wide), chip="sm_90") == (128, 26)
    assert record(product(f32(512, 8192), f32(8192, 512))) == (128, 6)
    assert record(product(f32(27, 100_000), f32(100_000, 32))) == (64, 216)  # a large tile would be mostly empty
    assert record(product(f32(20, 1000), f32(1000, 20))) == (64, 3)


def test_nothing_is_cut_where_there_are_tiles_enough_or_few_terms():
    assert record(product(f32(1024, 1024), f32(1024, 1024)), chip="sm_90") == (64, 1)
    assert record(product(f32(4096, 4096), f32(4096, 4096))) == (128, 1)
    assert record(product(f32(64, 500), f32(500, 64))) == (64, 1)
    assert record(product(f32(8192, 256), f32(256, 8192)), precision="tf32", chip="sm_90a") == (128, 1)


EXPAND = "split-gpu-sums,expand-gpu-kernels,canonicalize,cse,outline-gpu-kernels"


def expanded(text):
    """The module after the rest of gpu-kernels."""
    return PipelineRun(Pipeline.parse(EXPAND, Level.MLIR), [], False, False).one(Source("kernels.mlir", text))


@pytest.mark.parametrize("parts", [1, 2, 5, 63])
def test_the_parts_are_as_the_record_says(parts):
    text = re.sub(r"parts = \d+", f"parts = {parts}", formed(product(f32(20, 1000), f32(1000, 20))))
    found = re.findall(r"gpu.func @(\w+)\(.*known_grid_size = array<i32: (\d+), 1, 1>", str(expanded(text)))
    expected = {"product0": str(parts), "product0_finish": "2"}
    assert dict(found) == (expected if parts > 1 else {"product0": "1"})


@pytest.mark.parametrize("parts", [0, 64, 1000])
def test_a_number_of_parts_that_cannot_be_is_refused(parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"parts = \d+", f"parts = {parts}", formed(product(f32(20, 1000), f32(1000, 20))))
    assert f"one part for each of 63 steps at most, and only for scalar and mma, found {parts}" in str(
        error_of(expanded, text)
    )


def test_strict_numerics_refuse_parts_of_floats(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = formed(product(f32(20, 1000), f32(1000, 20)), "strict").replace("parts = 1", "parts = 2")
    assert "strict numerics add floats in one part, found 2" in str(error_of(expanded, text))


def test_parts_need_their_pass(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = formed(product(f32(20, 1000), f32(1000, 20)))
    run = PipelineRun(Pipeline.parse("expand-gpu-kernels", Level.MLIR), [], False, False)
    assert "split-gpu-sums comes first" in str(error_of(run.one, Source("kernels.mlir", text)))


def test_the_memory_of_parts_is_in_the_arena():
    m = module(product(f32(33, 1100), f32(1100, 20)))
    plan = to_nvvm(m, "sm_80").plan
    first, second = plan.launches
    assert first.arguments[-1] == second.arguments[-1]
    assert first.arguments[-1].kind == "arena"
    assert plan.arena >= 33 * 20 * 4 * first.grid[0]
