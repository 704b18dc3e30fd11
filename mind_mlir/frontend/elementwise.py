"""Functions of element-wise operations, made from their classes: `exp` of Exp.

There is one for every class that states a `python_function`. It is made when it is first looked up, as an attribute of
this module or of the package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir import OPS, DType, Op, Reject, TensorType
from .promotion import combined


def __getattr__(name: str) -> Any:
    cls = None if name.startswith("_") else OPS.of_function(name)
    if cls is None:
        raise AttributeError(f"module {__name__} has no attribute {name}", name=name)
    return globals().setdefault(name, _function(cls))


def _function(cls: type[Op]) -> Callable[..., Any]:
    """The function of an operation of one or two operands."""
    op, count = cls(), len(cls.operand_names)
    floats = not _takes(op, DType.I64, count)

    def unary_function(x: Any) -> Any:
        return combined(op, x, floats=floats)

    def binary_function(x: Any, y: Any) -> Any:
        return combined(op, x, y, floats=floats)

    made: Callable[..., Any] = unary_function if count == 1 else binary_function
    assert cls.python_function is not None, "it is looked up by its name"
    made.__name__ = made.__qualname__ = cls.python_function.name
    made.__doc__ = cls.python_function.doc
    return made


def _takes(op: Op, dtype: DType, count: int) -> bool:
    """True if the operation takes operands of this element type."""
    try:
        op.infer_type(*[TensorType(dtype, ())] * count)
    except Reject:
        return False
    return True
