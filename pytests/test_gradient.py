"""`differentiate` and the pass gradient: options, errors, and what is promised of every module."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from checkout import ROOT
from commands import HERE
from hypothesis import given, note, settings, strategies as st
from random_modules import MUTATIONS, another_output, arguments_for, modules
from support import assert_outcome_agrees, assert_same_bits, assert_same_outcome, native, outcome, specials

import mind_mlir as mind
from mind_mlir.passes import gradient, linearize, propagate, transpose, unzip

LATE = """
%40 = Input {name = "x"} : tensor<f64[3]>
%7 = Exp (%40) : tensor<f64[3]>
%22 = Input {name = "n"} : tensor<i32[]>
%3 = Input {name = "w"} : tensor<f64[3]>
%5 = Mul (%3, %7) : tensor<f64[3]>
outputs: %5
"""
"""w ⊙ eˣ, with sparse ids that do not ascend, and Inputs between the operations."""

X, W = np.float64([0.5, -1.0, 2.0]), np.float64([1.0, 10.0, 100.0])


def values_of(d, **arrays):
    """The gradients by the ids of the module that was differentiated, computed by the interpreter."""
    found = mind.interpret(d.gradient_module, **arrays)
    return {i: found[d.gradient_module.outputs.index(g)] for i, g in d.gradients.items()}


# differentiate


def test_gradients_are_kept_by_the_ids_of_the_module_given():
    m = mind.parse(LATE)
    d = mind.differentiate(m)
    assert list(d.gradients) == [40, 3]
    values = values_of(d, x=X, n=np.int32(0), w=W)
    np.testing.assert_allclose(values[40], W * np.exp(X), rtol=1e-15)
    np.testing.assert_allclose(values[3], np.exp(X), rtol=1e-15)


def test_the_gradient_module_has_the_map_in_its_own_ids():
    g = mind.differentiate(mind.parse(LATE)).gradient_module
    assert [g[x].op.name for x, _ in g.gradients] == ["x", "w"]
    assert [i for _, i in g.gradients] == list(g.outputs[1:])
    assert str(g).splitlines()[-1] == "gradients: " + ", ".join(f"%{x} -> %{i}" for x, i in g.gradients)


@pytest.mark.parametrize("wrt", [None, [0, 2], (2, 0), ["x", "w"], ["w", "x"], [0, "w"], np.array([0, 2]).tolist()])
def test_inputs_are_chosen_by_position_or_by_name_in_any_order(wrt):
    m = mind.parse(LATE)
    assert mind.differentiate(m, wrt=wrt) == mind.differentiate(m)


@pytest.mark.parametrize("wrt", ["w", ["w"], 2, [2], np.int64(2), [np.int64(2)]])
def test_one_input_may_be_named_alone(wrt):
    d = mind.differentiate(mind.parse(LATE), wrt=wrt)
    assert list(d.gradients) == [3]
    assert len(d.gradient_module.outputs) == 2


def test_choosing_inputs_compares_no_operations(monkeypatch):
    """It would take time quadratic in the number of inputs."""
    m = mind.trace(lambda xs: xs, [np.ones(2)] * 5).module
    monkeypatch.setattr(mind.Operation, "__eq__", lambda *_: pytest.fail("compared"))
    assert len(linearize(m, wrt=(0, 1, 2, 3, 4)).tangents) == 5


def test_cotangents_come_in_or_are_ones():
    m = mind.parse(LATE)
    arrays = {"x": X, "n": np.int32(0), "w": W}
    ones, given = mind.differentiate(m), mind.differentiate(m, seed="input")
    assert [o.op.name for o in given.gradient_module.inputs] == ["x", "n", "w", "ct0"]
    for i, value in values_of(given, **arrays, ct0=np.ones(3)).items():
        assert_same_bits(value, values_of(ones, **arrays)[i])
    for i, value in values_of(given, **arrays, ct0=np.float64([2, 0, -1])).items():
        np.testing.assert_allclose(value, values_of(ones, **arrays)[i] * [2, 0, -1], rtol=1e-15)


def test_without_verification_the_module_is_the_same():
    m = mind.parse(LATE)
    assert mind.differentiate(m, verify=False) == mind.differentiate(m)


def test_a_module_without_float_inputs_has_no_gradients():
    d = mind.differentiate(mind.parse('%0 = Input {name = "n"} : tensor<i64[]>\noutputs: %0'))
    assert d.gradients == {}
    assert d.gradient_module.gradients == ()


def test_the_module_given_is_verified_first():
    broken = mind.parse('%0 = Input {name = "x"} : tensor<f32[2]>\n%1 = Exp (%0) : tensor<f32[3]>\noutputs: %1')
    for wrt in (None, ["x"]):
        with pytest.raises(mind.MindError, match="E2001"):
            mind.differentiate(broken, wrt=wrt)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ({"wrt": ["y"]}, "E5005", "no Input is named y"),
        ({"wrt": [3]}, "E5005", "wrt names input 3, which does not exist"),
        ({"wrt": [-1]}, "E5005", "wrt names input -1, which does not exist"),
        ({"wrt": [1]}, "E5005", 'Input "n" is tensor<i32[]>; only f32 and f64 have gradients'),
        ({"wrt": ["n"]}, "E5005", 'Input "n" is tensor<i32[]>; only f32 and f64 have gradients'),
        ({"wrt": ["x", 0]}, "E5005", "wrt names input 0 twice"),
        ({"wrt": []}, "E5005", "wrt names no input"),
        ({"seed": "twos"}, "E7007", "seed is ones or input, found 'twos'"),
        ({"profile": "core-v2"}, "E7007", "profile is core-v1 or extended, found 'core-v2'"),
    ],
    ids=str,
)
def test_a_wrong_option_is_an_error(options, code, message):
    with pytest.raises(mind.MindError) as raised:
        mind.differentiate(mind.parse(LATE), **options)
    assert (raised.value.code, raised.value.message) == (code, message)


def test_an_input_that_is_neither_a_position_nor_a_name_is_a_type_error():
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        mind.differentiate(mind.parse(LATE), wrt=[0.5])


@pytest.mark.parametrize(
    ("opcode", "statement"),
    [
        ("Div", "%9 = Div (%30, %30)"),
        ("Conv2d", '%9 = Conv2d (%30, %30) {padding = "Valid", strides = [1, 1]}'),
    ],
)
def test_profile_core_v1_refuses_what_it_has_no_rule_for_at_its_place(opcode, statement):
    text = f'%30 = Input {{name = "x"}} : tensor<f32[1, 1, 1, 1]>\n{statement}\noutputs: %9'
    m = mind.parse(text)
    with pytest.raises(mind.MindError) as raised:
        mind.differentiate(m, profile="core-v1")
    assert raised.value.code == "E5001"
    assert raised.value.message == f"autodiff does not support {opcode} in profile core-v1"
    assert raised.value.diagnostics[0].label == "%9 depends on an input that is differentiated"
    assert text[raised.value.span.start : raised.value.span.end] == opcode
    assert mind.differentiate(m).gradients.keys() == {30}


def test_an_error_in_a_module_without_text_shows_its_line():
    b = mind.Builder()
    x = b.Input("x", mind.f32(2))
    m = b.finish([b.Index(x, indices=[5])])
    with pytest.raises(mind.MindError) as raised:
        mind.differentiate(m)
    assert raised.value.code == "E6001"
    assert "%1 = Index (%0) {indices = [5]} : tensor<f32[]>" in str(raised.value)


# The same bytes every time


def test_layout_and_spelling_of_the_text_do_not_show_in_the_gradient():
    m = mind.parse(LATE)
    spaced = mind.parse("# w and x\n" + LATE.replace("(", " ( ").replace(" = ", "=").replace("f64[3]", "f64[ 3 ]"))
    b = mind.Builder()
    x, _, w = b.Input("x", mind.f64(3)), b.Input("n", mind.i32()), b.Input("w", mind.f64(3))
    built = b.finish([w * b.Exp(x)])
    assert len({mind.digest(mind.differentiate(a).gradient_module) for a in (m, m, spaced, built)}) == 1


EXAMPLES = """
import sys; sys.path.insert(0, sys.argv[1]); import checkout
import mind_mlir as mind
for path in sorted((checkout.ROOT / "examples").rglob("*.mindir")):
    try:
        print(path.name, mind.digest(mind.differentiate(mind.parse(path)).gradient_module))
    except mind.MindError as error:
        print(path.name, error.code)
