"""How a command begins: its streams, its warnings, and wrong usage reported like every error."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING

from ._reporting import EXIT_OK, Format, outcome

if TYPE_CHECKING:
    import typer


def prepare() -> None:
    """Open the standard streams that the caller has closed, and let warnings of ours be written as remarks."""
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, mode))  # noqa: SIM115  open until the end
    warnings.formatwarning = _remark  # type: ignore[assignment]  # the parameters' names


def run_command(app: typer.Typer, name: str) -> None:
    """Run a command on `sys.argv` and exit with its status. Wrong usage is E7007, reported like every error."""
    import click

    def action() -> int:
        try:
            return app(prog_name=name, standalone_mode=False) or EXIT_OK
        except click.ClickException as why:
            from ..ir import MindError

            message = why.format_message().rstrip(".")
            raise MindError.of("E7007", message, help=f"{name} --help lists the options") from None

    prepare()
    words = " ".join(sys.argv).replace("=", " ")
    sys.exit(outcome(action, Format.json if "--diagnostics json" in words else Format.human))


def _remark(message: Warning | str, category: type[Warning], file: str, line: int, text: str | None = None) -> str:
    """The text of a warning: one of ours is a remark, without its location in the code."""
    if category.__module__.partition(".")[0] == __package__.partition(".")[0]:
        return f"remark: {message}\n"
    return _usual_warning(message, category, file, line, text)


_usual_warning = warnings.formatwarning
