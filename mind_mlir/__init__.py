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
    from . import testing as testing
    from .dialects.from_mind import from_mind as from_mind
    from .dialects.to_mind import to_mind as to_mind
    from .frontend._elementwise_functions import *  # noqa: F403  a stub
    from .frontend.custom import (
        custom_jvp as custom_jvp,
    )
    from .frontend.custom import (
        custom_vjp as custom_vjp,
    )
    from .frontend.forward import (
        jvp as jvp,
    )
    from .frontend.forward import (
        linearize as linearize,
    )
    from .frontend.functions import (
        apply as apply,
    )
    from .frontend.functions import (
        broadcast_to as broadcast_to,
    )
    from .frontend.functions import (
        conv2d as conv2d,
    )
    from .frontend.functions import (
        dot as dot,
    )
    from .frontend.functions import (
        expand_dims as expand_dims,
    )
    from .frontend.functions import (
        matmul as matmul,
    )
    from .frontend.functions import (
        mean as mean,
    )
    from .frontend.functions import (
        reshape as reshape,
    )
    from .frontend.functions import (
        squeeze as squeeze,
    )
    from .frontend.functions import (
        sum as sum,
    )
    from .frontend.functions import (
        take as take,
    )
    from .frontend.functions import (
        transpose as transpose,
    )
    from .frontend.functions import (
        where as where,
    )
    from .frontend.gradients import (
        grad as grad,
    )
    from .frontend.gradients import (
        value_and_grad as value_and_grad,
    )
    from .frontend.gradients import (
        vjp as vjp,
    )
    from .frontend.jacobians import (
        hessian as hessian,
    )
    from .frontend.jacobians import (
        jacfwd as jacfwd,
    )
    from .frontend.jacobians import (
        jacrev as jacrev,
    )
    from .frontend.jitted import jit as jit
    from .frontend.sharded import (
        reshard as reshard,
    )
    from .frontend.sharded import (
        with_sharding_constraint as with_sharding_constraint,
    )
    from .frontend.traces import (
        backward_on_trace as backward_on_trace,
    )
    from .frontend.traces import (
        trace as trace,
    )
    from .ir import (
        Builder as Builder,
    )
    from .ir import (
        Diagnostic as Diagnostic,
    )
    from .ir import (
        DType as DType,
    )
    from .ir import (
        Mesh as Mesh,
    )
    from .ir import (
        MindError as MindError,
    )
    from .ir import (
        Module as Module,
    )
    from .ir import (
        Operation as Operation,
    )
    from .ir import (
        P as P,
    )
    from .ir import (
        PartitionSpec as PartitionSpec,
    )
    from .ir import (
        Sharding as Sharding,
    )
    from .ir import (
        Span as Span,
    )
    from .ir import (
        TensorType as TensorType,
    )
    from .ir import (
        Value as Value,
    )
    from .ir import (
        digest as digest,
    )
    from .ir import (
        f32 as f32,
    )
    from .ir import (
        f64 as f64,
    )
    from .ir import (
        i32 as i32,
    )
    from .ir import (
        i64 as i64,
    )
    from .ir import (
        parse as parse,
    )
    from .lowering.api import (
        to_mlir as to_mlir,
    )
    from .lowering.api import (
        write_artifact as write_artifact,
    )
    from .passes import (
        canonicalize as canonicalize,
    )
    from .passes import (
        differentiate as differentiate,
    )
    from .passes import (
        partition as partition,
    )
    from .passes import (
        propagate_sharding as propagate_sharding,
    )
    from .passes import (
        verify as verify,
    )
    from .runtime.executable import Executable as Executable
    from .runtime.gpu.artifact import (
        Artifact as Artifact,
    )
    from .runtime.gpu.artifact import (
        load_artifact as load_artifact,
    )
    from .runtime.interpret import interpret as interpret
    from .runtime.jit import compile as compile
    from .runtime.mpi.ranks import rank as rank
    from .runtime.mpi.sharded_array import (
        ShardedArray as ShardedArray,
    )
    from .runtime.mpi.sharded_array import (
        from_local as from_local,
    )
    from .runtime.mpi.sharded_array import (
        shard as shard,
    )
    from .runtime.simulate import simulate as simulate

    __version__: str

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
    ".lowering.api": ("to_mlir", "write_artifact"),
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
        *("apply", "broadcast_to", "conv2d", "dot", "expand_dims", "matmul", "mean", "reshape", "squeeze", "sum"),
        *("take", "transpose", "where"),
    ),
}
"""Where the names are; functions of element-wise operations are where the vocabulary finds them."""
_PACKAGES = ("ir", "ops", "passes", "testing")
_LATER = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        with GATE:
            return importlib.import_module(f".{name}", __name__)
    if name == "__version__":
        from .ir.version import VERSION

        return VERSION
    if name == "__all__":
        return __dir__()
    home = _LATER.get(name) or _home_of_function(name)
    if home is None:
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name, obj=sys.modules[__name__])
    with GATE:
        value = getattr(importlib.import_module(home, __name__), name)
    globals()[name] = value
    return value


def _home_of_function(name: str) -> str | None:
    """The file that makes the function of an element-wise operation; None if there is none of that name."""
    if name.startswith("_"):
        return None
    with GATE:
        from .ir import OPS

        return ".frontend.elementwise" if OPS.of_function(name) is not None else None


def __dir__() -> list[str]:
    from .ir import OPS

    return sorted([*_LATER, *OPS.function_names(), "__version__", "testing"])
