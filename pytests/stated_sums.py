"""Sums in the order that docs/numerics.md states, one NumPy addition of whole arrays after the other."""

from __future__ import annotations

import math

import numpy as np

RUN = 8


def stated_sum(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """The sum of `x`, which is contiguous, over `axes`."""
    shape = tuple(n for i, n in enumerate(x.shape) if i not in axes)
    merged: list[tuple[int, bool]] = []  # extents, and whether they go
    for n, gone in [(n, i in axes) for i, n in enumerate(x.shape) if n != 1]:
        if merged and merged[-1][1] == gone:
            n *= merged.pop()[0]
        merged.append((n, gone))
    x = x.reshape([n for n, _ in merged])
    gone = [i for i, (_, g) in enumerate(merged) if g]
    if not gone:
        return (x + x.dtype.type(0)).reshape(shape)
    minor_goes = gone[-1] == x.ndim - 1
    outer = gone[:-1] if minor_goes else gone
    x = np.moveaxis(x, outer, range(len(outer)))
    if not minor_goes:
        rows = rows_of(x.shape[-1], x.itemsize)
        if len(outer) == 1 and rows > 1 and len(x) >= RUN * rows:
            return folded(x, rows).reshape(shape)
        return columns(x, len(outer)).reshape(shape)
    if math.prod(x.shape[: len(outer)]) >= 8 and x.shape[-1] < 4096 and outer:
        return line(columns(x, len(outer)), 0).reshape(shape)
    return line(x, len(outer)).reshape(shape)


def one_by_one(terms: np.ndarray) -> np.ndarray:
    """The sum along the first axis, from +0.0 on."""
    total = np.zeros_like(terms[0])
    for t in terms:
        total = total + t
    return total


def runs(terms: np.ndarray) -> np.ndarray:
    """The sum along the first axis: eight one after the other, eight of such sums one after the other, and so on."""
    while len(terms) > RUN:
        terms = np.stack([one_by_one(terms[i : i + RUN]) for i in range(0, len(terms), RUN)])
    return one_by_one(terms)


def columns(x: np.ndarray, depth: int) -> np.ndarray:
    """The sum over the first `depth` axes; of the last of them, what fills no run comes last."""
    if depth > 1:
        return runs(np.stack([columns(y, depth - 1) for y in x]))
    whole = len(x) // RUN * RUN
    total = np.zeros_like(x[0])
    if whole:
        total = total + runs(np.stack([one_by_one(x[i : i + RUN]) for i in range(0, whole, RUN)]))
    return total + one_by_one(x[whole:]) if len(x) > whole else total


def rows_of(n: int, itemsize: int) -> int:
    """How many rows of n elements are one wide row: 256 bytes or more in whole units of 64."""
    unit, wide = 64 // itemsize, 256 // itemsize
    if n >= wide or (2 * n > wide and n % unit):
        return 1
    rows = unit // math.gcd(n, unit)
    while rows * n < wide:
        rows *= 2
    return rows


def folded(x: np.ndarray, rows: int) -> np.ndarray:
    """The sum over the first axis of rows that are taken several at a time; the columns are the last axis."""
    whole = len(x) // rows
    parts = np.zeros((rows, *x.shape[1:]), x.dtype)
    if whole:
        parts = columns(x[: whole * rows].reshape(whole, rows, *x.shape[1:]), 1)
    left = x[whole * rows :]
    parts = np.concatenate([parts[: len(left)] + left, parts[len(left) :]])
    while len(parts) > 1:
        half = len(parts) // 2
        parts = parts[:half] + parts[half:]
    return parts[0]


def line(x: np.ndarray, depth: int) -> np.ndarray:
    """The sum over the first `depth` axes and the last one."""
    rows = 256 // x.itemsize
    if not depth:
        return folded(np.moveaxis(x, -1, 0), rows)

    def partial(y: np.ndarray, depth: int) -> np.ndarray:
        if depth:
            return runs(np.stack([partial(z, depth - 1) for z in y]))
        y = np.moveaxis(y, -1, 0)
        whole = len(y) // rows
        parts = np.zeros((rows, *y.shape[1:]), y.dtype)
        if whole:
            parts = columns(y[: whole * rows].reshape(whole, rows, *y.shape[1:]), 1)
        left = y[whole * rows :]
        return np.concatenate([parts[: len(left)] + left, parts[len(left) :]])

    return folded(partial(x, depth), rows)
