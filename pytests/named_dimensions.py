"""Law 6 of the operations: `Op.dims`, read by itself, and arrays cut along the dimensions that it names."""

import math
import re

import numpy as np

WHOLE = ("_", "1")


class Named:
    """The named dimensions of an operation on operands of these types; `terms` is None if there are none.

    A term has for each dimension of an operand, or of the result, its names: several where it is merged of factors.
    """

    def __init__(self, op, types):
        self.types = (*types, *op.result_types(*types))
        self.terms, self.extents = None, {}
        if (dims := op.dims(*types)) is not None:
            operands, result = dims.split("->")
            self.terms = [self._read(t) for t in (*(operands.split(",") if types else ()), result)]
            assert len(self.terms) == len(self.types), f"{dims} names {len(self.terms) - 1} operands"
            for n, (term, type) in enumerate(zip(self.terms, self.types)):
                self.terms[n] = term = _written_out(term, type.rank)
                assert len(term) == type.rank, f"{dims} does not describe {type}"
                for dim, extent in zip(term, type.shape):
                    if len(dim) == 1 and self.extents.get(dim[0], 1) == 1:  # 1 stretches
                        self.extents[dim[0]] = extent

    def _read(self, text):
        found = []
        for dim in re.findall(r"\([^)]*\)|\S+", text):
            pairs = [factor.split("=") for factor in dim.strip("()").split()]
            for name, *n in pairs:
                if n:
                    assert self.extents.setdefault(name, int(n[0])) == int(n[0])
            found.append(tuple(name for name, *_ in pairs))
        return found

    def names(self):
        return {name for term in self.terms or () for dim in term for name in dim} - set(WHOLE)

    def cuts(self):
        """Every (name, extent, place) at which a named dimension is cut in two."""
        found = {name: n for name, n in self.extents.items() if name in self.names() and n > 1}
        return [(name, n, at) for name, n in found.items() for at in sorted({1, n // 2, n - 1})]

    def apart(self, array, term):
        """The array with a dimension for each factor, and their names."""
        shape, flat = [], []
        for dim, n in zip(term, array.shape):
            known = [self.extents[name] for name in dim if name not in WHOLE] if len(dim) > 1 else []
            for name in dim:
                flat.append(name)
                shape.append(n if len(dim) == 1 else n // math.prod(known) if name in WHOLE else self.extents[name])
        return array.reshape(shape), flat

    def cut(self, array, n, name, part):
        """The part of operand `n` along `name`; an extent of 1 that is stretched stays whole."""
        term = self.terms[n]
        found, flat = self.apart(array, term)
        is_cut = [d == name and k == self.extents[name] for d, k in zip(flat, found.shape)]
        found = found[tuple(part if c else slice(None) for c in is_cut)]
        sizes = iter(found.shape)
        return found.reshape([math.prod(next(sizes) for _ in dim) for dim in term])

    def joined(self, pieces, name, shape):
        """The result of this shape from pieces along `name`."""
        term = self.terms[-1]
        whole, flat = self.apart(np.empty(shape), term)
        axis, at = flat.index(name), next(d for d, dim in enumerate(term) if name in dim)
        apart = []
        for piece in pieces:
            extents = list(whole.shape)
            extents[axis] = piece.shape[at] * extents[axis] // shape[at]
            apart.append(piece.reshape(extents))
        return np.concatenate(apart, axis=axis).reshape(shape)


def _written_out(term, rank):
    """`...` as the names of right-aligned batch dimensions."""
    if ("...",) not in term:
        return term
    at, batches = term.index(("...",)), rank - len(term) + 1
    return [*term[:at], *((f"batch{batches - i}",) for i in range(batches)), *term[at + 1 :]]
