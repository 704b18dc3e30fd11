"""Reads collectives in the text of a compiled HLO module, and counts the bytes that a rank sends in each, in a ring.

An AllReduce of which only a part is used, which `dynamic-slice` takes by the rank, is counted twice: as it is written,
and as the ReduceScatter that XLA makes of it for targets other than CPUs.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from mind_mlir.ir import OPS

KINDS = {
    "all-reduce": "AllReduce",
    "all-gather": "AllGather",
    "reduce-scatter": "ReduceScatter",
    "all-to-all": "AllToAll",
    "collective-permute": "Permute",
}
"""Collective of HLO -> the operation of ours that sends the same bytes."""

_LINE = re.compile(r"\s*(?:ROOT )?%?(?P<name>[\w.\-]+) = (?P<type>\(.*?\)|\S+) (?P<opcode>[\w\-]+)\((?P<rest>.*)")
_ARRAY = re.compile(r"\b([a-z]\w*)\[([\d,]*)\]")
_NARROW = {"pred": 8}


def _sent(kind: str, held: int, n: int) -> int:
    """Bytes that a rank sends in an operation of ours."""
    op: Any = OPS[kind]
    return int(op.sent(held, n))


@dataclass(frozen=True)
class Collective:
    """One collective: the bytes that each rank sends, as written and as a ReduceScatter if that is possible."""

    kind: str
    nbytes: int
    scattered: int


@dataclass(frozen=True)
class _Instruction:
    name: str
    type: str
    opcode: str
    operands: tuple[str, ...]
    rest: str
    computation: str


def collectives(text: str, ranks: int) -> list[Collective]:
    """The collectives of a module for so many ranks; each operand of a fused one counts, and of a pair the start."""
    lines = list(_instructions(text))
    types = {i.name: i.type for i in lines}
    found = []
    for i in lines:
        kind = KINDS.get(i.opcode.removesuffix("-start"))
        if kind is None:
            continue
        held, n = sum(_nbytes(types[x]) for x in i.operands), _group(i.rest, ranks)
        nbytes = held * (n > 1) if kind == "Permute" else _sent(kind, held, n)
        scattered = nbytes
        if kind == "AllReduce":
            parts = [_nbytes(types[x]) for x in _sliced(i, lines)]
            scattered -= sum(_sent("AllReduce", part, n) - _sent("ReduceScatter", part, n) for part in parts)
        found.append(Collective(kind, nbytes, scattered))
    return found


def _instructions(text: str) -> list[_Instruction]:
    out, computation = [], ""
    for line in text.splitlines():
        if line.endswith("{") and " = " not in line:
            computation = line.split()[line.startswith("ENTRY")].lstrip("%")
        elif found := _LINE.match(line):
            inside, _, _ = found["rest"].partition(")")
            operands = tuple(re.findall(r"%([\w.\-]+)", inside))
            out.append(
                _Instruction(found["name"], found["type"], found["opcode"], operands, found["rest"], computation)
            )
    return out


def _nbytes(type: str) -> int:
    """The bytes of an array, or of all arrays of a tuple."""
    bits = 0
    for dtype, extents in _ARRAY.findall(type):
        digits = re.search(r"\d+", dtype)
        width = _NARROW[dtype] if digits is None else int(digits[0])
        bits += width * math.prod(int(n) for n in extents.split(",") if n)
    return bits // 8


def _group(rest: str, ranks: int) -> int:
    """The number of ranks that take part together."""
    if found := re.search(r"replica_groups=mesh\[(.*?)\] ?\{(.*?)\}", rest):
        sizes = {name: int(n) for name, n in re.findall(r"'(\w+)'=(\d+)", found[1])}
        return math.prod(sizes[name] for name in re.findall(r"'(\w+)'", found[2]))
    if found := re.search(r"replica_groups=\[\d+,(\d+)\]", rest):
        return int(found[1])
    if found := re.search(r"replica_groups=\{\{([\d,]+)\}", rest):
        return len(found[1].split(","))
    if found := re.search(r"source_target_pairs=\{(.*?)\}\}", rest):
        return 2 if any(len(set(p.split(","))) == 2 for p in re.findall(r"[\d,]+", found[1]) if p != ",") else 1
    assert "replica_groups={}" in rest or "replica_groups" not in rest, f"groups of another form: {rest}"
    return ranks


def _sliced(i: _Instruction, lines: list[_Instruction]) -> list[str]:
    """The operands of whose results only parts are used; a fused collective has them in order."""
    if not i.type.startswith("("):
        return list(i.operands) if _only_sliced(i, lines) else []
    taken = {
        int(found[1]): u
        for u in lines
        if u.opcode == "get-tuple-element" and i.name in u.operands and (found := re.search(r"index=(\d+)", u.rest))
    }
    return [x for n, x in enumerate(i.operands) if n in taken and _only_sliced(taken[n], lines)]


def _only_sliced(i: _Instruction, lines: list[_Instruction]) -> bool:
    """True if each use of the value is a slice by the rank, as an instruction or in a fusion."""
    users = [u for u in lines if i.name in u.operands]
    if not users:
        return False
    return all(_slices(u, i.name, lines) for u in users)


def _slices(user: _Instruction, name: str, lines: list[_Instruction]) -> bool:
    if user.opcode == "dynamic-slice":
        return user.operands[0] == name
    if user.opcode in ("bitcast", "copy", "transpose", "reshape"):
        return _only_sliced(user, lines)
    called = re.search(r"calls=%([\w.\-]+)", user.rest)
    if user.opcode != "fusion" or called is None:
        return False
    inside = [x for x in lines if x.computation == called[1]]
    places = [str(n) for n, x in enumerate(user.operands) if x == name]
    parameters = [x for x in inside if x.opcode == "parameter" and x.rest.partition(")")[0] in places]
    return bool(parameters) and all(_only_sliced(p, inside) for p in parameters)
