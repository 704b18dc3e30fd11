"""Sine, cosine and tangent where the angle is hard to reduce.  docs/adr/0040-angles-of-any-size.md."""

import functools

import mpmath
import numpy as np
import pytest
from support import alone, assert_same_bits

import mind_mlir as mind
from mind_mlir import TensorType
from mind_mlir.ir import OPS

EXACT = {"Sin": mpmath.sin, "Cos": mpmath.cos, "Tan": mpmath.tan}

every_function = pytest.mark.parametrize("opcode", EXACT)
every_way = pytest.mark.parametrize("way", ["interpret", "strict", "default"])


@functools.cache
def executable(opcode, dtype, n, numerics):
    return mind.compile(alone(OPS[opcode](), (TensorType(dtype, (n,)),)), numerics=numerics)


def apply(way, opcode, x):
    if way == "interpret":
        return OPS[opcode]().evaluate(x)
    return executable(opcode, TensorType.of_array(x).dtype, x.size, way)(x)[0]


@every_way
@every_function
def test_f32_beside_every_multiple_of_a_quarter_turn_has_all_its_digits(opcode, way):
    x = (np.arange(1, 42_000) * (np.pi / 2)).astype(np.float32)
    x = np.concatenate([np.nextafter(x, np.float32(0)), x, np.nextafter(x, np.float32(np.inf))])
    exact = OPS[opcode]().evaluate(x.astype(np.float64))
    assert (np.abs(apply(way, opcode, x) - exact) / np.spacing(np.abs(exact).astype(np.float32))).max() <= 1


@every_way
@every_function
def test_f64_beside_multiples_and_of_large_exponents_is_at_most_two_ulp_off(opcode, way):
    rng = np.random.default_rng(11)
    multiples = np.concatenate([np.arange(1, 50), rng.integers(50, 1 << 20, 200)]) * (np.pi / 2)
    large = np.exp2(rng.uniform(20, 1023.9, 200))
    hardest = [6381956970095103 * 2.0**797, 1e22, float(np.finfo(np.float64).max)]
    x = np.concatenate([multiples, np.nextafter(multiples, np.inf), large, -large, hardest])
    y = apply(way, opcode, x)
    with mpmath.workprec(120):
        for v, found in zip(x.tolist(), y.tolist()):
            exact = EXACT[opcode](mpmath.mpf(v))
            assert abs(float((found - exact) / float(np.spacing(abs(float(exact)))))) <= 2, v


@every_function
def test_the_value_does_not_depend_on_the_other_lanes(opcode):
    x = np.tile(np.float32([1, 2, 3, 4, 5, 6, 7, 8]), 8)
    alone_small = apply("default", opcode, x)
    mixed = x.copy()
    mixed[::3] = 1e30
    kept = mixed == x
    assert_same_bits(apply("default", opcode, mixed)[kept], alone_small[kept])
