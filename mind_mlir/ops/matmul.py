"""Batched matrix product. Spec: Core IR, Linear and tensor algebra; docs/semantics.md, Contractions."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, i64, op
from ._contraction import matmul_in_order
from ._rules import broadcast, same_numbers, unbroadcast


@op
class MatMul(Op):
    """`result[…, i, j] = Σ_k lhs[…, i, k] · rhs[…, k, j]`; leading batch axes broadcast.

    lhs: […A, M, K]   rhs: […B, K, N]   result: […broadcast(A, B), M, N], dtype kept; zeros where K is 0.
    """

    linearity = Linearity.EACH
    mnemonic = "matmul"
    rounding = Rounding(Growth.PRODUCTS)
    peer = "jax.numpy.matmul"

    def infer_type(self, lhs, rhs):
        same_numbers("MatMul", lhs, rhs)
        for i, (name, x) in enumerate((("lhs", lhs), ("rhs", rhs))):
            if x.rank < 2:
                raise Reject(
                    "E3002",
                    f"MatMul takes rank 2 or more, {name} is {x}",
                    help="use Dot for a vector, or ExpandDims first",
                    at=f"operand {i}",
                )
        *a, m, k = lhs.shape
        *b, k_rhs, n = rhs.shape
        if k != k_rhs:
            raise Reject(
                "E3003",
                f"MatMul contracts {k} against {k_rhs}",
                label=f"lhs[-1] is {k}, rhs[-2] is {k_rhs}",
                note=f"lhs is {lhs}, rhs is {rhs}",
            )
        return lhs.with_shape((*broadcast("MatMul batch", tuple(a), tuple(b)), m, n))

    def evaluate(self, lhs, rhs):
        return matmul_in_order(lhs, rhs)

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ x₂  ->  x̄₁ += ȳ x₂ᵀ,  x̄₂ += x₁ᵀ ȳ
        lhs, rhs = operands
        return unbroadcast(b, ct @ rhs.mT if wrt == 0 else lhs.mT @ ct, operands[wrt].type)

    def dims(self, lhs, rhs):
        return "... i k, ... k j -> ... i j"

    def lower(self, e, result, lhs, rhs):
        if result.rank == 2:
            return e.linalg.named("linalg.matmul", (lhs, rhs), result, init=0)
        batches = e.type(lhs).shape[:-2], e.type(rhs).shape[:-2]
        if result.rank == 3 and batches == (result.shape[:1],) * 2:
            return e.linalg.named("linalg.batch_matmul", (lhs, rhs), result, init=0)
        return e.linalg.contract(self.dims(e.type(lhs), e.type(rhs)), (lhs, rhs), result)

    @classmethod
    def samples(cls):
        return [
            (cls(), (f32(4, 5), f32(5, 3))),
            (cls(), (f64(2, 4, 5), f64(2, 5, 3))),
            (cls(), (f32(2, 1, 4, 5), f32(3, 5, 6))),  # both sides broadcast
            (cls(), (f32(3, 4), f32(2, 4, 5))),
            (cls(), (f32(1, 4, 5), f32(3, 5, 2))),
            (cls(), (f32(2, 2, 2), f32(2, 2))),  # a matrix whose rows are as many as the batches
            (cls(), (i32(2, 3), i32(3, 2))),
            (cls(), (i64(2, 2, 3), i64(3, 1))),
            (cls(), (f32(3, 0), f32(0, 2))),  # nothing to contract
            (cls(), (f32(2, 3, 0), f32(2, 0, 2))),
            (cls(), (f32(0, 3), f32(3, 2))),
            (cls(), (f32(1, 1), f32(1, 1))),
        ]
