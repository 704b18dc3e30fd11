"""Object files with numbers left open: each is the address of a symbol, until it is filled in.

Since the address is absolute, LLVM writes it into an instruction, where it would write a known number. Relocations say
where these are; they and the symbols are removed from the object file, so that a linker need not know of them. This
works for x86-64, in object files of the format ELF.
"""

from __future__ import annotations

import platform
import struct
import sys
from collections.abc import Sequence
from typing import NamedTuple

from ...ir import MindError

LIMIT = 1 << 30
"""Numbers are below this, so that they fit into an instruction with what LLVM adds to them."""

_SYMBOLS, _RELOCATIONS = 2, 4
"""SHT_SYMTAB, SHT_RELA."""

_RELATIVE, _SIGNED = 2, 11
"""R_X86_64_PC32, R_X86_64_32S."""

_WRITTEN = {1: "<q", 10: "<I", _SIGNED: "<i"}
"""Relocation that is an address itself -> its format; 1 and 10 are R_X86_64_64 and R_X86_64_32."""

_PREFIX = "mind_number_"


def symbol(n: int) -> str:
    """The name of number n."""
    return f"{_PREFIX}{n}"


def can_leave_open() -> bool:
    """True where numbers can be left open."""
    return sys.platform.startswith("linux") and platform.machine().lower() in ("x86_64", "amd64")


class _Section(NamedTuple):
    """An entry of an ELF file's table of sections."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


class _Use(NamedTuple):
    """A use of a number in code: which number, its byte in the file, its format, and what is added to it."""

    number: int
    at: int
    format: str
    plus: int


_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
"""Elf64_Shdr, Elf64_Sym, Elf64_Rela."""


class OpenObject:
    """An object file whose numbers can be filled in. E9001 if LLVM has written one in an unknown way."""

    def __init__(self, code: bytes) -> None:
        self._code = bytearray(code)
        self._uses: list[_Use] = []
        (self._start,) = struct.unpack_from("<Q", code, 0x28)
        (count,) = struct.unpack_from("<H", code, 0x3C)
        self._sections = [_Section(*_SECTION.unpack_from(code, self._start + n * _SECTION.size)) for n in range(count)]
        kept, numbers = self._without_numbers()
        for n, s in enumerate(self._sections):
            if s.type == _RELOCATIONS:
                self._resolve(n, s, kept, numbers)

    def filled(self, numbers: Sequence[int], old: str, new: str) -> bytes:
        """The object file with these numbers, and with `new` instead of `old`, of the same length, in its names."""
        made = bytearray(self._code)
        for u in self._uses:
            struct.pack_into(u.format, made, u.at, numbers[u.number] + u.plus)
        return bytes(made.replace(old.encode(), new.encode()))

    def _without_numbers(self) -> tuple[dict[int, int], dict[int, int]]:
        """Remove numbers from the table of symbols: old index -> new one of other symbols, old index -> the number."""
        n, table = next((n, s) for n, s in enumerate(self._sections) if s.type == _SYMBOLS)
        names = self._sections[table.link].offset
        kept: dict[int, int] = {}
        numbers: dict[int, int] = {}
        for k in range(table.size // _SYMBOL.size):
            at = table.offset + k * _SYMBOL.size
            entry = bytes(self._code[at : at + _SYMBOL.size])
            begin = names + _SYMBOL.unpack(entry)[0]
            name = self._code[begin : self._code.index(0, begin)].decode()
            if name.startswith(_PREFIX):
                numbers[k] = int(name.removeprefix(_PREFIX))
                continue
            new = table.offset + len(kept) * _SYMBOL.size
            self._code[new : new + _SYMBOL.size] = entry
            kept[k] = len(kept)
        self._resize(n, len(kept) * _SYMBOL.size)
        return kept, numbers

    def _resolve(self, n: int, s: _Section, kept: dict[int, int], numbers: dict[int, int]) -> None:
        """Remove the relocations by numbers from a section, and let others name their symbols by the new indices."""
        count = 0
        for k in range(s.size // _RELOCATION.size):
            at, info, plus = _RELOCATION.unpack_from(self._code, s.offset + k * _RELOCATION.size)
            symbol, kind = info >> 32, info & 0xFFFFFFFF
            if symbol not in numbers:
                entry = at, kept[symbol] << 32 | kind, plus
                _RELOCATION.pack_into(self._code, s.offset + count * _RELOCATION.size, *entry)
                count += 1
                continue
            byte = self._sections[s.info].offset + at
            if kind == _RELATIVE and self._is_absolute_now(byte):
                kind, plus = _SIGNED, plus + 4  # a relative address counts from the end of the instruction
            if kind not in _WRITTEN:
                raise MindError.of("E9001", f"LLVM writes a number in a way that is not known: relocation {kind}")
            self._uses.append(_Use(numbers[symbol], byte, _WRITTEN[kind], plus))
        self._resize(n, count * _RELOCATION.size)

    def _is_absolute_now(self, at: int) -> bool:
        """Change `lea number(%rip), register` to `mov $number, register`, as linkers do; False if it is no such `lea`.

        They are REX.W with R, 8D, and the register in bits 3 to 5; and REX.W with B, C7, and the register in bits 0 to
        2.
        """
        rex, code, mode = self._code[at - 3 : at]
        if rex & ~4 != 0x48 or code != 0x8D or mode & 0xC7 != 0x05:
            return False
        self._code[at - 3 : at] = bytes((0x48 | rex >> 2 & 1, 0xC7, 0xC0 | mode >> 3 & 7))
        return True

    def _resize(self, n: int, size: int) -> None:
        entry = self._sections[n]._replace(size=size)
        _SECTION.pack_into(self._code, self._start + n * _SECTION.size, *entry)
