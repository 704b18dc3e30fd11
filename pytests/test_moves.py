"""Operations that move elements: each under the name of the StableHLO operation that it stands for, against JAX."""

import numpy as np
import pytest
from support import assert_same_bits, native

import mind_mlir as mind
from mind_mlir import DType, f32, i32, i64, lowering  # noqa: F401  (it registers its pipelines)
from mind_mlir.passes.gradient import gradient
from mind_mlir.passes.pipeline import Pipeline

lax = pytest.importorskip("jax").lax
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

RNG = np.random.default_rng(0)
X, Y, V = (RNG.standard_normal(shape).astype(np.float32) for shape in ((5, 6), (2, 6), (5,)))
POINTS = np.array([[0, 5], [4, 0], [0, 5], [2, 2]])
PERMUTED = np.argsort(RNG.standard_normal((5, 6)), axis=1)


def run(build, *arrays):
    """The outputs of `build(b, *inputs)`, from native code, which has the interpreter's bits."""
    b = mind.Builder()
    inputs = [b.Input(f"x{n}", mind.TensorType.of_array(np.asarray(a))) for n, a in enumerate(arrays)]
    found = build(b, *inputs)
    m = b.finish(found if isinstance(found, tuple) else [found])
    given = [np.asarray(a) for a in arrays]
    expected = mind.interpret(m, *given)
    found = native(m, "strict")(*given)
    for a, e in zip(found, expected, strict=True):
        assert_same_bits(a, e)
    return found[0]


def lowered(f, *arrays):
    """The text of a JAX function in StableHLO."""
    return jax.jit(f).lower(*arrays).as_text()


OPERATIONS = {
    "concatenate": (lambda b, x, y: b.Concatenate(x, y, x, axis=0), lambda x, y: jnp.concatenate([x, y, x]), [X, Y]),
    "iota": (
        lambda b, x: b.Iota(shape=(5, 6), axis=1, dtype=DType.F32) + x,
        lambda x: lax.broadcasted_iota(np.float32, (5, 6), 1) + x,
        [X],
    ),
    "reverse": (lambda b, x: b.Reverse(x, axes=(0, 1)), lambda x: lax.rev(x, (0, 1)), [X]),
    "pad": (
        lambda b, x, v: b.PadWith(x, v, (-1, 2), (1, -3), (2, 0)),
        lambda x, v: lax.pad(x, v, [(-1, 1, 2), (2, -3, 0)]),
        [X, np.float32(7)],
    ),
    "slice": (
        lambda b, x: b.Slice(x, (1, 0), (5, 6), (2, 3)),
        lambda x: lax.slice(x, (1, 0), (5, 6), (2, 3)),
        [X],
    ),
    "dynamic_slice": (
        lambda b, x, i, j: b.DynamicSlice(x, i, j, sizes=(2, 3)),
        lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)),
        [X, np.int32(4), np.int32(1)],
    ),
    "dynamic_update_slice": (
        lambda b, x, y, i, j: b.DynamicUpdateSlice(x, y, i, j),
        lambda x, y, i, j: lax.dynamic_update_slice(x, y, (i, j)),
        [X, Y, np.int64(9), np.int64(0)],
    ),
    "gather": (
        lambda b, x, p: b.GatherSlices(x, p, (0, 1), (), ()),
        lambda x, p: x.at[p[:, 0], p[:, 1]].get(mode="promise_in_bounds"),
        [X, POINTS],
    ),
    "gather, batched": (
        lambda b, x, p: b.Squeeze(b.GatherSlices(x, b.ExpandDims(p, [2]), (1,), (0,), (1,)), [2]),
        lambda x, p: jnp.take_along_axis(x, p, axis=1),
        [X, PERMUTED],
    ),
    "scatter": (
        lambda b, x, p, u: b.ScatterSlices(x, p, u, (0, 1), (), ()),
        lambda x, p, u: x.at[p[:, 0], p[:, 1]].set(u),
        [X, POINTS, V[:4]],
    ),
    "scatter, added": (
        lambda b, x, p, u: b.ScatterAddSlices(x, p, u, (0, 1), (), ()),
        lambda x, p, u: x.at[p[:, 0], p[:, 1]].add(u),
        [X, POINTS, V[:4]],
    ),
    "scatter, largest": (
        lambda b, x, p, u: b.ScatterMaxSlices(x, p, u, (0, 1), (), ()),
        lambda x, p, u: x.at[p[:, 0], p[:, 1]].max(u),
        [X, POINTS, V[:4]],
    ),
    "scatter, smallest": (
        lambda b, x, p, u: b.ScatterMinSlices(x, p, u, (0, 1), (), ()),
        lambda x, p, u: x.at[p[:, 0], p[:, 1]].min(u),
        [X, POINTS, V[:4]],
    ),
    "sort": (lambda b, x: b.Sort(x, axis=1), lambda x: jnp.sort(x, axis=1), [X]),
    "sort, with others": (
        lambda b, x, p: b.Sort(x, p, axis=0)[1],
        lambda x, p: lax.sort((x, p), dimension=0, num_keys=1)[1],
        [X, PERMUTED],
    ),
    "top_k": (lambda b, x: b.TopK(x, k=3)[1], lambda x: lax.top_k(x, 3)[1], [X]),
}
"""StableHLO's name -> what stands for it here, what JAX calls it, and operands."""


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_stands_for_an_operation_of_stablehlo_has_its_values(name):
    ours, theirs, arrays = OPERATIONS[name]
    dialect = "chlo" if name == "top_k" else "stablehlo"
    assert f"{dialect}.{name.partition(',')[0]}" in lowered(theirs, *arrays)
    np.testing.assert_allclose(run(ours, *arrays), theirs(*map(jnp.asarray, arrays)), rtol=1e-6)


