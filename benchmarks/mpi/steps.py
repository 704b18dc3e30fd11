"""A gradient step, its layouts on a mesh, and what the compiler makes of it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import mind_mlir as mind
from mind_mlir import Mesh, P
from mind_mlir.ir import Module, PartitionSpec, TensorType
from mind_mlir.passes import canonicalize
from mind_mlir.passes.preflight import peak_memory
from mind_mlir.passes.sharding.partition import partitioned


@dataclass(frozen=True)
class Sizes:
    """The extents of a network of two layers, which is the feed-forward block of a transformer."""

    batch: int
    inputs: int
    hidden: int
    outputs: int

    @property
    def types(self) -> list[TensorType]:
        """The types of `loss`'s arguments."""
        batch, inputs, hidden, outputs = self.batch, self.inputs, self.hidden, self.outputs
        shapes = [(batch, inputs), (batch, outputs), (inputs, hidden), (hidden,), (hidden, outputs), (outputs,)]
        return [mind.f32(*shape) for shape in shapes]

    def __str__(self) -> str:
        return f"{self.batch:,} rows of {self.inputs:,} – {self.hidden:,} – {self.outputs:,}"


def loss(x: Any, y: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """The mean square error of two layers."""
    error = mind.relu(x @ w1 + b1) @ w2 + b2 - y
    return mind.mean(error * error)


def step() -> Callable[..., Any]:
    """A function that gives the loss and the gradients of all but `y`, also of x, as in the middle of a network."""
    return mind.value_and_grad(loss, (0, 2, 3, 4, 5))


@dataclass(frozen=True)
class Layout:
    """The shardings of the arguments of `loss`, and the extents that grow with the ranks."""

    name: str
    cuts: tuple[tuple[str, str], ...]
    """The axes of the mesh, each with the extent of `Sizes` that its ranks divide among them."""
    specs: tuple[PartitionSpec, ...]

    def mesh(self, ranks: int) -> Mesh:
        """The mesh of so many ranks; of two axes, the second has their square root, or the next power of two below."""
        axes = tuple(axis for axis, _ in self.cuts)
        if len(axes) == 1:
            return Mesh(axes, (ranks,))
        second = 1 << (ranks.bit_length() - 1) // 2
        return Mesh(axes, (ranks // second, second))

    def times(self, sizes: Sizes, ranks: int, share: int = 1) -> Sizes:
        """The sizes for `ranks` ranks that each have the share that `share` ranks would have of these."""
        to, of = self.mesh(ranks), self.mesh(share)
        grown = {e: getattr(sizes, e) * to.axis_size(a) // of.axis_size(a) for a, e in self.cuts}
        return replace(sizes, **grown)


ROWS, COLUMNS = P("dp", None), P(None, "tp")
WHOLE = (P(None, None), P(None), P(None, None), P(None))
# the first matrix by columns, the second by rows: Shoeybi et al., Megatron-LM, 2019
HIDDEN = (COLUMNS, P("tp"), P("tp", None), P(None))
LAYOUTS = (
    Layout("dp", (("dp", "batch"),), (ROWS, ROWS, *WHOLE)),
    Layout("tp", (("tp", "hidden"),), (P(None, None), P(None, None), *HIDDEN)),
    # parameters are cut as the rows are: Rajbhandari et al., ZeRO, 2020, stage 3
    Layout("fsdp", (("dp", "batch"),), (ROWS, ROWS, ROWS, P("dp"), ROWS, P(None))),
    Layout("dp × tp", (("dp", "batch"), ("tp", "hidden")), (ROWS, ROWS, *HIDDEN)),
)
"""Data parallel, tensor parallel, fully sharded data parallel, and the first two on a grid."""


def layouts_of(ranks: int) -> tuple[Layout, ...]:
    """The layouts that differ on so many ranks: a grid takes at least four."""
    return tuple(layout for layout in LAYOUTS if len(layout.cuts) == 1 or ranks >= 4)


@dataclass(frozen=True)
class Collective:
    """An operation between ranks of a local module; `nbytes` are the bytes that each rank holds before it."""

    opcode: str
    ranks: int
    nbytes: int


@dataclass(frozen=True)
class Program:
    """The figures of the module that each rank runs for a step."""

    flops: int
    """The multiplications and additions of its matrix products."""
    memory: int
    """The bytes that are live at once, arguments and results included."""
    collectives: tuple[Collective, ...]
    sent: int
    """The bytes that each rank sends in a ring, as `partitioned` counts them."""


def module(layout: Layout, sizes: Sizes, ranks: int) -> Module:
    """The step in global view, with its arguments sharded."""
    m = _traced(sizes)
    specs = dict(zip((o.id for o in m.inputs), layout.specs))
    placed = [o.with_shardings(specs) for o in m.operations]
    return replace(m, mesh=layout.mesh(ranks), operations=tuple(placed))


@functools.lru_cache(64)
def _traced(sizes: Sizes) -> Module:
    return mind.trace(step(), *sizes.types).module


@functools.lru_cache(256)
def program(layout: Layout, sizes: Sizes, ranks: int) -> Program:
    """The figures of the step after `partition`, counted in the module and not by formulas."""
    whole = partitioned(module(layout, sizes, ranks))
    local = canonicalize(whole.module, verified=True)
    flops, collectives = 0, []
    for o in local.operations:
        if o.opcode == "MatMul":
            flops += 2 * o.type.size * local[o.operands[0]].type.shape[-1]
        elif o.op.across_ranks and o.opcode != "ShardSlice":
            size: int = o.op.size  # type: ignore[attr-defined]
            collectives.append(Collective(o.opcode, size, local[o.operands[0]].type.nbytes))
    return Program(flops, peak_memory(local), tuple(collectives), sum(c.nbytes for c in whole.communication))
