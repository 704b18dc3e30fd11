"""Kernels to a module for the device, and their calls to launches."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..gpu.code import LAUNCH, SHARED
from ..kernels.record import ATTRIBUTE
from ._walk import children, functions, operations, parameters

MODULE = "kernels"
"""The name of the gpu.module."""


def outline_gpu_kernels(module: Any) -> None:
    """Functions with `mind.launch` to gpu.func in `gpu.module @kernels`, their calls to gpu.launch_func."""
    with module.context, ir.Location.unknown(module.context):
        kernels = {f.attributes["sym_name"].value: f for f in functions(module) if LAUNCH in f.attributes}
        if not kernels:
            return
        module.operation.attributes["gpu.container_module"] = ir.UnitAttr.get()
        with ir.InsertionPoint.at_block_begin(module.body):
            device = ir.Operation.create("gpu.module", attributes={"sym_name": ir.StringAttr.get(MODULE)}, regions=1)
            device.regions[0].blocks.append()
        for f in list(functions(module)):
            for op in operations(f):
                if op.name == "func.call" and (name := op.attributes["callee"].value) in kernels:
                    _launch(op, name, kernels[name].attributes[LAUNCH])
        for name, f in kernels.items():
            _fuse_by_instruction(f)
            _move(name, f, device.regions[0].blocks[0])


def _fuse_by_instruction(f: Any) -> None:
    """math.fma as the instruction: MLIR would call NVIDIA's library for it."""
    for op in operations(f):
        if op.name == "math.fma":
            with ir.InsertionPoint(op), op.location:
                made = ir.Operation.create("llvm.intr.fma", results=[op.result.type], operands=list(op.operands))
            op.result.replace_all_uses_with(made.result)
            op.erase()


def _launch(call: Any, name: str, launch: Any) -> None:
    kernel = ir.Attribute.parse(f'@{MODULE}::@"{name}"')
    with ir.InsertionPoint(call), call.location:
        sizes = [_index(n) for what in ("grid", "block") for n in launch[what]]
        operands = [*sizes, *call.operands]
        segments = [0, *[1] * 6, *[0] * 4, len(call.operands), 0]
        ir.Operation.create(
            "gpu.launch_func",
            operands=operands,
            attributes={"kernel": kernel, "operandSegmentSizes": ir.DenseI32ArrayAttr.get(segments)},
        )
    call.erase()


def _index(n: int) -> Any:
    type = ir.IndexType.get()
    return ir.Operation.create(
        "arith.constant", results=[type], attributes={"value": ir.IntegerAttr.get(type, n)}
    ).result


def _move(name: str, f: Any, device: Any) -> None:
    """The function as a gpu.func, with the memory that threads share as its attributions."""
    given = parameters(f)
    body = f.regions[0].blocks[0]
    space = ir.Attribute.parse(SHARED)
    shared = [
        op for op in children(f) if op.name == "memref.alloc" and ir.MemRefType(op.result.type).memory_space == space
    ]
    launch = f.attributes[LAUNCH]
    attributes: dict[str, Any] = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get([a.type for a, _ in given], [])),
        "gpu.kernel": ir.UnitAttr.get(),
        "known_block_size": ir.DenseI32ArrayAttr.get(list(launch["block"])),
        "known_grid_size": ir.DenseI32ArrayAttr.get(list(launch["grid"])),
        ATTRIBUTE: f.attributes[ATTRIBUTE],
    }
    if given:
        attributes["arg_attrs"] = ir.ArrayAttr.get([attributes_ for _, attributes_ in given])
    if shared:
        attributes["workgroup_attributions"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(shared))
    with ir.InsertionPoint(device):
        made = ir.Operation.create("gpu.func", attributes=attributes, regions=1, loc=f.location)
    for op in shared:
        a = body.add_argument(op.result.type, op.location)
        op.result.replace_all_uses_with(a)
        op.erase()
    *_, end = children(f)
    with ir.InsertionPoint(end), end.location:
        ir.Operation.create("gpu.return")
    end.erase()
    body.append_to(made.regions[0])
    f.erase()
