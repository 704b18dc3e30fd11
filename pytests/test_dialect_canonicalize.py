"""What MLIR's folds make of random modules in the dialect `mind` computes what the modules compute, bit for bit."""

import re
import subprocess

import pytest
from hypothesis import assume, given, settings
from limits import HUNG
from random_modules import arguments_for, modules
from support import assert_same_bits, outcome, read_by_irdl

import mind_mlir as mind
from mind_mlir.dialects.native_dialect import native_folder
from mind_mlir.dialects.text import dialect_text, read_dialect
from mind_mlir.lowering.toolchain.installed import tool

PLUGIN = native_folder() / "MindPlugin.so"

pytestmark = pytest.mark.skipif(not PLUGIN.is_file(), reason=f"no native build: {PLUGIN} does not exist")


MARK = b"\n// -----\n"

NUMBER = r"mind\.id = (?:\d+ : i64|array<i64: [^>]*>)"
ID = re.compile(f"{NUMBER}, |(?:, )?{NUMBER}")
"""The number of an operation in Core IR. CSE would keep two equal operations whose numbers are written."""


def mlir_opt(pipeline, *texts):
    """What stock mlir-opt with the plugin makes of texts in one process, each parsed and changed by itself."""
    plugins = [f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
    passes = [f"--pass-pipeline=builtin.module({pipeline})", "--mlir-print-op-generic", "--split-input-file"]
    command = [tool("mlir-opt"), *plugins, *passes]
    return subprocess.run(command, input=MARK.join(texts), capture_output=True, timeout=HUNG)


def passed_through(drawn, pipeline):
    """The modules after passes of mlir-opt."""
    texts = [ID.sub("", dialect_text(m)).encode() for m in drawn]
    done = mlir_opt(pipeline, *texts)
    if done.returncode:  # it ends at one of them
        for m, text in zip(drawn, texts):
            alone = mlir_opt(pipeline, text)
            assert alone.returncode == 0, f"{alone.stderr.decode()}\n{m}"
    assert done.returncode == 0, done.stderr.decode()
    found = done.stdout.split(MARK.strip())
    assert len(found) == len(drawn)
    return [read_dialect("after", text) for text in found]


def draw(examples):
    """So many random modules."""
    drawn = []

    @settings(max_examples=examples)
    @given(modules())
    def collect(m):
        assume(read_by_irdl(m))
        drawn.append(m)

    collect()
    return drawn


@pytest.mark.parametrize(("pipeline", "examples"), [("mind-canonicalize", 60), ("canonicalize,cse", 30)])
def test_folds_change_no_bit_and_come_to_an_end(pipeline, examples):
    drawn = draw(examples)
    assert len(drawn) >= examples
    once = [mind.verify(m) for m in passed_through(drawn, pipeline)]
    for m, first, second in zip(drawn, once, passed_through(once, pipeline)):
        what = f"{m}\nbecomes\n{first}"
        assert second == first, f"{what}\nand then\n{second}"
        arrays = arguments_for(m, 1)
        found, expected = outcome(mind.interpret, first, *arrays), outcome(mind.interpret, m, *arrays)
        if expected[0] == "returns":
            assert found[0] == "returns", f"{found}\n{what}"
            assert len(found[1]) == len(expected[1])
            for n, (a, b) in enumerate(zip(found[1], expected[1])):
                assert_same_bits(a, b, f"{what}\noutput {n}:")
        elif found[0] == "raises":  # a dead operation that fails may go, and another fail next
            assert found[1] == expected[1], what


def test_no_attribute_is_left_that_core_writes_in_another_way():
    drawn = draw(30)
    for m, after in zip(drawn, passed_through(drawn, "mind-canonicalize")):
        types = {r.id: r.type for o in after.operations for r in o.results}
        for o in after.operations:
            canonical = o.op.canonical(*(types[i] for i in o.operands))
            assert canonical == o.op, f"{m}\nbecomes\n{after}"
