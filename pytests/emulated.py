"""GPU code against the interpreter, emulated on this CPU.

As a script it does so in a process of its own, because MLIR and a wrong kernel can end it: `emulated.py op NAME`,
`emulated.py random SEED COUNT`, or product, wide, tf32 or tiles in the place of random, and `emulated.py example FILE…`
print one JSON line before and after each module.  `op NAME alone` has one sample a module.
"""

from __future__ import annotations

import functools
import json
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
import numpy as np
from support import assert_outcome_agrees, assert_same_outcome, operands_for, outcome, samples_of, side_by_side

import mind_mlir as mind
from mind_mlir import DType
from mind_mlir.ir import OPS
from mind_mlir.testing.emulation import ORDERS, Emulated
from mind_mlir.testing.in_f64 import in_f64

PLANS = ("strict", "default", "fast")
"""Numerics modes that are emulated."""


kinds: Counter[str] = Counter()
"""How many kernels of each kind have been emulated."""


def counted(code) -> Emulated:
    """The code of a module, whose kernels count in `kinds`."""
    kinds.update(re.split(r"\d", name)[0] for name in {launch.kernel for launch in code.plan.launches})
    return Emulated(code)


def emulated(m, numerics: str, chip: str = "sm_80") -> Callable:
    """`m` as a function of arrays and an order, which compiles at its first call, and fails as `interpret` does."""
    from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm

    compiled = functools.cache(lambda: counted(to_nvvm(m, chip, numerics)))

    def call(order: str, *arrays):
        run = compiled().run(arrays, order)
        if run.status:
            mind.interpret(m, *arrays)
            raise AssertionError(f"the kernels report that %{run.status - 1} failed, the interpreter does not")
        return tuple(a.view(t.dtype.numpy).reshape(t.shape) for a, t in zip(run.outputs, m.output_types, strict=True))

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


def _samples(opcode: str, alone: bool = False):
    """(numerics, what, module, arguments) for the samples of an op: one module of all; with `alone` one of each."""
    for numerics in PLANS:
        every = OPS[opcode].samples() if numerics == "fast" else samples_of(opcode)
        for samples in [[s] for s in every] if alone else [every]:
            drawn = [
                [a for op, types in samples for a in operands_for(op, types, seed=5, special=special)]
                for special in (False, True)
            ]
            what = "; ".join(f"output {n} {op} {types}" for n, (op, types) in enumerate(samples))
            yield numerics, what, side_by_side(samples), drawn


def _random(seed: int, count: int):
    from hypothesis import HealthCheck, Phase, given, seed as seeded, settings
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
    from random_products import NUMBERS, arrays_for, convolution, dots, product

    for n in range(seed, seed + count):
        r = random.Random(n)
        make, numerics, dtype = r.choice((product, dots, convolution, groups)), r.choice(PLANS), r.choice(NUMBERS)
        m = groups(r, dtype, r.choice((5, 32, 33, 64)), r.randint(1, 6)) if make is groups else make(r, dtype)
        yield numerics, f"seed {n}\n{m}", m, [arrays_for(m, n)]


def _wide(seed: int, count: int):
    import random

    from random_products import NUMBERS, arrays_for
    from random_wide import wide

    for n in range(seed, seed + count):
        r = random.Random(n)
        numerics, m = r.choice(PLANS), wide(r, r.choice(NUMBERS), r.randint(1, 7))
        yield numerics, f"seed {n}\n{m}", m, [arrays_for(m, n)]


def check_tf32(m, arrays, chip: str) -> None:
    """A module of a product in TF32: in every order the same bits, as near to the exact ones as TF32 allows.

    Factors lie within 2⁻¹⁰ of what they were, if what TF32 does not have is cut off, and sums are in f32.
    """
    from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm

    kernels = counted(to_nvvm(m, chip, precision="tf32"))
    found = [kernels.run(arrays, order).outputs[0] for order in ORDERS]
    assert all(a.tobytes() == found[0].tobytes() for a in found)
    wide = in_f64(m)
    (exact,) = mind.interpret(wide, *[a.astype(np.float64) for a in arrays])
    (size,) = mind.interpret(wide, *[np.abs(a).astype(np.float64) for a in arrays])
    (terms,) = mind.interpret(wide, *[np.ones(a.shape) for a in arrays])
    off = np.abs(found[0].reshape(exact.shape) - exact) / (size * (2.0**-9 + terms * 2.0**-22) + 1e-30)
    assert (off <= 1).all(), f"{off.max()} times what TF32 explains"


