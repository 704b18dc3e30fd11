"""Problems from shapes, for people who ask in a REPL what would be chosen; and the rules for each kind of problem.

They are the loops that the compiler finds in a module of that one operation: `pytests/test_rules.py` compares the
choices with docs/records.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ...ir import DType
from ..targets.chips import WIDE
from ..targets.cpus import Cpu
from .choice import Choice
from .element_rules import Elements, Touched, choose_elements, ordered
from .gpu_product_rules import GpuProduct, choose_tiles
from .gpu_sum_rules import GpuSum, choose_gpu_sum
from .gpu_tma_rules import choose_tma
from .loop_nest import LoopNest, contiguous
from .position_rules import Lines, choose_positions
from .product_loops import Product
from .product_rules import choose as choose_product, rows_collide
from .sharing import threads_for
from .sum_rules import Sum, choose_sum
from .transpose_rules import Turned, choose_transpose, lies_across, loop_across, with_squares

Shape = Sequence[int]


def matmul(lhs: Shape, rhs: Shape, dtype: DType = DType.F32, transposed: str = "") -> Product:
    """`lhs @ rhs`, or with one operand, `left` or `right`, read as the transpose of what is in memory.

    Shapes are those in memory; leading extents are batches. ValueError if they do not fit.

        >>> matmul((130, 512), (512, 1024)).depth
        512
    """
    batches, m, k, n = _fitted(lhs, rhs, transposed)
    extents = (*batches, m, n, k)
    loops = len(extents)
    b, i, j, t = tuple(range(loops - 3)), loops - 3, loops - 2, loops - 1
    x = contiguous(lhs, (*b, t, i) if transposed == "left" else (*b, i, t), loops)
    y = contiguous(rhs, (*b, j, t) if transposed == "right" else (*b, t, j), loops)
    out = contiguous((*batches, m, n), (*b, i, j), loops)
    return Product.of(dtype, LoopNest(extents, (*[False] * (loops - 1), True), (x, y, out)))


def _fitted(lhs: Shape, rhs: Shape, transposed: str) -> tuple[tuple[int, ...], int, int, int]:
    """Batches, m, k and n of a product."""
    if len(lhs) != len(rhs) or len(lhs) < 2 or transposed not in ("", "left", "right"):
        raise ValueError(
            "a product has two shapes of one rank, 2 or more, and perhaps the left or the right transposed"
        )
    (*batches, m, k), (*others, l, n) = lhs, rhs
    if transposed == "left":
        m, k = k, m
    elif transposed == "right":
        l, n = n, l
    if k != l or batches != others:
        raise ValueError(f"a product contracts {k} against {l}, with batches {batches} and {others}")
    return tuple(batches), m, k, n


def convolution(image: Shape, filters: Shape, dtype: DType = DType.F32, stride: int = 1) -> Product:
    """A "Same" convolution of images `[n, y, x, c]` with filters `[i, j, c, f]`, from an image with its padding."""
    (n, *sides, c), (*window, into, f) = image, filters
    if len(sides) != 2 or len(window) != 2 or c != into:
        raise ValueError(f"a convolution has images [n, y, x, {into}] and filters [i, j, {c}, f]")
    turns = [-(-side // stride) for side in sides]
    padded = [max(side, (t - 1) * stride + w) for side, t, w in zip(sides, turns, window)]
    down = padded[1] * c
    x = (padded[0] * down, stride * down, stride * c, 0, down, c, 1)
    loops = LoopNest(
        (n, *turns, f, *window, c),
        (False,) * 4 + (True,) * 3,
        (x, contiguous(filters, (4, 5, 6, 3), 7), contiguous((n, *turns, f), (0, 1, 2, 3), 7)),
    )
    return Product.of(dtype, loops)


def total(shape: Shape, axes: Sequence[int] = (), dtype: DType = DType.F32, in_order: bool = False) -> Sum:
    """A sum over axes, all of them if none are given; `in_order`, term by term, is for strict numerics."""
    dims = range(len(shape))
    gone = set(axes) or set(dims)
    kept = [d for d in dims if d not in gone]
    result = contiguous([shape[d] for d in kept], kept, len(shape))
    nest = LoopNest(tuple(shape), tuple(d in gone for d in dims), (contiguous(shape, dims, len(shape)), result))
    return Sum.of(dtype, nest, in_order)


def elementwise(shape: Shape, dtype: DType = DType.F32, operands: int = 1) -> Elements:
    """An element-wise function of so many arrays; the result is the module's."""
    return _elements(shape, dtype, [contiguous(shape, range(len(shape)), len(shape))] * operands)


def transpose(shape: Shape, permutation: Sequence[int], dtype: DType = DType.F32) -> Turned | Elements:
    """An array `shape` with its axes in another order; a copy of elements if rows stay rows."""
    if sorted(permutation) != list(range(len(shape))):
        raise ValueError(f"{list(permutation)} is no permutation of the axes of {list(shape)}")
    steps = contiguous(shape, range(len(shape)), len(shape))
    p = _elements([shape[d] for d in permutation], dtype, [tuple(steps[d] for d in permutation)])
    along = loop_across([a.strides for a in p.reads])
    if along is None or len(p.extents) < 2:
        return p
    loops = LoopNest(p.extents, (False,) * len(p.extents), tuple(a.strides for a in p.touched))
    p = _touching(loops.with_dims(with_squares(len(p.extents), along)), dtype)
    return Turned(p, frozenset(i for i, a in enumerate(p.reads) if lies_across(a.strides)))


