"""Kernels of every operation through NVIDIA's assembler, where it is: nothing spills, and registers are bounded.

The table of docs/gpu.md has the numbers of typical kernels; here are bounds for all of them.
"""

import json
import re
import subprocess
from collections import Counter

import pytest
from support import samples_of, side_by_side

import mind_mlir as mind
from mind_mlir import Builder, f32, f64
from mind_mlir.ir import OPS
from mind_mlir.lowering.gpu.artifacts.nvvm import to_nvvm, to_ptx
from mind_mlir.lowering.gpu.artifacts.ptxas import assemble, find_ptxas

pytestmark = pytest.mark.skipif(find_ptxas() is None, reason="ptxas is not installed, so no GPU kernel is assembled")

CHIPS = pytest.mark.parametrize("chip", ["sm_80", "sm_90"])

CEILINGS = {"elements": 64, "transpose": 64, "reduction": 96, "windows": 128, "sums": 128, "scatter": 64, "serial": 128}
"""Registers of a thread by the kind of kernel; products have what 255 leaves."""
MANY_STEPS = {"Atan2": 72, "Pow": 96, "Remainder": 112}
"""Registers of functions with more steps: of 64 bits, two values with what each lost when it was rounded."""


def assembled(m, chip, record_property, **options):
    """What each kernel of a module needs, which is noted for scripts/test."""
    text = to_ptx(to_nvvm(m, chip, **options))
    usage = assemble(text, chip).usage if ".entry" in text else {}
    kinds = Counter(re.match(r"[a-z]+", name)[0] for name in usage)
    record_property("assembled kernels", json.dumps(kinds))
    return usage


SPILLS = {"serial": 32}
"""Bytes that may be spilled by the kind of kernel: of these one thread runs, whose stack is in the first cache.

Neighbouring loops are one kernel: of Sort, all samples together spill 12 bytes at most, every second one 32.
"""


def assert_lean(usage, most=0):
    """Few spills, and as many registers as the kind of kernel has, or `most` if that is more."""
    for name, u in usage.items():
        kind = re.match(r"[a-z]+", name)[0]
        assert max(u.spill_stores, u.spill_loads) <= SPILLS.get(kind, 0), f"{name} spills"
        ceiling = max(CEILINGS.get(kind, 255), most)
        assert u.registers <= ceiling, f"{name} takes {u.registers} registers"


@pytest.mark.parametrize(("numerics", "offset"), [("strict", 0), ("default", 1)])
@pytest.mark.parametrize("opcode", sorted(set(OPS) - {"Input"}))
def test_kernels_of_every_op_are_lean(opcode, numerics, offset, record_property):
    """Samples alternate between strict and default, and the chip of each mode alternates from operation to operation.

    So every sample is assembled once, and every operation in both modes and for both chips. The chips differ in shared
    memory and in multiprocessors, which kernels of samples as small as these hardly ask for; all modes for all chips
    would take four times as long.
    """
    chip = ("sm_80", "sm_90")[(sorted(OPS).index(opcode) + offset) % 2]
    samples = samples_of(opcode)
    m = side_by_side(samples[offset::2] if len(samples) > 1 else samples)
    assert_lean(assembled(m, chip, record_property, numerics=numerics), MANY_STEPS.get(opcode, 0))


def _softmax(b, x):
    e = b.Exp(x)
    return e / b.Sum(e, (1,), True)


LARGE = {
    "matmul": lambda b: b.Input("x", f32(2048, 2048)) @ b.Input("y", f32(2048, 2048)),
    "matmul-odd": lambda b: b.Input("x", f32(2047, 2045)) @ b.Input("y", f32(2045, 2049)),
    "matmul-f64": lambda b: b.Input("x", f64(2048, 2048)) @ b.Input("y", f64(2048, 2048)),
    "convolution": lambda b: b.Conv2d(
        b.Input("x", f32(32, 58, 58, 64)), b.Input("w", f32(3, 3, 64, 128)), (1, 1), "Valid"
    ),
    "filter-gradient": lambda b: b.Conv2dBackwardFilter(
        b.Input("x", f32(32, 58, 58, 64)), b.Input("ct", f32(32, 56, 56, 128)), (3, 3, 64, 128), (1, 1), "Valid"
    ),
    "matmul-long": lambda b: b.Input("x", f32(500, 8190)) @ b.Input("y", f32(8190, 300)),
    "matmul-long-f64": lambda b: b.Input("x", f64(500, 8190)) @ b.Input("y", f64(8190, 300)),
    "softmax": lambda b: _softmax(b, b.Input("x", f32(2048, 2048))),
    "sum": lambda b: b.Sum(b.Input("x", f32(2048, 2048)), (), False),
    "transpose": lambda b: b.Transpose(b.Input("x", f32(2048, 2048)), (1, 0)),
}


@CHIPS
@pytest.mark.parametrize("name", LARGE)
def test_kernels_that_fill_a_chip_are_lean(name, chip, record_property):
    b = Builder()
    m = mind.verify(b.finish([LARGE[name](b)]))
    usage = assembled(m, chip, record_property)
    assert usage
    assert_lean(usage)


COPIED = {
    "matmul": lambda b: b.Input("x", f32(8192, 8192)) @ b.Input("y", f32(8192, 8192)).mT,
    "matmul-odd": lambda b: b.Input("x", f32(8190, 8188)) @ b.Input("y", f32(8190, 8188)).mT,
    "matmul-small": lambda b: b.Input("x", f32(1500, 1500)) @ b.Input("y", f32(1500, 1500)).mT,
    "batches": lambda b: b.Input("x", f32(8, 1024, 512)) @ b.Input("y", f32(8, 1030, 512)).mT,
    "dense": lambda b: b.Relu(
        b.Input("x", f32(8192, 8192)) @ b.Input("y", f32(8192, 8192)).mT + b.Input("r", f32(8192))
    ),
}


@pytest.mark.parametrize("name", COPIED)
def test_products_of_copied_tiles_are_lean_and_their_instructions_overlap(name, tmp_path):
    """A block has 288 threads or fewer, which may have 224 registers each."""
    b = Builder()
    text = to_ptx(to_nvvm(mind.verify(b.finish([COPIED[name](b)])), "sm_90a", precision="tf32"))
    usage = assemble(text, "sm_90a").usage["tma_product0"]
    assert (usage.spill_stores, usage.spill_loads, usage.stack) == (0, 0, 0)
    assert usage.registers <= 224
    assert len(re.findall(r"wgmma\.mma_async", text)) % 4 == 0
    assert len(re.findall(r"cp\.async\.bulk\.tensor", text)) % 2 == 0
    file = tmp_path / "kernels.ptx"
    file.write_text(text)
    command = [find_ptxas(), "-v", "-arch=sm_90a", file, "-o", tmp_path / "kernels.cubin"]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    assert "serialized" not in said, said
