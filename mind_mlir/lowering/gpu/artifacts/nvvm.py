"""A module as GPU code: kernels for a kind of chip, as PTX, and the plan of a host."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ....ir import Module
from ....passes.pipeline import Pipeline
from ...mlir.failure import MlirPassFailed
from ...mlir.pass_driver import pass_failed, run_mlir_pass
from ...pipelines.parameters import with_options
from .plan import Plan, read_plan

PIPELINE = "lower-to-linalg,gpu-nvvm"


@dataclass(frozen=True)
class Compiled:
    """`nvvm` is the MLIR module in the dialects nvvm and llvm, with the launches; `plan` what they say."""

    chip: str
    nvvm: Any
    plan: Plan


def to_nvvm(m: Module, chip: str = "sm_80", numerics: str = "default", precision: str = "f32") -> Compiled:
    """The verified module as code for a chip. `precision` tf32 lets products of f32 be rounded to TF32 first.

    E7003 for an unknown chip.
    """
    pipeline = with_options(Pipeline.parse(PIPELINE), chip=chip, numerics=numerics, precision=precision)
    try:
        module = pipeline.run(m)
    except MlirPassFailed as why:
        raise pass_failed(pipeline, m, why) from None
    with module.context, ir.Location.unknown():
        plan = read_plan(module, len(m.inputs), len(m.outputs))
    return Compiled(chip, module, plan)


def to_ptx(code: Compiled) -> str:
    """The kernels as PTX, by LLVM: no CUDA is needed. The module is used up."""
    run_mlir_pass("gpu-module-to-binary{format=isa}", code.nvvm)
    text = code.nvvm.operation.get_asm(large_elements_limit=16)
    found = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', text)
    return _unescaped(found[1]).rstrip("\0") if found else ""


def _unescaped(text: str) -> str:
    """A string of MLIR's text: `\\0A` is a byte in hexadecimal."""
    data = re.sub(rb"\\([0-9A-Fa-f]{2})|\\(\\|\")", _byte, text.encode())
    return data.decode()


def _byte(m: re.Match[bytes]) -> bytes:
    return bytes([int(m[1], 16)]) if m[1] else m[2]
