"""Sums as kernels: the order of docs/numerics.md on every CPU and with any number of threads, in every layout."""

import dataclasses
import itertools
import math
import re

import numpy as np
import pytest
from random_products import NUMBERS
from stated_sums import stated_sum
from support import assert_same_bits, error_of, poisoned, with_record

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.kernels import reduction
from mind_mlir.lowering.kernels.strategies import STRATEGIES
from mind_mlir.lowering.native import compiler as native
from mind_mlir.lowering.targets import cpus
from mind_mlir.lowering.toolchain import openmp
from mind_mlir.passes import Pipeline
from mind_mlir.passes.registry import PIPELINES, Level

FLOATS = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
INTEGERS = pytest.mark.parametrize("dtype", [DType.I32, DType.I64], ids=str)

needs_openmp = pytest.mark.skipif(openmp.find_openmp() is None, reason="no runtime of OpenMP is installed")


def wide(dtype, shape, seed=0):
    """Numbers of both signs over twelve decades: almost any other order gives other bits."""
    rng = np.random.default_rng(seed)
    if not dtype.is_float:
        limit = 2 ** (8 * dtype.width - 1)
        return rng.integers(-limit, limit, shape).astype(dtype.numpy)
    return (rng.standard_normal(shape) * 10.0 ** rng.uniform(-6, 6, shape)).astype(dtype.numpy)


def subsets(rank):
    return [axes for k in range(1, rank + 1) for axes in itertools.combinations(range(rank), k)]


def sums_of(dtype, shape, every):
    """The module with the sums of one Input over each of some sets of axes."""
    b = Builder()
    x = b.Input("x", TensorType(dtype, shape))
    return b.finish([b.Sum(x, axes=axes, keepdims=False) for axes in every])


def compiled(m, **options):
    """Native code as a function of the Inputs; it writes over arrays full of garbage."""
    exe = mind.compile(m, **options)

    def call(*arrays):
        out = tuple(poisoned(t) for t in m.output_types)
        exe(*arrays, out=out)
        return out

    return call


def run(m, *arrays, **options):
    return compiled(m, **options)(*arrays)


def kernels(m, options="", passes=",form-kernels"):
    return str(Pipeline.parse(f"lower-to-linalg{{{options}}},cpu-fuse,cpu-bufferize{passes}").run(m))


def schedules(m, options=""):
    return re.findall(r'schedule = "(\w+)"', kernels(m, options))


SHAPES = [
    *((n,) for n in (1, 2, 3, 17, 63, 64, 65, 127, 128, 129, 1000, 4099, 40_009)),
    (5, 3),
    (3, 5),
    (17, 16),
    (16, 17),
    (41, 4),
    (300, 10),
    (1009, 3),
    (300, 37),
    (130, 300),
    (13, 9001),
    (20, 17, 19),
    (9, 33, 10),
    (100, 7, 33),
    (10, 3, 5000),
    (3, 40, 5, 7),
    (2, 3, 4, 5, 6),
]


@FLOATS
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_floats_are_added_in_the_stated_order(dtype, shape):
    x = wide(dtype, shape)
    every = subsets(len(shape))
    m = sums_of(dtype, shape, every)
    assert kernels(m).count("linalg.reduce") == kernels(m).count('kind = "reduction"')
    for axes, found in zip(every, run(m, x)):
        assert_same_bits(found, stated_sum(x, axes), f"{axes}:")


def test_the_data_tells_orders_apart():
    x = wide(DType.F32, (8, 1000))
    stated = stated_sum(x, (1,))
    others = [np.sum(x, axis=1), np.add.accumulate(x, axis=1)[:, -1], stated_sum(x[:, ::-1], (1,))]
    others += [stated_sum(np.ascontiguousarray(x.T), (0,)), stated_sum(stated_sum(x.reshape(8, 10, 100), (2,)), (1,))]
    for other in others:
        assert (other != stated).sum() >= 4


