"""Makes a module on a mesh of a program: what it sends, and how far its results are from those of one process."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import mind_mlir as mind
from mind_mlir import Mesh, P, Sharding, TensorType
from mind_mlir.ir import DType, Module
from mind_mlir.passes import canonicalize
from mind_mlir.passes.sharding.partition import partitioned
from mind_mlir.runtime.mpi.pieces import joined, piece

from .layout import Program


def module(program: Program, small: bool = False) -> Module:
    """The program in global view, as `mind.jit` traces it for `mesh`, `in_shardings` and `out_shardings`."""
    mesh = _mesh(program)
    types = [TensorType(DType(a.dtype), s) for a, s in zip(program.arguments, program.shapes(small))]

    def placed(*args: Any) -> Any:
        found = program.function(mind, *args)
        found = found if isinstance(found, tuple) else (found,)
        return [mind.reshard(y, Sharding(mesh, P(*cuts))) for y, cuts in zip(found, program.results, strict=True)]

    m = mind.trace(placed, *types).module
    specs = {o.id: P(*a.cuts) for o, a in zip(m.inputs, program.arguments)}
    operations = tuple(o.with_shardings(specs) for o in m.operations)
    return canonicalize(replace(m, mesh=mesh, operations=operations))


def _mesh(program: Program) -> Mesh:
    return Mesh([name for name, _ in program.axes], [n for _, n in program.axes])


def sent(program: Program) -> list[tuple[str, int]]:
    """Each operation between ranks, with the bytes that a rank sends in it."""
    return [(c.opcode, c.nbytes) for c in partitioned(module(program)).communication]


def difference(program: Program) -> float:
    """For small arrays, the largest difference of all ranks' results from one process's, over each one's largest."""
    m = module(program, small=True)
    rng = np.random.default_rng(0)
    arrays = [
        rng.integers(0, program.sizes["v"][1], o.type.shape).astype(np.int32)
        if o.type.dtype is DType.I32
        else rng.uniform(-0.5, 0.5, o.type.shape).astype(np.float32)
        for o in m.inputs
    ]
    expected = mind.interpret(m, *arrays)
    p = partitioned(m)
    assert m.mesh is not None, "module gives it one"
    given = [[piece(a, m.mesh, s, r) for a, s in zip(arrays, p.inputs)] for r in range(m.mesh.size)]
    found = mind.simulate(p.module, given)
    whole = [joined([f[n] for f in found], m.mesh, s, e.shape) for n, (s, e) in enumerate(zip(p.outputs, expected))]
    return max(float(np.abs(a - b).max()) / max(float(np.abs(b).max()), 1e-9) for a, b in zip(whole, expected))
