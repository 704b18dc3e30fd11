"""Reads ordinary command lines without typer, whose import takes longer than most runs.

An option and its value are two words or joined by `=`, and each is given once. For any other form, and for errors, the
functions return None, and typer reads the command line or reports the error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Kinds = Mapping[str, tuple[str, str | tuple[str, ...]]]
"""Option, as written -> its parameter, and what it takes: `flag`, `text`, `texts` if it may be given several times, or
the words from which it chooses."""


class Plain(NamedTuple):
    """A command line that has been read."""

    arguments: list[str]
    """Words that belong to no known option, in order."""
    options: dict[str, Any]
    """Parameter -> the value of its option, for those that are given."""


def read(words: Sequence[str], kinds: Kinds) -> Plain | None:
    """The arguments and options of a command that also takes unknown options; None for a form that only typer reads."""
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
"""Options that typer acts on at once, at any position."""


def asks_for_help(words: Sequence[str]) -> bool:
    """True for `--help` alone, if the generated text of 80 columns fits the terminal."""
    if list(words) not in (["--help"], ["-h"]):
        return False
    if "COLUMNS" not in os.environ and not sys.stdout.isatty():
        return True
    import shutil

    return shutil.get_terminal_size().columns >= WIDTH


def completes(command: str) -> bool:
    """True if a shell asks for completions, which typer gives."""
    return f"_{command.replace('-', '_').upper()}_COMPLETE" in os.environ


WIDTH = 80
"""Columns of the generated help text."""
