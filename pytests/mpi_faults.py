"""What the ranks of the jobs in test_mpi_faults.py run: `mpirun -n N python mpi_faults.py NAME ARGUMENT …`.

The last rank does otherwise than the rest.  Nothing is printed unless a job goes on to its end.
"""

import atexit
import os
import signal
import sys

import checkout  # noqa: F401
import numpy as np
from mpi4py import MPI

import mind_mlir as mind
from mind_mlir import P
from mind_mlir.runtime.mpi import watch

os.environ["MIND_CACHE"] = "off"

SIZE = MPI.COMM_WORLD.size
IS_LAST = MPI.COMM_WORLD.rank == SIZE - 1
MESH = mind.Mesh(("dp",), (SIZE,))
X, W = np.ones((8, 4), np.float32), np.ones((4, 4), np.float32)


def columns(x, w):
    return mind.sum(x @ w, axis=0)


def squares(x, w):
    return mind.sum((x @ w) * (x @ w), axis=0)


def one_column(x, w):
    return mind.sum(x @ w)


def on_mesh(f):
    """The function with its rows cut, which makes a sum over the ranks."""
    return mind.jit(f, mesh=MESH, in_shardings=(P("dp", None), None))


def steps(what):
    """Ten steps, of which the last rank makes six, and then does what is said."""
    step = on_mesh(columns)
    for n in range(10):
        step(X, W)
        if n == 5 and IS_LAST:
            what()
    print("done", flush=True)


def raises():
    def fail():
        raise ValueError("no more data")

    steps(fail)


def raises_in_a_thread():
    """A thread that ends by SystemExit ends nothing else."""
    import threading

    def leave():
        thread = threading.Thread(target=sys.exit)
        thread.start()
        thread.join()

    steps(leave)


def leaves(status):
    steps(lambda: sys.exit(int(status)))


def vanishes(status):
    steps(lambda: os._exit(int(status)))


def is_killed():
    steps(lambda: os.kill(os.getpid(), signal.SIGKILL))


def is_stopped():
    """Until someone lets it go on; what is said every ten seconds is said every second here."""
    watch.SAY = 1.0
    steps(lambda: os.kill(os.getpid(), signal.SIGSTOP))


def forks():
    """A child that ends as Python does is no rank that has left; MPI itself is not its to finalize."""

    def fork():
        if (child := os.fork()) == 0:
            atexit._run_exitfuncs()
            os._exit(0)
        os.waitpid(child, 0)

    steps(fork)


def skips_a_call():
    """The last rank makes a call less, and comes to its end."""
    step = on_mesh(columns)
    for n in range(6):
        if not (n == 3 and IS_LAST):
            step(X, W)


def skips_the_first_call():
    """The last rank makes the mesh and nothing else."""
    rank = mind.rank(MESH)
    if rank < SIZE - 1:
        on_mesh(columns)(X, W)


def skips_gather():
    """The last rank calls the next function where others gather."""
    step = on_mesh(columns)
    step(X, W)
    cut = mind.shard(X, mind.Sharding(MESH, P("dp", None)))
    if not IS_LAST:
        cut.gather()
    step(X, W)


def order(first, second):
    """Two functions, called before, in another order on the last rank."""
    f, g = on_mesh(globals()[first]), on_mesh(globals()[second])
    f(X, W), g(X, W)
    a, b = (g, f) if IS_LAST else (f, g)
    print(a(X, W).local, b(X, W).local, flush=True)


def compiles(what):
    """The last rank calls with, or for, something else from the start."""
    x, w, f, places = X, W, columns, (P("dp", None), None)
    table, rate = np.ones((4, 500), np.float32), 0.1
    if IS_LAST:
        match what:
            case "shape":
                x = np.ones((16, 4), np.float32)
            case "dtype":
                x, w = x.astype(np.float64), w.astype(np.float64)
            case "function":
                f = squares
            case "sharding":
                places = (P(None, "dp"), None)
            case "constant":
                rate = 1.1
            case "array":
                table[2, 100] = 2.0
    if what == "constant":

        def f(x, w):
            return mind.sum(x * np.float32(rate))

    if what == "array":

        def f(x, w):
            return mind.sum(x @ table)

    print(mind.jit(f, mesh=MESH, in_shardings=places)(x, w).local, flush=True)