# Iota


def test_a_mask_of_positions_is_one_loop_and_takes_no_memory():
    b = mind.Builder()
    x = b.Input("x", f32(300, 300))
    rows, columns = (b.Iota(shape=(300, 300), axis=n, dtype=DType.I32) for n in (0, 1))
    m = b.finish([b.Select(b.Greater(columns, rows), b.full(f32(), 0), x)])
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize").run(m))
    assert text.count("linalg.generic") == 1
    assert "memref.alloc" not in text


def test_a_long_iota_stays_an_operation_and_a_short_one_is_a_constant():
    b = mind.Builder()
    long, short = (b.Iota(shape=(n,), axis=0, dtype=DType.I64) for n in (2000, 3))
    text = str(mind.canonicalize(b.finish([long, short])))
    assert "Iota {axis = 0, dtype = i64, shape = [2000]}" in text
    assert "ConstTensor {data = [0, 1, 2]" in text


def test_integers_wrap():
    b = mind.Builder()
    (found,) = mind.interpret(b.finish([b.Iota(shape=(3,), axis=0, dtype=DType.I32)]))
    assert found.tolist() == [0, 1, 2]


# What is simplified


def opcodes(build, *types):
    b = mind.Builder()
    m = b.finish([build(b, *[b.Input(f"x{n}", t) for n, t in enumerate(types)])])
    return [o.opcode for o in mind.canonicalize(m).operations if o.opcode != "Input"]


