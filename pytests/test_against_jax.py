"""A second opinion: values and derivatives of every op, of random modules and of functions agree with JAX's.

Skipped where JAX is not installed; `scripts/test --peers` installs it.
"""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from smooth_modules import drawn
from support import alone, differentiable_samples, operands_for, sample_id, samples_of

import mind_mlir as mind
from mind_mlir.ir import OPS
from mind_mlir.passes.gradient import gradient
from mind_mlir.passes.linearize import linearize
from mind_mlir.testing.subject import inside_domain

jax = pytest.importorskip("jax")
import jax_peer  # noqa: E402  (imports jax)

every_op = pytest.mark.parametrize("opcode", sorted(set(OPS) - {"Input"}))
every_differentiable_op = pytest.mark.parametrize("opcode", [name for name in OPS if differentiable_samples(name)])


def test_the_peer_has_a_function_for_every_op():
    assert {name for name in OPS if jax_peer.peer(name)} == set(OPS) - {"Input"}  # an Input is an argument


TOLERANCES = {"float16": 1e-2, "bfloat16": 8e-2, "float32": 1e-4, "float64": 1e-10}


def coarsest(m):
    """The tolerance of the coarsest type in a module."""
    return max([TOLERANCES.get(r.type.dtype.numpy_name, 0.0) for r in m.values.values()], default=0.0)


def compiled(functions):
    """One compilation for several functions: most of what XLA takes is per call of it."""
    jitted = jax.jit(lambda arguments: [f(*a) for f, a in zip(functions, arguments)])
    return lambda arguments: jitted.lower(arguments).compile({"xla_backend_optimization_level": 0})(arguments)


def assert_close(found, expected, what="", coarsest=0.0):
    """Equal dtype and shape, integers alike, floats up to the rounding of another order of the same operations.

    Of floats of 16 bits JAX rounds after every step of its own. `coarsest` is the tolerance of the coarsest type of
    which the values are computed, if it is not their own.
    """
    expected = np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), what
    tolerance = max(TOLERANCES.get(str(found.dtype), 0), coarsest if found.dtype.kind in "fV" else 0)
    if tolerance:
        with np.errstate(invalid="ignore"):  # of NaNs that signal
            found, expected = found.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=what)


@every_op
def test_values_agree_with_jax(opcode):
    samples = [s for s in samples_of(opcode) if jax_peer.has_peer(alone(*s))]
    arguments = [operands_for(op, types, seed=8) for op, types in samples]
    modules = [alone(*s) for s in samples]
    peers = [lambda *arrays, m=m: jax_peer.run(m, arrays) for m in modules]
    for s, m, arrays, expected in zip(samples, modules, arguments, compiled(peers)(arguments)):
        for found, other in zip(mind.interpret(m, *arrays), expected, strict=True):
            assert_close(found, other, sample_id(opcode, *s))


class Comparison:
    """A module at arguments: its value, J·v, Jᵀ·w and the derivative of Jᵀ·w, as ours and as functions for JAX."""

    def __init__(self, m, arrays, seed=9):
        self.m, self.arrays = m, arrays
        self.floats = [n for n, o in enumerate(m.inputs) if o.type.dtype.is_float]
        self.float_outputs = [n for n, t in enumerate(m.output_types) if t.dtype.is_float]
        rng = np.random.default_rng(seed)

        def like(types):
            return [np.asarray(rng.standard_normal(t.shape)).astype(t.dtype.numpy) for t in types]

        self.v = like([m.inputs[n].type for n in self.floats])
        self.w = like([m.output_types[n] for n in self.float_outputs])
        self.v2 = like([m.inputs[n].type for n in self.floats] + [m.output_types[n] for n in self.float_outputs])
        self.arguments = (arrays, self.v, self.w, self.v2)

    def peer(self, arrays, v, w, v2):
        """The same four, in JAX."""

        def f(*floats):
            given = list(arrays)
            for n, x in zip(self.floats, floats):
                given[n] = x
            outputs = jax_peer.run(self.m, given)
            return [outputs[n] for n in self.float_outputs]

        def pulled_back(x, w):
            return jax.vjp(f, *x)[1](w)

        x, count = [arrays[n] for n in self.floats], len(self.floats)
        y, jv = jax.jvp(f, tuple(x), tuple(v))
        jtw, second = jax.jvp(pulled_back, (x, w), (v2[:count], v2[count:]))
        return y, jv, list(jtw), list(second)

    def check(self, expected, what=""):
        """All four agree, where the value is finite."""
        count = len(self.m.outputs)
        outputs = mind.interpret(linearize(self.m), *self.arrays, *self.v)
        values = [outputs[n] for n in self.float_outputs]
        if not all(np.isfinite(y).all() for y in values):
            return
        backward = gradient(self.m, seed="input")
        pulled = mind.interpret(backward, *self.arrays, *self.w)
        second = mind.interpret(linearize(backward), *self.arrays, *self.w, *self.v2)
        ours = (values, outputs[count:], pulled[count:], second[-len(self.floats) :])
        for name, a, b in zip(("value", "jvp", "vjp", "jvp of the vjp"), ours, expected):
            assert len(a) == len(b)
            for n, (found, other) in enumerate(zip(a, b)):
                assert_close(found, other, f"{what} {name} {n}", coarsest(self.m))


@every_differentiable_op
def test_derivatives_of_an_op_agree_with_jax_at_orders_1_and_2(opcode):
    samples = [s for s in differentiable_samples(opcode) if jax_peer.has_peer(alone(*s))]
    made = [
        Comparison(alone(op, types), inside_domain(op.result_arrays, operands_for(op, types, seed=10)))
        for op, types in samples
    ]
    expected = compiled([c.peer for c in made])([c.arguments for c in made])
    for s, c, e in zip(samples, made, expected):
        c.check(e, sample_id(opcode, *s))


