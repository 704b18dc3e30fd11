"""Compiles one kernel of a module with any record, compares its results with the rules' record, and times it."""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ...ir import DType, Module, np
from ...passes.pipeline import Pipeline
from ..emit.modes import numerics_of, threads_of
from ..kernels.record import ATTRIBUTE, from_attribute, to_attribute
from ..kernels.strategies import STRATEGIES
from ..kernels.tuned import kernel_key
from ..mlir.context import new_context
from ..mlir.failure import MlirPassFailed
from ..mlir.pass_driver import pass_failed
from ..mlir.walk import children, functions, operations
from ..native.compiler import compiled, pipeline_for
from ..native.workplace import Workplace
from ..rewrites.form_kernels import nests_of
from ..store.tuning_file import Parameters
from ..targets.cpus import host
from ..toolchain.installed import require_mlir

require_mlir()

from mlir import ir  # noqa: E402

BETTER = 1.02
"""How many times as fast as the best record a candidate has to be."""

_HOPELESS = 0.97
_BATCH = 5e-3  # seconds of one measurement, at least


@dataclass(frozen=True)
class Kernel:
    """A kernel after `form-kernels`: the text of its function, and what a tuning file says of it.

    `calls` is the number of calls of it in the module; `operands` are the types of its parameters.
    """

    name: str
    kind: str
    key: str
    text: str
    operands: tuple[str, ...]
    dtype: str
    cpu: str
    numerics: str
    threads: int
    calls: int
    rule: Parameters


@dataclass(frozen=True)
class Trial:
    """The result for a candidate: why it cannot be used, or its speed, and whether it is the best one now.

    `gain` is how many times as fast it is as the best one before. If it is better, `seconds` are those of one call, and
    `rule_seconds` those with the rules' record, measured alternately.
    """

    failure: str = ""
    gain: float = 0.0
    better: bool = False
    rule_seconds: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """How many times as fast one code is as another: the median and the lower quartile; and the seconds of a run."""

    gain: float
    sure: float
    seconds: float

    @property
    def is_better(self) -> bool:
        """True if it is faster by enough, and in three of four measurements: more than chance on a busy machine."""
        return self.gain >= BETTER and self.sure > 1


def kernels_of(m: Module, numerics: str, threads: int) -> list[Kernel]:
    """The kernels of a verified module that can be tuned, by the order of their names."""
    steps, _ = _two_parts(m, numerics, threads)
    try:
        module = Pipeline(steps).run(m)
    except MlirPassFailed as why:
        raise pass_failed(Pipeline(steps), m, why) from None
    with module.context:
        calls = [op.attributes["callee"].value for op in operations(module) if op.name == "func.call"]
        return [
            _kernel(f, calls.count(f.attributes["sym_name"].value))
            for f in functions(module)
            if ATTRIBUTE in f.attributes and STRATEGIES[f.attributes[ATTRIBUTE]["kind"].value].near is not None
        ]


def _kernel(f: Any, calls: int) -> Kernel:
    attribute = f.attributes[ATTRIBUTE]
    kind = attribute["kind"].value
    rule: Any = from_attribute(attribute, STRATEGIES[kind].record)
    nests = nests_of(f)
    assert nests is not None, "a strategy has read these operations"
    return Kernel(
        name=f.attributes["sym_name"].value,
        kind=kind,
        key=kernel_key(f, kind, rule, host()),
        text=f.get_asm(use_local_scope=True),
        operands=tuple(str(t).removeprefix("memref<").removesuffix(">") for t in _types(f)),
        dtype=str(nests[-1].dtype),
        cpu=host().name,
        numerics=numerics_of(f),
        threads=threads_of(f),
        calls=calls,
        rule=asdict(rule),
    )


def _types(f: Any) -> list[Any]:
    return list(ir.FunctionType(f.attributes["function_type"].value).inputs)


