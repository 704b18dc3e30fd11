"""The dialect in MLIR's own language for dialects, IRDL: what MLIR can hold and check without C++.

It knows operand counts, required attributes and their kinds.  It does not know dtypes, ranks or broadcasting, and
attributes that may be left out are not in it: any operation may carry more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Op
from .encoding import DIALECT, dialect_ops, encoded_attributes


def irdl_text() -> str:
    """The dialect `mind` as an IRDL module, operations of other packages included."""
    lines = [line for cls in dialect_ops() for line in _operation(cls)]
    return f"irdl.dialect @{DIALECT} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def _operation(cls: type[Op]) -> Iterator[str]:
    yield f"irdl.operation @{cls.mnemonic} {{"
    for name in (*cls.operand_names, "result"):  # one constraint for two would ask for one type
        yield f'  %{name} = irdl.base "!builtin.tensor"'
    required = [a for a in encoded_attributes(cls) if a.default is None]
    for a in required:
        yield f"  %{a.name}_attribute = {a.encoding.irdl}"
    if cls.operand_names:
        yield f"  irdl.operands({', '.join(f'{name}: %{name}' for name in cls.operand_names)})"
    if required:
        names = ", ".join(f'"{a.name}" = %{a.name}_attribute' for a in required)
        yield f"  irdl.attributes {{{names}}}"
    yield "  irdl.results(result: %result)"
    yield "}"
