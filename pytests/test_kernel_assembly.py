"""What is left of a kernel's innermost loop in assembly: its arithmetic and its loads, and nothing on the stack."""

import re

import pytest
from assembly import FMA, STACK, assembly, count, functions, inner_loops

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType
from mind_mlir.lowering.pipelines.parameters import with_options
from mind_mlir.lowering.targets.cpus import CPUS
from mind_mlir.passes import Pipeline


def product(m, k, n, dtype=DType.F32, transposed=""):
    """x · y; "x" and "y" in `transposed` say what lies in memory transposed."""
    b = Builder()
    x = b.Input("x", TensorType(dtype, (k, m) if "x" in transposed else (m, k)))
    y = b.Input("y", TensorType(dtype, (n, k) if "y" in transposed else (k, n)))
    return b.finish([(x.mT if "x" in transposed else x) @ (y.mT if "y" in transposed else y)])


def layer(m, k, n):
    b = Builder()
    sums = b.Input("x", mind.f32(m, k)) @ b.Input("w", mind.f32(k, n))
    return b.finish([b.Relu(sums + b.Input("b", mind.f32(n)))])


def convolution():
    b = Builder()
    x, w = b.Input("x", mind.f32(8, 28, 26, 32)), b.Input("w", mind.f32(3, 3, 32, 64))
    return b.finish([b.Conv2d(x, w, strides=(1, 1), padding="Valid")])


PRODUCTS = {
    "square": product(256, 256, 256),
    "few rows": product(4, 640, 256),
    "packed": product(384, 384, 384),
    "packed, f64": product(384, 384, 384, DType.F64),
    "A·Bᵀ": product(256, 256, 256, transposed="y"),
    "Aᵀ·B": product(240, 256, 256, transposed="x"),  # rows of which nothing is copied
    "layer": layer(256, 256, 256),
    "convolution": convolution(),
}


def records(m, cpu, numerics="default"):
    """The records of a module's kernels, in order."""
    options = f"lower-to-linalg{{numerics={numerics}}},cpu-fuse,cpu-bufferize,form-kernels"
    text = str(with_options(Pipeline.parse(options), cpu=cpu).run(m))
    return [
        {name: int(value) for name, value in re.findall(r"(\w+) = (\d+) : i64", record)}
        for record in re.findall(r"mind\.strategy = \{([^}]*)\}", text)
    ]


def loops_of(m, cpu, numerics="default"):
    """All innermost loops of a module."""
    return [loop for lines in functions(assembly(m, cpu, numerics)).values() for loop in inner_loops(lines)]


def tile(m, cpu, numerics="default"):
    """Rows, vectors and terms of the one product's innermost loop, and the loop itself: the longest that multiplies."""
    (record,) = records(m, cpu, numerics)
    lanes = CPUS[cpu].lanes(m.output_types[0].dtype)
    loop = max(loops_of(m, cpu, numerics), key=lambda loop: count(rf"{FMA}|mul[ps][sd]", loop))
    return record["rows"], record["columns"] // lanes, record["unroll"], loop


def memory(loop):
    """Instructions of x86 that read or write memory."""
    return count(r"\(%", [line for line in loop if not re.match(r"lea|prefetch", line)])


@pytest.mark.parametrize("cpu", ["avx512", "avx2", "neon"])
@pytest.mark.parametrize("case", PRODUCTS)
def test_a_product_is_multiply_adds_and_loads_alone(case, cpu):
    rows, vectors, terms, loop = tile(PRODUCTS[case], cpu)
    assert count(FMA, loop) == rows * vectors * terms
    assert count(STACK, loop) == 0
    assert rows * vectors <= CPUS[cpu].registers
    if cpu != "neon":  # which reads several elements at once
        assert memory(loop) == (rows + vectors) * terms
        assert len(loop) <= count(FMA, loop) + memory(loop) + 8, "what is left moves addresses and counts"