@INTEGERS
@pytest.mark.parametrize("shape", [(1,), (17,), (1000,), (5, 3), (300, 10), (33, 70), (100, 7, 33), (9, 3000)], ids=str)
@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_integers_wrap(dtype, shape, numerics):
    x = wide(dtype, shape)
    every = subsets(len(shape))
    m = sums_of(dtype, shape, every)
    assert len(schedules(m)) > 0
    for axes, found in zip(every, run(m, x, numerics=numerics)):
        assert_same_bits(found, x.sum(axis=axes, dtype=dtype.numpy), f"{axes}:")


def test_every_schedule_is_chosen_for_some_shape():
    chosen = {
        shape: schedules(sums_of(DType.F32, shape, [axes]))
        for shape, axes in {(64, 1000): (1,), (64, 1001): (0,), (640, 3): (0,), (64, 5, 33): (0, 2)}.items()
    }
    assert list(chosen.values()) == [["minor"], ["columns"], ["folded"], ["staged"]]


# Accuracy

MILLION = 10**6


@pytest.mark.parametrize("shape", [(MILLION,), (MILLION, 3), (3, MILLION), (MILLION, 20), (2, MILLION, 2)], ids=str)
@pytest.mark.parametrize("kind", ["equal", "random", "of-both-signs", "harmonic"])
def test_a_million_f32_along_any_axis_are_off_by_five_roundings_at_most(shape, kind):
    axis = shape.index(MILLION)
    rng = np.random.default_rng(1)
    x = {
        "equal": lambda: np.broadcast_to(rng.random([n if n != MILLION else 1 for n in shape], np.float32), shape),
        "random": lambda: rng.random(shape, np.float32),
        "of-both-signs": lambda: rng.standard_normal(shape, np.float32),
        "harmonic": lambda: np.moveaxis(
            np.broadcast_to(
                np.float32(1) / np.arange(1, MILLION + 1, dtype=np.float32), (*np.delete(shape, axis), MILLION)
            ),
            -1,
            axis,
        ),
    }[kind]()
    x = np.ascontiguousarray(x)
    (found,) = run(sums_of(DType.F32, shape, [(axis,)]), x)
    lines = np.moveaxis(x, axis, -1).reshape(-1, MILLION)
    for line, value in list(zip(lines, found.reshape(-1)))[:4]:
        assert abs(float(value) - math.fsum(line.tolist())) <= 5 * 2.0**-24 * math.fsum(np.abs(line).tolist())


def test_a_mean_is_the_sum_divided_by_the_number_of_terms():
    for shape, axes in [
        ((17, 300), (1,)),
        ((300, 17), (0,)),
        ((1009, 3), (0,)),
        ((20, 3, 50), (0, 2)),
        ((7, 9), (0, 1)),
    ]:
        x = wide(DType.F32, shape)
        b = Builder()
        m = b.finish([b.Mean(b.Input("x", mind.f32(*shape)), axes=axes, keepdims=False)])
        assert kernels(m).count("func.func private") == 1, "the division is part of the kernel"
        count = np.float32(math.prod(shape[a] for a in axes))
        assert_same_bits(run(m, x)[0], stated_sum(x, axes) / count)


# Special values


