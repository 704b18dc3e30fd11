"""Lowers a Core IR module in global view to linalg on tensors, with shardings in MLIR's dialect `shard`.

    %0 = Input {name = "x", sharding = [dp, _]} : tensor<f32[8, 16]>
    →  %s = shard.sharding @mind_mesh split_axes = [[0], []] : !shard.sharding
       %0 = shard.shard %x to %s : tensor<8x16xf32>

MLIR's own passes `sharding-propagation` and `shard-partition` start from there: docs/sharding.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mlir import ir

from ...ir import Mesh, MindError, Module, Operation, PartitionSpec, Reject, Result
from ...ir.diagnostics import MAX_ERRORS
from ...ir.places import place
from .collectives import GRID
from .to_linalg import to_linalg

UNREDUCED = "mind.unreduced"
"""The attribute of a sharding with the axes over which Core IR adds later; MLIR adds where the sum is made."""


def to_shard(m: Module, context: Any = None, name: str = "main", numerics: str = "default", threads: int = 1) -> Any:
    """Lower a verified module as `to_linalg`, and annotate its shardings; returns an `mlir.ir.Module`.

    Inputs without a sharding are whole on every rank. A module with operations between ranks, as `partition` makes it,
    is for one rank: it has no shardings, and is lowered as by `to_linalg`.

    Raises MindError: as `to_linalg`, E8002 without a mesh of one axis or more, E8006 for shardings beside operations
    between ranks, E6003 for an Input or an output that is a sum of what ranks hold.
    """
    mesh = _mesh(m)
    across = [o for o in m.operations if o.op.across_ranks]
    if not across:
        _check_interface(m)
        return to_linalg(m, context, name, numerics, threads, _Annotations(mesh).annotated)
    if any(_spec(o, r) is not None for o in m.operations for r in o.results):
        message = f"{across[0].opcode} occurs beside shardings"
        help = "shardings are for a module in global view, operations between ranks for what one rank runs"
        raise MindError([place(m, across[0], Reject("E8006", message, help=help))])
    return to_linalg(m, context, name, numerics, threads)


def _mesh(m: Module) -> Mesh:
    if m.mesh is None or not m.mesh.axis_names:
        what = "module has no mesh" if m.mesh is None else "mesh has no axes"
        raise MindError.of("E8002", f"the {what}", help="a line such as `mesh: dp = 2` names the axes")
    return m.mesh


def _check_interface(m: Module) -> None:
    """E6003 for partial sums that callers pass or get. Between operations MLIR handles them itself."""
    help = "partition, then lower-to-linalg, has the dialect's operations between ranks"
    errors = []
    made = [(o, r) for o in m.operations for r in o.results]
    for o, r in made:
        spec = _spec(o, r)
        if spec is not None and spec.unreduced and (o.opcode == "Input" or r.id in m.outputs):
            what = "an Input" if o.opcode == "Input" else "an output"
            message = f"MLIR's dialect shard has no partial sums, {what} is sharded as {spec}"
            at = "to" if o.op.placement is not None else "sharding" if len(o.results) == 1 else "shardings"
            errors.append(place(m, o, Reject("E6003", message, help=help, at=at)))
    if errors:
        raise MindError(errors[:MAX_ERRORS])


def _spec(o: Operation, r: Result) -> PartitionSpec | None:
    """The sharding that an operation gives a result; None if it gives none."""
    return r.sharding if o.op.placement is None else o.op.placement


@dataclass
class _Annotations:
    """Writes `shard.shard` after values, and remembers which it has annotated."""

    mesh: Mesh
    shardings: dict[PartitionSpec, Any] = field(default_factory=dict)
    lies: dict[Any, PartitionSpec | None] = field(default_factory=dict)

    def annotated(self, o: Operation, r: Result, value: Any) -> Any:
        """The value with its sharding.

        The first annotation is the sharding with which a value is made. That of Reshard, and of an operation that
        computes nothing, is the sharding with which its operand is used from then on: MLIR moves values between them.
        """
        spec = _spec(o, r)
        if spec is None and o.opcode == "Input":
            spec = PartitionSpec.replicated(r.type.rank)
        for_users = o.op.placement is not None or value in self.lies
        lies = self.lies.setdefault(value, None)
        if spec in (None, lies):
            return value
        made = ir.Operation.create(
            "shard.shard",
            results=[value.type],
            operands=[value, self._sharding(spec)],
            attributes={"annotate_for_users": ir.UnitAttr.get()} if for_users else {},
        ).result
        self.lies[made] = spec
        return made

    def _sharding(self, spec: PartitionSpec) -> Any:
        """`shard.sharding`, written once for each spec."""
        if spec not in self.shardings:
            self.shardings[spec] = ir.Operation.create(
                "shard.sharding",
                results=[ir.Type.parse("!shard.sharding")],
                attributes=self._attributes(spec),
            ).result
        return self.shardings[spec]

    def _attributes(self, spec: PartitionSpec) -> dict[str, Any]:
        cuts = [[self.mesh.axis_names.index(a) for a in axes] for axes in spec.axes]
        attributes = {
            "grid": ir.FlatSymbolRefAttr.get(GRID),
            "split_axes": ir.Attribute.parse(f"#shard<axisarray{cuts or [[]]}>"),  # MLIR's parser wants one list
            "static_halo_sizes": ir.DenseI64ArrayAttr.get([]),
            "static_sharded_dims_offsets": ir.DenseI64ArrayAttr.get([]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
        }
        if spec.unreduced:
            attributes[UNREDUCED] = ir.ArrayAttr.get([ir.StringAttr.get(a) for a in spec.unreduced])
        return attributes
