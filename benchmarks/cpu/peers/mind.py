"""This project: functions traced to Core IR, compiled by `mind.compile`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import mind_mlir as mind
from mind_mlir.ir import OPS

from ..ahead import for_cpu
from . import Peer, Prepared, as_arrays, empty

if TYPE_CHECKING:
    from ..cases import Case

PREALLOCATE_FROM = 1 << 16
"""Results of at least so many bytes are written into memory that is given; for smaller ones, a new array is faster."""


class Mind(Peer):
    """This project's compiled code."""

    name, package = "mind", "mind_mlir"

    def prepare(self, case: Case, inputs: Sequence[np.ndarray]) -> Prepared | None:
        """The compiled module on these arrays."""
        if not hasattr(self, case.kind):
            return None
        if self.cpu != "native":
            return for_cpu(self.module(case), self.cpu, self.threads, inputs, case)
        exe = mind.compile(self.module(case), threads=self.threads)
        is_small = sum(t.nbytes for t in exe.output_types) < PREALLOCATE_FROM
        if case.allocates or (is_small and not case.offset):
            return Prepared(partial(exe, *inputs), as_arrays)
        made = tuple(empty(t.shape, t.dtype.numpy, case.offset) for t in exe.output_types)
        out = made[0] if len(made) == 1 else made
        return Prepared(lambda: exe(*inputs, out=out), as_arrays)

    def unused(self, case: Case, inputs: Sequence[np.ndarray]) -> Callable[[], Any]:
        """A first call of the compiled module."""
        return partial(mind.compile(self.module(case), threads=self.threads), *inputs)

    def module(self, case: Case) -> mind.Module:
        """The case as a module."""
        types = [mind.TensorType(mind.DType(x.dtype), x.shape) for x in case.problem.inputs]
        function = partial(getattr(self, case.kind), **case.problem.options)
        return mind.trace(lambda *arrays: function(*arrays), *types).module

    def matmul(self, a, b):
        return a @ b

    matvec = matmul

    def conv(self, x, w, stride, pad):
        return mind.conv2d(x, w, (stride, stride), ((pad, pad), (pad, pad)))

    def grouped_conv(self, x, w, stride, pad, groups):
        return mind.conv(x, w, stride, pad, feature_group_count=groups)

    def einsum(self, x, y, text):
        return mind.einsum(text, x, y)

    def conv_input_gradient(self, ct, w, stride, pad, shape):
        op = OPS["Conv2dBackwardInput"](shape, (stride, stride), ((pad, pad), (pad, pad)))
        return mind.apply(op, ct, w)

    def conv_filter_gradient(self, x, ct, stride, pad, shape):
        op = OPS["Conv2dBackwardFilter"](shape, (stride, stride), ((pad, pad), (pad, pad)))
        return mind.apply(op, x, ct)

    def chain(self, a, b, c, d):
        return mind.relu(a * b + c) - d

    def exp(self, x):
        return mind.exp(x)

    def log(self, x):
        return mind.log(x)

    def sqrt(self, x):
        return mind.sqrt(x)

    def tanh(self, x):
        return mind.tanh(x)

    def logistic(self, x):
        return mind.logistic(x)

    def log1p(self, x):
        return mind.log1p(x)

    def expm1(self, x):
        return mind.expm1(x)

    def sin(self, x):
        return mind.sin(x)

    def cos(self, x):
        return mind.cos(x)

    def erf(self, x):
        return mind.erf(x)

    def power(self, x, y):
        return mind.pow(x, y)

    def multiply_add(self, x, y, z):
        return x * y + z

    def outer_add(self, column, row):
        return column + row

    def total(self, x, axis):
        return mind.sum(x, axis)

    def transpose(self, x, axes):
        return mind.transpose(x, axes)

    def concatenate(self, x, y, axis):
        return mind.apply(OPS["Concatenate"](axis), x, y)

    def reverse(self, x, axis):
        return mind.apply(OPS["Reverse"]((axis,)), x)

    def sort(self, x):
        return mind.apply(OPS["Sort"](0), x)

    def top_k(self, x, k):
        return mind.apply(OPS["TopK"](k), x)

    def gather(self, table, places):
        return mind.take(table, places)

    def strided_slice(self, x, steps):
        return x[:: steps[0], :: steps[1]]

    def softmax(self, x):
        e = mind.exp(x)
        return e / mind.sum(e, -1, keepdims=True)

    def attention(self, q, k, v):
        return self.softmax(q @ k.mT * (1 / q.shape[-1] ** 0.5)) @ v

    def mlp_forward(self, x, *weights):
        h = x
        for n in range(0, len(weights), 2):
            h = (mind.relu(h) if n else h) @ weights[n] + weights[n + 1]
        return h

    def cnn_forward(self, x, k1, c1, k2, c2, *weights):
        h = mind.relu(self.conv(x, k1, 1, 1) + c1)
        h = mind.relu(self.conv(h, k2, 2, 1) + c2)
        return self.mlp_forward(h.reshape(x.shape[0], -1), *weights)

    def mlp_gradient(self, x, t, *weights):
        return self._gradient(self.mlp_forward, x, t, *weights)

    def cnn_gradient(self, x, t, *weights):
        return self._gradient(self.cnn_forward, x, t, *weights)

    def _gradient(self, network: Any, x: Any, t: Any, *weights: Any) -> tuple[Any, ...]:
        def loss(*weights: Any) -> Any:
            logits = network(x, *weights)
            log_total = mind.log(mind.sum(mind.exp(logits), -1, keepdims=True))
            return -mind.mean(mind.sum((logits - log_total) * t, -1))

        value, gradients = mind.value_and_grad(loss, tuple(range(len(weights))))(*weights)
        return value, *gradients