def _two_parts(m: Module, numerics: str, threads: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The steps of the pipeline up to `form-kernels`, and those after it."""
    steps = pipeline_for(m, numerics, threads).steps
    at = next(n for n, s in enumerate(steps) if s.name == "form-kernels") + 1
    return steps[:at], steps[at:]


class Bench:
    """Compiles candidates for one kernel, and measures them beside the best record so far.

    It is for a process of its own, since it takes all of the kernel's memory, and a bad record can end the process.
    """

    def __init__(self, m: Module, numerics: str, threads: int, kernel: Kernel, best: Parameters) -> None:
        self.kernel, self.strategy = kernel, STRATEGIES[kernel.kind]
        self._after = _two_parts(m, numerics, threads)[1]
        self._clock = time.process_time if kernel.threads == 1 else time.perf_counter
        self._arrays = list(self._made_up())
        self._numbers = [a.copy() for a in self._arrays]
        self._rule = self.code(kernel.rule)
        self.expected = self._results(self._rule)
        self._best, self._gain = self._rule, 1.0
        if best != kernel.rule:
            self._best = self.code(best)
            self._gain = self._compared(self._best, self._rule, rounds=9).gain

    def seconds(self) -> float:
        """The seconds of one call with the rules' record."""
        return self._time(self._rule, self._enough(self._rule))

    def near(self, record: Parameters) -> list[Parameters]:
        """Records to try that are near a good one."""
        assert self.strategy.near is not None, "only such kernels are tuned"
        with new_context() as context, ir.Location.unknown(context):
            module = self._parsed()  # owns the operations that the problem refers to
            nests = nests_of(_function(module, self.kernel.name))
            assert nests is not None, "a strategy has read these operations"
            problem = self.strategy.match(nests)
            return [asdict(r) for r in self.strategy.near(problem, self.strategy.record(**record), host())]

    def trial(self, record: Parameters) -> Trial:
        """Compile, check and measure a candidate; if it is faster by enough, it is the best from now on."""
        code = self.code(record)
        if not self.agrees(code):
            return Trial("its results differ from those of the rules' record")
        quick = self._compared(code, self._best, rounds=3)
        if quick.gain < _HOPELESS:
            return Trial(gain=quick.gain)
        for rounds in (9, 15):  # twice, because the best of many first measurements is often luck
            found = self._compared(code, self._best, rounds)
            if not found.is_better:
                return Trial(gain=found.gain)
        beside_rule = self._compared(code, self._rule, rounds=15)
        if not beside_rule.is_better or beside_rule.gain < self._gain:
            return Trial(gain=found.gain)
        self._best, self._gain = code, beside_rule.gain
        return Trial("", found.gain, True, beside_rule.seconds * beside_rule.gain, beside_rule.seconds)

    def code(self, record: Parameters) -> Callable[[int], None]:
        """Compile the kernel with a record; returns a function that runs it n times."""
        place = Workplace()
        with place.context, ir.Location.unknown(place.context):
            module = self._parsed()
            f = _function(module, self.kernel.name)
            f.attributes[ATTRIBUTE] = to_attribute(self.kernel.kind, self.strategy.record(**record))
            del f
        engine = compiled(module, self._after, place, partial(_add, text=_repeating(len(self._arrays))), settings=None)
        pointers = [a.ctypes.data for a in self._arrays]
        repeat = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(pointers))(
            engine.address("mind_repeat")
        )

        def run(times: int, engine: Any = engine) -> None:  # owns the code
            repeat(times, *pointers)

        return run

    def _parsed(self) -> Any:
        return ir.Module.parse(alone(self.kernel))

    # Results

    def _made_up(self) -> Iterator[Any]:
        """Memory for every parameter, filled at random and aligned as intermediate results are."""
        random = np.random.default_rng(0)
        with new_context() as context, ir.Location.unknown(context):
            types = [ir.MemRefType(t) for t in _types(_function(self._parsed(), self.kernel.name)) if _is_memref(t)]
            rows = min((t.shape[0] for t in types if t.rank), default=1)
            for t in types:
                strides, offset = t.get_strides_and_offset()
                extent = offset + 1 + sum((n - 1) * s for n, s in zip(t.shape, strides))
                type = DType(str(t.element_type))
                dtype = type.numpy
                memory = np.zeros(extent * dtype.itemsize + 64, np.uint8)
                start = -memory.ctypes.data % 64
                array = memory[start : start + extent * dtype.itemsize].view(dtype)
                # integers may be indices of rows
                least = rows if type.is_float else min(rows, type.largest)
                array[:] = random.standard_normal(extent) if type.is_float else random.integers(0, least, extent)
                yield array

    def _results(self, code: Callable[[int], None]) -> list[Any]:
        """The contents of all memory after one run from the random numbers; kernels may overwrite operands."""
        for a, numbers in zip(self._arrays, self._numbers):
            a[:] = numbers
        code(1)
        return [a.copy() for a in self._arrays]

    def agrees(self, code: Callable[[int], None]) -> bool:
        """True if results are those of the rules' record: the same bits, or under `fast` about the same numbers."""
        found = self._results(code)
        if self.kernel.numerics != "fast":
            return all(np.array_equal(a, b, equal_nan=a.dtype.kind in "fV") for a, b in zip(found, self.expected))
        rough = {a.dtype: 1e-3 if a.itemsize == 4 else 1e-9 for a in found}
        return all(
            np.allclose(a, b, rough[a.dtype], rough[a.dtype] * (np.abs(b).max(initial=0) or 1), equal_nan=True)
            for a, b in zip(found, self.expected)
        )

    # Times

    def _time(self, code: Callable[[int], None], times: int) -> float:
        """The seconds of one run, measured over `times` runs: CPU time, or wall time if there are several threads."""
        start = self._clock()
        code(times)
        return max(self._clock() - start, 1e-9) / times

    def _enough(self, code: Callable[[int], None]) -> int:
        """The number of runs for which a measurement is long enough for the clock."""
        times = 1
        while (spent := times * self._time(code, times)) < _BATCH / 4:
            times *= 4
        return max(1, round(times * _BATCH / spent))

    def _compared(self, code: Callable[[int], None], other: Callable[[int], None], rounds: int) -> Comparison:
        """Measure two codes alternately, so that other load on the machine affects both."""
        times = self._enough(code)
        pairs = []
        for n in range(rounds):
            if n % 2:
                b = self._time(other, times)
                a = self._time(code, times)
            else:
                a, b = self._time(code, times), self._time(other, times)
            pairs.append((a, b))
        gains = sorted(b / a for a, b in pairs)
        return Comparison(statistics.median(gains), gains[rounds // 4], statistics.median(a for a, _ in pairs))


def alone(kernel: Kernel) -> str:
    """MLIR text of a module that holds a kernel, and a `main` that calls it once."""
    with new_context() as context, ir.Location.unknown(context):
        types = [str(t) for t in _types(_function(ir.Module.parse(f"module {{\n{kernel.text}\n}}"), kernel.name))]
    parameters = ", ".join(f"%a{n}: {t} {{llvm.noalias}}" for n, t in enumerate(types) if t.startswith("memref"))
    scalars = "".join(
        f"    %a{n} = arith.constant {'1.0' if t.startswith('f') else '1'} : {t}\n"
        for n, t in enumerate(types)
        if not t.startswith("memref")
    )
    operands = ", ".join(f"%a{n}" for n in range(len(types)))
    return (
        f"module {{\n  func.func @main({parameters}) -> i64 {{\n{scalars}    %status = arith.constant 0 : i64\n"
        f"    call @{kernel.name}({operands}) : ({', '.join(types)}) -> ()\n    return %status : i64\n  }}\n"
        f"  {kernel.text}\n}}\n"
    )


def _function(module: Any, name: str) -> Any:
    return next(f for f in functions(module) if f.attributes["sym_name"].value == name)


def _is_memref(type: Any) -> bool:
    return isinstance(type, ir.MemRefType)


def _add(module: Any, text: str) -> None:
    """Add the functions of MLIR text to a module in the LLVM dialect."""
    with module.context, ir.Location.unknown():
        there = {f.attributes["sym_name"].value for f in children(module) if "sym_name" in f.attributes}
        added = ir.Module.parse(text)
        for f in children(added):
            if f.attributes["sym_name"].value not in there:  # not only declared
                module.body.append(f)


def _repeating(count: int) -> str:
    """MLIR text of a function that calls `main` as often as its first argument says, for codes without a loop."""
    pointers = ", ".join(["!llvm.ptr"] * count)
    arguments = ", ".join(f"%a{i}" for i in range(count))
    typed = ", ".join(f"%a{i}: !llvm.ptr" for i in range(count))
    return (
        f"llvm.func @main({pointers}) -> i64\n"
        f"llvm.func @mind_repeat(%times: i64{', ' if count else ''}{typed}) {{\n"
        "  %zero = llvm.mlir.constant(0 : i64) : i64\n  %one = llvm.mlir.constant(1 : i64) : i64\n"
        "  llvm.br ^head(%zero : i64)\n"
        '^head(%n: i64):\n  %more = llvm.icmp "slt" %n, %times : i64\n  llvm.cond_br %more, ^body, ^end\n'
        f"^body:\n  %status = llvm.call @main({arguments}) {{no_inline}} : ({pointers}) -> i64\n"
        "  %next = llvm.add %n, %one : i64\n  llvm.br ^head(%next : i64)\n^end:\n  llvm.return\n}\n"
    )
