"""Traces a function into a module, once for each structure, shape and dtype of its arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from ..ir import Builder, MindError, Module, TensorType, np
from ..ir.gc import without_gc
from ..runtime.native_executable import MISSED, Attempt, NativeExecutable
from .memo import remember
from .operands import Operand
from .place import error
from .program import Options, Program
from .retraced import at_users_line
from .shortcut import Shortcut, shortcut
from .statics import Statics
from .trace_builder import TraceBuilder, active, trace_of
from .tracer import Tracer
from .trees import Static, Tree, argument_names, argument_paths, as_arrays, flatten, result_paths, type_of

if TYPE_CHECKING:
    import numpy

SPECIALISATIONS = 256
"""For how many structures, shapes and dtypes of arguments one function keeps the result of tracing."""

_C_ORDERED_AND_ALIGNED = 0x0101
_ndarray = np.ndarray


@dataclass(frozen=True)
class Traced:
    """A function as a module: it has Inputs for the leaves of `(args, kwargs)`, then for captures."""

    name: str
    module: Module
    captured: tuple[Operand, ...]
    tree: Tree
    types: tuple[TensorType, ...]
    out_tree: Tree

    @property
    def out_types(self) -> tuple[TensorType, ...]:
        """The types of the result's leaves."""
        return self.module.output_types

    def closed_module(self) -> Module:
        """The module with constants instead of the Inputs for captured arrays."""
        m = self.module
        replaced = {o.id: a for o, a in zip(m.inputs[len(self.types) :], self.captured) if not isinstance(a, Tracer)}
        b = Builder()
        for o in m.operations:
            if o.opcode == "Input" and o.id in replaced:
                b.constant(replaced[o.id])
                continue
            for r, v in zip(o.results, b.append(o.op, o.operands, o.types)):
                b.place(v, r.sharding)
        return replace(m, operations=tuple(b.operations))


@without_gc
def trace_function(
    fn: Callable[..., Any], tree: Tree, types: Sequence[TensorType], trace: TraceBuilder | None = None
) -> Traced:
    """Call `fn` with traced values for the leaves of `(args, kwargs)`, those of a new trace or of the one given.

    Its exceptions are raised unchanged. E6009 for a result that is no array, E6011 for a value of a trace that has
    ended.
    """
    trace = trace or TraceBuilder(Tracer)
    inputs = [trace.input(name, type) for name, type in zip(argument_names(fn, tree), types)]
    nested: Any = tree.unflatten(inputs)
    args, kwargs = nested
    args = [a.value if isinstance(a, Static) else a for a in args]
    kwargs = {name: a.value if isinstance(a, Static) else a for name, a in kwargs.items()}
    with active(trace):
        result = fn(*args, **kwargs)
        leaves, out_tree = flatten(result)
        arrays = as_arrays(leaves, lambda: result_paths(out_tree))
        trace_of(arrays)  # E6011
        outputs = [trace.lift(a) for a in arrays]
    module = trace.finish(outputs, trace.gradients)
    return Traced(name_of(fn), module, tuple(trace.captured), tree, tuple(types), out_tree)


def name_of(fn: Callable[..., Any]) -> str:
    """The name of a function in messages."""
    name = getattr(fn, "__name__", None) or type(fn).__name__
    return "the function" if name == "<lambda>" else str(name)


def check_function(fn: object) -> None:
    """E6009 unless this is a function."""
    if not callable(fn):
        help = "pass the function itself: grad(f)(x), not grad(f(x))"
        raise error("E6009", f"a function is expected, found a {type(fn).__name__}", help=help)


