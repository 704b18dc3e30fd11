"""Compiles a Core IR module to native code in this process."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ...ir import Module
from ...ir.gc import without_gc
from ...passes.pipeline import Pipeline, Step
from ...passes.registry import PIPELINES, Level
from ..abi.entry import PACKED
from ..abi.rank_table import needs_ranks
from ..mlir.failure import MlirPassFailed
from ..mlir.pass_driver import pass_failed
from ..pipelines.parameters import with_options
from ..store.cache_key import compiler_digest
from ..toolchain.installed import require_mlir
from ..toolchain.linker import needs_teams
from ..toolchain.openmp import functions as openmp_functions

require_mlir()

from mlir import ir  # noqa: E402

from ..kernels.record import ATTRIBUTE  # noqa: E402
from ..llvm.objects import CALLS, GENERAL, WRITTEN, LlvmModule  # noqa: E402
from ..llvm.session import Linked  # noqa: E402
from ..mlir.bare_operations import bare_operations  # noqa: E402
from ..mlir.walk import children, functions  # noqa: E402
from ..rewrites.call_mpi import offer_ranks  # noqa: E402
from ..rewrites.expand_kernels import expanded_open  # noqa: E402
from ..rewrites.keep_arena import RELEASE  # noqa: E402
from ..segments.assembly import Assembly, joined  # noqa: E402
from ..segments.segments import SMALL  # noqa: E402
from ..targets.cpus import host  # noqa: E402
from .kernel import Stage, name_of  # noqa: E402
from .kernel_code import KernelCompiler  # noqa: E402
from .packed_entry import pack_entry  # noqa: E402
from .workplace import Workplace, workplace as borrowed  # noqa: E402

LONG = 512
"""Modules with more operations than this are compiled in segments."""

FORM, EXPAND, HOIST = "form-kernels", "expand-kernels", "hoist-scratch"
OUTLINE, POISON, PLAN, KEEP = "outline-linalg", "poison-buffers", "plan-arena", "keep-arena"
"""Steps of the pipeline at which more is done.

Segments are joined before kernels are formed. Functions are taken out, to be compiled alone, before kernels are
expanded and before memory is planned. Segments take their memory from their caller, which is written before a large
arena is kept. If a test fills memory with garbage, theirs is filled too.
"""


def pipeline_for(
    m: Module, numerics: str = "default", threads: int = 1, cpu: str = "native", tuning: str | None = None
) -> Pipeline:
    """The pipeline that lowers a module to the LLVM dialect: `cpu`, which leaves small results of long modules unfused.

    `cpu` is the kind of CPU that kernels are for and `tuning` the path of a tuning file, as in the options of
    `form-kernels`.
    """
    pipeline = _parsed(f"lower-to-linalg{{numerics={numerics} threads={threads}}},cpu", Level.CORE)
    given = (("cpu", cpu, "native"), ("tuning", tuning, None), ("least", SMALL if len(m) > LONG else 0, 0))
    return with_options(pipeline, **{name: value for name, value, usual in given if value != usual})


def _parsed(text: str, start: Level) -> Pipeline:
    """A pipeline, which is read again only where a named pipeline is another one: reading takes milliseconds."""
    return _read(text, start, tuple(PIPELINES.items()))


@functools.lru_cache(maxsize=64)
def _read(text: str, start: Level, named: tuple[tuple[tuple[Level, str], str], ...]) -> Pipeline:
    return Pipeline.parse(text, start)


def to_llvm(
    m: Module,
    numerics: str = "default",
    threads: int = 1,
    cpu: str = "native",
    tuning: str | None = None,
    workplace: Workplace | None = None,
) -> Any:
    """The module in MLIR's LLVM dialect, by `pipeline_for`. E7004 and E7013 for a bad tuning file."""
    pipeline = pipeline_for(m, numerics, threads, cpu, tuning)
    with bare_operations(), _explained(pipeline, m):
        module = lowered(m, pipeline.steps, workplace or Workplace())
    if needs_ranks(m):
        offer_ranks(module)
    return module


def lowered(
    state: Any, steps: Sequence[Step], place: Workplace, take: Callable[[Any, str], object] = lambda module, step: None
) -> Any:
    """A module, of Core IR or MLIR, lowered to the LLVM dialect by the steps of a pipeline.

    `take` is called before the steps EXPAND and PLAN: when kernels have been formed, and when plain loops have.
    """
    expand, plan = _index(steps, EXPAND), _index(steps, PLAN)
    whole = Assembly(state, place.context) if isinstance(state, Module) and len(state) > LONG else None
    module = place.run(steps[:expand], state) if whole is None else _functions(whole, steps[:expand], place)
    take(module, EXPAND)
    module = place.run(steps[expand:plan], module)
    take(module, PLAN)
    return place.run(steps[plan:], module) if whole is None else _completed(whole, steps, place)


def _functions(whole: Assembly, steps: Sequence[Step], place: Workplace) -> Any:
    """The functions of a long module after the steps up to EXPAND."""
    form = _index(steps, FORM)
    for batch in whole.batches():
        modules = {name: place.run(steps[:1], s.module) for name, s in batch.items()}
        whole.add(place.run(steps[1:form], joined(modules, place.context), has_kernels=False))
    return place.run(steps[form:], whole.module)


