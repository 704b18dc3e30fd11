"""LLVM's target machines: the CPU that code is generated for, and the model of its addresses."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass

from ..targets.system import host_triple
from .capi import llvm

_DEFAULT_LEVEL, _PIC, _SMALL = 2, 2, 3
"""LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall (llvm-c/TargetMachine.h)."""


@dataclass(frozen=True)
class Machine:
    """The addresses of a target machine of LLVM and its data layout. Only one thread may use it."""

    triple: bytes
    address: int
    layout: int


_mine = threading.local()


def machine(cpu: str = "native") -> Machine:
    """This thread's target machine for a CPU by LLVM's name; `native` is this computer's, with all of its features.

    Code is position-independent in the small model: it may be loaded anywhere, and its parts are within 2 GB. In the
    model `large`, which MLIR's execution engine insists on, code generation is quadratic in the number of calls.
    """
    made: dict[str, Machine] = _mine.__dict__.setdefault("machines", {})
    if cpu not in made:
        made[cpu] = _new(cpu)
    return made[cpu]


def _new(cpu: str) -> Machine:
    api, triple = llvm(), host_triple().encode()
    name, features = host() if cpu == "native" else (cpu.encode(), b"")
    options = api.LLVMCreateTargetMachineOptions()
    try:
        api.LLVMTargetMachineOptionsSetCPU(options, name)
        api.LLVMTargetMachineOptionsSetFeatures(options, features)
        api.LLVMTargetMachineOptionsSetCodeGenOptLevel(options, _DEFAULT_LEVEL)
        api.LLVMTargetMachineOptionsSetRelocMode(options, _PIC)
        api.LLVMTargetMachineOptionsSetCodeModel(options, _SMALL)
        made = api.LLVMCreateTargetMachineWithOptions(api.target(triple), triple, options)
    finally:
        api.LLVMDisposeTargetMachineOptions(options)
    return Machine(triple, made, api.LLVMCreateTargetDataLayout(made))


@functools.cache
def host() -> tuple[bytes, bytes]:
    """This computer's CPU and its features, as LLVM writes them."""
    api = llvm()
    return api.message(api.LLVMGetHostCPUName()).encode(), api.message(api.LLVMGetHostCPUFeatures()).encode()