def compiles_each(*all_of_them):
    """All ranks hear of it, and a program may go on from there."""
    for what in all_of_them:
        try:
            compiles(what)
        except mind.MindError as why:
            if MPI.COMM_WORLD.rank == 0:
                print(f"{what}: {why.code}: {why.message}", flush=True)


def passes_another_array():
    """An argument that all ranks hold alike is not alike, on the last rank, in one element."""
    w = W.copy()
    if IS_LAST:
        w[2, 1] = 5.0
    print(on_mesh(columns)(X, w).local, flush=True)


def passes_parts():
    """What is cut may differ elsewhere: a rank takes its own part alone.  Partial sums, too, are each rank's own."""
    x = X + MPI.COMM_WORLD.rank
    mine = slice(8 // SIZE * MPI.COMM_WORLD.rank, 8 // SIZE * (MPI.COMM_WORLD.rank + 1))
    x[mine] = 1.0
    np.testing.assert_array_equal(on_mesh(columns)(x, W).local, np.full(4, 32.0))
    print("done", flush=True)


def two_axes():
    """On a mesh of two axes, what is cut along one is the same along the other: the last rank has another part."""
    mesh = mind.Mesh(("dp", "tp"), (SIZE // 2, 2))
    x = X.copy()
    if IS_LAST:
        x[-1, 3] = 2.0
    f = mind.jit(columns, mesh=mesh, in_shardings=(P("dp", None), P(None, "tp")))
    print(f(x, W).local, flush=True)


def other_axes():
    """The last rank calls the axis of its mesh by another name."""
    axis = "tp" if IS_LAST else "dp"
    f = mind.jit(mind.sum, mesh=mind.Mesh((axis,), (SIZE,)), in_shardings=(P(axis),))
    print(f(np.ones(8, "f4")).local, flush=True)


def shares_no_memory():
    """There is no room for a file."""
    import tempfile

    def refuse(**_):
        raise OSError("No space left on device")

    tempfile.mkstemp = refuse
    on_mesh(columns)(X, W)


def wrong_size():
    """A mesh of other ranks than the job has."""
    mesh = mind.Mesh(("dp",), (SIZE + 1,))
    mind.jit(mind.sum, mesh=mesh, in_shardings=(P("dp"),))(np.ones(8, "f4"))


def bad_index():
    """One rank meets an index out of bounds, and the others wait for it in the next call."""
    rows = np.zeros(8, np.int64)
    rows[-1] = 99
    f = mind.jit(lambda x, i: mind.sum(mind.take(x, i)), mesh=MESH, in_shardings=(None, P("dp")))
    f(np.ones((4, 2), "f4"), rows)
    f(np.ones((4, 2), "f4"), np.zeros(8, np.int64))


def bad_row(bad, cut):
    """Every rank meets an index that names no row of a table of which each has a part."""
    rows = np.arange(8, dtype=np.int32)
    rows[5] = int(bad)
    f = mind.jit(mind.take, mesh=MESH, in_shardings=(P("dp", None), P("dp") if cut == "cut" else None))
    f(np.ones((101, 64), "f4"), np.arange(8, dtype=np.int32))
    f(np.ones((101, 64), "f4"), rows)


def nothing_to_send():
    """Arrays without elements, and a collective whose result nobody reads."""
    for x, w in ((X, np.ones((4, 0), "f4")), (np.ones((0, 4), "f4"), W)):
        found = on_mesh(columns)(x, w)
        np.testing.assert_array_equal(found.gather(), np.zeros(w.shape[1], np.float32))
    text = f"""mesh: dp = {SIZE}
%0 = Input {{name = "x"}} : tensor<f32[4]>
%1 = AllReduce (%0) {{axis = "dp", size = {SIZE}}} : tensor<f32[4]>
%2 = AllGather (%0) {{axis = "dp", dim = 0, size = {SIZE}}} : tensor<f32[{4 * SIZE}]>
%3 = Slice (%2) {{ends = [0], starts = [0], steps = [1]}} : tensor<f32[0]>
outputs: %0, %3
"""
    for target in ("cpu", "interpret"):
        same, empty = mind.compile(mind.parse(text), target=target)(X[0])
        assert same.tolist() == X[0].tolist()
        assert empty.shape == (0,)
    print("done", flush=True)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
