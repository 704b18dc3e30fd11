"""Product along axes. Core v1 has none; docs/semantics.md, Cumulative operations."""

from ..ir import Linearity, TensorType, np, op
from ..ir.attributes import Axes, Flag
from ._reduction import Reduction
from ._rules import names


@op
class Prod(Reduction):
    """Product of `input` along `axes`; empty `axes` take all, to a scalar. 1 over nothing; integers wrap.

    Elements are multiplied one after the other, in row-major order.
    """

    axes: Axes
    keepdims: Flag

    core_v1 = False
    floats_only = False
    linearity = Linearity.NONLINEAR

    def evaluate(self, input):
        type = TensorType.of_array(input)
        gone = self.reduced(type)
        if not input.size or not gone:
            return np.reshape(input, self.infer_type(type).shape) if input.size else self.ones(type)
        rows = np.moveaxis(input, gone, range(-len(gone), 0))
        rows = rows.reshape(*rows.shape[: input.ndim - len(gone)], -1)
        found = np.multiply.accumulate(rows, axis=-1, dtype=input.dtype)[..., -1]
        return np.reshape(found, self.infer_type(type).shape)

    def ones(self, type):
        """The products over nothing."""
        return np.ones(self.infer_type(type).shape, type.dtype.numpy)

    def jvp(self, b, primals, tangents, result):
        # y = Π x  ->  ẏ by pairs: (x, ẋ), (z, ż) make (x z, ẋ z + x ż), which holds at zeros, too
        (x,) = primals
        if not x.type.size:
            return None  # over nothing it is a constant
        gone = self.reduced(x.type)
        kept = [i for i in range(x.type.rank) if i not in gone]
        n = 1
        for i in gone:
            n *= x.shape[i]

        def rows(v):
            return b.Reshape(b.Transpose(v, (*kept, *gone)), (x.type.size // n, n))

        def part(v, low, high):
            return b.Slice(v, (0, low), (v.shape[0], high), (1, 1))

        def pair(a, da, z, dz):
            return a * z, da * z + a * dz

        value, change = rows(x), rows(tangents[0])
        alone = []
        while n > 1:
            half = n // 2
            if n % 2:
                alone.append((part(value, n - 1, n), part(change, n - 1, n)))
            first, other = (part(value, 0, half), part(change, 0, half)), (value, change)
            value, change = pair(*first, *[part(v, half, 2 * half) for v in other])
            n = half
        for z, dz in alone:
            value, change = pair(value, change, z, dz)
        return b.Reshape(change, result.shape)

    def fold(self, b, input):
        return input if input.type.rank == 0 else None

    def dims(self, input):
        gone = self.reduced(input)
        left = ["_" if i in gone else d for i, d in enumerate(names(input.rank))]
        _, right = super().dims(input).split("->")
        return f"{' '.join(left)} ->{right}"

    def lower(self, e, result, input):
        return e.reduction.reduced("prod", input, self.reduced(e.type(input)), result)
