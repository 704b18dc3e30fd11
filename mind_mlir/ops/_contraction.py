"""The order in which contractions add, for the NumPy values: ascending k from +0.0, product and sum rounded apart."""

from ..ir import np


def matmul_in_order(lhs, rhs):
    """`np.matmul` for operands of rank 2 or more, adding in ascending k."""
    batch = np.broadcast_shapes(lhs.shape[:-2], rhs.shape[:-2])
    total = np.zeros((*batch, lhs.shape[-2], rhs.shape[-1]), lhs.dtype)
    for k in range(lhs.shape[-1]):
        total = total + lhs[..., :, k, np.newaxis] * rhs[..., np.newaxis, k, :]
    return total