@pytest.mark.parametrize(
    ("columns", "width"), [(3, "xmm"), (4, "xmm"), (7, "ymm"), (8, "ymm"), (9, "zmm"), (40, "ymm")]
)
def test_few_columns_are_in_the_narrowest_vectors_that_hold_them(columns, width):
    _, _, _, loop = tile(product(384, 384, columns), "avx512")
    assert count(rf"{FMA}.*{width}", loop) == count(FMA, loop) if columns < 16 else count(rf"{FMA}.*{width}", loop)


@pytest.mark.parametrize("cpu", ["avx512", "avx2"])
@pytest.mark.parametrize("case", ["square", "packed, f64"])
def test_a_strict_product_rounds_twice(case, cpu):
    rows, vectors, terms, loop = tile(PRODUCTS[case], cpu, "strict")
    assert count(r"^vmulp[sd]", loop) == count(r"^vaddp[sd]", loop) == rows * vectors * terms
    assert count(FMA, functions(assembly(PRODUCTS[case], cpu, "strict"))["contraction0"]) == 0
    assert count(STACK, loop) == 0


def alone(make, *shapes):
    b = Builder()
    return b.finish([make(b, *[b.Input(f"x{n}", mind.f32(*s)) for n, s in enumerate(shapes)])])


IMAGE = (300, 1000)
OTHERS = {
    "dot product": (alone(lambda b, x, y: b.Dot(x, y), (10_000,), (10_000,)), "avx512 avx2 sse2 neon"),
    "matrix times vector": (alone(lambda b, x, y: b.Dot(x, y), IMAGE, (1000,)), "avx512 avx2 sse2 neon"),
    "chain": (alone(lambda b, x, y: b.Relu(x * y + x), IMAGE, IMAGE), "avx512 avx2 sse2 neon"),
    "exp": (alone(lambda b, x: b.Exp(x), IMAGE), "avx512 neon"),
    "log": (alone(lambda b, x: b.Log(x), IMAGE), "avx512"),
    "sums of columns": (alone(lambda b, x: b.Sum(x, axes=[0], keepdims=False), IMAGE), "avx512 avx2 sse2 neon"),
    "sums of lines": (alone(lambda b, x: b.Sum(x, axes=[1], keepdims=False), IMAGE), "avx512 neon"),
    "sums of exponentials": (alone(lambda b, x: b.Sum(b.Exp(x), axes=[1], keepdims=False), IMAGE), "avx512"),
    "transpose": (alone(lambda b, x: x.mT, IMAGE), "avx512 avx2 sse2 neon"),
}
WIDEST = {"avx512": r"%zmm", "avx2": r"%ymm", "sse2": r"%xmm", "neon": r"\bq\d|\bv\d+\.4s"}


@pytest.mark.parametrize(("case", "cpu"), [(case, cpu) for case, (_, cpus) in OTHERS.items() for cpu in cpus.split()])
def test_other_kernels_keep_vectors_in_registers(case, cpu):
    found = [
        loop for loop in loops_of(OTHERS[case][0], cpu) if count(WIDEST[cpu] if cpu != "avx512" else r"%[yz]mm", loop)
    ]
    assert found, "vectors as wide as the CPU's"
    assert [count(STACK, loop) for loop in found] == [0] * len(found)


def test_the_loops_that_are_looked_at_are_the_innermost():
    lines = [
        ".LBB0_1:",
        "xorl",
        ".LBB0_2:",
        "vfmadd231ps (%rsp), %zmm0, %zmm1",
        "jne .LBB0_2",
        "jne .LBB0_1",
        "jmp .LBB0_9",
    ]
    (loop,) = inner_loops([*lines, ".LBB0_9:", "retq"])
    assert loop == ["vfmadd231ps (%rsp), %zmm0, %zmm1", "jne .LBB0_2"]
    assert count(FMA, loop) == count(STACK, loop) == 1
    assert count(FMA, ["fmla v0.4s, v1.4s, v2.s[0]", "vfnmadd213pd %ymm0", "fmadd s0"]) == 2
