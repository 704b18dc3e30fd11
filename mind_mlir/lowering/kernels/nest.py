"""A linalg operation on memrefs as a nest of loops over elements at linear addresses.

Every named operation has a form here, so that strategies look at extents and strides alone:

    for d0 < n0, d1 < n1, …: out[c · d] = body(x[a · d], y[b · d], out[c · d])

Strides count elements; addresses start at the first element of each memref.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Any

from mlir import ir

from ...ir import DType
from ...ir.kept import kept_property
from ..mlir import linalg_names
from ..mlir.walk import children
from ..rules.loop_nest import LoopNest, reach

ELEMENTWISE = linalg_names.ELEMENTWISE | {f"linalg.{name}" for name in ("copy", "fill", "select")}
"""Named operations that are read as nests without reductions."""

FUNCTIONS = ("math.", "llvm.inline_asm")
PURE = ("arith.", *FUNCTIONS)
"""How the names of operations on single elements begin: of functions, which cost more, and of all."""

PRODUCTS = {
    "linalg.matmul": ("mnk", "mk", "kn", "mn"),
    "linalg.batch_matmul": ("bmnk", "bmk", "bkn", "bmn"),
    "linalg.matvec": ("mk", "mk", "k", "m"),
    "linalg.vecmat": ("nk", "k", "kn", "n"),
    "linalg.dot": ("k", "k", "k", ""),
}
"""Name -> the loops in order, and those that index each operand."""


@dataclass(frozen=True)
class Access:
    """One operand: a memref, or a single element, and how far each loop moves in it.

    Memory that is `apart` is shared with no other operand of the function; `is_result` means that it is given back to
    the module's caller, and nothing else reads it. `whole` is the memref that `value` is a part of, where that is
    known, and `place` is the offset of the first element in it.
    """

    value: Any
    strides: tuple[int, ...]
    offset: int = 0
    apart: bool = False
    is_result: bool = False
    whole: Any = None
    place: int = 0

    @property
    def is_memory(self) -> bool:
        return isinstance(self.value.type, ir.MemRefType)

    @kept_property
    def dtype(self) -> DType:
        """Of the elements."""
        return dtype_of(self.value)

    def is_part_of(self, memref: Any) -> bool:
        """True if that is known."""
        return self.whole is not None and bool(self.whole == memref)

    def extent(self, extents: Sequence[int]) -> int:
        """Elements from the first to the last one touched."""
        return reach(extents, self.strides)


@dataclass(frozen=True)
class Nest:
    """A linalg operation; `reduction[d]` tells that iterations of loop d may write the same element."""

    op: Any
    extents: tuple[int, ...]
    reduction: tuple[bool, ...]
    inputs: tuple[Access, ...]
    output: Access

    @property
    def accesses(self) -> tuple[Access, ...]:
        return (*self.inputs, self.output)

    @property
    def dtype(self) -> DType:
        """Of the elements that are written."""
        return self.output.dtype

    @property
    def is_elementwise(self) -> bool:
        return not any(self.reduction)

    @property
    def covers_result(self) -> bool:
        """True if the loops that move in the result have an iteration for each element; else some are not written."""
        moves = prod(n for n, s in zip(self.extents, self.output.strides) if s)
        return bool(moves == prod(ir.MemRefType(self.output.value.type).shape))

    def body(self) -> list[Any]:
        """The operations on elements, the last one the linalg.yield."""
        return list(self._body)

    @kept_property
    def _body(self) -> list[Any]:
        return children(self.op)

    def arguments(self) -> list[Any]:
        """The elements that the body takes: one of each input, and the one there was."""
        return list(self.op.regions[0].blocks[0].arguments)

    @kept_property
    def loops(self) -> LoopNest:
        """What rules see of it."""
        return LoopNest(self.extents, self.reduction, tuple([a.strides for a in self.accesses]))

    def with_loops(self, loops: LoopNest) -> Nest:
        """The same operands over other loops."""

        def moved(a: Access, strides: tuple[int, ...]) -> Access:
            return Access(a.value, strides, a.offset, a.apart, a.is_result, a.whole, a.place)

        *inputs, output = [moved(a, strides) for a, strides in zip(self.accesses, loops.strides)]
        return Nest(self.op, loops.extents, loops.reduction, tuple(inputs), output)

    def simplified(self, ordered: bool = False) -> Nest:
        """The same with fewer loops, as `LoopNest.simplified` says."""
        return self.with_loops(self.loops.simplified(ordered))

    def with_dims(self, dims: Sequence[int]) -> Nest:
        """The same with its loops in another order, or with some left out."""
        return self if list(dims) == list(range(len(self.extents))) else self.with_loops(self.loops.with_dims(dims))


def dtype_of(v: Any) -> DType:
    """The Core dtype of a memref's or a single element's type."""
    t = v.type
    return DType(str(t.element_type if isinstance(t, ir.MemRefType) else t))


def read_nest(
    op: Any, apart: Collection[Any] = (), results: Collection[Any] = (), parts: Mapping[Any, Any] = MappingProxyType({})
) -> Nest | None:
    """The nest of a linalg operation on memrefs of static shape; None for anything else.

    `apart` are the memrefs that share no memory with others, `results` those that the module's caller gets, and `parts`
    tells which memrefs are parts of which.
    """
    if not op.name.startswith("linalg.") or len(op.results):
        return None
    form = _maps(op)
    if form is None:
        return None
    maps, reduction = form
    extents: list[int | None] = [None] * len(reduction)
    accesses: list[Access] = []
    for v, (coefficients, constants) in zip(op.operands, maps):
        if not isinstance(v.type, ir.MemRefType):
            accesses.append(Access(v, (0,) * len(reduction)))
            continue
        t = ir.MemRefType(v.type)
        strides = _strides(t)
        if strides is None or DType.named(str(t.element_type)) is None:
            return None
        for n, row, k in zip(t.shape, coefficients, constants):
            alone = [d for d, f in enumerate(row) if f]
            if len(alone) == 1 and row[alone[0]] == 1 and not k:
                extents[alone[0]] = n
        steps = (sum(s * row[d] for s, row in zip(strides, coefficients)) for d in range(len(reduction)))
        offset = sum(s * k for s, k in zip(strides, constants))
        whole = parts.get(v)
        owner, place = (v, 0) if whole is None else (whole, _offset(t) - _offset(ir.MemRefType(whole.type)))
        accesses.append(Access(v, tuple(steps), offset, owner in apart, owner in results, whole, place))
    if None in extents or len(accesses) != len(op.operands):
        return None
    return Nest(op, tuple(extents), reduction, tuple(accesses[:-1]), accesses[-1])  # type: ignore[arg-type]


def _offset(t: Any) -> int:
    _, offset = t.get_strides_and_offset()
    return int(offset)


def _strides(t: Any) -> list[int] | None:
    if not t.has_static_shape:
        return None
    strides, offset = t.get_strides_and_offset()
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    return None if dynamic in (*strides, offset) else list(strides)


_Map = tuple[list[list[int]], list[int]]
"""For each index of a memref the factors of the loops, and a constant."""


def _maps(op: Any) -> tuple[list[_Map], tuple[bool, ...]] | None:
    """A map for each operand, and which loops are reductions."""
    name = op.name
    if name in ("linalg.generic", "linalg.contract", *PRODUCTS):
        return _mapped(op)
    out = ir.MemRefType(op.operands[len(op.operands) - 1].type)
    rank = out.rank
    identity = _selection(range(rank), rank)
    if name in ELEMENTWISE:
        return [identity] * len(op.operands), (False,) * rank
    if name == "linalg.transpose":
        permutation = list(op.attributes["permutation"])
        return [identity, _selection(permutation, rank)], (False,) * rank
    if name == "linalg.reduce" and len(op.operands) == 2:
        gone = list(op.attributes["dimensions"])
        full = ir.MemRefType(op.operands[0].type).rank
        kept = [d for d in range(full) if d not in gone]
        return [_selection(range(full), full), _selection(kept, full)], tuple(d in gone for d in range(full))
    if name == "linalg.conv_2d_nhwc_hwcf":
        return _convolution(op)
    return None


def _selection(dims: Sequence[int], rank: int) -> _Map:
    dims = list(dims)
    return [[int(d == e) for e in range(rank)] for d in dims], [0] * len(dims)


def _mapped(op: Any) -> tuple[list[_Map], tuple[bool, ...]] | None:
    if "indexing_maps" in op.attributes:
        maps = [linear_map(a.value) for a in op.attributes["indexing_maps"]]
        count = int(op.attributes["indexing_maps"][0].value.n_dims)
    else:
        loops, *terms = PRODUCTS[op.name]
        count = len(loops)
        maps = [_selection([loops.index(d) for d in term], count) for term in terms]
    if any(m is None for m in maps):
        return None
    if op.name == "linalg.generic":
        # read as one text: as attributes of their own they import mlir.dialects.linalg, 80 ms
        kinds = str(op.attributes["iterator_types"]).strip("[]").split(", ")
        reduction = tuple("reduction" in k for k in kinds if k)
    else:
        written = maps[-1]
        reduction = tuple(not any(row[d] for row in written[0]) for d in range(count))  # type: ignore[index]
    return maps, reduction  # type: ignore[return-value]


def _convolution(op: Any) -> tuple[list[_Map], tuple[bool, ...]] | None:
    """Loops n, y, x, f, window row i, window column j, channel c."""
    if any(d != 1 for d in _numbers(op.attributes["dilations"])):
        return None
    sy, sx = _numbers(op.attributes["strides"])

    def index(**factors: int) -> list[int]:
        return [factors.get(d, 0) for d in "nyxfijc"]

    input = [index(n=1), index(y=sy, i=1), index(x=sx, j=1), index(c=1)]
    filter = [index(i=1), index(j=1), index(c=1), index(f=1)]
    output = [index(n=1), index(y=1), index(x=1), index(f=1)]
    return [(m, [0] * 4) for m in (input, filter, output)], (False,) * 4 + (True,) * 3


def _numbers(attribute: Any) -> list[int]:
    return [int(x) for x in ir.DenseIntElementsAttr(attribute)]


def linear_map(m: Any) -> _Map | None:
    """Factors and constants of a map whose results are sums of multiples of dimensions; None for another one."""
    rows, constants = [], []
    for e in m.results:
        row = [0] * m.n_dims
        k = _collect(e, row, 1)
        if k is None:
            return None
        rows.append(row)
        constants.append(k)
    return rows, constants


def _collect(e: Any, row: list[int], factor: int) -> int | None:
    if isinstance(e, ir.AffineDimExpr):
        row[e.position] += factor
        return 0
    if isinstance(e, ir.AffineConstantExpr):
        return int(e.value) * factor
    if isinstance(e, ir.AffineAddExpr):
        left, right = _collect(e.lhs, row, factor), _collect(e.rhs, row, factor)
        return None if left is None or right is None else left + right
    if isinstance(e, ir.AffineMulExpr) and isinstance(e.rhs, ir.AffineConstantExpr):
        return _collect(e.lhs, row, factor * int(e.rhs.value))
    return None
