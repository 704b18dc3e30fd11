"""Makes the signature of a command from a dataclass of its options, so that each option is declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, get_type_hints


def parameters(options: type[Any]) -> Iterator[Parameter]:
    """A keyword parameter for each field, annotated for typer, in the order of `--help`."""
    kinds = get_type_hints(options, include_extras=True)
    for field in fields(options):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=kinds[field.name])


def takes(found: Iterable[Parameter]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that gives a command of any keywords a signature of these parameters."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        command.__signature__ = Signature(list(found))  # type: ignore[attr-defined]  # where inspect looks first
        return command

    return add
