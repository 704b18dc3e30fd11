"""Writes the input arrays of the examples: one examples/NAME.npz for each examples/NAME.mindir.

    python examples/make_inputs.py

The values are multiples of 1/4, small enough to check a result by hand.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def quarters(*shape: int, dtype: type = np.float32) -> np.ndarray:
    """0, 0.25, 0.5, … in a fixed shuffled order, around zero."""
    n = int(np.prod(shape))
    step = next(k for k in (7, 11, 13, 17) if np.gcd(k, n) == 1)  # coprime to n, so that every value occurs once
    values = (np.arange(n) * step % n - n // 2) / 4
    return values.astype(dtype).reshape(shape)


def counted(*shape: int, dtype: type = np.int64) -> np.ndarray:
    """0, 1, 2, … in order."""
    return np.arange(np.prod(shape), dtype=dtype).reshape(shape)


INPUTS = {
    "batched_matmul": {"lhs": quarters(2, 1, 2, 3), "rhs": quarters(3, 3, 2)},
    "broadcasting": {"x": quarters(2, 1, 3), "y": quarters(4, 1)},
    "conv2d": {"image": quarters(1, 5, 5, 2), "filter": quarters(3, 3, 2, 3), "bias": quarters(3)},
    "dot": {"vector": quarters(3, dtype=np.float64), "matrix": quarters(3, 3, dtype=np.float64)},
    "embedding": {"table": quarters(5, 4), "tokens": np.array([[0, 4, 1], [2, 2, 3]])},
    "matmul": {"a": quarters(2, 3), "b": quarters(3, 4)},
    "mlp_layer": {"x": quarters(3, 2)},
    "reductions": {"x": quarters(2, 3, 4)},
    "shapes": {"x": counted(2, 3)},
    "slices": {"x": counted(4, 5, dtype=np.int32)},
    "softmax": {"x": quarters(2, 4)},
    "spellings": {"x": quarters(2, 3), "y": quarters(3)},
}


def main() -> None:
    for name, arrays in INPUTS.items():
        np.savez(HERE / f"{name}.npz", **arrays)
    print(f"{len(INPUTS)} archives written to {HERE}")


if __name__ == "__main__":
    main()
