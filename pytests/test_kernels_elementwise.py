"""Element-wise operations, transposes, gathers and pads as kernels: the bits of interpret, and no byte beside them."""

import dataclasses
import itertools
import re

import numpy as np
import pytest
from random_products import NUMBERS
from support import after, assert_same_bits, random_array

import mind_mlir as mind
from mind_mlir import Builder, DType, TensorType, lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.targets import cpus
from mind_mlir.passes import Pipeline

DTYPES = pytest.mark.parametrize("dtype", NUMBERS, ids=str)
CPUS = pytest.mark.parametrize("cpu", list(cpus.CPUS))
MOVES = pytest.mark.parametrize(
    ("cpu", "dtype"),
    [
        (cpu, d)
        for n, cpu in enumerate(cpus.CPUS)
        for d in NUMBERS
        if (n + [e for e in NUMBERS if e.width == d.width].index(d)) % 2 == 0
    ],
    ids=str,
)
"""For what moves elements, of which the width matters alone: every CPU with every width, and every dtype with half of
the CPUs."""
SIZES = [1, 2, 3, 7, 16, 17, 63, 64, 65, 127, 997]


@pytest.fixture
def use(monkeypatch):
    """Lets kernels be for a kind of CPU; with `streams`, one whose caches hold nothing."""

    def choose(cpu, streams=False):
        record = cpus.CPUS[cpu]
        chosen = dataclasses.replace(record, l3=1) if streams else record
        monkeypatch.setattr(cpus, "host", lambda: chosen)

    return choose


def module(shapes, make, dtype=DType.F32):
    """`make(b, *inputs)` gives the outputs; a shape stands for an Input of `dtype`, a TensorType for itself."""
    b = Builder()
    types = [s if isinstance(s, TensorType) else TensorType(dtype, s) for s in shapes]
    found = make(b, *[b.Input(f"x{n}", t) for n, t in enumerate(types)])
    return b.finish(list(found) if isinstance(found, (list, tuple)) else [found])


class Guarded:
    """An array full of garbage between bytes that must stay, `offset` elements behind the border of a cache line."""

    def __init__(self, type, offset=0):
        memory = np.full(type.nbytes + 512, 0xA5, np.uint8)
        start = -memory.ctypes.data % 64 + 128 + offset * type.dtype.width
        self.array = memory[start : start + type.nbytes].view(type.dtype.numpy).reshape(type.shape)
        self.around = memory[:start], memory[start + type.nbytes :]

    def check(self):
        for part in self.around:
            assert (part == 0xA5).all(), "bytes beside the result were written"


def arguments(m, seed=0, special=False):
    rng = np.random.default_rng(seed)
    return [random_array(t, rng, special) for t in (o.type for o in m.inputs)]


def check(m, arrays=None, offset=0, **options):
    """Native results have the bits of interpret, and nothing beside them is touched."""
    arrays = arguments(m) if arrays is None else arrays
    expected = mind.interpret(m, *arrays)
    placed = []
    for a in arrays:
        copy = Guarded(TensorType.of_array(a), offset)
        copy.array[...] = a
        placed.append(copy)
    results = [Guarded(t, offset) for t in m.output_types]
    exe = mind.compile(m, numerics="strict", **options)
    exe(*[p.array for p in placed], out=tuple(r.array for r in results))
    for n, (found, wanted) in enumerate(zip(results, expected)):
        assert_same_bits(found.array, wanted, f"output {n}:")
    for g in (*placed, *results):
        g.check()


def kinds(m):
    """The strategies that are chosen, in the order of calls."""
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,cpu-kernels").run(m))
    kind = dict(re.findall(r'func private @(\w+)\(.*kind = "(\w+)"', text))
    return [kind.get(name, name) for name in re.findall(r"call @(\w+)\(", text)]


def records(m):
    return re.findall(
        r"mind.strategy = \{(.*?)\}",
        str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,strided-copies-to-linalg,form-kernels").run(m)),
    )


# Arithmetic


def chain(b, x, y, z):
    return -(x * y + z) - b.Select(b.Greater(x, y), z, y)


