"""Prints what the rules choose for a shape, and why.

python -m mind_mlir.lowering.rules matmul 512x512x512 f32 --cpu avx2
python -m mind_mlir.lowering.rules conv 1x56x56x64 3x3x64x64 --stride 2
python -m mind_mlir.lowering.rules sum 128x768 --axes 1
python -m mind_mlir.lowering.rules matmul 4096x4096x4096 --chip sm_90a --precision tf32 --transposed right
python -m mind_mlir.lowering.rules cpu avx2
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ...ir import DType, MindError
from ..targets.chips import PRECISIONS, find_chip
from ..targets.cpus import find_cpu
from . import problems

KINDS = {
    "matmul": "MxKxN, after batches: the product of M x K and K x N",
    "conv": 'images NxYxXxC and filters IxJxCxF: a "Same" convolution',
    "sum": "a shape: its sum over --axes",
    "elementwise": "a shape: a function of --operands arrays",
    "transpose": "a shape: its axes in the order --axes",
    "gather": "a table ROWSxWIDTH and a count: so many rows",
    "cpu": "the name of a CPU: where the figures of its record come from",
}


def main(arguments: list[str] | None = None) -> int:
    """Print one choice. The exit status is 2 for arguments that are no problem."""
    options = _parser().parse_args(arguments)
    try:
        print(_sources(options) if options.kind == "cpu" else _chosen(options))
    except (MindError, ValueError) as e:
        print(e if isinstance(e, MindError) else f"error: {e}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    kinds = "\n".join(f"  {name:12} {text}" for name, text in KINDS.items())
    p = argparse.ArgumentParser(
        "python -m mind_mlir.lowering.rules",
        description="Print which record the rules choose for a shape, and why.",
        epilog=f"problems:\n{kinds}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("kind", choices=KINDS, metavar="problem")
    p.add_argument("shapes", nargs="+", metavar="shape", help=f"extents as 512x512, and perhaps {DType.listed('or')}")
    p.add_argument("--cpu", default="native", help="avx512, avx2, sse2, neon; this machine's if not given")
    p.add_argument("--threads", type=int, default=1, help="threads that there are on a CPU")
    p.add_argument("--chip", help="a GPU instead of a CPU: sm_80, sm_90, sm_90a")
    p.add_argument("--precision", default="f32", choices=PRECISIONS, help="what a GPU multiplies f32 in")
    p.add_argument("--numerics", default="default", choices=("default", "strict", "fast"))
    p.add_argument("--transposed", default="", choices=("left", "right"), help="an operand of a product in memory")
    p.add_argument("--axes", default="", help="0,1: axes of a sum, or the order of a transpose's")
    p.add_argument("--stride", type=int, default=1, help="of a convolution")
    p.add_argument("--operands", type=int, default=1, help="of an element-wise function")
    return p


def _chosen(options: argparse.Namespace) -> str:
    machine: Any = find_chip(options.chip, options.precision) if options.chip else find_cpu(options.cpu)
    problem = _problem(options)
    choice = problems.choose(problem, machine, options.numerics)
    if options.chip or options.threads == 1 or choice.record is None:
        return str(choice)
    return f"{choice}\n  {problems.threads(problem, choice, options.threads)[1]}"


def _sources(options: argparse.Namespace) -> str:
    cpu = find_cpu(options.shapes[0])
    lines = [f"{cpu.name}: where its figures come from"]
    for source in cpu.sources:
        lines += [f"  {name} = {getattr(cpu, name)}" for name in source.figures]
        lines.append(f"    {source.machine}: {source.how}")
    return "\n".join(lines)


def _problem(options: argparse.Namespace) -> Any:
    """The problem that a command line describes. ValueError if it describes none."""
    dtypes = [d for d in map(DType.named, options.shapes) if d is not None]
    shapes = [_numbers(text, "x") for text in options.shapes if DType.named(text) is None]
    dtype, axes = dtypes[0] if dtypes else DType.F32, _numbers(options.axes, ",") if options.axes else ()
    on_gpu = options.chip is not None
    needed = 2 if options.kind in ("conv", "gather") else 1
    if len(shapes) != needed or len(dtypes) > 1:
        raise ValueError(f"{options.kind} takes {needed} and at most one element type: {KINDS[options.kind]}")
    first, *others = shapes
    match options.kind:
        case "matmul" if len(first) >= 3:
            *batches, m, k, n = first
            lhs, rhs = (*batches, m, k), (*batches, k, n)
            lhs = (*batches, k, m) if options.transposed == "left" else lhs
            rhs = (*batches, n, k) if options.transposed == "right" else rhs
            ask: Any = problems.matmul_on_gpu if on_gpu else problems.matmul
            return ask(lhs, rhs, dtype, options.transposed)
        case "sum" if on_gpu:
            return problems.total_on_gpu(first, axes)
        case "sum":
            return problems.total(first, axes, dtype, in_order=options.numerics == "strict" and dtype.is_float)
        case "conv" if not on_gpu:
            return problems.convolution(first, others[0], dtype, options.stride)
        case "elementwise" if not on_gpu:
            return problems.elementwise(first, dtype, options.operands)
        case "transpose" if not on_gpu:
            return problems.transpose(first, axes, dtype)
        case "gather" if not on_gpu:
            return problems.gather(first, others[0][0], dtype)
    raise ValueError(f"{options.kind}: {KINDS[options.kind]}{'; rules for GPUs: matmul, sum' if on_gpu else ''}")


def _numbers(text: str, between: str) -> tuple[int, ...]:
    """`512x512` as numbers."""
    parts = text.split(between)
    if not all(part.isdecimal() for part in parts):
        raise ValueError(f"extents are numbers with {between!r} between them, found {text}")
    return tuple(map(int, parts))


if __name__ == "__main__":
    sys.exit(main())
