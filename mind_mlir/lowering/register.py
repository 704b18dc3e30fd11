"""The passes and named pipelines of this package, with mlir imported only inside them."""

from __future__ import annotations

from typing import Any

from ..ir import Module
from ..passes.registry import MLIR_CHECK, MLIR_RUN, PIPELINES, Level, register
from .pipelines import PIPELINES as NAMED


@register("lower-to-linalg", target=Level.MLIR)
def lower_to_linalg(m: Module) -> Any:
    """Core IR to linalg on tensors, as one func.func named main."""
    from .to_linalg import to_linalg

    return to_linalg(m)


@register("cpu-abi", source=Level.MLIR)
def cpu_abi(module: Any) -> None:
    """Functions on tensors to functions on caller-allocated, non-aliasing memrefs with a status result."""
    from .rewrites.cpu_abi import cpu_abi

    cpu_abi(module)


@register("strided-copies-to-linalg", source=Level.MLIR)
def strided_copies_to_linalg(module: Any) -> None:
    """memref.copy of strided memrefs to linalg.copy, which needs no runtime library."""
    from .rewrites.strided_copies import strided_copies_to_linalg

    strided_copies_to_linalg(module)


@register("free-buffers", source=Level.MLIR)
def free_buffers(module: Any) -> None:
    """A memref.dealloc after the last use of every memref.alloc."""
    from .rewrites.free_buffers import free_buffers

    free_buffers(module)


@register("outline-linalg", source=Level.MLIR)
def outline_linalg(module: Any) -> None:
    """linalg operations on contiguous memrefs to calls of private functions, equal ones of the same."""
    from .rewrites.outline_linalg import outline_linalg

    outline_linalg(module)


@register("order-loops", source=Level.MLIR)
def order_loops(module: Any) -> None:
    """Loops of contractions in an order whose innermost one runs over neighbours; no bit changes."""
    from .rewrites.order_loops import order_loops

    order_loops(module)


@register("expand-math", source=Level.MLIR)
def expand_math(module: Any) -> None:
    """math.exp and math.log of single elements to plain arithmetic with the bits of the interpreter."""
    from .rewrites.expand_math import expand_math

    expand_math(module)


@register("check-lowered", source=Level.MLIR)
def check_lowered(module: Any) -> None:
    """Fail if anything but the LLVM dialect is left, naming the missing conversion."""
    from .rewrites.check_lowered import check_lowered

    check_lowered(module)


def _check(text: str) -> None:
    from .driver import check_mlir_pass

    check_mlir_pass(text)


def _run(text: str, module: Any) -> None:
    from .driver import run_mlir_pass

    run_mlir_pass(text, module)


MLIR_CHECK[:] = [_check]
MLIR_RUN[:] = [_run]
PIPELINES.update({(Level.MLIR, name): text for name, text in NAMED.items()})
