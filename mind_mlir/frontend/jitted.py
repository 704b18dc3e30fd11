"""`jit`: a function traced and compiled once for each structure, shape and dtype of its arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from .functions import integers
from .program import Options
from .staging import ProgramRunner, staged


def jit(
    fn: Callable[..., Any],
    static_argnums: int | Sequence[int] = (),
    target: str = "cpu",
    numerics: str = "default",
    threads: int | None = None,
    tuning: str | os.PathLike[str] | None = None,
    precision: str = "f32",
) -> Callable[..., Any]:
    """`fn` compiled.  Arguments and results are nested arrays and numbers; results are NumPy arrays, also of rank 0.

    >>> @mind.jit
    ... def layer(x, w):
    ...     return mind.relu(x @ w)
    >>> layer(np.ones((1, 2), np.float32), np.float32([[1, -1], [1, -1]]))
    array([[2., 0.]], dtype=float32)

    The function is traced, and compiled, at the first call for each structure, shape and dtype of the arguments; later
    ones run the compiled code alone.  So what it does besides computing happens once, and what it closes over is what
    it was then.  Python floats are f32 and ints i64; arrays that are not C-ordered are copied.  Arguments that
    `static_argnums` counts are kept as they are, and traced for each value.  `target`, `numerics`, `threads`,
    `tuning` and `precision` are those of `mind.compile`.  Several threads may call the function at once.

    Errors at the first call: MindError with the line of `fn`; E6009 for an argument that is neither array nor number.
    """
    numbers = integers("static_argnums", static_argnums)
    options = Options(target, numerics, threads, tuning, precision)
    return staged(fn, lambda t: ProgramRunner(t.module, t.out_tree, options), numbers)
