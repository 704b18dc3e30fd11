"""What passes of ours over MLIR modules are written with: a decorator for the pass, and the module as it sees it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg  # fill_builtin_region

from . import walk

Options = ParamSpec("Options")

REWRITE = "rewrite"
"""On the function of a pass: its name, by which scripts/gen_passes.py finds it."""


def rewrite(
    name: str,
) -> Callable[[Callable[Concatenate[Rewriter, Options], None]], Callable[Concatenate[Any, Options], None]]:
    """Make a function of a `Rewriter` the pass of that name: its docstring is the help, its keywords the options.

    The pass is called with the module, and the function runs within the module's context, at no location.
    """

    def add(fn: Callable[Concatenate[Rewriter, Options], None]) -> Callable[Concatenate[Any, Options], None]:
        def run(module: Any, /, *args: Options.args, **options: Options.kwargs) -> None:
            with module.context, ir.Location.unknown(module.context):
                fn(Rewriter(module), *args, **options)

        functools.update_wrapper(run, fn)
        setattr(run, REWRITE, name)
        return run

    return add


class _At:
    """An insertion point and a location, entered together; `contextlib` would take three times as long."""

    __slots__ = ("location", "point")

    def __init__(self, point: Any, location: Any) -> None:
        self.point, self.location = point, location

    def __enter__(self) -> None:
        self.point.__enter__()
        self.location.__enter__()

    def __exit__(self, *why: object) -> None:
        self.location.__exit__(*why)
        self.point.__exit__(*why)


class Rewriter:
    """A module that a pass changes, with methods that find operations, make them and replace them by others."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def functions(self) -> list[Any]:
        """Every func.func with a body."""
        return list(walk.functions(self.module))

    def operations(self, *names: str) -> list[Any]:
        """Every operation within the module, parents first; with names, those of one of them."""
        found = walk.operations(self.module)[1:]
        return [op for op in found if op.name in names] if names else found

    def children(self, *names: str) -> list[Any]:
        """The operations directly in the module, in order; with names, those of one of them."""
        found = walk.children(self.module)
        return [op for op in found if op.name in names] if names else found

    @staticmethod
    def before(op: Any) -> _At:
        """A context in which operations are made before this one, with its location."""
        return _At(ir.InsertionPoint(op), op.location)

    @staticmethod
    def after(op: Any) -> _At:
        """A context in which operations are made after this one, with its location."""
        return _At(ir.InsertionPoint.after(op), op.location)

    @staticmethod
    def replace(op: Any, *values: Any) -> None:
        """Let users of the results of an operation use these values, and erase it."""
        for old, new in zip(op.results, values, strict=True):
            old.replace_all_uses_with(new)
        op.erase()

    @staticmethod
    def linalg(
        name: str, operands: Sequence[Any], results: Sequence[Any] = (), attributes: dict[str, Any] | None = None
    ) -> Any:
        """A named linalg operation, its destination the last operand, with the body that it has by its name."""
        given = dict(attributes or {})
        if name != "linalg.transpose":  # which always has two operands
            given["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([len(operands) - 1, 1])
        made = ir.Operation.create(name, results=list(results), operands=list(operands), attributes=given, regions=1)
        _mlirDialectsLinalg.fill_builtin_region(made)
        return made

    @staticmethod
    def constant(type: Any, value: float) -> Any:
        """The operation of a number: an integer, an index or a float."""
        number = ir.FloatAttr.get(type, value) if isinstance(type, ir.FloatType) else ir.IntegerAttr.get(type, value)
        return ir.Operation.create("arith.constant", results=[type], attributes={"value": number})

    @staticmethod
    def call(name: str, operands: Sequence[Any], results: Sequence[Any] = ()) -> Any:
        """A call of a function."""
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        return ir.Operation.create("func.call", results=list(results), operands=list(operands), attributes=callee)
