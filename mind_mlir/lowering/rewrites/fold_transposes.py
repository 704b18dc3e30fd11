"""Lets contractions read and write tensors as they are stored, instead of transposed copies.

`A · Bᵀ` is a `linalg.contract` whose map for B is (j, k) instead of (k, j), and the map for the result of `(A · B)ᵀ` is
(j, i). Every element is still the sum of the same products in ascending k, so no bit changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import operations

Terms = list[list[int]]
"""For each operand of a contraction, and for the result, the loops of its axes."""

_TERMS: dict[str, Terms] = {
    "linalg.dot": [[0], [0], []],
    "linalg.vecmat": [[1], [1, 0], [0]],
    "linalg.matvec": [[0, 1], [1], [0]],
    "linalg.matmul": [[0, 2], [2, 1], [0, 1]],
    "linalg.batch_matmul": [[0, 1, 3], [0, 3, 2], [0, 1, 2]],
}

_PURE = {"linalg.contract", "linalg.transpose", "linalg.fill", "tensor.extract_slice", "tensor.empty", *_TERMS}


@rewrite("fold-transposes")
def fold_transposes(r: Rewriter) -> None:
    """Let contractions read and write tensors as stored, instead of transposed copies.

    Every linalg.transpose is folded into the contractions that take its result, or into the one that makes its
    operand. A transpose that moves only axes of extent 1 becomes a reshape. One stays if the innermost axis in memory
    would become a batch of the contraction, or if something else needs its result. `canonicalize` has folded
    transposes of transposes.
    """
    for f in r.functions():
        _Folder([op for op in operations(f)[1:] if op.name in _PURE]).run()  # none that is inside another


class _Folder:
    """Rewrites one function, operation by operation, in order."""

    def __init__(self, found: list[Any]) -> None:
        self.found = found
        self.makers = {r: op for op in found for r in op.results}

    def run(self) -> None:
        for op in self.found:
            new = None
            if op.name == "linalg.transpose" and len(op.results):
                new = self._before(op)
                new = self._reshaped(op) if new is None else new
            elif (terms := terms_of(op)) is not None:
                new = self._on_sources(op, terms)
            if new is not None:
                op.result.replace_all_uses_with(new)
                self._drop(op)

    def _made(self, op: Any) -> Any:
        self.makers[op.result] = op
        return op.result

    def _drop(self, op: Any) -> None:
        """Erase an operation that nothing uses, and what only it used."""
        if op.name in _PURE and not list(op.result.uses):
            operands = list(op.operands)
            del self.makers[op.result]
            op.erase()
            for v in operands:
                if (maker := self.makers.get(v)) is not None:  # if not, it has been erased already
                    self._drop(maker)

    def _before(self, op: Any) -> Any:
        """Let the contraction that makes the operand of the transpose `op` make its result, if it has no other user."""
        contraction = self.makers.get(op.operands[0])
        terms = None if contraction is None else terms_of(contraction)
        if contraction is None or terms is None or len(list(contraction.result.uses)) > 1:
            return None
        fill = self.makers.get(contraction.operands[2])
        if fill is None or fill.name != "linalg.fill":
            return None
        result = [terms[-1][a] for a in _permutation(op)]
        if _runs_along_a_batch(result, _shape(op.result), terms):
            return None
        loops = [*result, *sorted({d for term in terms for d in term} - set(result))]
        terms = [[loops.index(d) for d in term] for term in (*terms[:2], result)]
        with Rewriter.before(contraction):
            empty = self._made(ir.Operation.create("tensor.empty", results=[op.result.type]))
            init = self._made(Rewriter.linalg("linalg.fill", [fill.operands[0], empty], [empty.type]))
            return self._made(contract([*list(contraction.operands)[:2], init], terms))

    def _reshaped(self, op: Any) -> Any:
        """The result of the transpose `op` without moving an element, if it moves nothing but axes of extent 1."""
        x, type = op.operands[0], op.result.type
        moved = [a for a in _permutation(op) if _shape(x)[a] != 1]
        if moved != sorted(moved):
            return None
        core = ir.RankedTensorType.get([n for n in _shape(x) if n != 1], type.element_type)
        with Rewriter.before(op):
            core = self._made(_reassociated("collapse", x, core))
            return self._made(_reassociated("expand", core, type))

    def _on_sources(self, op: Any, terms: Terms) -> Any:
        """Compute the contraction `op` on tensors of which its operands are transposes; None if they are not."""
        operands, terms = list(op.operands), list(terms)
        with Rewriter.before(op):
            for n in (0, 1):
                source, axes = self._source(operands[n])
                kept = sorted(axes)
                term = [terms[n][axes.index(a)] for a in kept]
                if kept != axes and not _runs_along_a_batch(term, [_shape(source)[a] for a in kept], terms):
                    operands[n], terms[n] = self._only(source, kept), term
            return None if operands == list(op.operands) else self._made(contract(operands, terms))

    def _source(self, v: Any) -> tuple[Any, list[int]]:
        """The tensor from which transposes, and slices that only drop axes, make `v`, and its axes for those of `v`."""
        axes = list(range(len(_shape(v))))
        while (op := self.makers.get(v)) is not None:
            if op.name == "linalg.transpose":
                order = _permutation(op)
            elif (kept := _kept_axes(op)) is not None:
                order = kept
            else:
                break
            axes = [order[a] for a in axes]
            v = op.operands[0]
        return v, axes

    def _only(self, x: Any, kept: Sequence[int]) -> Any:
        """`x` without those of its axes that are not kept, which have extent 1."""
        shape = _shape(x)
        if len(kept) == len(shape):
            return x
        type = ir.RankedTensorType.get([shape[a] for a in kept], x.type.element_type)
        bounds = {"static_offsets": [0] * len(shape), "static_sizes": shape, "static_strides": [1] * len(shape)}
        attributes = {name: ir.DenseI64ArrayAttr.get(values) for name, values in bounds.items()}
        attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 0, 0, 0])
        return self._made(
            ir.Operation.create("tensor.extract_slice", results=[type], operands=[x], attributes=attributes)
        )


def terms_of(op: Any) -> Terms | None:
    """The terms of a contraction on tensors; None for another operation."""
    if (op.name != "linalg.contract" and op.name not in _TERMS) or not len(op.results) or "cast" in op.attributes:
        return None
    if "indexing_maps" not in op.attributes:
        return _TERMS[op.name]
    maps = [a.value for a in op.attributes["indexing_maps"]]
    return [[ir.AffineDimExpr(e).position for e in m.results] for m in maps]


def _runs_along_a_batch(term: Sequence[int], shape: Sequence[int], terms: Terms) -> bool:
    """True if the innermost axis of more than one element is a batch: a loop of the result and of both operands."""
    inner = [d for d, n in zip(term, shape) if n != 1][-1:]
    return bool(inner) and all(inner[0] in t for t in terms)


def contract(operands: Sequence[Any], terms: Terms) -> Any:
    """A linalg.contract on these operands, the result's destination last."""
    count = 1 + max(d for term in terms for d in term)
    maps = [ir.AffineMap.get(count, 0, [ir.AffineDimExpr.get(d) for d in term]) for term in terms]
    attributes = {"indexing_maps": ir.ArrayAttr.get([*map(ir.AffineMapAttr.get, maps)])}
    return Rewriter.linalg("linalg.contract", operands, [operands[-1].type], attributes)


