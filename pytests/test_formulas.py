"""The formulas of exp and log on vectors, as kernels call them.  docs/numerics.md."""

from __future__ import annotations

import ctypes
import functools

import numpy as np
import pytest
from mlir import ir
from mlir.execution_engine import ExecutionEngine
from support import assert_same_bits

from mind_mlir import DType, lowering  # noqa: F401  registers its passes
from mind_mlir.ir import OPS, Source
from mind_mlir.lowering.mlir.pass_driver import mlir_text, parse_mlir
from mind_mlir.lowering.targets.cpus import host
from mind_mlir.passes import Level, Pipeline

COUNT = 64 * 800

KERNEL = """
func.func @f(%x: memref<{count}x{element}> {{llvm.noalias}}, %y: memref<{count}x{element}> {{llvm.noalias}})
    attributes {{mind.numerics = "{numerics}"}} {{
  %low = arith.constant 0 : index
  %high = arith.constant {count} : index
  %step = arith.constant {lanes} : index
  scf.for %i = %low to %high step %step {{
    %v = vector.load %x[%i] : memref<{count}x{element}>, vector<{lanes}x{element}>
    %w = math.{name} %v : vector<{lanes}x{element}>
    vector.store %w, %y[%i] : memref<{count}x{element}>, vector<{lanes}x{element}>
  }}
  return
}}
"""

OPS_AND_DTYPES = [(name, dtype) for name in ("exp", "log") for dtype in (DType.F32, DType.F64)]
every_op_and_dtype = pytest.mark.parametrize(("name", "dtype"), OPS_AND_DTYPES, ids=str)


def expanded(name, dtype, lanes, numerics, cpu):
    """MLIR of a loop that applies math.exp or math.log to vectors, after expand-math for that kind of CPU."""
    text = KERNEL.format(count=COUNT, element=dtype.value, name=name, lanes=lanes, numerics=numerics)
    return Pipeline.parse(f"expand-math{{cpu={cpu}}}", Level.MLIR).run(parse_mlir(Source("kernel.mlir", text)))


@functools.cache
def on_vectors(name, dtype, lanes, numerics="default", cpu="native"):
    """math.exp or math.log on COUNT numbers, `lanes` at a time."""
    module = Pipeline.parse("cpu-to-llvm", Level.MLIR).run(expanded(name, dtype, lanes, numerics, cpu))
    with module.context, ir.Location.unknown():
        engine = ExecutionEngine(module, opt_level=2)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup("f"))

    def call(x):
        y = np.full_like(x, -1)
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (x, y)]
        function((ctypes.c_void_p * 2)(*map(ctypes.addressof, pointers)))
        return y

    call.engine = engine  # owns the code
    return call


def numbers(name, dtype):
    """Any bits, numbers whose result is finite, and what lies beside the places where the formulas change course."""
    rng = np.random.default_rng(5)
    bits = np.uint32 if dtype is DType.F32 else np.uint64
    largest = np.iinfo(bits).max
    anything = rng.integers(0, largest, COUNT // 8, bits, endpoint=True).view(dtype.numpy)
    exponents = np.arange(*((-149, 128) if dtype is DType.F32 else (-1074, 1024)), dtype=np.float64)
    with np.errstate(all="ignore"):
        if name == "exp":
            low, high = (-105, 90) if dtype is DType.F32 else (-747, 711)
            edges = (exponents + 0.5) * np.log(2)  # where n changes
            fine = rng.uniform(low, high, COUNT // 8)
        else:
            edges = np.concatenate([f * np.exp2(exponents) for f in (0.75, 1.0, 1.5)])
            fine = np.exp2(rng.uniform(-2, 2, COUNT // 8))
        edges = edges.astype(dtype.numpy)
        limits = np.array(
            [0, np.inf, np.nan, 1, 89, 104.5, 710, 746, 88.72284, 103.97208, 709.782712893384], dtype.numpy
        )
        tiny = np.finfo(dtype.numpy).smallest_subnormal * np.arange(1, 50)
        edges = np.concatenate([edges, limits, tiny, np.finfo(dtype.numpy).tiny * np.array([0.5, 1, 2])])
        edges = np.concatenate([np.nextafter(edges, np.inf), edges, np.nextafter(edges, -np.inf)])
        x = np.concatenate([anything, fine, edges, -edges]).astype(dtype.numpy)
    assert x.size <= COUNT
    return np.resize(x, COUNT)


WIDTHS = [1, 2, 4, 8, 16, 32]


@pytest.mark.parametrize("cpu", ["avx512", "avx2", "neon"])
@every_op_and_dtype
def test_the_bits_do_not_depend_on_the_cpu_or_the_width_of_vectors(name, dtype, cpu):
    if cpu == "avx512" and not host().avx512:
        pytest.skip("this machine has no AVX-512")
    x = numbers(name, dtype)
    expected = on_vectors(name, dtype, 1, cpu="avx2")(x)
    for lanes in WIDTHS:
        assert_same_bits(on_vectors(name, dtype, lanes, cpu=cpu)(x), expected, f"{lanes} lanes:")


@every_op_and_dtype
def test_strict_vectors_give_the_bits_of_the_interpreter(name, dtype):
    x = numbers(name, dtype)
    with np.errstate(all="ignore"):
        expected = OPS[name.capitalize()]().evaluate(x)
    for lanes in WIDTHS:
        assert_same_bits(on_vectors(name, dtype, lanes, "strict")(x), expected, f"{lanes} lanes:")


@every_op_and_dtype
def test_the_error_is_below_one_ulp_beside_every_place_where_the_formulas_change_course(name, dtype):
    x = numbers(name, dtype)
    y = on_vectors(name, dtype, 8)(x)
    with np.errstate(all="ignore"):
        wider = np.float64 if dtype is DType.F32 else np.longdouble
        reference = getattr(np, name)(x.astype(wider))
        rounded = reference.astype(dtype.numpy)
        finite = np.isfinite(rounded) & np.isfinite(x)
        assert_same_bits(y[~finite], rounded[~finite])
        if np.finfo(wider).nmant <= np.finfo(dtype.numpy).nmant:
            pytest.skip("NumPy's longdouble has no more bits than f64 here")
        unit = np.spacing(np.abs(rounded[finite]))
    assert (np.abs(y[finite] - reference[finite]) / unit).max() < 1


@every_op_and_dtype
def test_a_cpu_without_fused_multiply_add_takes_the_strict_steps(name, dtype):
    strict = mlir_text(expanded(name, dtype, 4, "strict", "avx2"))
    assert "math.fma" not in strict
    assert mlir_text(expanded(name, dtype, 4, "default", "sse2")) == strict.replace('"strict"', '"default"')