def _completed(whole: Assembly, steps: Sequence[Step], place: Workplace) -> Any:
    """A long module, after the steps up to PLAN, in the LLVM dialect."""
    plan, keep = _index(steps, PLAN), _index(steps, KEEP)
    module = place.run(steps[plan : plan + 1], whole.module)
    whole.hide()
    module = place.run([steps[_index(steps, HOIST)]], module)
    whole.note_scratch()
    module = place.run(steps[plan + 1 : keep], module)
    whole.complete(module, has_garbage=_index(steps, POISON) < len(steps))
    return place.run(steps[keep:], module)


def _index(steps: Sequence[Step], name: str) -> int:
    """The index of a step; the number of steps if none has that name."""
    return next((n for n, step in enumerate(steps) if step.name == name), len(steps))


@contextlib.contextmanager
def _explained(pipeline: Pipeline, m: Module) -> Iterator[None]:
    """Within this, E9001 or E7008 for a pass that fails, which the pipeline finds by running step by step."""
    try:
        yield
    except MlirPassFailed as why:
        raise pass_failed(pipeline, m, _first_failure(pipeline, m) or why) from None


def _first_failure(pipeline: Pipeline, m: Module) -> MlirPassFailed | None:
    try:
        pipeline.run(m)
    except MlirPassFailed as why:
        return why
    return None


class NativeCode:
    """Loaded code, unloaded when nothing refers to this object."""

    def __init__(self, objects: Sequence[bytes], has_release: bool) -> None:
        self.objects = objects
        """The object files that it was linked from."""
        self.nbytes = 2 * sum(map(len, objects))
        """The bytes of the object files, and of the code in memory."""
        symbols = openmp_functions() if any(map(needs_teams, objects)) else {}
        self._linked = Linked(objects, symbols, RELEASE if has_release else None)

    def address(self, function: str) -> int:
        """The address of a function."""
        return self._linked.address(function)


@without_gc
def native_functions(
    m: Module, numerics: str = "default", threads: int = 1, tuning: str | None = None
) -> tuple[NativeCode, int]:
    """Compile a module; returns the owner of the code, and the address of `mind_main` of entry.py."""
    pipeline = pipeline_for(m, numerics, threads, tuning=tuning)
    outline, *_ = _parsed(OUTLINE, Level.MLIR).steps  # all plain loops: in `mind_main` LLVM cannot tell arrays apart
    steps = [outline if step.name == OUTLINE else step for step in pipeline.steps]

    def complete(module: Any) -> None:
        pack_entry(module)
        if needs_ranks(m):
            offer_ranks(module)

    with bare_operations(), borrowed(m) as place, _explained(pipeline, m):
        code = compiled(m, steps, place, complete, compiler_digest())
    return code, code.address(PACKED)


def compiled(
    state: Any, steps: Sequence[Step], place: Workplace, complete: Callable[[Any], None], settings: str | None
) -> NativeCode:
    """Compile a module, of Core IR or MLIR, by the steps of a pipeline to the LLVM dialect.

    `complete` then adds the functions that are called from outside; `settings` are for `KernelCompiler`. Other threads
    compile kernels while the rest of the module is lowered here.
    """
    kernels = KernelCompiler(None if settings is None else f"{host()} {settings}")
    run, plan = place.run, _index(steps, PLAN)
    expand = [s for s in steps if s.name == EXPAND]
    stages = {
        EXPAND: Stage(
            "kernel",
            _is_kernel,
            partial(run, expand),
            partial(run, kernel_steps()),
            WRITTEN,
            partial(expanded_open, **expand[0].keywords) if expand else None,
        ),
        PLAN: Stage("loops", _is_private, lambda module: None, partial(run, steps[plan + 1 :]), GENERAL),
    }
    has_loops = False

    def take(module: Any, step: str) -> None:
        nonlocal has_loops
        kernels.take(module, stages[step])
        has_loops = _has_loops(module)

    try:
        module = lowered(state, steps, place, take)
        hide(module)
        complete(module)
        main = LlvmModule.translated(module).object_file(GENERAL if has_loops else CALLS)
        has_release = any("sym_name" in f.attributes and name_of(f) == RELEASE for f in children(module))
        return NativeCode([main, *[k.result().code for k in kernels.code]], has_release)
    except BaseException:
        kernels.cancel()
        raise


def _is_kernel(f: Any) -> bool:
    return ATTRIBUTE in f.attributes


def _is_private(f: Any) -> bool:
    return "sym_visibility" in f.attributes


def _has_loops(module: Any) -> bool:
    """True if a module computes anything outside of its kernels."""
    return any(op.name.startswith(("linalg.", "scf.", "affine.")) for f in functions(module) for op in children(f))


@functools.cache
def kernel_steps() -> tuple[Step, ...]:
    """The pipeline kernel-to-llvm."""
    return Pipeline.parse("kernel-to-llvm", Level.MLIR).steps


def hide(module: Any) -> None:
    """Make the functions and constants that a module in the LLVM dialect has for itself alone private."""
    with module.context:
        internal = ir.Attribute.parse("#llvm.linkage<internal>")
        for f in children(module):
            if f.name == "llvm.func" and len(f.regions[0].blocks) and "sym_visibility" in f.attributes:
                f.attributes["linkage"] = internal
