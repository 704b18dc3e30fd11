"""Compiles programs by XLA: `python -m benchmarks.communication.xla NAME@RANKS…` prints a line of JSON for each.

Devices are threads of one process, as many as the largest mesh has. JAX requires that ranks divide extents, so others
are rounded up.
"""

from __future__ import annotations

import json
import os
import sys
from types import SimpleNamespace
from typing import Any

from .hlo import Collective, collectives
from .layout import Program
from .programs import PROGRAMS

DEVICES = max(p.ranks for p in PROGRAMS.values())


def environment() -> dict[str, str]:
    """The environment of a process with so many devices."""
    return {**os.environ, "XLA_FLAGS": f"--xla_force_host_platform_device_count={DEVICES}", "JAX_PLATFORMS": "cpu"}


def namespace() -> SimpleNamespace:
    """Functions of jax.numpy under `mind_mlir`'s names."""
    import jax
    import jax.numpy as jnp

    def conv2d(x: Any, w: Any, strides: int, padding: str) -> Any:
        layout = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, w, (strides,) * 2, padding.upper(), dimension_numbers=layout)

    return SimpleNamespace(
        **{name: getattr(jnp, name) for name in ("exp", "log", "sum", "mean", "reshape", "transpose", "reciprocal")},
        relu=lambda x: jnp.maximum(x, 0),
        take=lambda x, i: jnp.take(x, i, axis=0, mode="clip"),
        conv2d=conv2d,
        grad=jax.grad,
        value_and_grad=jax.value_and_grad,
        jvp=jax.jvp,
    )


def compiled(program: Program) -> str:
    """The HLO that XLA compiles, optimized, as text."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    sizes = [n for _, n in program.axes]
    devices = np.array(jax.devices()[: program.ranks]).reshape(sizes)
    mesh = Mesh(devices, [name for name, _ in program.axes])
    n = namespace()
    types = [
        jax.ShapeDtypeStruct(s, {"f32": np.float32, "i32": np.int32}[a.dtype])
        for a, s in zip(program.arguments, program.shapes(even=True))
    ]
    taken = tuple(NamedSharding(mesh, PartitionSpec(*a.cuts)) for a in program.arguments)
    given = tuple(NamedSharding(mesh, PartitionSpec(*cuts)) for cuts in program.results)

    def function(*args: Any) -> Any:
        found = program.function(n, *args)
        return found if isinstance(found, tuple) else (found,)

    text: str = jax.jit(function, in_shardings=taken, out_shardings=given).lower(*types).compile().as_text()
    return text


def sent(program: Program) -> list[Collective]:
    """The collectives of a program."""
    return collectives(compiled(program), program.ranks)


def main(*cases: str) -> None:
    """Print a line for each program on so many ranks."""
    for name, _, ranks in (case.rpartition("@") for case in cases):
        program = PROGRAMS[name].on(int(ranks))
        assert program is not None, f"{name} needs more than {ranks} ranks"
        print(json.dumps([[c.kind, c.nbytes, c.scattered] for c in sent(program)]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
