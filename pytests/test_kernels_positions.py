"""Positions of extremes as kernels: the bits of `interpret` for ties, NaN, signed zeros and the ends of types."""

from dataclasses import replace

import numpy as np
import pytest
from support import assert_same_bits

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.kernels.strategies import STRATEGIES
from mind_mlir.lowering.rules.position_rules import Lines, choose_positions
from mind_mlir.lowering.targets.cpus import CPUS
from mind_mlir.passes import Pipeline

WIDE = [d for d in DType if d.width >= 4]
SHAPES = [(5000,), (7, 64), (3, 257), (5, 65), (4, 3, 1000), (2, 2049), (40, 300)]

every_type = pytest.mark.parametrize("dtype", WIDE, ids=str)


def positions(dtype, shape, axis=-1):
    """The module with the positions of both extremes of one Input along an axis, with it and without it."""
    b = Builder()
    x = b.Input("x", TensorType(dtype, shape))
    axis %= len(shape)
    found = [getattr(b, op)(x, axis=axis, keepdims=k) for op in ("ArgMax", "ArgMin") for k in (False, True)]
    return b.finish(found)


def arrays(dtype, shape):
    """Ties, many numbers, few numbers; of floats with NaN too, and zeros of both signs; and one number everywhere."""
    rng = np.random.default_rng(3)
    for count in (2, 50, 1 << 20):
        x = rng.integers(0, min(count, dtype.largest if not dtype.is_float else count), shape)
        yield x.astype(dtype.numpy)
        if dtype.is_float:
            yield np.where(rng.random(shape) < 0.002, np.nan, x - count // 2).astype(dtype.numpy)
    if dtype.is_float:
        yield np.where(rng.random(shape) < 0.5, 0.0, -0.0).astype(dtype.numpy)
    ends = (-np.inf, np.inf, np.nan) if dtype.is_float else (dtype.smallest, dtype.largest)
    for end in ends:
        yield np.full(shape, end, dtype.numpy)


def formed(m, cpu="native"):
    """The text of a module after its kernels are formed."""
    return str(Pipeline.parse(f"lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels{{cpu={cpu}}}").run(m))


@every_type
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_positions_are_those_of_interpret(dtype, shape):
    m = positions(dtype, shape)
    assert formed(m).count('kind = "positions"') >= 2
    code = mind.compile(m, numerics="strict")
    for x in arrays(dtype, shape):
        for found, expected in zip(code(x), mind.interpret(m, x), strict=True):
            assert_same_bits(found, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_share_lines(threads):
    m = positions(DType.F32, (1000, 600))
    x = np.random.default_rng(1).integers(0, 90, (1000, 600)).astype(np.float32)
    for found, expected in zip(mind.compile(m, threads=threads)(x), mind.interpret(m, x), strict=True):
        assert_same_bits(found, expected)


def test_the_first_nan_is_found_wherever_it_is():
    m = positions(DType.F32, (300, 300))
    x = np.random.default_rng(1).standard_normal((300, 300)).astype(np.float32)
    x[np.arange(300), np.arange(300)] = np.nan
    x[:, 299] = np.nan
    for found in mind.compile(m)(x):
        np.testing.assert_array_equal(found.ravel(), np.arange(300))


def test_a_line_is_of_elements_apart_where_memory_is():
    b = Builder()
    x = b.Input("x", TensorType(DType.F32, (6, 900)))
    m = b.finish([b.ArgMax(b.Slice(x, (0, 1), (6, 900), (2, 3)), axis=1, keepdims=False)])
    x = np.random.default_rng(1).integers(0, 200, (6, 900)).astype(np.float32)
    assert_same_bits(mind.compile(m)(x), mind.interpret(m, x))


def test_elements_seen_in_another_shape_are_those_of_interpret():
    b = Builder()
    x = b.Input("x", TensorType(DType.F32, (6, 4, 250)))
    flat = b.Reshape(b.Exp(x), (6, 1000))
    top = b.ArgMax(flat, axis=1, keepdims=True)
    m = b.finish([top, b.Add(top, top), b.ArgMin(b.Reshape(x, (6000,)), axis=0, keepdims=False)])
    x = np.random.default_rng(1).integers(0, 20, (6, 4, 250)).astype(np.float32)
    for found, expected in zip(mind.compile(m, numerics="strict")(x), mind.interpret(m, x), strict=True):
        assert_same_bits(found, expected)
    assert formed(m).count('kind = "positions"') == 2


def test_short_lines_narrow_elements_and_other_axes_take_two_steps():
    for dtype, shape, axis in ((DType.F32, (9, 63), 1), (DType.I8, (9, 500), 1), (DType.F32, (500, 9), 0)):
        assert 'kind = "positions"' not in formed(positions(dtype, shape, axis))


@pytest.mark.parametrize("cpu", CPUS)
def test_every_cpu_has_a_record_for_lines_that_are_joined(cpu):
    record = choose_positions(Lines(DType.F64, (3,), 32), CPUS[cpu]).record
    assert record is None or record.lanes * record.vectors <= 32
    assert f'kind = "positions", lanes = {CPUS[cpu].lanes(DType.F32)}' in formed(positions(DType.F32, (3, 64)), cpu)


def test_plain_loops_of_the_joined_operation_give_the_same(monkeypatch):
    none = replace(STRATEGIES["positions"], match=lambda nests: None)
    monkeypatch.setitem(STRATEGIES, "positions", none)
    monkeypatch.setenv("MIND_CACHE", "off")
    for dtype in WIDE:
        m = positions(dtype, (4, 101))
        assert 'kind = "positions"' not in formed(m)
        code = mind.compile(m, numerics="strict")
        for x in arrays(dtype, (4, 101)):
            for found, expected in zip(code(x), mind.interpret(m, x), strict=True):
                assert_same_bits(found, expected)
