"""Times the same computations by PyTorch and JAX on the GPU: seconds of one run, None if there is no counterpart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

APART = 256 << 20
"""The bytes of all sets of inputs and outputs together, so many that no cache holds them."""


def torch_time(name: str, arrays: Sequence[np.ndarray], options: dict[str, Any]) -> float | None:
    """The seconds of PyTorch, eager, by events, with several sets of inputs used alternately."""
    import torch
    import torch.nn.functional as F

    torch.backends.cuda.matmul.allow_tf32 = bool(options.get("tf32"))
    torch.backends.cudnn.allow_tf32 = bool(options.get("tf32"))
    torch.set_grad_enabled(False)

    def images(x: Any) -> Any:
        return x.permute(0, 3, 1, 2)

    def filters(w: Any) -> Any:
        return w.permute(3, 2, 0, 1)

    def backward(ct: Any, x: Any, w: Any, mask: list[bool]) -> Any:
        return torch.ops.aten.convolution_backward(
            images(ct), x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, mask
        )

    def input_gradient(ct: Any, w: Any) -> Any:
        n, height, width, _ = ct.shape
        x = torch.empty((n, w.shape[2], height + 2, width + 2), device="cuda").to(memory_format=torch.channels_last)
        return backward(ct, x, filters(w), [True, False, False])[0]

    def filter_gradient(x: Any, ct: Any) -> Any:
        w = torch.empty((ct.shape[3], x.shape[3], 3, 3), device="cuda").to(memory_format=torch.channels_last)
        return backward(ct, images(x), w, [False, True, False])[1]

    functions: dict[str, Callable[..., Any]] = {
        "matmul": torch.matmul,
        "matmul_turned": lambda x, y: torch.matmul(x, y.mT),
        "dense": lambda x, y, row: torch.addmm(row, x, y.mT).relu_(),
        "conv": lambda x, w: F.conv2d(images(x), filters(w)),
        "conv_input_gradient": input_gradient,
        "conv_filter_gradient": filter_gradient,
        "chain": lambda x, y, z: torch.relu(torch.addcmul(z, x, y)).sub_(x),
        "exp": torch.exp,
        "sum_rows": lambda x: x.sum(1),
        "sum_columns": lambda x: x.sum(0),
        "sum_all": lambda x: x.sum(),
        "transpose": lambda x: x.T.contiguous(),
        "softmax": lambda x: (e := torch.exp(x)) / e.sum(1, keepdim=True),
        "gather": lambda x, i: torch.index_select(x, 0, i),
        "scatter_add": lambda x, i, u: x.index_add(0, i, u),
    }
    step: Callable[..., Any] | None = functions.get(name)
    if name in ("mlp_gradient", "cnn_gradient"):
        torch.set_grad_enabled(True)
        step = _torch_gradient(torch, F, name)
    if step is None:
        return None
    sets = max(1, min(16, APART // max(sum(a.nbytes for a in arrays), 1)))
    tensors = [[torch.from_numpy(a).cuda() for a in arrays] for _ in range(sets)]
    for n in range(5):
        step(*tensors[n % sets])
    torch.cuda.synchronize()
    times = []
    for _ in range(21):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for n in range(10):
            step(*tensors[n % sets])
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1e3 / 10)
    return float(np.median(times))


def _torch_gradient(torch: Any, F: Any, name: str) -> Callable[..., Any]:
    def mlp(h: Any, weights: Sequence[Any]) -> Any:
        for n in range(0, len(weights), 2):
            h = torch.addmm(weights[n + 1], torch.relu(h) if n else h, weights[n])
        return h

    def network(x: Any, weights: Sequence[Any]) -> Any:
        if name == "mlp_gradient":
            return mlp(x, weights)
        k1, c1, k2, c2, *rest = weights
        h = torch.relu(F.conv2d(x.permute(0, 3, 1, 2), k1.permute(3, 2, 0, 1), c1, padding=1))
        h = torch.relu(F.conv2d(h, k2.permute(3, 2, 0, 1), c2, stride=2, padding=1))
        return mlp(h.permute(0, 2, 3, 1).reshape(x.shape[0], -1), rest)

    def step(x: Any, t: Any, *weights: Any) -> Any:
        for w in weights:
            w.requires_grad_(True)
        loss = -(F.log_softmax(network(x, weights), -1) * t).sum(-1).mean()
        return torch.autograd.grad(loss, weights)

    return step


def jax_time(name: str, arrays: Sequence[np.ndarray], options: dict[str, Any]) -> float | None:
    """The seconds of JAX, one jitted function, by the clock; only for products and the gradients of networks."""
    if name not in ("matmul", "matmul_turned", "dense", "mlp_gradient", "cnn_gradient"):
        return None
    import jax
    import jax.numpy as jnp
    from jax import lax

    from .child import wall_median

    if not any(d.platform in ("gpu", "cuda") for d in jax.devices()):
        raise RuntimeError("JAX sees no GPU")
    if any(a.dtype == np.float64 for a in arrays):
        jax.config.update("jax_enable_x64", True)
    precision = lax.Precision.DEFAULT if options.get("tf32") else lax.Precision.HIGHEST

    def mlp(h: Any, weights: Sequence[Any]) -> Any:
        for n in range(0, len(weights), 2):
            h = jnp.dot(jax.nn.relu(h) if n else h, weights[n], precision=precision) + weights[n + 1]
        return h

    def conv(x: Any, w: Any, stride: int) -> Any:
        layout = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=layout, precision=precision)

    def network(x: Any, weights: Sequence[Any]) -> Any:
        if name == "mlp_gradient":
            return mlp(x, weights)
        k1, c1, k2, c2, *rest = weights
        h = jax.nn.relu(conv(x, k1, 1) + c1)
        h = jax.nn.relu(conv(h, k2, 2) + c2)
        return mlp(h.reshape(x.shape[0], -1), rest)

    def loss(weights: Sequence[Any], x: Any, t: Any) -> Any:
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(network(x, weights)) * t, -1))

    given = [jax.device_put(a) for a in arrays]
    products: dict[str, Callable[..., Any]] = {
        "matmul": lambda x, y: jnp.matmul(x, y, precision=precision),
        "matmul_turned": lambda x, y: jnp.matmul(x, y.mT, precision=precision),
        "dense": lambda x, y, row: jax.nn.relu(jnp.matmul(x, y.mT, precision=precision) + row),
    }
    if name in products:
        product = jax.jit(products[name])
        return wall_median(lambda: product(*given), jax.block_until_ready)
    step = jax.jit(jax.value_and_grad(loss))
    x, t, *weights = given
    return wall_median(lambda: step(weights, x, t), jax.block_until_ready)


def ceilings() -> dict[str, float]:
    """The rates of PyTorch on this GPU: GB/s of a copy, counted both ways, and TFLOP/s of a product of 8192³."""
    import torch

    def seconds(run: Callable[[], Any]) -> float:
        run()
        times = []
        for _ in range(11):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            run()
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
        return float(np.median(times))

    def copied() -> float:
        a = torch.empty(1 << 28, device="cuda")
        b = torch.empty_like(a)
        return 2 * a.numel() * 4 / seconds(lambda: b.copy_(a)) / 1e9

    out = {"copy GB/s": copied()}
    x = torch.randn(8192, 8192, device="cuda")
    for label, allowed in (("f32 TFLOP/s", False), ("tf32 TFLOP/s", True)):
        torch.backends.cuda.matmul.allow_tf32 = allowed
        out[label] = 2 * 8192**3 / seconds(lambda: x @ x) / 1e12
    return out
