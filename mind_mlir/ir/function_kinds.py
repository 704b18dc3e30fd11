"""Attributes that hold functions: `body: Body` for one, `branches: Bodies` for a list.

module.py has the class of functions. Text names a function, `body = @step`; the reader replaces the name by the
function before a kind reads it.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from .attributes import Kind
from .module import Function
from .written import describe


class FunctionKind(Kind):
    """One function."""

    wants = "a function, such as @step"
    holds_functions = True

    def read(self, name: str, syntax: object) -> Any:
        if isinstance(syntax, Function):
            return syntax
        raise self.wrong(name, describe(syntax))

    def take(self, name: str, value: Any) -> Function:
        if isinstance(value, Function):
            return value
        raise self.wrong(name, repr(value))

    def show(self, value: Any) -> str:
        return f"@{value.name}"


class FunctionsKind(Kind):
    """A list of functions."""

    wants = "a list of functions, such as [@left, @right]"
    holds_functions = True

    def read(self, name: str, syntax: object) -> Any:
        if not isinstance(syntax, list):
            raise self.wrong(name, describe(syntax))
        for x in syntax:
            if not isinstance(x, Function):
                raise self.wrong(name, f"{describe(x)} in it")
        return tuple(syntax)

    def take(self, name: str, value: Any) -> tuple[Function, ...]:
        if isinstance(value, (tuple, list)) and all(isinstance(x, Function) for x in value):
            return value if isinstance(value, tuple) else tuple(value)
        raise self.wrong(name, repr(value))

    def show(self, value: Any) -> str:
        return f"[{', '.join([f'@{f.name}' for f in value])}]"


Body: TypeAlias = Annotated[Function, FunctionKind()]
Bodies: TypeAlias = Annotated[tuple[Function, ...], FunctionsKind()]
