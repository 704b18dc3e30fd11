"""Writes the classifier of handwritten digits as one module: an image in, a number for each digit out.

    python examples/c/export.py FILE.mindir

The trained weights of examples/digits are constants of the module, so that nothing else is needed to run it.
"""

import sys
from pathlib import Path

import numpy as np

import mind_mlir as mind

WEIGHTS = Path(__file__).resolve().parent.parent / "digits" / "weights.npz"


def main() -> None:
    with np.load(WEIGHTS) as archive:
        w = dict(archive)

    def digit(image):
        return mind.relu(image @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]

    module = mind.trace(digit, np.zeros(64, np.float32)).module
    Path(sys.argv[1]).write_text(str(mind.canonicalize(module)), encoding="utf-8")


if __name__ == "__main__":
    main()
