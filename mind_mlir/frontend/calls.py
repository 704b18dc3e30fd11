"""The operations of functions with a rule of their own.  They exist only between tracing and running.

    Call           one result of a function, which has a rule for its derivative
    CallTangent    its tangent, where the rule is the reverse one: linear in the tangents, and its adjoint is the rule

`plain` puts the function's body in place of a Call.  A CallTangent goes when it is transposed; in forward mode
`forward` puts the rule in its place, transposed: x̄ = Jᵀȳ, as a function of ȳ, gives ẏ = Jẋ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from ..ir import Builder, Linearity, MindError, Module, Op, TensorType, Value, ValueId
from ..passes import canonicalize, transpose
from ..passes.propagate import differential
from .place import error


@contextmanager
def rule_errors() -> Iterator[None]:
    """Let the user's errors in rules out of passes as they are."""
    try:
        yield
    except RuleError as why:
        raise why.error from None


class RuleError(Exception):
    """An error in a rule of the user's, on its way through the passes, which would give it another place."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


@dataclass(frozen=True, eq=False)
class Function:
    """A traced function with a rule.  Rules are traced when they are first needed."""

    name: str
    rule_name: str
    body: Module
    trace_rule: Callable[[Function], Module]
    """The rule as a module.

    Inputs: the arguments, the results, then tangents of the float arguments (forward) or cotangents of the float
    results (reverse).  Outputs: tangents of the float results, or gradients of the float arguments.
    """
    is_forward: bool

    @property
    def in_types(self) -> tuple[TensorType, ...]:
        """The types of the arguments' leaves."""
        return tuple([o.type for o in self.body.inputs])

    @property
    def out_types(self) -> tuple[TensorType, ...]:
        """The types of the results' leaves."""
        return self.body.output_types

    @cached_property
    def plain_body(self) -> Module:
        """The body without calls."""
        return plain(self.body)

    @cached_property
    def rule(self) -> Module:
        """The rule as a module, canonical.  E5001 for a forward rule that is not linear in the tangents."""
        try:
            module = canonicalize(self.trace_rule(self))
            if self.is_forward:
                arguments, _, tangents = self._inputs(module)
                pairs = tuple(zip(arguments, tangents))
                self._check_linear(replace(module, tangents=pairs), "tangents", "only * by other values, + and - are")
        except Exception as why:
            raise RuleError(why) from None
        return module

    @cached_property
    def forward_rule(self) -> Module:
        """A reverse rule transposed.  Inputs: arguments, results, tangents of the float arguments.

        Outputs: the float arguments, then the tangents of the float results.  E5001 if the rule is not linear in the
        cotangents.
        """
        module = self.rule
        arguments, results, cotangents = self._inputs(module)
        pairs = tuple(zip(results, cotangents))
        module = replace(module, outputs=(*arguments, *module.outputs), tangents=pairs)
        self._check_linear(module, "cotangents", "forward mode needs that; mind.custom_jvp takes a rule of its own")
        return canonicalize(transpose(module, seed="input"), verified=True)

    def _inputs(self, rule: Module) -> tuple[list[ValueId], list[ValueId], list[ValueId]]:
        """Inputs of the rule: those for the float arguments, for the float results, and the rest."""
        inputs = [o.id for o in rule.inputs]
        m, n = len(self.in_types), len(self.in_types) + len(self.out_types)
        floats = [[i for i in part if rule[i].type.dtype.is_float] for part in (inputs[:m], inputs[m:n])]
        return floats[0], floats[1], inputs[n:]

    def _check_linear(self, module: Module, in_what: str, help: str) -> None:
        try:
            differential(module)
        except MindError as why:
            message = f"rule {self.rule_name} of {self.name} is not linear in its {in_what}"
            raise error("E5001", message, note=why.message, help=help) from None


