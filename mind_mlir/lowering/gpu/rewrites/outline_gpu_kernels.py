"""Kernels to a module for the device, and their calls to launches."""

from __future__ import annotations

from math import prod
from typing import Any

from mlir import ir

from ...kernels.record import ATTRIBUTE
from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import children, operations, parameters
from ...targets.chips import STATIC
from ..mapped_views import TENSOR_MAP
from ..thread_code import LAUNCH, SHARED

DECLARED = 16
"""Bytes of alignment that declared shared memory has."""

MODULE = "kernels"
"""The name of the gpu.module."""


@rewrite("outline-gpu-kernels")
def outline_gpu_kernels(r: Rewriter) -> None:
    """Make functions with `mind.launch` gpu.func in a gpu.module, and calls gpu.launch_func."""
    kernels = {f.attributes["sym_name"].value: f for f in r.functions() if LAUNCH in f.attributes}
    if not kernels:
        return
    r.module.operation.attributes["gpu.container_module"] = ir.UnitAttr.get()
    with ir.InsertionPoint.at_block_begin(r.module.body):
        device = ir.Operation.create("gpu.module", attributes={"sym_name": ir.StringAttr.get(MODULE)}, regions=1)
        device.regions[0].blocks.append()
    for f in r.functions():
        for op in operations(f):
            if op.name == "func.call" and (name := op.attributes["callee"].value) in kernels:
                _launch(op, name, kernels[name])
    for name, f in kernels.items():
        _by_instructions(f)
        _move(name, f, device.regions[0].blocks[0])


_INSTRUCTIONS = {
    "math.absf": "fabs",
    "math.ceil": "ceil",
    "math.copysign": "copysign",
    "math.floor": "floor",
    "math.fma": "fma",
    "math.roundeven": "roundeven",
    "math.sqrt": "sqrt",
}
"""Operation that is exact or rounded once -> the intrinsic of LLVM."""


def _by_instructions(f: Any) -> None:
    """Operations of `math` that GPUs have instructions for, by name: MLIR would call NVIDIA's library for them."""
    for op in operations(f):
        if (name := _INSTRUCTIONS.get(op.name)) is not None:
            with Rewriter.before(op):
                Rewriter.replace(op, _intrinsic(name, list(op.operands)))


def _intrinsic(name: str, operands: list[Any]) -> Any:
    """A call of an intrinsic of LLVM that is overloaded by one type, that of its operands."""
    type = operands[0].type
    suffix = f"v{type.shape[0]}{type.element_type}" if isinstance(type, ir.VectorType) else f"{type}"
    attributes = {
        "intrin": ir.StringAttr.get(f"llvm.{name}.{suffix}"),
        "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands), 0]),
    }
    return ir.Operation.create("llvm.call_intrinsic", results=[type], operands=operands, attributes=attributes).result


def _launch(call: Any, name: str, f: Any) -> None:
    kernel = ir.Attribute.parse(f'@{MODULE}::@"{name}"')
    launch, shared = f.attributes[LAUNCH], _dynamic(_shared(f))
    with Rewriter.before(call):
        sizes = [_index(n) for what in ("grid", "block") for n in launch[what]]
        more = [Rewriter.constant(ir.IntegerType.get_signless(32), shared).result] if shared else []
        segments = [0, *[1] * 6, *[0] * 3, len(more), len(call.operands), 0]
        ir.Operation.create(
            "gpu.launch_func",
            operands=[*sizes, *more, *call.operands],
            attributes={"kernel": kernel, "operandSegmentSizes": ir.DenseI32ArrayAttr.get(segments)},
        )
    call.erase()


def _shared(f: Any) -> list[Any]:
    """What a kernel allocates in shared memory."""
    space = ir.Attribute.parse(SHARED)
    return [
        op for op in children(f) if op.name == "memref.alloc" and ir.MemRefType(op.result.type).memory_space == space
    ]


def _places(shared: list[Any]) -> tuple[list[int], int]:
    """The offset of each allocation in one piece of shared memory, and the size of that, in bytes."""
    places, end = [], 0
    for op in shared:
        alignment = op.attributes["alignment"].value
        places.append(-(-end // alignment) * alignment)
        type = ir.MemRefType(op.result.type)
        end = places[-1] + prod(type.shape) * -(-int(type.element_type.width) // 8)
    return places, end


def _dynamic(shared: list[Any]) -> int:
    """The bytes that the launch asks for, 0 if the kernel declares its shared memory: little, not aligned to more."""
    _, size = _places(shared)
    is_aligned = any(op.attributes["alignment"].value > DECLARED for op in shared)
    return size if size > STATIC or is_aligned else 0


def _index(n: int) -> Any:
    return Rewriter.constant(ir.IndexType.get(), n).result


def _to_views(body: Any, shared: list[Any]) -> None:
    """Shared memory as parts of what the launch asks for."""
    with ir.InsertionPoint.at_block_begin(body), ir.Location.unknown():
        bytes_ = ir.MemRefType.get(
            [ir.ShapedType.get_dynamic_size()],
            ir.IntegerType.get_signless(8),
            None,
            ir.Attribute.parse(SHARED),
        )
        whole = ir.Operation.create("gpu.dynamic_shared_memory", results=[bytes_]).result
        for op, place in zip(shared, _places(shared)[0]):
            made = ir.Operation.create("memref.view", results=[op.result.type], operands=[whole, _index(place)])
            op.result.replace_all_uses_with(made.result)
    for op in shared:
        op.erase()


def _move(name: str, f: Any, device: Any) -> None:
    """The function as a gpu.func, with the memory that threads share as its attributions."""
    given = parameters(f)
    body = f.regions[0].blocks[0]
    shared = _shared(f)
    if _dynamic(shared):
        _to_views(body, shared)
        shared = []
    launch = f.attributes[LAUNCH]
    attributes: dict[str, Any] = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get([a.type for a, _ in given], [])),
        "gpu.kernel": ir.UnitAttr.get(),
        "known_block_size": ir.DenseI32ArrayAttr.get(list(launch["block"])),
        "known_grid_size": ir.DenseI32ArrayAttr.get(list(launch["grid"])),
        ATTRIBUTE: f.attributes[ATTRIBUTE],
    }
    if "cluster" in launch:
        attributes["nvvm.cluster_dim"] = ir.DenseI32ArrayAttr.get([launch["cluster"].value, 1, 1])
    maps = [n for n, (_, attributes_) in enumerate(given) if TENSOR_MAP in attributes_]
    if maps:  # MLIR drops attributes of parameters that it does not know (22)
        attributes[TENSOR_MAP] = ir.DenseI64ArrayAttr.get(maps)
    if given:
        attributes["arg_attrs"] = ir.ArrayAttr.get([attributes_ for _, attributes_ in given])
    if shared:
        attributes["workgroup_attributions"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(shared))
    with ir.InsertionPoint(device):
        made = ir.Operation.create("gpu.func", attributes=attributes, regions=1, loc=f.location)
    for op in shared:
        a = body.add_argument(op.result.type, op.location)
        Rewriter.replace(op, a)
    *_, end = children(f)
    with Rewriter.before(end):
        ir.Operation.create("gpu.return")
    end.erase()
    body.append_to(made.regions[0])
    f.erase()
