"""User-defined rules for the derivative of a Python function."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..ir import Module, TensorType, np
from .calls import Call, Function
from .operands import Operand, is_scalar, operand, scalar
from .place import error
from .staging import Traced, check_function, leaves_of, name_of, trace_function
from .tangents import with_zeros
from .trace_builder import trace_of
from .tracer import Tracer
from .trees import Tree, flatten, flatten_with_none, nesting, type_of

Rule = Callable[[tuple[Any, ...], Any, Any], Any]


class _Custom:
    """A function with a rule, which is not used when it is called with arrays alone."""

    _is_forward: bool

    def __init__(self, fn: Callable[..., Any], rule: Rule | None = None) -> None:
        check_function(fn)
        if rule is not None:
            check_function(rule)
        functools.update_wrapper(self, fn)
        self._fn, self._rule = fn, rule
        self._known: dict[tuple[Any, ...], tuple[Function, Tree]] = {}

    def _define(self, rule: Rule) -> Rule:
        check_function(rule)
        self._rule = rule
        self._known.clear()
        return rule

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        trace = trace_of(flatten((args, kwargs))[0])
        if trace is None:
            return self._fn(*args, **kwargs)
        arrays, tree, types = leaves_of(self._fn, self._by_position(args, kwargs), {})
        function, out_tree = self._function(tree, types)
        operands = [trace.lift(a) for a in arrays]
        if not function.out_types:
            return out_tree.unflatten([])
        return out_tree.unflatten(trace.emit_all(Call(function), *operands))

    def _by_position(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if not kwargs:
            return args
        bound = inspect.signature(self._fn).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            name = next(iter(bound.kwargs))
            message = f"{name_of(self._fn)} has a rule and takes {name} by keyword alone"
            raise error("E6009", message, help="a rule gets the arguments by position")
        return bound.args

    def _function(self, tree: Tree, types: Sequence[TensorType]) -> tuple[Function, Tree]:
        key = (tree, *types)
        if (found := self._known.get(key)) is None:
            if self._rule is None:
                definer = "def_jvp" if self._is_forward else "def_vjp"
                raise error("E5001", f"{name_of(self._fn)} has no rule yet", help=f"give it one with {definer}")
            traced = trace_function(self._fn, tree, types)
            body = _closed(traced, name_of(self._fn))
            rule = self._rule
            function = Function(
                name_of(self._fn),
                name_of(rule),
                body,
                lambda f: _traced_rule(f, rule, tree, traced.out_tree),
                self._is_forward,
            )
            found = self._known.setdefault(key, (function, traced.out_tree))
        return found


class custom_vjp(_Custom):
    """A function with a user-defined reverse rule: `vjp_rule(primals, cotangent, output)`.

    `primals` is the tuple of arguments, `cotangent` is nested as the function's result, `output` is that result. The
    rule returns a tuple with the gradient of each argument, nested as the argument; None if there is none. It is
    written with traced values, and is differentiated itself for second derivatives. Forward mode (jvp, linearize,
    jacfwd) works as well if the rule is linear in the cotangent (E5001). For a function with several results, the
    rule is called for each alone, the cotangents of the others being zeros.

    >>> def clipped(primals, cotangent, output):
    ...     return (mind.where(mind.greater(cotangent, 1), 1, cotangent),)
    >>> identity = mind.custom_vjp(lambda x: x, clipped)
    >>> mind.grad(lambda x: 5 * identity(x))(2.0)
    array(1., dtype=float32)

    or, as a decorator:

    >>> @mind.custom_vjp
    ... def double(x):
    ...     return 2 * x
    >>> @double.def_vjp
    ... def rule(primals, cotangent, output):
    ...     return (3 * cotangent,)
    >>> mind.grad(double)(1.0)
    array(3., dtype=float32)

    Errors: E5001 without a rule, and for a function or rule that closes over a traced value; E5002 for a rule whose
    result does not match the arguments.
    """

    _is_forward = False

    def __init__(self, fn: Callable[..., Any], vjp_rule: Rule | None = None) -> None:
        super().__init__(fn, vjp_rule)

    def def_vjp(self, rule: Rule) -> Rule:
        """Set the rule; returns it, so that it serves as a decorator."""
        return self._define(rule)


class custom_jvp(_Custom):
    """A function with a user-defined forward rule: `jvp_rule(primals, tangents, output)`.

    `primals` is the tuple of arguments, `tangents` nested in the same way (zeros for integers), `output` the function's
    result. The rule returns the tangent of the result, nested as that; None for zeros. It is linear in the tangents
    (E5001 if not), so reverse mode transposes it.

    >>> @mind.custom_jvp
    ... def softplus(x):
    ...     return mind.log(1 + mind.exp(x))
    >>> @softplus.def_jvp
    ... def rule(primals, tangents, output):
    ...     return tangents[0] / (1 + mind.exp(-primals[0]))
    >>> mind.grad(softplus)(100.0)
    array(1., dtype=float32)
    """

    _is_forward = True

    def __init__(self, fn: Callable[..., Any], jvp_rule: Rule | None = None) -> None:
        super().__init__(fn, jvp_rule)

    def def_jvp(self, rule: Rule) -> Rule:
        """Set the rule; returns it, so that it serves as a decorator."""
        return self._define(rule)


def _traced_rule(f: Function, rule: Rule, in_tree: Tree, out_tree: Tree) -> Module:
    """The rule as a module; see `Function.trace_rule`."""
    moving = [t for t in (f.in_types if f.is_forward else f.out_types) if t.dtype.is_float]
    m, n = len(f.in_types), len(f.out_types)

    def flat(*leaves: Any) -> list[Any]:
        primals: Any = in_tree.unflatten(leaves[:m])[0]
        output = out_tree.unflatten(leaves[m : m + n])
        types, tree = (f.in_types, in_tree) if f.is_forward else (f.out_types, out_tree)
        nested: Any = tree.unflatten(with_zeros(leaves[m + n :], types))
        if f.is_forward:
            return _matching(f, rule(primals, nested[0], output), output, f.out_types, "result")
        return _matching(f, rule(primals, nested, output), primals, f.in_types, "argument")

    types = [*f.in_types, *f.out_types, *moving]
    traced = trace_function(flat, flatten((tuple(types), {}))[1], types)
    return _closed(traced, f.rule_name)


def _matching(f: Function, found: Any, like: Any, types: Sequence[TensorType], what: str) -> list[Any]:
    """The result of a rule, one value for each float leaf of `like`. E5002 if it does not match."""
    what_it_owes = f"{f.rule_name}, the rule of {f.name}, returns"
    if what == "argument" and not (isinstance(found, tuple) and len(found) == len(like)):
        returned = f"{len(found)} gradients" if isinstance(found, tuple) else f"a {type(found).__name__}"
        help = "return a tuple, with None where an argument has no gradient"
        raise error("E5002", f"{what_it_owes} {returned} for {len(like)} arguments", help=help)
    pairs = zip(found, like) if what == "argument" else [(found, like)]
    out: list[Any] = []
    for n, (part, expected) in enumerate(pairs):
        leaves, tree = flatten_with_none(expected)
        parts, part_tree = ([None] * len(leaves), tree) if part is None else flatten_with_none(part)
        if part_tree != tree:
            where = f" for argument {n}" if what == "argument" else ""
            raise error("E5002", f"{what_it_owes} {nesting(part_tree)}{where}, expected {nesting(tree)}")
        out += [p for p, leaf in zip(parts, leaves) if leaf is not None]
    return [
        _of_type(value, type, f"{what_it_owes} {{}} for {what} {n}, expected {type}")
        for n, (value, type) in enumerate(zip(out, types))
        if type.dtype.is_float
    ]


def _of_type(value: Any, type: TensorType, message: str) -> Operand:
    if value is None:
        return np.zeros(type.shape, type.dtype.numpy)
    what = "a rule's result"
    leaf: Any = scalar(what, value, type.dtype) if is_scalar(value) else operand(what, value)
    if (found := type_of(leaf)) != type:
        raise error("E5002", message.format(found))
    return leaf  # type: ignore[no-any-return]


def _closed(traced: Traced, name: str) -> Module:
    """The module with captured arrays as constants. E5001 if a traced value is captured."""
    if any(isinstance(c, Tracer) for c in traced.captured):
        message = f"{name} closes over a traced value, which a rule knows nothing of"
        raise error("E5001", message, help="pass it as an argument")
    return traced.closed_module()
