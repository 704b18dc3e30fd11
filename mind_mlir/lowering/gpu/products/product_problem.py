"""Which computations are products for a GPU, adjoints of convolutions among them, and the roles of their loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlir import ir

from ...kernels.nest import Access, Nest, linear_map
from ...kernels.product_roles import Problem, match as match_product
from ...kernels.vector_code import Index
from ..groups import Group
from ..thread_code import GpuCode


@dataclass(frozen=True)
class Window:
    """Where a convolution's adjoint reads its cotangent: at `(line - term) / step`, if that is one of 0 … `count` - 1.

    `line` and `term` are loops of the nest; `stride` is the distance of one cotangent from the next in memory.
    """

    line: int
    term: int
    step: int
    count: int
    stride: int

    def seen(self, code: GpuCode, at: Mapping[int, Index]) -> tuple[list[Any], Index]:
        """The conditions under which iterations of the loops read a cotangent, and its offset in memory."""
        line, term = code.index(at[self.line]), code.index(at[self.term])
        position = code.op("arith.subi", line, term, type=ir.IndexType.get())
        turn = code.quotient(position, self.step)  # of a negative position a large number
        conditions = [code.below(-1, position), code.below(turn, self.count)]
        if self.step > 1:
            conditions.append(code.equal(code.remainder(position, self.step), 0))
        return conditions, code.times(turn, self.stride)


@dataclass(frozen=True)
class Product:
    """A product, and the windows through which its left operand is read: none for all but adjoints of convolutions."""

    problem: Problem
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True)
class Roles:
    """Which loops count rows, columns, terms, and products apart from each other."""

    batches: Group
    rows: Group
    columns: Group
    terms: Group


def match(nests: Sequence[Nest]) -> Product | None:
    """A product each of whose sums is one element of the result, or an adjoint of a convolution as such a product."""
    p = match_product(nests)
    if p is None or not p.ks:
        return None
    return Product(p) if not p.is_scattered else _gathered(list(nests), p)


def _gathered(nests: list[Nest], p: Problem) -> Product | None:
    """`out[…, oy · s + i, …] += x[…, oy, …] · y[i, …]` as a sum for each element of `out`, over the oy that lead to it.

    The terms of a sum keep their order: the loops over i are outside all others but those over i's of other axes.
    """
    main = nests[-1]
    if p.initial is None or p.steps or len(nests) != 2 or "indexing_maps" not in main.op.attributes:
        return None
    maps = main.op.attributes["indexing_maps"]
    form = linear_map(maps[len(maps) - 1].value)  # an index of -1 ends the process (MLIR 22)
    if form is None or any(form[1]):
        return None
    x, y = main.inputs
    shape = ir.MemRefType(main.output.value.type).shape
    extents, reduction = list(main.extents), list(main.reduction)
    strides = {a: list(a.strides) for a in (x, y, main.output)}
    windows = []
    for row, extent in zip(form[0], shape):
        moving = [d for d, factor in enumerate(row) if factor]
        if len(moving) == 1:
            continue
        if len(moving) != 2:
            return None
        line, term = moving if x.strides[moving[0]] else moving[::-1]  # oy and i
        if row[term] != 1 or x.strides[term] or y.strides[line] or (extents[term] > 1 and not y.strides[term]):
            return None
        windows.append(Window(line, term, row[line], extents[line], x.strides[line]))
        extents[line], reduction[line] = extent, False  # the loop over oy becomes one over elements
        strides[x][line] = 0
        strides[main.output][line] = main.output.strides[term]
        strides[main.output][term] = 0
    if not windows:
        return None

    def moved(a: Access) -> Access:
        return replace(a, strides=tuple(strides[a]))

    out = moved(main.output)
    nest = replace(
        main,
        extents=tuple(extents),
        reduction=tuple(reduction),
        inputs=(moved(x), moved(y), out),
        output=out,
    )
    ks = tuple(d for d, r in enumerate(reduction) if r)
    if any(out.strides[d] for d in ks):
        return None
    free = tuple(d for d, r in enumerate(reduction) if not r)
    return Product(Problem(nest, None, None, ks, free, p.initial, (), (("sum", 0),)), tuple(windows))


def roles(p: Problem, windows: Sequence[Window] = ()) -> Roles:
    """The loops by what they move: rows only x, columns only y, batches both or neither."""
    x, y = p.nest.inputs[:2]
    out = p.nest.output
    free = [d for d in range(len(p.nest.extents)) if d not in p.ks]
    free.sort(key=lambda d: -out.strides[d])
    seen = {w.line for w in windows}

    def moving(in_x: bool, in_y: bool) -> list[int]:
        return [d for d in free if (x.strides[d] != 0 or d in seen) is in_x and (y.strides[d] != 0) is in_y]

    return Roles(
        Group.of(p.nest, sorted([*moving(True, True), *moving(False, False)])),
        Group.of(p.nest, moving(True, False)),
        Group.of(p.nest, moving(False, True)),
        Group.of(p.nest, p.ks),
    )


def elements_of_parts(nests: Sequence[Nest]) -> int | None:
    """How many elements one part of every sum is; None if the nests are no product."""
    product = match(nests)
    if product is None:
        return None
    r = roles(product.problem, product.windows)
    return r.batches.size * r.rows.size * r.columns.size
