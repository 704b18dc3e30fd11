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
    from . import ir as ir, ops as ops, passes as passes, testing as testing
    from .dialects.from_mind import from_mind as from_mind
    from .dialects.to_mind import to_mind as to_mind
    from .frontend._elementwise_functions import *  # noqa: F403  a stub
    from .frontend._functions import *  # noqa: F403  a stub
    from .frontend.custom import (
        custom_jvp as custom_jvp,
        custom_vjp as custom_vjp,
    )
    from .frontend.forward import (
        jvp as jvp,
        linearize as linearize,
    )
    from .frontend.functions import linalg as linalg
    from .frontend.gradients import (
        grad as grad,
        value_and_grad as value_and_grad,
        vjp as vjp,
    )
    from .frontend.jacobians import (
        hessian as hessian,
        jacfwd as jacfwd,
        jacrev as jacrev,
    )
    from .frontend.jitted import jit as jit
    from .frontend.sharded import (
        reshard as reshard,
        with_sharding_constraint as with_sharding_constraint,
    )
    from .frontend.traces import (
        backward_on_trace as backward_on_trace,
        trace as trace,
    )
    from .ir import (
        Builder as Builder,
        Diagnostic as Diagnostic,
        DType as DType,
        Mesh as Mesh,
        MindError as MindError,
        Module as Module,
        Operation as Operation,
        P as P,
        PartitionSpec as PartitionSpec,
        Result as Result,
        Sharding as Sharding,
        Span as Span,
        TensorType as TensorType,
        Value as Value,
        bf16 as bf16,
        digest as digest,
        f16 as f16,
        f32 as f32,
        f64 as f64,
        i1 as i1,
        i8 as i8,
        i16 as i16,
        i32 as i32,
        i64 as i64,
        parse as parse,
        u8 as u8,
        u16 as u16,
        u32 as u32,
        u64 as u64,
    )
    from .lowering.interface.api import (
        to_mlir as to_mlir,
        write_artifact as write_artifact,
    )
    from .passes import (
        canonicalize as canonicalize,
        differentiate as differentiate,
        partition as partition,
        propagate_sharding as propagate_sharding,
        verify as verify,
    )
    from .runtime.executable import Executable as Executable
    from .runtime.gpu.artifact import (
        Artifact as Artifact,
        load_artifact as load_artifact,
    )
    from .runtime.interpret import interpret as interpret
    from .runtime.jit import compile as compile
    from .runtime.mpi.ranks import rank as rank
    from .runtime.mpi.sharded_array import (
        ShardedArray as ShardedArray,
        from_local as from_local,
        shard as shard,
    )
    from .runtime.simulate import simulate as simulate

    __version__: str

_HOMES = {
    ".ir": (
        *("Builder", "DType", "Diagnostic", "Mesh", "MindError", "Module", "Operation", "P", "PartitionSpec"),
        *(
            "Result",
            "Sharding",
            "Span",
            "TensorType",
            "Value",
            "digest",
            "bf16",
            "f16",
            "f32",
            "f64",
            "i1",
            "i8",
            "i16",
            "i32",
            "i64",
            "parse",
            "u8",
            "u16",
            "u32",
            "u64",
        ),
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
    ".frontend.functions.inspection": ("__array_api_version__", "__array_namespace_info__"),
    ".frontend.gradients": ("grad", "value_and_grad", "vjp"),
    ".frontend.jacobians": ("hessian", "jacfwd", "jacrev"),
    ".frontend.jitted": ("jit",),
    ".frontend.sharded": ("reshard", "with_sharding_constraint"),
    ".runtime.mpi.ranks": ("rank",),
    ".runtime.mpi.sharded_array": ("ShardedArray", "from_local", "shard"),
    ".runtime.simulate": ("simulate",),
    ".frontend.traces": ("backward_on_trace", "trace"),
}
"""Where the names are; those of functions are in `frontend/functions/catalogue.py`."""
_PACKAGES = ("ir", "ops", "passes", "testing")
_MODULES = {"linalg": ".frontend.functions.linalg"}
_LATER = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        with GATE:
            return importlib.import_module(f".{name}", __name__)
    if name in _MODULES:
        with GATE:
            return importlib.import_module(_MODULES[name], __name__)
    if name == "__version__":
        from .ir.version import VERSION

        return VERSION
    if name == "__all__":
        return __dir__()
    home, own = (_LATER[name], name) if name in _LATER else _home_of_function(name)
    with GATE:
        value = getattr(importlib.import_module(home, __name__), own)
    globals()[name] = value
    return value


def _home_of_function(name: str) -> tuple[str, str]:
    """The file that has or makes a function, and the function's own name. AttributeError if there is none."""
    why = ""
    if not name.startswith("_"):
        with GATE:
            from .frontend.functions import catalogue, missing

            if (found := catalogue.home(name)) is not None:
                return f".frontend.{found[0]}", found[1]
            why = missing.instead(name) or ""
    text = f"module {__name__} has no attribute {name}{why and f': {why}'}"
    raise AttributeError(text, name=name, obj=None if why else sys.modules[__name__])


def __dir__() -> list[str]:
    with GATE:
        from .frontend.functions import catalogue

    return sorted([*_LATER, *catalogue.names(), *_MODULES, "__version__", "testing"])
