"""PyTorch: eager, recording gradients only if they are needed, into memory that exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from . import Peer, Prepared

_IMAGES = torch.channels_last


class Torch(Peer):
    """PyTorch, which calls MKL and oneDNN."""

    name, package = "torch", "torch"

    def __init__(self, threads: int, cpu: str = "native") -> None:
        super().__init__(threads, cpu)
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)

    def matmul(self, a, b):
        return self._into(torch.matmul, _own(a), _own(b))

    matvec = matmul

    def conv(self, x, w, stride, pad):
        images, filters = _images(x), _filters(w)
        return Prepared(lambda: F.conv2d(images, filters, stride=stride, padding=pad), _from_images)

    def grouped_conv(self, x, w, stride, pad, groups):
        images, filters = _images(x), _filters(w)
        return Prepared(lambda: F.conv2d(images, filters, None, stride, pad, 1, groups), _from_images)

    def einsum(self, x, y, text):
        x, y = _own(x), _own(y)
        return Prepared(lambda: torch.einsum(text, x, y), _from_tensors)

    def conv_input_gradient(self, ct, w, stride, pad, shape):
        n, height, width, channels = shape
        images = torch.empty((n, channels, height, width)).to(memory_format=_IMAGES)
        backward = _backward(_images(ct), images, _filters(w), stride, pad, [True, False, False])
        return Prepared(lambda: backward()[0], _from_images)

    def conv_filter_gradient(self, x, ct, stride, pad, shape):
        height, width, channels, filters = shape
        w = torch.empty((filters, channels, height, width)).to(memory_format=_IMAGES)
        backward = _backward(_images(ct), _images(x), w, stride, pad, [False, True, False])
        return Prepared(lambda: backward()[1], lambda w: [w.permute(2, 3, 1, 0).numpy()])

    def chain(self, a, b, c, d):
        a, b, c, d = map(_own, (a, b, c, d))
        if self.allocates:
            return Prepared(lambda: torch.addcmul(c, a, b).relu_().sub_(d), _from_tensors)
        out = torch.empty_like(a)
        return Prepared(lambda: torch.addcmul(c, a, b, out=out).relu_().sub_(d), _from_tensors)

    def exp(self, x):
        return self._into(torch.exp, _own(x))

    def log(self, x):
        return self._into(torch.log, _own(x))

    def sqrt(self, x):
        return self._into(torch.sqrt, _own(x))

    def tanh(self, x):
        return self._into(torch.tanh, _own(x))

    def logistic(self, x):
        return self._into(torch.sigmoid, _own(x))

    def log1p(self, x):
        return self._into(torch.log1p, _own(x))

    def expm1(self, x):
        return self._into(torch.expm1, _own(x))

    def sin(self, x):
        return self._into(torch.sin, _own(x))

    def cos(self, x):
        return self._into(torch.cos, _own(x))

    def erf(self, x):
        return self._into(torch.erf, _own(x))

    def power(self, x, y):
        return self._into(torch.pow, _own(x), _own(y))

    def multiply_add(self, x, y, z):
        return self._into(lambda x, y, z, out=None: torch.addcmul(z, x, y, out=out), _own(x), _own(y), _own(z))

    def outer_add(self, column, row):
        return self._into(torch.add, _own(column), _own(row))

    def total(self, x, axis):
        if axis is None:
            tensor = _own(x)
            return Prepared(lambda: torch.sum(tensor), _from_tensors)
        return self._into(lambda x, out=None: torch.sum(x, axis, out=out), _own(x))

    def transpose(self, x, axes):
        return self._copied(_own(x).permute(axes))

    def concatenate(self, x, y, axis):
        x, y = _own(x), _own(y)
        return Prepared(lambda: torch.cat([x, y], axis), _from_tensors)

    def reverse(self, x, axis):
        tensor = _own(x)
        return Prepared(lambda: torch.flip(tensor, [axis]), _from_tensors)

    def sort(self, x):
        tensor = _own(x)
        return Prepared(lambda: torch.sort(tensor)[0], _from_tensors)

    def top_k(self, x, k):
        tensor = _own(x)
        return Prepared(lambda: tuple(torch.topk(tensor, k)), _from_tensors)

    def gather(self, table, places):
        table, places = _own(table), _own(places)
        return self._into(lambda table, out=None: torch.index_select(table, 0, places, out=out), table)

    def strided_slice(self, x, steps):
        return self._copied(_own(x)[:: steps[0], :: steps[1]])

    def _into(self, function: Callable[..., Any], *tensors: Any) -> Prepared:
        """A call of the function with `out=`."""
        if self.allocates:
            return Prepared(lambda: function(*tensors), _from_tensors)
        out = torch.empty_like(function(*tensors))
        return Prepared(lambda: function(*tensors, out=out), _from_tensors)

    def _copied(self, view: Any) -> Prepared:
        """A call that copies a view."""
        if self.allocates:
            return Prepared(lambda: view.clone(memory_format=torch.contiguous_format), _from_tensors)
        out = torch.empty(view.shape, dtype=view.dtype)
        return Prepared(lambda: out.copy_(view), _from_tensors)

    def softmax(self, x):
        return self._into(lambda x, out=None: torch.softmax(x, -1, out=out), _own(x))

    def attention(self, q, k, v):
        q, k, v = (_own(a).unsqueeze(0) for a in (q, k, v))  # the fused kernel takes rank 4
        return Prepared(lambda: F.scaled_dot_product_attention(q, k, v), lambda y: [y.squeeze(0).numpy()])

    def mlp_forward(self, x, *weights):
        x, weights = _own(x), [_own(w) for w in weights]
        return Prepared(lambda: _layers(x, weights), _from_tensors)

    def mlp_gradient(self, x, t, *weights):
        x, t = _own(x), _own(t)
        weights = [_own(w).requires_grad_() for w in weights]
        return Prepared(_step(lambda: _layers(x, weights), t, weights), _from_tensors)

    def cnn_forward(self, x, *weights):
        images, weights = _images(x), _cnn_weights(weights)
        return Prepared(lambda: _convolved(images, weights), _from_tensors)

    def cnn_gradient(self, x, t, *weights):
        images, t = _images(x), _own(t)
        weights = [w.requires_grad_() for w in _cnn_weights(weights)]
        return Prepared(_step(lambda: _convolved(images, weights), t, weights), _from_step)


def _own(a: np.ndarray) -> Any:
    """The array, in memory of torch."""
    return torch.from_numpy(a).clone()


def _images(a: np.ndarray) -> Any:
    """Images [N, H, W, C] as torch takes them: [N, C, H, W] with the channels innermost in memory."""
    return torch.from_numpy(a).permute(0, 3, 1, 2).clone(memory_format=_IMAGES)


def _filters(a: np.ndarray) -> Any:
    """Filters [height, width, C, F] as torch takes them: [F, C, height, width], channels innermost in memory."""
    return torch.from_numpy(a).permute(3, 2, 0, 1).clone(memory_format=_IMAGES)


def _from_images(y: Any) -> list[np.ndarray]:
    return [y.permute(0, 2, 3, 1).numpy()]


def _from_tensors(y: Any) -> list[np.ndarray]:
    return [a.detach().numpy() for a in (y if isinstance(y, tuple) else [y])]


def _from_step(y: Any) -> list[np.ndarray]:
    """The loss and the gradients; those of filters in the order of [height, width, C, F]."""
    return [a.detach().permute(2, 3, 1, 0).numpy() if a.dim() == 4 else a.detach().numpy() for a in y]


def _backward(ct: Any, x: Any, w: Any, stride: int, pad: int, mask: Sequence[bool]) -> Callable[[], Any]:
    """A call for the derivatives of a convolution in images, filters and bias, those that `mask` selects."""
    steps, pads, ones, zeros = [stride] * 2, [pad] * 2, [1, 1], [0, 0]
    return lambda: torch.ops.aten.convolution_backward(ct, x, w, None, steps, pads, ones, False, zeros, 1, mask)


def _layers(x: Any, weights: Sequence[Any]) -> Any:
    for n in range(0, len(weights), 2):
        x = torch.addmm(weights[n + 1], torch.relu(x) if n else x, weights[n])
    return x


def _cnn_weights(weights: Sequence[np.ndarray]) -> list[Any]:
    return [_filters(w) if w.ndim == 4 else _own(w) for w in weights]


def _convolved(images: Any, weights: Sequence[Any]) -> Any:
    k1, c1, k2, c2, *layers = weights
    h = torch.relu(F.conv2d(images, k1, c1, padding=1))
    h = torch.relu(F.conv2d(h, k2, c2, stride=2, padding=1))
    return _layers(h.permute(0, 2, 3, 1).reshape(len(images), -1), layers)


def _step(network: Callable[[], Any], t: Any, weights: Sequence[Any]) -> Callable[[], tuple[Any, ...]]:
    """A call that gives the loss and its gradients."""

    def step() -> tuple[Any, ...]:
        with torch.enable_grad():
            loss = F.cross_entropy(network(), t)
            return loss, *torch.autograd.grad(loss, weights)

    return step