@FLOATS
@pytest.mark.parametrize(
    ("shape", "axes"), [((40,), (0,)), ((1009, 3), (0,)), ((3, 300), (1,)), ((300, 300), (0,)), ((20, 3, 50), (0, 2))]
)
def test_zeros_infinities_and_nans(dtype, shape, axes):
    native_sum = compiled(sums_of(dtype, shape, [axes]))

    def check(x):
        with np.errstate(invalid="ignore"):
            expected = stated_sum(x, axes)
        assert_same_bits(native_sum(x)[0], expected)
        return expected

    zeros = check(np.full(shape, -0.0, dtype.numpy))
    assert not np.signbit(zeros).any()
    check(np.full(shape, np.finfo(dtype.numpy).smallest_subnormal))
    x = wide(dtype, shape)
    for special in (np.inf, -np.inf, np.nan):
        for place in (0, -1, x.size // 2):
            y = x.copy()
            y.reshape(-1)[place] = special
            assert not np.isfinite(check(y)).all()
    y = np.full(shape, np.inf, dtype.numpy)
    y.reshape(-1)[-1] = -np.inf
    assert np.isnan(check(y)).sum() == 1


# The same bits, whatever computes them

LAYOUTS = [
    ((400_009,), (0,)),
    ((3, 100_003), (1,)),
    ((70, 77), (1,)),
    ((130_000, 3), (0,)),
    ((3000, 33), (0,)),
    ((3000, 100), (0,)),
    ((20, 9000), (0,)),
    ((9, 33, 10), (0, 2)),
    ((40, 3, 5000), (0, 2)),
    ((3000, 7, 33), (0, 2)),
    ((40, 4, 50, 100), (0, 2)),
]


@needs_openmp
@pytest.mark.parametrize(("shape", "axes"), LAYOUTS, ids=str)
def test_threads_change_no_bit(monkeypatch, shape, axes):
    monkeypatch.setitem(STRATEGIES, "reduction", dataclasses.replace(STRATEGIES["reduction"], share=1))
    x = wide(DType.F32, shape)
    m = sums_of(DType.F32, shape, [axes])
    shared = kernels(m, "threads=3", ",form-kernels,expand-kernels")
    assert "scf.parallel" in shared
    for threads in (1, 2, 3, 7):
        assert_same_bits(run(m, x, threads=threads)[0], stated_sum(x, axes), f"{threads} threads:")


def check_layouts(dtype, layouts=(*LAYOUTS, ((300, 5), (1,)), ((300, 20), (1,)))):
    """Sums of one module over several shapes have the stated bits."""
    b = Builder()
    inputs = [b.Input(f"x{n}", TensorType(dtype, shape)) for n, (shape, _) in enumerate(layouts)]
    m = b.finish([b.Sum(x, axes=axes, keepdims=False) for x, (_, axes) in zip(inputs, layouts)])
    arrays = [wide(dtype, shape) for shape, _ in layouts]
    for x, (shape, axes), found in zip(arrays, layouts, run(m, *arrays)):
        assert_same_bits(found, stated_sum(x, axes), f"{shape} {axes}:")


@pytest.mark.parametrize("cpu", list(cpus.CPUS))
@FLOATS
def test_every_cpu_gives_the_same_bits(monkeypatch, cpu, dtype):
    monkeypatch.setattr(cpus, "host", lambda: cpus.CPUS[cpu])
    check_layouts(dtype)


@pytest.mark.parametrize(
    "changes",
    [{"lanes": 4}, {"lanes": 16}, {"strip": 64}, {"rows": 2}, {"rows": 8}, {"unrolled": False}, {"part": 1}],
    ids=str,
)
def test_what_a_record_says_of_the_machine_changes_no_bit(monkeypatch, changes):
    def choose(p, cpu, numerics):
        return with_record(reduction.choose(p, cpu, numerics), **changes)

    monkeypatch.setattr(cpus, "host", lambda: cpus.AVX512)  # where any number of lanes is allowed
    monkeypatch.setitem(STRATEGIES, "reduction", dataclasses.replace(STRATEGIES["reduction"], choose=choose))
    check_layouts(DType.F32)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schedule": "rows"}, "no schedule rows"),
        ({"schedule": "minor"}, "does not add up"),
        ({"schedule": "folded"}, "cannot be folded"),
        ({"run": 12, "rows": 4}, "powers of 2"),
        ({"wide": 96}, "powers of 2"),
        ({"strip": 1001}, "strip is a multiple of the"),
        ({"rows": 3}, "rows divide 8, found 3"),
    ],
    ids=str,
)
def test_a_record_that_does_not_fit_is_refused(monkeypatch, tmp_path, changes, message):
    monkeypatch.chdir(tmp_path)  # for the reproducer

    def choose(p, cpu, numerics):
        return with_record(reduction.choose(p, cpu, numerics), **changes)

    monkeypatch.setitem(STRATEGIES, "reduction", dataclasses.replace(STRATEGIES["reduction"], choose=choose))
    error = error_of(mind.compile, sums_of(DType.F32, (10, 3, 40, 500), [(0, 2)]))
    assert error.code == "E9001"
    assert message in str(error)


