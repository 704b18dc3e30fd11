"""Programs as people write them for NumPy and JAX, each with its data.

A program is a function of a namespace `xp` (`jax.numpy`, or `mind`), of one for neural networks `nn` (`jax.nn`, or
`mind`), of `grad`, and of its data; `conv2d` is the one function that goes by different names.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

RNG = np.random.default_rng(44)


@dataclass(frozen=True)
class Names:
    """The functions of a library."""

    xp: Any
    nn: Any
    grad: Any
    conv2d: Any


def normal(*shape, scale=0.5):
    return (scale * RNG.standard_normal(shape)).astype(np.float32)


def dense(inputs, outputs):
    return {"w": normal(inputs, outputs), "b": normal(outputs)}


def applied(layer, x):
    return x @ layer["w"] + layer["b"]


# Logistic regression

LOGISTIC = ({"w": normal(5), "b": np.float32(0.1)}, normal(16, 5, scale=1), (RNG.random(16) > 0.5))


def logistic_regression(lib, p, x, y):
    logits = x @ p["w"] + p["b"]
    return lib.xp.mean(lib.nn.softplus(logits) - y * logits) + 0.01 * lib.xp.sum(p["w"] ** 2)


# A variational autoencoder

VAE = (
    {"enc": dense(12, 8), "mean": dense(8, 3), "logvar": dense(8, 3), "dec": dense(3, 8), "out": dense(8, 12)},
    RNG.random((6, 12)).astype(np.float32),
    normal(6, 3, scale=1),
)


def vae(lib, p, x, noise):
    xp, nn = lib.xp, lib.nn
    h = xp.tanh(applied(p["enc"], x))
    mean, logvar = applied(p["mean"], h), applied(p["logvar"], h)
    z = mean + xp.exp(0.5 * logvar) * noise
    logits = applied(p["out"], nn.relu(applied(p["dec"], z)))
    reconstruction = xp.sum(xp.logaddexp(0.0, logits) - x * logits, axis=-1)
    divergence = -0.5 * xp.sum(1 + logvar - mean**2 - xp.exp(logvar), axis=-1)
    return xp.mean(reconstruction + divergence)


# LeNet

LENET = (
    {
        "conv1": {"w": normal(5, 5, 1, 3), "b": normal(3)},
        "conv2": {"w": normal(5, 5, 3, 4), "b": normal(4)},
        "dense1": dense(16, 10),
        "dense2": dense(10, 5),
    },
    normal(2, 20, 20, 1),
    np.array([1, 3]),
)


def max_pooled(x):
    n, height, width, channels = x.shape
    return x.reshape(n, height // 2, 2, width // 2, 2, channels).max(axis=(2, 4))


def lenet(lib, p, images, labels):
    xp, nn = lib.xp, lib.nn
    x = max_pooled(nn.relu(lib.conv2d(images, p["conv1"]["w"]) + p["conv1"]["b"]))
    x = max_pooled(nn.relu(lib.conv2d(x, p["conv2"]["w"]) + p["conv2"]["b"]))
    x = nn.relu(applied(p["dense1"], x.reshape(x.shape[0], -1)))
    log_probabilities = nn.log_softmax(applied(p["dense2"], x))
    return -xp.mean(xp.sum(nn.one_hot(labels, 5) * log_probabilities, axis=-1))


# A block of a transformer

GPT = (
    {
        **{name: {"g": 1 + normal(8, scale=0.1), "b": normal(8, scale=0.1)} for name in ("norm1", "norm2")},
        "qkv": dense(8, 24),
        "proj": dense(8, 8),
        "up": dense(8, 32),
        "down": dense(32, 8),
    },
    normal(2, 6, 8, scale=1),
)


def layer_norm(xp, p, x):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return p["g"] * (x - mean) / xp.sqrt(var + 1e-5) + p["b"]


def attention(lib, p, x, heads=2):
    xp = lib.xp
    n, steps, width = x.shape
    parts = xp.split(applied(p["qkv"], x), 3, axis=-1)
    q, k, v = (part.reshape(n, steps, heads, width // heads).swapaxes(1, 2) for part in parts)
    scores = xp.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(width // heads)
    scores = xp.where(xp.tril(xp.ones((steps, steps))) == 0, -xp.inf, scores)
    y = xp.matmul(lib.nn.softmax(scores, axis=-1), v).swapaxes(1, 2).reshape(n, steps, width)
    return applied(p["proj"], y)


def gpt_block(lib, p, x):
    x = x + attention(lib, p, layer_norm(lib.xp, p["norm1"], x))
    y = x + applied(p["down"], lib.nn.gelu(applied(p["up"], layer_norm(lib.xp, p["norm2"], x))))
    return lib.xp.mean(y**2)


# A network that solves a differential equation: u' = -u, u(0) = 1

PINN = ({"one": dense(1, 8), "two": dense(8, 8), "out": dense(8, 1)}, np.linspace(0, 1, 9, dtype=np.float32))


def pinn(lib, p, t):
    xp = lib.xp

    def u(t):
        h = xp.sin(applied(p["one"], t[:, None]))
        return applied(p["out"], xp.tanh(applied(p["two"], h)))[:, 0]

    slope = lib.grad(lambda t: xp.sum(u(t)))(t)
    curvature = lib.grad(lambda t: xp.sum(lib.grad(lambda t: xp.sum(u(t)))(t)))(t)
    return xp.mean((slope + u(t)) ** 2) + 0.1 * xp.mean((curvature - u(t)) ** 2) + (u(t[:1])[0] - 1) ** 2


# Bodies that attract each other

NBODY = (normal(5, 3, scale=1), normal(5, 3, scale=0.1), np.float32([1, 2, 1, 3, 1]))


def nbody(lib, x, v, mass):
    xp = lib.xp

    def potential(x):
        r = x[:, None] - x[None, :]
        distance = xp.sqrt(xp.sum(r * r, axis=-1) + 0.01)
        return -0.5 * xp.sum(xp.triu(mass[:, None] * mass / distance, 1))

    force = lib.grad(potential)
    for _ in range(3):
        v = v - 0.005 * force(x) / mass[:, None]
        x = x + 0.01 * v
        v = v - 0.005 * force(x) / mass[:, None]
    return potential(x) + 0.5 * xp.sum(mass * xp.linalg.norm(v, axis=-1) ** 2)


# A normalising flow

REALNVP = ([{"one": dense(2, 6), "two": dense(6, 4)} for _ in range(3)], normal(7, 4, scale=1))


def realnvp(lib, layers, x):
    xp = lib.xp
    log_det = 0.0
    for layer in layers:
        first, second = xp.split(x, 2, axis=-1)
        s, t = xp.split(applied(layer["two"], xp.tanh(applied(layer["one"], first))), 2, axis=-1)
        s = xp.tanh(s)
        x = xp.concatenate([second * xp.exp(s) + t, first], axis=-1)
        log_det = log_det + s.sum(axis=-1)
    return -xp.mean(-0.5 * xp.sum(x**2, axis=-1) - x.shape[-1] * 0.5 * np.log(2 * np.pi) + log_det)


# A mixture of normal distributions

MIXTURE = ({"logits": normal(3), "mean": normal(3, 2, scale=1), "logstd": normal(3, 2)}, normal(20, 2, scale=1))


def mixture(lib, p, x):
    xp = lib.xp
    z = (x[:, None] - p["mean"]) * xp.exp(-p["logstd"])
    log_normal = xp.sum(-0.5 * z * z - p["logstd"] - 0.5 * np.log(2 * np.pi), axis=-1)
    return -xp.mean(lib.nn.logsumexp(lib.nn.log_softmax(p["logits"]) + log_normal, axis=-1))


# Gradients of single examples, clipped, without vmap

PRIVATE = ({"w": normal(4, 3), "b": normal(3)}, normal(6, 4, scale=1), np.array([0, 1, 2, 0, 1, 2]))


def private_step(lib, p, x, labels):
    xp = lib.xp

    def loss(p, x, label):
        logits = x @ p["w"] + p["b"]
        return lib.nn.logsumexp(logits) - logits[label]

    total = None
    for n in range(x.shape[0]):
        g = lib.grad(loss)(p, x[n], labels[n])
        norm = xp.sqrt(sum(xp.sum(g[name] ** 2) for name in sorted(g)))
        clipped = {name: g[name] * xp.minimum(1.0, 0.5 / norm) for name in g}
        total = clipped if total is None else {name: total[name] + clipped[name] for name in g}
    return xp.sum(total["w"] ** 2) + xp.sum(total["b"] ** 2)


# A recurrent network

LSTM = ({"gates": dense(3 + 5, 20), "out": dense(5, 1)}, normal(10, 4, 3, scale=1), normal(4))


def lstm(lib, p, steps, target):
    xp, nn = lib.xp, lib.nn
    h = c = xp.zeros((steps.shape[1], 5))
    for t in range(10):
        i, f, g, o = xp.split(applied(p["gates"], xp.concatenate([steps[t], h], axis=-1)), 4, axis=-1)
        c = nn.sigmoid(f + 1) * c + nn.sigmoid(i) * xp.tanh(g)
        h = nn.sigmoid(o) * xp.tanh(c)
    return xp.mean((applied(p["out"], h)[:, 0] - target) ** 2)


PROGRAMS = {
    "logistic regression": (logistic_regression, LOGISTIC),
    "variational autoencoder": (vae, VAE),
    "LeNet": (lenet, LENET),
    "a block of a transformer": (gpt_block, GPT),
    "a network that solves a differential equation": (pinn, PINN),
    "bodies that attract each other": (nbody, NBODY),
    "a normalising flow": (realnvp, REALNVP),
    "a mixture of normal distributions": (mixture, MIXTURE),
    "gradients of single examples": (private_step, PRIVATE),
    "a recurrent network": (lstm, LSTM),
}
"""Name -> the program, and its data, of which the first part is differentiated."""