class _FrontEndOp(Op):
    """Not in the vocabulary: never written, never run."""

    kinds: ClassVar[dict[str, Any]] = {}
    defaults: ClassVar[dict[str, Any]] = {}
    attribute_names = ()
    foldable = False
    core_v1 = False

    def attribute_pieces(self) -> Iterator[str]:
        """What an error shows of it."""
        yield f'function = "{self.function.name}"'  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Call(_FrontEndOp):
    """Result `index` of a function on its arguments."""

    function: Function
    index: int

    opcode = "Call"
    linearity = Linearity.NONLINEAR

    @property
    def operand_names(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f"x{n}" for n in range(len(self.function.in_types)))

    def infer_type(self, *operands: Any, **_: Any) -> TensorType:
        assert operands == self.function.in_types, f"{self.function.name} was traced for other types"
        return self.function.out_types[self.index]

    def jvp(
        self, b: Builder, primals: tuple[Value, ...], tangents: tuple[Value | None, ...], result: Value
    ) -> Value | None:
        f = self.function
        results = [result if n == self.index else b.emit(Call(f, n), *primals) for n in range(len(f.out_types))]
        if not f.is_forward:
            moving = tuple(n for n, t in enumerate(tangents) if t is not None)
            rest = [t for t in tangents if t is not None]
            return b.emit(CallTangent(f, self.index, moving), *primals, *results, *rest)
        pairs = [(p, t) for p, t in zip(primals, tangents) if p.type.dtype.is_float]
        floats = [b.zeros(p.type) if t is None else t for p, t in pairs]
        env = b.replay(f.rule, [*primals, *results, *floats])
        return env[f.rule.outputs[_float_position(f.out_types, self.index)]]


@dataclass(frozen=True)
class CallTangent(_FrontEndOp):
    """The tangent of result `index` of a function with a reverse rule.

    Operands: the arguments, the results, and the tangents of the arguments that `moving` counts.
    """

    function: Function
    index: int
    moving: tuple[int, ...]

    opcode = "CallTangent"
    linearity = Linearity.EACH

    @property
    def held(self) -> int:
        """Operands before the tangents."""
        return len(self.function.in_types) + len(self.function.out_types)

    @property
    def operand_names(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f"x{n}" for n in range(self.held + len(self.moving)))

    def infer_type(self, *operands: Any, **_: Any) -> TensorType:
        return self.function.out_types[self.index]

    def linear_in(self, operands: frozenset[int]) -> bool:
        return min(operands) >= self.held

    def adjoint(self, b: Builder, ct: Value, operands: tuple[Value, ...], wrt: int) -> Value:
        f = self.function
        floats = [n for n, t in enumerate(f.out_types) if t.dtype.is_float]
        cotangents = [ct if n == self.index else b.zeros(f.out_types[n]) for n in floats]
        env = b.replay(f.rule, [*operands[: self.held], *cotangents])
        return env[f.rule.outputs[_float_position(f.in_types, self.moving[wrt - self.held])]]

    def tangent(self, b: Builder, operands: list[Value]) -> Value:
        """The same without this operation."""
        f = self.function
        given = dict(zip(self.moving, operands[self.held :]))
        floats = [n for n, t in enumerate(f.in_types) if t.dtype.is_float]
        tangents = [given[n] if n in given else b.zeros(f.in_types[n]) for n in floats]
        env = b.replay(f.forward_rule, [*operands[: self.held], *tangents])
        return env[f.forward_rule.outputs[len(floats) + _float_position(f.out_types, self.index)]]


def plain(m: Module) -> Module:
    """The module with the bodies of functions in place of their calls."""
    bodies: dict[tuple[Function, tuple[ValueId, ...]], dict[ValueId, Value]] = {}

    def body_of(b: Builder, op: Call, operands: list[Value]) -> Value:
        key = op.function, tuple([v.id for v in operands])
        if key not in bodies:
            bodies[key] = b.replay(op.function.plain_body, operands)
        return bodies[key][op.function.plain_body.outputs[op.index]]

    return _replaced(m, Call, body_of)


def forward(m: Module) -> Module:
    """The module with rules in place of the tangents of calls."""
    return _replaced(m, CallTangent, lambda b, op, operands: op.tangent(b, operands))


def _replaced(m: Module, kind: type[Any], make: Callable[[Builder, Any, list[Value]], Value]) -> Module:
    if not any(isinstance(o.op, kind) for o in m.operations):
        return m
    b = Builder(m.source)
    env: dict[ValueId, Value] = {}
    for o in m.operations:
        operands = [env[i] for i in o.operands]
        if isinstance(o.op, kind):
            env[o.id] = make(b, o.op, operands)
        else:
            env[o.id] = b.append(o.op, tuple([v.id for v in operands]), o.type, o.span)
    pairs = [[(env[x], env[y]) for x, y in table] for table in (m.gradients, m.tangents)]
    return b.finish([env[i] for i in m.outputs], *pairs)


def _float_position(types: tuple[TensorType, ...], index: int) -> int:
    """The place of `index` among those of a float dtype."""
    return sum(t.dtype.is_float for t in types[:index])
