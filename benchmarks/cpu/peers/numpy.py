"""NumPy with its OpenBLAS: functions with `out=` if they have it; convolutions as a product over windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from . import Peer, empty


class NumPy(Peer):
    """NumPy, as users would write it."""

    name, package = "numpy", "numpy"

    def matmul(self, a, b):
        return self._into(np.matmul, a, b)

    matvec = matmul

    def conv(self, x, w, stride, pad):
        return lambda: _conv(x, w, stride, pad)

    def grouped_conv(self, x, w, stride, pad, groups):
        parts = list(zip(np.split(x, groups, 3), np.split(w, groups, 3)))
        return lambda: np.concatenate([_conv(a, b, stride, pad) for a, b in parts], 3)

    def einsum(self, x, y, text):
        return lambda: np.einsum(text, x, y, optimize=True)

    def conv_input_gradient(self, ct, w, stride, pad, shape):
        return lambda: _conv_input_gradient(ct, w, stride, pad, shape)

    def conv_filter_gradient(self, x, ct, stride, pad, shape):
        return lambda: _conv_filter_gradient(x, ct, stride, pad, shape[0])

    def chain(self, a, b, c, d):
        room = self.room(a.shape)

        def call():
            out = np.multiply(a, b, out=room())
            np.add(out, c, out=out)
            np.maximum(out, 0, out=out)
            return np.subtract(out, d, out=out)

        return call

    def exp(self, x):
        return self._into(np.exp, x)

    def log(self, x):
        return self._into(np.log, x)

    def sqrt(self, x):
        return self._into(np.sqrt, x)

    def tanh(self, x):
        return self._into(np.tanh, x)

    def logistic(self, x):
        def function(x, out=None):
            out = np.negative(x, out=out)
            np.exp(out, out=out)
            np.add(out, 1, out=out)
            return np.divide(1, out, out=out)

        return self._into(function, x)

    def log1p(self, x):
        return self._into(np.log1p, x)

    def expm1(self, x):
        return self._into(np.expm1, x)

    def sin(self, x):
        return self._into(np.sin, x)

    def cos(self, x):
        return self._into(np.cos, x)

    def power(self, x, y):
        return self._into(np.power, x, y)

    def multiply_add(self, x, y, z):
        return lambda: x * y + z

    def outer_add(self, column, row):
        return self._into(np.add, column, row)

    def total(self, x, axis):
        if axis is None:
            return lambda: np.sum(x)
        return self._into(lambda x, out=None: np.sum(x, axis, out=out), x)

    def largest(self, x, axis):
        return self._into(lambda x, out=None: np.max(x, axis, out=out), x)

    def argmax(self, x, axis):
        return self._into(lambda x, out=None: np.argmax(x, axis, out=out), x)

    def cumulative_sum(self, x, axis):
        return self._into(lambda x, out=None: np.cumsum(x, axis, out=out), x)

    def max_pool(self, x):
        parts = [x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)]

        def call(a, b, c, d, out=None):
            out = np.maximum(a, b, out=out)
            np.maximum(out, c, out=out)
            return np.maximum(out, d, out=out)

        return self._into(call, *parts)

    def transpose(self, x, axes):
        return self._copied(x.transpose(axes))

    def concatenate(self, x, y, axis):
        return self._into(lambda x, out=None: np.concatenate([x, y], axis, out=out), x)

    def reverse(self, x, axis):
        return self._copied(np.flip(x, axis))

    def sort(self, x):
        return lambda: np.sort(x)

    def top_k(self, x, k):
        def call():
            found = np.argpartition(x, x.size - k)[x.size - k :]
            found = found[np.argsort(-x[found], kind="stable")]
            return x[found], found

        return call

    def gather(self, table, places):
        # mode="raise" would use a buffer
        return self._into(lambda table, out=None: np.take(table, places, 0, out=out, mode="clip"), table)

    def strided_slice(self, x, steps):
        return self._copied(x[:: steps[0], :: steps[1]])

    def _into(self, function: Callable[..., Any], *arrays: np.ndarray) -> Callable[[], Any]:
        """A call of the function with `out=`."""
        result = function(*arrays)
        room = self.room(result.shape, result.dtype)
        if self.allocates:
            return lambda: function(*arrays, out=room())
        out = room()
        return lambda: function(*arrays, out=out)

    def _copied(self, view: np.ndarray) -> Callable[[], Any]:
        """A call that copies a view."""
        room = self.room(view.shape, view.dtype)

        def call():
            out = room()
            np.copyto(out, view)
            return out

        return call

    def softmax(self, x):
        room = self.room(x.shape)
        return lambda: _softmax(x, room())

    def attention(self, q, k, v):
        scores, room = empty((*q.shape[:-1], q.shape[-2])), self.room(q.shape)
        scale = np.float32(1 / q.shape[-1] ** 0.5)

        def call():
            np.matmul(q, k.mT, out=scores)
            np.multiply(scores, scale, out=scores)
            return np.matmul(_softmax(scores, scores), v, out=room())

        return call

    def mlp_forward(self, x, *weights):
        return lambda: _layers(x, weights)[-1]

    def mlp_gradient(self, x, t, *weights):
        return lambda: _mlp_step(x, t, weights)

    def cnn_forward(self, x, k1, c1, k2, c2, *weights):
        def call():
            h = _relu(_conv(x, k1, 1, 1), c1)
            h = _relu(_conv(h, k2, 2, 1), c2)
            return _layers(h.reshape(len(x), -1), weights)[-1]

        return call

    def cnn_gradient(self, x, t, k1, c1, k2, c2, *weights):
        def call():
            g = _relu(_conv(x, k1, 1, 1), c1)
            h = _relu(_conv(g, k2, 2, 1), c2)
            loss, ct, gradients = _backward(h.reshape(len(x), -1), t, weights)
            ct_h = np.where(h > 0, (ct @ weights[0].T).reshape(h.shape), 0)
            ct_g = np.where(g > 0, _conv_input_gradient(ct_h, k2, 2, 1, g.shape), 0)
            first = _conv_filter_gradient(x, ct_g, 1, 1, 3), ct_g.sum((0, 1, 2))
            second = _conv_filter_gradient(g, ct_h, 2, 1, 3), ct_h.sum((0, 1, 2))
            return loss, *first, *second, *gradients

        return call


def _softmax(x: np.ndarray, out: np.ndarray) -> np.ndarray:
    np.exp(x, out=out)
    return np.divide(out, out.sum(-1, keepdims=True), out=out)


def _relu(x: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """relu(x + bias), in x's own memory."""
    x += bias
    return np.maximum(x, 0, out=x)


