"""What the ranks of the jobs in test_mpi.py run: `mpirun -n N python mpi_programs.py NAME ARGUMENT …`."""

import os
import sys
import time

import checkout  # noqa: F401
import numpy as np
from sharded_models import LAYOUTS, gradient_of, mesh_for, mlp, qkv

import mind_mlir as mind
from mind_mlir import P
from mind_mlir.passes import merge_reductions
from mind_mlir.passes.sharding.partition import partitioned
from mind_mlir.runtime.arguments import random_arguments
from mind_mlir.runtime.mpi.pieces import joined, piece
from mind_mlir.runtime.mpi.ranks import mpi, ranks_of
from mind_mlir.runtime.mpi.same_module import agree


def world():
    return mpi().COMM_WORLD


def wait_for_all():
    """A barrier that leaves the core to others: MPI's own look all the time whether it is over."""
    barrier = world().Ibarrier()
    while not barrier.Test():
        time.sleep(0.002)


def say(*what):
    """Print from the first rank."""
    if world().rank == 0:
        print(*what, flush=True)


def on_ranks(m, target="cpu"):
    """Partition and compile; returns the call on whole arguments that gives whole results, and the executable."""
    p = partitioned(m)
    local = mind.canonicalize(merge_reductions(p.module))
    ranks = ranks_of(m.mesh)
    agree(ranks, "the module", m)
    if ranks.rank:
        wait_for_all()  # the first rank compiles; the others load what it has kept, where MIND_CACHE names a folder
    exe = mind.compile(local, target=target)
    if not ranks.rank:
        wait_for_all()

    def call(*arrays):
        results = exe(*[piece(a, m.mesh, s, ranks.rank) for a, s in zip(arrays, p.inputs)])
        gathered = [world().allgather(r) for r in results]
        return [joined(g, m.mesh, s, t.shape) for g, s, t in zip(gathered, p.outputs, m.output_types)]

    return call, exe


def agree_with_one_process(m, target="cpu"):
    """The results on ranks are those of one process, but for rounding; returns the largest difference."""
    arrays = list(random_arguments(m, 1).values())
    found, expected = on_ranks(m, target)[0](*arrays), mind.interpret(m, *arrays)
    worst = 0.0
    for a, b in zip(found, expected):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)
        worst = max(worst, float(np.abs(a - b).max(initial=0)))
    return worst


def layouts(extent="all", target="cpu"):
    """Every layout; if all, gradients accumulated in both ways, and batches that the ranks divide and do not."""
    n = world().size
    is_brief = extent == "brief"
    for layout in LAYOUTS:
        if layout == "2d" and n % 2:
            continue
        for batch in (13,) if is_brief else (16, 13):
            m = mind.propagate_sharding(mlp(layout, mesh_for(layout, n), batch))
            for accumulate in ("deferred",) if is_brief else ("deferred", "eager"):
                worst = agree_with_one_process(gradient_of(m, accumulate, with_x=True), target)
            say(f"{layout} of {batch} on {n}: ok, {worst:.1e}")
    agree_with_one_process(gradient_of(mind.propagate_sharding(qkv(n)), with_x=True), target)
    say(f"qkv on {n}: ok")


OPS = """mesh: dp = {n}
%0 = Input {{name = "x"}} : tensor<{t}[{n}2, 6, {n}0]>
%1 = AllReduce (%0) {{axis = "dp", size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%2 = AllReduce (%0) {{axis = "dp", kind = "max", size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%3 = AllReduce (%0) {{axis = "dp", kind = "min", size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%4 = AllGather (%0) {{axis = "dp", dim = 0, size = {n}}} : tensor<{t}[{g0}, 6, {n}0]>
%5 = AllGather (%0) {{axis = "dp", dim = 1, size = {n}}} : tensor<{t}[{n}2, {g1}, {n}0]>
%6 = AllGather (%0) {{axis = "dp", dim = 2, size = {n}}} : tensor<{t}[{n}2, 6, {g2}]>
%7 = ReduceScatter (%5) {{axis = "dp", dim = 1, size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%8 = ReduceScatter (%4) {{axis = "dp", dim = 0, size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%9 = AllToAll (%5) {{axis = "dp", concat = 2, size = {n}, split = 1}} : tensor<{t}[{n}2, 6, {g2}]>
%10 = AllToAll (%4) {{axis = "dp", concat = 0, size = {n}, split = 0}} : tensor<{t}[{g0}, 6, {n}0]>
%11 = ShardSlice (%6) {{axis = "dp", dim = 2, size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%12 = ShardSlice (%4) {{axis = "dp", dim = 0, size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
%13 = PVary (%0) {{axis = "dp", size = {n}}} : tensor<{t}[{n}2, 6, {n}0]>
outputs: %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13
"""


