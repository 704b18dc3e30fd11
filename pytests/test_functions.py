"""NumPy-like functions: the numbers of NumPy, traced and at once.  test_grad_grids.py has their derivatives."""

import numpy as np
import pytest
from support import assert_same_bits

import mind_mlir as mind
from mind_mlir.ir import OPS

RNG = np.random.default_rng(0)


def array(*shape, dtype=np.float64):
    return RNG.standard_normal(shape).astype(dtype)


def positive(*shape):
    return RNG.uniform(0.5, 2, shape)


def grid():
    """A name, our function, NumPy's, and arguments."""
    shapes = [(), (3,), (2, 3), (2, 3, 4), (1, 3), (0, 3)]
    for shape in shapes:
        axes = [None, *range(-len(shape), len(shape)), *([(0, -1), (1, 0)] if len(shape) > 1 else [])]
        for axis in [*axes, ()]:
            for keepdims in (False, True):
                for name in ("sum", "mean"):
                    if name == "mean" and 0 in shape:
                        continue
                    ours, numpys = getattr(mind, name), getattr(np, name)
                    yield (
                        f"{name}{shape}-{axis}-{keepdims}",
                        lambda x, f=ours, a=axis, k=keepdims: f(x, a, k),
                        lambda x, f=numpys, a=axis, k=keepdims: f(x, axis=a, keepdims=k),
                        (array(*shape),),
                    )
    for a, b in [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2,), (2, 3)),
        ((2, 3), (3, 4)),
        ((5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
    ]:
        yield f"matmul{a}{b}", mind.matmul, np.matmul, (array(*a), array(*b))
    for a, b in [
        ((5, 1, 2, 3), (4, 3, 2)),
        ((5, 2, 3), (3,)),
        ((2,), (5, 2, 3)),
        ((2, 0), (0, 3)),
        ((1, 2, 3), (5, 3, 1)),
    ]:
        yield f"matmul{a}{b}", mind.matmul, np.matmul, (array(*a), array(*b))
    for a, b in [((3,), (3,)), ((2, 3), (3,)), ((2,), (2, 3)), ((2, 3), (3, 4)), ((), (2, 3)), ((3,), ()), ((), ())]:
        yield f"dot{a}{b}", mind.dot, np.dot, (array(*a), array(*b))
    for shape, new in [
        ((6,), (2, 3)),
        ((2, 3), -1),
        ((2, 3), 6),
        ((2, 3), (3, -1)),
        ((1,), ()),
        ((), (1, 1)),
        ((0, 2), (2, 0)),
    ]:
        yield (
            f"reshape{shape}{new}",
            lambda x, n=new: mind.reshape(x, n),
            lambda x, n=new: x.reshape(n),
            (array(*shape),),
        )
    for axes in [None, (0, 1, 2), (2, 0, 1), (-1, 0, 1), [1, 0, 2]]:
        yield (
            f"transpose{axes}",
            lambda x, a=axes: mind.transpose(x, a),
            lambda x, a=axes: np.transpose(x, a),
            (array(2, 3, 4),),
        )
    for axis in [0, 1, 2, -1, (0, 2), (0, -1)]:
        yield (
            f"expand_dims{axis}",
            lambda x, a=axis: mind.expand_dims(x, a),
            lambda x, a=axis: np.expand_dims(x, a),
            (array(2, 3),),
        )
    for axis in [None, 0, 2, -1, (0, 2), ()]:
        yield (
            f"squeeze{axis}",
            lambda x, a=axis: mind.squeeze(x, a),
            lambda x, a=axis: np.squeeze(x, a),
            (array(1, 3, 1),),
        )
    for indices in [0, -1, [2, 0], [[0, 1], [2, -1]], np.array([1, 1, 1], np.int32), []]:
        for axis in (0, 1, -1):
            yield (
                f"take{indices}-{axis}",
                lambda x, i=indices, a=axis: mind.take(x, i, a),
                lambda x, i=indices, a=axis: np.take(x, np.asarray(i, int), a),
                (array(3, 4, 5),),
            )
    for shape, new in [((3,), (2, 3)), ((2, 1), (2, 4)), ((), (2,)), ((1, 3), (0, 3)), ((3,), 3)]:
        yield (
            f"broadcast_to{shape}{new}",
            lambda x, n=new: mind.broadcast_to(x, n),
            lambda x, n=new: np.broadcast_to(x, n),
            (array(*shape),),
        )
    mask = np.array([[True, False, True], [False, True, True]])
    for a, b in [((2, 3), (2, 3)), ((3,), (2, 1)), ((), (2, 3)), ((2, 3), ())]:
        yield (
            f"where{a}{b}",
            lambda x, y: mind.where(mask, x, y),
            lambda x, y: np.where(mask, x, y),
            (array(*a), array(*b)),
        )
    for shape in shapes:
        yield f"exp{shape}", mind.exp, np.exp, (array(*shape),)
        yield f"log{shape}", mind.log, np.log, (positive(*shape),)
        yield f"relu{shape}", mind.relu, lambda x: np.maximum(x, 0), (array(*shape),)
        yield f"reciprocal{shape}", mind.reciprocal, np.reciprocal, (positive(*shape),)


GRID = {name: rest for name, *rest in grid()}


@pytest.mark.parametrize("name", GRID)
def test_a_function_gives_the_numbers_of_numpy(name):
    ours, numpys, arguments = GRID[name]
    for dtype in (np.float32, np.float64):
        given = [np.asarray(a, dtype) for a in arguments]
        expected = np.asarray(numpys(*given))
        at_once, traced = ours(*given), mind.jit(ours, target="interpret")(*given)
        assert (at_once.dtype, at_once.shape) == (dtype, expected.shape)
        np.testing.assert_allclose(at_once, expected, rtol=1e-5, atol=1e-6)
        assert_same_bits(traced, at_once)


INTEGERS = {
    "sum": (lambda x: mind.sum(x, dtype=x.dtype), np.sum),
    "transpose": (mind.transpose, np.transpose),
    "matmul": (lambda x: mind.matmul(x, x.T), lambda x: x @ x.T),
    "dot": (lambda x: mind.dot(x[0], x[1]), lambda x: np.dot(x[0], x[1])),
    "take": (lambda x: mind.take(x, [1, 0]), lambda x: np.take(x, [1, 0], 0)),
    "where": (lambda x: mind.where(mind.greater(x, 0), x, 0), lambda x: np.where(x > 0, x, 0)),
}


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_functions_take_integers(name, dtype):
    ours, numpys = INTEGERS[name]
    x = np.arange(-3, 3).reshape(2, 3).astype(dtype)
    assert_same_bits(mind.jit(ours, target="interpret")(x), np.asarray(numpys(x), dtype))


@pytest.mark.parametrize("strides", [1, (2, 1), (2, 2)])
@pytest.mark.parametrize("padding", ["Valid", "Same", ((1, 0), (0, 2))])
def test_conv2d_is_a_sum_of_products_of_windows(strides, padding):
    x, w = array(2, 5, 4, 3), array(3, 2, 3, 2)
    found = mind.conv2d(x, w, strides, padding)
    sh, sw = (strides, strides) if isinstance(strides, int) else strides
    if padding == "Valid":
        pads = ((0, 0), (0, 0))
    elif padding == "Same":
        totals = [max((-(-n // s) - 1) * s + k - n, 0) for n, s, k in ((5, sh, 3), (4, sw, 2))]
        pads = tuple((t // 2, t - t // 2) for t in totals)
    else:
        pads = padding
    padded = np.pad(x, ((0, 0), *pads, (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 2), (1, 2))[:, ::sh, ::sw]
    np.testing.assert_allclose(found, np.einsum("nyxcij,ijcf->nyxf", windows, w), rtol=1e-12)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("clip", [10, 10, 30, 30]), ("fill", [0, 10, 30, 0])],
)
def test_take_beyond_the_extent_is_by_mode(mode, expected):
    x, ids = np.float32([10, 20, 30]), np.array([-1, 0, 2, 3])
    expected = np.float32(expected)
    assert_same_bits(mind.take(x, ids, mode=mode), expected)
    assert_same_bits(mind.jit(lambda x, i: mind.take(x, i, mode=mode), target="interpret")(x, ids), expected)
    gradient = mind.grad(lambda x: mind.sum(mind.take(x, ids, mode=mode)), target="interpret")(x)
    assert_same_bits(gradient, np.float32([2, 0, 2] if mode == "clip" else [1, 0, 1]))


def test_rows_taken_twice_have_the_sum_of_both_gradients():
    gradient = mind.grad(lambda x: mind.sum(mind.take(x, [1, 1, 0], axis=1)), target="interpret")(np.ones((2, 3)))
    assert_same_bits(gradient, np.array([[1.0, 2, 0]] * 2))


def test_what_where_does_not_choose_has_no_influence_on_the_result():
    x = np.float32([0, 1])
    assert_same_bits(mind.where(x > 0, mind.log(x), 7), np.float32([7, 0]))
    inner = lambda x: mind.sum(mind.where(x > 0, mind.log(mind.where(x > 0, x, 1)), 0))  # noqa: E731
    assert_same_bits(mind.grad(inner, target="interpret")(x), np.float32([0, 1]))


def test_where_of_two_scalars_is_f32_or_i64():
    assert mind.where(True, 1.0, 0.0).dtype == np.float32
    assert mind.where(np.array([1, 0]), 1, 0).dtype == np.int64
    assert mind.where(np.array([1, 0]), 1, 0.5).dtype == np.float32


def test_scalars_alone_are_f32_and_i64():
    assert_same_bits(mind.exp(0.0), np.array(1, np.float32))
    assert_same_bits(mind.sum(3), np.array(3))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_a_numpy_scalar_alone_keeps_its_dtype_traced_and_at_once(dtype):
    for fn in (mind.sum, lambda x: mind.broadcast_to(x, 2), lambda x: mind.dot(x, x), lambda x: mind.where(1, x, 2)):
        assert_same_bits(fn(dtype(3)), mind.jit(fn, target="interpret")(dtype(3)))


def test_numpy_scalars_of_several_dtypes_alone_have_the_widest():
    assert mind.dot(np.float32(2), np.float64(3)).dtype == np.float64
    assert mind.dot(np.int32(2), np.int64(3)).dtype == np.int64
    assert mind.dot(np.int32(2), 3).dtype == np.int32
    assert mind.dot(np.float32(2), np.int64(3)).dtype == np.float32


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: mind.reshape(x, (3, 2)),
        lambda x: mind.transpose(x),
        lambda x: mind.broadcast_to(x, (4, 2, 3)),
        lambda x: mind.expand_dims(x, 0),
        lambda x: mind.squeeze(x),
        lambda x: mind.squeeze(x[None]),
        lambda x: mind.sum(x, axis=()),
        lambda x: mind.exp(mind.transpose(x)),
    ],
)
def test_a_function_of_arrays_gives_one_in_memory_of_its_own(fn):
    x = np.arange(6.0).reshape(2, 3)
    found = fn(x)
    expected = found.copy()
    assert found.flags.writeable
    assert found.flags.c_contiguous
    x[...] = -1
    assert_same_bits(found, expected)
    found.flat[0] = 7
    assert np.count_nonzero(found == 7) == 1


def test_unsigned_positions_beyond_i64_are_beyond_the_last_row():
    far = np.array([2**63 + 5], np.uint64)
    assert_same_bits(mind.take(np.float32([1, 2]), far, mode="clip"), np.float32([2]))
    assert_same_bits(mind.take(np.float32([1, 2]), far, mode="fill"), np.float32([0]))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("mode", ["error", "clip", "fill"])
def test_positions_are_integers_of_any_width(dtype, mode):
    assert_same_bits(mind.take(np.arange(300.0), np.array([100, 2], dtype), mode=mode), np.array([100.0, 2]))


def test_a_position_beyond_i64_is_beyond_every_axis():
    x = np.float32([1, 2])
    assert mind.take(x, 2**70, mode="clip") == 2
    assert mind.take(x, -(2**70), mode="fill") == 0
    with pytest.raises(mind.MindError, match="E6001"):
        mind.take(x, 2**70)


@pytest.mark.parametrize("shape", [(2**40, 3), (2**62, 2**62, 3), (2**62, 2**62, 0), (2**40, 0, 3)])
def test_what_no_memory_holds_is_an_error_traced_and_at_once(shape):
    def fn(x):
        return mind.broadcast_to(x, shape)

    for call in (fn, mind.jit(fn, target="interpret")):
        with pytest.raises(mind.MindError, match=r"E6004.*Broadcast"):
            call(np.ones(0 if shape[-1] == 0 else (0, 3) if not shape[1] else 3))


def test_i32_positions_count_from_the_end_of_an_axis_beyond_i32():
    x = np.zeros((3_000_000_000, 0))
    assert mind.take(x, np.array([-1, 0], np.int32)).shape == (2, 0)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda x: mind.sum(x, axis=2), "E3004"),
        (lambda x: mind.sum(x, axis=(0, 0)), "E3005"),
        (lambda x: mind.sum(x, axis=0.5), "E4013"),
        (lambda x: mind.take(x, [[1], [1, 2]]), "E2005"),
        (lambda x: mind.conv2d(np.ones((1, 3, 3, 1)), np.ones((2, 2, 1, 1)), 1.5), "E4013"),
        (lambda x: mind.conv2d(np.ones((1, 3, 3, 1)), np.ones((2, 2, 1, 1)), (1, 1.5)), "E4013"),
        (lambda x: mind.reshape(x, (4, 2)), "E3007"),
        (lambda x: mind.reshape(x, "ab"), "E4013"),
        (lambda x: mind.transpose(x, (0, 0)), "E3008"),
        (lambda x: mind.transpose(x, (0, 5)), "E3008"),
        (lambda x: mind.squeeze(x, 0), "E3009"),
        (lambda x: mind.expand_dims(x, 5), "E3004"),
        (lambda x: mind.broadcast_to(x, (2, 2)), "E3001"),
        (lambda x: mind.matmul(x, x), "E3003"),
        (lambda x: mind.matmul(x, 1.0), "E3002"),
        (lambda x: mind.dot(x, np.ones((2, 2, 2), np.float32)), "E3002"),
        (lambda x: mind.take(x, [5]), "E6001"),
        (lambda x: mind.take(x, [0.5]), "E2005"),
        (lambda x: mind.take(x, [0], axis=2), "E3004"),
        (lambda x: mind.take(x, [0], mode="wrap"), "E4013"),
        (lambda x: mind.conv2d(x, x), "E3002"),
        (lambda x: mind.conv2d(np.ones((1, 3, 3, 1)), np.ones((2, 2, 1, 1)), padding="full"), "E4010"),
        (lambda x: mind.conv2d(np.ones((1, 3, 3, 1)), np.ones((2, 2, 1, 1)), 0), "E4010"),
        (lambda x: mind.exp([1.0, 2.0]), "E6009"),
        (lambda x: mind.exp("x"), "E6009"),
        (lambda x: mind.exp(None), "E6009"),
        (lambda x: mind.exp(1j), "E6009"),
        (lambda x: mind.exp(np.array(["x"])), "E2002"),
        (lambda x: mind.exp(np.complex64([1])), "E2002"),
        (lambda x: mind.apply(OPS["Exp"]()), "E2007"),
        (lambda x: mind.apply(OPS["Add"](), x, x, x), "E2007"),
        (lambda x: mind.apply(OPS["Add"](), x, "x"), "E6009"),
        (lambda x: mind.apply(OPS["Pad"]((1,), (0,), (0,)), x), "E4007"),
    ],
)
def test_a_wrong_call_is_an_error_at_its_line(call, code):
    x = np.ones((2, 3), np.float32)
    for attempt in (lambda: call(x), lambda: mind.jit(call, target="interpret")(x)):
        with pytest.raises(mind.MindError) as caught:
            attempt()
        assert caught.value.code == code
        assert "lambda x: mind." in caught.value.source.line(caught.value.source.line_col(caught.value.span.start)[0])


def test_an_operation_of_ones_own_is_applied():
    pad = OPS["Pad"]((1,), (0,), (0,))
    x = np.float32([1, 2])
    assert_same_bits(mind.apply(pad, x), np.float32([0, 1, 2]))
    assert mind.apply(pad, np.float32([])).shape == (1,)
    assert_same_bits(mind.grad(lambda x: mind.sum(mind.apply(pad, x) * 3), target="interpret")(x), np.float32([3, 3]))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
def test_floor_divide_is_that_of_numpy_at_the_ends_of_the_range(dtype):
    ends = np.iinfo(dtype)
    values = np.array([ends.min, ends.min + 1, 1, 2, 3, 7, ends.max - 1, ends.max], dtype)
    values = np.concatenate([values, -values[1:6]])
    x, y = np.meshgrid(values, values[values != 0])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(mind.floor_divide(x, y), np.floor_divide(x, y))