@DTYPES
def test_a_chain_has_the_bits_of_interpret_at_every_size(dtype):
    """Output by output, the sizes are those of SIZES."""
    m = module([(n,) for n in SIZES for _ in "xyz"], lambda b, *xs: [chain(b, *x) for x in zip(*[iter(xs)] * 3)], dtype)
    assert kinds(m) == ["elementwise"] * (len(SIZES) - 1)  # of one element it is none
    check(m, arguments(m, special=True), offset=1)


@DTYPES
@CPUS
def test_every_cpu_gives_the_same_bits(use, cpu, dtype):
    use(cpu)
    check(module([(5, 77)] * 3, chain, dtype))
    check(module([(1000, 777)] * 3, chain, dtype))


@CPUS
@pytest.mark.parametrize(
    "shapes",
    [
        [(9, 1), (21,)],
        [(9, 21), (1, 21)],
        [(9, 21), ()],
        [(4, 1, 33), (4, 5, 1)],
        [(4, 5, 33), (5, 1)],
        [(2, 3, 1, 7), (3, 5, 1)],
        [(1, 1, 1), (2, 3, 50)],
        [(1000, 1), (777,)],
    ],
    ids=str,
)
def test_operands_are_stretched(use, cpu, shapes):
    use(cpu)
    m = module(shapes, lambda b, x, y: b.Relu(x + y) * y)
    assert kinds(m) == ["elementwise"]
    check(m, offset=3)


def test_a_value_that_stays_the_same_in_a_row_is_computed_once():
    m = module([(8, 1), (8, 1), (256,)], lambda b, x, y, z: x * y + z)
    text = str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,cpu-kernels").run(m))
    outer, inner = text.split("scf.for")[1:3]
    assert "arith.mulf" in outer
    assert "arith.mulf" not in inner


@CPUS
@pytest.mark.parametrize("n", [1, 5, 16, 100])
def test_operands_of_several_widths_share_lanes(use, cpu, n):
    use(cpu)
    i1, i64 = TensorType(DType.I1, (3, n)), TensorType(DType.I64, (3, n))
    i8 = TensorType(DType.I8, (3, n))
    f32, f64 = TensorType(DType.F32, (3, n)), TensorType(DType.F64, (3, n))
    m = module(
        [i1, i64, f32, f64, i8],
        lambda b, c, k, x, y, j: [
            b.Select(c, y, -y),
            b.Select(b.Greater(y, x0 := y * y), j, j * j),
            b.And(c, b.Less(y, x0)),
            b.Select(b.Greater(y, y * y), x, x * x),
            b.Select(b.Greater(x, x + x), k, k * k),
            b.Greater(k, k + k),
        ],
    )
    check(m, offset=1)


@pytest.mark.parametrize("dtype", [DType.I32, DType.I64], ids=str)
def test_integers_wrap_and_division_never_traps(dtype):
    m = module([(131,)] * 2, lambda b, x, y: [x * y, x - y, b.Div(x, y)], dtype)
    check(m, arguments(m, special=True))


def test_several_operations_share_a_kernel_and_store_what_others_need():
    m = module([(300,)] * 3, lambda b, x, y, z: [(s := x * y), s + z, -s])
    assert kinds(m) == ["elementwise"]
    check(m, offset=2)


def test_an_operation_works_in_place():
    text = """
    func.func @main(%x: memref<40xf32> {llvm.noalias}, %o: memref<40xf32> {llvm.noalias}) {
      linalg.add ins(%x, %o : memref<40xf32>, memref<40xf32>) outs(%o : memref<40xf32>)
      return
    }"""
    made = after("form-kernels{cpu=avx2},expand-kernels{cpu=avx2}", text)
    stores = list(re.finditer(r"vector.store %\w+, (%arg1\[%\w+\])", made))
    assert len(stores) == 5
    for store in stores:
        assert f"vector.load {store[1]}" in made[: store.start()]
        assert f"vector.load {store[1]}" not in made[store.end() :]


