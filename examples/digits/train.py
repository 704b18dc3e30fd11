"""Trains a classifier of handwritten digits with compiled gradients.

    python examples/digits/train.py [--network mlp|cnn] [--epochs N] [--output FILE.npz]

The network is a Python function; `mind.value_and_grad` gives its loss and the gradient of every weight, `mind.jit`
compiles that to native code. Adam minimizes the cross entropy with smoothed labels on two thirds of the images, which
are moved by up to a pixel for the CNN. With numerics="strict" compiled code gives the same bits everywhere, so the
weights are the same on every machine. The settings were chosen by cross-validation within the training images.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from adam import Adam
from data import batches, held_out, load, shifted, targets
from networks import CNN, MLP, cnn, cross_entropy, initial, mlp
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import mind_mlir as mind

HERE = Path(__file__).resolve().parent
BATCH, SMOOTHING = 32, 0.1


@dataclass(frozen=True)
class Recipe:
    """A network, the shapes of its weights, and how it is trained."""

    network: object
    shapes: dict
    epochs: int
    rate: float
    augment: bool


RECIPES = {
    "mlp": Recipe(mlp, MLP, epochs=120, rate=3e-3, augment=False),
    "cnn": Recipe(cnn, CNN, epochs=60, rate=3e-3, augment=True),
}


def train(recipe: Recipe, x: np.ndarray, labels: np.ndarray, epochs: int, progress: Progress) -> dict:
    """The weights after `epochs` passes over the images."""
    r = np.random.RandomState(0)  # it gives the same numbers in every version of NumPy
    p = initial(recipe.shapes, r)
    t = targets(labels, SMOOTHING)
    adam = Adam(p, recipe.rate, epochs * (len(x) // BATCH))
    with_gradients = mind.value_and_grad(lambda p, x, t: cross_entropy(recipe.network(p, x), t))
    loss_and_gradients = mind.jit(with_gradients, numerics="strict")
    bar = progress.add_task("training", total=epochs, loss=float("nan"))
    for epoch in range(epochs):
        last_rounds = epoch >= epochs - 4  # the last rounds have the images as they are
        for batch in batches(r, len(x), BATCH):
            images = shifted(r, x[batch]) if recipe.augment and not last_rounds else x[batch]
            loss, g = loss_and_gradients(p, images, t[batch])
            p = adam.update(p, g)
        progress.update(bar, advance=1, loss=float(loss))
    return p


def accuracy(recipe: Recipe, p: dict, x: np.ndarray, labels: np.ndarray) -> float:
    """The share of the images whose largest logit is the right one."""
    logits = mind.jit(recipe.network)(p, x)
    return float((logits.argmax(axis=1) == labels).mean())


def main() -> int:
    parser = argparse.ArgumentParser(description="Train a classifier of handwritten digits.")
    parser.add_argument("--network", choices=sorted(RECIPES), default="mlp")
    parser.add_argument("--epochs", type=int, help="passes over the images (default: 120 for mlp, 60 for cnn)")
    parser.add_argument("--output", type=Path, metavar="FILE.npz", help="write the weights")
    parser.add_argument("--at-least", type=float, default=0.0, help="fail if fewer of the held-out images are right")
    arguments = parser.parse_args()

    recipe = RECIPES[arguments.network]
    x, labels = load()
    test = held_out(len(x))
    start = time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stdout)) as progress:
        p = train(recipe, x[~test], labels[~test], arguments.epochs or recipe.epochs, progress)
    print(f"trained {arguments.network} in {time.monotonic() - start:.1f} s, compilation included")
    if arguments.output:
        np.savez(arguments.output, **p)
    for name, rows in (("training", ~test), ("held-out", test)):
        found = accuracy(recipe, p, x[rows], labels[rows])
        print(f"accuracy on {rows.sum()} {name} images: {found:.4f}")
    return 0 if found >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
