"""Random modules: what is computed does not depend on the way, and broken text meets an error with a code."""

from collections import Counter

import pytest
from hypothesis import given, note, settings
from random_modules import arguments_for, modules, mutated_texts
from support import assert_outcome_agrees, assert_same_outcome, everything_shared, native, outcome

import mind_mlir as mind
from mind_mlir.ir import OPS
from mind_mlir.lowering.toolchain.openmp import find_openmp


@pytest.mark.parametrize(("numerics", "examples"), [("strict", 120), ("default", 160), ("fast", 40)])
def test_native_code_does_what_interpret_does(numerics, examples):
    @settings(max_examples=examples)
    @given(modules())
    def check(m):
        note(str(m))
        compiled = native(m, numerics)
        for seed in (0, 1):
            arrays = arguments_for(m, seed)
            found, expected = outcome(compiled, *arrays), outcome(mind.interpret, m, *arrays)
            assert_outcome_agrees(m, arrays, found, expected, numerics)

    check()


@pytest.mark.skipif(find_openmp() is None, reason="no runtime of OpenMP is installed")
@settings(max_examples=30)
@given(modules())
def test_two_threads_give_the_bits_of_one(m):
    note(str(m))
    one, two = native(m, "default"), native(m, "default", threads=2)
    with everything_shared():
        for seed in (0, 1):
            arrays = arguments_for(m, seed)
            assert_same_outcome(outcome(two, *arrays), outcome(one, *arrays))


@settings(max_examples=400)
@given(modules())
def test_canonicalize_keeps_every_bit_and_is_idempotent(m):
    note(str(m))
    canonical = mind.verify(mind.canonicalize(m))
    assert mind.canonicalize(canonical) == canonical
    arrays = arguments_for(m, 1)
    found, expected = outcome(mind.interpret, canonical, *arrays), outcome(mind.interpret, m, *arrays)
    if expected[0] == "returns":
        assert_same_outcome(found, expected)
    elif found[0] == "raises":  # a dead operation that fails may go, and another fail next
        assert found[1] == expected[1]


@settings(max_examples=400)
@given(modules())
def test_a_module_verifies_and_its_text_reads_back_equal(m):
    note(str(m))
    assert mind.parse(str(mind.verify(m))) == m
    assert str(mind.parse(str(m))) == str(m)


@settings(max_examples=400)
@given(mutated_texts())
def test_broken_text_is_refused_with_a_code_or_runs_alike(text):
    note(text)
    try:
        m = mind.verify(mind.parse(text))
    except mind.MindError:
        return
    if all(r.type.size <= 10_000 for o in m.operations for r in o.results):
        arrays = arguments_for(m)
        assert_same_outcome(outcome(native(m), *arrays), outcome(mind.interpret, m, *arrays))


def test_the_random_modules_reach_every_op():
    seen = Counter()

    @settings(max_examples=1200)
    @given(modules())
    def count(m):
        seen.update(o.opcode for o in m.operations)

    count()
    assert set(seen) == set(OPS)
