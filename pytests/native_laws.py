"""Native code against `evaluate`, on every sample of an operation.

As a script it does so in a process of its own, because MLIR and wrong code can end it: `native_laws.py OPCODE` prints
one JSON line before and after each module.
"""

import contextlib
import json
import sys
import traceback

import checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
import numpy as np
from support import (
    assert_agrees,
    assert_same_bits,
    everything_shared,
    nans,
    operands_for,
    poisoned,
    poisoned_buffers,
    sample_id,
    samples_of,
    side_by_side,
)

import mind_mlir as mind
from mind_mlir.ir import OPS
from mind_mlir.lowering.native.compiler import LONG
from mind_mlir.lowering.toolchain.openmp import find_openmp

PLANS = {
    "strict": ("strict", 1),
    "default": ("default", 1),
    "fast": ("fast", 1),
    "two threads": ("default", 2),
    "poisoned": ("default", 1),
}
"""Numerics and threads; poisoned is with intermediate results in memory full of garbage."""
if find_openmp() is None:
    del PLANS["two threads"]


def main(opcode):
    """Compare native code with `evaluate` on every sample; report one JSON line before and after each group."""
    for plan in PLANS:
        chosen = samples_for(plan, opcode)
        for samples in few_modules(chosen):
            report = {"plan": plan, "samples": [sample_id(opcode, *s) for s in samples]}
            print(json.dumps(report), flush=True)
            try:
                with everything_shared(), poisoned_buffers() if plan == "poisoned" else contextlib.nullcontext():
                    check_compiled_agrees(samples, *PLANS[plan])
                report["error"] = ""
            except Exception:
                report["error"] = traceback.format_exc()
            print(json.dumps(report), flush=True)


def samples_for(plan, opcode):
    """All dtypes in the modes that promise bits, elsewhere those that the op names."""
    return samples_of(opcode) if plan in ("strict", "default") else list(dict.fromkeys(OPS[opcode].samples()))


def few_modules(samples):
    """The samples in groups of one module each, as large as the pipeline for modules that are not long takes them.

    Much of the time of compiling is that of a module, however small.
    """
    groups, room = [[]], LONG
    for op, types in samples:
        if len(types) + 1 > room:
            groups.append([])
            room = LONG
        groups[-1].append((op, types))
        room -= len(types) + 1
    return groups


def check_compiled_agrees(samples, numerics, threads):
    """Native results agree with `evaluate`, in new arrays and in garbage; arguments are not written."""
    m = side_by_side(samples)
    exe = mind.compile(m, numerics=numerics, threads=threads)
    for special in (False, True):
        operands = [operands_for(op, types, seed=5, special=special) for op, types in samples]
        arrays = [a for given in operands for a in given]
        before = [a.copy() for a in arrays]
        with np.errstate(all="ignore"):
            expected = [x for (op, _), given in zip(samples, operands) for x in op.result_arrays(*given)]
        found = exe(*arrays)
        assert_agrees(m, arrays, found, expected, numerics, ", ".join(str(types) for _, types in samples))
        for fill in (poisoned, nans):
            out = [fill(t) for t in exe.output_types]
            exe(*arrays, out=out)
            for a, b, (op, types) in zip(out, found, samples):
                assert_same_bits(a, b, f"{sample_id(op.opcode, op, types)}, out= full of {fill.__name__}:")
        for a, b in zip(arrays, before):
            assert_same_bits(a, b, "argument:")


if __name__ == "__main__":
    main(*sys.argv[1:])
