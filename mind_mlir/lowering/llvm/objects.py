"""Makes an object file in memory from MLIR in the LLVM dialect, or from LLVM IR text."""

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
"""LLVM passes for kernels, which are written as they should run: half the time of O2, with the same result."""

GENERAL = "default<O2>"
"""LLVM passes for plain loops, which are to be vectorized."""

CALLS = "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"
"""LLVM passes for code that only calls what takes time."""

_ABSOLUTE = b"absolute_symbol"
"""The metadata that tells the range of a symbol's address."""

_OBJECT_FILE = 1
"""LLVMObjectFile, in llvm-c/TargetMachine.h."""


class _Operation(ctypes.Structure):
    """MlirOperation."""

    _fields_ = (("address", c_void_p),)


@functools.cache
def _translate() -> Any:
    """MLIR's function mlirTranslateModuleToLLVMIR, which takes an operation and an LLVM context."""
    folder = package_folder("mlir") or ""
    f = ctypes.PyDLL(os.path.join(folder, "_mlir_libs", "libMLIRPythonCAPI.so")).mlirTranslateModuleToLLVMIR
    f.restype, f.argtypes = c_void_p, [_Operation, c_void_p]
    return f


_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.restype, _capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _address(wrapped: Any) -> int:
    """The address of the C++ object that one of MLIR's Python objects wraps."""
    capsule = wrapped._CAPIPtr
    return int(_capsule_pointer(capsule, _capsule_name(capsule)))


class LlvmModule:
    """A module of LLVM IR in a context of its own, so that any one thread at a time may compile it."""

    def __init__(self, context: int, module: int) -> None:
        self._context, self._module = context, module
        self._dispose = weakref.finalize(self, _disposed, context, module)
        self._dispose.atexit = False

    @classmethod
    def translated(cls, module: Any) -> LlvmModule:
        """The LLVM IR of an MLIR module in the LLVM dialect. E9001 if MLIR cannot translate it."""
        context = llvm().LLVMContextCreate()
        made = _translate()(_Operation(_address(module.operation)), context)
        if not made:
            llvm().LLVMContextDispose(context)
            raise MindError.of("E9001", "MLIR cannot translate a module to LLVM IR")
        return cls(context, made)

    @classmethod
    def parsed(cls, text: bytes) -> LlvmModule:
        """A module from LLVM IR as text or bitcode. E9001 if LLVM cannot read it."""
        api = llvm()
        context = api.LLVMContextCreate()
        buffer = api.LLVMCreateMemoryBufferWithMemoryRangeCopy(text, len(text), b"module")
        made, words = c_void_p(), c_void_p()
        if (
            api.LLVMParseIRInContext(context, buffer, byref(made), byref(words)) or not made.value
        ):  # it owns the buffer then
            api.LLVMContextDispose(context)
            raise MindError.of("E9001", f"LLVM cannot read LLVM IR: {api.message(words.value)}")
        return cls(context, made.value)

    def leave_open(self, count: int) -> None:
        """Let the symbols of the numbers below `count` (open_numbers.py), if they occur, have absolute addresses."""
        api = llvm()
        kind = api.LLVMGetMDKindIDInContext(self._context, _ABSOLUTE, len(_ABSOLUTE))
        i64 = api.LLVMInt64TypeInContext(self._context)
        ends = [api.LLVMValueAsMetadata(api.LLVMConstInt(i64, n, 0)) for n in (0, LIMIT)]
        bounds = api.LLVMMDNodeInContext2(self._context, (c_void_p * 2)(*ends), 2)
        for name in map(symbol, range(count)):
            if found := api.LLVMGetNamedGlobal(self._module, name.encode()):
                api.LLVMGlobalSetMetadata(found, kind, bounds)

    def object_file(self, passes: str = GENERAL, cpu: str = "native") -> bytes:
        """Run these passes on the module, and return the object file of it. E9001 if LLVM fails."""
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
