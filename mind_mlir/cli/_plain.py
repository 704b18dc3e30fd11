"""Command lines in the plain form, read without typer, whose import takes longer than most runs.

Options stand apart from their values or are joined by `=`, each once; what is of any other form, or wrong, is None
here and is read and told by typer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Kinds = Mapping[str, tuple[str, str | tuple[str, ...]]]
"""For each option as written its parameter, and what it takes: `flag`, `text`, `texts` for one that may be given
several times, or the words among which it chooses."""


class Plain(NamedTuple):
    """What a command line says."""

    arguments: list[str]
    """What stands outside of options, and options that are not known, in order."""
    options: dict[str, Any]
    """The value of each option that is given, by parameter."""


def read(words: Sequence[str], kinds: Kinds) -> Plain | None:
    """The arguments and options of a command that takes further ones; None for what only typer reads."""
    arguments: list[str] = []
    options: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        name, joined, value = word.partition("=")
        if name not in kinds:
            if word.startswith("-") and (not word.startswith("--") or word == "--" or name in _EAGER) and word != "-":
                return None
            arguments.append(word)
            continue
        parameter, takes = kinds[name]
        if (parameter in options and takes != "texts") or (joined and not name.startswith("--")):
            return None
        if takes == "flag":
            if joined:
                return None
            options[parameter] = True
            continue
        if not joined:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        if takes == "texts":
            options.setdefault(parameter, []).append(value)
        elif takes == "text" or value in takes:
            options[parameter] = value
        else:
            return None
    return Plain(arguments, options)


_EAGER = ("--help", "--version", "--install-completion", "--show-completion")
"""What typer does at once, wherever it stands."""


def asks_for_help(words: Sequence[str]) -> bool:
    """True for `--help` alone where the text has room that has been written ahead, 80 columns wide."""
    if list(words) not in (["--help"], ["-h"]):
        return False
    if "COLUMNS" not in os.environ and not sys.stdout.isatty():
        return True
    import shutil

    return shutil.get_terminal_size().columns >= WIDTH


def completes(command: str) -> bool:
    """True if a shell asks for completions: typer answers."""
    return f"_{command.replace('-', '_').upper()}_COMPLETE" in os.environ


WIDTH = 80
"""Columns of the help texts."""
