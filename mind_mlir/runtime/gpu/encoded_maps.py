"""Encodes tensor maps for kernels by the driver, each for one address."""

from __future__ import annotations

import ctypes

from ...lowering.gpu.artifacts.manifest import TensorMap
from .driver import Driver

_SIZE, _ALIGNMENT = 128, 64
"""The size and the alignment of a CUtensorMap, in bytes."""

_DTYPES = {"tf32": 11}  # CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
_SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}  # CU_TENSOR_MAP_SWIZZLE_NONE, _32B, _64B, _128B
_NOT_INTERLEAVED, _LINES_OF_128_BYTES, _ZEROS = 0, 2, 0
# CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE


class Encoded:
    """The 128 bytes of a map for a tensor at an address."""

    def __init__(self, driver: Driver, map: TensorMap, pointer: int) -> None:
        """CudaError if the driver does not take it."""
        self._room = ctypes.create_string_buffer(_SIZE + _ALIGNMENT)
        start = ctypes.addressof(self._room)
        self.address = start + -start % _ALIGNMENT
        rank = len(map.extents)
        driver.call(
            "cuTensorMapEncodeTiled",
            self.address,
            _DTYPES[map.dtype],
            rank,
            pointer,
            (ctypes.c_uint64 * rank)(*map.extents),
            (ctypes.c_uint64 * rank)(*map.strides),
            (ctypes.c_uint32 * rank)(*map.box),
            (ctypes.c_uint32 * rank)(*[1] * rank),
            _NOT_INTERLEAVED,
            _SWIZZLES[map.swizzle],
            _LINES_OF_128_BYTES,
            _ZEROS,
        )