def _tf32(seed: int, count: int):
    import random

    from mind_mlir import Builder, TensorType

    for n in range(seed, seed + count):
        r, b = random.Random(n), Builder()
        m, k, c = (r.choice((1, 7, 16, 31, 32, 64, 65, 100, 128, 130, 200)) for _ in range(3))
        kind = r.choice(("product", "product", "batch", "turned", "convolution"))
        if kind == "convolution":
            x = b.Input("x", TensorType(DType.F32, (2, r.choice((5, 8, 14)), 9, r.choice((3, 8, 16)))))
            w = b.Input("w", TensorType(DType.F32, (3, 3, x.type.shape[3], r.choice((5, 16, 33)))))
            y = b.Conv2d(x, w, r.choice(((1, 1), (2, 1))), r.choice(("Same", "Valid")))
        elif kind == "turned":
            y = b.Input("x", TensorType(DType.F32, (k, m))).mT @ b.Input("y", TensorType(DType.F32, (c, k))).mT
        else:
            batch = (3,) if kind == "batch" else ()
            y = b.Input("x", TensorType(DType.F32, (*batch, m, k))) @ b.Input(
                "y", TensorType(DType.F32, (*batch, k, c))
            )
        module = b.finish([y])
        rng = np.random.default_rng(n)
        arrays = [rng.standard_normal(o.type.shape).astype(np.float32) for o in module.inputs]
        chip = r.choice(("sm_80", "sm_90", "sm_90a"))
        yield f"tf32 on {chip}", f"seed {n}\n{module}", module, lambda a=arrays, m=module, c=chip: check_tf32(m, a, c)


def _tiles(seed: int, count: int):
    """Products whose tiles are copied, by a few of which the chip is full: what rules choose for large ones."""
    import random
    from dataclasses import replace

    from mind_mlir import Builder, TensorType
    from mind_mlir.lowering.targets import chips

    chips.CHIPS["sm_90a"] = replace(chips.SM_90A, multiprocessors=1)
    for n in range(seed, seed + count):
        r, b = random.Random(n), Builder()
        m, c = (r.choice((65, 68, 100, 128, 130, 140, 171, 256, 300)) for _ in range(2))
        k = 4 * r.choice((1, 3, 8, 9, 16, 25, 33, 65))
        batch = r.choice(((), (), (2,), (3,)))
        x = b.Input("x", TensorType(DType.F32, (*batch, m, k)))
        y = x @ b.Input("y", TensorType(DType.F32, (*r.choice((batch, ())), c, k))).mT
        if r.random() < 0.5:
            y = b.Relu(y + b.Input("row", TensorType(DType.F32, (c,))))
        module = b.finish([y])
        rng = np.random.default_rng(n)
        arrays = [rng.standard_normal(o.type.shape).astype(np.float32) for o in module.inputs]
        yield "tf32 on sm_90a", f"seed {n}\n{module}", module, lambda a=arrays, m=module: check_tf32(m, a, "sm_90a")


def _examples(files: list[str]):
    for file in map(Path, files):
        m = mind.verify(mind.parse(file.read_text(encoding="utf-8")))
        given = np.load(file.with_name(file.name.split(".")[0] + ".npz"))
        for numerics in PLANS:
            yield numerics, str(file), m, [[given[o.op.name] for o in m.inputs]]


RANDOM = {"random": _random, "product": _products, "wide": _wide, "tf32": _tf32, "tiles": _tiles}
"""Modules of many operations on few elements, of products, of some thousand elements, and of products in TF32, some of
tiles that are copied."""


def main(kind: str, *rest: str) -> None:
    """Check modules one after the other; report each."""
    if kind == "op":
        cases = _samples(rest[0], alone="alone" in rest[1:])
    elif kind in RANDOM:
        cases = RANDOM[kind](int(rest[0]), int(rest[1]))
    else:
        cases = _examples(list(rest))
    for numerics, what, m, arguments in cases:
        report: dict = {"numerics": numerics, "what": what}
        kinds.clear()
        print(json.dumps(report), flush=True)
        try:
            if callable(arguments):
                arguments()
            else:
                check(m, arguments, numerics)
            report["error"] = ""
        except Exception:
            report["error"] = traceback.format_exc()
        report["kernels"] = kinds
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
