"""The digits as .npy files, of which a rank can read single rows; the archive of examples/digits is compressed."""

import os
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "digits"))
from data import held_out, load

FOLDER = Path(__file__).resolve().parent / "arrays"


def unpack() -> None:
    """Write what is missing of the files.  Ranks that do so at once do no harm: each file appears whole."""
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
    """An array in a file.  Rows are read when they are indexed."""
    return np.load(FOLDER / f"{name}.npy", mmap_mode="r")
