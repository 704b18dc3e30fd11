"""Products over any dimensions. Core v1 has none; StableHLO dot_general. docs/semantics.md, DotGeneral."""

from dataclasses import replace
from math import prod

from ..ir import DType, Growth, Linearity, Op, Rounding, TensorType, bf16, f16, f32, f64, i8, i16, i32, i64, np, op, u8
from ..ir.attributes import Axes, OptionalDType
from ._contraction import matmul_in_order
from ._dot_dimensions import check_pairs, counted_from_0, extents, free, labels
from ._mixed import array_in, lowered_in, product_dtype, value_in
from ._rules import names


@op
class DotGeneral(Op):
    """`result[b…, i…, j…] = Σ_(k…) lhs[b, i, k] · rhs[b, k, j]`, the dimensions of each operand in any order.

    `lhs_batch[n]` and `rhs_batch[n]` are one dimension b of both, `lhs_contract[n]` and `rhs_contract[n]` one k. The
    result has the batches as they are listed, then what is left of lhs, then of rhs. The sum runs in ascending (k…),
    the first one outermost; without any k there is no sum, but a product.
    With `element_type` the operands are converted to it before.
    """

    lhs_batch: Axes = ()
    rhs_batch: Axes = ()
    lhs_contract: Axes = ()
    rhs_contract: Axes = ()
    element_type: OptionalDType = None

    linearity = Linearity.EACH
    core_v1 = False
    rounding = Rounding(Growth.PRODUCTS)

    def infer_type(self, lhs, rhs):
        dtype = product_dtype("DotGeneral", lhs, rhs, self.element_type)
        (b, k), (c, l) = self.sides(lhs, rhs)
        check_pairs("DotGeneral", "batch", lhs, rhs, b, c)
        check_pairs("DotGeneral", "contract", lhs, rhs, k, l)
        left, right = free(lhs.rank, b, k), free(rhs.rank, c, l)
        return TensorType(dtype, (*extents(lhs.shape, [*b, *left]), *extents(rhs.shape, right)))

    def sides(self, lhs, rhs):
        """Batch and contracted dimensions of lhs, then of rhs, counted from 0."""
        left = counted_from_0("DotGeneral", "lhs", self.lhs_batch, self.lhs_contract, lhs.rank)
        return left, counted_from_0("DotGeneral", "rhs", self.rhs_batch, self.rhs_contract, rhs.rank)

    def canonical(self, lhs, rhs):
        (b, k), (c, l) = self.sides(lhs, rhs)
        converts = self.element_type is not None and (self.element_type, self.element_type) != (lhs.dtype, rhs.dtype)
        return DotGeneral(b, c, k, l, self.element_type if converts else None)

    def evaluate(self, lhs, rhs):
        lhs, rhs = array_in(self.element_type, lhs), array_in(self.element_type, rhs)
        (b, k), (c, l) = self.sides(TensorType.of_array(lhs), TensorType.of_array(rhs))
        i, j = free(lhs.ndim, b, k), free(rhs.ndim, c, l)
        batches, rows, columns = extents(lhs.shape, b), extents(lhs.shape, i), extents(rhs.shape, j)
        x, y = np.transpose(lhs, [*b, *i, *k]), np.transpose(rhs, [*c, *l, *j])
        if not k:
            return x.reshape((*batches, *rows, *[1] * len(j))) * y.reshape((*batches, *[1] * len(i), *columns))
        depth = prod(extents(lhs.shape, k))
        x, y = x.reshape(*batches, prod(rows), depth), y.reshape(*batches, depth, prod(columns))
        return matmul_in_order(x, y).reshape((*batches, *rows, *columns))

    def adjoint(self, b, ct, operands, wrt):
        # y[b, i, j] = Σ_k x₁[b, i, k] x₂[b, k, j]  ->  x̄₁[b, i, k] += Σ_j ȳ[b, i, j] x₂[b, k, j],  x̄₂ likewise
        (batch, k), (others, l) = self.sides(*[x.type for x in operands])
        lhs, rhs = operands
        i, j = free(lhs.type.rank, batch, k), free(rhs.type.rank, others, l)
        first, second = len(batch), len(batch) + len(i)
        if wrt == 0:
            rhs = value_in(b, rhs, ct.type.dtype)
            product = b.DotGeneral(ct, rhs, range(first), others, range(second, second + len(j)), j)
            order = [*batch, *i, *[k[n] for n in _ranked(l)]]
        else:
            lhs = value_in(b, lhs, ct.type.dtype)
            product = b.DotGeneral(lhs, ct, batch, range(first), i, range(first, second))
            order = [*others, *[l[n] for n in _ranked(k)], *j]
        return value_in(b, _transposed(b, product, _ranked(order)), operands[wrt].type.dtype)

    def fold(self, b, lhs, rhs):
        if self.element_type is not None:
            x, y = value_in(b, lhs, self.element_type), value_in(b, rhs, self.element_type)
            return b.emit(replace(self, element_type=None), x, y)
        (batch, k), (others, l) = self.sides(lhs.type, rhs.type)
        if (found := _before_transpose(lhs, batch, k)) is not None:
            return b.DotGeneral(lhs.operands[0], rhs, found[0], others, found[1], l)
        if (found := _before_transpose(rhs, others, l)) is not None:
            return b.DotGeneral(lhs, rhs.operands[0], batch, found[0], k, found[1])
        m, n = lhs.type.rank, rhs.type.rank
        if not k:
            return self._multiplied(b, lhs, rhs, batch, others)
        if len(k) == 1:
            if not batch and m <= 2 and n <= 2 and (k, l) == ([m - 1], [0]):
                return b.Dot(lhs, rhs) if m + n < 4 else b.MatMul(lhs, rhs)
            leading = list(range(len(batch)))
            same = batch == others == leading and m == n == len(batch) + 2
            if k == [m - 1] and l == [n - 2] and (same or (not batch and m > 2 and n == 2)):
                return b.MatMul(lhs, rhs)
        return None

    def _multiplied(self, b, lhs, rhs, batch, others):
        """The product of elements, of operands with axes of extent 1 where the other has axes of its own."""
        i, j = free(lhs.type.rank, batch, ()), free(rhs.type.rank, others, ())
        x, y = _transposed(b, lhs, [*batch, *i]), _transposed(b, rhs, [*others, *j])
        x = b.Reshape(x, (*x.shape, *[1] * len(j)))
        return b.Mul(x, b.Reshape(y, (*y.shape[: len(batch)], *[1] * len(i), *y.shape[len(batch) :])))

    def dims(self, lhs, rhs):
        (b, k), (c, l) = self.sides(lhs, rhs)
        x, y = labels(lhs.rank, b, k, "i"), labels(rhs.rank, c, l, "j")
        result = [x[d] for d in [*b, *free(lhs.rank, b, k)]] + [y[d] for d in free(rhs.rank, c, l)]
        return f"{' '.join(x)}, {' '.join(y)} -> {' '.join(result)}"

    def lower(self, e, result, lhs, rhs):
        lhs, rhs = lowered_in(e, lhs, result.dtype), lowered_in(e, rhs, result.dtype)
        x, y = e.type(lhs), e.type(rhs)
        (b, k), (c, l) = self.sides(x, y)
        if k:
            return e.linalg.contract(self.dims(x, y), (lhs, rhs), result, " ".join(names(len(k), "k")))
        i, j = free(x.rank, b, k), free(y.rank, c, l)
        rows = x.with_shape((*extents(x.shape, [*b, *i]), *[1] * len(j)))
        columns = y.with_shape((*extents(y.shape, c), *[1] * len(i), *extents(y.shape, j)))
        left, right = self._in_order(e, lhs, [*b, *i], rows), self._in_order(e, rhs, [*c, *j], columns)
        return e.linalg.map(lambda s, x, y: s.mul(x, y), (left, right), result)

    def _in_order(self, e, x, order, shaped):
        t = e.type(x)
        turned = x
        if order != list(range(t.rank)):
            turned = e.linalg.transposed(x, order, t.with_shape(extents(t.shape, order)))
        return e.tensor.reshaped(turned, shaped)

    @classmethod
    def samples(cls):
        return [
            (cls((), (), (1,), (0,)), (f32(4, 5), f32(5, 3))),
            (cls((), (), (-1,), (-1,)), (f32(4, 5), f32(3, 5))),  # rows with rows
            (cls((0,), (0,), (2,), (1,)), (f64(2, 4, 5), f64(2, 5, 3))),
            (cls((0, 2), (0, 2), (3,), (3,)), (f32(2, 4, 3, 5), f32(2, 6, 3, 5))),  # heads between
            (cls((2, 0), (0, 1), (1,), (2,)), (f32(3, 5, 2), f32(2, 3, 5, 4))),
            (cls((), (), (0, 2), (1, 0)), (f32(3, 4, 5), f32(5, 3, 2))),  # two contracted, in another order
            (cls((), (), (0, 1), (0, 1)), (f32(3, 4), f32(3, 4))),  # everything contracted
            (cls(), (f32(3), f32(4))),  # an outer product
            (cls((1,), (0,)), (f32(3, 2, 2), f32(2, 4))),
            (cls((0,), (0,)), (f32(3), f32(3))),  # batches alone
            (cls(), (f32(), f32())),
            (cls((), (), (0,), (0,)), (i32(4), i32(4, 3))),
            (cls((), (), (1,), (0,)), (i64(2, 3), i64(3))),
            (cls((), (), (1,), (0,)), (f32(3, 0), f32(0, 2))),  # nothing to contract
            (cls((0,), (0,), (1,), (1,)), (f32(0, 3), f32(0, 3, 2))),
            (cls((), (), (1,), (1,)), (f32(0, 3), f32(2, 3))),
            (cls((), (), (1,), (0,), DType.I32), (i8(4, 5), i8(5, 3))),
            (cls((0,), (0,), (2,), (1,), DType.I32), (u8(2, 3, 4), i8(2, 4, 2))),
            (cls((), (), (1,), (1,), DType.F32), (bf16(4, 5), bf16(3, 5))),
            (cls((), (), (0,), (0,), DType.F64), (f32(4, 3), bf16(4))),
            (cls((), (), (), (), DType.F32), (bf16(3), bf16())),
            (cls((), (), (1,), (0,), DType.F32), (bf16(3, 0), bf16(0, 2))),
            (cls((), (), (1,), (0,), DType.F32), (f32(3, 2), f32(2, 2))),
            (cls((), (), (1,), (0,), DType.I32), (i16(3, 2), i16(2, 2))),
            (cls((), (), (1,), (0,), DType.U32), (u8(3, 2), u8(2, 2))),
            (cls((), (), (1,), (0,), DType.I64), (i32(3, 2), i32(2, 2))),
            (cls((), (), (1,), (0,), DType.F32), (f16(3, 2), bf16(2, 2))),
            (cls((), (), (1,), (0,), DType.F64), (f32(3, 2), f32(2, 2))),
        ]


def _ranked(order):
    """For each entry its rank among all: the inverse of a permutation, if `order` is one."""
    return sorted(range(len(order)), key=order.__getitem__)


def _transposed(b, x, permutation):
    return x if permutation == list(range(len(permutation))) else b.Transpose(x, permutation)


def _before_transpose(x, batch, contract):
    """Batch and contracted dimensions of what `x` is a Transpose of; None if it is none, or what is left would move."""
    if x.op.opcode != "Transpose":
        return None
    p = x.op.permutation
    left = [p[d] for d in free(len(p), batch, contract)]
    return ([p[d] for d in batch], [p[d] for d in contract]) if left == sorted(left) else None
