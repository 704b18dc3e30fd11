"""Names of other libraries that are no functions here say what to use instead, and that is there."""

import re

import pytest

import mind_mlir as mind
from mind_mlir.frontend.functions import catalogue, missing
from mind_mlir.ir import OPS

TABLES = {"NumPy": missing.NUMPY, "JAX": missing.JAX, "jax.lax": missing.LAX, "PyTorch": missing.TORCH}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_is_said_instead_is_there(table):
    for name, instead in table.items():
        assert not catalogue.exists(name), name
        for function in re.findall(r"\bmind\.(\w+)", instead):
            assert hasattr(mind, function), f"{name}: {instead}"
        for opcodes in re.findall(r"operations? ([A-Z]\w+)(?: and ([A-Z]\w+))?", instead):
            assert all(o in OPS for o in opcodes if o), f"{name}: {instead}"


def test_the_error_has_it():
    with pytest.raises(AttributeError, match=r"no attribute reduce_window: use mind.max_pool or mind.avg_pool"):
        _ = mind.reduce_window
