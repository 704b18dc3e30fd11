"""Writes a module as canonical text, a line for each operation; see parser.py. Spec: Core IR, Reference encoding."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from .mesh import Mesh, PartitionSpec
from .op import Op
from .operation import Operation, ValueId
from .types import TensorType

_Shardings: TypeAlias = "PartitionSpec | tuple[PartitionSpec | None, ...] | None"
"""That of the only result, or those of several."""


class PrintedFunction(Protocol):
    """What of a `module.Function` its text says."""

    @property
    def name(self) -> str: ...
    @property
    def body(self) -> Printed: ...


class Printed(Protocol):
    """The parts of a `module.Module` that its text has."""

    @property
    def functions(self) -> Sequence[PrintedFunction]: ...
    @property
    def operations(self) -> tuple[Operation, ...]: ...
    @property
    def outputs(self) -> tuple[ValueId, ...]: ...
    @property
    def gradients(self) -> tuple[tuple[ValueId, ValueId], ...]: ...
    @property
    def tangents(self) -> tuple[tuple[ValueId, ValueId], ...]: ...
    @property
    def mesh(self) -> Mesh | None: ...
    @property
    def notes(self) -> Mapping[ValueId, str]: ...


def print_module(m: Printed) -> str:
    """The module's text. `parse(print_module(m)) == m`, bit for bit."""
    return "".join(text_pieces(m))


def text_pieces(m: Printed, *, notes: bool = True) -> Iterator[str]:
    """The module's text in pieces of a few megabytes at most: lines, and parts of large constants.

    With `notes`, remarks follow the operations as comments.
    """
    yield from _mesh_line(m)
    for f in m.functions:
        yield f"func @{f.name} {{\n"
        yield from _indented(_mesh_line(f.body))
        yield from _indented(_body(f.body, notes))
        yield "}\n"
    yield from _body(m, notes)


def lines_before(m: Printed) -> int:
    """The number of lines of the text before the operations of the module itself."""
    before = int(m.mesh is not None)
    for f in m.functions:
        before += 2 + len(f.body.operations) + (f.body.mesh is not None)
        before += sum(map(bool, (f.body.outputs, f.body.gradients, f.body.tangents)))
    return before


def _mesh_line(m: Printed) -> Iterator[str]:
    if m.mesh is not None:
        yield f"mesh: {m.mesh}\n" if m.mesh.axis_names else "mesh:\n"


def _body(m: Printed, notes: bool) -> Iterator[str]:
    """Operations and interface."""
    yield from _lines(m.operations, m.notes if notes else {})
    if m.outputs:
        yield f"outputs: {', '.join(f'%{i}' for i in m.outputs)}\n"
    if m.gradients:
        yield f"gradients: {', '.join(f'%{x} -> %{g}' for x, g in m.gradients)}\n"
    if m.tangents:
        yield f"tangents: {', '.join(f'%{x} -> %{t}' for x, t in m.tangents)}\n"


def _indented(pieces: Iterable[str]) -> Iterator[str]:
    """Pieces of lines, two columns to the right. No piece has the end of a line but at its own end."""
    begins = True
    for piece in pieces:
        yield f"  {piece}" if begins else piece
        begins = piece.endswith("\n")


def _lines(operations: Iterable[Operation], remarks: Mapping[ValueId, str]) -> Iterator[str]:
    """The lines of operations, with large constants in pieces."""
    written: dict[tuple[Op, _Shardings], str] = {}
    types: dict[TensorType, str] = {}
    for o in operations:
        if len(o.results) == 1:
            value = f"%{o.results[0].id}"
            shardings: _Shardings = o.results[0].sharding
            if (type := types.get(o.results[0].type)) is None:
                types[o.results[0].type] = type = str(o.results[0].type)
        else:
            value, type = ", ".join([f"%{i}" for i in o.ids]), ", ".join(map(str, o.types))
            shardings = tuple([r.sharding for r in o.results])
        operands = f" (%{', %'.join(map(str, o.operands))})" if o.operands else ""
        if (attributes := written.get((o.op, shardings))) is None:
            pieces = o.op.attribute_pieces()
            attributes = next(pieces)
            sharding = _sharding_text(shardings)
            if (more := next(pieces, None)) is not None:
                yield f"{value} = {o.op.opcode}{operands} {{{attributes}{more}"
                yield from pieces
                yield f"{', ' * bool(sharding)}{sharding}}} : {type}{_remark(remarks, o)}\n"
                continue
            attributes = ", ".join(filter(None, (attributes, sharding)))
            written[o.op, shardings] = attributes = f" {{{attributes}}}" if attributes else ""
        yield f"{value} = {o.op.opcode}{operands}{attributes} : {type}{_remark(remarks, o)}\n"


def _sharding_text(shardings: _Shardings) -> str:
    """`sharding = [dp, _]` of one result, `shardings = [[dp, _], open]` of several; nothing if all are open."""
    if not isinstance(shardings, tuple):
        return "" if shardings is None else f"sharding = {shardings}"
    if all(s is None for s in shardings):
        return ""
    return f"shardings = [{', '.join(['open' if s is None else str(s) for s in shardings])}]"


def _remark(remarks: Mapping[ValueId, str], o: Operation) -> str:
    """The remarks on the results, as a comment; none for most modules."""
    if not remarks:
        return ""
    found = [remarks[r.id] for r in o.results if r.id in remarks]
    return f"  # {', '.join(found)}" if found else ""


def print_operation(o: Operation) -> str:
    """The line of an operation, without its end."""
    return "".join(_lines([o], {})).rstrip("\n")


def digest(m: Printed) -> str:
    """The sha256 of the module's text, in hex: equal modules have equal digests on every machine."""
    import hashlib

    h = hashlib.sha256()
    for piece in text_pieces(m, notes=False):
        h.update(piece.encode())
    return h.hexdigest()


def body_digest(name: str, m: Printed) -> str:
    """sha256 of a function, as hex: of its name, its body's text, and the digests of the functions that this holds."""
    import hashlib

    h = hashlib.sha256(f"@{name}\n".encode())
    for piece in itertools.chain(_mesh_line(m), _body(m, False)):
        h.update(piece.encode())
    held = dict.fromkeys([f.digest for o in m.operations if o.op.function_attributes for f in o.op.functions()])
    h.update("\n".join(held).encode())
    return h.hexdigest()
