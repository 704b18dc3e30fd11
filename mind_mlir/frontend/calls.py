"""The operations of functions with user-defined rules. They exist only between tracing and running.

    Call           the results of a function, which has a rule for its derivative
    CallTangent    their tangents, where the rule is the reverse one: linear in the tangents, its adjoint is the rule

`plain` replaces a Call by the function's body. A CallTangent is removed when it is transposed; in forward mode
`forward` replaces it by the transposed rule: x̄ = Jᵀȳ, as a function of ȳ, gives ẏ = Jẋ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..ir import Builder, Environment, Linearity, MindError, Module, Op, TensorType, Value, ValueId
from ..ir.kept import kept_property
from ..passes import canonicalize, transpose
from ..passes.propagate import differential, is_zero
from .place import error


@contextmanager
def rule_errors() -> Iterator[None]:
    """Within this, errors of the user's rules pass through passes unchanged."""
    try:
        yield
    except RuleError as why:
        raise why.error from None


class RuleError(Exception):
    """Wraps an error in a user's rule, so that passes do not give it another source location."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


@dataclass(frozen=True, eq=False)
class Function:
    """A traced function with a rule. Rules are traced when they are first needed."""

    name: str
    rule_name: str
    body: Module
    trace_rule: Callable[[Function], Module]
    """The rule as a module.

    Inputs: the arguments, the results, then tangents of the float arguments (forward) or cotangents of the float
    results (reverse). Outputs: tangents of the float results, or gradients of the float arguments.
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

    @kept_property
    def plain_body(self) -> Module:
        """The body without calls."""
        return plain(self.body)

    @kept_property
    def rule(self) -> Module:
        """The rule as a module, canonical. E5001 for a forward rule that is not linear in the tangents."""
        try:
            module = canonicalize(self.trace_rule(self))
            if self.is_forward:
                arguments, _, tangents = self._inputs(module)
                module = replace(module, tangents=tuple(zip(arguments, tangents)))
                self._check_linear(module, module.outputs, "tangents", _LINEAR)
        except Exception as why:
            raise RuleError(why) from None
        return module

    @kept_property
    def forward_rule(self) -> Module:
        """The rule, or a reverse rule transposed: x̄ = Jᵀȳ as a function of ȳ gives ẏ = Jẋ.

        Inputs: arguments, results, tangents of the float arguments. Outputs: tangents of the float results. E5001
        for a reverse rule that is not linear in the cotangents.
        """
        if self.is_forward:
            return self.rule  # type: ignore[no-any-return]
        arguments, results, cotangents = self._inputs(self.rule)
        gradients = self.rule.outputs
        pairs = tuple(zip(results, cotangents))
        module = replace(self.rule, outputs=(*arguments, *gradients), tangents=pairs)
        self._check_linear(module, gradients, "cotangents", _FORWARD)
        module = transpose(module, seed="input")
        module = replace(module, outputs=module.outputs[len(arguments) :], gradients=())
        module = canonicalize(module, verified=True)
        arguments, _, tangents = self._inputs(module)
        return replace(module, tangents=tuple(zip(arguments, tangents)))

    def tangents(self, b: Builder, held: Sequence[Value], tangents: Sequence[Value | None]) -> list[Value | None]:
        """The tangents of the float results for those of the float arguments; None is zero.

        `held` are the arguments and the results.
        """
        still = tuple([n for n, t in enumerate(tangents) if t is None])
        if still not in self._partial:
            self._partial[still] = _without(self.forward_rule, [self.forward_rule.tangents[n][1] for n in still])
        module = self._partial[still]
        env = b.replay(module, [*held, *[t for t in tangents if t is not None]])
        return [None if is_zero(i, module.__getitem__) else env[i] for i in module.outputs]

    @kept_property
    def _partial(self) -> dict[tuple[int, ...], Module]:
        """Tangents that are zero -> the forward rule without them."""
        return {}

    def _inputs(self, rule: Module) -> tuple[list[ValueId], list[ValueId], list[ValueId]]:
        """The Inputs of a rule: those for the float arguments, for the float results, and the rest."""
        inputs = [o.id for o in rule.inputs]
        m, n = len(self.in_types), len(self.in_types) + len(self.out_types)
        floats = [[i for i in part if rule.values[i].type.dtype.is_float] for part in (inputs[:m], inputs[m:n])]
        return floats[0], floats[1], inputs[n:]

    def _check_linear(self, module: Module, results: tuple[ValueId, ...], in_what: str, help: str) -> None:
        message = f"rule {self.rule_name} of {self.name} is not linear in its {in_what}"
        try:
            linear = differential(module)
        except MindError as why:
            raise error("E5001", message, note=why.message, help=help) from None
        for n, i in enumerate(results):
            if i not in linear and not is_zero(i, module.__getitem__):
                raise error("E5001", message, note=f"part {n} of its result does not depend on them", help=help)


def _without(m: Module, still: Sequence[ValueId]) -> Module:
    """A linearized module without the tangents `still`, which are zero, and what depends only on them: 0·inf is NaN."""
    linear, zero = differential(m), set(still)
    b = Builder()
    env: dict[ValueId, Value] = {}

    def value(i: ValueId) -> Value:
        return b.zeros(m.values[i].type) if i in zero else env[i]

    for o in m.operations:
        through = [i for i in o.operands if i in linear]
        if through and zero.issuperset(through):
            zero.update(o.ids)
        elif zero.isdisjoint(o.ids):
            env.update(zip(o.ids, b.append(o.op, tuple([value(i).id for i in o.operands]), o.types)))
    return canonicalize(b.finish([value(i) for i in m.outputs]), verified=True)


