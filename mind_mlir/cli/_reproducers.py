"""Reproducers: files to send with a report of a fault in the toolchain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ir import Module

Reproduce = Callable[[], tuple[str, str]]
"""A function that gives the text of a reproducer and the suffix of its file."""


def core_reproducer(m: Module, command: str) -> str:
    """The module's text, with the command in the first line."""
    from ..ir import print_module

    return f"// {command}\n{print_module(m)}\n"
