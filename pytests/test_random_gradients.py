"""Derivatives of random modules: right by differences, whatever the operations; and the same natively."""

from dataclasses import replace

import numpy as np
from hypothesis import given, note, settings
from smooth_modules import drawn, smooth_modules
from support import MODES, assert_agrees, assert_same_bits

import mind_mlir as mind
from mind_mlir.ir import OPS
from mind_mlir.ir.op import Linearity, Op
from mind_mlir.passes.gradient import gradient
from mind_mlir.testing import findings


@settings(max_examples=120)
@given(smooth_modules())
def test_derivatives_agree_with_differences_at_orders_1_and_2(module_and_arguments):
    m, arguments = module_and_arguments
    note(str(m))
    found = findings(m, arguments, order=2)
    assert not [str(f) for f in found if not f.ok]


@settings(max_examples=60)
@given(smooth_modules())
def test_a_gradient_module_gives_the_values_too_and_one_gradient_for_each_float_input(module_and_arguments):
    m, arguments = module_and_arguments
    note(str(m))
    derived = gradient(m)
    results = mind.interpret(derived, *arguments)
    for a, b in zip(results, mind.interpret(m, *arguments)):
        assert_same_bits(a, b)
    floats = [o.type for o in m.inputs if o.type.dtype.is_float]
    assert derived.output_types[len(m.outputs) :] == tuple(floats)
    assert mind.parse(str(derived)) == derived


@settings(max_examples=8)
@given(smooth_modules())
def test_compiled_gradients_agree_with_interpreted_ones_at_orders_1_and_2_in_every_mode(module_and_arguments):
    m, arguments = module_and_arguments
    for _ in range(2):
        m = gradient(m)
        note(str(m))
        expected = mind.interpret(m, *arguments)
        for numerics in MODES:
            assert_agrees(m, arguments, mind.compile(m, numerics=numerics)(*arguments), expected, numerics)


RULES = [
    (opcode, rule)
    for opcode, cls in OPS.items()
    if not cls.across_ranks  # along an axis of one rank they fold; pytests/test_collectives.py has several
    if opcode
    != "Convert"  # findings compute in f64, where it is nothing; pytests/test_element_values.py has its derivative
    for rule in ("jvp", "adjoint")
    if getattr(cls, rule) is not getattr(Op, rule) and cls.linearity not in (Linearity.CONSTANT, Linearity.OPAQUE)
]


def test_the_smooth_modules_would_show_any_rule_that_is_wrong(monkeypatch):
    modules = drawn(1200)
    unseen = []
    for opcode, rule in RULES:
        right = getattr(OPS[opcode], rule)

        def twice(self, b, *operands, right=right):
            found = right(self, b, *operands)
            doubled = [None if v is None else v + v for v in (found if isinstance(found, tuple) else (found,))]
            return tuple(doubled) if isinstance(found, tuple) else doubled[0]

        with monkeypatch.context() as patch:
            patch.setattr(OPS[opcode], rule, twice)
            concerned = [(m, a) for m, a in modules if any(o.opcode == opcode for o in m.operations)]
            if all(f.ok for m, a in concerned for f in findings(m, a)):
                unseen.append((opcode, rule))
    assert not unseen


def test_most_smooth_modules_have_a_second_derivative():
    curved = []
    for m, arguments in drawn(60):
        once = gradient(m)
        twice = gradient(replace(once, outputs=once.outputs[len(m.outputs) :], gradients=()))
        results = mind.interpret(twice, *arguments)
        curved.append(any(np.any(a) for a in results[len(once.outputs) - len(m.outputs) :]))
    assert np.mean(curved) > 0.5


def test_a_mean_over_nothing_that_is_multiplied_by_an_input_has_derivatives():
    b = mind.Builder()
    x, y = b.Input("x", mind.f64(2, 0)), b.Input("y", mind.f64(2))
    m = b.finish([b.Mean(x, axes=[1], keepdims=False) * y])
    found = gradient(gradient(m))
    assert found.output_types == (mind.f64(2), mind.f64(2, 0), mind.f64(2)) + (mind.f64(2, 0), mind.f64(2))
