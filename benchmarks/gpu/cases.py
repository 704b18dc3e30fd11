"""The cases: modules at sizes that fill a GPU, to measure, and at odd sizes, to compare with `interpret`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mind_mlir as mind
from mind_mlir import Builder, TensorType, Value, f32, f64, i64

Make = Callable[[Builder, Sequence[Value]], Value]


@dataclass(frozen=True)
class Case:
    """A case: `make` builds the result from Inputs of the types `large`, to measure, or `small`, to compare.

    `flops` and `bytes` are what one run computes and moves at least; `peer` names the function in peers.py.
    """

    name: str
    make: Make
    large: tuple[TensorType, ...]
    small: tuple[TensorType, ...]
    flops: int = 0
    bytes: int = 0
    precision: str = "f32"
    peer: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def module(self, types: Sequence[TensorType]) -> mind.Module:
        """The case for Inputs of these types."""
        b = Builder()
        inputs = [b.Input(f"x{n}", t) for n, t in enumerate(types)]
        return b.finish([self.make(b, inputs)])


def _product(name: str, n: int, dtype: Callable[..., TensorType] = f32, precision: str = "f32") -> Case:
    return Case(
        name,
        lambda b, x: x[0] @ x[1],
        (dtype(n, n), dtype(n, n)),
        (dtype(200, 77), dtype(77, 132)),
        flops=2 * n**3,
        precision=precision,
        peer="matmul",
        options={"tf32": precision == "tf32"},
    )


def _transposed_product(name: str, n: int, with_bias: bool = False) -> Case:
    """A product in TF32 with the second matrix transposed, and perhaps Relu of its sum with a row.

    The small one has enough tiles to be computed like the large one, edges that tiles do not divide, and more steps
    than fit into shared memory at a time.
    """

    def make(b: Builder, x: Sequence[Value]) -> Value:
        y = x[0] @ x[1].mT
        return b.Relu(y + x[2]) if with_bias else y

    large, small = (f32(n, n), f32(n, n), f32(n)), (f32(2040, 324), f32(2300, 324), f32(2300))
    count = 3 if with_bias else 2
    peer = "dense" if with_bias else "matmul_turned"
    return Case(name, make, large[:count], small[:count], 2 * n**3, precision="tf32", peer=peer, options={"tf32": True})


def _moved(name: str, make: Make, large: Sequence[TensorType], small: Sequence[TensorType], peer: str) -> Case:
    case = Case(name, make, tuple(large), tuple(small))
    m = case.module(large)
    total = sum(o.type.nbytes for o in m.inputs) + sum(t.nbytes for t in m.output_types)
    return Case(name, make, tuple(large), tuple(small), bytes=total, peer=peer)


_IMAGES, _FILTER, _RESULT = f32(32, 58, 58, 64), f32(3, 3, 64, 128), f32(32, 56, 56, 128)
_CONV_FLOPS = 2 * 32 * 56 * 56 * 128 * 9 * 64
_SMALL_IMAGES, _SMALL_FILTER, _SMALL_RESULT = f32(2, 9, 10, 20), f32(3, 3, 20, 36), f32(2, 7, 8, 36)

CASES = (
    _product("matmul-1024", 1024),
    _product("matmul-4096", 4096),
    _product("matmul-8192", 8192),
    _product("matmul-tf32-4096", 4096, precision="tf32"),
    _product("matmul-tf32-8192", 8192, precision="tf32"),
    _transposed_product("matmul-tf32-turned-8192", 8192),
    _transposed_product("dense-tf32-8192", 8192, with_bias=True),
    _product("matmul-f64-4096", 4096, f64),
    Case(
        "batched-matmul",
        lambda b, x: x[0] @ x[1],
        (f32(64, 512, 512), f32(64, 512, 512)),
        (f32(3, 40, 36), f32(3, 36, 68)),
        flops=2 * 64 * 512**3,
        peer="matmul",
        options={"tf32": False},
    ),
    Case(
        "conv3x3",
        lambda b, x: b.Conv2d(x[0], x[1], strides=(1, 1), padding="Valid"),
        (_IMAGES, _FILTER),
        (_SMALL_IMAGES, _SMALL_FILTER),
        flops=_CONV_FLOPS,
        peer="conv",
    ),
    Case(
        "conv3x3-input-gradient",
        lambda b, x: b.Conv2dBackwardInput(
            x[0], x[1], (x[0].shape[0], x[0].shape[1] + 2, x[0].shape[2] + 2, x[1].shape[2]), (1, 1), "Valid"
        ),
        (_RESULT, _FILTER),
        (_SMALL_RESULT, _SMALL_FILTER),
        flops=_CONV_FLOPS,
        peer="conv_input_gradient",
    ),
    Case(
        "conv3x3-filter-gradient",
        lambda b, x: b.Conv2dBackwardFilter(x[0], x[1], (3, 3, x[0].shape[3], x[1].shape[3]), (1, 1), "Valid"),
        (_IMAGES, _RESULT),
        (_SMALL_IMAGES, _SMALL_RESULT),
        flops=_CONV_FLOPS,
        peer="conv_filter_gradient",
    ),
    _moved(
        "chain",
        lambda b, x: b.Relu(x[0] * x[1] + x[2]) - x[0],
        (f32(4096, 8192), f32(4096, 8192), f32(8192)),
        (f32(33, 41), f32(33, 41), f32(41)),
        "chain",
    ),
    _moved("exp", lambda b, x: b.Exp(x[0]), (f32(8192, 8192),), (f32(1000, 3),), "exp"),
    _moved("sum-rows", lambda b, x: b.Sum(x[0], (1,), False), (f32(8192, 8192),), (f32(33, 641),), "sum_rows"),
    _moved("sum-columns", lambda b, x: b.Sum(x[0], (0,), False), (f32(8192, 8192),), (f32(333, 65),), "sum_columns"),
    _moved("sum-all", lambda b, x: b.Sum(x[0], (), False), (f32(8192, 8192),), (f32(301, 641),), "sum_all"),
    _moved("transpose", lambda b, x: b.Transpose(x[0], (1, 0)), (f32(8192, 8192),), (f32(50, 70),), "transpose"),
    _moved(
        "softmax",
        lambda b, x: (e := b.Exp(x[0])) / b.Sum(e, (1,), True),
        (f32(8192, 4096),),
        (f32(33, 300),),
        "softmax",
    ),
    Case(
        "gather",
        lambda b, x: b.Gather(x[0], x[1], oob="clip"),
        (f32(100_000, 256), i64(65_536)),
        (f32(50, 30), i64(17)),
        bytes=65_536 * (2 * 256 * 4 + 8),
        peer="gather",
    ),
    Case(
        "scatter-add",
        lambda b, x: b.ScatterAdd(x[0], x[1], x[2], oob="clip"),
        (f32(100_000, 256), i64(4096), f32(4096, 256)),
        (f32(5, 30), i64(17), f32(17, 30)),
        bytes=2 * 100_000 * 256 * 4 + 3 * 4096 * 256 * 4,
        peer="scatter_add",
    ),
)
"""Every case; the gradients of networks come from benchmarks/gpu/networks.py."""
