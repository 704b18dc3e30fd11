"""The laws of operations, over every sample of every op.  An op is tested by existing.

One op alone: `python -m pytest pytests/test_op_laws.py -k Tanh`.
"""

import functools
import json
import math
import signal
import subprocess
import traceback

import numpy as np
import pytest
from commands import script
from limits import HUNG
from named_dimensions import Named
from native_laws import PLANS, samples_for
from support import (
    alone,
    alone_on_constants,
    assert_same_bits,
    differentiable_samples,
    has_derivative,
    operands_for,
    sample_id,
    samples_of,
)

import mind_mlir as mind
from mind_mlir.ir import OPS, Builder, TensorType
from mind_mlir.ir.op import Linearity
from mind_mlir.passes.gradient import gradient
from mind_mlir.passes.linearize import linearize
from mind_mlir.testing import findings
from mind_mlir.testing.in_f64 import in_f64


def for_each(samples):
    """Makes a law on one sample a test of an operation, which checks it on each of `samples` and names those it fails.

    One test for each sample would be thirty thousand, and pytest takes as long for a test as most of them.
    """
    opcodes = [opcode for opcode in OPS if samples(opcode)]

    def test_of(law):
        @pytest.mark.parametrize("opcode", opcodes)
        def test(opcode, record_property):
            failed = []
            for op, types in samples(opcode):
                try:
                    law(op, types)
                except Exception:
                    failed.append(f"{sample_id(opcode, op, types)}\n{traceback.format_exc()}")
            record_property("laws", len(samples(opcode)))  # scripts/test says how many
            assert not failed, f"{len(failed)} of {len(samples(opcode))} samples\n" + "\n".join(failed)

        test.__name__, test.__doc__ = law.__name__, law.__doc__
        return test

    return test_of


every_sample = for_each(functools.cache(samples_of))
every_op = pytest.mark.parametrize("opcode", [name for name in OPS if name != "Input"])


@every_sample
def test_evaluate_gives_the_inferred_type(op, types):
    with np.errstate(all="ignore"):
        values = op.result_arrays(*operands_for(op, types, seed=1))
    assert [(v.dtype, v.shape) for v in values] == [(t.dtype.numpy, t.shape) for t in op.result_types(*types)]


@every_sample
def test_text_reads_back_equal(op, types):
    m = alone(op, types)
    text = str(m)
    assert mind.verify(mind.parse(text)) == m
    assert str(mind.parse(text)) == text


@every_sample
def test_canonicalize_keeps_every_bit_and_is_idempotent(op, types):
    for special in (False, True):
        arrays = operands_for(op, types, seed=2, special=special)
        for m, arguments in ((alone(op, types), arrays), (alone_on_constants(op, arrays), [])):
            canonical = mind.verify(mind.canonicalize(m))
            assert mind.canonicalize(canonical) == canonical
            for a, b in zip(mind.interpret(canonical, *arguments), mind.interpret(m, *arguments), strict=True):
                assert_same_bits(a, b)


@every_sample
def test_commutative_operations_commute(op, types):
    if op.commutative:
        x, y = operands_for(op, types, seed=3, special=True)
        with np.errstate(all="ignore"):
            assert_same_bits(op.evaluate(x, y), op.evaluate(y, x))


# Named dimensions


def on_pieces(op, operands, result):
    """The operation on pieces of its operands, as `localized` has it for the piece of its result."""
    types = [TensorType.of_array(np.asarray(a)) for a in (result, *operands)]
    local = op.localized(*types)
    assert local.infer_type(*types[1:]) == types[0]
    return local.evaluate(*operands)


def from_row(op, operands, result, start, extent):
    """The operation on a piece of the rows that indices count."""
    b = Builder()
    inputs = [b.Input(f"x{n}", TensorType.of_array(np.asarray(a))) for n, a in enumerate(operands)]
    at = b.constant(np.array([start], operands[op.operand_names.index("indices")].dtype))
    m = b.finish([op.from_row(b, at, extent, *inputs)])
    assert m.output_types == (TensorType.of_array(np.asarray(result)),)
    return mind.interpret(m, *operands)[0]


