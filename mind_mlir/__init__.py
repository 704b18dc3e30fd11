"""A compiler toolchain for MIND Core IR: parse, verify, canonicalise, differentiate, lower with MLIR, run.

    import mind_mlir as mind

    m = mind.parse('''
    %0 = Input {name = "x"} : tensor<f32[2, 3]>
    %1 = Sum (%0) {axes = [0], keepdims = false} : tensor<f32[3]>
    outputs: %1
    ''')
    exe = mind.compile(m)
    (y,) = exe(x)

    @mind.jit
    def f(x): return mind.sum(x * x)
    mind.grad(f)(x)

Importing the package loads hardly anything: each name comes with what it needs when it is first used.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from .gate import GATE  # before anything is imported late, so that no child is forked in the middle of that

if TYPE_CHECKING:
    from . import ir as ir
    from . import ops as ops
    from . import passes as passes
    from . import testing
    from .dialects.from_mind import from_mind
    from .dialects.to_mind import to_mind
    from .frontend.custom import custom_jvp, custom_vjp
    from .frontend.forward import jvp, linearize
    from .frontend.functions import (
        apply,
        broadcast_to,
        conv2d,
        dot,
        exp,
        expand_dims,
        greater,
        log,
        matmul,
        mean,
        reciprocal,
        relu,
        reshape,
        squeeze,
        sum,
        take,
        transpose,
        where,
    )
    from .frontend.gradients import grad, value_and_grad, vjp
    from .frontend.jacobians import hessian, jacfwd, jacrev
    from .frontend.jitted import jit
    from .frontend.sharded import reshard, with_sharding_constraint
    from .frontend.traces import backward_on_trace, trace
    from .ir import (
        Builder,
        Diagnostic,
        DType,
        Mesh,
        MindError,
        Module,
        Operation,
        P,
        PartitionSpec,
        Sharding,
        Span,
        TensorType,
        Value,
        digest,
        f32,
        f64,
        i32,
        i64,
        parse,
    )
    from .ir.version import VERSION as __version__
    from .lowering.interface.api import to_mlir, write_artifact
    from .passes import canonicalize, differentiate, partition, propagate_sharding, verify
    from .runtime.executable import Executable
    from .runtime.gpu.artifact import Artifact, load_artifact
    from .runtime.interpret import interpret
    from .runtime.jit import compile
    from .runtime.mpi.ranks import rank
    from .runtime.mpi.sharded_array import ShardedArray, from_local, shard
    from .runtime.simulate import simulate

__all__ = [
    "Artifact",
    "Builder",
    "DType",
    "Diagnostic",
    "Executable",
    "Mesh",
    "MindError",
    "Module",
    "Operation",
    "P",
    "PartitionSpec",
    "ShardedArray",
    "Sharding",
    "Span",
    "TensorType",
    "Value",
    "__version__",
    "apply",
    "backward_on_trace",
    "broadcast_to",
    "canonicalize",
    "compile",
    "conv2d",
    "custom_jvp",
    "custom_vjp",
    "differentiate",
    "digest",
    "dot",
    "exp",
    "expand_dims",
    "f32",
    "f64",
    "from_local",
    "from_mind",
    "grad",
    "greater",
    "hessian",
    "i32",
    "i64",
    "interpret",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "linearize",
    "load_artifact",
    "log",
    "matmul",
    "mean",
    "parse",
    "partition",
    "propagate_sharding",
    "rank",
    "reciprocal",
    "relu",
    "reshape",
    "reshard",
    "shard",
    "simulate",
    "squeeze",
    "sum",
    "take",
    "testing",
    "to_mind",
    "to_mlir",
    "trace",
    "transpose",
    "value_and_grad",
    "verify",
    "vjp",
    "where",
    "with_sharding_constraint",
    "write_artifact",
]


_HOMES = {
    ".ir": (
        *("Builder", "DType", "Diagnostic", "Mesh", "MindError", "Module", "Operation", "P", "PartitionSpec"),
        *("Sharding", "Span", "TensorType", "Value", "digest", "f32", "f64", "i32", "i64", "parse"),
    ),
    ".passes": ("canonicalize", "differentiate", "partition", "propagate_sharding", "verify"),
    ".runtime.executable": ("Executable",),
    ".runtime.jit": ("compile",),
    ".runtime.interpret": ("interpret",),
    ".runtime.gpu.artifact": ("Artifact", "load_artifact"),
    ".lowering.interface.api": ("to_mlir", "write_artifact"),
    ".dialects.from_mind": ("from_mind",),
    ".dialects.to_mind": ("to_mind",),
    ".frontend.custom": ("custom_jvp", "custom_vjp"),
    ".frontend.forward": ("jvp", "linearize"),
    ".frontend.gradients": ("grad", "value_and_grad", "vjp"),
    ".frontend.jacobians": ("hessian", "jacfwd", "jacrev"),
    ".frontend.jitted": ("jit",),
    ".frontend.sharded": ("reshard", "with_sharding_constraint"),
    ".runtime.mpi.ranks": ("rank",),
    ".runtime.mpi.sharded_array": ("ShardedArray", "from_local", "shard"),
    ".runtime.simulate": ("simulate",),
    ".frontend.traces": ("backward_on_trace", "trace"),
    ".frontend.functions": (
        *("apply", "broadcast_to", "conv2d", "dot", "exp", "expand_dims", "greater", "log", "matmul", "mean"),
        *("reciprocal", "relu", "reshape", "squeeze", "sum", "take", "transpose", "where"),
    ),
}
"""Where the names are."""
_PACKAGES = ("ir", "ops", "passes", "testing")
_LATER = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        with GATE:
            return importlib.import_module(f".{name}", __name__)
    if name == "__version__":
        from .ir.version import VERSION

        return VERSION
    if name not in _LATER:
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name, obj=sys.modules[__name__])
    with GATE:
        value = getattr(importlib.import_module(_LATER[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
