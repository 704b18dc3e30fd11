"""Random meshes and shardings for modules, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

import mind_mlir as mind
from mind_mlir import Builder, Mesh, P

MESHES = (
    Mesh(("dp",), (2,)),
    Mesh(("dp",), (3,)),
    Mesh(("dp", "tp"), (2, 2)),
    Mesh(("dp", "tp"), (3, 2)),
    Mesh(("dp", "tp"), (1, 2)),
    Mesh(("dp", "tp"), (2, 4)),
)


@st.composite
def specs(draw, mesh, rank, unreduced=False):
    """A sharding of a value of this rank: each axis cuts one dimension at most, or the value is partial over it."""
    axes = [[] for _ in range(rank)]
    partial = []
    for axis in draw(st.permutations(mesh.axis_names)):
        place = draw(st.integers(-1 - unreduced, rank - 1))
        if place >= 0:
            axes[place].append(axis)
        elif place == -2:
            partial.append(axis)
    return P(*axes, unreduced=partial)


@st.composite
def on_a_mesh(draw, m):
    """The module with a mesh, its Inputs placed, and some values placed by a Reshard or by themselves."""
    mesh = draw(st.sampled_from(MESHES))
    b = Builder(mesh=mesh)
    env = {}
    for o in m.operations:
        if o.op.across_ranks:  # along an axis of one rank, and of another mesh
            env[o.id] = env[o.operands[0]]
            continue
        for i, v in zip(o.ids, b.append(o.op, tuple(env[i].id for i in o.operands), o.types), strict=True):
            env[i] = v
            if o.opcode == "Input":
                b.place(v, draw(specs(mesh, v.type.rank)))
            elif draw(st.integers(0, 3)) == 0:
                how = draw(specs(mesh, v.type.rank))
                if o.opcode == "Reshard" or draw(st.booleans()):
                    env[i] = b.Reshard(v, how)
                else:
                    b.place(v, how)
    return b.finish([env[i] for i in m.outputs])


def simulated(m, arrays):
    """The outputs of a module in global view, partitioned and run on every rank of its mesh in this process."""
    from mind_mlir.passes.sharding.partition import partitioned
    from mind_mlir.runtime.mpi.pieces import joined, piece

    p = partitioned(m)
    mind.verify(p.module)
    given = [[piece(a, m.mesh, s, r) for a, s in zip(arrays, p.inputs)] for r in range(m.mesh.size)]
    found = mind.simulate(p.module, given)
    return [
        joined([f[n] for f in found], m.mesh, s, t.shape) for n, (s, t) in enumerate(zip(p.outputs, m.output_types))
    ], p
