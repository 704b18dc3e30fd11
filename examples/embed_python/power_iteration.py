"""A program of another project that computes with the dialect `mind` among operations of other dialects.

    python examples/embed_python/power_iteration.py

It builds the power iteration, which finds the largest eigenvalue of a matrix: a loop of `scf` around operations of
`mind`, in a function of `func`. The dialect is registered in the program's own context, one pass makes its operations
linalg, and the rest is MLIR's own: no module of Core IR is needed.
"""

import ctypes

import numpy as np
from mlir import ir
from mlir.dialects import arith, func, linalg, scf
from mlir.execution_engine import ExecutionEngine
from mlir.passmanager import PassManager
from mlir.runtime import get_ranked_memref_descriptor

from mind_mlir.dialects import mind, register
from mind_mlir.dialects.conversion import convert_mind_to_linalg

N, STEPS = 8, 60

LOWERING = """builtin.module(
  canonicalize, cse,
  one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},
  buffer-results-to-out-params{modify-public-functions=true}, buffer-deallocation-pipeline,
  convert-bufferization-to-memref,
  func.func(convert-linalg-to-loops), convert-scf-to-cf, expand-strided-metadata, lower-affine,
  convert-math-to-llvm, convert-to-llvm, reconcile-unrealized-casts)"""


def build() -> ir.Module:
    """`@power(%a, %x)`: the largest eigenvalue of a symmetric [N, N] matrix, starting from a vector."""
    module = ir.Module.create()
    f32 = ir.F32Type.get()
    matrix, vector = ir.RankedTensorType.get([N, N], f32), ir.RankedTensorType.get([N], f32)
    with ir.InsertionPoint(module.body):
        f = func.FuncOp("power", ([matrix, vector], [ir.RankedTensorType.get([1], f32)]))
    f.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
    f.arg_attrs = [ir.DictAttr.get({"bufferization.writable": ir.BoolAttr.get(False)})] * 2  # they belong to the caller
    a, x = f.add_entry_block().arguments
    with ir.InsertionPoint(f.entry_block):
        bounds = [arith.constant(ir.IndexType.get(), n) for n in (0, STEPS, 1)]
        loop = scf.ForOp(*bounds, [x])
        with ir.InsertionPoint(loop.body):
            (vector_now,) = loop.inner_iter_args
            y = mind.dot(a, vector_now)
            largest = mind.dot(y, y)  # ‖y‖²; ‖y‖ by exp(log(·) / 2), since Core IR has no square root
            norm = mind.exp(mind.mul(mind.log(largest), mind.const_f32(-0.5)))
            scf.YieldOp([linalg.copy(mind.mul(y, norm), outs=[vector_now])])  # in place, in every iteration
        v = loop.results[0]
        rayleigh = mind.dot(v, mind.dot(a, v))  # vᵀ A v, for ‖v‖ = 1
        func.ReturnOp([mind.reshape(rayleigh, [1])])
    assert module.operation.verify()
    return module


def run(module: ir.Module, a: np.ndarray, x: np.ndarray) -> float:
    """Lower the converted program by MLIR's own passes, and call it."""
    PassManager.parse(LOWERING).run(module.operation)
    engine = ExecutionEngine(module, opt_level=2)
    result = np.empty(1, np.float32)
    pointers = [ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(array))) for array in (a, x, result)]
    engine.invoke("power", *pointers)
    return float(result[0])


def main() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((N, N)).astype(np.float32)
    a = np.ascontiguousarray(a + a.T + 2 * N * np.eye(N, dtype=np.float32))
    with ir.Context() as context, ir.Location.unknown():
        form = register(context)
        module = build()
        print(f"// The program, with the dialect in its {form} form")
        print(module)
        convert_mind_to_linalg(module)
        assert module.operation.verify()
        found = run(module, a, np.ones(N, np.float32))
    expected = float(np.linalg.eigvalsh(a.astype(np.float64))[-1])
    print(f"// largest eigenvalue: {found:.5f}, NumPy has {expected:.5f}")
    assert abs(found - expected) < 1e-3 * expected


if __name__ == "__main__":
    main()
