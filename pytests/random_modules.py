"""Random well-typed modules for hypothesis: every op, ranks 0 to 4, extents 0 to 5, all dtypes, special floats.

An element-wise op is drawn by its base class, and one that `RECIPES` does not name from its samples, so that a new op
takes part by existing.
"""

from __future__ import annotations

import math
import re

import numpy as np
from hypothesis import strategies as st
from support import random_array

from mind_mlir import Builder, DType, Module, P, TensorType
from mind_mlir.ir import OPS, Reject
from mind_mlir.ir.op import Op
from mind_mlir.ops._elementwise import Binary, Unary
from mind_mlir.ops._slices import Slices

LARGEST = 1500
"""Elements of the largest value in a random module."""

DTYPES = st.sampled_from([DType.F32, DType.F32, DType.F64, DType.I32, DType.I64, *DType])
FLOATS = st.sampled_from([DType.F32, DType.F64])
SHAPES = st.lists(st.sampled_from([0, 1, 1, 2, 2, 3, 4, 5]), max_size=4).map(tuple)


class Draft:
    """A module in the making: draws values, and operations on them."""

    def __init__(self, draw) -> None:
        self.draw = draw
        self.b = Builder()
        self.values = []
        self.inputs = 0

    def integer(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def flag(self) -> bool:
        return self.draw(st.booleans())

    def choice(self, items):
        return self.draw(st.sampled_from(items))

    def subset(self, items) -> tuple[int, ...]:
        """Some of the items, each once, in any order."""
        kept = [i for i in items if self.flag()]
        return tuple(self.draw(st.permutations(kept)))

    def type(self, dtype=None, rank=None) -> TensorType:
        shape = self.draw(SHAPES if rank is None else st.tuples(*[st.sampled_from([0, 1, 2, 3, 4, 5])] * rank))
        return TensorType(dtype or self.draw(DTYPES), shape)

    def value(self, type: TensorType):
        """A value of this type: one that exists, a new Input or a new constant."""
        known = [v for v in self.values if v.type == type]
        if known and self.flag():
            return self.choice(known)
        return self.input(type) if self.flag() else self.constant(type)

    def any_value(self, condition=lambda type: True, otherwise=None):
        """A value whose type meets the condition, or one of type `otherwise()`, of f32 if no other dtype will do."""
        known = [v for v in self.values if condition(v.type)]
        if known:
            return self.choice(known)
        t = (otherwise or self.type)()
        return self.value(t if condition(t) else TensorType(DType.F32, t.shape))

    def input(self, type: TensorType):
        self.inputs += 1
        return self.kept(self.b.Input(f"x{self.inputs - 1}", type))

    def constant(self, type: TensorType):
        rng = np.random.default_rng(self.integer(0, 2**32 - 1))
        return self.kept(self.b.constant(random_array(type, rng, special=self.flag())))

    def kept(self, value):
        self.values.append(value)
        return value

    def emit(self, op: Op, *operands) -> None:
        """Append the operation, unless a result is large, or the op does not take operands of this dtype."""
        try:
            types = op.result_types(*[v.type for v in operands])
        except Reject as why:
            if why.code != "E2005":
                raise
            return
        if all(t.size <= LARGEST and t.rank <= 6 for t in types):
            for v in self.b.emit_all(op, *operands):
                self.kept(v)


def elementwise(d: Draft, cls) -> None:
    """One operand, or two that broadcast: leading axes may be missing, any extent may be 1."""
    first = d.any_value(lambda t: _takes(cls, t), lambda: d.type(d.draw(FLOATS)))
    if len(cls.operand_names) == 1:
        return d.emit(cls(), first)
    shape = tuple(1 if d.integer(0, 3) == 0 else n for n in first.type.shape)
    second = d.value(first.type.with_shape(shape[d.integer(0, len(shape)) :] if d.flag() else shape))
    return d.emit(cls(), *([first, second] if d.flag() else [second, first]))


def _takes(cls, type: TensorType) -> bool:
    try:
        cls().infer_type(*[type] * len(cls.operand_names))
    except Exception:  # a Reject of any code
        return False
    return True


def axes(d: Draft, choice, rank: int) -> tuple[int, ...]:
    """Some of the axes, in any order, some counted from the end."""
    return tuple(a - rank if d.flag() else a for a in d.subset(choice))


def reduction(d: Draft, cls) -> None:
    x = d.any_value(lambda t: t.dtype.is_float or cls.opcode == "Sum", lambda: d.type(d.draw(FLOATS)))
    d.emit(cls(axes(d, range(x.type.rank), x.type.rank), d.flag()), x)


def reshape(d: Draft, cls) -> None:
    x = d.any_value()
    near = x.type.size and d.flag()
    d.emit(cls(_merged_or_split(d, x.type.shape) if near else _any_shape(d, x.type.size)), x)


def _any_shape(d: Draft, rest: int) -> list[int]:
    """Extents of so many elements, one of them perhaps -1."""
    if rest == 0:
        return d.draw(st.permutations([*(n for n in d.type().shape if n), 0]))
    shape = []
    while len(shape) < 4 and d.flag():
        shape.append(d.choice([n for n in range(1, rest + 1) if rest % n == 0]))
        rest //= shape[-1]
    shape += [rest] if rest > 1 else []
    if shape and d.flag():
        shape[d.integer(0, len(shape) - 1)] = -1
    return d.draw(st.permutations(shape))


def _merged_or_split(d: Draft, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Two dimensions side by side as one, or one that can be halved as two."""
    even = [i for i, n in enumerate(shape) if n % 2 == 0]
    if len(shape) > 1 and (not even or d.flag()):
        i = d.integer(0, len(shape) - 2)
        return (*shape[:i], shape[i] * shape[i + 1], *shape[i + 2 :])
    if not even:
        return shape
    i = d.choice(even)
    return (*shape[:i], *d.choice([(2, shape[i] // 2), (shape[i] // 2, 2)]), *shape[i + 1 :])


def transpose(d: Draft, cls) -> None:
    x = d.any_value()
    d.emit(cls(d.draw(st.permutations(range(x.type.rank)))), x)


def expand_dims(d: Draft, cls) -> None:
    x = d.any_value()
    rank = x.type.rank + d.integer(0, 2)
    chosen = d.draw(st.permutations(range(rank)))[: rank - x.type.rank]
    d.emit(cls([a - rank if d.flag() else a for a in chosen]), x)


def squeeze(d: Draft, cls) -> None:
    x = d.any_value(lambda t: 1 in t.shape, lambda: TensorType(d.draw(DTYPES), (1, *d.draw(SHAPES)[:3])))
    d.emit(cls(axes(d, [i for i, n in enumerate(x.type.shape) if n == 1], x.type.rank)), x)


def index(d: Draft, cls) -> None:
    x = d.any_value(lambda t: t.size)
    beyond = d.integer(0, 7) == 0  # now and then out of bounds
    d.emit(cls([d.integer(-n, max(n - 1, -n) + beyond) for n in x.type.shape]), x)


def slice_(d: Draft, cls) -> None:
    x = d.any_value()
    starts, ends = ([d.integer(-n, n) for n in x.type.shape] for _ in range(2))
    d.emit(cls(starts, ends, [d.integer(1, 4) for _ in x.type.shape]), x)


def rows_of(d: Draft, extent: int, shape: tuple[int, ...], oob: str):
    """Indices of this shape into `extent` rows: a value, or a constant, within bounds where `oob` is no choice."""
    dtype = d.draw(st.sampled_from([DType.I32, DType.I64, DType.I8, DType.I16]))
    if d.flag():
        return d.value(TensorType(dtype, shape))
    beyond = int(oob != "error" or d.integer(0, 7) == 0)  # now and then out of bounds
    one = st.integers(-beyond, max(extent - 1, 0) + beyond)
    drawn = d.draw(st.lists(one, min_size=math.prod(shape), max_size=math.prod(shape)))
    return d.kept(d.b.constant(np.array(drawn, dtype.numpy).reshape(shape)))


def gather(d: Draft, cls) -> None:
    x = d.any_value(lambda t: t.rank, lambda: d.type(rank=2))
    shape, extent, oob = d.draw(SHAPES)[:2], x.type.shape[0], d.choice(["error", "error", "clip", "fill"])
    indices = rows_of(d, extent, shape, oob)
    if oob != "clip" or extent:
        d.emit(cls(oob), x, indices)


def scatter_add(d: Draft, cls) -> None:
    x = d.any_value(lambda t: t.rank, lambda: d.type(rank=2))
    shape, extent, oob = d.draw(SHAPES)[:2], x.type.shape[0], d.choice(["error", "error", "clip", "fill"])
    updates = x.type.with_shape(shape + x.type.shape[1:])
    if (oob != "clip" or extent) and updates.size <= LARGEST:
        d.emit(cls(oob), x, rows_of(d, extent, shape, oob), d.value(updates))


def slices(d: Draft, cls) -> None:
    """Slices at index vectors as in a sample, the vectors within bounds where `oob` is no choice."""
    op, types = d.choice(cls.samples())
    input, indices, *updates = types
    beyond = int(op.oob != "error" or d.integer(0, 7) == 0)  # now and then out of bounds
    one = st.integers(-beyond, max(op.span(input) - 1, 0) + beyond)
    drawn = d.draw(st.lists(one, min_size=indices.size, max_size=indices.size))
    vectors = d.kept(d.b.constant(np.array(drawn, indices.dtype.numpy).reshape(indices.shape)))
    d.emit(op, d.value(input), vectors, *[d.value(t) for t in updates])


def broadcast(d: Draft, cls) -> None:
    x = d.any_value()
    shape = [d.integer(0, 3) if n == 1 and d.flag() else n for n in x.type.shape]
    d.emit(cls(d.draw(SHAPES)[:2] + tuple(shape)), x)


def select(d: Draft, cls) -> None:
    first = d.any_value()
    one_each = [tuple(1 if d.integer(0, 3) == 0 else n for n in first.type.shape) for _ in range(2)]
    condition, second = (shape[d.integer(0, len(shape)) :] if d.flag() else shape for shape in one_each)
    chosen = [first, d.value(first.type.with_shape(second))]
    d.emit(cls(), d.value(TensorType(DType.I1, condition)), *d.draw(st.permutations(chosen)))


def convert(d: Draft, cls) -> None:
    d.emit(cls(d.draw(DTYPES)), d.any_value())


def bit_cast(d: Draft, cls) -> None:
    x = d.any_value()
    d.emit(cls(d.choice([t for t in DType if t.bits == x.dtype.bits])), x)


def pad(d: Draft, cls) -> None:
    x = d.any_value()
    d.emit(cls(*([d.integer(0, 2) for _ in x.type.shape] for _ in range(3))), x)


def dot(d: Draft, cls) -> None:
    lhs = d.any_value(lambda t: t.rank in (1, 2) and not t.dtype.is_bool, lambda: d.type(rank=2))
    rhs = lhs.type.with_shape((lhs.type.shape[-1], *d.type(rank=d.integer(0, 1)).shape))
    d.emit(cls(), lhs, d.value(rhs))


def matmul(d: Draft, cls) -> None:
    lhs = d.any_value(lambda t: t.rank >= 2 and not t.dtype.is_bool, lambda: d.type(rank=3))
    *batch, _, k = lhs.type.shape
    batch = [1 if d.integer(0, 3) == 0 else n for n in batch][d.integer(0, len(batch)) :]
    d.emit(cls(), lhs, d.value(lhs.type.with_shape((*batch, k, d.integer(0, 4)))))


def window(d: Draft) -> tuple:
    """Strides and padding."""
    pads = [[d.integer(0, 2), d.integer(0, 2)] for _ in range(2)]
    return [d.integer(1, 3), d.integer(1, 3)], d.choice(["Valid", "Same", "Same", pads])


def convolved(x: TensorType, filter, strides, padding) -> TensorType | None:
    """The type of a convolution; None where the window is larger than the padded input, or where it is large."""
    try:
        type = OPS["Conv2d"](strides, padding).infer_type(x, x.with_shape(filter))
    except Exception:
        return None
    return type if type.size <= LARGEST else None


def conv2d(d: Draft, cls) -> None:
    x = d.any_value(lambda t: t.rank == 4 and not t.dtype.is_bool, lambda: d.type(rank=4))
    filter = (d.integer(0, 3), d.integer(0, 3), x.type.shape[3], d.integer(0, 3))
    strides, padding = window(d)
    if convolved(x.type, filter, strides, padding):
        d.emit(cls(strides, padding), x, d.value(x.type.with_shape(filter)))


def conv2d_backward_input(d: Draft, cls) -> None:
    w = d.any_value(lambda t: t.rank == 4 and not t.dtype.is_bool, lambda: d.type(rank=4))
    x = w.type.with_shape((d.integer(0, 2), d.integer(0, 5), d.integer(0, 5), w.type.shape[2]))
    strides, padding = window(d)
    if ct := convolved(x, w.type.shape, strides, padding):
        d.emit(cls(x.shape, strides, padding), d.value(ct), w)


def conv2d_backward_filter(d: Draft, cls) -> None:
    x = d.any_value(lambda t: t.rank == 4 and not t.dtype.is_bool, lambda: d.type(rank=4))
    filter = (d.integer(0, 3), d.integer(0, 3), x.type.shape[3], d.integer(0, 3))
    strides, padding = window(d)
    if ct := convolved(x.type, filter, strides, padding):
        d.emit(cls(filter, strides, padding), x, d.value(ct))


def from_samples(d: Draft, cls) -> None:
    samples = cls.samples()
    if samples:
        op, types = d.choice(samples)
        if all(t.size <= LARGEST for t in types):
            d.emit(op, *[d.value(t) for t in types])


def of_one_rank(d: Draft, cls) -> None:
    """An operation between ranks, along an axis of one."""
    x = d.any_value(lambda type: not type.dtype.is_bool)
    dims = {"dim", "split", "concat"} & set(cls.kinds)
    if x.type.rank or not dims:
        d.emit(cls("dp", 1, **{name: d.integer(0, x.type.rank - 1) for name in sorted(dims)}), x)


def reshard(d: Draft, cls) -> None:
    x = d.any_value()
    d.emit(cls(P(*[None] * x.type.rank)), x)


def again(d: Draft) -> None:
    """An operation that stands there already, on the same types: perhaps on the same values."""
    operations = [o for o in d.b.operations if o.operands]
    if operations:
        o = d.choice(operations)
        d.emit(o.op, *[d.value(d.b.result(i).type) for i in o.operands])


RECIPES = {
    **dict.fromkeys(
        [name for name, cls in OPS.items() if issubclass(cls, (Unary, Binary)) and not cls.kinds], elementwise
    ),
    **dict.fromkeys(["Sum", "Mean"], reduction),
    "Reshape": reshape,
    "Transpose": transpose,
    "ExpandDims": expand_dims,
    "Squeeze": squeeze,
    "Index": index,
    "Slice": slice_,
    "Broadcast": broadcast,
    "Select": select,
    "Convert": convert,
    "BitCast": bit_cast,
    "Pad": pad,
    "Gather": gather,
    "ScatterAdd": scatter_add,
    **dict.fromkeys([name for name, cls in OPS.items() if issubclass(cls, Slices)], slices),
    "Dot": dot,
    "MatMul": matmul,
    "Conv2d": conv2d,
    "Conv2dBackwardInput": conv2d_backward_input,
    "Conv2dBackwardFilter": conv2d_backward_filter,
    **dict.fromkeys([name for name, cls in OPS.items() if cls.across_ranks], of_one_rank),
    "Reshard": reshard,
    "Input": lambda d, cls: d.input(d.type()),
    "ConstTensor": lambda d, cls: d.constant(d.type()),
}


@st.composite
def modules(draw, opcodes=None) -> Module:
    """A valid module of up to ten operations; whatever is not used is an output, and perhaps Inputs and repetitions.

    Operations are of all opcodes, or of these.
    """
    d = Draft(draw)
    d.input(d.type())
    for _ in range(d.integer(1, 10)):
        if d.integer(0, 4) == 0:
            again(d)
        else:
            opcode = d.choice(sorted(opcodes or OPS))
            RECIPES.get(opcode, from_samples)(d, OPS[opcode])
    used = {i for o in d.b.operations for i in o.operands}
    ends = [v for v in d.values if v.id not in used and v.op.opcode != "Input"]
    if d.integer(0, 3) == 0:  # now and then most of the module is dead
        ends = ends[-1:]
    return d.b.finish(ends + draw(st.lists(st.sampled_from(d.values), min_size=not ends, max_size=2)))


def arguments_for(m: Module, seed: int = 0) -> list[np.ndarray]:
    """An array for each Input; with an even seed, those that name rows are within bounds."""
    rng = np.random.default_rng(seed)
    arrays = {o.id: random_array(o.type, rng, special=bool(seed % 2)) for o in m.inputs}
    for o in m.operations:
        for n, i in enumerate(o.operands):
            if o.op.operand_name(n) == "indices" and i in arrays and seed % 2 == 0:
                arrays[i] %= max(o.op.span(m[o.operands[0]].type), 1)
    return list(arrays.values())


@st.composite
def mutated_texts(draw) -> str:
    """The text of a valid module with one to three faults put in."""
    text = str(draw(modules()))
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(MUTATIONS))(draw, text)
    return text


def _replaced(draw, text: str, pattern: str, replacement) -> str:
    places = list(re.finditer(pattern, text))
    if not places:
        return text
    at = draw(st.sampled_from(places))
    new = replacement(at) if callable(replacement) else draw(replacement)
    return text[: at.start()] + new + text[at.end() :]


def another_operand(draw, text: str) -> str:
    return _replaced(draw, text, r"(?<=[(,:] )%\d+|(?<=\()%\d+", st.integers(0, 12).map("%{}".format))


def another_id(draw, text: str) -> str:
    return _replaced(draw, text, r"(?m)^%\d+", st.integers(0, 12).map("%{}".format))


def another_output(draw, text: str) -> str:
    """Another id in the lines after the operations."""
    return _replaced(draw, text, r"(?m)(?<=[:,>] %)\d+(?=,|$| ->)", st.integers(0, 14).map(str))


def another_type(draw, text: str) -> str:
    return _replaced(draw, text, r"tensor<[^>]*>", st.builds(TensorType, DTYPES, SHAPES).map(str))


def another_extent(draw, text: str) -> str:
    return _replaced(draw, text, r"-?\d+(?=[\],])", st.sampled_from(["-1", "0", "1", "2", "3", "7", "-9", "1e1", "x"]))


def dropped_attribute(draw, text: str) -> str:
    return _replaced(draw, text, r'\w+ = (\[[^=]*\]|"[^"]*"|[^,}\n]+)(, )?(?=[^\n]*\})', st.just(""))


def another_opcode(draw, text: str) -> str:
    return _replaced(draw, text, r"(?<== )[A-Z]\w*", st.sampled_from(sorted(OPS)))


def moved_line(draw, text: str) -> str:
    """A line elsewhere, twice or not at all."""
    lines = text.splitlines(keepends=True)
    line = draw(st.sampled_from(lines))
    if draw(st.booleans()):
        lines.remove(line)
    if draw(st.booleans()):
        lines.insert(draw(st.integers(0, len(lines))), line)
    return "".join(lines)


def another_character(draw, text: str) -> str:
    at = draw(st.integers(0, max(len(text) - 1, 0)))
    new = draw(st.sampled_from(["", " ", "\n", *'%(){}[]<>,:=-"#0123456789.xeE\\', "é", "\0"]))
    return text[:at] + new + text[at + draw(st.integers(0, 1)) :]


MUTATIONS = [
    another_operand,
    another_id,
    another_output,
    another_type,
    another_extent,
    dropped_attribute,
    another_opcode,
    moved_line,
    another_character,
]
