"""`jit` on a mesh: traces a function once, partitions it, and runs it on every rank. docs/sharding.md."""

from __future__ import annotations

import functools
import inspect
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MethodType
from typing import Any, TypeAlias

import optree

from ..ir import (
    OPS,
    Builder,
    Environment,
    Mesh,
    MindError,
    Module,
    PartitionSpec,
    Reject,
    Sharding,
    TensorType,
    Value,
    ValueId,
    np,
)
from ..passes import canonicalize
from ..runtime.mpi.compiled import CompiledForRanks, compile_for_ranks
from ..runtime.mpi.measured import Preference, check_preference
from ..runtime.mpi.pieces import piece
from ..runtime.mpi.ranks import ranks_of
from ..runtime.mpi.sharded_array import ShardedArray, shard
from .calls import plain
from .memo import Memo
from .meshed import Meshed
from .place import error, located
from .program import Options
from .staging import SPECIALISATIONS, Traced, check_function, name_of, trace_function
from .statics import Statics
from .trace_builder import apply
from .tracer import Tracer
from .trees import NAMESPACE, Static, Tree, argument_paths, as_arrays, flatten, nesting, result_paths, type_of

Placement: TypeAlias = "PartitionSpec | Sharding | None"
"""The sharding of a value; None leaves it open."""


class _Meshes(threading.local):
    """The meshes of the functions that are being traced in this thread, the innermost last."""

    def __init__(self) -> None:
        self.active: list[Mesh] = []


_meshes = _Meshes()


@contextmanager
def _tracing_on(mesh: Mesh) -> Iterator[None]:
    _meshes.active.append(mesh)
    try:
        yield
    finally:
        _meshes.active.pop()


def reshard(x: Any, sharding: PartitionSpec | Sharding) -> Any:
    """`x` with another sharding. The value is the same.

    >>> @mind.jit(mesh=mind.Mesh(("dp", "tp"), (1, 1)))
    ... def f(x):
    ...     return mind.reshard(x, mind.P("dp", "tp"))
    >>> f(np.ones((2, 2), np.float32)).sharding.spec
    P('dp', 'tp')

    In a traced function it sets the sharding of the value, and the derivative moves the cotangent back. A
    `ShardedArray` is moved at once, by every rank; an array is sharded, as by `shard`. E8003 for a sharding that does
    not fit the value, E8004 for one on another mesh than that of the function, E8005 for partial sums.
    """
    if isinstance(x, ShardedArray):
        target = sharding if isinstance(sharding, Sharding) else Sharding(x.sharding.mesh, sharding)
        return _moving(target.mesh, target.spec)(x)
    if not isinstance(x, Tracer):
        if not isinstance(sharding, Sharding):
            raise error("E8002", "an array is cut on a mesh", help="pass Sharding(mesh, spec)")
        return shard(x, sharding)
    mesh = _meshes.active[-1] if _meshes.active else None
    spec = _spec(sharding, mesh, "reshard")
    op: Any = OPS["Reshard"]
    try:
        if mesh is not None:
            spec.check(mesh, x.type)
    except Reject as why:
        raise located(why) from None
    return apply(op(spec), x)


with_sharding_constraint = reshard
"""`reshard` under JAX's name."""


@functools.lru_cache(256)
def _moving(mesh: Mesh, spec: PartitionSpec) -> Callable[[ShardedArray], ShardedArray]:
    """The compiled function that moves a value."""

    def reshard(x: Any) -> Any:
        return x

    return FunctionOnMesh(reshard, OnMesh(mesh, out_shardings=spec))


