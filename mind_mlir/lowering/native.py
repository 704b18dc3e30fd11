"""Core IR module -> native code in this process."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Sequence
from typing import Any

from ..ir import Module
from ..ir.gc import without_gc
from ..passes.pipeline import Pipeline
from .driver import pass_failed
from .entry import PACKED, packed_entry
from .failure import MlirPassFailed
from .openmp import functions as openmp_functions
from .rank_table import SET_RANKS, needs_ranks
from .toolchain import require_mlir

require_mlir()

from mlir import ir  # noqa: E402
from mlir.execution_engine import ExecutionEngine  # noqa: E402

from .contexts import Workplace  # noqa: E402
from .contexts import workplace as borrowed  # noqa: E402
from .modes import THREADS  # noqa: E402
from .rewrites._walk import children, operations  # noqa: E402
from .to_linalg import new_context  # noqa: E402

LONG = 512
"""Operations above which a module is compiled by the pipeline cpu-long."""


def pipeline_for(
    m: Module, numerics: str = "default", threads: int = 1, cpu: str = "native", tuning: str | None = None
) -> Pipeline:
    """How a module becomes the LLVM dialect: the pipeline cpu, or cpu-long if it has more than LONG operations.

    `cpu` is the kind of CPU that kernels are for and `tuning` the path of a tuning file, as the options of those names
    of `form-kernels`.
    """
    lowering = f"lower-to-linalg{{numerics={numerics} threads={threads}}}"
    pipeline = Pipeline.parse(f"{lowering},{'cpu' if len(m) <= LONG else 'cpu-long'}")
    for name, value, usual in (("cpu", cpu, "native"), ("tuning", tuning, None)):
        if value != usual:
            pipeline = Pipeline(tuple(s.with_option(name, value) for s in pipeline.steps))
    return pipeline


def to_llvm(
    m: Module,
    numerics: str = "default",
    threads: int = 1,
    cpu: str = "native",
    tuning: str | None = None,
    workplace: Workplace | None = None,
) -> Any:
    """The module in MLIR's LLVM dialect, by `pipeline_for`.  E7004 and E7013 for a bad tuning file."""
    pipeline = pipeline_for(m, numerics, threads, cpu, tuning)
    with contextlib.suppress(MlirPassFailed):
        return (workplace or Workplace()).run(pipeline.steps, m)
    try:
        return pipeline.run(m)  # step by step, to know which one fails
    except MlirPassFailed as why:
        raise pass_failed(pipeline, m, why) from None


@without_gc
def native_functions(
    m: Module, numerics: str = "default", threads: int = 1, keep_object: bool = False, tuning: str | None = None
) -> tuple[Any, int]:
    """Compile a module; returns the engine that owns the code, and the address of `mind_main` of entry.py.

    With `keep_object` the engine can write the object file.
    """
    with borrowed(m) as place:
        module = to_llvm(m, numerics, threads, tuning=tuning, workplace=place)
        engine = compiled(module, _helpers(m), keep_object)
        del module
    return engine, address_of(engine, PACKED)


def compiled(module: Any, helpers: str, keep_object: bool = False) -> Any:
    """The engine that owns the code of a module in the LLVM dialect.

    `helpers` is MLIR text of functions that are added to it: declarations of those that stand in it, then what
    `address_function` gives, and others.
    """
    with module.context, ir.Location.unknown():
        added = ir.Module.parse(helpers)  # owns the functions that are cloned
        internal = ir.Attribute.parse("#llvm.linkage<internal>")
        functions = [f for f in children(module) if f.name == "llvm.func" and len(f.regions[0].blocks)]
        has_teams = any(
            op.name.startswith("omp.") for f in functions if THREADS in f.attributes for op in operations(f)
        )
        for f in functions:  # what is for the module alone needs no wrapper for calls from outside
            if "sym_visibility" in f.attributes and f.attributes["sym_visibility"].value == "private":
                f.attributes["linkage"] = internal
        for f in children(added):
            if len(f.regions[0].blocks):  # what is declared stands in the module
                f.clone(ir.InsertionPoint(module.body))
        runtime = openmp_functions() if has_teams else {}
        engine = ExecutionEngine(module, opt_level=2, enable_object_dump=keep_object)
        engine.initialize()  # else nothing is done at the end: what keep-arena has kept would stay
        for name, address in runtime.items():  # shared_libs= would show the runtime to every library loaded later
            engine.raw_register_runtime(name, ctypes.c_void_p(address))
    return engine


def compiled_text(text: str, functions: Sequence[str], keep_object: bool = False) -> Any:
    """The engine that owns the code of a module that is text in the LLVM dialect; `address_of` finds these functions."""
    with new_context() as context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        for f in children(ir.Module.parse("".join(map(address_function, functions)))):
            f.clone(ir.InsertionPoint(module.body))
        return compiled(module, "", keep_object)


def _helpers(m: Module) -> str:
    """MLIR text of the functions that stand beside `main` in compiled code."""
    count = len(m.inputs) + len(m.outputs)
    text = f"llvm.func @main({', '.join(['!llvm.ptr'] * count)}) -> i64\n"
    if needs_ranks(m):
        text += f"llvm.func @{SET_RANKS}(!llvm.ptr)\n" + address_function(SET_RANKS)
    return text + packed_entry(count) + address_function(PACKED)


def address_function(name: str) -> str:
    """MLIR text of the function that `address_of` asks."""
    return (
        f"llvm.func @mind_address_of_{name}() -> !llvm.ptr {{\n"
        f"  %0 = llvm.mlir.addressof @{name} : !llvm.ptr\n  llvm.return %0 : !llvm.ptr\n}}\n"
    )


def address_of(engine: Any, name: str) -> int:
    """Where a function begins, from its address function: the engine's own look-up gives wrappers around functions."""
    result = ctypes.c_void_p()
    slots = (ctypes.c_void_p * 1)(ctypes.addressof(result))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(f"mind_address_of_{name}"))(ctypes.addressof(slots))
    assert result.value, "the code knows its own address"
    return result.value
