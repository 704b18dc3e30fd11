"""Writes the dialect in IRDL, MLIR's language for dialects, with what MLIR can check without C++.

That is the number of operands, required attributes and their kinds. Dtypes, ranks and broadcasting are not checked, and
optional attributes are not declared: any operation may have more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir import Op
from .encoding import DIALECT, dialect_ops, encoded_attributes


def irdl_text() -> str:
    """The dialect `mind` as an IRDL module, operations of other packages included."""
    lines = [line for cls in dialect_ops() for line in _operation(cls)]
    return f"irdl.dialect @{DIALECT} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def _operation(cls: type[Op]) -> Iterator[str]:
    yield f"irdl.operation @{cls.mnemonic} {{"
    operands, results = _declared(cls.operand_names), _declared(cls.result_names)
    for name, _ in (*operands, *results):  # sharing a constraint would require equal types
        yield f'  %{name} = irdl.base "!builtin.tensor"'
    required = [a for a in encoded_attributes(cls) if a.is_required]
    for a in required:
        yield f"  %{a.name}_attribute = {a.encoding.irdl}"
    if operands:
        yield f"  irdl.operands({', '.join(f'{name}: {many}%{name}' for name, many in operands)})"
    if required:
        names = ", ".join(f'"{a.name}" = %{a.name}_attribute' for a in required)
        yield f"  irdl.attributes {{{names}}}"
    yield f"  irdl.results({', '.join(f'{name}: {many}%{name}' for name, many in results)})"
    yield "}"


def _declared(names: Sequence[str]) -> list[tuple[str, str]]:
    """Names of operands or results, each with the word for one of which there may be any number."""
    return [(name.removeprefix("*"), "variadic " if name.startswith("*") else "") for name in names]
