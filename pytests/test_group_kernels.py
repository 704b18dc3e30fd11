"""What shares a kernel: no grouping changes a bit, and groups are as large as they can be."""

import random
import re

import numpy as np
import pytest
from guarded import called
from random_groups import groups
from support import assert_agrees

import mind_mlir as mind
from mind_mlir import DType
from mind_mlir.lowering.targets import cpus
from mind_mlir.passes import Pipeline


def run(m, numerics, seed=0):
    """Held against interpret, on numbers between -1 and 1: products of products stay finite."""
    rng = np.random.default_rng(seed)
    arrays = [
        (rng.uniform(-1, 1, o.type.shape) if o.type.dtype.is_float else rng.integers(-9, 9, o.type.shape)).astype(
            o.type.dtype.numpy
        )
        for o in m.inputs
    ]
    found = called(mind.compile(m, numerics=numerics), m.output_types, arrays)
    assert_agrees(m, arrays, found, mind.interpret(m, *arrays), numerics, f"{m}\n")


@pytest.mark.parametrize("seed", range(60))
def test_random_groups_have_the_bits_of_interpret(monkeypatch, seed):
    r = random.Random(seed)
    cpu = r.choice(list(cpus.CPUS.values()))
    monkeypatch.setattr(cpus, "host", lambda: cpu)
    dtype = DType.I32 if seed % 6 == 5 else r.choice((DType.F32, DType.F32, DType.F64))
    run(groups(r, dtype, r.choice((1, 3, 8, 17)), r.randint(4, 16)), "strict", seed)


@pytest.mark.parametrize("seed", range(100, 112))
def test_random_groups_agree_by_default(seed):
    r = random.Random(seed)
    run(groups(r, DType.F32, r.choice((3, 8, 17)), r.randint(4, 12)), "default", seed)


def marked(m):
    """Groups of a module, each as the names of its members in order."""
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse").run(m))
    found: dict[str, list[str]] = {}
    for name, rest in re.findall(r"= linalg\.(\w+)(.*)", text):
        if number := re.search(r"mind\.group = (\d+)", rest):
            found.setdefault(number[1], []).append(name)
    return list(found.values())


def test_random_groups_are_of_many_kinds():
    sizes = [len(g) for seed in range(20) for g in marked(groups(random.Random(seed), DType.F32, 8, 12))]
    assert max(sizes) >= 4
    assert len(sizes) >= 20


def layers(reshaped_before, reshaped_after):
    """A product of what an element-wise operation makes, with reshapes beside it and an operation on its result."""
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(4, 6, 20) if reshaped_before else mind.f32(24, 20)), b.Input("w", mind.f32(20, 16))
    x = b.Relu(x + b.Input("b", mind.f32(20)))
    y = (b.Reshape(x, new_shape=(24, 20)) if reshaped_before else x) @ w
    return b.finish([b.Relu(b.Reshape(y, new_shape=(4, 6, 16)) if reshaped_after else y)])


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("after", [False, True])
def test_a_reshape_beside_a_product_leaves_it_a_kernel_of_products(before, after):
    m = layers(before, after)
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels").run(m))
    main = text.split("func.func private")[0]
    assert 'kind = "contraction"' in text
    assert "linalg." not in main
    assert "tensor.reshape" not in str(Pipeline.parse("lower-to-linalg,cpu-fuse").run(m))
    run(m, "strict")
    run(m, "default")
