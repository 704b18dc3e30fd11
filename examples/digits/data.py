"""The handwritten digits: 1,797 images of 8 by 8 pixels. Every third is held out for the test."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def load(path: Path = HERE / "digits.npz") -> tuple[np.ndarray, np.ndarray]:
    """Images as rows of 64 numbers from 0 to 1 in f32, and their labels."""
    with np.load(path) as archive:
        images, labels = archive["images"], archive["labels"]
    return images.reshape(len(images), 64).astype(np.float32) / np.float32(16), labels


def held_out(n: int) -> np.ndarray:
    """True for those of n images that are kept for the test: every third."""
    return np.arange(n) % 3 == 2


def targets(labels: np.ndarray, smoothing: float) -> np.ndarray:
    """One row for each label: 1 - smoothing for its class, and smoothing spread over all ten."""
    rows = np.full((len(labels), 10), smoothing / 10, np.float32)
    rows[np.arange(len(labels)), labels] += np.float32(1 - smoothing)
    return rows


def batches(r: np.random.RandomState, n: int, size: int) -> Iterator[np.ndarray]:
    """The positions of n images in random order, in batches of one size; the rest is left out in this round."""
    order = r.permutation(n)
    for start in range(0, n - size + 1, size):
        yield order[start : start + size]


def shifted(r: np.random.RandomState, images: np.ndarray) -> np.ndarray:
    """The images, each moved by up to one pixel along both axes."""
    n = len(images)
    wide = np.pad(images.reshape(n, 8, 8), ((0, 0), (1, 1), (1, 1)))
    moves = r.randint(0, 3, (n, 2))
    return np.stack([image[y : y + 8, x : x + 8] for image, (y, x) in zip(wide, moves)]).reshape(n, 64)
