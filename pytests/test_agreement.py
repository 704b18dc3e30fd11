"""The bound by which native code is held against interpret: no order of terms breaks it, and no wrong term passes."""

import numpy as np
import pytest
from hypothesis import given, note, settings
from random_modules import arguments_for, modules
from smooth_modules import smooth_modules
from support import alone, assert_agrees, random_array

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, f32, f64
from mind_mlir.ir import OPS, Growth
from mind_mlir.passes.gradient import gradient
from mind_mlir.testing.agreement import allowed, compared

FLOATS = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)


def test_what_rounding_makes_of_its_operands_is_known_of_every_operation():
    ours = [cls for cls in OPS.values() if cls.__module__.startswith("mind_mlir.") and cls.operand_names]
    assert not [cls.opcode for cls in ours if cls.rounding.growth is Growth.UNKNOWN]


# Wrong terms are found


def matmul(b, x, w):
    return b.MatMul(x, w)


def layer(b, x, w):
    return b.Relu(b.MatMul(x, w) + b.Sum(w, axes=[0], keepdims=False) + b.constant(w.dtype.numpy.type(30)))


def layers(b, x, w):
    return b.Sum(b.Log(b.Exp(b.MatMul(x, w)) + b.constant(w.dtype.numpy.type(1))), axes=[1], keepdims=False)


def softmax(b, x, w):
    powers = b.Exp(b.MatMul(x, w))
    return b.Div(powers, b.Sum(powers, axes=[1], keepdims=True))


def convolution(b, x, w):
    image, filter = b.Reshape(x, new_shape=[1, 7, 11, 3]), b.Reshape(w, new_shape=[3, 2, 3, 15])
    return b.Conv2d(image, filter, strides=[2, 1], padding="Same")


SUBJECTS = {
    matmul: ((7, 33), (33, 5)),
    layer: ((7, 33), (33, 5)),
    layers: ((7, 33), (33, 5)),
    softmax: ((7, 33), (33, 5)),
    convolution: ((7, 33), (18, 15)),
}


def module_of(formula, dtype, derive):
    b = Builder()
    x, w = (b.Input(name, TensorType(dtype, shape)) for name, shape in zip("xw", SUBJECTS[formula]))
    m = b.finish([formula(b, x, w)])
    return gradient(m) if derive else m


@FLOATS
@pytest.mark.parametrize("numerics", ["strict", "default", "fast"])
@pytest.mark.parametrize("derive", [False, True], ids=["value", "gradient"])
@pytest.mark.parametrize("formula", SUBJECTS, ids=lambda f: f.__name__)
def test_one_wrong_coefficient_is_found_wherever_it_is(formula, derive, numerics, dtype):
    m = module_of(formula, dtype, derive)
    rng = np.random.default_rng(1)
    x, w = (random_array(o.type, rng) * dtype.numpy.type(0.3) for o in m.inputs)
    right = mind.interpret(m, x, w)
    assert_agrees(m, [x, w], right, right, numerics)
    off = 2.0**-7 if dtype is DType.F32 else 2.0**-30
    for at in rng.choice(w.size, 12, replace=False):
        wrong = w.copy()
        wrong.flat[at] += off
        found = compared(m, [x, w], mind.interpret(m, x, wrong), right, numerics)
        assert any(c.differs.any() for c in found), f"{wrong.flat[at]} in place of {w.flat[at]} at {at}"


def without_last_term(x, w):
    return x[..., :-1] @ w[..., :-1, :]


def rows_that_repeat(x, w):
    return np.repeat((x @ w)[..., ::2, :], 2, axis=-2)[..., : x.shape[-2], :]


def in_lower_precision(x, w):
    return (x.astype(np.float32 if x.dtype == np.float64 else np.float16) @ w).astype(x.dtype)


