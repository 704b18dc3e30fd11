"""What an operation states about its function in Python."""

from __future__ import annotations

from typing import NamedTuple


class PythonFunction(NamedTuple):
    """`mind.NAME(x)` or `mind.NAME(x, y)`, for an operation of one or two operands that has no attributes.

    The name is the opcode in snake case, by which the operation's file is found.
    """

    name: str
    doc: str
    """The function's docstring, with an example."""
