"""What MLIR's folds make of random modules in the dialect `mind` computes what the modules compute, bit for bit."""

import subprocess

import pytest
from hypothesis import given, note, settings
from limits import HUNG
from random_modules import arguments_for, modules
from support import assert_same_outcome, outcome

import mind_mlir as mind
from mind_mlir.dialects.native_dialect import native_folder
from mind_mlir.dialects.text import dialect_text, read_dialect
from mind_mlir.lowering.toolchain.installed import tool

PLUGIN = native_folder() / "MindPlugin.so"

pytestmark = pytest.mark.skipif(not PLUGIN.is_file(), reason=f"no native build: {PLUGIN} does not exist")


def passed_through(m, pipeline):
    """The module after passes of mlir-opt."""
    plugins = [f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
    command = [tool("mlir-opt"), *plugins, f"--pass-pipeline=builtin.module({pipeline})", "--mlir-print-op-generic"]
    done = subprocess.run(command, input=dialect_text(m).encode(), capture_output=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr.decode()
    return read_dialect("after", done.stdout)


@pytest.mark.parametrize(("pipeline", "examples"), [("mind-canonicalize", 60), ("canonicalize,cse", 30)])
def test_folds_change_no_bit_and_come_to_an_end(pipeline, examples):
    @settings(max_examples=examples)
    @given(modules())
    def check(m):
        note(str(m))
        once = mind.verify(passed_through(m, pipeline))
        note(str(once))
        assert passed_through(once, pipeline) == once
        arrays = arguments_for(m, 1)
        found, expected = outcome(mind.interpret, once, *arrays), outcome(mind.interpret, m, *arrays)
        if expected[0] == "returns":
            assert_same_outcome(found, expected)
        elif found[0] == "raises":  # a dead operation that fails may go, and another fail next
            assert found[1] == expected[1]

    check()


@settings(max_examples=30)
@given(modules())
def test_no_attribute_is_left_that_core_writes_in_another_way(m):
    after = passed_through(m, "mind-canonicalize")
    note(str(after))
    for o in after.operations:
        assert o.op.canonical(*(after.operations[i].type for i in o.operands)) == o.op