"""


def digests(hash_seed: int) -> str:
    """A line for each example: the digest of its gradient, or its error."""
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", EXAMPLES, HERE]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_gradients_of_the_examples_are_the_same_in_every_process():
    with ThreadPoolExecutor(2) as pool:
        found = set(pool.map(digests, range(20)))
    assert len(found) == 1
    rows = dict(line.split() for line in found.pop().splitlines())
    assert rows.keys() == {p.name for p in (ROOT / "examples").rglob("*.mindir")}
    assert {name for name, digest in rows.items() if len(digest) != 64} == {"mistake.mindir"}
    both = [name for name in rows if name.replace(".mindir", ".grammar.mindir") in rows]
    assert len(both) > 9
    assert [rows[name] for name in both] == [rows[name.replace(".mindir", ".grammar.mindir")] for name in both]


# Random modules


def gradient_of(m, seed):
    """The gradient module, or None if there is none because a constant index is out of bounds."""
    found = outcome(lambda: gradient(m, seed=seed))
    assert found[0] == "returns" or found[1] == "E6001"
    return found[1] if found[0] == "returns" else None


def with_cotangents(m, g, seed):
    """Arguments for the gradient module `g` of `m`: those for `m`, and some for the cotangents."""
    arrays = arguments_for(m, seed)
    return arrays, arrays + arguments_for(g, seed)[len(arrays) :]


@settings(max_examples=200)
@given(modules())
def test_a_gradient_module_is_valid_canonical_and_complete(m):
    note(str(m))
    for seed in ("ones", "input"):
        g = gradient_of(m, seed)
        if g is None:
            return
        assert mind.canonicalize(mind.verify(g)) == g
        assert mind.parse(str(g)) == g
        assert gradient(m, seed=seed) == g
        chosen = [o for o in m.inputs if o.type.dtype.is_float]
        assert [g[x].op.name for x, _ in g.gradients] == [o.op.name for o in chosen]
        assert list(g.outputs[len(m.outputs) :]) == [i for _, i in g.gradients]
        cotangents = [t for t in m.output_types if t.dtype.is_float] if seed == "input" else []
        assert [o.type for o in g.inputs] == [*(o.type for o in m.inputs), *cotangents]


@settings(max_examples=150)
@given(modules())
def test_gradients_leave_the_outputs_alone_and_are_zeros_for_unused_inputs(m):
    note(str(m))
    g = gradient_of(m, "input")
    if g is None:
        return
    canonical = mind.canonicalize(m)
    used = {i for o in canonical.operations for i in o.operands} | set(canonical.outputs)
    for seed in (0, 1):
        arrays, more = with_cotangents(m, g, seed)
        found, expected = outcome(mind.interpret, g, *more), outcome(mind.interpret, canonical, *arrays)
        if expected[0] == "returns":
            assert_same_outcome((found[0], found[1][: len(m.outputs)]), expected)
            for o, value in zip((o for o in canonical.inputs if o.type.dtype.is_float), found[1][len(m.outputs) :]):
                if o.id not in used:
                    assert_same_bits(value, np.zeros_like(value))
        else:
            assert_same_outcome(found, expected)


@st.composite
def broken_linearizations(draw):
    """The text of a linearized module with up to three faults put in."""
    found = outcome(linearize, draw(modules()))
    text = str(found[1]) if found[0] == "returns" else ""
    for _ in range(draw(st.integers(0, 3))):
        text = draw(st.sampled_from([another_output, *MUTATIONS]))(draw, text) if text else text
    return text


@settings(max_examples=200)
@given(broken_linearizations())
def test_whatever_stands_in_a_linearized_module_is_run_backwards_or_refused(text):
    note(text)
    read = outcome(lambda: mind.verify(mind.parse(text)))
    for apply in (propagate, unzip, transpose, linearize, gradient) if read[0] == "returns" else ():
        found = outcome(apply, read[1])
        assert found[0] == "returns" or found[1] in ("E5006", "E6001")
        if found[0] == "returns":
            assert mind.parse(str(mind.verify(found[1]))) == found[1]


@settings(max_examples=40)
@given(modules())
def test_gradients_are_the_same_natively(m):
    note(str(m))
    g = gradient_of(m, "input")
    if g is None:
        return
    for numerics in ("strict", "default"):
        compiled = native(g, numerics)
        for seed in (0, 1):
            _, arrays = with_cotangents(m, g, seed)
            found, expected = outcome(compiled, *arrays), outcome(mind.interpret, g, *arrays)
            assert_outcome_agrees(g, arrays, found, expected, numerics)


@pytest.mark.parametrize("dtype", [d for d in mind.DType if d.is_float])
def test_the_mask_of_a_relu_is_that_of_its_operand_for_special_numbers_too(dtype):
    x0 = specials(dtype)
    x0 = np.append(x0, -x0[np.isnan(x0)])
    b = mind.Builder()
    x, ct = b.Input("x", mind.TensorType(dtype, x0.shape)), b.Input("ct", mind.TensorType(dtype, x0.shape))
    zero = b.zeros(mind.TensorType(dtype, ()))
    m = b.finish([b.Greater(b.Relu(x), zero), b.Greater(x, zero), b.Select(b.Greater(x, zero), ct, zero)])
    cotangents = x0[::-1].copy()
    mask, mask_of_x, expected = mind.interpret(m, x0, cotangents)
    assert_same_bits(mask, mask_of_x)
    for run in (mind.interpret, lambda m, *arrays: mind.compile(m)(*arrays)):
        for operand in (lambda b, x: x, lambda b, x: x - b.zeros(x.type)):
            made = mind.Builder()
            module = made.finish([made.Relu(operand(made, made.Input("x", x.type)))])
            found = run(gradient(module, seed="input"), x0, cotangents)
            assert_same_bits(found[1], expected)
