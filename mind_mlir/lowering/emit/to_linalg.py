"""Lowers a Core IR module to an MLIR module with one `func.func` of linalg and tensor operations.

`@main(%x: tensor<…>, …) -> (tensor<…>, …)` has a parameter for each Input and a result for each output. If the module
has a Gather or ScatterAdd that may fail, there is one more result, an i64 status: 0, or 1 + the ValueId of the first
operation whose index was out of bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir import DType, Environment, Module, Operation, Result
from ...ir.gc import without_gc
from ...ir.printer import lines_before
from ...passes.preflight import check_before_run
from ..toolchain.installed import require_mlir

require_mlir()

from mlir import ir  # noqa: E402

from ..mlir.context import new_context  # noqa: E402
from .collectives import emit_grid  # noqa: E402
from .emitter import Scope  # noqa: E402
from .modes import NUMERICS, THREADS  # noqa: E402
from .operation_lowering import OperationLowering  # noqa: E402
from .scalars import Scalars  # noqa: E402
from .tensors import mlir_type  # noqa: E402


@without_gc
def to_linalg(
    m: Module,
    context: Any = None,
    name: str = "main",
    numerics: str = "default",
    threads: int = 1,
    annotated: Callable[[Operation, Result, Any], Any] | None = None,
) -> Any:
    """Lower a verified module to linalg on tensors, in `context` or a new one; returns an `mlir.ir.Module`.

    `numerics` and `threads` other than the defaults become attributes of the function, for later passes. `annotated`
    is called after every operation with each result and its value, and returns the value to use for it from then on.

    Raises MindError: E6001 for a constant index out of bounds, E6004 for a shape that cannot be allocated.
    """
    check_before_run(m)
    context = context or new_context()
    with context, ir.Location.unknown():
        out = ir.Module.create(loc=file_location(m))
        inputs = [mlir_type(o.type) for o in m.inputs]
        with ir.InsertionPoint(out.body):
            if m.mesh is not None and (annotated or any(o.op.across_ranks for o in m.operations)):
                emit_grid(m.mesh)
            attributes: dict[str, Any] = {"sym_name": ir.StringAttr.get(name)}
            if numerics != "default":
                attributes[NUMERICS] = ir.StringAttr.get(numerics)
            if threads != 1:
                attributes[THREADS] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), threads)
            if inputs:
                read_only = ir.DictAttr.get({"bufferization.writable": ir.BoolAttr.get(False)})
                attributes["arg_attrs"] = ir.ArrayAttr.get([read_only] * len(inputs))
            f = ir.Operation.create("func.func", attributes=attributes | _function_type(inputs, []), regions=1)
        block = f.regions[0].blocks.append(*inputs, arg_locs=[ir.Location.name(o.op.name) for o in m.inputs])  # type: ignore[attr-defined]
        arguments = {o.op.name: a for o, a in zip(m.inputs, block.arguments)}  # type: ignore[attr-defined]
        with ir.InsertionPoint(block):
            env, failures = _lower_operations(m, Scope(numerics, m.mesh, arguments), annotated)
            results = [env[i] for i in m.outputs]
            if failures:
                results.append(_status(failures))
            ir.Operation.create("func.return", operands=results)
        for key, value in _function_type(inputs, [v.type for v in results]).items():
            f.attributes[key] = value
        assert out.operation.verify(), "the lowering emits valid MLIR"
        return out


def _lower_operations(
    m: Module, scope: Scope, annotated: Callable[[Operation, Result, Any], Any] | None
) -> tuple[Environment[Any], list[tuple[int, Any]]]:
    env: Environment[Any] = Environment()
    failures: list[tuple[int, Any]] = []
    lowering = OperationLowering(scope)
    values = m.values
    for line, o in enumerate(m.operations, start=1 + lines_before(m)):
        location = location_of(m, o, line)
        types = [values[i].type for i in o.operands]
        made, flags = lowering.lower(o.op, o.types, types, env.read(o), location)
        failures += [(o.ids[0], flag) for flag in flags]
        if annotated is not None:
            with location:
                made = tuple([annotated(o, r, value) for r, value in zip(o.results, made)])
        env.write(o, made)
    return env, failures


def location_of(m: Module, o: Operation, line: int) -> Any:
    """File, line and column if the module has a source, else the line of the operation in the module's text."""
    if m.source is None or o.span is None:
        return ir.Location.file("<module>", line, 1)
    return ir.Location.file(m.source.name, *m.source.line_col(o.span.start))


def file_location(m: Module) -> Any:
    """The location of the beginning of the module's source."""
    return ir.Location.unknown() if m.source is None else ir.Location.file(m.source.name, 1, 1)


def _function_type(inputs: Sequence[Any], results: Sequence[Any]) -> dict[str, Any]:
    return {"function_type": ir.TypeAttr.get(ir.FunctionType.get(list(inputs), list(results)))}


def _status(failures: Sequence[tuple[int, Any]]) -> Any:
    """0, or 1 + the id of the first operation that failed."""
    s = Scalars(DType.I64)
    zero = s.number(0)
    status = zero
    for id, flag in reversed(failures):
        failed = s.op("tensor.extract", flag)
        status = s.select(s.equal(failed, zero), status, s.number(id + 1))
    return status
