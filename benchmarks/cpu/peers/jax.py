"""JAX: functions under `jax.jit`, timed until their results are ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import Peer, Prepared, as_arrays

if TYPE_CHECKING:
    from ..cases import Case

_LAYOUT = ("NHWC", "HWIO", "NHWC")


class Jax(Peer):
    """XLA's CPU code."""

    name, package = "jax", "jax"

    def __init__(self, threads: int, cpu: str = "native") -> None:
        super().__init__(threads, cpu)
        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_enable_x64", True)  # for f64; f32 stays f32
        jax.config.update("jax_cpu_enable_async_dispatch", False)  # a short call is not passed to another thread

    def prepare(self, case: Case, inputs: Sequence[np.ndarray]) -> Prepared | None:
        """The compiled function on arrays of the device."""
        function = getattr(self, case.kind, None)
        if function is None:
            return None
        compiled = jax.jit(partial(function, **case.problem.options))
        arrays = [jnp.array(x) for x in inputs]
        if isinstance(compiled(*arrays), tuple):
            return Prepared(lambda: jax.block_until_ready(compiled(*arrays)), as_arrays)
        return Prepared(lambda: compiled(*arrays).block_until_ready(), as_arrays)

    def unused(self, case: Case, inputs: Sequence[np.ndarray]) -> Callable[[], Any]:
        """The function, compiled before its first call."""
        function = partial(getattr(self, case.kind), **case.problem.options)
        arrays = [jnp.array(x) for x in inputs]
        compiled = jax.jit(function).lower(*arrays).compile()
        return lambda: jax.block_until_ready(compiled(*arrays))

    def matmul(self, a, b):
        return a @ b

    matvec = matmul

    def conv(self, x, w, stride, pad):
        return lax.conv_general_dilated(x, w, (stride, stride), ((pad, pad), (pad, pad)), dimension_numbers=_LAYOUT)

    def grouped_conv(self, x, w, stride, pad, groups):
        pads = ((pad, pad), (pad, pad))
        return lax.conv_general_dilated(x, w, (stride, stride), pads, None, None, _LAYOUT, groups)

    def einsum(self, x, y, text):
        return jnp.einsum(text, x, y)

    def conv_input_gradient(self, ct, w, stride, pad, shape):
        image = jax.ShapeDtypeStruct(shape, ct.dtype)
        return jax.linear_transpose(lambda x: self.conv(x, w, stride, pad), image)(ct)[0]

    def conv_filter_gradient(self, x, ct, stride, pad, shape):
        filter = jax.ShapeDtypeStruct(shape, ct.dtype)
        return jax.linear_transpose(lambda w: self.conv(x, w, stride, pad), filter)(ct)[0]

    def chain(self, a, b, c, d):
        return jax.nn.relu(a * b + c) - d

    def exp(self, x):
        return jnp.exp(x)

    def log(self, x):
        return jnp.log(x)

    def sqrt(self, x):
        return jnp.sqrt(x)

    def tanh(self, x):
        return jnp.tanh(x)

    def logistic(self, x):
        return jax.nn.sigmoid(x)

    def log1p(self, x):
        return jnp.log1p(x)

    def expm1(self, x):
        return jnp.expm1(x)

    def sin(self, x):
        return jnp.sin(x)

    def cos(self, x):
        return jnp.cos(x)

    def erf(self, x):
        return lax.erf(x)

    def power(self, x, y):
        return jnp.power(x, y)

    def multiply_add(self, x, y, z):
        return x * y + z

    def outer_add(self, column, row):
        return column + row

    def total(self, x, axis):
        return jnp.sum(x, axis)

    def transpose(self, x, axes):
        return jnp.transpose(x, axes)

    def concatenate(self, x, y, axis):
        return jnp.concatenate([x, y], axis)

    def reverse(self, x, axis):
        return jnp.flip(x, axis)

    def sort(self, x):
        return jnp.sort(x)

    def top_k(self, x, k):
        values, indices = jax.lax.top_k(x, k)
        return values, indices.astype(np.int64)

    def gather(self, table, places):
        return jnp.take(table, places, axis=0, mode="clip")

    def strided_slice(self, x, steps):
        return x[:: steps[0], :: steps[1]]

    def softmax(self, x):
        e = jnp.exp(x)
        return e / jnp.sum(e, -1, keepdims=True)

    def attention(self, q, k, v):
        return self.softmax(q @ k.mT * (1 / q.shape[-1] ** 0.5)) @ v

    def mlp_forward(self, x, *weights):
        h = x
        for n in range(0, len(weights), 2):
            h = (jax.nn.relu(h) if n else h) @ weights[n] + weights[n + 1]
        return h

    def cnn_forward(self, x, k1, c1, k2, c2, *weights):
        h = jax.nn.relu(self.conv(x, k1, 1, 1) + c1)
        h = jax.nn.relu(self.conv(h, k2, 2, 1) + c2)
        return self.mlp_forward(h.reshape(x.shape[0], -1), *weights)

    def mlp_gradient(self, x, t, *weights):
        return self._gradient(self.mlp_forward, x, t, *weights)

    def cnn_gradient(self, x, t, *weights):
        return self._gradient(self.cnn_forward, x, t, *weights)

    def _gradient(self, network: Any, x: Any, t: Any, *weights: Any) -> tuple[Any, ...]:
        def loss(*weights: Any) -> Any:
            logits = network(x, *weights)
            log_total = jnp.log(jnp.sum(jnp.exp(logits), -1, keepdims=True))
            return -jnp.mean(jnp.sum((logits - log_total) * t, -1))

        value, gradients = jax.value_and_grad(loss, tuple(range(len(weights))))(*weights)
        return value, *gradients
