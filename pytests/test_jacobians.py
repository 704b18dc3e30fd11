"""jacfwd, jacrev and hessian without jit: one program, with the bits that they have under jit."""

import numpy as np
import pytest
from support import assert_same_bits

import mind_mlir as mind
from mind_mlir.frontend import jacobians, program
from mind_mlir.frontend.memo import Memo
from mind_mlir.frontend.trees import flatten
from mind_mlir.runtime.footprint import footprint

X = np.linspace(0.25, 1.5, 6, dtype=np.float32)
W = np.linspace(-1, 1, 12, dtype=np.float32).reshape(6, 2)


def scalar(x):
    return mind.sum(mind.exp(x) * x * x)


def vector(x):
    return mind.exp(x) @ W


CASES = {
    "hessian": (mind.hessian, scalar),
    "jacfwd": (mind.jacfwd, vector),
    "jacrev": (mind.jacrev, vector),
    "nested": (mind.jacrev, lambda x: {"a": x * x, "b": [mind.sum(x)]}),
}


def leaves(nested):
    return flatten(nested)[0]


@pytest.mark.parametrize("name", CASES)
def test_without_jit_the_bits_are_those_under_jit(name):
    transform, fn = CASES[name]
    found, expected = transform(fn)(X), mind.jit(transform(fn))(X)
    for a, b in zip(leaves(found), leaves(expected), strict=True):
        assert_same_bits(a, b)


@pytest.mark.parametrize("name", CASES)
def test_a_call_without_jit_runs_one_program_as_under_jit(name, monkeypatch):
    kept = Memo(program.KEPT, footprint)
    monkeypatch.setattr(program, "_kept", kept)
    transform, fn = CASES[name]
    derived = transform(fn, target="interpret")
    derived(X)
    assert len(kept) == 1
    derived(X + 1)
    derived(X[::-1])
    assert len(kept) == 1


def test_numbers_and_captured_arrays_go_the_same_way(monkeypatch):
    kept = Memo(program.KEPT, footprint)
    monkeypatch.setattr(program, "_kept", kept)
    large = np.linspace(0, 1, 3000, dtype=np.float32)
    derived = mind.jacrev(lambda x: mind.sum(x * large), target="interpret")
    assert_same_bits(derived(2.0), np.asarray(mind.grad(lambda x: mind.sum(x * large), target="interpret")(2.0)))
    assert len(kept) <= 2


def test_what_would_be_a_long_program_runs_by_parts_with_numbers_as_close(monkeypatch):
    expected = {name: transform(fn)(X) for name, (transform, fn) in CASES.items()}
    monkeypatch.setattr(jacobians, "WRITTEN_OUT", 0)
    for name, (transform, fn) in CASES.items():
        for a, b in zip(leaves(transform(fn)(X)), leaves(expected[name]), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5)