def _spec(placement: PartitionSpec | Sharding, mesh: Mesh | None, where: str) -> PartitionSpec:
    """The spec, on this mesh. E8004 for a Sharding on another mesh, E6009 for anything else."""
    if isinstance(placement, Sharding):
        if mesh is not None and placement.mesh != mesh:
            note = f"the function is traced for mesh ({mesh}), {where} says mesh ({placement.mesh})"
            help = "give the PartitionSpec alone, or the same mesh"
            raise error("E8004", f"{where}: two meshes in one function", note=note, help=help)
        return placement.spec
    if isinstance(placement, PartitionSpec):
        return placement
    found = type(placement).__name__
    raise error("E6009", f"{where} takes P(…) or Sharding(mesh, P(…)), found a {found}")


@dataclass(frozen=True)
class OnMesh:
    """The arguments of `jit` for a function on a mesh. E6009 unless it is a Mesh, E7007 for an unknown preference."""

    mesh: Mesh
    in_shardings: Any = None
    out_shardings: Any = None
    options: Options = field(default_factory=Options)
    static: Statics | None = None
    prefer: Preference = "bytes"

    def __post_init__(self) -> None:
        if not isinstance(self.mesh, Mesh):
            found = type(self.mesh).__name__
            raise error("E6009", f"mesh is a Mesh, found a {found}", help='Mesh(("dp",), (2,)) is one')
        check_preference(self.prefer)


