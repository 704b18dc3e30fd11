#!/usr/bin/env python3
"""Writes mind_mlir/cli/_opt_usage_gen.py from what typer declares; with --check, says whether it is up to date."""

import os
import sys
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
import click
import typer.main

from mind_mlir.cli._plain import WIDTH

TARGET = Path(__file__).resolve().parent.parent / "mind_mlir" / "cli" / "_opt_usage_gen.py"

HEAD = '''"""The options of mind-opt and its help, for command lines that are read without typer.

Written by scripts/gen_usage.py from _opt_options.py.
"""

'''


def command() -> click.Command:
    from mind_mlir.cli._opt_options import app

    return typer.main.get_command(app)


def takes(option: click.Option) -> str | tuple[str, ...]:
    """What an option takes, as `read` of _plain.py names it."""
    if option.is_flag:
        return "flag"
    if option.multiple:
        return "texts"
    if isinstance(option.type, click.Choice):
        return tuple(getattr(c, "value", c) for c in option.type.choices)
    assert option.type is click.STRING, f"{option.name}: _plain.py reads no {option.type}"
    return "text"


def options() -> dict[str, tuple[str, str | tuple[str, ...]]]:
    """The options, except those that end the command at once, which are left to typer."""
    own = [p for p in command().params if isinstance(p, click.Option) and not p.is_eager and p.expose_value]
    return {name: (str(o.name), takes(o)) for o in own for name in o.opts}


def help_text() -> str:
    """The help, as click writes it for a terminal that is wide enough."""
    os.environ["COLUMNS"] = str(WIDTH)
    found = command()
    with found.make_context("mind-opt", [], resilient_parsing=True) as context:
        return found.get_help(context) + "\n"


def text() -> str:
    table = "".join(f"    {name!r}: {entry!r},\n" for name, entry in sorted(options().items()))
    kind = "dict[str, tuple[str, str | tuple[str, ...]]]"
    lines = "".join(f"    {line!r}\n" for line in help_text().splitlines(keepends=True))
    return f"from __future__ import annotations\n\nOPTIONS: {kind} = {{\n{table}}}\n\nHELP = (\n{lines})\n"


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != HEAD + text():
            print(f"{TARGET.name} is out of date: run scripts/gen_usage.py", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(HEAD + text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
