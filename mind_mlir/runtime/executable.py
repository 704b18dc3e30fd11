"""A compiled module, called with arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir import Module
from .arguments import bind, checked_outputs

if TYPE_CHECKING:
    import numpy

    from .mpi.numbered_calls import Call


class Executable:
    """A compiled module: `exe(*arrays)` or `exe(name=array)` returns a tuple with one array for each output.

    Arguments are C-ordered arrays of exactly the Inputs' types (E6009); they are never written. `out=` takes an
    array, or one for each output, to write the results into.
    """

    def __init__(
        self, module: Module, target: str, run: Callable[..., tuple[numpy.ndarray, ...]] | None = None
    ) -> None:
        """`run` takes the inputs in order; None is for subclasses with a `__call__` of their own."""
        self.module, self.target = module, target
        self.input_names = tuple(o.op.name for o in module.inputs)  # type: ignore[attr-defined]
        self.input_types = tuple(o.type for o in module.inputs)
        self.output_types = module.output_types
        self._run = run
        self.among_ranks: Call | None = None
        """For a module with operations between ranks: the call that the ranks make together."""

    def __repr__(self) -> str:
        inputs = ", ".join(f"{n}: {t}" for n, t in zip(self.input_names, self.input_types))
        return f"<Executable for {self.target}: ({inputs}) -> ({', '.join(map(str, self.output_types))})>"

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> tuple[numpy.ndarray, ...]:
        assert self._run is not None, "a class without it has a __call__ of its own"
        inputs = bind(self.input_names, self.input_types, arrays, named)
        if out is None:
            return self._run(*inputs)
        outputs = checked_outputs(self.output_types, out, inputs)
        for a, result in zip(outputs, self._run(*inputs)):
            a[...] = result
        return tuple(outputs)
