"""Element-wise operations as one computation on single elements.

A program is what a kernel's operations do in each iteration of their common loops: read elements, compute, store.
Results that only later operations of the kernel use are passed on and never stored. A gather is a read whose offset
depends on an element that was read before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType
from ...ir.kept import kept_property
from ..rules.element_rules import Elements, Touched, ordered
from .nest import PURE, Access, Nest


@dataclass(frozen=True)
class Read:
    """An element of memory at `access`, moved by `stride · node` for each of `rows`."""

    access: Access
    rows: tuple[tuple[int, int], ...] = ()

    @property
    def sources(self) -> tuple[int, ...]:
        """The nodes that this one is computed from."""
        return tuple(i for i, _ in self.rows)


@dataclass(frozen=True)
class Given:
    """A value from outside of the loops."""

    value: Any

    sources = ()


@dataclass(frozen=True)
class Computed:
    """An arithmetic operation on the nodes `sources`."""

    op: Any
    sources: tuple[int, ...]


Node = Read | Given | Computed


@dataclass(frozen=True)
class Store:
    """A node's element goes to memory."""

    node: int
    access: Access


@dataclass(frozen=True)
class Frame:
    """One value around the elements that a program stores, so that all of a memref is written.

    For each loop it has the start and the number of elements, before the loop's first iteration and after its last one;
    starts are relative to the indices of the outer loops, without the store's offset.
    """

    value: Any
    before: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Program:
    """Loops, outermost first, and what is done in the innermost one: nodes in order, then stores."""

    extents: tuple[int, ...]
    nodes: tuple[Node, ...]
    stores: tuple[Store, ...]
    frame: Frame | None = None

    @property
    def accesses(self) -> tuple[Access, ...]:
        """All that is read and stored."""
        return (*(n.access for n in self.nodes if isinstance(n, Read)), *(s.access for s in self.stores))

    @kept_property
    def moves(self) -> list[tuple[bool, ...]]:
        """For each node, along which loops its value changes."""
        found: list[tuple[bool, ...]] = []
        for n in self.nodes:
            parts = [found[i] for i in n.sources]
            if isinstance(n, Read):
                parts.append(tuple(s != 0 for s in n.access.strides))
            found.append(tuple(any(p[d] for p in parts) for d in range(len(self.extents))))
        return found

    def closed(self, nodes: Iterable[int]) -> set[int]:
        """These nodes and all that they are computed from."""
        found = set(nodes)
        for i in reversed(range(len(self.nodes))):
            if i in found:
                found.update(self.nodes[i].sources)
        return found

    @kept_property
    def spread(self) -> set[int]:
        """The nodes whose elements are stored or computed with for that, without those that compute an index."""
        found = {s.node for s in self.stores}
        for i in reversed(range(len(self.nodes))):
            n = self.nodes[i]
            if i in found and isinstance(n, Computed):
                found.update(n.sources)
        return found

    @kept_property
    def elements(self) -> Elements:
        """What the rules see of it."""

        def touched(a: Access) -> Touched:
            return Touched(a.value, a.strides, a.dtype.width, a.is_result)

        reads = [n for n in self.nodes if isinstance(n, Read)]
        return Elements(
            self.extents,
            self.widest(),
            tuple(touched(n.access) for n in reads),
            tuple(touched(s.access) for s in self.stores),
            picks=any(n.rows for n in reads),
            has_frame=self.frame is not None,
        )

    def widest(self) -> int:
        """Bytes of the widest element that is stored or stored elements are computed from."""
        nodes = [self.nodes[i] for i in self.spread]
        types = [n.op.result.type for n in nodes if isinstance(n, Computed)]
        types += [n.value.type for n in nodes if isinstance(n, Given)]
        read = [n.access for n in nodes if isinstance(n, Read)]
        types += [ir.MemRefType(a.value.type).element_type for a in (*read, *(s.access for s in self.stores))]
        return max(_WIDTHS.get(str(t), 1) for t in types)

    def with_loops(self, dims: Sequence[int]) -> Program:
        """The same with its loops in another order."""
        nest = _as_nest(self).with_dims(dims)
        return _with_accesses(self, nest)