@pytest.mark.parametrize("left_out", ["form-kernels,pack-constants,expand-kernels,", "pack-constants,expand-kernels,"])
def test_without_the_passes_of_kernels_sums_keep_their_bits(monkeypatch, left_out):
    key = Level.MLIR, "cpu"
    text = PIPELINES[key].replace(left_out, "")
    assert text != PIPELINES[key]
    monkeypatch.setitem(PIPELINES, key, text)
    for shape, axes in [((MILLION,), (0,)), ((300, 300), (0,)), ((20, 3, 50), (0, 2))]:
        x = wide(DType.F32, shape)
        assert_same_bits(run(sums_of(DType.F32, shape, [axes]), x)[0], stated_sum(x, axes))


# In order

STRICT = [
    ((300,), 0),
    ((130, 3), 0),
    ((130, 33), 0),
    ((20, 1000), 0),
    ((9, 130), 1),
    ((64, 128), 1),
    ((3, 4, 5), 1),
    ((6, 200, 40), 1),
    ((5, 40, 17), 2),
]


@FLOATS
@pytest.mark.parametrize(("shape", "axis"), STRICT, ids=str)
def test_strict_sums_have_the_bits_of_interpret(dtype, shape, axis):
    x = wide(dtype, shape)
    m = sums_of(dtype, shape, [(axis,)])
    assert_same_bits(run(m, x, numerics="strict")[0], mind.interpret(m, x)[0])


@pytest.mark.parametrize("rows", [1, 8])
def test_strict_sums_of_lines_that_are_copied_first_have_the_same_bits(monkeypatch, rows):
    def choose(p, cpu, numerics):
        return with_record(reduction.choose(p, cpu, numerics), rows=rows)

    monkeypatch.setitem(STRATEGIES, "reduction", dataclasses.replace(STRATEGIES["reduction"], choose=choose, share=1))
    for shape, axis in [((64, 128), 1), ((9, 100), 1), ((5, 40, 17), 2)]:
        x = wide(DType.F32, shape)
        m = sums_of(DType.F32, shape, [(axis,)])
        for threads in (1, 2) if openmp.find_openmp() else (1,):
            assert_same_bits(run(m, x, numerics="strict", threads=threads)[0], mind.interpret(m, x)[0])


def test_strict_sums_are_kernels_in_order():
    text = kernels(sums_of(DType.F32, (130, 33), [(0,), (1,)]), "numerics=strict")
    assert text.count("in_order = true") == 4  # the columns: whole blocks, the last one, their sums; and the lines
    assert "reassoc" not in text


# Terms that are computed, and what is made of sums


def fused(dtype, shape, axes, terms, after, operands=1):
    """Sums of `terms(b, x, …)`, and what `after(b, sums, w)` makes of them, in one kernel."""
    b = Builder()
    inputs = [b.Input(f"x{n}", TensorType(dtype, shape)) for n in range(operands)]
    rest = tuple(n for i, n in enumerate(shape) if i not in axes)
    w = b.Input("w", TensorType(dtype, rest))
    return b.finish([after(b, b.Sum(terms(b, *inputs), axes=axes, keepdims=False), w)])


@pytest.mark.parametrize("numerics", ["default", "strict"])
@pytest.mark.parametrize(("shape", "axes"), [*LAYOUTS[1:], ((300, 5), (1,)), ((64, 20), (1,))], ids=str)
def test_operations_around_a_sum_share_its_kernel(shape, axes, numerics):
    m = fused(
        DType.F32,
        shape,
        axes,
        lambda b, x, y: b.Relu(b.Add(b.Mul(x, y), x)),
        lambda b, s, w: b.Sub(b.Mul(s, w), w),
        operands=2,
    )
    x, y, w = wide(DType.F32, shape), wide(DType.F32, shape, 1), wide(DType.F32, m.inputs[2].type.shape, 2)
    (found,) = run(m, x, y, w, numerics=numerics)
    if numerics == "strict":
        assert_same_bits(found, mind.interpret(m, x, y, w)[0])
        return
    assert kernels(m).count("func.func private") == 1
    assert_same_bits(found, stated_sum(np.maximum(x * y + x, np.float32(0)), axes) * w - w)