SIMPLER = {
    "one part": (lambda b, x: b.Concatenate(x, axis=0), [f32(3)], []),
    "parts without elements": (lambda b, x, y: b.Concatenate(y, x, y, axis=0), [f32(3), f32(0)], []),
    "fewer parts": (lambda b, x, y: b.Concatenate(y, x, x, axis=0), [f32(3), f32(0)], ["Concatenate"]),
    "reversed twice": (lambda b, x: b.Reverse(b.Reverse(x, axes=[0]), axes=[-2]), [f32(3, 2)], []),
    "reversed along others": (lambda b, x: b.Reverse(b.Reverse(x, axes=[0]), axes=[1]), [f32(3, 2)], ["Reverse"]),
    "reversed along nothing": (lambda b, x: b.Reverse(x, axes=[0]), [f32(1, 2)], []),
    "padded by nothing": (lambda b, x, v: b.PadWith(x, v, (0,), (0,), (0,)), [f32(3), f32()], []),
    "the whole": (lambda b, x, i: b.DynamicSlice(x, i, sizes=(3,)), [f32(3), i32()], []),
    "a constant start": (lambda b, x: b.DynamicSlice(x, b.constant(np.int64(-4)), sizes=(2,)), [f32(3)], ["Slice"]),
    "all is updated": (lambda b, x, u, i: b.DynamicUpdateSlice(x, u, i), [f32(3), f32(3), i64()], []),
    "nothing is updated": (lambda b, x, u, i: b.DynamicUpdateSlice(x, u, i), [f32(3), f32(0), i64()], []),
    "nothing is set": (lambda b, x, i, u: b.ScatterSlices(x, i, u, (0,), (), ()), [f32(3), i64(0, 1), f32(0)], []),
}


@pytest.mark.parametrize("name", SIMPLER)
def test_operations_that_do_nothing_go(name):
    build, types, expected = SIMPLER[name]
    assert opcodes(build, *types) == expected


# Updates of one element


def test_of_several_updates_the_last_stays_and_the_others_have_no_derivative():
    b = mind.Builder()
    x, u = b.Input("x", f32(3)), b.Input("u", f32(4))
    m = b.finish([b.ScatterSlices(x, b.constant(np.array([[1], [0], [1], [1]])), u, (0,), (), ())])
    x, u, ct = np.float32([1, 2, 3]), np.float32([4, 5, 6, 7]), np.float32([10, 20, 30])
    y, dx, du = mind.interpret(gradient(m, seed="input"), x, u, ct)
    assert y.tolist() == [5, 7, 3]
    assert dx.tolist() == [0, 0, 30]
    assert du.tolist() == [0, 10, 0, 20]


@pytest.mark.parametrize(("opcode", "sign"), [("ScatterMaxSlices", 1), ("ScatterMinSlices", -1)])
def test_ties_share_the_cotangent(opcode, sign):
    b = mind.Builder()
    x, u = b.Input("x", f32(2)), b.Input("u", f32(4))
    indices = b.constant(np.array([[0], [0], [0], [1]]))
    m = b.finish([getattr(b, opcode)(x, indices, u, (0,), (), ())])
    x, u = sign * np.float32([3, 9]), sign * np.float32([3, 2, 3, 1])
    y, dx, du = mind.interpret(gradient(m, seed="input"), x, u, np.float32([6, 1]))
    assert y.tolist() == [sign * 3, sign * 9]
    assert dx.tolist() == [2, 1]
    assert du.tolist() == [2, 0, 2, 0]


@pytest.mark.parametrize("opcode", ["ScatterMaxSlices", "ScatterMinSlices"])
def test_a_nan_wins_and_zeros_are_ordered(opcode):
    x, u = np.float32([0.0, -0.0, np.nan, 1]), np.float32([-0.0, 0.0, 1, np.nan])
    indices = np.arange(4)[:, None]
    found = run(lambda b, x, i, u: getattr(b, opcode)(x, i, u, (0,), (), ()), x, indices, u)
    largest = opcode == "ScatterMaxSlices"
    assert_same_bits(found, np.float32([0.0, 0.0, np.nan, np.nan] if largest else [-0.0, -0.0, np.nan, np.nan]))


