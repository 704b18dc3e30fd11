"""Checks that the options of mind-translate fit the form, and each other. All errors are E7007."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..ir import MindError
from ..lowering.gpu.precision import check_precision
from ._forms import FORMS, Form, Level
from ._translate_options import Options


@dataclass(frozen=True)
class Only:
    """A rule: these options are for some of the forms only."""

    options: Sequence[str]
    takes: Callable[[Form], bool]
    forms: str
    """The forms, as text for the message."""

    def __call__(self, form: Form, options: Options) -> None:
        """Refuse the options for any other form."""
        if not self.takes(form) and any(map(options.given, self.options)):
            verb = "is" if len(self.options) == 1 else "are"
            raise MindError.of("E7007", f"{_listed([_flag(o) for o in self.options])} {verb} for {self.forms}")


def check(form: Form, options: Options) -> None:
    """Refuse options that do not fit the form, or each other, by the first rule of `RULES` that is broken."""
    for rule in RULES:
        rule(form, options)


def _at(*levels: Level) -> Callable[[Form], bool]:
    return lambda form: form.level in levels


def _not_at(*levels: Level) -> Callable[[Form], bool]:
    return lambda form: form.level not in levels


def _flags(takes: Callable[[Form], bool]) -> list[str]:
    return [form.flag for form in FORMS if takes(form)]


def _flag(option: str) -> str:
    return "--emit-bytecode" if option == "bytecode" else f"--{option}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _linked(form: Form) -> bool:
    return form.linked


def _terminal(form: Form, options: Options) -> None:
    binary = "bytecode" if options.bytecode else form.binary
    if binary and options.output == "-" and sys.stdout.isatty():
        raise MindError.of("E7007", f"{binary} is not for a terminal", help="give -o FILE")


def _text_or_bytecode(form: Form, options: Options) -> None:
    if options.pretty and options.bytecode:
        raise MindError.of("E7007", "--pretty is for text, --emit-bytecode writes none")


def _two_files(form: Form, options: Options) -> None:
    if options.header is not None and options.header == options.output:
        raise MindError.of("E7007", f"--header and -o both write to {options.header}")


def _symbol(form: Form, options: Options) -> None:
    if options.name is not None:
        from ..lowering.abi.c_header import check_symbol

        check_symbol(options.name)


def _precision(form: Form, options: Options) -> None:
    check_precision(options.precision.value, options.numerics.value)


def _folder(form: Form, options: Options) -> None:
    if form.folder and options.output == "-":
        raise MindError.of("E7007", "an artifact is a folder", help="give -o FOLDER")


def _one_chip(form: Form, options: Options) -> None:
    chips = options.chip or ()
    if not form.folder and len(chips) > 1:
        raise MindError.of("E7007", f"{form.flag} takes one --chip, found {', '.join(chips)}")


RULES: tuple[Callable[[Form, Options], None], ...] = (
    _terminal,
    Only(("pretty", "bytecode"), _at(Level.DIALECT), _listed(_flags(_at(Level.DIALECT)))),
    _text_or_bytecode,
    Only(("header",), _linked, _listed(_flags(_linked))),
    _two_files,
    Only(("name",), _not_at(Level.CORE), "forms below Core IR"),
    _symbol,
    Only(("mcpu", "numerics"), _at(Level.LINALG, Level.CPU, Level.GPU), "forms below Core IR"),
    Only(("tuning",), _at(Level.CPU, Level.GPU), Level.CPU.value),
    Only(("chip", "precision"), _at(Level.GPU), ", ".join(_flags(_at(Level.GPU)))),
    _precision,
    Only(("mcpu", "threads", "tuning"), _not_at(Level.GPU), "code of a CPU"),
    _folder,
    _one_chip,
)
"""All rules, in order: a command line that breaks several is refused by the first."""
