"""Small modules after public bug reports, from cases/bug_cases.yaml: values and gradients, interpreted and native."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from support import MODES, assert_agrees, assert_same_bits

import mind_mlir as mind

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
CASES = yaml.load((Path(__file__).parent / "cases" / "bug_cases.yaml").read_text("utf-8"), LOADER)["cases"]


def cases(condition=lambda expected: True):
    """Parametrises a test by the cases whose expectation meets the condition."""
    chosen = [c for c in CASES if condition(c["expected"])]
    return pytest.mark.parametrize("case", chosen, ids=[c["id"] for c in chosen])


every_target = pytest.mark.parametrize("target", ["interpret", "default"])


def array(spec):
    """The array that an input or output of a case stands for."""
    dtype, shape = mind.DType(spec["dtype"]).numpy, spec["shape"]
    if "generator" in spec:
        return eval(spec["generator"], {"np": np}).astype(dtype).reshape(shape)
    return np.array(spec["data"], dtype).reshape(shape)


def case_named(id):
    return next(c for c in CASES if c["id"] == id)


def inputs_of(case):
    return {name: array(spec) for name, spec in case["inputs"].items()}


def run(target, module, arrays):
    """The outputs by interpret, or by native code in the numerics mode that `target` names."""
    if target == "interpret":
        return mind.interpret(module, **arrays)
    return mind.compile(module, numerics=target)(**arrays)


def cotangents_of(case, m):
    """The cotangents of a case by the names of their Inputs: one for each float output, ones if none are listed."""
    listed = iter(case["expected"].get("cotangents", ()))
    positions = [n for n, t in enumerate(m.output_types) if t.dtype.is_float]
    types = m.output_types
    return {
        f"ct{n}": array(spec) if (spec := next(listed, None)) else np.ones(types[n].shape, types[n].dtype.numpy)
        for n in positions
    }


def assert_expected(found, expected, specs=None):
    """Compare outputs, or what else `specs` lists, in the way that the case asks for."""
    specs = expected["outputs"] if specs is None else specs
    assert len(found) == len(specs)
    both = expected.get("tolerance", 1e-6)
    relative, absolute = expected.get("relative_tolerance"), expected.get("absolute_tolerance")
    if relative is None and absolute is None:
        relative = absolute = both
    for a, spec in zip(found, specs):
        value = array(spec)
        if expected.get("bitwise"):
            assert_same_bits(a, value)
        else:
            assert (a.dtype, a.shape) == (value.dtype, value.shape)
            np.testing.assert_allclose(a, value, rtol=relative or 0, atol=absolute or 0)


def assert_error(found, expected):
    """Compare a MindError with what the case says: one of its codes, and perhaps words of the message."""
    codes = expected.get("code_any") or [expected["code"]]
    assert any(re.fullmatch(c.replace("x", "[0-9]"), found.code) for c in codes)
    assert expected.get("message_contains", "") in found.message


@pytest.mark.parametrize(
    ("form", "target"),
    [("written", t) for t in ("interpret", *MODES)] + [("canonical", t) for t in ("interpret", "default")],
)
@cases(lambda expected: expected["status"] == "ok")
def test_case_gives_its_outputs_and_leaves_its_inputs_alone(case, form, target):
    if case["id"] == "fma_contraction" and target == "fast":
        pytest.skip("fast numerics may round product and sum together, which is what this case is about")
    m = mind.verify(mind.parse(case["core_ir"]))
    if form == "canonical":
        m = mind.canonicalize(m)
    arrays, before = inputs_of(case), inputs_of(case)
    found = run(target, m, arrays)
    assert_expected(found, case["expected"])
    for name in arrays:
        assert_same_bits(arrays[name], before[name], name)
    everything = [*found, *arrays.values()]
    assert not any(np.may_share_memory(a, b) for a in found for b in everything if a is not b)


@every_target
@cases(lambda expected: expected["status"] == "error")
def test_case_is_refused_with_its_code(case, target):
    with pytest.raises(mind.MindError) as raised:
        run(target, mind.verify(mind.parse(case["core_ir"])), inputs_of(case))
    assert_error(raised.value, case["expected"]["error"])


@pytest.mark.parametrize("target", ["interpret", *MODES])
@cases(lambda expected: "gradients" in expected)
def test_case_gives_its_gradients(case, target):
    m = mind.parse(case["core_ir"])
    wanted = case["expected"]["gradients"]
    d = mind.differentiate(m, wrt=list(wanted), seed="input")
    found = run(target, d.gradient_module, {**inputs_of(case), **cotangents_of(case, m)})
    assert_expected(found[: len(m.outputs)], case["expected"])
    named = {m[i].op.name: found[d.gradient_module.outputs.index(g)] for i, g in d.gradients.items()}
    assert list(named) == [o.op.name for o in m.inputs if o.op.name in wanted]
    assert_expected([named[name] for name in wanted], case["expected"], wanted.values())


@cases(lambda expected: expected["status"] == "ok" and "gradients" not in expected)
def test_gradients_of_case_are_the_same_natively_and_leave_the_outputs_alone(case):
    m = mind.parse(case["core_ir"])
    g = mind.differentiate(m, seed="input").gradient_module
    arrays = {**inputs_of(case), **cotangents_of(case, m)}
    expected = run("interpret", g, arrays)
    assert len(expected) == len(m.outputs) + sum(o.type.dtype.is_float for o in m.inputs)
    in_order = [arrays[o.op.name] for o in g.inputs]
    for numerics in ("strict", "default"):
        assert_agrees(g, in_order, run(numerics, g, arrays), expected, numerics)
    for a, b in zip(expected, mind.interpret(m, **inputs_of(case))):
        assert_same_bits(a, b)


def differentiate_and_run(target, case):
    return run(target, mind.differentiate(mind.parse(case["core_ir"])).gradient_module, inputs_of(case))


@every_target
@cases(lambda expected: expected["status"] == "error")
def test_gradient_of_case_is_refused_with_its_code(case, target):
    with pytest.raises(mind.MindError) as raised:
        differentiate_and_run(target, case)
    assert_error(raised.value, case["expected"]["error"])


@every_target
@pytest.mark.parametrize(("policy", "oob"), [("clip", "clip"), ("fill-zero", "fill")])
def test_gather_out_of_range_gives_what_its_alternatives_say(policy, oob, target):
    case = case_named("gather_out_of_range")
    (expected,) = (a for a in case["expected"]["alternatives"] if a["policy"] == policy)
    m = mind.parse(case["core_ir"].replace("(%0, %1)", f'(%0, %1) {{oob = "{oob}"}}'))
    d = mind.differentiate(m, wrt=["x"])
    y, x_bar = run(target, d.gradient_module, inputs_of(case))
    assert [y.tolist()] == expected["outputs"]
    assert {"x": x_bar.tolist()} == expected["gradients"]


def test_a_negative_axis_is_refused_where_its_alternative_is_asked_for():
    case = case_named("axis_negative")
    (alternative,) = case["expected"]["alternatives"]
    with pytest.raises(mind.MindError) as raised:
        mind.verify(mind.parse(case["core_ir"]), strict_axes=True)
    assert raised.value.code == alternative["error"]["code"]


def test_every_field_of_the_cases_is_known_here():
    """What a case says beyond this would go untested."""
    assert set().union(*CASES) == {"id", "category", "source", "description", "core_ir", "inputs", "expected"}
    assert set().union(*(c["expected"] for c in CASES)) == {
        *("status", "notes", "alternatives", "outputs", "error", "cotangents", "gradients"),
        *("bitwise", "tolerance", "relative_tolerance", "absolute_tolerance"),
        *("strict_positive_dims", "canonical_contains"),
    }
    policies = {a.get("policy") for c in CASES for a in c["expected"].get("alternatives", ())}
    refused = {"wrap-negative", "negative-steps"}  # the error of the case itself rules these out
    assert policies == {None, "clip", "fill-zero", *refused}


@cases(lambda expected: expected["status"] == "ok")
def test_case_prints_and_reads_back_equal(case):
    m = mind.parse(case["core_ir"])
    assert mind.parse(str(m)) == m
    assert str(mind.parse(str(m))) == str(m)


@cases(lambda expected: "canonical_contains" in expected)
def test_canonical_text_of_case_contains(case):
    text = str(mind.canonicalize(mind.verify(mind.parse(case["core_ir"])))).replace(" ", "")
    for piece in case["expected"]["canonical_contains"]:
        assert piece.replace(" ", "") in text


@cases(lambda expected: "strict_positive_dims" in expected)
def test_case_is_refused_where_extents_must_be_positive(case):
    with pytest.raises(mind.MindError) as raised:
        mind.verify(mind.parse(case["core_ir"]), strict_positive_dims=True)
    assert raised.value.code == case["expected"]["strict_positive_dims"]


def test_special_floats_are_bit_patterns_in_mlir_text():
    m = mind.parse(case_named("print_special_floats_roundtrip")["core_ir"])
    assert "dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.000000e+00, " in str(mind.to_mlir(m))


def test_integer_additions_carry_no_overflow_flags():
    m = mind.parse(case_named("i64_sum_overflow_wraps")["core_ir"])
    text = str(mind.to_mlir(m))
    assert "arith.addi" in text
    assert "nsw" not in text
    assert "nuw" not in text


def test_a_literal_of_a_million_elements_reads_verifies_and_lowers():
    case = case_named("const_large_literal")
    data = array(case["inputs"]["x"])
    text = (
        f'%0 = ConstTensor {{data = {data.tolist()}, dtype = "f32", shape = [1000000]}} : tensor<f32[1000000]>\n'
        "%1 = Sum (%0) {axes = [], keepdims = false} : tensor<f32[]>\noutputs: %1\n"
    )
    m = mind.verify(mind.parse(text))
    assert_expected(mind.interpret(m), case["expected"])
    assert_expected(mind.compile(m)(), case["expected"])
    assert len(str(m)) < 6_000_000  # base64, not decimals
    assert mind.parse(str(m)) == m
