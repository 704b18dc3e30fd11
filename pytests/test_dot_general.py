"""DotGeneral, the counterpart of StableHLO's `dot_general`, and the functions that stand on it: einsum and its kin."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support import alone, assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import Builder, DType, MindError, TensorType, f32
from mind_mlir.ir import OPS, Reject
from mind_mlir.passes.pipeline import Pipeline

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import jax_peer  # noqa: E402, F401  (f64 in JAX)
from jax import lax  # noqa: E402

RNG = np.random.default_rng(0)


def array(*shape, dtype=np.float64):
    return RNG.standard_normal(shape).astype(dtype)


def dot_general(batch=((), ()), contract=((), ())):
    return OPS["DotGeneral"](batch[0], batch[1], contract[0], contract[1])


@st.composite
def problems(draw):
    """Operand types, and the dimension numbers as `lax.dot_general` takes them."""
    extents = st.integers(0, 4)
    batch, contract, left, right = (draw(st.lists(extents, max_size=2)) for _ in range(4))

    def side(free):
        order = draw(st.permutations(range(len(batch) + len(contract) + len(free))))
        shape = [0] * len(order)
        for d, n in zip(order, [*batch, *contract, *free]):
            shape[d] = n
        return tuple(shape), order[: len(batch)], order[len(batch) : len(batch) + len(contract)]

    (x, b, k), (y, c, l) = side(left), side(right)
    dtype = draw(st.sampled_from((DType.F32, DType.F64, DType.I32)))
    return (TensorType(dtype, x), TensorType(dtype, y)), ((k, l), (b, c))


@settings(max_examples=40)
@given(problems(), st.integers(0, 999))
def test_stablehlo_dot_general_has_the_values_of_jax(problem, seed):
    types, (contract, batch) = problem
    x, y = (random_array(t, np.random.default_rng(seed)) for t in types)
    op = dot_general(batch, contract)
    ours = op.evaluate(x, y)
    np.testing.assert_allclose(ours, lax.dot_general(x, y, (contract, batch)), 1e-5, 1e-5)
    canonical = mind.canonicalize(alone(op, types))
    assert_same_bits(mind.interpret(canonical, x, y)[0], ours)


@settings(max_examples=12)
@given(problems())
def test_stablehlo_dot_general_is_compiled_with_the_bits_of_the_interpreter(problem):
    types, (contract, batch) = problem
    m = alone(dot_general(batch, contract), types)
    arrays = [random_array(t, np.random.default_rng(1)) for t in types]
    (expected,) = mind.interpret(m, *arrays)
    assert_same_bits(mind.compile(m, numerics="strict")(*arrays)[0], expected)
    np.testing.assert_allclose(mind.compile(m)(*arrays)[0], expected, 1e-5, 1e-5)


MIXED = [("i8", "i32"), ("i16", "i32"), ("u8", "u32"), ("i32", "i64"), ("bf16", "f32"), ("f16", "f32"), ("f32", "f64")]
ROWS_BY_COLUMNS = ((1,), (0,)), ((), ())


def in_another_type(product, **more):
    """A product of matrices as a function of two operands and the element type of sums and result."""
    return lambda x, y, to: product(x, y, **more, preferred_element_type=to)


@pytest.mark.parametrize(("dtype", "to"), MIXED)
@pytest.mark.parametrize(
    "product",
    [
        pytest.param(in_another_type(mind.dot_general, dimension_numbers=ROWS_BY_COLUMNS), id="dot_general"),
        pytest.param(in_another_type(mind.tensordot, axes=1), id="tensordot"),
        pytest.param(in_another_type(mind.matmul), id="matmul"),
        pytest.param(in_another_type(mind.dot), id="dot"),
        pytest.param(lambda x, y, to: mind.inner(x, mind.matrix_transpose(y), preferred_element_type=to), id="inner"),
        pytest.param(lambda x, y, to: mind.einsum("ij,jk", x, y, preferred_element_type=to), id="einsum"),
    ],
)
def test_stablehlo_dot_general_of_mixed_types_has_the_values_of_jax(product, dtype, to):
    to = DType(to)
    x, y = (random_array(TensorType(DType(dtype), shape), RNG) for shape in ((3, 40), (40, 5)))
    expected = np.asarray(lax.dot_general(x, y, ROWS_BY_COLUMNS, preferred_element_type=to.numpy))
    for found in (product(x, y, to.numpy), mind.jit(lambda x, y: product(x, y, to.numpy))(x, y)):
        assert found.dtype == to.numpy
        np.testing.assert_allclose(found, expected, *(() if to.is_integer else (1e-5, 1e-5)))


@pytest.mark.parametrize(("types", "to"), [(("u8", "i8"), "i32"), (("bf16", "f32"), "f32"), (("f16", "bf16"), "f32")])
def test_operands_of_two_types_are_converted_to_the_one_that_is_stated(types, to):
    types = [TensorType(DType(d), shape) for d, shape in zip(types, ((3, 40), (40, 5)))]
    arrays = [random_array(t, RNG) for t in types]
    m = alone(OPS["DotGeneral"]((), (), (1,), (0,), to), types)
    wide = [a.astype(DType(to).numpy) for a in arrays]
    (expected,) = mind.interpret(alone(dot_general(contract=((1,), (0,))), map(TensorType.of_array, wide)), *wide)
    assert_same_bits(mind.interpret(m, *arrays)[0], expected)
    assert_same_bits(mind.compile(m, numerics="strict")(*arrays)[0], expected)


def test_the_derivative_of_a_mixed_product_is_that_of_converted_operands():
    def product(x, y):
        return mind.dot_general(x, y, ROWS_BY_COLUMNS, preferred_element_type=np.float32)

    def theirs(x, y):
        return lax.dot_general(x, y, ROWS_BY_COLUMNS, preferred_element_type=np.float32)

    x, y = array(3, 4).astype(DType.BF16.numpy), array(4, 5).astype(DType.BF16.numpy)
    cotangent = array(3, 5, dtype=np.float32)
    found = mind.vjp(product, x, y)[1](cotangent)
    expected = jax.vjp(theirs, x, y)[1](jnp.asarray(cotangent))
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype == DType.BF16.numpy
        np.testing.assert_allclose(a.astype(np.float32), np.asarray(b, np.float32), 2**-8, 2**-8)


def test_a_mixed_product_becomes_one_of_converted_operands():
    types = TensorType(DType.I8, (3, 4)), TensorType(DType.I8, (4, 5))
    op = OPS["DotGeneral"]((), (), (-1,), (0,), "i32")
    m = mind.canonicalize(alone(op, types))
    assert [o.opcode for o in m.operations[2:]] == ["Convert", "Convert", "MatMul"]
    assert m.output_types == (TensorType(DType.I32, (3, 5)),)
    same = OPS["DotGeneral"]((), (), (1,), (1,), "f32").canonical(f32(3, 4), f32(5, 4))
    assert same == dot_general(contract=((1,), (1,)))


@pytest.mark.parametrize(
    ("types", "to", "says"),
    [
        (("i8", "i8"), None, ""),
        (("i8", "u8"), None, "E2004: DotGeneral mixes i8 and u8"),
        (("u8", "i8"), "i8", "E2005: DotGeneral in i8 does not hold every u8: lhs is"),
        (("i8", "i32"), "i16", "E2005: DotGeneral in i16 does not hold every i32: rhs is"),
        (("i8", "i8"), "u32", "E2005: DotGeneral in u32 does not hold every i8"),
        (("i8", "i8"), "f32", "E2005: DotGeneral in f32 does not hold every i8"),
        (("f32", "f32"), "bf16", "E2005: DotGeneral in bf16 does not hold every f32"),
        (("f16", "f16"), "bf16", "E2005: DotGeneral in bf16 does not hold every f16"),
        (("i1", "i1"), "i32", "E2005: DotGeneral takes numbers, found"),
        (("f32", "f32"), "f80", "E4013: attribute element_type"),
    ],
)
def test_a_type_that_cannot_hold_the_operands_is_an_error(types, to, says):
    def checked():
        op = OPS["DotGeneral"]((), (), (), (), to)
        return op.infer_type(*[TensorType(DType(d), ()) for d in types])

    if not says:
        assert checked().dtype is DType(types[0])
        return
    with pytest.raises(Reject) as caught:
        checked()
    assert f"{caught.value.code}: {caught.value.message}".startswith(says)
    assert caught.value.help or caught.value.code == "E4013"


@pytest.mark.parametrize("product", ["matmul", "dot", "tensordot", "inner", "vecdot", "vdot"])
def test_a_preferred_element_type_that_is_narrower_is_an_error(product):
    x = array(2, 2, dtype=np.float32)
    with pytest.raises(MindError, match=r"preferred_element_type f16 of an operand of f32(.|\n)*f32"):
        getattr(mind, product)(x, x, preferred_element_type=np.float16)
    with pytest.raises(MindError, match="E2002"):
        getattr(mind, product)(x, x, preferred_element_type="f80")


@pytest.mark.parametrize(
    "numbers", [None, 3, ((1,), (0,)), (((1,), (0,)), ()), ((1, 0), ((), ())), (((3,), (0,)), ((), ()))]
)
def test_bad_dimension_numbers_are_an_error(numbers):
    x = array(2, 2, dtype=np.float32)
    with pytest.raises(MindError, match=r"E4013|E3004"):
        mind.dot_general(x, x, numbers)


# What it becomes


@pytest.mark.parametrize(
    ("shapes", "batch", "contract", "expected"),
    [
        (((4, 5), (5, 3)), ((), ()), ((1,), (0,)), ["MatMul"]),
        (((4, 5), (3, 5)), ((), ()), ((1,), (1,)), ["DotGeneral"]),
        (((5,), (5, 3)), ((), ()), ((0,), (0,)), ["Dot"]),
        (((5,), (5,)), ((), ()), ((-1,), (-1,)), ["Dot"]),
        (((2, 4, 5), (5, 3)), ((), ()), ((2,), (0,)), ["MatMul"]),
        (((2, 7, 4, 5), (2, 7, 5, 3)), ((0, 1), (0, 1)), ((3,), (2,)), ["MatMul"]),
        (((2, 7, 4, 5), (7, 2, 5, 3)), ((0, 1), (1, 0)), ((3,), (2,)), ["DotGeneral"]),
        (((4,), (3,)), ((), ()), ((), ()), ["Reshape", "Mul"]),
        (((2, 3), (2, 3)), ((0, 1), (0, 1)), ((), ()), ["Mul"]),
    ],
)
def test_plain_products_become_the_operations_that_have_a_name(shapes, batch, contract, expected):
    m = mind.canonicalize(alone(dot_general(batch, contract), [f32(*s) for s in shapes]))
    assert [o.opcode for o in m.operations[2:]] == expected


def test_transposed_operands_are_read_in_place():
    b = Builder()
    x, y = b.Input("x", f32(5, 2, 4)), b.Input("y", f32(3, 5, 2))
    product = b.DotGeneral(b.Transpose(x, (1, 2, 0)), b.Transpose(y, (2, 1, 0)), (0,), (0,), (2,), (1,))
    m = mind.canonicalize(b.finish([product]))
    assert [o.opcode for o in m.operations] == ["Input", "Input", "DotGeneral"]
    arrays = [array(*t.shape, dtype=np.float32) for t in (x.type, y.type)]
    assert_same_bits(mind.interpret(m, *arrays)[0], mind.interpret(b.finish([product]), *arrays)[0])


def test_what_is_left_of_a_transposed_operand_keeps_its_order():
    b = Builder()
    x, y = b.Input("x", f32(5, 2, 4)), b.Input("y", f32(5))
    m = mind.canonicalize(b.finish([b.DotGeneral(b.Transpose(x, (2, 1, 0)), y, (), (), (2,), (0,))]))
    assert "Transpose" in [o.opcode for o in m.operations]


def test_attention_copies_no_operand_for_the_sake_of_its_heads():
    def attention(q, k, v):
        scores = mind.einsum("bqhd,bkhd->bhqk", q, k)
        return mind.einsum("bhqk,bkhd->bqhd", mind.exp(scores), v)

    m = mind.trace(attention, *[f32(2, 8, 3, 4)] * 3).module
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse").run(m))
    assert "linalg.transpose" not in text
    assert text.count("linalg.contract") == 2


# Errors


@pytest.mark.parametrize(
    ("attributes", "shapes", "code"),
    [
        (((), (), (1,), (0,)), ((4, 5), (6, 3)), "E3003"),
        (((0,), (0,), (), ()), ((4, 5), (6, 3)), "E3003"),
        (((), (), (2,), (0,)), ((4, 5), (5, 3)), "E3004"),
        (((), (), (0,), (-1,)), ((4,), ()), "E3004"),
        (((0,), (0,), (-2,), (1,)), ((4, 4), (4, 4)), "E3005"),
        (((), (), (1, 1), (0, 1)), ((4, 4), (4, 4)), "E3005"),
        (((), (), (1,), ()), ((4, 4), (4, 4)), "E3002"),
        (((0,), (), (), ()), ((4, 4), (4, 4)), "E3002"),
    ],
)
def test_bad_dimension_numbers_are_errors_with_the_numbers(attributes, shapes, code):
    b = Builder()
    x, y = [b.Input(f"x{n}", f32(*s)) for n, s in enumerate(shapes)]
    with pytest.raises(MindError, match=code):
        b.DotGeneral(x, y, *attributes)


# einsum


TEXTS = [
    ("ij,jk->ik", (3, 4), (4, 5)),
    ("ij,kj->ik", (3, 4), (5, 4)),
    ("ij,jk", (3, 4), (4, 5)),
    ("ba,ab", (3, 4), (4, 3)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
    ("bqhd,bkhd->bhqk", (2, 4, 3, 5), (2, 6, 3, 5)),
    ("bhqk,bkhd->bqhd", (2, 3, 4, 6), (2, 6, 3, 5)),
    ("ijk,jki->", (2, 3, 4), (3, 4, 2)),
    ("i,j->ij", (3,), (4,)),
    ("i,j->ji", (3,), (4,)),
    ("i,i->i", (3,), (3,)),
    ("i,i", (3,), (3,)),
    (",ij->ij", (), (3, 4)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("iij->ji", (3, 3, 2)),
    ("iii->i", (3, 3, 3)),
    ("ijij->ij", (2, 3, 2, 3)),
    ("ij->ji", (3, 4)),
    ("ij->", (3, 4)),
    ("ij->j", (3, 4)),
    ("ba", (3, 4)),
    ("", ()),
    ("ij,k->i", (3, 4), (5,)),
    ("ij,jk,kl->il", (3, 4), (4, 5), (5, 2)),
    ("ij,jk,ki->", (3, 4), (4, 5), (5, 3)),
    ("bi,bj,bk->bijk", (2, 3), (2, 4), (2, 5)),
    ("...ij,...jk->...ik", (7, 2, 3, 4), (2, 4, 5)),
    ("...ij,...jk->...ik", (7, 1, 3, 4), (2, 4, 5)),
    ("...i,...i", (1, 3), (4, 3)),
    ("i...,i...->...", (3, 2, 4), (3, 4)),
    ("...->...", (2, 3)),
    ("...i->...", (2, 3)),
    ("i...->i...", (2, 3)),
    (" i j , j k -> i k ", (3, 4), (4, 5)),
    ("ij,jk->ik", (3, 0), (0, 5)),
    ("ii->i", (0, 0)),
    ("ij,jk->ik", (0, 4), (4, 5)),
    ("aB,Bc->ac", (2, 3), (3, 4)),
]
every_text = pytest.mark.parametrize(("text", "shapes"), [pytest.param(t, s, id=f"{t} {s}") for t, *s in TEXTS])


@every_text
def test_einsum_is_that_of_numpy_traced_and_at_once(text, shapes):
    arrays = [array(*s) for s in shapes]
    expected = np.einsum(text, *arrays)
    for found in (mind.einsum(text, *arrays), mind.jit(lambda *xs: mind.einsum(text, *xs))(*arrays)):
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, 1e-12, 1e-12)


@every_text
def test_the_gradient_of_einsum_is_that_of_jax(text, shapes):
    arrays = [array(*s) for s in shapes]
    wrt = tuple(range(len(arrays)))
    ours = mind.grad(lambda *xs: mind.sum(mind.einsum(text, *xs) * 3), wrt)(*arrays)
    theirs = jax.grad(lambda *xs: jnp.sum(jnp.einsum(text, *xs) * 3), wrt)(*arrays)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, 1e-10, 1e-10)


def test_each_pair_of_operands_is_one_product():
    m = mind.trace(lambda x, y, z: mind.einsum("ij,jk,kl->li", x, y, z), f32(2, 3), f32(3, 4), f32(4, 5)).module
    assert [o.opcode for o in m.operations[3:]] == ["MatMul", "DotGeneral"]


@pytest.mark.parametrize(
    ("text", "shapes", "code"),
    [
        ("ij,jk->ik", ((3, 4), (5, 6)), "E3003"),
        ("ij,jk->ik", ((3, 4), (4,)), "E3002"),
        ("...ij->ij...", ((3,),), "E3002"),
        ("ij,jk->ik", ((3, 4),), "E4013"),
        ("ij->ik", ((3, 4),), "E4013"),
        ("ij->ii", ((3, 4),), "E3005"),
        ("i1->i", ((3, 4),), "E4013"),
        ("i->i->i", ((3,),), "E4013"),
        ("...i->i", ((3, 4),), "E4013"),
        ("...i,...i->...", ((2, 4), (3, 4)), "E3001"),
        ("i......->i", ((3, 4),), "E4013"),
        (3, ((3, 4),), "E4013"),
        ("ii", ((3, 4),), "E3003"),
        ("ii", (), "E6009"),
    ],
)
def test_a_bad_einsum_is_an_error(text, shapes, code):
    with pytest.raises(MindError, match=code):
        mind.einsum(text, *[array(*s) for s in shapes])


# tensordot, vecdot, inner, outer, matrix_transpose


def products():
    """A name, our function, NumPy's or JAX's, and the shapes of the operands."""
    for axes, x, y in (
        (2, (2, 3, 4), (3, 4, 5)),
        (0, (2, 3), (4,)),
        (1, (2, 3), (3,)),
        (((0, 2), (1, 0)), (3, 2, 4), (4, 3)),
        (((-1,), (0,)), (2, 3), (3, 4)),
    ):
        yield f"tensordot-{axes}", mind.tensordot, np.tensordot, (x, y), {"axes": axes}
    for axis, x, y in ((-1, (2, 3), (3,)), (-1, (4, 1, 3), (2, 3)), (0, (3, 2), (3, 2)), (-2, (3, 2), (4, 3, 2))):
        yield f"vecdot-{axis}{x}{y}", mind.vecdot, jnp.vecdot, (x, y), {"axis": axis}
    for x, y in itertools.product(((3,), (2, 3), ()), ((3,), (4, 3), ())):
        yield f"inner{x}{y}", mind.inner, np.inner, (x, y), {}
        yield f"outer{x}{y}", mind.outer, np.outer, (x, y), {}
    for x in ((2, 3), (4, 2, 3), (0, 2)):
        yield f"matrix_transpose{x}", mind.matrix_transpose, jnp.matrix_transpose, (x,), {}


@pytest.mark.parametrize(("ours", "theirs", "shapes", "more"), [pytest.param(*p[1:], id=p[0]) for p in products()])
def test_the_other_products_are_those_of_numpy(ours, theirs, shapes, more):
    arrays = [array(*s) for s in shapes]
    expected = theirs(*arrays, **more)
    for found in (ours(*arrays, **more), mind.jit(lambda *xs: ours(*xs, **more))(*arrays)):
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, 1e-12, 1e-12)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: mind.tensordot(array(2, 3), array(3), 2), "E3004"),
        (lambda: mind.tensordot(array(2, 3), array(3), ((0,), (0,), (0,))), "E4013"),
        (lambda: mind.tensordot(array(2, 3), array(4, 2), 1), "E3003"),
        (lambda: mind.vecdot(array(2, 3), array(3), 0), "E3004"),
        (lambda: mind.vecdot(array(2, 3), array()), "E3004"),
        (lambda: mind.vecdot(array(2, 3), array(2)), "E3003"),
        (lambda: mind.inner(array(2, 3), array(2)), "E3003"),
        (lambda: mind.matrix_transpose(array(3)), "E3002"),
    ],
)
def test_bad_operands_of_the_other_products_are_errors(call, code):
    with pytest.raises(MindError, match=code):
        call()
