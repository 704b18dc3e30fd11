"""Random modules for derivatives: every operation is smooth and moderate at the arguments that come with the module.

They are drawn as those of `random_modules`, but an operation is kept only where differences can tell a right derivative
from a wrong one: its value is finite and not large, Log and divisions stand away from 0, choices away from their edge.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st
from random_modules import FLOATS, LARGEST, RECIPES, Draft, from_samples

from mind_mlir import Module, TensorType
from mind_mlir.ir import OPS, Op, Reject
from mind_mlir.ir.op import Linearity

LARGEST_NUMBER = 30.0


class SmoothDraft(Draft):
    """A module in the making, with the value of everything in it at one place."""

    def __init__(self, draw) -> None:
        super().__init__(draw)
        self.dtype = draw(FLOATS)
        self.at: dict[int, np.ndarray] = {}
        self.rng = np.random.default_rng(self.integer(0, 2**32 - 1))

    def value(self, type: TensorType):
        """Most often a value that varies."""
        known = [v for v in self.values if v.type == type and (v.operands or v.op.opcode == "Input")]
        if known and self.integer(0, 3):
            return self.choice(known)
        return self.input(type) if type.dtype.is_float and self.integer(0, 3) else super().value(type)

    def any_value(self, condition=lambda type: True, otherwise=None):
        """Most often a late result, so that operations build on each other."""
        results = [v for v in self.values if v.operands and v.dtype.is_float and condition(v.type)]
        if results and self.integer(0, 3):
            return self.choice(results[-3:])
        return super().any_value(condition, otherwise)

    def type(self, dtype=None, rank=None) -> TensorType:
        """Most often of one dtype, and few are without elements: of those there is little to compare."""
        rank = self.choice([2, 3, 1, 4, 0]) if rank is None else rank
        t = super().type(dtype or (self.dtype if self.integer(0, 7) else None), rank)
        return t if self.integer(0, 7) == 7 else t.with_shape(tuple(n or 2 for n in t.shape))

    def numbers(self, type: TensorType) -> np.ndarray:
        """Floats of both signs, 0.4 to 1.6 from 0; integers that index most extents."""
        if not type.dtype.is_float:
            return self.rng.integers(0, 3, type.shape).astype(type.dtype.numpy)
        a = self.rng.choice([-1.0, 1.0], type.shape) * self.rng.uniform(0.4, 1.6, type.shape)
        return np.asarray(a).astype(type.dtype.numpy)

    def input(self, type: TensorType):
        v = super().input(type)
        self.at[v.id] = self.numbers(type)
        return v

    def constant(self, type: TensorType):
        return self.kept(self.b.constant(self.numbers(type)))

    def kept(self, value):
        if value.op.opcode.startswith("Const"):
            self.at[value.id] = value.op.evaluate()
        return super().kept(value)

    def emit(self, op: Op, *operands) -> None:
        """Append the operation, unless its result is large or it is not smooth here; seldom one without elements."""
        types = op.result_types(*[v.type for v in operands])
        arrays = [self.at[v.id] for v in operands]
        if any(t.size > LARGEST or t.rank > 6 for t in types) or not op.smooth_at(*arrays):
            return
        if not all(t.size for t in types) and self.integer(0, 7) != 7:
            return
        try:
            op.check_before_run(*[v.type for v in operands])
            with np.errstate(all="ignore"):
                values = op.result_arrays(*arrays)
        except Reject:  # an index out of bounds
            return
        if all(np.isfinite(x).all() and (np.abs(x) <= LARGEST_NUMBER).all() for x in values):
            for result, value in zip(self.b.emit_all(op, *operands), values, strict=True):
                self.at[result.id] = value
                self.kept(result)


def log_of_a_square(d: SmoothDraft, cls) -> None:
    x = d.any_value(lambda t: t.dtype.is_float, lambda: d.type(d.dtype))
    before = len(d.values)
    d.emit(OPS["Mul"](), x, x)
    if len(d.values) > before:
        d.emit(cls(), d.values[-1])


def part(d: SmoothDraft, cls) -> None:
    """Of most extents at least one element."""
    x = d.any_value()
    starts = [d.integer(0, max(n - 1, 0)) for n in x.type.shape]
    ends = [d.integer(min(s + 1, n), n) for s, n in zip(starts, x.type.shape)]
    d.emit(cls(starts, ends, [d.integer(1, 2) for _ in starts]), x)


def converted(d: SmoothDraft, cls) -> None:
    """To floats of which differences can be taken."""
    d.emit(cls(d.draw(FLOATS)), d.any_value())


SMOOTH_RECIPES = {**RECIPES, "Convert": converted, "Log": log_of_a_square, "Slice": part}
"""Those that would seldom give an operation that is kept have others."""


@st.composite
def smooth_modules(draw) -> tuple[Module, list[np.ndarray]]:
    """A valid module of up to 14 operations with a float output, and arguments at which it is smooth."""
    d = SmoothDraft(draw)
    d.input(d.type(d.dtype))
    opcodes = sorted(name for name, cls in OPS.items() if cls.linearity not in (Linearity.CONSTANT, Linearity.OPAQUE))
    curved = [name for name in opcodes if OPS[name].linearity is not Linearity.JOINT]
    others = [*opcodes, "Greater", "Select", "Reshape"]  # the last two are often dropped, or do nothing
    for _ in range(d.integer(3, 14)):
        opcode = d.choice(curved if d.flag() else others)
        SMOOTH_RECIPES.get(opcode, from_samples)(d, OPS[opcode])
    used = {i for o in d.b.operations for i in o.operands}
    floats = [v for v in d.values if v.dtype.is_float]
    ends = [v for v in d.values if v.id not in used and v.op.opcode != "Input"]
    if not any(v.dtype.is_float for v in ends):
        ends.append(d.choice(floats))
    m = d.b.finish(ends)
    return m, [d.at[o.id] for o in m.inputs]


def drawn(count: int) -> list[tuple[Module, list[np.ndarray]]]:
    """So many smooth modules with their arguments, always the same."""
    out = []

    @settings(max_examples=count)
    @given(smooth_modules())
    def draw(module_and_arguments):
        out.append(module_and_arguments)

    draw()
    return out
