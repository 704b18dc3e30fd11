"""A module that is called: compiled if its arguments are arrays, and repeated in their trace if they are traced."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..ir import Module
from ..ir.kept import kept_property
from ..passes import canonicalize
from ..passes.residuals import split
from ..runtime.executable import Executable
from ..runtime.footprint import footprint
from ..runtime.jit import check_options, compile as compile_module
from ..runtime.threads import thread_count
from ..runtime.tuning_choice import tuning_file
from .calls import plain
from .memo import Memo
from .operands import Operand
from .trace_builder import trace_of

KEPT = 256 << 20
"""The bytes of compiled modules that are kept for later functions with an equal module."""


@dataclass(frozen=True)
class Options:
    """How modules are compiled: the arguments of `mind.compile`. E6002 and E7007, as there."""

    target: str = "cpu"
    numerics: str = "default"
    threads: int | None = None
    tuning: str | os.PathLike[str] | None = None
    precision: str = "f32"

    def __post_init__(self) -> None:
        check_options(self.target, self.threads, self.numerics, self.tuning, self.precision)

    def settled(self) -> tuple[Options, str]:
        """The same with settings of the environment, and the digest of the tuning file. E7004 and E7007 as there."""
        file = tuning_file(self.tuning) if self.target == "cpu" else None
        settled = replace(self, threads=thread_count(self.threads), tuning=file or "off")
        if file is None:
            return settled, ""
        from ..lowering.store.tuning_file import digest

        return settled, digest(file)


class Program:
    """A module that may have calls of functions with user-defined rules."""

    def __init__(self, module: Module, options: Options) -> None:
        self.module, self.options = module, options

    @kept_property
    def run(self) -> Callable[..., tuple[Any, ...]]:
        """The compiled module, called with arrays."""
        if not self.module.outputs:
            return lambda *_: ()
        run: Callable[..., tuple[Any, ...]] = _compiled(canonicalize(plain(self.module)), self.options)
        return run

    def __call__(self, values: Sequence[Operand]) -> Sequence[Any]:
        """The outputs for these values of the Inputs: traced values if one of them is, else arrays."""
        trace = trace_of(values)
        if trace is None:
            return self.run(*values)
        env = trace.replay(self.module, [trace.lift(v) for v in values])
        trace.gradients += [(env[x], env[g]) for x, g in self.module.gradients]
        return [env[i] for i in self.module.outputs]


def in_two_parts(module: Module, known: int, outputs: int, options: Options) -> tuple[Program, Program]:
    """A module, split at the Inputs after the first `known`.

    The first part gives the first `outputs` of the module, then the residuals; the second takes those, then the Inputs.
    """
    first, second = split(module, [o.id for o in module.inputs[known:]], outputs)
    return Program(first, options), Program(second, options)


_kept: Memo[Executable] = Memo(KEPT, footprint)


def _compiled(module: Module, options: Options) -> Any:
    settled, tuned = options.settled()
    return _kept.get((module, settled, tuned), lambda: compile_module(module, **vars(settled)))
