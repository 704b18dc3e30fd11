"""Two networks for the digits, as plain functions of their weights and the images; mind_mlir differentiates them.

Weights are dicts of arrays; images are rows of 64 pixels; the results are 10 logits for each image.
"""

import numpy as np

import mind_mlir as mind

MLP = {"w1": (64, 64), "b1": (64,), "w2": (64, 10), "b2": (10,)}
CNN = {
    "k1": (3, 3, 1, 24),
    "c1": (24,),
    "k2": (3, 3, 24, 48),
    "c2": (48,),
    "w1": (4 * 4 * 48, 64),
    "b1": (64,),
    "w2": (64, 10),
    "b2": (10,),
}


def mlp(p, x):
    """One hidden layer with Relu."""
    return mind.relu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def cnn(p, x):
    """Two convolutions with Relu, the second with stride 2, and a hidden layer."""
    n = x.shape[0]
    h = mind.relu(mind.conv2d(x.reshape(n, 8, 8, 1), p["k1"], padding="Same") + p["c1"])
    h = mind.relu(mind.conv2d(h, p["k2"], strides=(2, 2), padding="Same") + p["c2"])
    return mlp(p, h.reshape(n, 4 * 4 * 48))


def initial(shapes: dict, r: np.random.RandomState) -> dict:
    """Random weights of variance 2 / fan-in, biases of zeros."""
    return {
        name: (r.randn(*s) * np.sqrt(2 / np.prod(s[:-1])) if len(s) > 1 else np.zeros(s)).astype(np.float32)
        for name, s in shapes.items()
    }


def cross_entropy(logits, t):
    """The mean over the images of -Σ t · log softmax(logits)."""
    log_total = mind.log(mind.sum(mind.exp(logits), axis=1, keepdims=True))
    return -mind.mean(mind.sum((logits - log_total) * t, axis=1))