_WIDTHS = {str(d): d.width for d in DType}


def read_program(nests: Sequence[Nest]) -> Program | None:
    """The program of some operations without reductions over the same elements; None for anything else.

    A fill of what they write a part of may come first. Loops that can be one are one; the outermost is the one along
    which the first result moves furthest.
    """
    if len(nests) > 1 and nests[0].op.name == "linalg.fill":
        whole = nests[0].output.value
        if any(n.output.is_part_of(whole) for n in nests[1:]):
            return _framed(nests[0], [_on_whole(n, whole) for n in nests[1:]])
    ordered = [_along_output(n) for n in nests if n.is_elementwise]
    if len(ordered) != len(nests) or not nests:
        return None
    extents = ordered[0].extents
    if 0 in extents or any(n.extents != extents for n in ordered):
        return None
    reader = _Reader(extents)
    if not all(reader.take(n, original) for n, original in zip(ordered, nests)):
        return None
    program = reader.program()
    return None if program is None else _simplest(program)


def _on_whole(nest: Nest, whole: Any) -> Nest:
    """The operation with accesses to parts of `whole` as accesses to `whole` itself, at an offset."""

    def moved(a: Access) -> Access:
        return replace(a, value=whole, offset=a.offset + a.place, whole=None) if a.is_part_of(whole) else a

    return replace(nest, inputs=tuple(moved(a) for a in nest.inputs), output=moved(nest.output))


def _framed(fill: Nest, nests: Sequence[Nest]) -> Program | None:
    """The program of operations on a part of what `fill` has filled; None if something else is stored or read of it."""
    p = read_program(nests)
    whole = fill.output.value
    if p is None or not p.extents or len(p.stores) != 1:
        return None
    *reads, a = p.accesses
    if fill.output.extent(fill.extents) != prod(fill.extents) or a.value != whole:
        return None
    if any(r.value == whole or not (r.apart or a.apart) for r in reads):
        return None
    before, after = [], []
    start, size, rest = 0, prod(fill.extents), a.offset  # the region of a loop, and its first iteration in it
    for d, (n, step) in enumerate(zip(p.extents, a.strides)):
        last = d == len(p.extents) - 1
        first = rest if last else rest // step * step
        end = first + ((n - 1) * step + 1 if last else n * step)
        if end > size:
            return None
        before.append((start, first))
        after.append((start + end, size - end))
        start, size, rest = start + first, step, rest - first
    return replace(p, frame=Frame(fill.inputs[0].value, tuple(before), tuple(after)))


def _along_output(nest: Nest) -> Nest:
    """The nest without loops of one iteration, and with the others in the order of the result's memory."""
    dims = [d for d, n in enumerate(nest.extents) if n != 1]
    return nest.with_dims(sorted(dims, key=lambda d: -nest.output.strides[d]))