def operations():
    """Each operation between ranks, along each dimension and for each dtype, as `simulate` has it."""
    n = world().size
    for dtype in mind.DType:
        text = OPS.format(n=n, t=dtype, g0=n * int(f"{n}2"), g1=6 * n, g2=n * int(f"{n}0"))
        if dtype.is_bool:  # moved alone
            text = "".join(line for line in text.splitlines(True) if "Reduce" not in line and "outputs" not in line)
            text += "outputs: %4, %5, %6, %9, %10, %11, %12, %13\n"
        m = mind.verify(mind.parse(text))
        (o,) = m.inputs
        all_x = [np.random.default_rng(r).integers(-9, 9, o.type.shape).astype(o.type.dtype.numpy) for r in range(n)]
        expected = mind.simulate(m, [[x] for x in all_x])[world().rank]
        for target in ("cpu", "interpret"):
            for a, b in zip(mind.compile(m, target=target)(all_x[world().rank]), expected):
                np.testing.assert_array_equal(a, b)
    say("operations: ok")


def jitted():
    """jit on a mesh: gradients lie as their arguments, arrays of ranks go in again, cuts do not divide."""
    n = world().size
    mesh = mind.Mesh(("dp",), (n,))
    r = np.random.default_rng(0)
    x, y = r.standard_normal((13, 7)).astype("f4"), r.standard_normal((13, 3)).astype("f4")
    p = {
        "w": r.standard_normal((7, 10)).astype("f4"),
        "b": np.zeros(10, "f4"),
        "v": r.standard_normal((10, 3)).astype("f4"),
    }

    def loss(p, x, y):
        return mind.mean((mind.relu(x @ p["w"] + p["b"]) @ p["v"] - y) ** 2)

    value, gradients = mind.value_and_grad(loss)(p, x, y)
    for places in (None, {"w": P("dp", None), "b": P("dp"), "v": P("dp", None)}):
        placed = {"mesh": mesh, "in_shardings": (places, P("dp", None), P("dp", None))}
        for f in (
            mind.jit(mind.value_and_grad(loss), **placed),
            mind.value_and_grad(mind.jit(loss, **placed)),
        ):
            v, g = f(p, x, y)
            np.testing.assert_allclose(float(v), value, rtol=1e-5)
            for k in p:
                assert g[k].sharding.spec == (places or {}).get(k, P(*[None] * p[k].ndim))
                np.testing.assert_allclose(g[k].gather(), gradients[k], rtol=1e-4, atol=1e-5)
            again, _ = f(p, x, y)
            assert again.local.tobytes() == v.local.tobytes()
    xs = mind.shard(x, mind.Sharding(mesh, P("dp", None)))
    assert xs.local.shape == (-(-13 // n), 7)
    moved = mind.reshard(xs, P(None, "dp"))
    np.testing.assert_array_equal(moved.gather(), x)
    np.testing.assert_array_equal(np.asarray(mind.reshard(moved, P(None, None))), x)
    say("jitted: ok")


def many_steps(steps):
    """Steps with equal bits and flat memory."""
    m = gradient_of(mlp("tp", mesh_for("tp", world().size)))
    p = partitioned(m)
    exe = mind.compile(mind.canonicalize(p.module))
    rank = ranks_of(m.mesh).rank
    arrays = [piece(a, m.mesh, s, rank) for a, s in zip(random_arguments(m, 1).values(), p.inputs)]
    first = [a.tobytes() for a in exe(*arrays)]
    before = 0
    for step in range(int(steps)):
        results = exe(*arrays)
        if step % 500 == 0:
            assert [a.tobytes() for a in results] == first, f"step {step} differs"
        if step == 500:
            before = resident()
    grown = resident() - before
    assert grown < 2 << 20, f"{grown} bytes more after {steps} steps"
    say(f"{steps} steps: ok")


def resident():
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def library(path):
    """A library made ahead of time runs on the ranks."""
    import ctypes

    m = gradient_of(mlp("tp", mesh_for("tp", world().size)))
    p = partitioned(m)
    ranks = ranks_of(m.mesh)
    code = ctypes.CDLL(path)
    code.step_set_ranks(ctypes.c_void_p(ctypes.addressof(ranks.table)))
    arrays = [piece(a, m.mesh, s, ranks.rank) for a, s in zip(random_arguments(m, 1).values(), p.inputs)]
    out = [np.empty(t.shape, t.dtype.numpy) for t in p.module.output_types]
    code.step.restype = ctypes.c_int64
    assert code.step(*[ctypes.c_void_p(a.ctypes.data) for a in (*arrays, *out)]) == 0
    for a, b in zip(out, mind.compile(mind.canonicalize(p.module))(*arrays)):
        np.testing.assert_array_equal(a, b)
    say("library: ok")


def embedding():
    """A model with an embedding and its gradient, the vocabulary cut by rows, alone and beside a batch that is cut."""
    n = world().size
    for mesh, table, ids in (
        (f"tp = {n}", "tp, _", "_"),
        (f"dp = {n}", "dp, _", "dp"),
        (f"dp = {n // 2}, tp = 2", "[dp, tp], _", "dp"),
    ):
        for v in (40, 13):
            m = mind.parse(EMBEDDING.format(mesh=mesh, table=table, ids=ids, v=v))
            g = mind.differentiate(m, wrt=["table"]).gradient_module
            rng = np.random.default_rng(v)
            arrays = [rng.standard_normal((v, 6)).astype("f4"), rng.integers(0, v, 8)]
            for a, b in zip(on_ranks(g)[0](*arrays), mind.interpret(g, *arrays)):
                np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)
    say("ok")


def preferring_time(folder):
    """A gradient on ranks that are measured, or were; each says what it takes them to be."""
    from mind_mlir.runtime.mpi.measured import machine_of

    os.environ["MIND_CACHE"] = folder
    mesh = mind.Mesh(("dp",), (world().size,))
    x, w = np.ones((256, 96), "f4"), np.full((96, 64), 0.01, "f4")
    step = mind.value_and_grad(lambda w, x: mind.mean((x @ w) ** 2))
    value, gradient = mind.jit(step, mesh=mesh, in_shardings=(None, P("dp", None)), prefer="time")(w, x)
    np.testing.assert_allclose(float(value), 0.9216, rtol=1e-5)
    np.testing.assert_allclose(gradient.gather(), mind.jit(step)(w, x)[1], rtol=1e-5)
    machine = machine_of(ranks_of(mesh))
    found = world().gather(f"{machine.products_per_byte},{machine.bytes_per_operation}")
    say(*(found or ()))


EMBEDDING = """mesh: {mesh}
%0 = Input {{name = "table", sharding = [{table}]}} : tensor<f32[{v}, 6]>
%1 = Input {{name = "ids", sharding = [{ids}]}} : tensor<i64[8]>
%2 = Gather (%0, %1) : tensor<f32[8, 6]>
%3 = Mul (%2, %2) : tensor<f32[8, 6]>
%4 = Reshape (%3) {{new_shape = [4, 12]}} : tensor<f32[4, 12]>
%5 = Sum (%4) {{axes = [], keepdims = false}} : tensor<f32[]>
outputs: %5
"""


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