def test_a_sum_that_is_needed_beside_what_is_made_of_it_is_stored_too():
    b = Builder()
    x = b.Input("x", mind.f32(300, 40))
    s = b.Sum(x, axes=[0], keepdims=False)
    m = b.finish([s, b.Exp(b.Neg(s)), b.Neg(s)])
    a = wide(DType.F32, (300, 40))
    sums, _, negative = run(m, a)
    assert_same_bits(sums, stated_sum(a, (0,)))
    assert_same_bits(negative, -stated_sum(a, (0,)))


@pytest.mark.parametrize(("shape", "axes"), LAYOUTS[1:], ids=str)
def test_sums_of_exponentials(shape, axes):
    """Lanes that no term is in must not count: e^0 is 1."""
    b = Builder()
    m = b.finish([b.Sum(b.Exp(b.Input("x", mind.f32(*shape))), axes=axes, keepdims=False)])
    x = np.random.default_rng(3).standard_normal(shape, np.float32)
    np.testing.assert_allclose(run(m, x)[0], np.exp(x.astype(np.float64)).sum(axes), rtol=2e-6)


# Operands that do not lie as they are written: small integers, which every order adds up exactly


def small(dtype, shape):
    return np.random.default_rng(4).integers(-4, 5, shape).astype(dtype.numpy)


def exact_sum(x, axes):
    """The sum of small numbers, rounded once; of integers it wraps."""
    wide = np.float64 if DType.of(x.dtype).is_float else x.dtype
    return x.sum(axis=axes, dtype=wide).astype(x.dtype)


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
@pytest.mark.parametrize("steps", [(1, 2), (2, 1), (3, 1), (1, 3), (2, 5)], ids=str)
def test_sums_of_slices(dtype, steps):
    x = small(dtype, (101, 203))
    b = Builder()
    v = b.Input("x", TensorType.of_array(x))
    y = b.Slice(v, starts=(1, 2), ends=(101, 203), steps=steps)
    every = subsets(2)
    m = b.finish([b.Sum(y, axes=axes, keepdims=False) for axes in every])
    for axes, found in zip(every, run(m, x)):
        assert_same_bits(found, exact_sum(x[1 :: steps[0], 2 :: steps[1]], axes))


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
def test_sums_of_transposes_and_stretched_operands(dtype):
    x, row = small(dtype, (19, 33, 40)), small(dtype, (40,))
    b = Builder()
    v, r = b.Input("x", TensorType.of_array(x)), b.Input("row", TensorType.of_array(row))
    every = subsets(3)
    turned = [b.Sum(b.Transpose(v, permutation=(2, 0, 1)), axes=axes, keepdims=False) for axes in every]
    stretched = [b.Sum(b.Mul(v, r), axes=axes, keepdims=False) for axes in every]
    column = b.Mul(b.Slice(v, starts=(0, 0, 0), ends=(19, 33, 1), steps=(1, 1, 1)), r)
    columns = [b.Sum(column, axes=axes, keepdims=False) for axes in every]
    found = run(b.finish([*turned, *stretched, *columns]), x, row)
    arrays = [np.transpose(x, (2, 0, 1)), x * row, x[:, :, :1] * row]
    for (array, axes), value in zip(itertools.product(arrays, every), found, strict=True):
        assert_same_bits(value, exact_sum(array, axes), f"{axes}:")


def test_the_bits_are_the_same_at_every_address():
    room = np.zeros(2100, np.float32)
    x = wide(DType.F32, (2000,))
    exe = mind.compile(sums_of(DType.F32, (2000,), [(0,)]))
    for offset in range(17):
        room[offset : offset + 2000] = x
        assert_same_bits(exe(room[offset : offset + 2000])[0], stated_sum(x, (0,)))


def test_a_long_module_has_the_same_sums():
    b = Builder()
    x = b.Input("x", mind.f32(100, 70))
    for _ in range(native.LONG):
        x = b.Neg(x)
    m = b.finish([b.Sum(x, axes=[axis], keepdims=False) for axis in range(2)])
    a = wide(DType.F32, (100, 70))
    for axis, found in enumerate(run(m, a)):
        assert_same_bits(found, stated_sum(a * np.float32((-1) ** native.LONG), (axis,)))