class _Reader:
    """Collects nodes over the loops `extents`."""

    def __init__(self, extents: tuple[int, ...]) -> None:
        self.extents = extents
        self.nodes: list[Node] = []
        self.known: dict[Node, int] = {}  # reads and values from outside -> their numbers
        self.made: dict[Any, Store] = {}  # memref -> what the operations so far have left there
        self.count = 0
        self.conflict = False

    def take(self, nest: Nest, original: Nest) -> bool:
        """Add an operation; `original` has its loops as the body numbers them. False if it is no arithmetic."""
        self.count += 1
        env: dict[Any, int] = {}
        *arguments, before = nest.arguments()
        *body, last = nest.body()
        for a, argument in zip(nest.inputs, arguments):
            env[argument] = self._element(a)
        if any(before in list(o.operands) for o in (*body, last)):
            env[before] = self._element(nest.output)
        loops = self._loops(nest, original)
        indices: dict[Any, int | None] = {}  # result of linalg.index -> the loop, None if it has one iteration
        for o in body:
            if o.name == "linalg.index":
                indices[o.result] = loops[o.attributes["dim"].value]
            elif o.name == "memref.load":
                node = self._gathered(o, env, indices)
                if node is None:
                    return False
                env[o.result] = node
            elif o.name.startswith(PURE) and len(o.results) == 1 and not len(o.regions):
                if any(v in indices for v in o.operands):
                    return False
                env[o.result] = self._add(Computed(o, tuple(self._node(v, env) for v in o.operands)))
            else:
                return False
        if last.name != "linalg.yield" or last.operands[0] in indices:
            return False
        self.made[nest.output.value] = Store(self._node(last.operands[0], env), nest.output)
        return True

    def _loops(self, nest: Nest, original: Nest) -> list[int | None]:
        """For each loop of the body its number here."""
        dims = [d for d, n in enumerate(original.extents) if n != 1]
        dims.sort(key=lambda d: -original.output.strides[d])
        return [dims.index(d) if d in dims else None for d in range(len(original.extents))]

    def _element(self, a: Access) -> int:
        if not a.is_memory:
            return self._add(Given(a.value))
        made = self.made.get(a.value)
        if made is None:
            return self._add(Read(a))
        if made.access != a:
            self.conflict = True  # read at another index than it was written
        return made.node

    def _node(self, v: Any, env: dict[Any, int]) -> int:
        return env[v] if v in env else self._add(Given(v))

    def _add(self, n: Node) -> int:
        if isinstance(n, Computed):
            self.nodes.append(n)
            return len(self.nodes) - 1
        if n not in self.known:
            self.known[n] = len(self.nodes)
            self.nodes.append(n)
        return self.known[n]

    def _gathered(self, load: Any, env: dict[Any, int], indices: dict[Any, int | None]) -> int | None:
        """`memref.load` whose indices are loops and computed numbers."""
        memref, *places = load.operands
        t = ir.MemRefType(memref.type)
        if not t.has_static_shape or memref in self.made:
            return None
        strides, offset = t.get_strides_and_offset()
        if ir.ShapedType.get_dynamic_stride_or_offset() in (*strides, offset):
            return None
        steps, rows = [0] * len(self.extents), []
        for v, s in zip(places, strides):
            if v in indices:
                d = indices[v]
                if d is not None:
                    steps[d] += s
            else:
                rows.append((self._node(v, env), s))
        return self._add(Read(Access(memref, tuple(steps)), tuple(rows)))

    def program(self) -> Program | None:
        """All of it; None if one operation might see too early or too late what another one writes."""
        stores = [s for v, s in self.made.items() if isinstance(v, ir.BlockArgument)]
        if self.conflict or not stores:
            return None
        program = Program(self.extents, tuple(self.nodes), tuple(stores))
        if self.count > 1:
            for n, s in enumerate(stores):
                others = [*program.accesses[: -len(stores)], *(t.access for t in stores[n + 1 :])]
                for a in others:
                    if a.value == s.access.value:
                        if replace(a, apart=s.access.apart) != s.access:
                            return None
                    elif not a.apart and not s.access.apart:
                        return None
        return program


def _as_nest(p: Program) -> Nest:
    *inputs, output = p.accesses
    return Nest(None, p.extents, (False,) * len(p.extents), tuple(inputs), output)


def _with_accesses(p: Program, nest: Nest) -> Program:
    accesses = iter(nest.accesses)
    nodes = tuple(replace(n, access=next(accesses)) if isinstance(n, Read) else n for n in p.nodes)
    return replace(
        p, extents=nest.extents, nodes=nodes, stores=tuple(replace(s, access=next(accesses)) for s in p.stores)
    )


def _simplest(p: Program) -> Program:
    nest = _as_nest(p)
    return _with_accesses(p, nest.with_loops(ordered(nest.loops, -len(p.stores))))


def blocks(n: int, size: int) -> list[tuple[int, int, int]]:
    """Start, end and step of the loop over whole blocks of `size` in 0 … n, and of the one over what is left."""
    whole = n // size * size
    return [part for part in ((0, whole, size), (whole, n, n - whole)) if part[0] < part[1]]