def counting_once(op, named, operands, name):
    """Operands of the second piece: what lacks the name counted in the first one, if all are linear together."""
    if op.linearity is not Linearity.JOINT or (name,) in named.terms[-1] or name.startswith("#"):
        return operands
    has = [any(name in dim for dim in term) for term in named.terms]
    return [a if h else np.zeros_like(a) for a, h in zip(operands, has)]


@every_sample
def test_named_dimensions_agree_with_the_types(op, types):
    named = Named(op, types)
    for term, type in zip(named.terms or (), named.types):
        for dim, n in zip(term, type.shape):
            if dim == ("1",):
                assert n == 1
            elif len(dim) > 1:
                known = math.prod(named.extents[name] for name in dim if name != "_")
                assert n % known == 0 if "_" in dim else n == known
            elif dim != ("_",) and n != 1:
                assert named.extents[dim[0]] == n, f"{dim[0]} is {named.extents[dim[0]]} and {n}"


@every_sample
def test_cut_in_two_evaluated_and_joined_is_the_whole(op, types):
    named = Named(op, types)
    for name, extent, at in named.cuts():
        arrays = operands_for(op, types, seed=4)
        with np.errstate(all="ignore"):
            whole = op.evaluate(*arrays)
            pieces = []
            for part in (slice(0, at), slice(at, extent)):
                operands = [named.cut(a, n, name, part) for n, a in enumerate(arrays)]
                if part.start:
                    operands = counting_once(op, named, operands, name)
                piece = named.cut(whole, -1, name, part)
                if name.startswith("#"):
                    pieces.append(from_row(op, operands, piece, part.start, extent))
                else:
                    pieces.append(on_pieces(op, operands, piece))
        if any(name in dim for dim in named.terms[-1]):
            assert_same_bits(named.joined(pieces, name, whole.shape), whole, f"{name} cut at {at}:")
        elif whole.dtype.kind == "b":
            assert_same_bits(pieces[0] | pieces[1], whole, f"{name} cut at {at}:")
        elif whole.dtype.kind in "iu":
            assert_same_bits(pieces[0] + pieces[1], whole, f"{name} cut at {at}:")
        else:
            tolerance = max(1e3 * float(mind.DType.of(whole.dtype).finfo.eps), 1e-11)
            parts = [a.astype(np.float64) for a in (*pieces, whole)]
            np.testing.assert_allclose(parts[0] + parts[1], parts[2], tolerance, tolerance, err_msg=f"{name} at {at}")


@every_op
def test_every_named_dimension_is_cut_in_some_sample(opcode):
    every = [Named(*s) for s in samples_of(opcode)]
    assert {name for named in every for name, _, _ in named.cuts()} == set().union(*[n.names() for n in every])


# Derivatives: forward and reverse mode, and those of both


DIFFERENTIABLE = [(opcode, *sample) for opcode in OPS for sample in differentiable_samples(opcode)]
every_differentiable_sample = for_each(differentiable_samples)
every_differentiable_op = pytest.mark.parametrize("opcode", [name for name in OPS if differentiable_samples(name)])


@functools.cache
def f32_samples(opcode):
    """The samples that have derivatives and whose floats are all of f32."""
    return [
        (op, types)
        for op, types in samples_of(opcode)
        if has_derivative(op, types)
        and {t.dtype for t in (*types, *op.result_types(*types)) if t.dtype.is_float} == {mind.DType.F32}
    ]


every_f32_sample = for_each(f32_samples)


def has_elements(op, types):
    """False where there may be nothing to compare: an extent of 0, or the mean over one, which is NaN."""
    return all(t.size for t in (*types, *op.result_types(*types)))


@every_differentiable_sample
def test_jvp_equals_differences_and_the_adjoint_is_its_transpose_at_orders_1_and_2(op, types):
    found = findings(alone(op, types), order=2)
    assert [f.order for f in found] == [1, 1, 2, 2, 2, 2]  # of f; of its jvp and of its adjoint
    assert not [str(f) for f in found if not f.ok]
    if has_elements(op, types):
        assert not [str(f) for f in found if not f.compared]