class FunctionOnMesh(Meshed):
    """A function compiled for the ranks of a mesh, once for each kind of arguments; see `jit`."""

    __slots__ = ("__dict__", "__weakref__", "_known", "fn", "where")

    def __init__(self, fn: Callable[..., Any], where: OnMesh) -> None:
        check_function(fn)
        functools.update_wrapper(self, fn)
        self.fn, self.where = fn, where
        self._known: Memo[_OnRanks] = Memo(SPECIALISATIONS)

    def __get__(self, instance: Any, owner: type | None = None) -> Callable[..., Any]:
        """As a function in a class is a method of its instances."""
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result on all ranks, or within the trace of an argument."""
        fn, where = self.fn, self.where
        if where.static is not None:
            args, kwargs = where.static.marked(args, kwargs)
        leaves, tree = flatten((args, kwargs))
        key = (tree, *[_kind(x) for x in leaves])
        found = self._known.find(key) if None not in key else None
        if found is None:
            if any(isinstance(x, Tracer) for x in leaves):
                return _inline(fn, tree, leaves, where)
            leaves = _as_leaves(fn, tree, leaves)
            key = (tree, *[_kind(x) for x in leaves])
            arrays = leaves
            found = self._known.get(key, lambda: _on_ranks(fn, tree, arrays, where))
        return found(leaves)

    def transformed(self, transform: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[..., Any]:
        """A transform of the function, on the same mesh, from the same arguments."""
        return FunctionOnMesh(transform(self.fn), replace(self.where, out_shardings=None))


def _kind(leaf: Any) -> Any:
    """The key of a leaf for looking up compiled functions; None if it has to be made an array first."""
    if isinstance(leaf, ShardedArray):
        return leaf.type, leaf.sharding
    if type(leaf) is np.ndarray:
        return leaf.dtype, leaf.shape
    return None


def _as_leaves(fn: Callable[..., Any], tree: Tree, leaves: Sequence[Any]) -> list[Any]:
    stand_ins = [np.zeros((), np.float32) if isinstance(x, ShardedArray) else x for x in leaves]
    arrays = as_arrays(stand_ins, lambda: argument_paths(fn, tree))
    return [x if isinstance(x, ShardedArray) else a for x, a in zip(leaves, arrays)]


def _inline(fn: Callable[..., Any], tree: Tree, leaves: Sequence[Any], where: OnMesh) -> Any:
    """Call the function within another one that is being traced: its shardings are set on the values there."""
    mesh, outer = where.mesh, _meshes.active[-1] if _meshes.active else None
    if outer is not None and outer != mesh:
        note = f"the outer function is traced for mesh ({outer}), {name_of(fn)} for mesh ({mesh})"
        raise error("E8004", "two meshes in one function", note=note)
    specs = _specs_of_arguments(fn, tree, where.in_shardings, mesh)
    moved = [x if s is None or not isinstance(x, Tracer) else reshard(x, s) for x, s in zip(leaves, specs)]
    nested: Any = tree.unflatten(moved)
    args, kwargs = nested
    named = {name: a.value if isinstance(a, Static) else a for name, a in kwargs.items()}
    result = fn(*[a.value if isinstance(a, Static) else a for a in args], **named)
    out, out_tree = flatten(result)
    wanted = _specs("out_shardings", where.out_shardings, out_tree, mesh, lambda: result_paths(out_tree))
    placed = [x if s is None or not isinstance(x, Tracer) else reshard(x, s) for x, s in zip(out, wanted)]
    return out_tree.unflatten(placed)


# Code for one kind of arguments


@dataclass
class _OnRanks:
    """A function for arguments of one kind, on this rank."""

    compiled: CompiledForRanks
    inputs: list[PartitionSpec]
    names: Callable[[], Sequence[str]]
    outputs: list[tuple[TensorType, Sharding]]
    captured: list[Any]
    out_tree: Tree

    def __call__(self, leaves: Sequence[Any]) -> Any:
        local = [x.local if isinstance(x, ShardedArray) else self._cut(x, n) for n, x in enumerate(leaves)]
        self.compiled.check_same(self.names, local)
        results = self.compiled.exe(*local, *self.captured)
        return self.out_tree.unflatten([ShardedArray(a, t, s) for a, (t, s) in zip(results, self.outputs)])

    def _cut(self, x: Any, n: int) -> Any:
        spec, ranks = self.inputs[n], self.compiled.ranks
        return piece(x, ranks.mesh, spec, ranks.rank) if spec.used() else x


def _on_ranks(fn: Callable[..., Any], tree: Tree, leaves: Sequence[Any], where: OnMesh) -> _OnRanks:
    """Trace, partition and compile; every rank calls this. E8008 if another rank has another module."""
    mesh = where.mesh
    ranks_of(mesh)  # before all else: from here on an error on one rank ends all
    types = [x.type if isinstance(x, ShardedArray) else type_of(x) for x in leaves]
    given = _specs_of_arguments(fn, tree, where.in_shardings, mesh)
    specs = [_of_argument(fn, tree, n, x, spec, mesh) for n, (x, spec) in enumerate(zip(leaves, given))]
    _check_fit(fn, tree, mesh, types, specs)
    with _tracing_on(mesh):
        traced = trace_function(fn, tree, types)
    module = _placed(traced, mesh, specs, where.out_shardings)
    captured = [np.asarray(c) for c in traced.captured]
    compiled = compile_for_ranks(module, vars(where.options), _described(fn), captured, where.prefer)
    outputs = [(t, Sharding(mesh, s)) for t, s in zip(module.output_types, compiled.parts.outputs)]
    names = functools.partial(argument_paths, fn, tree)
    return _OnRanks(compiled, specs, names, outputs, captured, traced.out_tree)


def _described(fn: Callable[..., Any]) -> str:
    """A function's name and file, for errors between ranks."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    place = "" if code is None else f" of {os.path.basename(code.co_filename)}:{code.co_firstlineno}"
    return f"{getattr(fn, '__name__', type(fn).__name__)}{place}"


def _placed(traced: Traced, mesh: Mesh, specs: Sequence[PartitionSpec], out_shardings: Any) -> Module:
    """The function's module on the mesh, with shardings of Inputs and outputs, and the pairs of its gradients."""
    m = plain(traced.module)
    b = Builder(m.source, mesh)
    env: Environment[Value] = Environment()
    for o in m.operations:
        b.repeat(o, env)
    for o, given in zip(m.inputs, specs):
        b.place(env[o.id], given)
    paths = functools.partial(result_paths, traced.out_tree)
    wanted = _specs("out_shardings", out_shardings, traced.out_tree, mesh, paths)
    outputs = []
    for id, spec, name in zip(m.outputs, wanted, paths()):
        v = env[id]
        if spec is not None:
            try:
                spec.check(mesh, v.type)
                v = b.Reshard(v, spec)
            except (Reject, MindError) as why:
                first = why if isinstance(why, Reject) else why.diagnostics[0]
                raise error(first.code, f"{name}: {first.message}", help=first.help) from None
        outputs.append(v)
    return canonicalize(_without_unused_pairs(b.finish(outputs, env.pairs(m.gradients))), verified=True)


