"""`jit`: traces and compiles a function once for each structure, shape and dtype of its arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ..ir import Mesh
from .place import error
from .program import Options
from .staging import ProgramRunner, check_function, staged
from .statics import statics_of


def jit(
    fn: Callable[..., Any] | None = None,
    static_argnums: int | Sequence[int] = (),
    target: str = "cpu",
    numerics: str = "default",
    threads: int | None = None,
    tuning: str | os.PathLike[str] | None = None,
    precision: str = "f32",
    mesh: Mesh | None = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
    static_argnames: str | Sequence[str] = (),
    prefer: Literal["bytes", "time"] = "bytes",
) -> Callable[..., Any]:
    """`fn` compiled. Arguments and results are nested arrays and numbers; results are NumPy arrays, also of rank 0.

    >>> @mind.jit
    ... def layer(x, w):
    ...     return mind.relu(x @ w)
    >>> layer(np.ones((1, 2), np.float32), np.float32([[1, -1], [1, -1]]))
    array([[2., 0.]], dtype=float32)

    The function is traced, and compiled, at the first call for each structure, shape and dtype of the arguments; later
    calls run the compiled code alone. So its side effects happen once, and what it closes over is kept as it was then.
    Python floats are f32 and ints i64; arrays that are not C-ordered are copied. Arguments of `static_argnums` or
    `static_argnames` are not traced, and the function is traced again for each of their values. `target`, `numerics`,
    `threads`, `tuning` and `precision` are those of `mind.compile`. Several threads may call the function at once.

    With a `mesh`, the function runs on all its ranks, and every rank calls it: docs/sharding.md. `in_shardings` has an
    entry for each positional argument, `out_shardings` one for the result: P("dp", None), Sharding(mesh, P(…)), or None
    for an open sharding, nested as the values or as the outer part of that. Arguments are whole arrays, of which each
    rank takes its part, or the `ShardedArray`s that `shard` makes and such functions return. `prefer` is what sharding
    the function minimizes: "bytes" that ranks send, the same on every machine, or "time", by the measured speed of
    these ranks.

    >>> mesh = mind.Mesh(("dp",), (1,))
    >>> f = mind.jit(lambda x: mind.sum(x * x), mesh=mesh, in_shardings=(mind.P("dp"),))
    >>> float(f(np.float32([1, 2, 3])))
    14.0

    Errors at the first call: MindError with the line of `fn`; E6009 for an argument that is neither array nor number.
    """
    if fn is None:  # @mind.jit(mesh=mesh)
        given = (static_argnums, target, numerics, threads, tuning, precision, mesh, in_shardings, out_shardings)
        return lambda f: jit(f, *given, static_argnames, prefer)
    check_function(fn)
    static = statics_of(fn, static_argnums, static_argnames)
    options = Options(target, numerics, threads, tuning, precision)
    if mesh is not None:
        from .sharded import FunctionOnMesh, OnMesh

        return FunctionOnMesh(fn, OnMesh(mesh, in_shardings, out_shardings, options, static, prefer))
    if prefer != "bytes":
        raise error("E8002", "prefer is for ranks of a mesh, and jit is given none", help="jit(f, mesh=…)")
    if in_shardings is not None or out_shardings is not None:
        help = 'jit(f, mesh=Mesh(("dp",), (2,)), in_shardings=…)'
        raise error("E8002", "shardings are on a mesh, and jit is given none", help=help)
    return staged(fn, lambda t: ProgramRunner(t.module, t.out_tree, options), static)
