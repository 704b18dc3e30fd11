"""Trains the digit classifier: 64 pixels, 64 hidden units with Relu, 10 logits.

    python examples/digits/train.py [--epochs N] [--output FILE.npz]

Plain NumPy: cross entropy with smoothed labels, minimised by Adam on two thirds of the images.  The seed is fixed and
the arithmetic is f64, so that another machine's matrix product changes no weight by more than rounding; the weights
are stored as f32.  The settings were chosen by cross-validation within the training images.
"""

import argparse
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
HIDDEN, BATCH, RATE = 64, 32, 2e-3
SMOOTHING = 0.1  # of the labels: the right class counts 0.9, the rest is spread over all ten


def held_out(n: int) -> np.ndarray:
    """Which of n images are kept for the test: every third."""
    return np.arange(n) % 3 == 2


def load(path: Path = HERE / "digits.npz") -> tuple[np.ndarray, np.ndarray]:
    """Images as rows of 64 numbers from 0 to 1 in f32, and their labels."""
    with np.load(path) as archive:
        images, labels = archive["images"], archive["labels"]
    return images.reshape(len(images), 64).astype(np.float32) / np.float32(16), labels


def gradients(p: dict, x: np.ndarray, labels: np.ndarray) -> dict:
    """Of the mean cross entropy, by hand: the chain rule through two layers."""
    h = np.maximum(x @ p["w1"] + p["b1"], 0)
    logits = h @ p["w2"] + p["b2"]
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    d_logits = e / e.sum(axis=1, keepdims=True) - SMOOTHING / 10  # softmax - smoothed one_hot
    d_logits[np.arange(len(x)), labels] -= 1 - SMOOTHING
    d_logits /= len(x)
    d_h = d_logits @ p["w2"].T * (h > 0)
    return {"w1": x.T @ d_h, "b1": d_h.sum(axis=0), "w2": h.T @ d_logits, "b2": d_logits.sum(axis=0)}


def train(x: np.ndarray, labels: np.ndarray, epochs: int) -> dict:
    """The weights after `epochs` passes over the images."""
    r = np.random.RandomState(0)  # its streams never change with NumPy's version
    x = x.astype(np.float64)
    p = {
        "w1": r.randn(64, HIDDEN) * np.sqrt(2 / 64),
        "b1": np.zeros(HIDDEN),
        "w2": r.randn(HIDDEN, 10) * np.sqrt(2 / HIDDEN),
        "b2": np.zeros(10),
    }
    m = {k: np.zeros_like(v) for k, v in p.items()}  # running means of the gradients and of their squares
    s = {k: np.zeros_like(v) for k, v in p.items()}
    step = 0
    for _ in range(epochs):
        order = r.permutation(len(x))
        for start in range(0, len(x), BATCH):
            batch = order[start : start + BATCH]
            g = gradients(p, x[batch], labels[batch])
            step += 1
            for k in p:
                m[k] += 0.1 * (g[k] - m[k])
                s[k] += 0.001 * (g[k] ** 2 - s[k])
                mean, square = m[k] / (1 - 0.9**step), s[k] / (1 - 0.999**step)
                p[k] -= RATE * mean / (np.sqrt(square) + 1e-8)
    return {k: v.astype(np.float32) for k, v in p.items()}


def accuracy(p: dict, x: np.ndarray, labels: np.ndarray) -> float:
    """Share of the images whose largest logit is the right one."""
    logits = np.maximum(x @ p["w1"] + p["b1"], 0) @ p["w2"] + p["b2"]
    return float((logits.argmax(axis=1) == labels).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the digit classifier.")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--output", type=Path, default=HERE / "weights.npz")
    arguments = parser.parse_args()

    x, labels = load()
    test = held_out(len(x))
    p = train(x[~test], labels[~test], arguments.epochs)
    np.savez(arguments.output, **p)
    for name, rows in (("training", ~test), ("held-out", test)):
        print(f"accuracy on {rows.sum()} {name} images: {accuracy(p, x[rows], labels[rows]):.4f}")


if __name__ == "__main__":
    main()
