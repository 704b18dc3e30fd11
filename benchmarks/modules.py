"""Makes modules for benchmarks: long, mixed, and the same in every run."""

from __future__ import annotations

import itertools
import random

import mind_mlir as mind


def mixed(operations: int, seed: int = 0) -> mind.Module:
    """A module of about this many operations, all live: element-wise ops, broadcasts, reductions, products, shapes."""
    r = random.Random(seed)
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(4, 5)), b.Input("w", mind.f32(5, 5))
    row = b.constant([1.0, 2.0, 3.0, 4.0, 5.0])
    values = [x]
    sinks = [x]
    while len(b.operations) < operations:
        v, u = r.choice(values[-8:]), r.choice(values[-50:])
        match r.randrange(9):
            case 0:
                y = v + u
            case 1:
                y = v * u
            case 2:
                y = v - row
            case 3:
                y = b.Relu(v)
            case 4:
                y = v @ w
            case 5:
                y = b.Reshape(b.Transpose(v, permutation=(1, 0)), new_shape=(4, 5))
            case 6:
                y = v * b.Sum(u, axes=(0,), keepdims=True)
            case 7:
                y = b.Exp(v)
            case _:
                y = v - b.Slice(u, starts=(0, 0), ends=(4, 5), steps=(1, 1)) - b.Mean(u, axes=(), keepdims=False)
        values.append(y)
        if len(values) % 8 == 0:
            sinks.append(sinks[-1] + y)
    return b.finish([sinks[-1], values[-1]])


def three_layers(batch: int = 64, widths: tuple[int, ...] = (64, 128, 128, 10)) -> mind.Module:
    """The cross entropy of a network of three layers: inputs x and t (one-hot), weights and biases w0, b0, …"""
    b = mind.Builder()
    x, t = b.Input("x", mind.f32(batch, widths[0])), b.Input("t", mind.f32(batch, widths[-1]))
    h = x
    for n, (rows, columns) in enumerate(itertools.pairwise(widths)):
        h = (b.Relu(h) if n else h) @ b.Input(f"w{n}", mind.f32(rows, columns)) + b.Input(f"b{n}", mind.f32(columns))
    total = b.Sum(b.Exp(h), axes=(1,), keepdims=True)
    return b.finish([-b.Mean(b.Sum((h - b.Log(total)) * t, axes=(1,), keepdims=False), axes=(), keepdims=False)])