def _windows(x: np.ndarray, size: int, stride: int, pad: int) -> np.ndarray:
    """The window of each element of a convolution's result: [N, OH, OW, C, size, size], a view."""
    padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0))) if pad else x
    return sliding_window_view(padded, (size, size), (1, 2))[:, ::stride, ::stride]


def _conv(x: np.ndarray, w: np.ndarray, stride: int, pad: int) -> np.ndarray:
    return np.tensordot(_windows(x, w.shape[0], stride, pad), w, ([4, 5, 3], [0, 1, 2]))


def _conv_filter_gradient(x: np.ndarray, ct: np.ndarray, stride: int, pad: int, size: int) -> np.ndarray:
    windows = _windows(x, size, stride, pad)[:, : ct.shape[1], : ct.shape[2]]
    return np.tensordot(windows, ct, ([0, 1, 2], [0, 1, 2])).transpose(1, 2, 0, 3)


def _conv_input_gradient(ct: np.ndarray, w: np.ndarray, stride: int, pad: int, shape: tuple[int, ...]) -> np.ndarray:
    """The cotangent, spread by the stride, convolved with the filter rotated by 180 degrees."""
    n, height, width, _ = shape
    size = w.shape[0]
    spread = np.zeros((n, height + size - 1, width + size - 1, ct.shape[3]), ct.dtype)
    start = size - 1 - pad
    stop = [start + stride * (extent - 1) + 1 for extent in ct.shape[1:3]]
    spread[:, start : stop[0] : stride, start : stop[1] : stride] = ct
    return _conv(spread, w[::-1, ::-1].transpose(0, 1, 3, 2), 1, 0)


def _layers(x: np.ndarray, weights: Any) -> list[np.ndarray]:
    """The input of each layer, and the logits."""
    inputs = [x]
    for n in range(0, len(weights), 2):
        y = inputs[-1] @ weights[n]
        last = n + 2 == len(weights)
        inputs.append(y + weights[n + 1] if last else _relu(y, weights[n + 1]))
    return inputs


def _backward(x: np.ndarray, t: np.ndarray, weights: Any) -> tuple[Any, np.ndarray, list[np.ndarray]]:
    """The cross entropy of layers, the cotangent of the first layer's result, and the gradients."""
    *inputs, logits = _layers(x, weights)
    e = np.exp(logits)
    sums = e.sum(1, keepdims=True)
    loss = -np.mean(np.sum((logits - np.log(sums)) * t, 1))
    ct = (e / sums - t) / np.float32(len(x))
    gradients: list[np.ndarray] = []
    for n in reversed(range(len(inputs))):
        gradients[:0] = [inputs[n].T @ ct, ct.sum(0)]
        if n:
            ct = np.where(inputs[n] > 0, ct @ weights[2 * n].T, 0)
    return loss, ct, gradients


def _mlp_step(x: np.ndarray, t: np.ndarray, weights: Any) -> tuple[Any, ...]:
    loss, _, gradients = _backward(x, t, weights)
    return loss, *gradients