_LINEAR = "use + and - on tangents, * by other values, and what moves or sums elements"
_FORWARD = "forward mode needs that; mind.custom_jvp takes a rule of its own"


class _FrontEndOp(Op):
    """The base class of operations outside of the vocabulary, which are never written and never run."""

    kinds: ClassVar[dict[str, Any]] = {}
    defaults: ClassVar[dict[str, Any]] = {}
    attribute_names = ()
    foldable = False
    core_v1 = False

    def attribute_pieces(self) -> Iterator[str]:
        """The attributes that an error shows."""
        yield f'function = "{self.function.name}"'  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Call(_FrontEndOp):
    """The results of a function on its arguments."""

    function: Function

    opcode = "Call"
    linearity = Linearity.NONLINEAR
    operand_names = ("*arguments",)
    result_names = ("*results",)

    def infer_type(self, *operands: Any, **_: Any) -> tuple[TensorType, ...]:
        assert operands == self.function.in_types, f"{self.function.name} was traced for other types"
        return self.function.out_types

    def jvp(
        self, b: Builder, primals: tuple[Value, ...], tangents: tuple[Value | None, ...], result: Any
    ) -> tuple[Value | None, ...] | Value | None:
        f = self.function
        results = result if isinstance(result, tuple) else (result,)
        if f.is_forward:
            floats = [t for p, t in zip(primals, tangents) if p.type.dtype.is_float]
            found = iter(f.tangents(b, [*primals, *results], floats))
        else:
            moving = tuple([n for n, t in enumerate(tangents) if t is not None])
            rest = [t for t in tangents if t is not None]
            found = iter(b.emit_all(CallTangent(f, moving), *primals, *results, *rest))
        out = tuple([next(found) if t.dtype.is_float else None for t in f.out_types])
        return out if isinstance(result, tuple) else out[0]


@dataclass(frozen=True)
class CallTangent(_FrontEndOp):
    """The tangents of the float results of a function with a reverse rule.

    Its operands are the arguments, the results, and the tangents of the arguments at the positions `moving`.
    """

    function: Function
    moving: tuple[int, ...]

    opcode = "CallTangent"
    linearity = Linearity.EACH
    operand_names = ("*operands",)
    result_names = ("*tangents",)

    @property
    def held(self) -> int:
        """The number of operands before the tangents."""
        return len(self.function.in_types) + len(self.function.out_types)

    def infer_type(self, *operands: Any, **_: Any) -> tuple[TensorType, ...]:
        return tuple([t for t in self.function.out_types if t.dtype.is_float])

    def linear_in(self, operands: frozenset[int]) -> bool:
        return min(operands) >= self.held

    def adjoints(self, b: Builder, ct: Any, operands: tuple[Value, ...], wrt: Sequence[int]) -> list[Value]:
        """The rule, once for all results and all arguments."""
        f = self.function
        cotangents = ct if isinstance(ct, tuple) else (ct,)
        given = [b.zeros(t) if x is None else x for t, x in zip(self.infer_type(), cotangents, strict=True)]
        env = b.replay(f.rule, [*operands[: self.held], *given])
        return [env[f.rule.outputs[float_position(f.in_types, self.moving[n - self.held])]] for n in wrt]

    def tangents(self, b: Builder, operands: list[Value]) -> list[Value]:
        """The tangent, computed without this operation."""
        f = self.function
        given = dict(zip(self.moving, operands[self.held :]))
        floats = [given.get(n) for n, t in enumerate(f.in_types) if t.dtype.is_float]
        found = f.tangents(b, operands[: self.held], floats)
        return [b.zeros(t) if v is None else v for t, v in zip(self.infer_type(), found, strict=True)]


def plain(m: Module) -> Module:
    """The module with calls replaced by the bodies of functions."""

    def body_of(b: Builder, op: Call, operands: list[Value]) -> list[Value]:
        body = op.function.plain_body
        return b.replay(body, operands).of(body.outputs)

    return _replaced(m, Call, body_of)


def forward(m: Module) -> Module:
    """The module with tangents of calls replaced by rules."""
    return _replaced(m, CallTangent, lambda b, op, operands: op.tangents(b, operands))


def _replaced(m: Module, kind: type[Any], make: Callable[[Builder, Any, list[Value]], list[Value]]) -> Module:
    if not any(isinstance(o.op, kind) for o in m.operations):
        return m
    b = Builder(m.source, m.mesh)
    env: Environment[Value] = Environment()
    for o in m.operations:
        if isinstance(o.op, kind):
            env.write(o, make(b, o.op, env.read(o)))
        else:
            b.repeat(o, env)
    return b.finish(env.of(m.outputs), env.pairs(m.gradients), env.pairs(m.tangents))


def float_position(types: tuple[TensorType, ...], index: int) -> int:
    """The position of `index` among those of a float dtype."""
    return sum(t.dtype.is_float for t in types[:index])
