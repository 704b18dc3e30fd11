"""What several tests share: modules of one operation, arrays to run them on, and comparison to the bit or the bound."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import Builder, DType, MindError, TensorType
from mind_mlir.ir import OPS, op as declare_op
from mind_mlir.ir.op import Linearity
from mind_mlir.passes.registry import PIPELINES, Level
from mind_mlir.testing.agreement import compared
from mind_mlir.testing.in_f64 import in_f64

MODES = ("strict", "default", "fast")
"""Of `numerics`; what each promises is in docs/semantics.md, Same bits."""


def specials(dtype: DType) -> np.ndarray:
    """Infinities, NaN, signed zeros and extremes of floats; extremes of integers; both truth values."""
    if not dtype.is_float:
        ends = [0, 1, dtype.largest, dtype.largest - 1, dtype.smallest, dtype.smallest + 1]
        return np.array(ends + [-1] * dtype.is_signed, dtype.numpy)
    info = dtype.finfo
    ends = [info.smallest_subnormal, -info.smallest_subnormal, info.max, info.tiny]
    return np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, *ends], dtype.numpy)


@contextlib.contextmanager
def declared_ops():
    """Gives a decorator like `@op`; what it declares is taken out of the vocabulary at the end."""
    made = []

    def declare(cls):
        made.append(declare_op(cls))
        return made[-1]

    yield declare
    for cls in made:
        del OPS[cls.__name__]


def random_array(type: TensorType, rng: np.random.Generator, special: bool = False) -> np.ndarray:
    """Numbers of both signs around 1; with `special`, a third of them infinities, NaNs, signed zeros and extremes."""
    if type.dtype.is_float:
        a = rng.standard_normal(type.shape) * 2
    elif type.dtype.is_bool:
        a = rng.random(type.shape) < 0.5
    else:
        a = rng.integers(-5 if type.dtype.is_signed else 0, 6, type.shape)
    a = np.asarray(a).astype(type.dtype.numpy)
    if special:
        chosen = rng.choice(specials(type.dtype), type.shape)
        a = np.where(rng.random(type.shape) < 1 / 3, chosen, a).astype(type.dtype.numpy)
    return np.asarray(a)


def operands_for(op, types, seed: int, special: bool = False) -> list[np.ndarray]:
    """Arrays that `op` can be evaluated on: index operands hold valid positions, unless `op` takes others too."""
    rng = np.random.default_rng(seed)
    arrays = [random_array(t, rng, special) for t in types]
    for n, name in enumerate(op.operand_names):
        if name == "indices":
            beyond = 2 if getattr(op, "oob", "error") != "error" else 0
            drawn = rng.integers(-beyond, max(op.span(types[0]) + beyond, 1), types[n].shape)
            arrays[n] = np.asarray(drawn).astype(types[n].dtype.numpy)
    return arrays


def alone(op, types):
    """The module that applies `op` to Inputs x0, x1, … of these types."""
    return side_by_side([(op, types)])


def side_by_side(samples):
    """The module that applies each of several operations to Inputs of its own: x0, x1, … in order."""
    b = Builder()
    names = (f"x{i}" for i in itertools.count())
    return b.finish([v for op, types in samples for v in b.emit_all(op, *[b.Input(next(names), t) for t in types])])


def alone_on_constants(op, arrays):
    """The module that applies `op` to these arrays as constants."""
    b = Builder()
    return b.finish(b.emit_all(op, *[b.constant(a) for a in arrays]))


def samples_of(opcode: str):
    """The samples of an op, each also with the other dtypes that it takes: the first with all, the others with some."""
    out = {}
    for k, (op, types) in enumerate(OPS[opcode].samples()):
        out[op, types] = None
        for dtype in [d for d in DType if not k or (d.is_signed and d.width >= 4)] if types else ():
            other = tuple(
                TensorType(dtype, t.shape) if t.dtype is types[0].dtype and op.operand_name(n) != "indices" else t
                for n, t in enumerate(types)
            )
            try:
                op.infer_type(*other)
            except Exception:  # the op does not take this dtype
                continue
            out[op, other] = None
    return list(out)


def has_derivative(op, types) -> bool:
    """True if the operation owes a derivative rule, and takes and gives floats."""
    floats = any(t.dtype.is_float for t in op.result_types(*types)) and any(t.dtype.is_float for t in types)
    return floats and op.linearity not in (Linearity.CONSTANT, Linearity.OPAQUE)


@functools.cache
def differentiable_samples(opcode: str):
    """The samples that have derivatives, in f64; those that differ in their float dtype alone come once."""
    out = {}
    for op, types in samples_of(opcode):
        if has_derivative(op, types):
            m = in_f64(alone(op, types))
            out[m.operations[-1].op, tuple(o.type for o in m.inputs)] = None
    return list(out)


def of_one_type_each(op, types) -> bool:
    """True if the operands that a last `*parts` stands for have one type, and so such results: what IRDL verifies."""
    fixed = len(op.operand_names) - 1
    results = op.result_types(*types)
    operands = types[fixed:] if op.operand_names and op.operand_names[-1].startswith("*") else ()
    results = results[len(op.result_names) - 1 :] if op.result_names[-1].startswith("*") else ()
    return len({*operands}) < 2 and len({*results}) < 2


def read_by_irdl(m) -> bool:
    """True if IRDL verifies every operation of a module: see above."""
    types = {r.id: r.type for o in m.operations for r in o.results}
    return all(of_one_type_each(o.op, [types[i] for i in o.operands]) for o in m.operations)


def sample_id(opcode: str, op, types) -> str:
    """`Sum-f32[3,4]-axes=[1],keepdims=true`"""
    parts = [opcode, *(f"{t.dtype}{list(t.shape)}" for t in types), op.attribute_text()]
    return "-".join(p.replace(" ", "").replace('"', "") for p in parts if p)[:80]


def assert_same_bits(found, expected, what: str = "") -> None:
    """Equal dtype, shape and bits; sign and payload of a NaN are free."""
    found, expected = np.array(found, order="C"), np.array(expected, order="C")
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), what
    bits = f"i{found.itemsize}"
    differ = found.view(bits) != expected.view(bits)
    if found.dtype.kind in "fV":
        with np.errstate(invalid="ignore"):
            differ &= ~(np.isnan(found) & np.isnan(expected))
    if differ.any():
        where = tuple(np.argwhere(differ)[0].tolist())
        raise AssertionError(
            f"{what} {differ.sum()} of {differ.size} differ, first at {list(where)}: "
            f"{found[where]!r}, expected {expected[where]!r}"
        )


def assert_agrees(m, arrays, found, expected, numerics: str, what: str = "") -> None:
    """Native results of `m` are those of interpret on these arrays, as closely as the mode promises.

    strict: the same bits.  default: the same bits of what depends on no contraction, sum of floats, Exp or Log, and
    within the rounding of those elsewhere.  fast: within the rounding of every operation, finite values alone.
    """
    assert len(found) == len(expected), what
    for n, c in enumerate(compared(m, arrays, found, expected, numerics)):
        if c.differs.any():
            where = tuple(np.argwhere(c.differs)[0].tolist())
            raise AssertionError(
                f"{what} output {n}, {numerics}: {c.differs.sum()} of {c.differs.size} differ, first at {list(where)}: "
                f"{found[n][where]!r}, expected {expected[n][where]!r} ± {c.radius[where]}"
            )


def poisoned(type: TensorType) -> np.ndarray:
    """An array full of garbage, for results that must overwrite all of it."""
    return np.full(type.nbytes, 0xA5, np.uint8).view(type.dtype.numpy).reshape(type.shape)


@contextlib.contextmanager
def poisoned_buffers():
    """Within: modules compile to code whose intermediate results lie in memory full of NaNs, or of bytes 0x7f."""
    from mind_mlir import lowering  # noqa: F401  registers its pipelines

    with pytest.MonkeyPatch.context() as patch:
        text = PIPELINES[Level.MLIR, "cpu-to-llvm"]
        assert text.count("plan-arena") == 1
        patched = text.replace("plan-arena", "poison-buffers,plan-arena")
        patch.setitem(PIPELINES, (Level.MLIR, "cpu-to-llvm"), patched)
        yield


def nans(type: TensorType) -> np.ndarray:
    """An array full of NaNs, of floats, or of bytes 0x7f, of integers."""
    return np.full(type.shape, np.nan if type.dtype.is_float else int("7f" * type.dtype.width, 16), type.dtype.numpy)


def outcome(function, *arguments):
    """What a call gives: ("returns", results) or ("raises", code, message)."""
    try:
        return "returns", function(*arguments)
    except MindError as why:
        return "raises", why.code, why.message


def error_of(function, *arguments) -> MindError:
    """The error that a call ends with."""
    with pytest.raises(MindError) as caught:
        function(*arguments)
    return caught.value


def native(m, numerics="strict", threads=1):
    """`m` as a function that compiles at its first call and keeps the code, or raises again what compiling raises."""
    compiled = functools.cache(lambda: mind.compile(m, numerics=numerics, threads=threads))
    return lambda *arrays: compiled()(*arrays)


def assert_same_outcome(found, expected) -> None:
    """Both raise the same code and message, or both return the same bits."""
    assert found[0] == expected[0], f"{found}, expected {expected}"
    if found[0] == "raises":
        assert found == expected
        return
    assert len(found[1]) == len(expected[1])
    for n, (a, b) in enumerate(zip(found[1], expected[1])):
        assert_same_bits(a, b, f"output {n}:")


def assert_outcome_agrees(m, arrays, found, expected, numerics: str) -> None:
    """Both raise the same code and message, or the results agree as the mode promises."""
    if expected[0] == found[0] == "returns":
        assert_agrees(m, arrays, found[1], expected[1], numerics)
    else:
        assert_same_outcome(found, expected)


def with_record(choice, **changes):
    """What a rule chooses, with another record: one in which these fields differ; none stays none."""
    if choice.record is None:
        return choice
    return dataclasses.replace(choice, record=dataclasses.replace(choice.record, **changes))


@contextlib.contextmanager
def everything_shared():
    """Within: threads share the loops of every kernel that is compiled for several, however small."""
    from mind_mlir.lowering.kernels.strategies import STRATEGIES
    from mind_mlir.lowering.rules import sharing
    from mind_mlir.lowering.store import kernel_store

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "TEAM", 0)
        patch.setattr(kernel_store, "_kept", type(kernel_store._kept)())  # whose kernels are shared by size
        for kind, s in list(STRATEGIES.items()):
            patch.setitem(STRATEGIES, kind, dataclasses.replace(s, share=1))
        yield


def after(passes: str, text: str) -> str:
    """MLIR text after these passes over MLIR."""
    from mind_mlir import lowering  # noqa: F401  registers its passes
    from mind_mlir.ir import Source
    from mind_mlir.lowering.mlir.pass_driver import mlir_text, parse_mlir
    from mind_mlir.passes import Level, Pipeline

    module = parse_mlir(Source("test.mlir", text))
    return mlir_text(Pipeline.parse(passes, Level.MLIR).run(module))
