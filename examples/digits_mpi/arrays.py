"""Writes the digits as .npy files, whose rows ranks can read one by one; examples/digits has them compressed."""

import os
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "digits"))
from data import held_out, load

FOLDER = Path(__file__).resolve().parent / "arrays"


def unpack() -> None:
    """Write the files that are missing. Several ranks may do so at once, since each file appears as a whole."""
    names = ("images", "labels", "test_images", "test_labels")
    if all((FOLDER / f"{name}.npy").exists() for name in names):
        return
    x, labels = load()
    test = held_out(len(x))
    FOLDER.mkdir(exist_ok=True)
    for name, array in zip(names, (x[~test], labels[~test], x[test], labels[test])):
        own = FOLDER / f"{name}.{os.getpid()}.npy"
        np.save(own, array)
        own.replace(FOLDER / f"{name}.npy")


def mapped(name: str) -> np.ndarray:
    """The array in a file, whose rows are read when they are indexed."""
    return np.load(FOLDER / f"{name}.npy", mmap_mode="r")
