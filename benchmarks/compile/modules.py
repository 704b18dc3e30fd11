"""Makes modules of many operations; each function takes their approximate number."""

from __future__ import annotations

from collections.abc import Callable

import mind_mlir as mind

from ..modules import mixed


def chain(operations: int) -> mind.Module:
    """Element-wise operations one after the other, each of which also reads the first value."""
    b = mind.Builder()
    x = b.Input("x", mind.f32(16, 16))
    v = x
    for n in range(operations):
        v = (b.Relu(v), v + x, v * x)[n % 3] if n % 3 else b.Relu(v)
    return b.finish([v])


def shapes(operations: int) -> mind.Module:
    """Operations of which no two have the same shape: products, biases and Relu of layers that grow by one."""
    b = mind.Builder()
    v, width = b.Input("x", mind.f32(8, 20)), 20
    for n in range(operations // 3):
        w, bias = b.Input(f"w{n}", mind.f32(width, width + 1)), b.Input(f"b{n}", mind.f32(width + 1))
        v, width = b.Relu(v @ w + bias), width + 1
    return b.finish([v])


def loop(steps: int) -> mind.Module:
    """The gradient through an unrolled loop of so many steps."""

    def total(x: mind.Tracer) -> mind.Tracer:
        y = x
        for _ in range(steps):
            y = y + 0.001 * (mind.exp(-y) * y - y * y)
        return mind.sum(y)

    return mind.canonicalize(mind.trace(mind.grad(total), mind.f32(64)).module)


LONG: dict[str, Callable[[int], mind.Module]] = {"chain": chain, "mixed": mixed, "shapes": shapes, "loop": loop}