def leaves_of(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[list[Operand], Tree, list[TensorType]]:
    """The leaves of `(args, kwargs)`, their structure and types. E6009 for values that cannot be leaves."""
    check_function(fn)
    leaves, tree = flatten((tuple(args), kwargs))
    arrays: list[Operand] = list(as_arrays(leaves, lambda: argument_paths(fn, tree)))
    return arrays, tree, [type_of(a) for a in arrays]


class Runner(Protocol):
    """A transformed function, which takes the leaves of the arguments, then the captures."""

    def __call__(self, values: Sequence[Operand]) -> Any:
        """The result for arrays and traced values."""

    def on_arrays(self, values: Sequence[numpy.ndarray]) -> Any:
        """The result for arrays alone."""

    def attempt(self) -> tuple[Attempt, Tree] | None:
        """A fast call for arrays that fit, and the structure of its result; None while there is none."""


class ProgramRunner:
    """A Runner whose result is that of one module."""

    def __init__(self, module: Module, out_tree: Tree, options: Options) -> None:
        self.program, self.out_tree = Program(module, options), out_tree

    def __call__(self, values: Sequence[Operand]) -> Any:
        """The result for arrays and traced values."""
        return self.out_tree.unflatten(self.program(values))

    def on_arrays(self, values: Sequence[numpy.ndarray]) -> Any:
        """The result for arrays alone."""
        return self.out_tree.unflatten(self.program.run(*values))

    def attempt(self) -> tuple[Attempt, Tree] | None:
        """A fast call of the program, and the structure of its result; None while there is none."""
        run = self.program.run
        attempt = run.attempt() if isinstance(run, NativeExecutable) else None
        return None if attempt is None else (attempt, self.out_tree)


class _Specialised:
    """A function, traced and transformed for one structure, shape and dtype of its arguments."""

    def __init__(self, runner: Runner, captured: tuple[Operand, ...]) -> None:
        self.runner, self.captured = runner, captured
        self._shortcut: Shortcut | None = None
        self._is_asked = False

    def shortcut(self, tree: Tree) -> Shortcut | None:
        """A fast call for arrays of this structure; None while there is none."""
        if self._shortcut is None and not self._is_asked and (found := self.runner.attempt()) is not None:
            attempt, out_tree = found
            self._shortcut = shortcut(attempt, tree, self.captured, out_tree)
            self._is_asked = True
        return self._shortcut


@dataclass(frozen=True)
class Transformed:
    """The function that a transform was made of, as an attribute of the result."""

    fn: Callable[..., Any]


class Staged:
    """A function under a transform, with what was made for each structure, shape and dtype of its arguments."""

    __slots__ = ("build", "fn", "known", "last", "static")

    def __init__(self, fn: Callable[..., Any], build: Callable[[Traced], Runner], static: Statics | None) -> None:
        self.fn, self.build, self.static = fn, build, static
        self.known: dict[tuple[Any, ...], _Specialised] = {}
        self.last: Shortcut | None = None
        """A fast call for arguments like those of the last call, which need not be looked up."""

    def run(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The result of a call; the function is traced if there was no call with such arguments."""
        if self.static is not None:
            args, kwargs = self.static.marked(args, kwargs)
        leaves, tree = flatten((args, kwargs))
        key = self.key(tree, leaves)
        if key is None or (found := self.known.get(key)) is None:
            return self.find(leaves, tree)
        try:
            result = found.runner.on_arrays([*leaves, *found.captured])  # type: ignore[list-item]
        except MindError as why:
            raise self.explained(why, leaves, tree) from None
        self.last = found.shortcut(tree)
        return result

    def key(self, tree: Tree, leaves: list[Any]) -> tuple[Any, ...] | None:
        """The key for looking up arrays; None if a leaf is no plain array, in C order and aligned."""
        key: list[Any] = [tree]
        for a in leaves:
            if type(a) is not _ndarray or a.flags.num & _C_ORDERED_AND_ALIGNED != _C_ORDERED_AND_ALIGNED:
                return None
            key += (a.dtype, a.shape)
        return tuple(key)

    def find(self, leaves: list[Any], tree: Tree) -> Any:
        """The result for leaves of any kind: traced values, scalars, arrays in another layout."""
        arrays = as_arrays(leaves, lambda: argument_paths(self.fn, tree))
        key = (tree, *(part for a in arrays for part in (a.dtype, a.shape)))
        found = self.known.get(key)
        if found is None:
            found = self.trace(key, arrays)
        try:
            return found.runner([*arrays, *found.captured])
        except MindError as why:
            raise self.explained(why, arrays, tree) from None

    def explained(self, error: MindError, leaves: Sequence[Any], tree: Tree) -> MindError:
        """An error of compiled code, at the user's line where that is found."""
        if error.code != "E6001" or trace_of(leaves) is not None:
            return error
        fn, types = self.fn, [type_of(a) for a in leaves]
        while isinstance(inner := getattr(fn, "transformed", None), Transformed):
            fn = inner.fn  # a transform takes the arguments of the function
        return at_users_line(error, lambda trace: trace_function(fn, tree, types, trace), leaves)

    def trace(self, key: tuple[Any, ...], arrays: Sequence[Operand]) -> _Specialised:
        """Trace and transform the function for such operands; keep it unless it captures values of an outer trace."""
        traced = trace_function(self.fn, key[0], [type_of(a) for a in arrays])
        found = _Specialised(self.build(traced), traced.captured)
        if any(isinstance(c, Tracer) for c in traced.captured):
            return found
        return remember(self.known, key, found, SPECIALISATIONS)


def staged(
    fn: Callable[..., Any], build: Callable[[Traced], Runner], static: Statics | None = None
) -> Callable[..., Any]:
    """`fn` under a transform, which is traced when it is called with arguments unlike earlier ones.

    E6009 unless it is a function.
    """
    check_function(fn)
    state = Staged(fn, build, static)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        if (again := state.last) is not None:
            try:
                if (result := again(args, kwargs)) is not MISSED:
                    return result
            except MindError:  # it is the same in `run`, and explained there
                pass
        return state.run(args, kwargs)

    call.transformed = Transformed(fn)  # type: ignore[attr-defined]
    return call
