"""From MLIR in the LLVM dialect, or LLVM IR text, to an object file in memory."""

from __future__ import annotations

import ctypes
import functools
import os
import weakref
from ctypes import byref, c_void_p
from typing import Any

from ...ir import MindError
from ..toolchain.packages import package_folder
from .capi import llvm
from .open_numbers import LIMIT, symbol
from .target_machine import machine

WRITTEN = (
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),gvn,"
    "instcombine<no-verify-fixpoint>,simplifycfg)"
)
"""LLVM passes for code that is written as it should run: kernels.  Half the time of O2, with the same result."""

GENERAL = "default<O2>"
"""LLVM passes for plain loops, which are made vectors of."""

CALLS = "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"
"""LLVM passes for code that runs once a call, and calls what takes time."""

_ABSOLUTE = b"absolute_symbol"
"""The metadata that tells between which numbers the address of a symbol is."""

_OBJECT_FILE = 1
"""LLVMObjectFile."""


class _Operation(ctypes.Structure):
    """MlirOperation."""

    _fields_ = (("address", c_void_p),)


@functools.cache
def _translate() -> Any:
    """mlirTranslateModuleToLLVMIR: an operation and an LLVM context to an LLVM module."""
    folder = package_folder("mlir") or ""
    f = ctypes.PyDLL(os.path.join(folder, "_mlir_libs", "libMLIRPythonCAPI.so")).mlirTranslateModuleToLLVMIR
    f.restype, f.argtypes = c_void_p, [_Operation, c_void_p]
    return f


_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.restype, _capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _address(wrapped: Any) -> int:
    """The address of what one of MLIR's Python objects stands for."""
    capsule = wrapped._CAPIPtr
    return int(_capsule_pointer(capsule, _capsule_name(capsule)))


class LlvmModule:
    """A module of LLVM IR in a context of its own, so that any thread may compile it, one at a time."""

    def __init__(self, context: int, module: int) -> None:
        self._context, self._module = context, module
        self._dispose = weakref.finalize(self, _disposed, context, module)
        self._dispose.atexit = False

    @classmethod
    def translated(cls, module: Any) -> LlvmModule:
        """What an MLIR module in the LLVM dialect stands for.  E9001 if MLIR cannot translate it."""
        context = llvm().LLVMContextCreate()
        made = _translate()(_Operation(_address(module.operation)), context)
        if not made:
            llvm().LLVMContextDispose(context)
            raise MindError.of("E9001", "MLIR cannot translate a module to LLVM IR")
        return cls(context, made)

    @classmethod
    def parsed(cls, text: bytes) -> LlvmModule:
        """From LLVM IR as text or bitcode.  E9001 if LLVM cannot read it."""
        api = llvm()
        context = api.LLVMContextCreate()
        buffer = api.LLVMCreateMemoryBufferWithMemoryRangeCopy(text, len(text), b"module")
        made, words = c_void_p(), c_void_p()
        if api.LLVMParseIRInContext(context, buffer, byref(made), byref(words)) or not made.value:  # takes the buffer
            api.LLVMContextDispose(context)
            raise MindError.of("E9001", f"LLVM cannot read LLVM IR: {api.message(words.value)}")
        return cls(context, made.value)

    def leave_open(self, count: int) -> None:
        """Let the symbols of so many numbers (open_numbers.py) have absolute addresses, those that are there."""
        api = llvm()
        kind = api.LLVMGetMDKindIDInContext(self._context, _ABSOLUTE, len(_ABSOLUTE))
        i64 = api.LLVMInt64TypeInContext(self._context)
        ends = [api.LLVMValueAsMetadata(api.LLVMConstInt(i64, n, 0)) for n in (0, LIMIT)]
        bounds = api.LLVMMDNodeInContext2(self._context, (c_void_p * 2)(*ends), 2)
        for name in map(symbol, range(count)):
            if found := api.LLVMGetNamedGlobal(self._module, name.encode()):
                api.LLVMGlobalSetMetadata(found, kind, bounds)

    def object_file(self, passes: str = GENERAL, cpu: str = "native") -> bytes:
        """The object file that LLVM makes after these passes, which change the module.  E9001 if LLVM fails."""
        api, target = llvm(), machine(cpu)
        options = api.LLVMCreatePassBuilderOptions()
        try:
            api.LLVMSetTarget(self._module, target.triple)
            api.LLVMSetModuleDataLayout(self._module, target.layout)
            api.check(api.LLVMRunPasses(self._module, passes.encode(), target.address, options), "to optimize")
        finally:
            api.LLVMDisposePassBuilderOptions(options)
        made, words = c_void_p(), c_void_p()
        emit = api.LLVMTargetMachineEmitToMemoryBuffer
        if emit(target.address, self._module, _OBJECT_FILE, byref(words), byref(made)):
            raise MindError.of("E9001", f"LLVM failed to generate code: {api.message(words.value)}")
        try:
            return ctypes.string_at(api.LLVMGetBufferStart(made), api.LLVMGetBufferSize(made))
        finally:
            api.LLVMDisposeMemoryBuffer(made)


def _disposed(context: int, module: int) -> None:
    llvm().LLVMDisposeModule(module)
    llvm().LLVMContextDispose(context)
