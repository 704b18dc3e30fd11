"""Trains the digits network on several processes, the ranks of an MPI job.

    python examples/digits_mpi/train.py
    mpirun -n 2 python examples/digits_mpi/train.py --layout dp|tp|fsdp [--epochs N] [--output FILE.npz]

Every rank runs this program. The network, the batches, the optimizer and the settings are those of
examples/digits/train.py. A layout has the shardings of batches and weights; from it the compiler derives what ranks
send each other. The first rank prints the loss and the accuracy.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from arrays import mapped, unpack

import mind_mlir as mind
from mind_mlir import P

sys.path.append(str(Path(__file__).resolve().parent.parent / "digits"))
from adam import Adam
from data import batches, targets
from networks import MLP, cross_entropy, initial, mlp

BATCH, SMOOTHING, RATE = 32, 0.1, 3e-3


@dataclass(frozen=True)
class Layout:
    """The mesh axis of all ranks, and the shardings by it: of the rows of a batch, and of each weight."""

    axis: str
    rows: P
    weights: dict[str, P]

    @property
    def matrix(self) -> P:
        """The sharding of a batch, in which rows may be cut and columns are whole."""
        return P(*self.rows.axes, None)


DATA_PARALLEL = Layout("dp", P("dp"), {"w1": P(None, None), "b1": P(None), "w2": P(None, None), "b2": P(None)})
LAYOUTS = {
    "one": DATA_PARALLEL,
    # Each rank has its rows of a batch and all weights. Gradients are summed over the ranks.
    "dp": DATA_PARALLEL,
    # Each rank has the whole batch and its share of the hidden units, whose contributions to the logits are summed.
    "tp": Layout("tp", P(None), {"w1": P(None, "tp"), "b1": P("tp"), "w2": P("tp", None), "b2": P(None)}),
    # Each rank has its rows of a batch and its rows of each weight. Weights are gathered where they are used.
    "fsdp": Layout("dp", P("dp"), {"w1": P("dp", None), "b1": P("dp"), "w2": P("dp", None), "b2": P("dp")}),
}


def loss_of(p, x, t):
    return cross_entropy(mlp(p, x), t)


def local(p: dict) -> dict:
    """The part of each value that this rank holds."""
    return {k: v.local for k, v in p.items()}


def train(
    p: dict,
    r: np.random.RandomState,
    mesh: mind.Mesh,
    layout: Layout,
    epochs: int,
    report: Callable[[int, float], None],
) -> tuple[dict, list[float]]:
    """The weights after `epochs` passes over the images, and the mean loss of each pass, which `report` gets too."""
    images, labels = mapped("images"), mapped("labels")
    of_rows, of_matrix = mind.Sharding(mesh, layout.rows), mind.Sharding(mesh, layout.matrix)
    in_shardings = (layout.weights, layout.matrix, layout.matrix)
    step = mind.jit(mind.value_and_grad(loss_of), numerics="strict", mesh=mesh, in_shardings=in_shardings)
    adam = Adam(local(p), RATE, epochs * (len(images) // BATCH))
    curve = []
    for epoch in range(epochs):
        losses = []
        for rows in batches(r, len(images), BATCH):
            mine = mind.shard(rows, of_rows).local  # no other rows are read here
            x = mind.from_local(images[mine], of_matrix, (BATCH, 64))
            t = mind.from_local(targets(labels[mine], SMOOTHING), of_matrix, (BATCH, 10))
            loss, g = step(p, x, t)
            losses.append(float(loss))
            moved = adam.update(local(p), local(g))  # gradients have the shardings of their weights
            p = {k: mind.from_local(moved[k], p[k].sharding, p[k].shape) for k in p}
        curve.append(float(np.mean(losses)))
        report(epoch + 1, curve[-1])
    return p, curve


def accuracy(p: dict, mesh: mind.Mesh, layout: Layout) -> float:
    """The share of the held-out images whose largest logit is the right one."""
    x = mind.shard(mapped("test_images"), mind.Sharding(mesh, layout.matrix))
    logits = mind.jit(mlp, mesh=mesh, in_shardings=(layout.weights, layout.matrix))(p, x).gather()
    return float((logits.argmax(axis=1) == mapped("test_labels")).mean())


def main() -> int:
    parser = argparse.ArgumentParser(description="Train a classifier of handwritten digits on the ranks of an MPI job.")
    parser.add_argument("--layout", choices=LAYOUTS, default="one", help="default: one, which needs no MPI")
    parser.add_argument("--ranks", type=int, default=2, help="as many as mpirun starts (default: 2)")
    parser.add_argument("--epochs", type=int, default=120, help="passes over the images (default: 120)")
    parser.add_argument("--output", metavar="FILE.npz", help="write the losses, the accuracy and the weights")
    arguments = parser.parse_args()

    layout = LAYOUTS[arguments.layout]
    mesh = mind.Mesh((layout.axis,), (1 if arguments.layout == "one" else arguments.ranks,))
    r = np.random.RandomState(0)
    try:
        initial_weights = {k: mind.shard(w, mind.Sharding(mesh, layout.weights[k])) for k, w in initial(MLP, r).items()}
    except mind.MindError as why:  # MPI is missing, or the job has another number of ranks
        print(why, file=sys.stderr)
        return 1
    unpack()

    first, start = mind.rank(mesh) == 0, time.monotonic()  # the first rank prints and writes

    def report(epoch: int, loss: float) -> None:
        if first and epoch % 10 == 0:
            print(f"epoch {epoch:3}  loss {loss:.6f}", flush=True)

    weights, losses = train(initial_weights, r, mesh, layout, arguments.epochs, report)
    seconds, found = time.monotonic() - start, accuracy(weights, mesh, layout)
    whole = {k: w.gather() for k, w in weights.items()}
    if first:
        print(f"layout {arguments.layout}, mesh {mesh}: {seconds:.1f} s, compilation included")
        print(f"accuracy on {len(mapped('test_labels'))} held-out images: {found:.4f}")
        if arguments.output:
            np.savez(arguments.output, losses=losses, accuracy=found, **whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
