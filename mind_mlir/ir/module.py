"""A Core IR module: a flat, ordered, immutable list of operations. Spec: Core IR, IR module model.

A function is a name and a module, and is an attribute of operations of another module. So the two classes are in one
file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from .diagnostics import MindError, Reject, Source, Span, count, short
from .kept import kept_property
from .mesh import Mesh
from .operation import Operation, Result, ValueId
from .printer import body_digest, print_module
from .types import TensorType

FUNCTION_NAME = re.compile(r"[A-Za-z_][\w.$]*")
"""What may be the name of a function."""


@dataclass(frozen=True, repr=False)
class Module:
    """Operations in definition order, and the interface. Passes are functions Module -> Module.

    `gradients` maps differentiated values to their gradients, `tangents` Inputs to the Inputs that hold their
    tangents: the lines `gradients:` and `tangents:` at the end. `mesh` has the ranks for shardings: the line `mesh:` at
    the beginning. `notes` are remarks that are printed after operations.
    """

    operations: tuple[Operation, ...]
    outputs: tuple[ValueId, ...]
    gradients: tuple[tuple[ValueId, ValueId], ...] = ()
    tangents: tuple[tuple[ValueId, ValueId], ...] = ()
    mesh: Mesh | None = field(default=None, kw_only=True)
    source: Source | None = field(default=None, compare=False, repr=False)
    outputs_span: Span | None = field(default=None, compare=False, repr=False)
    gradients_span: Span | None = field(default=None, compare=False, repr=False)
    tangents_span: Span | None = field(default=None, compare=False, repr=False)
    mesh_span: Span | None = field(default=None, compare=False, repr=False)
    notes: Mapping[ValueId, str] = field(default_factory=dict, compare=False, repr=False)

    @kept_property
    def by_id(self) -> dict[ValueId, Operation]:
        """Value -> the operation that defines it."""
        return {r.id: o for o in self.operations for r in o.results}

    @kept_property
    def values(self) -> dict[ValueId, Result]:
        """Id -> the value, with its type and its sharding."""
        return {r.id: r for o in self.operations for r in o.results}

    @kept_property
    def inputs(self) -> tuple[Operation, ...]:
        """The Input operations, in order: the module's parameters."""
        return tuple(o for o in self.operations if o.op.opcode == "Input")

    @kept_property
    def last_use(self) -> dict[ValueId, int]:
        """For each value that is an operand, the position of the last operation that it is one of."""
        return {i: n for n, o in enumerate(self.operations) for i in o.operands}

    @kept_property
    def functions(self) -> tuple[Function, ...]:
        """Every function that operations hold, and that operations of these hold, each once, callees first."""
        return _callees_first(self)

    @property
    def every_operation(self) -> Iterator[Operation]:
        """The operations, and those of every function."""
        return itertools.chain(self.operations, *[f.body.operations for f in self.functions])

    def with_functions(self, new: Mapping[Function, Function]) -> Module:
        """The module with the functions that its own operations hold replaced."""
        changed = [replace(o, op=o.op.with_functions(new)) if o.op.function_attributes else o for o in self.operations]
        return replace(self, operations=tuple(changed))

    def with_bodies(self, change: Callable[[Module], Module]) -> Module:
        """The module with the body of every function changed, callees first."""
        new: dict[Function, Function] = {}
        for f in self.functions:
            new[f] = replace(f, body=change(f.body.with_functions(new)))
        return self.with_functions(new)

    @kept_property
    def output_types(self) -> tuple[TensorType, ...]:
        """The types of the outputs, in order."""
        return tuple(self.values[i].type for i in self.outputs)

    def __getitem__(self, id: ValueId) -> Operation:
        return self.by_id[id]

    def __len__(self) -> int:
        return len(self.operations)

    def __repr__(self) -> str:
        inputs = ", ".join([f"{o.op.name}: {o.type}" for o in self.inputs])  # type: ignore[attr-defined]
        values = self.values
        outputs = ", ".join([str(values[i].type) if i in values else f"%{i}" for i in self.outputs])
        return f"<Module of {count(len(self), 'operation')}: ({inputs}) -> ({outputs})>"

    def __str__(self) -> str:
        """The module's text."""
        return print_module(self)


@dataclass(frozen=True, eq=False, repr=False)
class Function:
    """A name and a body, which operations hold as an attribute; see function_kinds.py.

    The Inputs of the body are the parameters, its outputs the results. It knows nothing of where it is used: its ids
    are its own, and no value from outside is seen in it. Two of one name whose bodies are written alike are equal.
    Raises MindError E4017 for a name that text has no form for; `verify` judges the body.

    >>> step = Function("step", builder.finish([y]))
    """

    name: str
    body: Module
    span: Span | None = None
    """Where the body's source begins it: `func @step`."""
    digest: str = field(init=False)
    """The sha256 of its name and body, its functions included, in hex."""

    def __post_init__(self) -> None:
        if not isinstance(self.body, Module):
            raise TypeError(f"the body of a function is a Module, found {type(self.body).__name__}")
        if not isinstance(self.name, str) or not FUNCTION_NAME.fullmatch(self.name):
            shown = short(ascii(self.name))
            help = "a name is letters, digits and . _ $, no digit, . or $ first"
            raise MindError.of("E4017", f"{shown} is no name of a function", help=help)
        object.__setattr__(self, "digest", body_digest(self.name, self.body))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Function) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    @kept_property
    def in_types(self) -> tuple[TensorType, ...]:
        """Types of the parameters, in order."""
        return tuple([o.type for o in self.body.inputs])

    @property
    def out_types(self) -> tuple[TensorType, ...]:
        """Types of the results, in order. Reject E4003 if an output of the body is not defined."""
        if missing := [i for i in self.body.outputs if i not in self.body.values]:
            raise Reject("E4003", f"an output of @{self.name} is %{missing[0]}, which is not defined")
        return self.body.output_types

    def __repr__(self) -> str:
        return f"<Function @{self.name}: {self.body!r}>"


def _callees_first(m: Module) -> tuple[Function, ...]:
    """The functions of a module in the order in which they are written, by a walk that takes no stack."""
    found: dict[Function, None] = {}
    waiting = [iter(_held(m.operations))]
    entered: list[Function] = []
    while waiting:
        f = next(waiting[-1], None)
        if f is None:
            waiting.pop()
            if entered:
                found[entered.pop()] = None
        elif f not in found:
            entered.append(f)
            waiting.append(iter(_held(f.body.operations)))
    return tuple(found)


def _held(operations: Iterable[Operation]) -> list[Function]:
    """The functions that these operations hold themselves, each once, in order."""
    return list(dict.fromkeys([f for o in operations if o.op.function_attributes for f in o.op.functions()]))
