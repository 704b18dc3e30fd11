"""mind-translate: writes a Core IR file in another form.

`_forms.py` has the forms, `_translate_options.py` the options, `_form_checks.py` which of them fit together.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter
from typing import Annotated, Any

import typer

from ..ir import Module, parse_source
from ..ir.parser import read_bytes
from . import _shared_options as shared
from ._command import run_command
from ._files import read_core
from ._form_checks import check
from ._forms import FORMS, Form, Level, one_form
from ._guarded import guarded
from ._reporting import EXIT_OK, finish
from ._reproducers import core_reproducer
from ._signature import parameters, takes
from ._translate_options import Options

app = shared.make_app()


def _parameters() -> Iterator[Parameter]:
    """The parameters for typer, in the order of `--help`: the fields of Options, and a flag for each form."""
    for option in parameters(Options):
        for form in FORMS:
            if {"core": "from_mind", "mind": "pretty"}.get(form.name, "header") == option.name:
                kind = Annotated[bool, typer.Option(form.flag, help=form.help)]
                yield Parameter(form.parameter, Parameter.KEYWORD_ONLY, default=False, annotation=kind)
        yield option


@app.command(context_settings=shared.SETTINGS)
@takes(_parameters())
def mind_translate(**given: Any) -> None:
    """Read FILE, verify it, and write it in another form.

    FILE may be in any form of Core IR text: the one that mind-opt writes, the grammar's, or other spellings.
    """
    wanted = [form for form in FORMS if given.pop(form.parameter)]
    options = Options(**given)

    def action() -> int:
        form = one_form(wanted)
        check(form, options)
        return _translate(form, options)

    finish(action, options.diagnostics)


def _translate(form: Form, options: Options) -> int:
    """Read, verify and write; returns the exit status. What needs MLIR runs in a guarded child process."""
    command = f"mind-translate %s {form.flag}"
    if options.from_mind:
        name, data = read_bytes(options.file)

        def translate() -> int:
            from ..dialects.text import read_dialect

            return _write(options.verified(read_dialect(name, data)), form, options)

        return guarded(translate, options.diagnostics, lambda: (f"// {command} --from-mind\n", ".mlir"))
    m = options.verified(parse_source(read_core(options.file, "mind-translate")))
    if form.level is Level.CORE:
        return _write(m, form, options)
    return guarded(
        lambda: _write(m, form, options), options.diagnostics, lambda: (core_reproducer(m, command), ".mindir")
    )


def _write(m: Module, form: Form, options: Options) -> int:
    if options.canonicalize:
        from ..passes import canonicalize

        m = canonicalize(m)
    form.write(m, options)
    return EXIT_OK


def main() -> None:
    """Run the command."""
    run_command(app, "mind-translate")


if __name__ == "__main__":
    main()
