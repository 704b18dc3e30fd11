"""Contractions: which operations they are, and the roles of their loops.

`out[c · d] += x[a · d] · y[b · d]` is a matrix product in any layout and with any batch, a dot product, a convolution
or the adjoint of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType
from ...ir.kept import kept_property
from ..rules.product_loops import Product, Roles, roles
from .chain import Ref, Step, is_local, read_results
from .nest import Access, Nest, dtype_of


@dataclass(frozen=True)
class Problem:
    """A contraction, with the role of each of its loops.

    `nest.inputs` are x, which is read element by element, y, which is read in vectors, what the `steps` on
    finished sums read, and where results are stored: `stores` has an element for each of those. Loops: `n` runs along
    vectors, `m` over rows of a tile, `ks` add up, `outer` are the others in their order. Sums start from `initial`,
    or from what there is if that is None.
    """

    nest: Nest
    n: int | None
    m: int | None
    ks: tuple[int, ...]
    outer: tuple[int, ...]
    initial: Any
    steps: tuple[Step, ...]
    stores: tuple[Ref, ...]

    @property
    def dtype(self) -> DType:
        """Of the sums."""
        return self.nest.dtype

    @property
    def reads(self) -> tuple[Access, ...]:
        """What the steps read."""
        return self.nest.inputs[2 : len(self.nest.inputs) - len(self.stores)]

    @property
    def targets(self) -> tuple[Access, ...]:
        """Where the elements of `stores` go."""
        return self.nest.inputs[len(self.nest.inputs) - len(self.stores) :]

    @property
    def is_scattered(self) -> bool:
        """True if the initial value has to be everywhere before the first sum, as in the adjoint of a convolution.

        There, loops outside of the tiles lead to the same sums again, or elements of the result are no sums.
        """
        again = any(self.nest.reduction[d] for d in self.outer)
        return again or (self.initial is not None and not self.nest.covers_result)

    @kept_property
    def product(self) -> Product:
        """What the rules see of it."""
        x, y = self.nest.inputs[:2]
        found = Roles(self.n, self.m, self.ks, self.outer)
        return Product(self.dtype, self.nest.extents, x.strides, y.strides, found, self.is_scattered)

    def extent(self, d: int | None) -> int:
        """Iterations of a loop; 1 for none."""
        return 1 if d is None else self.nest.extents[d]

    @property
    def depth(self) -> int:
        """Terms of one sum."""
        return self.product.depth

    @property
    def vector_is_contiguous(self) -> bool:
        """True if y is contiguous along the loop that runs along vectors."""
        return self.product.vector_is_contiguous


def match(nests: Sequence[Nest]) -> Problem | None:
    """A contraction, perhaps after a fill of its result and before element-wise operations on it; else None."""
    initial = None
    rest = list(nests)
    if rest and rest[0].op.name == "linalg.fill":
        fill = rest.pop(0)
        initial = fill.inputs[0].value
        if not rest or rest[0].output.value != fill.output.value:
            return None
    if not rest or not _multiplies_and_adds(rest[0]):
        return None
    main, *after = rest
    if not all(a.is_memory for a in main.accesses) or 0 in main.extents:
        return None
    if initial is None and is_local(main.output.value):
        return None  # nobody has written what the sums start from
    found = read_results(main, after)
    if found is None:
        return None
    steps, reads, stores = found
    targets = [a for _, a in stores]
    read = [a.value for a in main.inputs]
    if after and any(not a.apart or a.value in read for a in targets):  # they are stored while operands are being read
        return None
    sums = _room_for_sums(main, reads, targets)
    nest = replace(main, inputs=(*main.inputs, *reads, *targets), output=sums)
    p = _told_apart(nest.simplified(ordered=True), initial, tuple(steps), tuple(ref for ref, _ in stores))
    if p is not None and p.is_scattered:
        if steps:  # when such a sum is finished, no tile knows
            return None
        if initial is not None and _has_gaps(main.output):  # it is filled as one row
            return None
    return p


def _room_for_sums(main: Nest, reads: Sequence[Access], targets: Sequence[Access]) -> Access:
    """Where partial sums wait for further terms: in the memory of a result of the same kind, if that is free so long.

    Else where the operation has them, which is memory of their own if nothing but steps uses the sums.
    """
    if not is_local(main.output.value):
        return main.output
    used = [a.value for a in reads]
    alike = [
        a
        for a in targets
        if a.value not in used and a.strides == main.output.strides and dtype_of(a.value) is main.dtype and not a.offset
    ]
    return alike[0] if alike else main.output


def _has_gaps(a: Access) -> bool:
    """True if there is memory of others between the elements of a memref."""
    t = ir.MemRefType(a.value.type)
    strides, _ = t.get_strides_and_offset()
    return bool(1 + sum((n - 1) * s for n, s in zip(t.shape, strides)) != prod(t.shape))


def _multiplies_and_adds(nest: Nest) -> bool:
    """True for the body `acc + x · y`, in any order of operands."""
    body = nest.body()
    if len(nest.inputs) != 2 or [o.name[:9] for o in body] != ["arith.mul", "arith.add", "linalg.yi"]:
        return False
    product, total, last = body
    x, y, acc = nest.arguments()
    return (
        set(product.operands) == {x, y}
        and set(total.operands) == {acc, product.result}
        and last.operands[0] == total.result
    )


def _told_apart(nest: Nest, initial: Any, steps: tuple[Step, ...], stores: tuple[Ref, ...]) -> Problem | None:
    """The roles of the loops; None if no loop is left that sums."""
    found = roles(nest.loops)
    if found is None:
        return None
    if found.swapped:
        x, y, *extra = nest.inputs
        nest = replace(nest, inputs=(y, x, *extra))
    return Problem(nest, found.n, found.m, found.ks, found.outer, initial, steps, stores)
