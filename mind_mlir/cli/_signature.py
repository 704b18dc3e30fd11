"""The signature of a command from a dataclass of its options, so that each option is stated once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, get_type_hints


def parameters(options: type[Any]) -> Iterator[Parameter]:
    """A keyword parameter for each field, with what typer reads of it as the annotation, in the order of `--help`."""
    kinds = get_type_hints(options, include_extras=True)
    for field in fields(options):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=kinds[field.name])


def takes(found: Iterable[Parameter]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command of any keywords be read as one of these parameters."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        command.__signature__ = Signature(list(found))  # type: ignore[attr-defined]  # where inspect looks first
        return command

    return add
