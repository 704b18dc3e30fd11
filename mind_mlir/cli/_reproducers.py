"""Reproducers: files that a report of a fault of the toolchain begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ir import Module

Reproduce = Callable[[], tuple[str, str]]
"""Gives the text of a reproducer and the suffix of its file."""


def core_reproducer(m: Module, command: str) -> str:
    """The module's text, with the command in the first line."""
    from ..ir import print_module

    return f"// {command}\n{print_module(m)}\n"
