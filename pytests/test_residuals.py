"""A module cut at the Inputs that are known later: both parts together compute what the whole does."""

from hypothesis import given, note, settings, strategies as st
from random_modules import arguments_for, modules
from support import assert_same_outcome, outcome

import mind_mlir as mind
from mind_mlir.passes.residuals import split

TEXT = """%0 = Input {name = "x"} : tensor<f32[2]>
%1 = Input {name = "v"} : tensor<f32[2]>
%2 = ConstTensor {data = 2.0, dtype = f32, shape = []} : tensor<f32[]>
%3 = Exp (%0) : tensor<f32[2]>
%4 = Mul (%2, %3) : tensor<f32[2]>
%5 = Mul (%1, %4) : tensor<f32[2]>
%6 = Mul (%2, %5) : tensor<f32[2]>
outputs: %3, %6, %2
"""


def test_what_is_needed_later_is_a_residual_and_constants_are_in_both():
    early, late = split(mind.parse(TEXT), [1], 1)
    assert str(early) == (
        '%0 = Input {name = "x"} : tensor<f32[2]>\n'
        "%1 = ConstTensor {data = 2.0, dtype = f32, shape = []} : tensor<f32[]>\n"
        "%2 = Exp (%0) : tensor<f32[2]>\n"
        "%3 = Mul (%1, %2) : tensor<f32[2]>\n"
        "outputs: %2, %3\n"
    )
    assert str(late) == (
        '%0 = Input {name = "r0"} : tensor<f32[2]>\n'
        "%1 = ConstTensor {data = 2.0, dtype = f32, shape = []} : tensor<f32[]>\n"
        '%2 = Input {name = "v"} : tensor<f32[2]>\n'
        "%3 = Mul (%2, %0) : tensor<f32[2]>\n"
        "%4 = Mul (%1, %3) : tensor<f32[2]>\n"
        "outputs: %4, %1\n"
    )


def test_names_of_residuals_are_fresh():
    m = mind.parse(TEXT.replace('"v"', '"r0"'))
    _, late = split(m, [1], 1)
    assert [o.op.name for o in late.inputs] == ["r0'", "r0"]


def in_two_parts(m, late, arrays):
    """The outputs, those first that depend on no late Input."""
    depends = set(late)
    for o in m.operations:
        if not depends.isdisjoint(o.operands):
            depends.update(o.ids)
    order = sorted(range(len(m.outputs)), key=lambda n: m.outputs[n] in depends)
    count = sum(i not in depends for i in m.outputs)
    m = mind.Module(m.operations, tuple(m.outputs[n] for n in order))
    parts = split(m, late, count)
    given = {o.id: a for o, a in zip(m.inputs, arrays)}
    first = run(parts[0], [a for i, a in given.items() if i not in late])
    second = run(parts[1], [*first[count:], *(a for i, a in given.items() if i in late)])
    outputs = [*first[:count], *second]
    return tuple(outputs[order.index(n)] for n in range(len(order)))


def run(m, arrays):
    return mind.interpret(m, *arrays) if m.outputs else ()


@settings(max_examples=300)
@given(modules(), st.randoms(use_true_random=False))
def test_the_parts_give_the_bits_of_the_whole(m, r):
    note(str(m))
    m = mind.canonicalize(m)
    late = [o.id for o in m.inputs if r.random() < 0.5]
    arrays = arguments_for(m, 1)
    expected = outcome(mind.interpret, m, *arrays)
    found = outcome(in_two_parts, m, late, arrays)
    if expected[0] == "returns":
        assert_same_outcome(found, expected)
    else:
        assert found[:2] == expected[:2]
