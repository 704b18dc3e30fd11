"""Every way to call a function of the front end has right derivatives: a grid over axes, shapes and kinds of operands.

What is held against differences is a function of f64 arrays, to second order, in both modes.
"""

import itertools

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.testing import check_grads, findings

CASES = {}
"""Functions and the arrays they are checked at, by name."""


def numbers(shape, seed=0):
    """0.4 to 1.6 away from 0, of both signs."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.choice([-1.0, 1.0], shape) * rng.uniform(0.4, 1.6, shape))


def case(name, fn, *shapes, positive=False):
    assert name not in CASES
    arrays = [numbers(s, seed) for seed, s in enumerate(shapes)]
    CASES[name] = fn, [np.abs(a) for a in arrays] if positive else arrays


def square(x):
    """So that there is something to differentiate twice."""
    return x * x


# reductions

AXES = [None, 0, 1, -1, -2, (0, 1), (0, 2), (-1, 0), (0, 1, 2), ()]
for name, axis, keepdims in itertools.product(("sum", "mean"), AXES, (False, True)):
    f = getattr(mind, name)
    case(
        f"{name}-{axis}-{keepdims}",
        lambda x, f=f, axis=axis, keepdims=keepdims: f(square(x), axis=axis, keepdims=keepdims),
        (2, 3, 4),
    )
for name in ("sum", "mean"):
    f = getattr(mind, name)
    case(f"{name}-of-a-scalar", lambda x, f=f: f(square(x)), ())
    case(f"{name}-of-a-vector", lambda x, f=f: f(square(x), axis=-1), (5,))
    case(f"{name}-over-an-extent-of-1", lambda x, f=f: f(square(x), axis=1), (2, 1, 3))
    case(f"{name}-beside-its-operand", lambda x, f=f: x * f(x, axis=0, keepdims=True), (3, 2))
for axis in (None, 0):
    case(f"sum-{axis}-over-nothing", lambda x, axis=axis: mind.sum(square(x), axis), (0, 3))
case("sum-as-a-method", lambda x: square(x).sum(axis=1, keepdims=True), (2, 3))
case("mean-as-a-method", lambda x: square(x).mean(0), (2, 3))

# products

MATRICES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((1, 3), (3, 1)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((2, 1, 2, 3), (4, 3, 2)),
    ((1, 2, 3), (4, 3, 2)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3,)),
]
for a, b in MATRICES:
    case(f"matmul-{a}-{b}", lambda x, y: mind.matmul(square(x), y), a, b)
    case(f"@-{a}-{b}", lambda x, y: square(x @ y), a, b)
for a, b in [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((), (2, 3)), ((2,), ()), ((), ())]:
    case(f"dot-{a}-{b}", lambda x, y: mind.dot(square(x), y), a, b)
case("matmul-over-nothing", lambda x, y: x @ y, (2, 0), (0, 3))
case("dot-with-itself", lambda x: mind.dot(x, x), (4,))
case("matmul-with-its-transpose", lambda x: x @ x.T, (2, 3))
case("matmul-with-an-array-on-the-left", lambda x: numbers((2, 3)) @ square(x), (3, 2))
case("matmul-with-an-array-on-the-right", lambda x: square(x) @ numbers((3, 2)), (2, 3))
for padding in ("Valid", "Same", ((1, 0), (0, 2))):
    for strides in (1, (2, 1), (2, 2)):
        name = f"conv2d-{padding}-{strides}"
        case(name, lambda x, w, s=strides, p=padding: mind.conv2d(x, w, s, p), (2, 4, 5, 2), (3, 2, 2, 2))

# shapes

for a, b in [
    ((2, 3), (6,)),
    ((2, 3), (3, 2)),
    ((2, 3), -1),
    ((2, 3, 2), (2, -1)),
    ((), (1, 1)),
    ((1, 1), ()),
    ((4,), (2, 1, 2)),
]:
    case(f"reshape-{a}-{b}", lambda x, b=b: mind.reshape(square(x), b), a)
case("reshape-as-a-method", lambda x: square(x).reshape(3, -1), (2, 3))
for axes in [None, *itertools.permutations(range(3)), (-1, 0, 1)]:
    case(f"transpose-{axes}", lambda x, axes=axes: mind.transpose(square(x), axes), (2, 3, 4))
case("transpose-of-a-vector", lambda x: mind.transpose(square(x)), (3,))
case("transpose-as-attributes", lambda x: square(x.T) @ x.mT.T, (2, 3))
for axis in (None, 0, -1, (0, 2), (-3,), ()):
    case(f"squeeze-{axis}", lambda x, axis=axis: mind.squeeze(square(x), axis), (1, 3, 1))
for axis in (0, 1, -1, (0, 2), (-1, 0), ()):
    case(f"expand_dims-{axis}", lambda x, axis=axis: mind.expand_dims(square(x), axis), (2, 3))
for a, b in [((3,), (2, 3)), ((1, 3), (4, 2, 3)), ((), (2, 2))]:
    case(f"broadcast_to-{a}-{b}", lambda x, b=b: mind.broadcast_to(square(x), b), a)

# parts

INDICES = {
    "0": 0,
    "-1": -1,
    "1,2": (1, 2),
    "-1,-3": (-1, -3),
    ":,0": (slice(None), 0),
    "0:2": slice(0, 2),
    "::2": slice(None, None, 2),
    "-2:": slice(-2, None),
    "1:,::2": (slice(1, None), slice(None, None, 2)),
    "1:1": slice(1, 1),
    "5:": slice(5, None),
    "...,0": (..., 0),
    "0,...": (0, ...),
    "None": None,
    ":,None": (slice(None), None),
    "None,0,:,None": (None, 0, slice(None), None),
    "list": [0, 2, 0],
    "list,list": ([0, 1, 0], [1, 2, 1]),
    "list,int": ([0, 2], 1),
    "int,list": (1, [0, 0, 3]),
    "slice,list": (slice(1, None), [0, 0]),
    "matrix": np.array([[0, -1], [2, 0]]),
    "column,row": (np.array([[0], [2]]), np.array([1, 3])),
    "None,list": (None, [2, 2]),
}
for name, index in INDICES.items():
    case(f"x[{name}]", lambda x, index=index: square(x)[index], (3, 4))
for name, index in {
    "0,:,list": (0, slice(None), [1, 1]),
    "list,:,list": ([0, 1], slice(None), [1, 0]),
    "...,list": (..., [2, 0]),
    ":,1:,-1": (slice(None), slice(1, None), -1),
}.items():
    case(f"x[{name}]-of-rank-3", lambda x, index=index: square(x)[index], (2, 3, 3))
case("parts-of-a-whole", lambda x: x[0] * x[1] + x[:2] * x[1:] + x[::2], (3,))
case("iteration", lambda x: sum(square(row) for row in x), (3, 2))
for axis, indices in itertools.product((0, 1, -1), (1, [2, 0, 2], [[0, 1], [-1, 0]], [])):
    case(f"take-{indices}-{axis}", lambda x, i=indices, axis=axis: mind.take(square(x), i, axis), (3, 4))
for mode in ("clip", "fill"):
    case(f"take-out-of-bounds-{mode}", lambda x, m=mode: mind.take(square(x), [-1, 0, 7], mode=m), (3, 2))

# element by element

SHAPES = [(), (3,), (2, 3)]
for shape in SHAPES:
    case(f"exp-{shape}", mind.exp, shape)
    case(f"log-{shape}", mind.log, shape, positive=True)
    case(f"relu-{shape}", lambda x: square(mind.relu(x)), shape)
    case(f"reciprocal-{shape}", mind.reciprocal, shape)
    case(f"-x-{shape}", lambda x: -square(x), shape)
for exponent in (0, 1, 2, 3, 5, -1, -2, 2.0):
    case(f"x**{exponent}", lambda x, n=exponent: x**n, (2, 3))
case("where", lambda x, y: mind.where(x > y, square(x), x * y), (2, 3), (3,))
MASK = np.array([[True, False, True], [False, True, True]])
for a, b in [((2, 3), (2, 3)), ((3,), (2, 1)), ((), (2, 3)), ((2, 3), ())]:
    case(f"where-{a}-{b}", lambda x, y: mind.where(MASK, square(x), y * y), a, b)
case("where-of-a-mask-and-a-scalar", lambda x: mind.where(np.array([True, False, True]), square(x), 0), (2, 3))
case("log-of-a-choice", lambda x: mind.log(mind.where(x > 0, x, 1)), (2, 3))
case("many-uses", lambda x: x * mind.exp(x) + mind.log(square(x)) / x - x, (2, 3))

OPERATORS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}
PAIRS = [
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((2, 1), (3,)),
    ((), (2, 3)),
    ((2, 3), (2, 1)),
    ((3, 1, 2), (4, 1)),
    ((), ()),
]
BESIDE = {"int": 2, "float": 1.5, "scalar": np.float64(0.5), "row": numbers((3,)), "column": numbers((4, 1, 1))}
for sign, f in OPERATORS.items():
    for a, b in PAIRS:
        case(f"{a}{sign}{b}", lambda x, y, f=f: square(f(x, y)), a, b)
    for name, other in BESIDE.items():
        case(f"x{sign}{name}", lambda x, f=f, other=other: square(f(x, other)), (2, 3))
        case(f"{name}{sign}x", lambda x, f=f, other=other: square(f(other, x)), (2, 3))
    case(f"x{sign}x", lambda x, f=f: f(square(x), x), (2, 3))


@pytest.mark.parametrize("name", CASES)
def test_derivatives_agree_with_differences_to_second_order(name):
    fn, arrays = CASES[name]
    check_grads(fn, arrays, order=2, modes=("fwd", "rev"))


def test_every_case_has_numbers_to_compare_but_those_of_empty_parts():
    empty = {name for name, case in CASES.items() if not all(f.compared for f in findings(*case))}
    assert empty == {"x[1:1]", "x[5:]", "take-[]-0", "take-[]-1", "take-[]--1"}
