"""Links object files into this process, by LLVM's ORC."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from ctypes import byref, c_uint64, c_void_p

from ..store.unloading import unload_with
from .capi import llvm


class _Symbol(ctypes.Structure):
    """LLVMOrcCSymbolMapPair: a name and its address."""

    _fields_ = (("name", c_void_p), ("address", c_uint64), ("generic_flags", ctypes.c_uint8), ("flags", ctypes.c_uint8))


_EXPORTED, _CALLABLE = 1, 4
"""LLVMJITSymbolGenericFlagsExported, …Callable."""


class Linked:
    """Linked object files, ready to be called, and unloaded when nothing refers to this object.

    Names that they do not define are looked up in `symbols`, then in this process.
    """

    def __init__(
        self, objects: Iterable[bytes], symbols: Mapping[str, int] | None = None, release: str | None = None
    ) -> None:
        """Load the object files. Their function `release` is called before they are unloaded. E9001 if LLVM refuses."""
        api = llvm()
        made = c_void_p()
        api.check(api.LLVMOrcCreateLLJIT(byref(made), None), "to make a linker")
        assert made.value, "a linker that was made"
        self._address = made.value
        close = unload_with(self, _dispose, self._address, None)
        dylib = api.LLVMOrcLLJITGetMainJITDylib(self._address)
        if symbols:
            self._define(dylib, symbols)
        generator = c_void_p()
        prefix = api.LLVMOrcLLJITGetGlobalPrefix(self._address)
        make = api.LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess
        api.check(make(byref(generator), prefix, None, None), "to look into this process")
        api.LLVMOrcJITDylibAddGenerator(dylib, generator)
        for code in objects:
            buffer = api.LLVMCreateMemoryBufferWithMemoryRangeCopy(code, len(code), b"code")
            api.check(api.LLVMOrcLLJITAddObjectFile(self._address, dylib, buffer), "to take an object file")
        if release is not None:
            address = self.address(release)
            close.detach()
            unload_with(self, _dispose, self._address, address)

    def _define(self, dylib: int, symbols: Mapping[str, int]) -> None:
        api = llvm()
        pairs = (_Symbol * len(symbols))(
            *[
                _Symbol(api.LLVMOrcLLJITMangleAndIntern(self._address, name.encode()), at, _EXPORTED | _CALLABLE, 0)
                for name, at in symbols.items()
            ]
        )
        unit = api.LLVMOrcAbsoluteSymbols(pairs, len(symbols))
        api.check(api.LLVMOrcJITDylibDefine(dylib, unit), "to define names")

    def address(self, function: str) -> int:
        """The address of a function. E9001 if there is none of that name, or what it calls is missing."""
        api, found = llvm(), c_uint64()
        api.check(api.LLVMOrcLLJITLookup(self._address, byref(found), function.encode()), f"to link {function}")
        return found.value


def _dispose(address: int, release: int | None) -> None:
    if release is not None:
        ctypes.CFUNCTYPE(None)(release)()
    llvm().LLVMOrcDisposeLLJIT(address)
