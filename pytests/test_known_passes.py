"""Passes of the named pipelines are not checked when a pipeline is read; here they are."""

import importlib
from pathlib import Path

import pytest

from mind_mlir.ir import Reject
from mind_mlir.lowering import rewrites
from mind_mlir.lowering.gpu import rewrites as gpu_rewrites
from mind_mlir.lowering.mlir.pass_driver import _known, check_mlir_pass
from mind_mlir.passes.registry import PASSES, PIPELINES, Level


def test_mlir_knows_every_pass_of_the_named_pipelines():
    from mlir.passmanager import PassManager

    from mind_mlir.lowering.mlir.context import new_context

    context = new_context()
    ours = {name for level, name in [*PASSES, *PIPELINES] if level is Level.MLIR}
    theirs = [text for text in sorted(_known()) if text.partition("{")[0] not in ours]
    assert len(theirs) > 20
    for text in theirs:
        PassManager.parse(f"builtin.module({text})", context)


@pytest.mark.parametrize("text", ["cs", "cse,", "canonicalise"])
def test_a_part_of_a_known_pass_is_not_one(text):
    with pytest.raises(Reject):
        check_mlir_pass(text)


FILES = [
    (room, file.stem)
    for room in (rewrites, gpu_rewrites)
    for file in sorted(Path(room.__file__).parent.glob("[a-z]*.py"))
]


@pytest.mark.parametrize(("room", "file"), FILES, ids=[file for _, file in FILES])
def test_a_rewrite_has_the_name_of_its_file_and_says_what_it_does(room, file):
    """As it is registered for who has not loaded MLIR, and as the function itself says."""
    known = PASSES[Level.MLIR, file.replace("_", "-")]
    function = getattr(importlib.import_module(f"{room.__name__}.{file}"), file)
    assert known.summary == function.__doc__.partition("\n")[0] != ""
    assert known.run.__kwdefaults__ == function.__wrapped__.__kwdefaults__
