"""An environment reads operands and writes results, whatever it holds."""

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import Builder, f32
from mind_mlir.ir import Environment


@pytest.fixture
def module():
    b = Builder()
    x = b.Input("x", f32(3))
    y = b.Exp(x * x)
    return b.finish([y, x], gradients=[(x, y)])


def test_it_evaluates_a_module(module):
    x = np.float32([1, -2, 0.5])
    env = Environment((o.id, x) for o in module.inputs)
    for o in module.operations:
        if not env.has(o):
            env.write(o, o.op.result_arrays(*env.read(o)))
    for found, expected in zip(env.of(module.outputs), mind.interpret(module, x)):
        np.testing.assert_array_equal(found, expected)
    ((value, gradient),) = env.pairs(module.gradients)
    assert value is x
    assert gradient is env.of(module.outputs)[0]


def test_it_copies_a_module(module):
    b, env = Builder(), Environment()
    for o in module.operations:
        b.repeat(o, env)
    assert b.finish(env.of(module.outputs), env.pairs(module.gradients)) == module


def test_what_was_not_written_is_not_there(module):
    with pytest.raises(KeyError):
        Environment().read(module.operations[-1])


def test_a_repeated_operation_keeps_its_sharding_and_its_source():
    m = mind.parse('mesh: dp = 2\n%0 = Input {name = "x", sharding = [dp]} : tensor<f32[4]>\noutputs: %0\n')
    b, env = Builder(m.source, m.mesh), Environment()
    b.repeat(m.operations[0], env)
    assert b.operations == list(m.operations)
    assert b.operations[0].span == m.operations[0].span
