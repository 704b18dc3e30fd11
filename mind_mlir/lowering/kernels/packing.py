"""Copies of the columns of a block: in the layout that tiles read, or in their own layout, but aligned.

Packed copies are panels of `columns`, one after the other; in each panel, the terms follow each other. Missing columns
of the last panel are zeros.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .cutting import Block, Cutting
from .vector_code import Index

PANELS = 4
"""Panels that are written at a time: what is read for them is contiguous, which memory reads faster."""


def pack(cut: Cutting, block: Block) -> None:
    """Write the copies; threads share the panels."""
    code, p, r = cut.code, cut.p, cut.r
    whole, rest = divmod(p.extent(p.n), r.columns)
    panels = max(1, min(PANELS, whole, cut.panels // code.threads)) if p.vector_is_contiguous else 1
    write = _rows if p.vector_is_contiguous else _turned
    if whole:
        end = cut.whole_columns(block)
        step = panels * r.columns
        is_even = whole % panels == 0 and cut.block % step == 0
        most = end if is_even else code.times(code.quotient(end, step), step)
        with code.parallel(0, most, step) as j:
            write(cut, block, j, step)
        if not is_even:
            with code.loop(most, end, r.columns) as j:
                write(cut, block, j, r.columns)
    if rest:
        with cut.where_tail(block) as j:
            write(cut, block, j, rest)


def aligned(cut: Cutting, block: Block) -> Block:
    """The block with its columns where their vectors are aligned: copied to `block.packed`, if they are not so already.

    A vector across two lines of the cache is read twice.
    """
    code, v, y = cut.code, cut.v, cut.p.nest.inputs[1]
    flat, start = cut.flat(y), cut.place(y, cut.at(block, 0, 0))
    is_off = code.below(0, code.misaligned(flat, start, cut.lanes * cut.p.dtype.width))
    whole = cut.p.extent(cut.p.n) % cut.lanes == 0

    def copy() -> None:
        with (
            code.parallel(0, block.terms) as k,
            cut.outer(cut.k_inner[1:], cut.at(block, 0, k)) as at,
            code.loop(0, block.width, cut.lanes) as j,
        ):
            source = code.add(cut.place(y, at), j)
            count = None if whole else code.add(block.width, code.times(j, -1))
            target = code.add(source, code.times(start, -1))
            code.store(v, code.load(v, flat, source, count), block.packed, target, count)

    code.branch(is_off, copy, lambda: None)
    memory, shift = code.chosen(is_off, (block.packed, start), (flat, 0))
    return replace(block, packed=None, lying=(memory, shift))


def _rows(cut: Cutting, block: Block, j: Index, count: int) -> None:
    """Panels whose columns are neighbours in memory, several at a time if `count` columns are more than one has."""
    code, r, v = cut.code, cut.r, cut.v
    y = cut.p.nest.inputs[1]
    base = code.times(j, cut.height)
    beneath = cut.k_inner[1:]
    with code.loop(0, block.terms) as k, cut.outer(beneath, cut.at(block, j, k)) as at:
        term = code.add(
            code.times(k, cut.beneath * r.columns), *[code.times(at[d], cut.packed_step(d)) for d in beneath]
        )
        source, target = cut.place(y, at), code.add(base, term)
        for x in range(0, -(-count // r.columns) * r.columns, cut.lanes):
            value = code.zeros(v)
            if x < count:
                value = code.load(v, cut.flat(y), code.add(source, x), min(cut.lanes, count - x))
            panel, within = divmod(x, r.columns)
            code.store(v, value, block.packed, code.add(target, panel * r.columns * cut.height + within))


def _turned(cut: Cutting, block: Block, j: Index, count: int) -> None:
    """A panel whose terms are neighbours: squares are read along them and transposed in registers, the rest singly."""
    code, p, r, lanes = cut.code, cut.p, cut.r, cut.lanes
    y = p.nest.inputs[1]
    base = code.times(j, cut.height)
    along_terms = cut.k_block is not None and y.strides[cut.k_block] == 1
    squares = code.times(code.quotient(block.terms, lanes), lanes) if along_terms else 0

    def source(column: Index, k: Index) -> Index:
        return cut.place(y, cut.at(block, code.add(j, column), k))

    def square(x: Index, k: Index, columns: int) -> None:
        flat = cut.flat(y)
        rows = [
            code.load(cut.v, flat, source(code.add(x, i), k)) if i < columns else code.zeros(cut.v)
            for i in range(lanes)
        ]
        target = code.add(base, code.times(k, r.columns), x)
        for i, row in enumerate(code.turned(cut.v, rows)):
            code.store(cut.v, row, block.packed, code.add(target, i * r.columns))

    def element(x: int, k: Index) -> Any:
        value = code.zeros(cut.v)
        for i in range(min(lanes, count - x)):
            value = code.with_lane(cut.v, value, i, code.read(cut.flat(y), source(x + i, k)))
        return value

    if squares != 0:
        with code.loop(0, squares, lanes) as k:
            if count == r.columns:
                with code.loop(0, r.columns, lanes) as x:
                    square(x, k, lanes)
            else:
                for x in range(0, r.columns, lanes):
                    square(x, k, count - x)
    if not (isinstance(squares, int) and squares == block.terms):
        with code.loop(squares, block.terms) as k:
            for x in range(0, r.columns, lanes):
                code.store(cut.v, element(x, k), block.packed, code.add(base, code.times(k, r.columns), x))