@pytest.mark.parametrize(
    ("second", "taken"),
    [
        ("ins(%m, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%o : memref<8x8xf32>)", True),
        ("ins(%t, %y : memref<8x8xf32, strided<[1, 8]>>, memref<8x8xf32>) outs(%o : memref<8x8xf32>)", False),
        ("ins(%m, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%x : memref<8x8xf32>)", True),
        ("ins(%m, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%u : memref<8x8xf32, strided<[1, 8]>>)", False),
    ],
)
def test_operations_that_might_meet_in_memory_at_other_places_stay_apart(second, taken):
    text = f"""
    func.func @main(%x: memref<8x8xf32> {{llvm.noalias}}, %y: memref<8x8xf32> {{llvm.noalias}},
                    %m: memref<8x8xf32> {{llvm.noalias}}, %o: memref<8x8xf32> {{llvm.noalias}}) {{
      %t = memref.transpose %m (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
      %u = memref.transpose %x (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
      linalg.add {{mind.group = 0 : i64}} ins(%x, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%m : memref<8x8xf32>)
      linalg.sub {{mind.group = 0 : i64}} {second}
      return
    }}"""
    made = after("form-kernels{cpu=avx2}", text)
    assert (made.count("call @") == 1) == taken


# Slices and gathers


@DTYPES
@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, 9])
def test_slices_read_no_element_behind_their_last(step, dtype):
    ends = [(n - 1) * step + 1 for n in (1, 2, 15, 16, 17, 100)]
    shapes = [(end,) for end in ends] + [(3, end) for end in ends]
    check(module(shapes, lambda b, *xs: [cut(b, x, (1,) * (len(x.type.shape) - 1) + (step,)) for x in xs], dtype))


def cut(b, x, steps, starts=None):
    shape = tuple(x.type.shape)
    return b.Slice(x, starts=starts or (0,) * len(shape), ends=shape, steps=steps)


@CPUS
def test_slices_are_operands(use, cpu):
    use(cpu)
    m = module([(20, 70), (10, 34)], lambda b, x, y: cut(b, x, (2, 2), (1, 3)) + y)
    assert kinds(m) == ["elementwise"]
    check(m, offset=1)


@DTYPES
@pytest.mark.parametrize("oob", ["error", "clip", "fill"])
def test_gathers_take_rows(oob, dtype):
    indices = TensorType(DType.I64 if dtype.width == 4 else DType.I32, (5, 9))
    rows = [(11, *row) for row in ((), (1,), (3,), (4,), (40,), (3, 5))]
    m = module([indices, *rows], lambda b, i, *xs: [b.Gather(x, i, oob=oob) for x in xs], dtype)
    drawn = np.random.default_rng(0).integers(*((0, 11) if oob == "error" else (-9, 20)), (5, 9))
    check(m, [drawn.astype(indices.dtype.numpy), *arguments(m)[1:]], offset=1)


@CPUS
def test_a_gather_and_what_is_made_of_it_share_a_kernel(use, cpu):
    use(cpu)
    m = module([(50, 37), TensorType(DType.I64, (90,)), (37,)], lambda b, x, i, y: b.Relu(b.Gather(x, i) * y))
    assert kinds(m)[-1] == "elementwise"
    check(m, [arguments(m)[0], np.random.default_rng(1).integers(0, 50, 90), arguments(m)[2]])


def test_a_row_that_does_not_exist_is_reported():
    m = module([(50, 64), TensorType(DType.I64, (9,))], lambda b, x, i: b.Gather(x, i))
    exe = mind.compile(m)
    for wrong in (-1, 50):
        with pytest.raises(mind.MindError, match="E6001"):
            exe(arguments(m)[0], np.array([0, 1, 2, 3, wrong, 5, 6, 7, 8]))


# Pads


