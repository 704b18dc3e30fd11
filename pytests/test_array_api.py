"""Functions with a name of the Python array API standard give what its strict implementation, array_api_strict, gives.

Shapes, element types, keywords and special values are random, and the same on every run. What is left out has its
reason in `mind_mlir/frontend/functions/missing.py`.
"""

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from hypothesis.extra import numpy as hnp

import mind_mlir as mind
from mind_mlir.frontend.functions import missing
from mind_mlir.ir import DType

FLOAT = ["float32", "float64"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INT = SIGNED + UNSIGNED
BOOL = ["bool"]
NUMBER = INT + FLOAT
ANY = BOOL + NUMBER

few = settings(max_examples=25)

NO_FUNCTION = {"ArrayAPIStrictFlags", "Device", "ModuleType"} | {
    f"{verb}_array_api_strict_flags" for verb in ("get", "set", "reset")
}
"""What the strict implementation has beside the standard."""


# Comparison


def as_strict(x):
    """NumPy arrays, also in lists and tuples, as strict ones."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(as_strict, x))
    return strict.asarray(x) if isinstance(x, np.ndarray) else x


def as_numpy(x):
    if isinstance(x, (list, tuple)):
        return [as_numpy(part) for part in x]
    return np.asarray(x) if isinstance(x, np.ndarray) else np.from_dlpack(x)


def expected_of(name, args, kwargs):
    with np.errstate(all="ignore"):
        return as_numpy(getattr(strict, name)(*as_strict(args), **as_strict_values(kwargs)))


def as_strict_values(kwargs):
    """Element types by name, for either namespace."""
    return {k: getattr(strict, v) if k == "dtype" and v is not None else v for k, v in kwargs.items()}


def assert_close(found, expected, what, digits=1):
    """Equal element types and shapes, and floats equal up to rounding; NaN and infinities exactly."""
    if isinstance(expected, list):
        assert len(found) == len(expected), what
        for one, other in zip(found, expected):
            assert_close(one, other, what, digits)
        return
    assert isinstance(found, np.ndarray), what
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), what
    if found.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected, what)
        return
    tolerance = digits * {"float32": 2e-6, "float64": 1e-14}[str(found.dtype)]
    tiny = np.finfo(found.dtype).tiny
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=digits * tiny, err_msg=what)


def check(name, args, kwargs=None, digits=1):
    kwargs = kwargs or {}
    expected = expected_of(name, args, kwargs)
    function = getattr(mind, name)
    assert_close(function(*args, **kwargs), expected, f"{name}{args} {kwargs}", digits)


# Values

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, float("inf"), float("-inf"), float("nan"), 1e-30, 7.25, -2.0]


def elements(dtype, special=True):
    if dtype == "bool":
        return st.booleans()
    if dtype.startswith("f"):
        plain = st.floats(-100, 100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-3)
        return st.one_of(st.sampled_from(SPECIAL), plain) if special else plain
    info = np.iinfo(dtype)
    small = st.integers(max(info.min, -9), 9)
    return st.one_of(small, st.integers(int(info.min), int(info.max))) if special else small


shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)


@st.composite
def arrays(draw, dtypes, shape=shapes, special=True):
    dtype = draw(st.sampled_from(dtypes))
    return draw(hnp.arrays(dtype, draw(shape), elements=elements(dtype, special)))


@st.composite
def pairs(draw, dtypes, special=True):
    """Two arrays that broadcast, whose element types promote."""
    first, second = draw(st.sampled_from(dtypes)), draw(st.sampled_from(dtypes))
    try:
        strict.result_type(getattr(strict, first), getattr(strict, second))
    except TypeError:
        assume(False)
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3)).input_shapes
    return tuple(
        draw(hnp.arrays(dtype, shape, elements=elements(dtype, special))) for dtype, shape in zip((first, second), both)
    )


# Element by element

UNARY = {
    **dict.fromkeys(["abs", "ceil", "floor", "negative", "positive", "round", "sign", "square", "trunc"], NUMBER),
    **dict.fromkeys(["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log"], FLOAT),
    **dict.fromkeys(["log10", "log1p", "log2", "reciprocal", "signbit", "sin", "sinh", "sqrt", "tan", "tanh"], FLOAT),
    **dict.fromkeys(["isfinite", "isinf", "isnan"], NUMBER),
    "bitwise_invert": BOOL + INT,
    "logical_not": BOOL,
}
DIGITS = {"pow": 20, "log1p": 2, "cosh": 4, "sinh": 4, "hypot": 2, "logaddexp": 4, "log2": 2, "log10": 2, "tan": 4}

BINARY = {
    **dict.fromkeys(["add", "maximum", "minimum", "multiply", "subtract"], NUMBER),
    **dict.fromkeys(["atan2", "copysign", "divide", "hypot", "logaddexp", "nextafter"], FLOAT),
    **dict.fromkeys(["bitwise_and", "bitwise_or", "bitwise_xor"], BOOL + INT),
    **dict.fromkeys(["equal", "not_equal"], ANY),
    **dict.fromkeys(["greater", "greater_equal", "less", "less_equal"], NUMBER),
    **dict.fromkeys(["logical_and", "logical_or", "logical_xor"], BOOL),
    **dict.fromkeys(["floor_divide", "remainder", "pow"], NUMBER),
    **dict.fromkeys(["bitwise_left_shift", "bitwise_right_shift"], INT),
}


@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_array(name):
    @given(arrays(UNARY[name]))
    @few
    def compare(x):
        check(name, (x,), digits=DIGITS.get(name, 1))

    compare()


def fitting(name, y, x):
    """The second operand where the standard says what becomes of it."""
    if name in ("floor_divide", "remainder"):
        y = np.where(np.isfinite(y) & (y != 0), y, np.ones((), y.dtype))
    elif name.endswith("shift"):
        y = (np.abs(y.astype(np.float64)) % (8 * min(y.itemsize, x.itemsize))).astype(y.dtype)
    elif name == "pow" and y.dtype.kind != "f":
        y = (np.abs(y.astype(np.float64)) % 5).astype(y.dtype)
    return np.asarray(y)


@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_two_arrays(name):
    @given(pairs(BINARY[name], special=name not in ("floor_divide", "remainder")))
    @few
    def compare(xy):
        x, y = xy
        check(name, (x, fitting(name, y, x)), digits=DIGITS.get(name, 1))

    compare()


@given(arrays(NUMBER), st.data())
@few
def test_clip(x, data):
    kind = elements(str(x.dtype), special=False)
    low, high = sorted([data.draw(kind), data.draw(kind)])  # numbers of Python's
    check("clip", (x, low, high))
    check("clip", (x,), {"min": low})
    check("clip", (x, np.asarray(low, x.dtype), np.asarray(high, x.dtype)))


@given(arrays(NUMBER, special=False))
@few
def test_parts_of_numbers_that_are_not_complex(x):
    assert mind.real(x) is x
    assert mind.conj(x) is x
    assert_close(mind.imag(x), np.zeros_like(x), "imag")
    assert_close(mind.isin(x, x[..., :1] if x.ndim else x), np.isin(x, x[..., :1] if x.ndim else x), "isin")


@given(pairs(ANY), st.data())
@few
def test_where(xy, data):
    shape = np.broadcast_shapes(*(a.shape for a in xy))
    check("where", (data.draw(hnp.arrays(bool, shape)), *xy))


# Along axes

REDUCTIONS = {
    **dict.fromkeys(["sum", "prod", "max", "min"], NUMBER),
    **dict.fromkeys(["mean", "std", "var"], FLOAT),
    **dict.fromkeys(["all", "any", "count_nonzero"], ANY),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_reduction(name):
    @given(arrays(REDUCTIONS[name], special=False), st.data())
    @few
    def compare(x, data):
        axes = st.one_of(
            st.none(), hnp.valid_tuple_axes(x.ndim), *([st.integers(-x.ndim, x.ndim - 1)] if x.ndim else [])
        )
        kwargs = {"axis": data.draw(axes), "keepdims": data.draw(st.booleans())}
        if name in ("max", "min", "mean", "std", "var"):
            assume(x.size)
        if name in ("std", "var"):
            kwargs["correction"] = data.draw(st.sampled_from([0.0, 0.5]))
        with np.errstate(over="ignore"):
            check_near(name, x, kwargs)

    compare()


def check_near(name, x, kwargs):
    """Sums differ by the order of their terms, in proportion to the terms and not to the result."""
    found, expected = getattr(mind, name)(x, **kwargs), expected_of(name, (x,), kwargs)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if found.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected)
        return
    eps, largest = float(np.finfo(found.dtype).eps), float(np.max(np.abs(x), initial=0))
    near = {"prod": 0, "max": 0, "min": 0, "std": eps**0.5 * largest, "var": eps * largest**2}
    atol = near.get(name, eps * largest) * max(x.size, 1) * 8
    np.testing.assert_allclose(found, expected, rtol=64 * eps, atol=atol)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_the_position_of_an_extreme(name):
    @given(arrays(NUMBER, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4)), st.data())
    @few
    def compare(x, data):
        axis = data.draw(st.one_of(st.none(), st.integers(-x.ndim, x.ndim - 1)))
        check(name, (x,), {"axis": axis, "keepdims": data.draw(st.booleans())})

    compare()


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_what_runs_along_an_axis(name):
    @given(arrays(NUMBER, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4), special=False), st.data())
    @few
    def compare(x, data):
        axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
        kwargs = {"axis": axis, "include_initial": data.draw(st.booleans())}
        expected = expected_of(name, (x,), kwargs)
        found = getattr(mind, name)(x, **kwargs)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)

    compare()


@given(
    arrays(NUMBER, hnp.array_shapes(min_dims=1, max_dims=2, max_side=5), special=False), st.integers(0, 2), st.data()
)
@few
def test_diff(x, n, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    assume(n <= x.shape[axis])
    check("diff", (x,), {"n": n, "axis": axis}, digits=100)


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_elements_in_order(name):
    @given(arrays(NUMBER, hnp.array_shapes(min_dims=1, max_dims=2, max_side=6)), st.data())
    @few
    def compare(x, data):
        assume(not (x.dtype.kind == "f" and np.isnan(x).any()))
        kwargs = {"axis": data.draw(st.integers(-x.ndim, x.ndim - 1)), "descending": data.draw(st.booleans())}
        check(name, (x,), kwargs)

    compare()


@given(arrays(FLOAT, st.tuples(st.integers(1, 9)), special=False), st.sampled_from(["left", "right"]), st.data())
@few
def test_searchsorted(x, side, data):
    v = data.draw(hnp.arrays(x.dtype, data.draw(shapes), elements=elements(str(x.dtype), False)))
    check("searchsorted", (np.sort(x), v), {"side": side})


# Shapes

one_axis = hnp.array_shapes(min_dims=1, max_dims=3, max_side=4)


@given(arrays(ANY), st.data())
@few
def test_other_shapes(x, data):
    check("reshape", (x, (-1,) if x.size else (0,)))
    axis = data.draw(st.integers(-x.ndim - 1, x.ndim))
    check("expand_dims", (x,), {"axis": axis})
    check("squeeze", (x[..., None], -1))
    order = data.draw(st.permutations(range(x.ndim)))
    check("permute_dims", (x, tuple(order)))
    check("broadcast_to", (x, (2, *x.shape)))
    check("broadcast_arrays", (x, np.zeros((1,) * x.ndim, x.dtype)))
    check("tile", (x, tuple(data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3)))))
    if x.ndim > 1:
        check("matrix_transpose", (x,))
        check("moveaxis", (x, 0, -1))


@given(arrays(ANY, one_axis), st.data())
@few
def test_other_orders(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    check("flip", (x,), {"axis": data.draw(st.sampled_from([None, axis]))})
    shift = data.draw(st.integers(-5, 5))
    check("roll", (x, shift), {"axis": data.draw(st.sampled_from([None, axis]))})
    check("unstack", (x,), {"axis": axis})
    counts = data.draw(hnp.arrays(np.int64, x.shape[axis], elements=st.integers(0, 3)))
    check("repeat", (x, counts), {"axis": axis})
    check("repeat", (x, 2))
    indices = data.draw(hnp.arrays(np.int64, 3, elements=st.integers(0, x.shape[axis] - 1)))
    check("take", (x, indices), {"axis": axis})
    shape = list(x.shape)
    shape[axis] = 2
    along = data.draw(hnp.arrays(np.int64, shape, elements=st.integers(0, x.shape[axis] - 1)))
    check("take_along_axis", (x, along), {"axis": axis})
    x = x[..., :0] if data.draw(st.booleans()) and data.draw(st.booleans()) else x
    check("concat", ([x, x],), {"axis": axis})
    check("concat", ([x, x, x],), {"axis": None})
    check("stack", ([x, x],), {"axis": data.draw(st.integers(-x.ndim - 1, x.ndim))})


@given(pairs(NUMBER, special=False))
@few
def test_several_arrays_have_one_element_type(xy):
    x, y = (a.reshape(-1) for a in xy)
    check("concat", ([x, y],))
    assert mind.result_type(x, y) == expected_of("add", (x[:0], y[:0]), {}).dtype


@given(arrays(ANY, hnp.array_shapes(min_dims=2, max_dims=3, max_side=4)), st.integers(-3, 3))
@few
def test_triangles(x, k):
    check("tril", (x,), {"k": k})
    check("triu", (x,), {"k": k})


# Products


@pytest.mark.parametrize("shapes", [((2, 3), (3, 4)), ((3,), (3,)), ((4, 1, 3), (1, 3, 2)), ((0, 3), (3, 2))])
@pytest.mark.parametrize("dtype", NUMBER)
def test_products(dtype, shapes):
    x, y = (np.arange(np.prod(s)).reshape(s).astype(dtype) for s in shapes)
    check("matmul", (x, y))
    if y.ndim < 3:
        check("tensordot", (x, y), {"axes": 0})
    check("vecdot", (x, np.ones(3, dtype)))
    if x.ndim == y.ndim == 2:
        check("tensordot", (x, y), {"axes": ((1,), (0,))})
        check("tensordot", (x, y), {"axes": 1})


# Made from nothing


@given(st.sampled_from([None, *FLOAT]), shapes)
@few
def test_arrays_of_one_value(dtype, shape):
    for name in ("zeros", "ones"):
        found = getattr(mind, name)(shape, dtype=dtype)
        assert (found.dtype, found.shape) == (np.dtype(dtype or "float32"), shape)
        assert (found == (name == "ones")).all()
        assert getattr(mind, f"{name}_like")(found).shape == shape
    assert mind.empty(shape, dtype=dtype).shape == mind.empty_like(np.ones(shape)).shape == shape


@given(shapes, st.sampled_from([True, 3, 2.5]))
@few
def test_full(shape, value):
    kind = {bool: "bool", int: "int64", float: "float32"}[type(value)]
    for found in (mind.full(shape, value), mind.full_like(np.zeros(shape, kind), value)):
        assert (found.dtype, found.shape) == (np.dtype(kind), shape)
        assert (found == value).all()


def test_a_value_of_full_is_read_in_the_element_type_that_is_named():
    large = 3.4028235677973366e38  # above every f32
    assert mind.full(2, large, dtype="float64").tolist() == [large] * 2
    assert mind.full((), 2**63, dtype="uint64") == 2**63


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-3, 3).filter(bool), st.sampled_from([None, *NUMBER]))
@few
def test_arange(start, stop, step, dtype):
    assume(dtype is None or dtype[0] != "u" or min(start, stop) >= 0)
    check("arange", (start, stop, step), {"dtype": dtype})


@given(st.floats(-9, 9, width=32), st.floats(-9, 9, width=32), st.integers(1, 9), st.booleans())
@few
def test_linspace(start, stop, count, endpoint):
    found = mind.linspace(start, stop, count, endpoint=endpoint)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.linspace(start, stop, count, endpoint), rtol=1e-6, atol=1e-6)


@given(st.integers(0, 4), st.integers(0, 4), st.integers(-3, 3))
@few
def test_eye(rows, columns, k):
    check("eye", (rows, columns), {"k": k, "dtype": "float32"})


def test_grids():
    x, y = np.arange(3), np.arange(2)
    for indexing in ("xy", "ij"):
        check("meshgrid", (x, y), {"indexing": indexing})


def test_asarray_and_from_dlpack_and_astype():
    for x, dtype in (([1, 2], "int64"), ([1.5], "float32"), (True, "bool"), ([[1], [2]], "int64")):
        assert_close(mind.asarray(x), np.asarray(x, dtype), "asarray")
    x = np.float32([1.5, 2])
    assert mind.asarray(x) is x
    assert mind.asarray(x, copy=True) is not x
    assert mind.from_dlpack(x).tolist() == [1.5, 2]
    for dtype in NUMBER + BOOL:
        check_astype(x, dtype)


def check_astype(x, dtype):
    found = mind.astype(x, dtype)
    assert_close(found, np.asarray(strict.astype(strict.asarray(x), getattr(strict, dtype))), "astype")


# Element types and the namespace


def test_element_types_have_their_names_and_limits():
    for name in (d.numpy_name for d in DType):
        assert np.dtype(getattr(mind, name)) == DType.of(name).numpy
    for name in FLOAT:
        ours, theirs = mind.finfo(name), np.finfo(name)
        assert [ours.bits, ours.eps, ours.max, ours.min, ours.smallest_normal, ours.tiny] == [
            *(theirs.bits, theirs.eps, theirs.max, theirs.min, theirs.smallest_normal, theirs.tiny)
        ]
        assert all(isinstance(v, float) for v in (ours.eps, ours.max, ours.min, ours.smallest_normal))
    for name in INT:
        assert (mind.iinfo(name).max, mind.iinfo(name).min) == (np.iinfo(name).max, np.iinfo(name).min)


@pytest.mark.parametrize("first", ANY)
def test_two_element_types_promote_as_the_standard_says(first):
    for second in ANY:
        x, y = np.zeros(1, first), np.zeros(1, second)
        try:
            expected = strict.result_type(getattr(strict, first), getattr(strict, second))
        except TypeError:
            continue
        assert mind.result_type(x, y) == mind.result_type(np.dtype(first), second) == expected._np_dtype
        assert mind.can_cast(first, second) == strict.can_cast(getattr(strict, first), getattr(strict, second))


KINDS = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_element_types(kind):
    for name in ANY:
        assert mind.isdtype(name, kind) == strict.isdtype(getattr(strict, name), kind)
        assert mind.isdtype(name, (name, kind))


def test_the_namespace_says_what_it_is():
    assert mind.__array_api_version__ == "2024.12"
    info = mind.__array_namespace_info__()
    assert info.capabilities()["boolean indexing"] is False
    assert info.default_dtypes()["real floating"] == np.float32
    assert set(info.dtypes(kind="signed integer")) == set(SIGNED)
    assert info.dtypes().keys() == strict.__array_namespace_info__().dtypes().keys() - {"complex64", "complex128"}
    assert info.devices() == [info.default_device()]
    assert (mind.pi, mind.e, mind.inf, mind.newaxis) == (np.pi, np.e, np.inf, None)
    assert np.isnan(mind.nan)
    assert mind.trace(lambda x: x * (x.__array_namespace__() is mind), mind.f32()).module


def test_every_name_of_the_standard_is_there_or_left_out_with_a_reason():
    names = {n for n in dir(strict) if not n.startswith("_")} - NO_FUNCTION
    assert {n for n in names if not hasattr(mind, n)} == names & {*missing.NUMPY}


# Traced

TRACED = {
    **{name: (np.asarray([0.5, 0.25], kinds[-1] if kinds is not BOOL else bool),) for name, kinds in UNARY.items()},
    **{name: (np.asarray([3, 2], kinds[-1]), np.asarray([1, 2], kinds[-1])) for name, kinds in BINARY.items()},
    **{name: (np.asarray([[3, 2], [0, 1]], kinds[-1]),) for name, kinds in REDUCTIONS.items()},
}


@pytest.mark.parametrize("name", TRACED)
def test_a_traced_function_gives_the_same(name):
    args, function = TRACED[name], getattr(mind, name)
    found = mind.jit(function, target="interpret")(*args)
    np.testing.assert_array_equal(found, function(*args))
    assert found.dtype == function(*args).dtype
