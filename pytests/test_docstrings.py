"""The examples in the docstrings of the Python front end run and give what they show."""

import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir import frontend
from mind_mlir.ir import OPS

MODULES = [importlib.import_module(f"mind_mlir.frontend.{m.name}") for m in pkgutil.iter_modules(frontend.__path__)]
PUBLIC = [
    n for n in mind.__all__ if (inspect.getmodule(getattr(mind, n)) or mind).__name__.startswith(frontend.__name__)
]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_the_examples_give_what_they_show(module):
    report = []
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(module, globs={"mind": mind, "np": np}):
        runner.run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("name", OPS.function_names())
def test_the_example_of_a_function_made_from_an_operation_gives_what_it_shows(name):
    report = []
    runner = doctest.DocTestRunner()
    (test,) = doctest.DocTestFinder().find(getattr(mind, name), name, globs={"mind": mind, "np": np})
    runner.run(test, out=report.append)
    assert runner.tries
    assert not report, "".join(report)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_has_an_example(name):
    assert ">>> " in inspect.getdoc(getattr(mind, name))