PADS = [
    ((1,), (2,), (3,), (0,)),
    ((70,), (1,), (0,), (0,)),
    ((70,), (0,), (17,), (1,)),
    ((16,), (0,), (0,), (2,)),
    ((17,), (3,), (1,), (3,)),
    ((9,), (1,), (1,), (5,)),
    ((5, 33), (1, 2), (3, 0), (0, 0)),
    ((5, 33), (0, 0), (0, 0), (2, 1)),
    ((5, 1), (0, 4), (1, 1), (1, 0)),
    ((2, 5, 5, 3), (0, 1, 2, 0), (0, 2, 1, 0), (0, 0, 0, 0)),
    ((2, 5, 5, 16), (0, 1, 1, 0), (0, 1, 1, 0), (0, 0, 0, 0)),
    ((2, 3, 4), (1, 0, 5), (0, 2, 0), (1, 2, 0)),
]


@MOVES
def test_pads_write_every_place_once(use, cpu, dtype):
    use(cpu)

    def make(b, *xs):
        return [b.Pad(x, low=low, high=high, interior=inside) for x, (_, low, high, inside) in zip(xs, PADS)]

    check(module([shape for shape, *_ in PADS], make, dtype), offset=1)


@pytest.mark.parametrize("interior", [0, 1, 2, 3])
def test_a_pad_is_one_kernel(interior):
    m = module([(50, 70)], lambda b, x: b.Pad(x, low=(1, 1), high=(1, 2), interior=(0, interior)))
    assert kinds(m) == ["elementwise"]


def test_a_pad_of_something_computed_is_one_kernel_more():
    m = module([(8, 70)] * 2, lambda b, x, y: b.Pad(b.Relu(x * y), low=(1, 1), high=(1, 2), interior=(0, 0)))
    assert set(kinds(m)) == {"elementwise"}
    check(m)


# Transposes


@MOVES
def test_transposes_have_every_size(use, cpu, dtype):
    use(cpu)
    shapes = [(3, 50), (50, 3), (16, 16), (17, 33), (33, 17), (64, 40), (7, 7), (8, 100), (1, 9), (101, 67)]
    check(module(shapes, lambda b, *xs: [b.Transpose(x, permutation=(1, 0)) for x in xs], dtype), offset=1)


@CPUS
@pytest.mark.parametrize("permutation", list(itertools.permutations(range(3))), ids=str)
def test_every_permutation_of_three_axes(use, cpu, permutation):
    use(cpu)
    shapes = [(5, 18, 20), (17, 3, 35), (2, 40, 19)]
    check(module(shapes, lambda b, *xs: [b.Transpose(x, permutation=permutation) for x in xs]))


@pytest.mark.parametrize("permutation", [(0, 3, 1, 2), (0, 2, 3, 1), (3, 2, 1, 0), (1, 0, 3, 2), (0, 2, 1, 3)], ids=str)
def test_permutations_of_images(permutation):
    shapes = [(2, 9, 10, 32), (2, 24, 5, 7), (2, 9, 10, 3)]
    check(module(shapes, lambda b, *xs: [b.Transpose(x, permutation=permutation) for x in xs]))


def test_a_transpose_is_a_kernel_of_its_own_kind():
    assert kinds(module([(70, 90)], lambda b, x: b.Transpose(x, permutation=(1, 0)))) == ["transpose"]
    images = module([(2, 9, 10, 3)], lambda b, x: b.Transpose(x, permutation=(0, 3, 1, 2)))
    assert kinds(images) == ["transpose"]


@pytest.mark.parametrize("shape", [(256, 256), (256, 768), (768, 256)], ids=str)
def test_transposes_whose_rows_meet_in_the_cache_go_along_diagonals(shape):
    m = module([shape], lambda b, x: b.Transpose(x, permutation=(1, 0)))
    assert 'order = "diagonals"' in records(m)[0]
    check(m)


def test_an_operation_on_operands_that_lie_across_each_other_goes_by_squares():
    text = """
    func.func @main(%x: memref<40x24xf32> {llvm.noalias}, %y: memref<24x40xf32> {llvm.noalias},
                    %o: memref<24x40xf32> {llvm.noalias}) {
      %t = memref.transpose %x (i, j) -> (j, i) : memref<40x24xf32> to memref<24x40xf32, strided<[1, 24]>>
      linalg.sub ins(%t, %y : memref<24x40xf32, strided<[1, 24]>>, memref<24x40xf32>) outs(%o : memref<24x40xf32>)
      return
    }"""
    made = after("form-kernels{cpu=avx2},expand-kernels{cpu=avx2}", text)
    assert 'kind = "transpose"' in made
    assert made.count("arith.subf") == made.count("vector.store") == 8


