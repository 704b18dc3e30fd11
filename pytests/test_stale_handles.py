"""No rewrite uses an operation that has been erased: the pipelines, on modules that take every way through them."""

import pytest
from stale_handles import StaleHandle, checked_handles, ir
from support import samples_of, side_by_side

import mind_mlir as mind
from benchmarks.modules import mixed, three_layers
from mind_mlir.ir import OPS
from mind_mlir.lowering.gpu.artifacts.images import nvvm_module
from mind_mlir.lowering.mlir.walk import operations
from mind_mlir.lowering.native import compiler as native
from mind_mlir.lowering.rewrites.form_kernels import form_kernels
from mind_mlir.passes.pipeline import Pipeline


def gradient(m):
    return mind.differentiate(m).gradient_module


def every_operation():
    return side_by_side([next(iter(samples_of(opcode))) for opcode in OPS if opcode != "Input"])


MODULES = {
    "every operation": every_operation,
    "mixed": lambda: mixed(300),
    "the gradient of mixed": lambda: gradient(mixed(150)),
    "layers": three_layers,
    "the gradient of layers": lambda: gradient(three_layers()),
}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("numerics", ["default", "strict", "fast"])
@pytest.mark.parametrize("longest", [10_000, 20], ids=["whole", "in segments"])
def test_no_rewrite_for_the_cpu_uses_what_is_gone(longest, numerics, name, monkeypatch):
    monkeypatch.setattr(native, "LONG", longest)
    with checked_handles():
        m = MODULES[name]()
        native.lowered(m, native.pipeline_for(m, numerics, threads=2).steps, native.Workplace())


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize(("chip", "precision"), [("sm_80", "f32"), ("sm_90a", "tf32")])
def test_no_rewrite_for_a_gpu_uses_what_is_gone(chip, precision, name):
    with checked_handles():
        nvvm_module(MODULES[name](), chip, precision=precision)


def test_a_gradient_of_5139_operations_does_not_end_the_process():
    m = gradient(mixed(3000))
    assert len(m) == 5139
    lowered = Pipeline.parse("lower-to-linalg,canonicalize,cse,fold-transposes").run(m)
    assert "linalg.contract" in str(lowered)


def test_a_product_of_two_transposed_operands_is_turned_and_what_was_in_it_not_looked_at():
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(64, 4096)), b.Input("y", mind.f32(64, 4096))
    m = b.finish([b.Transpose(x, permutation=(1, 0)) @ y])
    with checked_handles():
        after = Pipeline.parse("lower-to-linalg,fold-transposes,turn-operands{chip=sm_90a precision=tf32}").run(m)
    assert str(after).count("linalg.transpose") == 2


INTERLEAVED = """
func.func @main(%x: memref<64x64xf32> {llvm.noalias}, %y: memref<64x64xf32> {llvm.noalias},
                %o: memref<64x64xf32> {llvm.noalias}, %p: memref<64x64xf32> {llvm.noalias}) {
  linalg.exp {mind.group = 0 : i64} ins(%x : memref<64x64xf32>) outs(%o : memref<64x64xf32>)
  %t = memref.alloc() : memref<64x64xf32>
  linalg.exp {mind.group = 1 : i64} ins(%y : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.negf {mind.group = 1 : i64} ins(%t : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  memref.dealloc %t : memref<64x64xf32>
  linalg.negf {mind.group = 0 : i64} ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
"""


def test_memory_that_went_with_one_kernel_is_not_looked_at_for_another_one_around_it():
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(INTERLEAVED)
        with checked_handles():
            form_kernels(module)
        names = [op.name for op in operations(module)]
    assert names.count("func.call") == 2
    assert "memref.dealloc" not in names


def test_the_check_itself_tells_what_is_gone_from_what_is_there():
    with ir.Context():
        module = ir.Module.parse("func.func @f(%x: i32) -> i32 { %0 = arith.addi %x, %x : i32 return %0 : i32 }")
        with checked_handles():
            f, add, end = operations(module)[1:]
            result = add.result
            assert (f.name, add.name, end.name) == ("func.func", "arith.addi", "func.return")
            result.replace_all_uses_with(add.operands[0])
            add.erase()
            assert end.name == "func.return"
            for use in (lambda: add.name, lambda: add == end, lambda: result.type, lambda: list(add.operands)):
                with pytest.raises(StaleHandle, match=r"arith\.addi is used"):
                    use()
            f.erase()
            with pytest.raises(StaleHandle, match=r"func\.func is used"):
                str(end)
