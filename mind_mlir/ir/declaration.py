"""`@op` declares a class as an operation: it checks what the class has to define, and adds it to the vocabulary."""

from __future__ import annotations

import re
import sys
from dataclasses import MISSING, dataclass, fields
from typing import Any

from .attributes import Kind
from .halves import in_f32
from .op import OPS, Linearity, Op
from .rounding_growth import Growth

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:
    from typing_extensions import dataclass_transform

_VARARGS = 0x04
"""The flag of code that takes any number of arguments, `inspect.CO_VARARGS`."""

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_OWES = ("infer_type", "evaluate", "lower", "samples")
_OWED_RULE: dict[Linearity | None, list[str]] = {
    Linearity.JOINT: ["adjoint"],
    Linearity.EACH: ["adjoint"],
    Linearity.NONLINEAR: ["jvp"],
}


@dataclass_transform(frozen_default=True)
def op(cls: Any) -> Any:
    """Declare an op: freeze it, check that it has what every op has to define, and add it to `OPS`.

    TypeError at import if a method, the docstring or an attribute's kind is missing, or the name is taken.
    """
    cls = dataclass(frozen=True)(cls)
    name = cls.__name__
    owed = [*_OWES, *_OWED_RULE.get(getattr(cls, "linearity", None), [])]
    missing = [rule for rule in owed if not _has(cls, rule) and not (rule == "adjoint" and _has(cls, "adjoints"))]
    if not hasattr(cls, "linearity"):
        missing.append("linearity")
    if missing or not cls.__dict__.get("__doc__") or cls.__doc__.startswith(f"{name}("):
        raise TypeError(f"op {name}: missing {missing or 'docstring'}")
    cls.opcode = name
    cls.mnemonic = cls.__dict__.get("mnemonic") or _WORD_STARTS.sub("_", name).lower()
    cls.kinds = {f.name: _kind(cls, f.name, f.type) for f in fields(cls)}
    cls.attribute_names = tuple(n for n, k in cls.kinds.items() if not k.implied)
    cls.function_attributes = tuple(n for n, k in cls.kinds.items() if k.holds_functions)
    cls.defaults = {f.name: f.default for f in fields(cls) if f.default is not MISSING}
    cls.operand_names = _parameter_names(cls.infer_type)[1:]
    _check_result_names(cls)
    _check_function(cls)
    if not any("widens" in c.__dict__ for c in cls.__mro__ if c is not Op):
        computes = cls.rounding.growth not in (Growth.MOVES, Growth.CHOICE, Growth.BITS)
        cls.widens = computes and not cls.function_attributes  # the operations of a function widen for themselves
    if cls.widens:
        cls.evaluate = in_f32(cls.evaluate)
    OPS.declare(cls)
    return cls


def _check_function(cls: type[Op]) -> None:
    """TypeError if the stated function cannot be made from the class, or is not found by its name."""
    if cls.python_function is None:
        return
    if cls.python_function.name != cls.mnemonic:
        raise TypeError(f"op {cls.opcode}: its function is called {cls.mnemonic}, found {cls.python_function.name}")
    if cls.kinds or len(cls.operand_names) not in (1, 2):
        raise TypeError(f"op {cls.opcode}: a function is made for one or two operands and no attributes")


def _kind(cls: type, name: str, annotation: Any) -> Kind:
    """The attribute kind in a field's annotation, such as `axes: Axes`."""
    if isinstance(annotation, str):
        owner = next(c for c in cls.__mro__ if name in c.__dict__.get("__annotations__", ()))
        annotation = eval(annotation, vars(sys.modules[owner.__module__]))
    found = [m for m in getattr(annotation, "__metadata__", ()) if isinstance(m, Kind)]
    if len(found) != 1:
        raise TypeError(f"op {cls.__name__}: field {name} is not annotated with an attribute kind")
    return found[0]


def _parameter_names(fn: Any) -> tuple[str, ...]:
    """The names of what is passed by position; `*parts` for the rest of it."""
    code = fn.__code__
    names = list(code.co_varnames[: code.co_argcount])
    if code.co_flags & _VARARGS:
        names.append("*" + code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    return tuple(names)


def _check_result_names(cls: type[Op]) -> None:
    """TypeError unless a class names one result or more, each once, and leaves only the last open."""
    names = cls.result_names
    if not names or len(set(names)) < len(names) or any(n.startswith("*") for n in names[:-1]):
        raise TypeError(f"op {cls.opcode}: result_names are {names}")


def _has(cls: type, name: str) -> bool:
    """True if the class has a method of its own, or inherits one that is not that of `Op`."""
    return _plain(cls, name) is not _plain(Op, name)


def _plain(cls: type, name: str) -> Any:
    return getattr(getattr(cls, name), "__func__", getattr(cls, name))
