"""Products of vectors and matrices. Spec: Core IR, Linear and tensor algebra; docs/semantics.md, Contractions."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, i64, np, op
from ._contraction import matmul_in_order
from ._rules import same_numbers


@op
class Dot(Op):
    """Sum of products over the last axis of `lhs` and the first of `rhs`, each of rank 1 or 2.

    [n]·[n] → []    [m, n]·[n] → [m]    [m]·[m, n] → [n]    [m, k]·[k, n] → [m, n]
    """

    linearity = Linearity.EACH
    rounding = Rounding(Growth.PRODUCTS)
    peer = "jax.numpy.dot"

    def infer_type(self, lhs, rhs):
        same_numbers("Dot", lhs, rhs)
        for i, (name, x) in enumerate((("lhs", lhs), ("rhs", rhs))):
            if x.rank not in (1, 2):
                raise Reject(
                    "E3002", f"Dot takes rank 1 or 2, {name} is {x}", help="MatMul takes batches", at=f"operand {i}"
                )
        if lhs.shape[-1] != rhs.shape[0]:
            raise Reject(
                "E3003",
                f"Dot contracts {lhs.shape[-1]} against {rhs.shape[0]}",
                label=f"lhs[-1] is {lhs.shape[-1]}, rhs[0] is {rhs.shape[0]}",
                note=f"lhs is {lhs}, rhs is {rhs}",
            )
        return lhs.with_shape(lhs.shape[:-1] + rhs.shape[1:])

    def evaluate(self, lhs, rhs):
        rows = lhs if lhs.ndim == 2 else lhs[np.newaxis]
        columns = rhs if rhs.ndim == 2 else rhs[:, np.newaxis]
        return matmul_in_order(rows, columns).reshape(lhs.shape[:-1] + rhs.shape[1:])

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ · x₂  ->  x̄₁ += ȳ x₂ᵀ,  x̄₂ += x₁ᵀ ȳ, where a product of two vectors is their outer product
        other = operands[1 - wrt]
        if other.type.rank == 2:
            other = other.mT
        left, right = (ct, other) if wrt == 0 else (other, ct)
        if ct.type.rank == 0:
            return left * right
        if operands[wrt].type.rank == 2 and left.type.rank == right.type.rank == 1:
            return b.ExpandDims(left, axes=(1,)) * b.ExpandDims(right, axes=(0,))
        return b.Dot(left, right)

    def dims(self, lhs, rhs):
        left, right = ("i k" if lhs.rank == 2 else "k"), ("k j" if rhs.rank == 2 else "k")
        return f"{left}, {right} -> {' '.join(d for d in (left + ' ' + right).split() if d != 'k')}"

    def lower(self, e, result, lhs, rhs):
        ranks = e.type(lhs).rank, e.type(rhs).rank
        name = {(1, 1): "dot", (2, 1): "matvec", (1, 2): "vecmat", (2, 2): "matmul"}[ranks]
        return e.linalg.named(f"linalg.{name}", (lhs, rhs), result, init=0)

    @classmethod
    def samples(cls):
        return [
            (cls(), (f32(5), f32(5))),
            (cls(), (f32(3, 4), f32(4))),
            (cls(), (f64(3), f64(3, 4))),
            (cls(), (f32(2, 3), f32(3, 4))),
            (cls(), (i32(4), i32(4))),
            (cls(), (i64(2, 3), i64(3))),
            (cls(), (f32(0), f32(0))),
            (cls(), (f32(3, 0), f32(0))),
            (cls(), (f32(0), f32(0, 2))),
        ]