@pytest.mark.parametrize("batch", range(4))
def test_derivatives_of_random_modules_agree_with_jax_at_orders_1_and_2(batch):
    modules = [(m, arrays) for m, arrays in drawn(40) if jax_peer.has_peer(m)]
    made = [Comparison(m, arrays) for m, arrays in modules[batch::4]]
    for c, expected in zip(made, compiled([c.peer for c in made])([c.arguments for c in made])):
        c.check(expected, f"{c.m}\n")


# Functions: `n` is mind_mlir, or jax.numpy with what it lacks

PEER = SimpleNamespace(
    **{name: getattr(jax.numpy, name) for name in ("exp", "log", "sum", "mean", "where", "dot", "reshape", "take")},
    relu=jax.nn.relu,
    conv2d=lambda x, w, strides, padding: jax_peer.conv2d(SimpleNamespace(strides=strides, padding=padding), x, w),
)


def logistic_loss(n, w, b, x, y):
    """By the mean of log(1 + e^(-y z))."""
    return n.mean(n.log(1 + n.exp(-y * (x @ w + b))))


def network_loss(n, parameters, x):
    """Cross entropy of a two-layer network."""
    hidden = n.relu(x @ parameters["w1"] + parameters["b1"])
    scores = hidden @ parameters["w2"] + parameters["b2"]
    right = scores[np.arange(6), np.array([0, 2, 1, 1, 0, 2])]
    return n.mean(n.log(n.sum(n.exp(scores), axis=1)) - right)


def attention(n, q, k, v):
    """Batched, with the softmax written out."""
    scores = n.exp(q @ k.mT / 2.0)
    return n.sum((scores / n.sum(scores, axis=-1, keepdims=True)) @ v * v)


def convolutions(n, x, w1, w2):
    """Two layers."""
    hidden = n.relu(n.conv2d(x, w1, (1, 1), "Same"))
    return n.sum(n.conv2d(hidden, w2, (2, 1), ((1, 0), (0, 2))) ** 2)


def parts(n, x):
    """Slices that overlap, rows taken twice, new axes."""
    rows = n.take(x, np.array([2, 0, 2]), axis=0)
    outer = x[:, None, 0] * x[None, :, 1]
    return n.sum(rows**3) + n.sum(outer[1:, ::2] / (1 + outer[:-1, ::2] ** 2)) + x[-1, 0] * x[0, -1]


def choices(n, x, y):
    """Powers and quotients by case."""
    safe = n.where(x > 0.5, x, 1.0)
    return n.sum(n.where(x > 0.5, n.log(safe) / y, x**2 * y ** (-2))) + n.mean(n.reshape(x - y, (-1,)) ** 4)


def quadratic_form(n, a, x):
    """x·A·x / x·x"""
    return n.dot(x, n.dot(a, x)) / n.dot(x, x)


def arrays(*shapes, seed=11):
    rng = np.random.default_rng(seed)
    return [rng.uniform(0.3, 1.5, s) * rng.choice([-1, 1], s) for s in shapes]


w1, b1, w2, b2, x = arrays((4, 5), (5,), (5, 3), (3,), (6, 4))
FUNCTIONS = {
    logistic_loss: [*arrays((4,), (), (7, 4)), np.sign(arrays((7,))[0])],
    network_loss: [{"w1": w1, "b1": b1, "w2": w2, "b2": b2}, x],
    attention: arrays((2, 3, 4), (2, 3, 4), (2, 3, 4)),
    convolutions: arrays((2, 5, 5, 2), (3, 3, 2, 3), (2, 2, 3, 1)),
    parts: arrays((4, 3)),
    choices: arrays((3, 2), (2,)),
    quadratic_form: arrays((4, 4), (4,)),
}
every_function = pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)


def assert_trees_close(found, expected):
    found, tree = jax.tree.flatten(found)
    expected, other = jax.tree.flatten(expected)
    assert tree == other
    for a, b in zip(found, expected):
        assert_close(np.asarray(a), b)


@every_function
def test_values_and_gradients_of_functions_agree_with_jax(f):
    arguments = FUNCTIONS[f]
    argnums = tuple(range(len(arguments)))
    found = mind.value_and_grad(partial(f, mind), argnums)(*arguments)
    assert_trees_close(found, jax.jit(jax.value_and_grad(partial(f, PEER), argnums))(*arguments))


@every_function
def test_directional_derivatives_of_gradients_agree_with_jax(f):
    arguments = FUNCTIONS[f]
    argnums = tuple(range(len(arguments)))
    rng = np.random.default_rng(12)
    directions = jax.tree.map(lambda a: np.asarray(rng.standard_normal(a.shape)), arguments)
    found = mind.jvp(mind.grad(partial(f, mind), argnums), arguments, directions)
    peer = jax.jit(lambda x, v: jax.jvp(jax.grad(partial(f, PEER), argnums), x, v))
    assert_trees_close(found, peer(tuple(arguments), tuple(directions)))


@pytest.mark.parametrize("f", [parts, choices, quadratic_form], ids=lambda f: f.__name__)
def test_hessians_agree_with_jax(f):
    arguments = FUNCTIONS[f]
    argnums = tuple(range(len(arguments)))
    found = mind.hessian(partial(f, mind), argnums)(*arguments)
    assert_trees_close(found, jax.jit(jax.hessian(partial(f, PEER), argnums))(*arguments))
    for jacobian in ("jacfwd", "jacrev"):
        found = getattr(mind, jacobian)(mind.grad(partial(f, mind)))(*arguments)
        assert_trees_close(found, jax.jit(getattr(jax, jacobian)(jax.grad(partial(f, PEER))))(*arguments))
