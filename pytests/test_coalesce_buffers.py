"""Buffers that become one: which go, and which have to stay."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support import after, assert_same_bits

import mind_mlir as mind
from mind_mlir import lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.lowering.native import compiler as native
from mind_mlir.passes import Pipeline

M = "memref<8xf32>"


def coalesced(body: str) -> str:
    """What is left of a function on Inputs %x and %y and outputs %o and %p, written as the body is.

    `a = new` is an allocation, `copy a b` a copy, `turn a b` something that is neither a copy nor in place, and
    `exp a b` and `add a b c` are element-wise operations; the result comes last.
    """
    lines = []
    for line in body.split(";"):
        name, *operands = line.replace("= new", "").split()
        values = [f"%{v}" for v in operands]
        types = [M] * len(values)
        inputs = f"ins({', '.join(values[:-1])} : {', '.join(types[:-1])}) outs({values[-1]} : {M})" if values else ""
        if not values:
            lines.append(f"%{name} = memref.alloc() : {M}")
        elif name == "copy":
            lines.append(f"memref.copy {values[0]}, {values[1]} : {M} to {M}")
        elif name == "turn":
            maps = "[affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>]"
            attributes = f'{{indexing_maps = {maps}, iterator_types = ["parallel"]}}'
            lines.append(f"linalg.generic {attributes} {inputs} {{ ^bb0(%e: f32, %r: f32): linalg.yield %e : f32 }}")
        else:
            lines.append(f"linalg.{name} {inputs}")
    parameters = ", ".join(f"%{v}: {M} {{llvm.noalias}}" for v in "xyop")
    text = after("coalesce-buffers", f"func.func @main({parameters}) {{\n" + "\n".join(lines) + "\nreturn\n}")
    names = dict(zip(("arg0", "arg1", "arg2", "arg3"), "xyop"))
    left = []
    for line in text.splitlines():
        if made := re.search(r"%(\w+) = memref\.alloc", line):
            names[made[1]] = "abc"[len(names) - 4]
            left.append(f"{names[made[1]]} = new")
        elif done := re.search(r"linalg\.(generic|exp|add)|memref\.(copy)", line):
            operands = [names[v] for v in re.findall(r"%(\w+)", line)]
            left.append(" ".join([{"generic": "turn"}.get(done[1], done[1] or done[2]), *operands]))
    return "; ".join(left)


CASES = {
    "a copy of what is not needed again": (
        "a = new; turn x a; b = new; copy a b; turn y b; turn b o",
        "a = new; turn x a; turn y a; turn a o",
    ),
    "a copy that is only read, of what is only read": ("a = new; copy x a; turn a o; turn x p", "turn x o; turn x p"),
    "a copy that is written, of an Input": (
        "a = new; copy x a; turn y a; turn a o",
        "a = new; copy x a; turn y a; turn a o",
    ),
    "a copy that is written, of what is needed again": (
        "a = new; turn x a; b = new; copy a b; turn y b; turn a o; turn b p",
        "a = new; turn x a; b = new; copy a b; turn y b; turn a o; turn b p",
    ),
    "a copy of what is written before the copy is read": (
        "a = new; turn x a; b = new; copy a b; turn y a; turn b o; turn a p",
        "a = new; turn x a; b = new; copy a b; turn y a; turn b o; turn a p",
    ),
    "a result that is copied to an output": ("a = new; turn x a; turn y a; copy a o", "turn x o; turn y o"),
    "a result that is copied to two outputs": ("a = new; turn x a; copy a o; copy a p", "turn x o; copy o p"),
    "a result that is copied to an output and used": ("a = new; turn x a; copy a o; turn a p", "turn x o; turn o p"),
    "a result for an output that is still used otherwise": (
        "turn x o; a = new; turn y a; turn o p; copy a o",
        "turn x o; a = new; turn y a; turn o p; copy a o",
    ),
    "a result that is changed after it was copied to an output": (
        "a = new; turn x a; copy a o; turn y a; turn a p",
        "a = new; turn x a; copy a o; turn y a; turn a p",
    ),
    "an Input that is an output": ("copy x o", "copy x o"),
    "an element-wise result, of what is not needed again": (
        "a = new; turn x a; b = new; exp a b; turn b o",
        "a = new; turn x a; exp a a; turn a o",
    ),
    "an element-wise result that is an output": ("a = new; turn x a; exp a o", "turn x o; exp o o"),
    "an element-wise result, of what is needed again": (
        "a = new; turn x a; b = new; exp a b; turn a o; turn b p",
        "a = new; turn x a; b = new; exp a b; turn a o; turn b p",
    ),
    "an element-wise result of two": (
        "a = new; turn x a; b = new; add y a b; turn b o",
        "a = new; turn x a; add y a a; turn a o",
    ),
    "an operand whose result lies where another operand does": (
        "a = new; turn x a; b = new; turn y b; add b a a; turn a o",
        "a = new; turn x a; b = new; turn y b; add b a a; turn a o",
    ),
    "an element-wise result of Inputs": ("a = new; add x y a; turn a o", "a = new; add x y a; turn a o"),
    "an element-wise result, of an output": ("turn x o; exp o p", "turn x o; exp o p"),
    "a result that takes its operand in another order": (
        "a = new; exp x a; b = new; turn a b; turn b o",
        "a = new; exp x a; b = new; turn a b; turn b o",
    ),
    "a chain": (
        "a = new; turn x a; b = new; exp a b; c = new; exp b c; exp c o",
        "turn x o; exp o o; exp o o; exp o o",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_buffers_become_one_where_no_difference_shows(case):
    body, left = CASES[case]
    assert coalesced(body) == left


def test_an_operand_that_a_kernel_needs_for_other_elements_is_not_written_over():
    text = """
    func.func @main(%x: memref<4x4xf32> {llvm.noalias}, %o: memref<4xf32> {llvm.noalias}) {
      %zero = arith.constant 0.0 : f32
      %a = memref.alloc() : memref<4x4xf32>
      linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
      %s = memref.alloc() : memref<4x4xf32>
      linalg.fill ins(%zero : f32) outs(%s : memref<4x4xf32>)
      linalg.matmul GROUP ins(%a, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%s : memref<4x4xf32>)
      %r = memref.alloc() : memref<4x4xf32>
      linalg.mul GROUP ins(%a, %s : memref<4x4xf32>, memref<4x4xf32>) outs(%r : memref<4x4xf32>)
      linalg.reduce { arith.addf } ins(%r : memref<4x4xf32>) outs(%o : memref<4xf32>) dimensions = [0]
      return
    }"""
    alone = after("coalesce-buffers", text.replace("GROUP", ""))
    assert alone.count("memref.alloc") == 2
    assert "outs(%alloc : memref<4x4xf32>)\n    linalg.reduce" in alone
    assert after("coalesce-buffers", text.replace("GROUP", "{mind.group = 0 : i64}")).count("memref.alloc") == 3


def test_parameters_that_may_overlap_are_left_alone():
    text = """
    func.func @main(%x: memref<4xf32>, %o: memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
      memref.copy %a, %o : memref<4xf32> to memref<4xf32>
      linalg.exp ins(%x : memref<4xf32>) outs(%o : memref<4xf32>)
      return
    }"""
    assert "memref.copy" in after("coalesce-buffers", text)


def test_a_result_that_is_an_output_in_another_shape_is_computed_there():
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(3, 4)), b.Input("w", mind.f32(4, 2))
    m = b.finish([b.Reshape(b.Neg(x @ w), new_shape=(2, 3)), b.Reshape(b.Neg(x), new_shape=(12,))])
    text = mlir_text(Pipeline.parse("lower-to-linalg,cpu").run(m))
    assert "aligned_alloc" not in text.replace("llvm.func @aligned_alloc", "")
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(o.type.shape, np.float32) for o in m.inputs]
    for found, value in zip(mind.compile(m, numerics="strict")(*arrays), mind.interpret(m, *arrays)):
        assert_same_bits(found, value)


def chained(seed: int) -> mind.Module:
    """Element-wise operations, reshapes, rows moved and added, on values that are used once or several times."""
    rng = np.random.default_rng(seed)
    b = mind.Builder()
    values, outputs = [b.Input("x", mind.f32(4, 6))], []
    rows = b.Input("rows", mind.i64(4))
    steps = [
        lambda v, u: v + u,
        lambda v, u: b.Neg(v) - u,
        lambda v, _: b.Relu(v),
        lambda v, u: b.Select(b.Greater(v, u), v, u),
        lambda v, u: v - b.Mean(u, axes=(1,), keepdims=True),
        lambda v, _: b.Reshape(b.Transpose(v, permutation=(1, 0)), new_shape=(4, 6)),
        lambda v, _: b.Reshape(b.Relu(b.Reshape(v, new_shape=(24,))), new_shape=(4, 6)),
        lambda v, _: b.Gather(v, rows),
        lambda v, u: b.ScatterAdd(v, rows, u, oob="clip"),
        lambda v, u: v + b.Slice(u, starts=(0, 2), ends=(4, 3), steps=(1, 1)),
    ]
    for _ in range(int(rng.choice([6, 12, 40]))):
        near, far = (values[-int(rng.integers(1, min(reach, len(values)) + 1))] for reach in (3, 12))
        values.append(steps[rng.integers(len(steps))](near, far) * 0.5)
        if rng.random() < 0.2:
            v = values[-1]
            outputs.append(v if rng.random() < 0.5 else b.Reshape(v, new_shape=(24,)))
    return mind.canonicalize(b.finish([values[-1], *outputs]))


@pytest.mark.parametrize("seed", range(30))
def test_results_do_not_depend_on_what_shares_memory(seed, monkeypatch):
    m = chained(seed)
    rng = np.random.default_rng(seed)
    arrays = [rng.standard_normal((4, 6), np.float32), np.array([3, 0, 1, 3])]
    value = mind.interpret(m, *arrays)
    for longest in (0, len(m)):  # in segments, and as a whole
        monkeypatch.setattr(native, "LONG", longest)
        for n, found in enumerate(mind.compile(m, numerics="strict")(*arrays)):
            assert_same_bits(found, value[n], f"output {n}:")
