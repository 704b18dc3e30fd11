"""The gradient steps of an MLP and of a CNN, which are the networks of the CPU's benchmark."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import mind_mlir as mind
from mind_mlir import TensorType, f32

MLP = (784, 512, 256, 10)
SMALL_MLP = (20, 33, 17, 10)


def mlp_types(batch: int, widths: Sequence[int] = MLP) -> list[TensorType]:
    """The types of images, one-hot labels, and the weights and biases of each layer."""
    layers = [t for m, n in itertools.pairwise(widths) for t in (f32(m, n), f32(n))]
    return [f32(batch, widths[0]), f32(batch, widths[-1]), *layers]


def cnn_types(batch: int, side: int = 32, channels: tuple[int, int] = (32, 64), hidden: int = 128) -> list[TensorType]:
    """The same with two convolutions in front, the second with stride 2."""
    first, second = channels
    flat = (side // 2) ** 2 * second
    images = [f32(batch, side, side, 3), f32(batch, 10)]
    filters = [f32(3, 3, 3, first), f32(first), f32(3, 3, first, second), f32(second)]
    return [*images, *filters, f32(flat, hidden), f32(hidden), f32(hidden, 10), f32(10)]


def mlp_gradient(types: Sequence[TensorType]) -> mind.Module:
    """The loss and its gradient in all weights, as one module."""
    return _gradient(_mlp, types)


def cnn_gradient(types: Sequence[TensorType]) -> mind.Module:
    """The loss and its gradient in all weights, as one module."""
    return _gradient(_cnn, types)


def _mlp(x: Any, *weights: Any) -> Any:
    h = x
    for n in range(0, len(weights), 2):
        h = (mind.relu(h) if n else h) @ weights[n] + weights[n + 1]
    return h


def _cnn(x: Any, k1: Any, c1: Any, k2: Any, c2: Any, *weights: Any) -> Any:
    h = mind.relu(mind.conv2d(x, k1, strides=(1, 1), padding="Same") + c1)
    h = mind.relu(mind.conv2d(h, k2, strides=(2, 2), padding="Same") + c2)
    return _mlp(h.reshape(x.shape[0], -1), *weights)


def _gradient(network: Any, types: Sequence[TensorType]) -> mind.Module:
    import numpy as np

    def step(x: Any, t: Any, *weights: Any) -> Any:
        def loss(*weights: Any) -> Any:
            logits = network(x, *weights)
            log_total = mind.log(mind.sum(mind.exp(logits), -1, keepdims=True))
            return -mind.mean(mind.sum((logits - log_total) * t, -1))

        return mind.value_and_grad(loss, tuple(range(len(weights))))(*weights)

    arrays = [np.zeros(t.shape, t.dtype.numpy) for t in types]
    return mind.canonicalize(mind.trace(step, *arrays).module)
