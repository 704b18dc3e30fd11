"""Classifies the held-out handwritten digits with the network of mlp.mindir, compiled to native code.

    python examples/digits/classify.py [--show N] [--save-inputs FILE.npz]

Prints the accuracy, how often each digit was taken for which, and how far the logits of native code and of the
interpreter differ; exits with status 1 if by more than 1e-4.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from train import held_out, load

import mind_mlir as mind

HERE = Path(__file__).resolve().parent
SHADES = " ░▒▓█"


def confusion(labels: np.ndarray, found: np.ndarray) -> str:
    """A table: a row for each digit, a column for what it was taken for; 0 is shown as a dot."""
    counts = np.zeros((10, 10), int)
    np.add.at(counts, (labels, found), 1)
    rows = ["is \\ taken for" + "".join(f"{d:4}" for d in range(10))]
    rows += [f"{d:14}" + "".join(f"{n or '.':>4}" for n in counts[d]) for d in range(10)]
    return "\n".join(rows)


def picture(pixels: np.ndarray) -> str:
    """64 pixels from 0 to 1 as 8 lines of block characters."""
    shade = np.minimum((pixels * len(SHADES)).astype(int), len(SHADES) - 1).reshape(8, 8)
    return "\n".join("  " + "".join(SHADES[s] * 2 for s in row) for row in shade)


def main() -> int:
    parser = argparse.ArgumentParser(description="Classify the held-out handwritten digits.")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="draw the first N misclassified digits")
    parser.add_argument("--save-inputs", metavar="FILE.npz", help="write the arguments of mlp.mindir for mind-run")
    arguments = parser.parse_args()

    images, labels = load()
    test = held_out(len(images))
    x, labels = images[test], labels[test]
    with np.load(HERE / "weights.npz") as archive:
        weights = dict(archive)
    if arguments.save_inputs:
        np.savez(arguments.save_inputs, x=x, **weights)

    module = mind.parse(HERE / "mlp.mindir")
    classify = mind.compile(module)
    (logits,) = classify(x=x, **weights)
    found = logits.argmax(axis=1)
    right = int((found == labels).sum())
    print(f"{right} of {len(x)} held-out digits are right: accuracy {right / len(x):.4f}\n")
    print(confusion(labels, found))

    wrong = np.flatnonzero(found != labels)[: arguments.show]
    sys.stdout.reconfigure(errors="replace")  # block characters on a terminal without Unicode
    for i in wrong:
        print(f"\nimage {np.flatnonzero(test)[i]} is {labels[i]}, taken for {found[i]}:\n{picture(x[i])}")

    (expected,) = mind.interpret(module, x=x, **weights)
    difference = float(np.abs(logits - expected).max())
    print(f"\nthe {logits.size} logits of native code and interpreter differ by up to {difference:.2g}")
    return 1 if difference > 1e-4 else 0


if __name__ == "__main__":
    sys.exit(main())