@pytest.mark.parametrize("bad", [-1, 4, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("opcode", ["GatherSlices", "ScatterSlices", "ScatterAddSlices", "ScatterMaxSlices"])
def test_a_slice_that_does_not_fit_is_an_error_from_native_code_too(opcode, bad):
    b = mind.Builder()
    operands = [b.Input("x", f32(5)), b.Input("i", i64(2, 1))]
    arrays = [np.zeros(5, np.float32), np.array([[3], [bad]])]
    if opcode != "GatherSlices":
        operands.append(b.Input("u", f32(2, 2)))
        arrays.append(np.zeros((2, 2), np.float32))
    m = b.finish([getattr(b, opcode)(*operands, (0,), (), (2,))])
    for run in (lambda: mind.interpret(m, *arrays), lambda: native(m, "default")(*arrays)):
        with pytest.raises(mind.MindError, match=rf"E6001.*{opcode} index {bad} is out of bounds for extent 5"):
            run()


@pytest.mark.parametrize("start", [-(2**63), -1, 0, 3, 2**63 - 1])
def test_starts_are_clamped(start):
    x, u = np.arange(5, dtype=np.float32), np.float32([7, 8])
    at = min(max(start, 0), 3)
    read = run(lambda b, x, i: b.DynamicSlice(x, i, sizes=(2,)), x, np.int64(start))
    assert read.tolist() == [at, at + 1]
    written = run(lambda b, x, u, i: b.DynamicUpdateSlice(x, u, i), x, u, np.int64(start))
    assert written.tolist() == [*x[:at], 7, 8, *x[at + 2 :]]


def test_an_update_is_written_into_the_memory_of_what_is_used_no_more():
    b = mind.Builder()
    x, i = b.Input("x", f32(4096)), b.Input("i", i64())
    y = b.Neg(x)
    for _ in range(3):
        y = b.DynamicUpdateSlice(y, b.DynamicSlice(x, i, sizes=(2,)), i)
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize").run(b.finish([y])))
    assert "memref.copy" not in text
    assert "memref.alloc() {alignment = 64 : i64} : memref<4096xf32>" not in text  # in that of the result alone


# Order

SPECIAL = np.float32([0.0, np.nan, -0.0, -np.inf, 0.0, 1, -np.nan, np.inf, -0.0, -1])


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nans_are_above_numbers_and_zeros_are_equal(dtype, descending):
    x = SPECIAL.astype(dtype)
    order = run(lambda b, x: b.ArgSort(x, axis=0, descending=descending), x)
    expected = [1, 6, 7, 5, 0, 2, 4, 8, 9, 3] if descending else [3, 9, 0, 2, 4, 8, 5, 7, 1, 6]
    assert order.tolist() == expected
    found = run(lambda b, x: b.Sort(x, axis=0, descending=descending), x)
    bits = f"i{x.itemsize}"
    assert found.view(bits).tolist() == x[expected].view(bits).tolist()


@pytest.mark.parametrize("n", [2, 15, 100, 1000, 10_000, 70_000, 300_000])
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int16])
def test_many_elements_are_sorted_with_every_width_of_digits(n, dtype):
    x = (RNG.standard_normal(n) * (1e6 if dtype != np.int16 else 5000)).astype(dtype)
    x[: n // 3] = x[n // 3 : 2 * (n // 3)]  # some twice
    b = mind.Builder()
    v = b.Input("x", mind.TensorType.of_array(x))
    exe = mind.compile(b.finish([b.Sort(v, axis=0)[0], b.ArgSort(v, axis=0, descending=True)]))
    found, order = exe(x)
    assert_same_bits(found, np.sort(x))
    assert_same_bits(order, np.argsort(-x, kind="stable"))


@pytest.mark.parametrize("k", [1, 5, 64, 128, 129, 1000])
@pytest.mark.parametrize(
    "make", [np.sort, lambda a: -np.sort(a), np.array, np.round], ids=["up", "down", "any", "ties"]
)
def test_the_largest_are_found_wherever_they_are(make, k):
    x = make(RNG.standard_normal(1000)).astype(np.float32)
    b = mind.Builder()
    exe = mind.compile(b.finish(b.TopK(b.Input("x", f32(1000)), k=k)))
    values, indices = exe(x)
    expected = np.argsort(-x, kind="stable")[:k]
    assert indices.tolist() == expected.tolist()
    assert_same_bits(values, x[expected])