@FLOATS
@pytest.mark.parametrize(
    ("fault", "share"),
    [(without_last_term, 0.8), (rows_that_repeat, 0.45), (in_lower_precision, 0.6)],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_a_fault_of_a_product_shows_in_most_elements_it_touches(fault, share, dtype):
    types = TensorType(dtype, (6, 101)), TensorType(dtype, (101, 8))
    m = alone(OPS["MatMul"](), types)
    rng = np.random.default_rng(2)
    x, w = (random_array(t, rng) for t in types)
    right = mind.interpret(m, x, w)
    (c,) = compared(m, [x, w], [fault(x, w)], right, "default")
    assert np.mean(c.differs) > share


# What a mode leaves open


@pytest.mark.parametrize("opcode", ["Exp", "Log"])
@FLOATS
def test_exp_and_log_may_be_three_ulp_off_and_not_seven(opcode, dtype):
    m = alone(OPS[opcode](), [TensorType(dtype, (100,))])
    x = np.linspace(0.01, 9, 100, dtype=dtype.numpy)
    (y,) = mind.interpret(m, x)
    for steps, agrees in ((1, True), (2, True), (7, False), (-2, True), (-7, False)):
        kind = f"i{y.itemsize}"
        found = (y.view(kind) + np.array(steps, kind)).view(y.dtype)
        (c,) = compared(m, [x], [found], [y], "default")
        assert c.differs.any() is np.bool_(not agrees)
        assert compared(m, [x], [found], [y], "strict")[0].differs.all()


def test_what_depends_on_no_free_operation_has_the_same_bits():
    b = Builder()
    x, w = b.Input("x", f32(4, 4)), b.Input("w", f32(4, 4))
    product = x @ w
    outputs = [b.Mul(x, w), b.Relu(b.Sub(x, w)), b.Transpose(b.Div(x, w), (1, 0)), product, b.Add(product, x)]
    m = b.finish(outputs)
    rng = np.random.default_rng(3)
    arrays = [random_array(o.type, rng) for o in m.inputs]
    exact = [not r.any() for r in allowed(m, arrays)]
    assert exact == [True, True, True, False, False]
    right = mind.interpret(m, *arrays)
    next_ones = [np.nextafter(a, np.float32(np.inf)) for a in right]
    found = [c.differs.all() for c in compared(m, arrays, next_ones, right)]
    assert found == [True, True, True, False, False]


@pytest.mark.parametrize("opcode", ["MatMul", "Sum"])
def test_integers_are_exact_in_every_mode(opcode):
    types = [TensorType(DType.I32, (5, 5))] * 2
    m = alone(OPS[opcode](), types) if opcode == "MatMul" else alone(OPS["Sum"]((0,), False), types[:1])
    arrays = [random_array(t, np.random.default_rng(4)) for t in types][: len(m.inputs)]
    (y,) = mind.interpret(m, *arrays)
    for numerics in ("strict", "default", "fast"):
        (c,) = compared(m, arrays, [y + np.int32(1)], [y], numerics)
        assert c.differs.all()


def test_infinities_and_nans_have_to_agree_unless_magnitudes_overflow():
    m = alone(OPS["MatMul"](), [f32(4, 2), f32(2, 1)])
    big = np.float32(3e38)
    x = np.float32([[np.inf, 1], [np.nan, 1], [2, -2], [1, 1]])
    w = np.float32([[big], [big]])
    assert np.isinf(allowed(m, [x, w])[0].ravel()).tolist() == [False, False, True, True]  # the last two may overflow
    w = np.float32([[2], [3]])
    right = mind.interpret(m, x, w)
    for wrong in (0, np.nan, -np.inf, np.inf):
        found = right[0].copy()
        found[:2] = wrong
        (c,) = compared(m, [x, w], [found], right)
        expected = [wrong != np.inf, not np.isnan(wrong), False, False]
        assert c.differs.ravel().tolist() == expected


def test_a_comparison_may_go_either_way_only_where_its_operands_may():
    b = Builder()
    x, w = b.Input("x", f64(3, 2)), b.Input("w", f64(2, 1))
    m = b.finish([b.Greater(x @ w, b.constant(np.float64(0.3)))])
    x, w = np.array([[0.1, 0.2], [0.1, 0.3], [0.1, 0.1]]), np.ones((2, 1))
    assert allowed(m, [x, w])[0].ravel().tolist() == [1, 0, 0]  # 0.1 + 0.2 is 0.3 up to rounding


def test_what_divides_by_something_that_may_be_0_may_be_anything():
    b = Builder()
    x, w = b.Input("x", f64(2, 2)), b.Input("w", f64(2, 1))
    m = b.finish([b.Reciprocal(x @ w), b.Log(x @ w)])
    radii = allowed(m, [np.array([[0.1, -0.1], [0.1, 0.2]]), np.ones((2, 1))])
    assert [np.isinf(r.ravel()).tolist() for r in radii] == [[True, False], [True, False]]


def test_of_what_may_be_anything_nothing_is_known():
    b = Builder()
    x, w = b.Input("x", f32(1, 3)), b.Input("w", f32(3, 1))
    p = x @ w
    m = b.finish([p, b.Reciprocal(p), b.Relu(p), b.Exp(p), p * p, b.Transpose(p, (1, 0)), b.Greater(p, p)])
    arrays = [np.float32([[3e38, -3e38, -3e38]]), np.float32([[9], [9], [9]])]
    assert np.isnan(mind.interpret(m, *arrays)[0])  # inf - inf; rounded once the products do not overflow
    assert all(np.isinf(r).all() for r in allowed(m, arrays))


# No order breaks the bound


def sums_in_numpys_order(self, input):
    type = TensorType.of_array(input)
    total = np.sum(input, axis=self.reduced(type), dtype=input.dtype)
    return np.asarray(total).reshape(self.infer_type(type).shape)


def means_in_numpys_order(self, input):
    return sums_in_numpys_order(self, input) / input.dtype.type(self.count(TensorType.of_array(input)))


def in_another_order(monkeypatch):
    """Contractions in higher precision, where NumPy has one; sums in NumPy's order; exp and log of libm."""
    for opcode in [name for name, cls in OPS.items() if cls.rounding.growth is Growth.PRODUCTS]:
        exact = OPS[opcode].evaluate

        def evaluate(self, *operands, exact=exact):
            narrow = operands[0].dtype
            wide = {"float32": np.float64, "float64": np.longdouble if self.opcode in ("MatMul", "Dot") else narrow}
            (result,) = self.result_types(*map(TensorType.of_array, operands))
            return exact(self, *[a.astype(wide.get(narrow.name, narrow)) for a in operands]).astype(result.dtype.numpy)

        monkeypatch.setattr(OPS[opcode], "evaluate", evaluate)
    monkeypatch.setattr(OPS["Sum"], "evaluate", sums_in_numpys_order)
    monkeypatch.setattr(OPS["Mean"], "evaluate", means_in_numpys_order)
    monkeypatch.setattr(OPS["Exp"], "evaluate", lambda self, input: np.exp(input))
    monkeypatch.setattr(OPS["Log"], "evaluate", lambda self, input: np.log(input))


def assert_other_orders_agree(m, arrays, mode):
    note(str(m))
    try:
        right = mind.interpret(m, *arrays)
    except mind.MindError:
        return
    with pytest.MonkeyPatch.context() as patch:
        in_another_order(patch)
        other = mind.interpret(m, *arrays)
    assert_agrees(m, arrays, other, right, mode)


@settings(max_examples=150)
@given(modules())
def test_no_order_of_terms_leaves_the_bound_of_random_modules(m):
    for seed in (0, 1):
        assert_other_orders_agree(m, arguments_for(m, seed), "default")
        assert_other_orders_agree(m, arguments_for(m, seed), "fast")


@settings(max_examples=60)
@given(smooth_modules())
def test_no_order_of_terms_leaves_the_bound_of_gradients(module_and_arguments):
    m, arguments = module_and_arguments
    assert_other_orders_agree(gradient(m), arguments, "default")
