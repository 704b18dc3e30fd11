"""GPU code against the interpreter, emulated on this CPU.

As a script it does so in a process of its own, because MLIR and a wrong kernel can end it: `emulated.py op NAME`,
`emulated.py random SEED COUNT`, or product or wide in the place of random, and `emulated.py example FILE…` print one
JSON line before and after each module.
"""

from __future__ import annotations

import functools
import json
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

import checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
import numpy as np
from support import assert_outcome_agrees, assert_same_outcome, operands_for, outcome, samples_of, side_by_side

import mind_mlir as mind
from mind_mlir import DType
from mind_mlir.ir import OPS
from mind_mlir.testing.emulation import ORDERS, Emulated

PLANS = ("strict", "default", "fast")
"""Numerics modes that are emulated."""


def emulated(m, numerics: str, chip: str = "sm_80") -> Callable:
    """`m` as a function of arrays and an order, which compiles at its first call, and fails as `interpret` does."""
    from mind_mlir.lowering.gpu.compiled import to_nvvm

    compiled = functools.cache(lambda: Emulated(to_nvvm(m, chip, numerics)))

    def call(order: str, *arrays):
        run = compiled().run(arrays, order)
        if run.status:
            mind.interpret(m, *arrays)
            raise AssertionError(f"the kernels report that %{run.status - 1} failed, the interpreter does not")
        return tuple(a.reshape(t.shape) for a, t in zip(run.outputs, m.output_types, strict=True))

    return call


def check(m, arguments: Iterable[list], numerics: str, chip: str = "sm_80") -> None:
    """In every order the same bits, which agree with the interpreter's as the mode promises.

    In fast, which may add up in any order, each has to agree.
    """
    kernels = emulated(m, numerics, chip)
    for arrays in arguments:
        before = [a.copy() for a in arrays]
        found = [outcome(kernels, order, *arrays) for order in ORDERS]
        expected = outcome(mind.interpret, m, *arrays)
        with np.errstate(all="ignore"):
            assert_outcome_agrees(m, arrays, found[0], expected, numerics)
        for other in found[1:]:
            if numerics == "fast":
                assert_outcome_agrees(m, arrays, other, expected, numerics)
            else:
                assert_same_outcome(other, found[0])
        assert all(a.tobytes() == b.tobytes() for a, b in zip(arrays, before)), "an argument has been written"


def _samples(opcode: str):
    """(numerics, what, module, arguments) for the samples of an op, those that differ in their dtype alone together."""
    groups: dict = {}
    for op, types in samples_of(opcode):
        groups.setdefault((op, *(t.shape for t in types)), []).append((op, types))
    for numerics in PLANS:
        for samples in [OPS[opcode].samples()] if numerics == "fast" else groups.values():
            drawn = [
                [a for op, types in samples for a in operands_for(op, types, seed=5, special=special)]
                for special in (False, True)
            ]
            yield numerics, "; ".join(f"{op} {types}" for op, types in samples), side_by_side(samples), drawn


def _random(seed: int, count: int):
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from random_modules import arguments_for, modules

    drawn = []

    @seeded(seed)
    @settings(max_examples=count, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(modules())
    def draw(m):
        drawn.append(m)

    draw()
    for n, m in enumerate(drawn):
        for numerics in PLANS[: 3 if n % 4 == 0 else 2]:
            yield numerics, f"number {n}\n{m}", m, [arguments_for(m, s) for s in (0, 1)]


def _products(seed: int, count: int):
    import random

    from random_groups import groups
    from random_products import arrays_for, convolution, dots, product

    for n in range(seed, seed + count):
        r = random.Random(n)
        make, numerics, dtype = r.choice((product, dots, convolution, groups)), r.choice(PLANS), r.choice(list(DType))
        m = groups(r, dtype, r.choice((5, 32, 33, 64)), r.randint(1, 6)) if make is groups else make(r, dtype)
        yield numerics, f"seed {n}\n{m}", m, [arrays_for(m, n)]


def _wide(seed: int, count: int):
    import random

    from random_products import arrays_for
    from random_wide import wide

    for n in range(seed, seed + count):
        r = random.Random(n)
        numerics, m = r.choice(PLANS), wide(r, r.choice(list(DType)), r.randint(1, 7))
        yield numerics, f"seed {n}\n{m}", m, [arrays_for(m, n)]


def _examples(files: list[str]):
    for file in map(Path, files):
        m = mind.verify(mind.parse(file.read_text(encoding="utf-8")))
        given = np.load(file.with_name(file.name.split(".")[0] + ".npz"))
        for numerics in PLANS:
            yield numerics, str(file), m, [[given[o.op.name] for o in m.inputs]]


RANDOM = {"random": _random, "product": _products, "wide": _wide}
"""Modules of many operations on few elements, of products, and of some thousand elements."""


def main(kind: str, *rest: str) -> None:
    """Check modules one after the other; report each."""
    if kind == "op":
        cases = _samples(rest[0])
    elif kind in RANDOM:
        cases = RANDOM[kind](int(rest[0]), int(rest[1]))
    else:
        cases = _examples(list(rest))
    for numerics, what, m, arguments in cases:
        report = {"numerics": numerics, "what": what}
        print(json.dumps(report), flush=True)
        try:
            check(m, arguments, numerics)
            report["error"] = ""
        except Exception:
            report["error"] = traceback.format_exc()
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
