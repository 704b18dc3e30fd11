"""`einsum`: sums of products that a text with a letter for each axis names, as NumPy and JAX have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir import OPS
from ..place import error
from ..trace_builder import apply
from ._preferred import converted

__all__ = ["einsum"]

ALIASES: dict[str, str] = {}


def einsum(subscripts: str, *operands: Any, preferred_element_type: Any = None) -> Any:
    """The sum of products over the letters that the result lacks: `"bij,bjk->bik"` is a product of batches.

    Operands are multiplied in pairs, from left to right, each pair by one DotGeneral; what only one operand has and the
    result lacks is summed before. A letter twice in an operand is its diagonal. `...` stands for leading axes, which
    broadcast. Without `->` the result has the letters that occur once, in alphabetical order. With
    `preferred_element_type` operands are converted first: products of i8 in i32 are exact.

    >>> x = np.float32([[1, 2], [3, 4]])
    >>> mind.einsum("ij,kj->ik", x, x)
    array([[ 5., 11.],
           [11., 25.]], dtype=float32)
    >>> mind.einsum("ii", x)
    array(5., dtype=float32)
    """
    if not isinstance(subscripts, str):
        help = 'write the axes as letters: mind.einsum("ij,jk->ik", x, y)'
        raise error("E4013", f"einsum takes a text first, found a {type(subscripts).__name__}", help=help)
    if not operands:
        raise error("E6009", f"einsum of {subscripts!r} has no operand", help="arrays follow the text")
    arrays = converted("einsum", preferred_element_type, *operands)
    terms, result = _read(subscripts, [x.ndim for x in arrays])
    _check_extents(subscripts, terms, arrays)
    factors = [_diagonal(f) for f in _unstretched([_Factor(x, t) for x, t in zip(arrays, terms)])]
    found, *rest = factors
    while rest:
        other, *rest = rest
        later = {*result, *(d for f in rest for d in f.axes)}
        found = _product(_summed(found, {*later, *other.axes}), _summed(other, {*later, *found.axes}), later, result)
    return _in_order(_summed(found, set(result)), result).value


@dataclass(frozen=True)
class _Factor:
    """An operand, or a product of some, with a name for each axis."""

    value: Any
    axes: tuple[str, ...]


def _product(x: _Factor, y: _Factor, kept: Collection[str], result: Sequence[str]) -> _Factor:
    """The product of two, summed over the axes of both that are not kept; in the order of the result if that is one."""
    both = [d for d in x.axes if d in y.axes]
    batch = sorted((d for d in both if d in kept), key=lambda d: result.index(d) if d in result else len(result))
    sums = [d for d in both if d not in kept]

    def order(x: _Factor, y: _Factor) -> tuple[str, ...]:
        return (*batch, *(d for d in x.axes if d not in both), *(d for d in y.axes if d not in both))

    if order(x, y) != tuple(result) == order(y, x):
        x, y = y, x
    numbers = [[f.axes.index(d) for d in dims] for dims in (batch, sums) for f in (x, y)]
    return _Factor(apply(OPS["DotGeneral"](*numbers), x.value, y.value), order(x, y))


def _summed(x: _Factor, kept: Collection[str]) -> _Factor:
    gone = [n for n, d in enumerate(x.axes) if d not in kept]
    if not gone:
        return x
    return _Factor(apply(OPS["Sum"](gone, False), x.value), tuple(d for d in x.axes if d in kept))  # type: ignore[call-arg]


def _in_order(x: _Factor, axes: Sequence[str]) -> _Factor:
    if x.axes == tuple(axes):
        return x
    return _Factor(apply(OPS["Transpose"]([x.axes.index(d) for d in axes]), x.value), tuple(axes))  # type: ignore[call-arg]


def _diagonal(x: _Factor) -> _Factor:
    """Where two axes have one name, the elements at which their indices are equal, on one axis in front."""
    twice = next((d for d, count in Counter(x.axes).items() if count > 1), None)
    if twice is None:
        return x
    first = x.axes.index(twice)
    pair = [first, x.axes.index(twice, first + 1)]
    others = [n for n in range(len(x.axes)) if n not in pair]
    turned = apply(OPS["Transpose"]([*pair, *others]), x.value)  # type: ignore[call-arg]
    n, _, *extents = turned.shape
    flat = apply(OPS["Reshape"]([n * n, *extents]), turned)  # type: ignore[call-arg]
    # element [i, i] is number i · n + i
    rest = len(others)
    found = apply(OPS["Slice"]([0] * (rest + 1), [n * n, *extents], [n + 1] + [1] * rest), flat)  # type: ignore[call-arg]
    return _diagonal(_Factor(found, (twice, *(x.axes[a] for a in others))))


# The text


def _read(text: str, ranks: Sequence[int]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The axes of each operand and of the result. E4013 for a bad text, E3002 for a rank that does not fit."""
    written, arrow, result = "".join(text.split()).partition("->")
    terms = written.split(",")
    if len(terms) != len(ranks):
        raise error("E4013", f"einsum {text!r} has {len(terms)} terms for {len(ranks)} operands")
    for term in (*terms, result):
        letters = term.replace("...", "", 1)
        if not all(c.isascii() and c.isalpha() for c in letters):
            bad = next(c for c in letters if not (c.isascii() and c.isalpha()))
            help = "a term is letters, and ... once for any number of axes; terms are separated by commas"
            raise error("E4013", f"einsum {text!r} has {bad!r} in the term {term!r}", help=help)
    leading = [_leading(text, n, term, rank) for n, (term, rank) in enumerate(zip(terms, ranks))]
    axes = [_axes(term, count) for term, count in zip(terms, leading)]
    if arrow:
        return axes, _checked_result(text, _axes(result, max(leading)), axes)
    counts = Counter(c for c in written if c.isalpha())
    return axes, _axes("..." + "".join(sorted(c for c, n in counts.items() if n == 1)), max(leading))


