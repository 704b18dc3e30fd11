"""The table of forms of mind-translate: flags, help and refusals follow from an entry."""

import itertools
from dataclasses import fields

import pytest
import typer.main

from mind_mlir import MindError
from mind_mlir.cli import _form_checks as checks
from mind_mlir.cli._forms import CORE, FORMS, Level, one_form
from mind_mlir.cli._translate_options import Options
from mind_mlir.cli.mind_translate import app

TYPERS_OWN = {"install_completion", "show_completion"}
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
GIVEN = {
    "pretty": True,
    "bytecode": True,
    "header": "f.h",
    "name": "f",
    "mcpu": "generic",
    "chip": ["sm_90"],
    "tuning": "t.json",
    "threads": 2,
}
"""Options that only some forms take, with a value that is no default."""

TAKES = {
    Level.CORE: {"threads"},
    Level.DIALECT: {"pretty", "bytecode", "name", "threads"},
    Level.LINALG: {"name", "mcpu", "threads"},
    Level.CPU: {"name", "mcpu", "tuning", "threads"},
    Level.GPU: {"name", "chip"},
}


@every_form
def test_a_form_is_a_flag_with_its_help(form):
    (option,) = [p for p in typer.main.get_command(app).params if form.flag in p.opts]
    assert (option.name, option.help, option.is_flag, option.default) == (form.parameter, form.help, True, False)


def test_every_other_option_is_a_field_of_the_options():
    names = {p.name for p in typer.main.get_command(app).params}
    assert names == {f.name for f in fields(Options)} | {form.parameter for form in FORMS} | (names & TYPERS_OWN)


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations(FORMS, 2)), ids=lambda form: form.name)
def test_two_forms_exclude_each_other(a, b):
    with pytest.raises(MindError, match=f"E7007.*one form expected, found {a.flag} {b.flag}"):
        one_form([a, b])


def test_core_ir_is_the_form_where_none_is_named():
    assert one_form([]) is CORE
    assert all(one_form([form]) is form for form in FORMS)


@every_form
@pytest.mark.parametrize("option", GIVEN)
def test_a_form_takes_the_options_of_its_level_and_no_other(form, option):
    options = Options(output="out", **{option: GIVEN[option]})
    taken = option in TAKES[form.level] or (option == "header" and form.linked)
    if taken:
        assert checks.check(form, options) is None
    else:
        with pytest.raises(MindError, match=r"E7007.*(is|are) for "):
            checks.check(form, options)
