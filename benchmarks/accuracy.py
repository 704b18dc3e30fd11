"""The error of functions of one f32, over all 2^32 of them, by native code beside the strict steps in f64.

The strict value of an f64 is at most 2 ulp off, 2^-28 of an ulp of an f32, which is nothing beside what is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.ir import OPS

CHUNK = 1 << 22
"""Arguments that are computed at once."""


@dataclass(frozen=True)
class Worst:
    """The largest error, in ulps of the result, and the argument at which it occurs."""

    ulps: float
    argument: float

    def __str__(self) -> str:
        return f"{self.ulps:.4f} ulp at {self.argument!r}"


def measure(opcode: str, numerics: str, stride: int = 1) -> Worst:
    """The worst of all arguments, or of every `stride`-th. ValueError where only one of both is a finite number."""
    native = _alone(opcode, DType.F32, numerics)
    exact = _alone(opcode, DType.F64, "strict")
    worst = Worst(0.0, 0.0)
    for x in _arguments(stride):
        with np.errstate(over="ignore", invalid="ignore"):
            found, value = native(x)[0], exact(x.astype(np.float64))[0]
            rounded = value.astype(np.float32)
            same = (found == rounded) | (np.isnan(found) & np.isnan(value))
            finite = np.isfinite(rounded) & np.isfinite(found)
            if not (same | finite).all():
                n = int(np.argmin(same | finite))
                raise ValueError(f"{opcode} of {x[n]!r} is {found[n]!r}, not {rounded[n]!r}")
            error = np.where(finite, np.abs(found - value) / np.spacing(np.abs(rounded)), 0.0)
        n = int(error.argmax())
        if error[n] > worst.ulps:
            worst = Worst(float(error[n]), float(x[n]))
    return worst


def _alone(opcode: str, dtype: DType, numerics: str) -> mind.Executable:
    b = mind.Builder()
    return mind.compile(b.finish([b.emit(OPS[opcode](), b.Input("x", TensorType(dtype, (CHUNK,))))]), numerics=numerics)


def _arguments(stride: int) -> Iterator[np.ndarray]:
    for start in range(0, 1 << 32, CHUNK * stride):
        yield np.arange(start, start + CHUNK * stride, stride, dtype=np.uint64).astype(np.uint32).view(np.float32)


def run(opcodes: list[str], numerics: str, stride: int) -> int:
    """Print a line for each function; the status is 1 if one is more than an ulp off."""
    status = 0
    for opcode in opcodes:
        worst = measure(opcode, numerics, stride)
        print(f"{opcode} {numerics}: {worst}", flush=True)
        status |= worst.ulps > 1
    return status