def gather(table: Shape, count: int, dtype: DType = DType.F32) -> Elements:
    """`count` rows of a table `[rows, width]`, picked by an i32 each."""
    _, width = table
    reads = (Touched("indices", (1, 0), DType.I32.width), Touched("table", (0, 1), dtype.width))
    return Elements((count, width), dtype.width, reads, (Touched("result", (width, 1), dtype.width, True),), picks=True)


def _elements(shape: Shape, dtype: DType, reads: Sequence[tuple[int, ...]]) -> Elements:
    """Operations that compute a contiguous result of the module from operands with these strides."""
    strides = (*reads, contiguous(shape, range(len(shape)), len(shape)))
    return _touching(ordered(LoopNest(tuple(shape), (False,) * len(shape), strides), -1), dtype)


def _touching(loops: LoopNest, dtype: DType) -> Elements:
    *reads, result = loops.strides
    touched = tuple(Touched(f"operand {n}", s, dtype.width) for n, s in enumerate(reads))
    return Elements(loops.extents, dtype.width, touched, (Touched("result", result, dtype.width, True),))


def matmul_on_gpu(lhs: Shape, rhs: Shape, dtype: DType = DType.F32, transposed: str = "") -> GpuProduct:
    """The same as `matmul`, as the rules for GPUs see it."""
    batches, m, k, n = _fitted(lhs, rhs, transposed)
    piece = 16 // dtype.width
    is_wide = lhs[-1] % piece == 0 and rhs[-1] % piece == 0
    is_mapped = transposed == "right" and k % WIDE == 0
    return GpuProduct(dtype, prod(batches), m, n, k, is_wide=is_wide, is_mapped=is_mapped)


def total_on_gpu(shape: Shape, axes: Sequence[int] = ()) -> GpuSum:
    """The same as `total`, as the rules for GPUs see it."""
    dims = list(range(len(shape)))
    gone = sorted(set(axes) or set(dims))
    kept = [d for d in dims if d not in gone]
    steps = contiguous(shape, dims, len(shape))
    along_terms = steps[gone[-1]] == 1
    others = [steps[d] for d in dims if d != gone[-1] and shape[d] > 1]
    is_wide = along_terms and shape[gone[-1]] % WIDE == 0 and all(s % WIDE == 0 for s in others)
    sums, terms = prod(shape[d] for d in kept), prod(shape[d] for d in gone)
    return GpuSum(sums, terms, along_terms, bool(kept) and steps[kept[-1]] == 1, is_wide)


def choose(problem: Any, machine: Any, numerics: str = "default") -> Choice[Any]:
    """The choice of the first strategy that does not decline a problem on a Cpu or a Chip.

    >>> from mind_mlir.lowering.targets.cpus import AVX2
    >>> choose(matmul((130, 512), (512, 1024)), AVX2).record.rows
    5
    """
    declined: list[str] = []
    if isinstance(problem, Product) and isinstance(machine, Cpu):
        problem, declined = _as_copied(problem, machine)
    answer: Choice[Any] = Choice("no strategy", None, ())
    for rule, seen in _rules(problem):
        answer = rule(seen, machine, numerics)
        if answer.record is not None:
            break
        declined += [f"not {answer.kind}: {reason}" for reason in answer.why]
    return Choice(answer.kind, answer.record, (*declined, *(answer.why if answer.record is not None else ())))


def _as_copied(p: Product, cpu: Cpu) -> tuple[Product, list[str]]:
    """The product as `copy-colliding-rows` leaves it, and why if that copies an operand."""
    if not p.rows_are_neighbours or len(p.roles.ks) != 1:
        return p, []
    stride = p.x[p.roles.ks[0]] * p.dtype.width
    if not rows_collide(p.depth, stride, p.columns, cpu):
        return p, []
    return p.on_copied_rows(), [
        f"first a transposed copy of the rows: their {p.depth} terms are {stride} bytes apart and share few sets of"
        f" the first cache, and {p.columns} columns use the copy"
    ]


def threads(problem: Any, choice: Choice[Any], most: int) -> tuple[int, str]:
    """How many of `most` threads share the kernel that was chosen on a CPU, and why."""
    extents = problem.elements.extents if isinstance(problem, Turned) else problem.extents
    return threads_for(choice.kind, prod(extents), most)


def _rules(problem: Any) -> list[tuple[Callable[..., Choice[Any]], Any]]:
    """The rules to try, in the order of strategies, and the problem in the form that each takes."""
    match problem:
        case Product():
            return [(choose_product, problem)]
        case Sum():
            return [(choose_sum, problem)]
        case Lines():
            return [(choose_positions, problem)]
        case Turned():
            return [(choose_transpose, problem), (choose_elements, problem.elements)]
        case Elements():
            return [(choose_elements, problem)]
        case GpuProduct():
            return [(choose_tma, problem), (choose_tiles, problem)]
        case GpuSum():
            return [(choose_gpu_sum, problem)]
    raise TypeError(f"no rule takes a {type(problem).__name__}")
