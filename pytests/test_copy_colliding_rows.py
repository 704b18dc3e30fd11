"""Products of rows that are neighbours in memory, with and without copies."""

from __future__ import annotations

import numpy as np
import pytest
from mlir import ir
from support import assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.lowering.rewrites import copy_colliding_rows as copying
from mind_mlir.lowering.rules.product_rules import rows_collide
from mind_mlir.lowering.targets.cpus import CPUS
from mind_mlir.passes import Pipeline


def product(left, right, batch=()) -> mind.Module:
    """Aᵀ · B."""
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(*batch, *left)), b.Input("y", mind.f32(*batch, *right))
    n = len(batch)
    return b.finish([b.Transpose(x, permutation=[*range(n), n + 1, n]) @ y])


def transposes(m: mind.Module, cpu: str) -> int:
    text = Pipeline.parse(f"lower-to-linalg,canonicalize,cse,fold-transposes,copy-colliding-rows{{cpu={cpu}}}").run(m)
    return mlir_text(text).count("linalg.transpose ")


@pytest.mark.parametrize(
    ("terms", "stride", "columns", "copied"),
    [
        (128, 4096, 1024, True),  # all lines in one set
        (128, 4096, 100, False),  # too few columns use the copy
        (128, 784 * 4, 1024, False),  # lines all over the cache
        (4096, 784 * 4, 1024, False),  # of which a block has no more than there is room for
        (128, 960 * 4, 1024, True),
        (4, 4096, 1024, False),  # one set holds them
        (128, 4, 1024, False),
    ],
)
def test_rows_collide_where_their_lines_share_few_sets(terms, stride, columns, copied):
    assert rows_collide(terms, stride, columns, CPUS["avx2"]) is copied
    assert not rows_collide(terms, stride, columns, CPUS["neon"])


def test_only_rows_that_collide_are_copied():
    assert transposes(product((128, 1024), (128, 256)), "avx2") == 1
    assert transposes(product((128, 1024), (128, 256)), "avx512") == 0
    assert transposes(product((128, 1000), (128, 256)), "avx2") == 0
    assert transposes(product((128, 1024), (128, 256), (2,)), "avx2") == 1


OTHERS = {
    "complex": ("128x1024xcomplex<f32>", "128x256xcomplex<f32>", "1024x256xcomplex<f32>"),
    "unknown rows": ("128x?xf32", "128x256xf32", "?x256xf32"),
    "unknown terms": ("?x1024xf32", "?x256xf32", "1024x256xf32"),
}
"""Operands and result of products of other MLIR."""


@pytest.mark.parametrize("kind", OTHERS)
def test_products_of_other_mlir_are_left_alone(kind):
    x, y, out = [f"tensor<{t}>" for t in OTHERS[kind]]
    text = f"""
    #x = affine_map<(m, n, k) -> (k, m)>
    #y = affine_map<(m, n, k) -> (k, n)>
    #o = affine_map<(m, n, k) -> (m, n)>
    func.func @main(%x: {x}, %y: {y}, %o: {out}) -> {out} {{
      %0 = linalg.contract indexing_maps = [#x, #y, #o] ins(%x, %y : {x}, {y}) outs(%o : {out}) -> {out}
      return %0 : {out}
    }}"""
    with ir.Context():
        module = ir.Module.parse(text)
        copying.copy_colliding_rows(module, cpu="avx2")
        assert "linalg.transpose" not in str(module)
        assert "linalg.contract" in str(module)
        assert module.operation.verify()


@pytest.mark.parametrize("batch", [(), (2,)])
def test_a_copy_changes_no_bit(batch, monkeypatch):
    monkeypatch.setenv("MIND_CACHE", "off")  # it does not know of what is patched
    monkeypatch.setattr(copying, "find_cpu", lambda name: CPUS["avx2"])
    m = product((40, 1024), (40, 130), batch)
    arrays = [random_array(o.type, np.random.default_rng(0)) for o in m.inputs]
    (found,) = mind.compile(m, numerics="strict")(*arrays)
    assert_same_bits(found, mind.interpret(m, *arrays)[0])