def _reassociated(way: str, x: Any, type: Any) -> Any:
    """`tensor.collapse_shape` or `tensor.expand_shape` between a shape and the same one without extents of 1."""
    shape = list(type.shape) if way == "expand" else _shape(x)
    index = ir.IntegerType.get_signless(64)
    groups: list[list[int]] = []
    for axis, n in enumerate(shape):
        if not groups or (n != 1 and any(shape[a] != 1 for a in groups[-1])):
            groups.append([])
        groups[-1].append(axis)
    if all(n == 1 for n in shape):
        groups = []  # to and from a scalar
    made = ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(index, a) for a in group]) for group in groups])
    attributes = {"reassociation": made}
    if way == "expand":
        attributes["static_output_shape"] = ir.DenseI64ArrayAttr.get(shape)
    return ir.Operation.create(f"tensor.{way}_shape", results=[type], operands=[x], attributes=attributes)


def _kept_axes(op: Any) -> list[int] | None:
    """The axes of the operand that are left if `op` is a slice that only drops axes; None if it is not."""
    if op.name != "tensor.extract_slice" or len(op.operands) > 1:
        return None
    shape, left = _shape(op.operands[0]), _shape(op.result)
    if list(op.attributes["static_sizes"]) != shape:
        return None
    kept: list[int] = []
    for axis, n in enumerate(shape):
        if left[len(kept) :][:1] == [n]:  # of several neighbours of extent 1 it does not matter which are dropped
            kept.append(axis)
    return kept


def _permutation(op: Any) -> list[int]:
    return list(op.attributes["permutation"])


def _shape(v: Any) -> list[int]:
    return list(ir.RankedTensorType(v.type).shape)