@every_differentiable_op
def test_derivatives_are_compared_in_some_sample(opcode):
    assert any(has_elements(op, types) for name, op, types in DIFFERENTIABLE if name == opcode)


def test_every_op_that_owes_a_rule_is_compared():
    owes = {name for name, cls in OPS.items() if cls.linearity not in (Linearity.CONSTANT, Linearity.OPAQUE)}
    assert {s[0] for s in DIFFERENTIABLE} == owes


@every_differentiable_op
def test_rules_are_written_in_operations_that_have_rules(opcode):
    """So there is a derivative of any order."""
    for name, op, types in DIFFERENTIABLE:
        if name == opcode:
            m = alone(op, types)
            for derived in (linearize(m), gradient(m, seed="input")):
                used = {o.opcode for o in derived.operations if any(t.dtype.is_float for t in o.types)}
                assert not {u for u in used if OPS[u].linearity is Linearity.OPAQUE}
                gradient(derived, seed="input")


@every_f32_sample
def test_derivatives_in_f32_are_f32_and_those_in_f64_up_to_rounding(op, types):
    m = alone(op, types)
    for derived in (linearize(m), gradient(m, seed="input")):
        mind.verify(derived)
        assert {t.dtype for t in derived.output_types if t.dtype.is_float} == {mind.DType.F32}
        named = dict(zip((o.op.name for o in m.inputs), operands_for(op, types, seed=6)))
        rng = np.random.default_rng(7)
        for o in derived.inputs[len(m.inputs) :]:
            named[o.op.name] = rng.standard_normal(o.type.shape).astype(np.float32)
        wide = {n: a.astype(np.float64) if a.dtype.kind == "f" else a for n, a in named.items()}
        found, exact = mind.interpret(derived, **named), mind.interpret(in_f64(derived), **wide)
        for a, b in zip(found, exact):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)


# Samples


TAKE_DIMENSIONS = (
    *("MatMul", "Conv", "Conv2d", "Conv2dBackwardInput", "Conv2dBackwardFilter"),
    *("AllGather", "AllToAll", "ReduceScatter", "ShardSlice"),
    *("CumSum", "CumProd", "CumMax", "CumMin"),
    *("Concatenate", "Iota", "Sort", "ArgSort", "TopK"),
)
"""Operations that no scalar goes into."""


@every_op
def test_samples_have_rank_0_and_extents_of_0(opcode):
    shapes = {t.shape for op, types in samples_of(opcode) for t in (*types, *op.result_types(*types))}
    if opcode not in TAKE_DIMENSIONS:
        assert () in shapes
    if opcode not in ("Index", "ConstI64", "ConstF32", "ConstF64"):  # an element of nothing, a scalar
        assert any(0 in shape for shape in shapes)


# Native code: in a child process, because MLIR aborts where it should complain


@every_op
def test_compiled_agrees_with_evaluated_in_every_mode(opcode, tmp_path):
    child = subprocess.run(script("native_laws", opcode), capture_output=True, text=True, cwd=tmp_path, timeout=HUNG)
    reports = [json.loads(line) for line in child.stdout.splitlines()]
    failed = [f"{r['plan']}: {', '.join(r['samples'])}\n{r['error']}" for r in reports if r.get("error")]
    if child.returncode < 0:
        name = signal.Signals(-child.returncode).name
        pytest.fail(f"{name} in {', '.join(reports[-1]['samples']) if reports else 'start-up'}\n{child.stderr}")
    assert child.returncode == 0, child.stderr
    assert not failed, "\n\n".join(failed)
    for plan in PLANS:
        compared = [sample for r in reports if r["plan"] == plan and "error" in r for sample in r["samples"]]
        assert sorted(compared) == sorted(sample_id(opcode, *s) for s in samples_for(plan, opcode))
