"""The emitter that `Op.lower` calls: groups of methods by MLIR's dialects, and what a function passes to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir import Function, Literal, Mesh, TensorType
from .block_sums import Reductions
from .collectives import Collectives
from .convolutions import Convolutions
from .emission import Emission
from .inlined import LowerOne, inlined
from .linalg_ops import LinalgOps
from .order import Order
from .pooling import Windows
from .rows import OnFailure, Rows
from .scans import Scans
from .slices import Slices
from .tensor_ops import TensorOps
from .tensors import elements_attribute


@dataclass(frozen=True)
class Scope:
    """What all operations of a function share."""

    numerics: str = "default"
    """strict, default or fast; see docs/numerics.md."""
    mesh: Mesh | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    """The function's arguments by the names of Inputs."""
    on_failure: OnFailure | None = None
    """Called if an index may be out of bounds; without it the function's status tells."""


class Emitter:
    """Emits one operation. Values are MLIR values of ranked tensor type with static shapes.

    tensor       makes, cuts and reshapes tensors
    linalg       fills, formulas over elements, named operations, contractions, transposes, padding
    convolution  convolutions and their adjoints
    reduction    sums and other reductions over axes
    window       windows that move over a tensor
    scan         elements joined with all before them along an axis
    rows         picks and adds rows by indices
    slices       reads and writes slices at positions that are known when they run
    order        sorts, and finds the largest elements
    shard        operations between ranks
    """

    __slots__ = ("_lower", "_scope", "emission", "linalg", "tensor")

    def __init__(self, scope: Scope, lower: LowerOne, types: Mapping[Any, TensorType] | None = None) -> None:
        """`lower` emits one operation of a function's body; `types` are those of the operands."""
        self._scope, self._lower = scope, lower
        self.emission = emission = Emission(types)
        self.tensor = tensor = TensorOps(emission)
        self.linalg = LinalgOps(emission, tensor)

    # made when they are used: few operations need them

    @property
    def convolution(self) -> Convolutions:
        return Convolutions(self.linalg)

    @property
    def reduction(self) -> Reductions:
        return Reductions(self.emission, self.tensor, self.linalg, self._scope.numerics)

    @property
    def window(self) -> Windows:
        return Windows(self.emission, self.tensor, self.linalg)

    @property
    def scan(self) -> Scans:
        return Scans(self.emission, self.tensor, self.reduction, self._scope.numerics)

    @property
    def rows(self) -> Rows:
        return Rows(self.emission, self.tensor, self.linalg, self._scope.on_failure)

    @property
    def shard(self) -> Collectives:
        return Collectives(self.emission, self._scope.mesh)

    @property
    def order(self) -> Order:
        return Order(self.emission, self.tensor)

    @property
    def slices(self) -> Slices:
        return Slices(self.emission, self.tensor, self.linalg, self._scope.on_failure)

    def type(self, v: Any) -> TensorType:
        """The Core type of an operand; of another value, with integers that have a sign."""
        return self.emission.type(v)

    def argument(self, name: str) -> Any:
        """The function argument for the Input of that name."""
        return self._scope.arguments[name]

    def inline(self, function: Function, operands: Sequence[Any]) -> tuple[Any, ...]:
        """The results of a function on operands: the operations of its body, emitted at the insertion point.

        What may fail in them may fail in the operation that is lowered.
        """
        results, failures = inlined(self._lower, function, operands)
        self.emission.failures += failures
        self.emission.is_repeatable = False
        return results

    def literal(self, data: Literal, t: TensorType) -> Any:
        """`arith.constant`, bit for bit."""
        return self.emission.create("arith.constant", [], t, {"value": elements_attribute(data, t)}).result