# Stores past the caches


@pytest.mark.parametrize("dtype", [DType.F32, DType.I64], ids=str)
@pytest.mark.parametrize("cpu", ["avx512", "avx2", "sse2"])
@pytest.mark.parametrize("offset", [0, 1, 4, 15])
def test_stores_past_the_caches_fit_memory_of_every_alignment(use, cpu, dtype, offset):
    use(cpu, streams=True)
    check(module([(1003,)] * 3, chain, dtype), offset=offset)
    m = module(
        [(6, 600), (6, 512), (70, 96)],
        lambda b, x, y, z: [cut(b, x, (1, 1), (0, 1)), cut(b, y, (2, 1)), b.Transpose(z, permutation=(1, 0))],
        dtype,
    )
    check(m, offset=offset)


def test_only_large_results_are_stored_past_the_caches():
    large, small = (1 << 22,), (1 << 16,)
    assert "streaming = true" in records(module([large] * 3, chain))[0]
    assert "streaming = false" in records(module([small] * 3, chain))[0]
    used_again = module([large, (4, 1 << 20)], lambda b, x, y: [(r := b.Relu(x)), b.Sum(r, axes=(0,), keepdims=False)])
    assert not any("streaming = true" in r for r in records(used_again))


def test_a_large_copy_is_a_kernel_that_stores_past_the_caches():
    m = module([(1 << 23,)], lambda b, x: b.Reshape(x, new_shape=(1 << 11, 1 << 12)))
    assert ["streaming = true" in r for r in records(m)] == [True]
    check(m)


@pytest.mark.parametrize("offset", [0, 4])
def test_gathers_and_pads_store_past_the_caches(use, offset):
    use("avx512", streams=True)
    indices = TensorType(DType.I64, (90,))
    m = module([(50, 64), indices], lambda b, x, i: b.Gather(x, i, oob="clip"))
    check(m, [arguments(m)[0], np.random.default_rng(1).integers(-5, 60, 90)], offset=offset)
    check(module([(6, 64)], lambda b, x: b.Pad(x, low=(1, 16), high=(2, 32), interior=(0, 0))), offset=offset)
    check(module([(3, 1000)], lambda b, x: b.Pad(x, low=(1, 5), high=(2, 2), interior=(0, 0))), offset=offset)


def test_results_start_on_the_border_of_a_cache_line():
    m = module([(1 << 19,)], lambda b, x: -x)
    (result,) = mind.compile(m)(*arguments(m))
    assert result.ctypes.data % 64 == 0
    assert result.flags.writeable
    assert result.flags.c_contiguous


# Exp and Log


@pytest.mark.parametrize("opcode", ["Exp", "Log"])
@pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
def test_every_position_has_the_same_bits_of_exp_and_log(opcode, dtype):
    values = np.abs(random_array(TensorType(dtype, (200,)), np.random.default_rng(0)))
    whole = mind.compile(module([(200,)], lambda b, x: getattr(b, opcode)(x), dtype))(values)[0]
    for start, end in ((0, 1), (3, 20), (7, 71), (199, 200)):
        part = mind.compile(module([(end - start,)], lambda b, x: getattr(b, opcode)(x), dtype))(values[start:end])[0]
        assert_same_bits(part, whole[start:end])


@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_the_steps_of_a_function_alternate_between_vectors(use, numerics):
    use("avx2")
    m = module([(64,)], lambda b, x: b.Log1p(x))
    pipeline = f"lower-to-linalg{{numerics={numerics}}},cpu-fuse,cpu-bufferize,cpu-kernels"
    steps = re.findall(r" = ([a-z]+\.[a-z]+) .*vector<8x", str(Pipeline.parse(pipeline).run(m)))
    runs = {len(list(same)) % 4 for name, same in itertools.groupby(steps) if name.startswith("arith.sub")}
    assert runs == {0}
