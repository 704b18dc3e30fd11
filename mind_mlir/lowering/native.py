"""Core IR module -> native code in this process."""

from __future__ import annotations

import ctypes
from typing import Any

from ..ir import Module
from ..passes.pipeline import Pipeline
from .driver import pass_failed
from .failure import MlirPassFailed
from .openmp import functions as openmp_functions
from .toolchain import require_mlir

require_mlir()

from mlir import ir  # noqa: E402
from mlir.execution_engine import ExecutionEngine  # noqa: E402

from .rewrites._walk import operations  # noqa: E402

LONG = 64
"""Operations above which a module is compiled by the pipeline cpu-long."""


def to_llvm(m: Module, numerics: str = "default", threads: int = 1, cpu: str = "native") -> Any:
    """The module in MLIR's LLVM dialect, by the pipeline cpu, or cpu-long if it has more than LONG operations.

    `cpu` is the kind of CPU that kernels are for, as the option of that name of `form-kernels`.
    """
    lowering = f"lower-to-linalg{{numerics={numerics} threads={threads}}}"
    pipeline = Pipeline.parse(f"{lowering},{'cpu' if len(m) <= LONG else 'cpu-long'}")
    if cpu != "native":
        pipeline = Pipeline(tuple(s.with_option("cpu", cpu) for s in pipeline.steps))
    try:
        return pipeline.run(m)
    except MlirPassFailed as why:
        raise pass_failed(pipeline, m, why) from None


def native_functions(
    m: Module, array_offset: int | None, numerics: str = "default", threads: int = 1, keep_object: bool = False
) -> tuple[Any, int, int | None]:
    """Compile a module; returns the engine that owns the code, and the addresses of two functions.

    The first is `main`, which takes data pointers.  The second takes the array objects themselves and reads their data
    pointers `array_offset` bytes in; None if no offset is given.  With `keep_object` the engine can write the object
    file of both.
    """
    module = to_llvm(m, numerics, threads)
    count = len(m.inputs) + len(m.outputs)
    with module.context, ir.Location.unknown():
        helpers = ir.Module.parse(_helpers(count, array_offset))
        for f in list(helpers.body.operations)[1:]:  # without the declaration of main
            module.body.append(f.operation.clone(ir.InsertionPoint(module.body)))
        has_teams = any(op.name.startswith("omp.") for op in operations(module))
        runtime = openmp_functions() if has_teams else {}
        engine = ExecutionEngine(module, opt_level=2, enable_object_dump=keep_object)
        for name, address in runtime.items():  # shared_libs= would show the runtime to every library loaded later
            engine.raw_register_runtime(name, ctypes.c_void_p(address))
    main = _address(engine, "mind_address_of_main")
    return engine, main, None if array_offset is None else _address(engine, "mind_address_of_mind_call")


def _helpers(count: int, array_offset: int | None) -> str:
    """MLIR text of the functions that stand beside `main` in compiled code."""
    pointers = ", ".join(["!llvm.ptr"] * count)
    text = f"llvm.func @main({pointers}) -> i64\n" + _address_function("main")
    if array_offset is None:
        return text
    arguments = ", ".join(f"%a{i}: !llvm.ptr" for i in range(count))
    loads = "".join(
        f"  %f{i} = llvm.getelementptr %a{i}[{array_offset}] : (!llvm.ptr) -> !llvm.ptr, i8\n"
        f"  %d{i} = llvm.load %f{i} : !llvm.ptr -> !llvm.ptr\n"
        for i in range(count)
    )
    data = ", ".join(f"%d{i}" for i in range(count))
    return text + (
        f"llvm.func @mind_call({arguments}) -> i64 {{\n{loads}"
        f"  %s = llvm.call @main({data}) {{no_inline}} : ({pointers}) -> i64\n  llvm.return %s : i64\n}}\n"
        + _address_function("mind_call")
    )


def _address_function(name: str) -> str:
    return (
        f"llvm.func @mind_address_of_{name}() -> !llvm.ptr {{\n"
        f"  %0 = llvm.mlir.addressof @{name} : !llvm.ptr\n  llvm.return %0 : !llvm.ptr\n}}\n"
    )


def _address(engine: Any, name: str) -> int:
    """What an address function returns.  The engine's own look-up gives wrappers that take packed arguments."""
    result = ctypes.c_void_p()
    slots = (ctypes.c_void_p * 1)(ctypes.addressof(result))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(name))(ctypes.addressof(slots))
    assert result.value, "the code knows its own address"
    return result.value
