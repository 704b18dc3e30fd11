"""Makes, cuts and reshapes tensors, by operations of MLIR's dialect `tensor` that compute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import TensorType
from .emission import Emission
from .tensors import type_of


class TensorOps:
    """`e.tensor`."""

    __slots__ = ("_emission",)

    def __init__(self, emission: Emission) -> None:
        self._emission = emission

    def empty(self, t: TensorType) -> Any:
        """An empty tensor, as a destination."""
        return self._emission.create("tensor.empty", [], t).result

    def reshaped(self, x: Any, result: TensorType) -> Any:
        """The same elements in row-major order: collapse to one axis, then expand."""
        t = type_of(x)
        if t.shape == result.shape:  # the elements of `result` may have a sign that those of MLIR do not
            return x
        if not t.size:  # no element to move, and MLIR's reassociations do not hold for extents of 0
            return self.empty(result)
        flat = t.with_shape((t.size,))
        if t.rank != 1:
            x = self._reassociated("collapse" if t.rank else "expand", x, flat, t.rank)
        if result.rank != 1:
            x = self._reassociated("expand" if result.rank else "collapse", x, result, result.rank)
        return x

    def _reassociated(self, way: str, x: Any, result: TensorType, rank: int) -> Any:
        """`tensor.collapse_shape` or `tensor.expand_shape` between one axis and `rank` axes; rank 0 is a scalar."""
        index = ir.IntegerType.get_signless(64)
        group = ir.ArrayAttr.get([ir.IntegerAttr.get(index, i) for i in range(rank)])
        attributes = {"reassociation": ir.ArrayAttr.get([group] if rank else [])}
        if way == "expand":
            attributes["static_output_shape"] = ir.DenseI64ArrayAttr.get(list(result.shape))
        return self._emission.create(f"tensor.{way}_shape", [x], result, attributes).result

    def slice(self, x: Any, starts: Sequence[int], steps: Sequence[int], result: TensorType) -> Any:
        """`tensor.extract_slice` with constant bounds."""
        if type_of(x).shape == result.shape:
            return x
        return self._extracted(x, starts, result.shape, steps, result)

    def inserted(
        self, x: Any, into: Any, starts: Sequence[int], result: TensorType, steps: Sequence[int] | None = None
    ) -> Any:
        """`into` with `x` at `starts`, its elements `steps` apart."""
        shape = type_of(x).shape
        attributes = _bounds(starts, shape, steps or [1] * len(shape), [1, 1, 0, 0, 0])
        return self._emission.create("tensor.insert_slice", [x, into], result, attributes).result

    def element(self, x: Any, position: Sequence[int], result: TensorType) -> Any:
        """One element, as a rank-0 tensor."""
        if not position:
            return x
        ones = [1] * len(position)
        return self._extracted(x, position, ones, ones, result)

    def dropped(self, x: Any, result: TensorType) -> Any:
        """`x` without some axes of extent 1: a slice, because MLIR moves other operations across reshapes."""
        shape = type_of(x).shape
        if shape == result.shape:
            return x
        return self._extracted(x, [0] * len(shape), shape, [1] * len(shape), result)

    def _extracted(
        self, x: Any, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int], result: TensorType
    ) -> Any:
        """`tensor.extract_slice`; the result may lack axes of extent 1."""
        return self._emission.create(
            "tensor.extract_slice", [x], result, _bounds(starts, sizes, steps, [1, 0, 0, 0])
        ).result


def _bounds(
    starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int], segments: Sequence[int]
) -> dict[str, Any]:
    return {
        "static_offsets": ir.DenseI64ArrayAttr.get(list(starts)),
        "static_sizes": ir.DenseI64ArrayAttr.get(list(sizes)),
        "static_strides": ir.DenseI64ArrayAttr.get(list(steps)),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get(list(segments)),
    }