def _leading(text: str, n: int, term: str, rank: int) -> int:
    """The number of axes that `...` stands for in a term."""
    letters = len(term.replace("...", ""))
    if rank == letters or (rank > letters and "..." in term):
        return rank - letters
    takes = f"{letters} or more axes" if "..." in term else f"{letters} axes"
    raise error("E3002", f"einsum {text!r}: the term {term!r} has {takes}, operand {n} has rank {rank}")


def _axes(term: str, leading: int) -> tuple[str, ...]:
    """A name for each axis: its letter, or for those of `...` their number counted from the last one."""
    before, dots, after = term.partition("...")
    return (*before, *(f"...{n}" for n in range(leading if dots else 0, 0, -1)), *after)


def _checked_result(text: str, result: tuple[str, ...], terms: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    for d, count in Counter(result).items():
        if count > 1:
            raise error("E3005", f"einsum {text!r} names {d} twice in the result")
        if not any(d in term for term in terms):
            raise error("E4013", f"einsum {text!r} has {d} in the result and in no operand")
    lost = next((d for term in terms for d in term if d.startswith("...") and d not in result), None)
    if lost is not None:
        raise error("E4013", f"einsum {text!r} has ... in an operand and not in the result", help="write ->...")
    return result


# Extents


def _check_extents(text: str, terms: Sequence[tuple[str, ...]], arrays: Sequence[Any]) -> None:
    """E3003 for a letter with two extents, E3001 where axes of `...` do not broadcast."""
    known: dict[str, int] = {}
    for term, x in zip(terms, arrays):
        for d, n in zip(term, x.shape):
            stretches = d.startswith("...")
            before = known.setdefault(d, n)
            if before == n or (stretches and n == 1):
                continue
            if not (stretches and before == 1):
                code, what = ("E3001", "an axis of ...") if stretches else ("E3003", d)
                raise error(code, f"einsum {text!r}: {what} has the extents {before} and {n}")
            known[d] = n


def _unstretched(factors: Sequence[_Factor]) -> list[_Factor]:
    """Operands without those axes of `...` that broadcasting stretches."""
    long = {d for f in factors for d, n in zip(f.axes, f.value.shape) if n != 1}
    out = []
    for f in factors:
        gone = [n for n, d in enumerate(f.axes) if d.startswith("...") and d in long and f.value.shape[n] == 1]
        kept = tuple(d for n, d in enumerate(f.axes) if n not in gone)
        out.append(_Factor(apply(OPS["Squeeze"](gone), f.value), kept) if gone else f)  # type: ignore[call-arg]
    return out