def _without_unused_pairs(m: Module) -> Module:
    """The module with only those pairs of gradients on which an output depends."""
    live: set[ValueId] = set(m.outputs)
    for o in reversed(m.operations):
        if not live.isdisjoint(o.ids):
            live.update(o.operands)
    return replace(m, gradients=tuple(pair for pair in m.gradients if pair[0] in live and pair[1] in live))


# Shardings of arguments and results


def _specs_of_arguments(
    fn: Callable[..., Any], tree: Tree, in_shardings: Any, mesh: Mesh
) -> list[PartitionSpec | None]:
    positional, named = tree.children()
    if isinstance(in_shardings, list):
        in_shardings = tuple(in_shardings)
    paths = functools.partial(argument_paths, fn, tree)
    found = _specs("in_shardings", in_shardings, positional, mesh, paths)
    return [*found, *[None] * named.num_leaves]


def _of_argument(
    fn: Callable[..., Any], tree: Tree, n: int, x: Any, spec: PartitionSpec | None, mesh: Mesh
) -> PartitionSpec:
    """The sharding of an argument. E8004 if it is another one than in_shardings says."""
    if not isinstance(x, ShardedArray):
        return PartitionSpec.replicated(x.ndim) if spec is None else spec
    if x.sharding.mesh != mesh or (spec is not None and spec != x.sharding.spec):
        path = argument_paths(fn, tree)[n]
        wanted = f"{spec or 'any sharding'} on {mesh}"
        note = f"{path} is sharded as {x.sharding}; in_shardings of {name_of(fn)} says {wanted}"
        raise error("E8004", f"{path} has another sharding than in_shardings", note=note, help="mind.reshard moves it")
    return x.sharding.spec


def _check_fit(
    fn: Callable[..., Any], tree: Tree, mesh: Mesh, types: Sequence[TensorType], specs: Sequence[PartitionSpec]
) -> None:
    for n, (t, spec) in enumerate(zip(types, specs)):
        try:
            spec.check(mesh, t)
        except Reject as why:
            message = f"{argument_paths(fn, tree)[n]}: {why.message}"
            raise error(why.code, message, help=why.help) from None


def _specs(
    what: str, given: Any, tree: Tree, mesh: Mesh, paths: Callable[[], Sequence[str]]
) -> list[PartitionSpec | None]:
    """An entry for each leaf of a structure, from entries for leaves or for whole parts of it. E8003."""
    if given is None or isinstance(given, (PartitionSpec, Sharding)):
        spec = None if given is None else _spec(given, mesh, what)
        return [spec] * tree.num_leaves
    if tree.is_leaf():
        raise error("E6009", f"{what} takes P(…) or Sharding(mesh, P(…)), found a {type(given).__name__}")
    children, _, entries, _ = optree.tree_flatten_one_level(given, none_is_leaf=True, namespace=NAMESPACE)
    if tree.type is not type(given) or list(entries) != tree.entries():
        whole = _shown(given)
        message = f"{what} is nested as {whole}, the values as {nesting(tree)}"
        raise error("E8003", message, help="one P(…) or None for each value, or one for a part as a whole")
    return [spec for part, sub in zip(children, tree.children()) for spec in _specs(what, part, sub, mesh, paths)]


def _shown(given: Any) -> str:
    tree = optree.tree_structure(given, none_is_leaf=True, namespace=NAMESPACE)
    return nesting(tree)
