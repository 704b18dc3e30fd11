"""The table that compiled code with operations between ranks reads: i64 entries, filled at run time.

0 …      addresses of MPI_Allreduce, MPI_Allgather, MPI_Reduce_scatter_block, MPI_Alltoall
then     MPI's handles of the element types, in their order; of sum, max, min
then     for each axis of the mesh: the rank's coordinate, and the handle of the communicator along it
"""

from __future__ import annotations

from ...ir import DType, Module

TABLE = "mind_ranks"
"""The global that holds the table's address."""

SET_RANKS = "mind_set_ranks"
"""The function that sets it."""

FUNCTIONS = {
    "all_reduce": "MPI_Allreduce",
    "all_gather": "MPI_Allgather",
    "reduce_scatter": "MPI_Reduce_scatter_block",
    "all_to_all": "MPI_Alltoall",
}
DTYPES = tuple(d.value for d in DType)
REDUCTIONS = ("sum", "max", "min")

_ENTRIES = (*FUNCTIONS, *DTYPES, *REDUCTIONS)
_OF_AXIS = ("coordinate", "communicator")


def needs_ranks(m: Module) -> bool:
    """True for a module with operations between several ranks: its code has `mind_set_ranks`, even if none is left."""
    return any(o.op.across_ranks and o.op.size > 1 for o in m.operations)  # type: ignore[attr-defined]


def set_ranks_name(function: str) -> str:
    """The name of `mind_set_ranks` in a library that exports `function`."""
    return f"{function}_set_ranks"


def entry(name: str) -> int:
    """The index of the entry for a function, an element type or a reduction."""
    return _ENTRIES.index(name)


def axis_entry(axis: int, name: str) -> int:
    """The index of the entry for the coordinate or the communicator of an axis."""
    return len(_ENTRIES) + len(_OF_AXIS) * axis + _OF_AXIS.index(name)


def table_size(axes: int) -> int:
    """The number of entries in the table for a mesh of so many axes."""
    return axis_entry(axes, "coordinate")
