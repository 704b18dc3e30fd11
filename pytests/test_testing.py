"""check_grads: it accepts right derivatives, refuses wrong ones and says where, and reads its arguments strictly."""

import math
from dataclasses import replace

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.cli._prove import prove
from mind_mlir.ir import OPS
from mind_mlir.testing import check_grads, findings

X = np.array([0.5, -1.25, 2.0])
ONES = np.ones(3)


def module(build, *types):
    """The module that `build(b, *inputs)` gives for Inputs x0, x1, … of these types."""
    b = mind.Builder()
    result = build(b, *[b.Input(f"x{n}", t) for n, t in enumerate(types)])
    return b.finish(result if isinstance(result, list) else [result])


def exp_times_x(x):
    return mind.sum(mind.exp(x) * x)


EXP = module(lambda b, x: b.Exp(x), mind.f64(3))
LOG = module(lambda b, x: b.Log(x), mind.f64(3))


@pytest.fixture
def wrong_rule(monkeypatch):
    """Give an op another rule for the time of a test: `wrong_rule("Exp", jvp=…)`."""

    def put(opcode, **rules):
        for name, rule in rules.items():
            monkeypatch.setattr(OPS[opcode], name, rule)

    return put


def no_product(self, b, primals, tangents, result):
    """The derivative of Exp without its factor."""
    return tangents[0]


def positive_square(self, b, primals, tangents, result):
    """The derivative of Reciprocal without its sign."""
    return tangents[0] * (result * result)


# Wrong rules


def test_a_wrong_jvp_fails_and_the_place_and_both_numbers_are_named(wrong_rule):
    wrong_rule("Exp", jvp=no_product)
    # e^x of the second element alone, at [1] of the second output
    m = module(
        lambda b, x: [x, b.Pad(b.Exp(b.Slice(x, [1], [2], [1])), [1], [1], [0])],
        mind.f64(3),
    )
    with pytest.raises(AssertionError) as failure:
        check_grads(m, (X,), modes=("rev",))
    (line,) = str(failure.value).splitlines()[1:]
    v = np.random.default_rng(1).standard_normal(3)[1]
    found, expected = line.rsplit("output 1 at [1]: ")[1].split(", by differences ")
    assert float(found) == pytest.approx(v)
    assert float(expected) == pytest.approx(v * math.exp(-1.25), rel=1e-6)
    assert "order 1" in line
    assert "jvp against differences" in line
    assert "FAILED" in line


def test_a_wrong_adjoint_fails_and_the_two_products_are_named(wrong_rule):
    wrong_rule("Neg", adjoint=lambda self, b, ct, operands, wrt: ct)
    m = module(lambda b, x: -x, mind.f64(3))
    with pytest.raises(
        AssertionError, match=r"adjoint against jvp .* FAILED ⟨Jv, w⟩ = (\S+), ⟨v, Jᵀw⟩ = (\S+)"
    ) as failure:
        check_grads(m, (X,))
    assert "against differences" not in str(failure.value)
    left, right = (float(t.split()[0].rstrip(",")) for t in str(failure.value).split(" = ")[1:])
    assert left == pytest.approx(-right)


def test_an_adjoint_that_gives_nan_where_all_else_is_finite_fails(wrong_rule):
    wrong_rule("Neg", adjoint=lambda self, b, ct, operands, wrt: ct * math.nan)
    with pytest.raises(AssertionError, match="adjoint against jvp"):
        check_grads(module(lambda b, x: -x, mind.f64(3)), (X,))


def test_a_jvp_that_gives_nan_where_the_value_is_finite_fails(wrong_rule):
    wrong_rule("Exp", jvp=lambda self, b, primals, tangents, result: tangents[0] * math.nan)
    with pytest.raises(AssertionError, match="jvp against differences"):
        check_grads(EXP, (X,))


def test_a_rule_that_is_wrong_at_order_2_only_fails_there(wrong_rule):
    wrong_rule("Reciprocal", jvp=positive_square)  # the derivative of Log's derivative
    check_grads(LOG, (np.abs(X),), order=1)
    with pytest.raises(AssertionError) as failure:
        check_grads(LOG, (np.abs(X),), order=2)
    assert all(line.startswith("order 2 ") for line in str(failure.value).splitlines()[1:])


def test_a_dropped_operand_fails(wrong_rule):
    wrong_rule("Add", jvp=lambda self, b, primals, tangents, result: tangents[0])
    with pytest.raises(AssertionError):
        check_grads(module(lambda b, x, y: x + y, mind.f64(3), mind.f64(3)), (X, ONES))


def test_a_rule_that_is_wrong_where_operands_broadcast_fails(wrong_rule):
    def to_the_first_row(self, b, ct, operands, wrt):
        return b.Slice(ct, [0, 0], [1, 3], [1, 1])  # instead of the sum over what was stretched

    wrong_rule("Broadcast", adjoint=to_the_first_row)
    with pytest.raises(AssertionError, match="adjoint against jvp"):
        check_grads(module(lambda b, x: b.Broadcast(x, [2, 3]), mind.f64(1, 3)))


# Rules of Python functions


def custom_square(rule):
    return mind.custom_vjp(lambda x: x * x, rule)


def test_a_right_custom_vjp_passes_to_third_order():
    square = custom_square(lambda primals, ct, output: (2 * primals[0] * ct,))
    check_grads(lambda x: mind.sum(square(x) * x), (X,), order=3)


def test_a_wrong_custom_vjp_fails():
    square = custom_square(lambda primals, ct, output: (3 * primals[0] * ct,))
    with pytest.raises(AssertionError, match="jvp against differences"):
        check_grads(lambda x: mind.sum(square(x) * x), (X,))


def test_a_custom_vjp_whose_derivative_is_lost_fails_at_order_2_only():
    constant = mind.custom_vjp(lambda x: 1 * x, lambda primals, ct, output: (None,))
    square = custom_square(lambda primals, ct, output: (2 * constant(primals[0]) * ct,))
    check_grads(lambda x: mind.sum(square(x)), (X,), order=1)
    with pytest.raises(AssertionError, match=r"^derivatives are wrong:\norder 2"):
        check_grads(lambda x: mind.sum(square(x)), (X,), order=2)


def test_a_custom_jvp_is_held_against_differences():
    right = mind.custom_jvp(lambda x: x * x, lambda primals, tangents, output: 2 * primals[0] * tangents[0])
    wrong = mind.custom_jvp(lambda x: x * x, lambda primals, tangents, output: 3 * primals[0] * tangents[0])
    check_grads(lambda x: mind.sum(right(x) * x), (X,), order=2)
    with pytest.raises(AssertionError):
        check_grads(lambda x: mind.sum(wrong(x) * x), (X,))


def test_what_a_rule_raises_comes_through():
    def rule(primals, ct, output):
        raise KeyError("of the user")

    with pytest.raises(KeyError, match="of the user"):
        check_grads(custom_square(rule), (X,))


# What it takes


@pytest.mark.parametrize(
    "arguments",
    [
        {"order": 0},
        {"order": -1},
        {"order": True},
        {"order": 1.0},
        {"modes": ("both",)},
        {"modes": "fwd"},
        {"step": 0},
        {"step": -1e-5},
        {"step": math.nan},
        {"tolerance": 0},
        {"tolerance": math.inf},
    ],
    ids=str,
)
def test_a_bad_argument_is_E7007(arguments):
    for target in (EXP, exp_times_x):
        with pytest.raises(mind.MindError) as failure:
            check_grads(target, (X,), **arguments)
        assert failure.value.code == "E7007"


@pytest.mark.parametrize(
    ("target", "arguments", "code"),
    [
        (EXP, {"args": (X, X)}, "E6009"),
        (EXP, {"args": (np.ones(4),)}, "E6009"),
        (EXP, {"wrt": (1,)}, "E5005"),
        (EXP, {"wrt": ()}, "E5005"),
        (exp_times_x, {"args": (X,), "wrt": (1,)}, "E5005"),
        (lambda i: i + i, {"args": (np.arange(3),)}, "E5005"),
        (EXP, {"args": X}, "E6009"),
        (exp_times_x, {"args": ("x",)}, "E6009"),
        (exp_times_x, {"args": X}, "E6009"),
        (lambda x: mind.exp(x) + np.ones(4), {"args": (X,)}, "E3001"),
    ],
)
def test_other_errors_are_those_of_differentiating_and_running(target, arguments, code):
    with pytest.raises(mind.MindError) as failure:
        check_grads(target, **arguments)
    assert failure.value.code == code


def test_traced_arguments_and_traced_values_closed_over_are_E6010():
    for inside in (lambda x: check_grads(exp_times_x, (x,)), lambda x: check_grads(lambda y: mind.sum(x * y), (X,))):
        with pytest.raises(mind.MindError) as failure:
            mind.jit(inside)(X)
        assert failure.value.code == "E6010"


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ((), ["", ""]),
        (("fwd",), ["", "", "fwd of ", "fwd of "]),
        (("rev",), ["", "", "rev of ", "rev of "]),
        (("fwd", "rev"), ["", "", "fwd of ", "fwd of ", "rev of ", "rev of "]),
        (["rev", "fwd"], ["", "", "rev of ", "rev of ", "fwd of ", "fwd of "]),
    ],
)
def test_modes_are_what_is_differentiated_again(modes, expected):
    for target in (EXP, exp_times_x):
        found = findings(target, (X,), order=2, modes=modes)
        ends = ["jvp against differences", "adjoint against jvp"] * (len(expected) // 2)
        assert [f.what for f in found] == [a + b for a, b in zip(expected, ends)]
        assert [f.order for f in found] == [1, 1, *[2] * (len(expected) - 2)]


def test_order_3_checks_every_derivative_of_every_derivative():
    found = findings(EXP, (X,), order=3)
    assert [sum(f.order == n for f in found) for n in (1, 2, 3)] == [2, 4, 8]
    assert all(f.ok for f in found)
    assert all(f.compared for f in found)


def test_wrt_names_the_inputs_that_are_differentiated(wrong_rule):
    wrong_rule("Exp", jvp=no_product)
    m = module(lambda b, x, y: b.Exp(x) * y, mind.f64(3), mind.f64(3))
    for target in (m, lambda x, y: mind.exp(x) * y):
        check_grads(target, (X, ONES), wrt=(1,))
        for wrt in ((0,), (0, 1), None):
            with pytest.raises(AssertionError):
                check_grads(target, (X, ONES), wrt=wrt)


def test_step_is_the_h_of_the_differences():
    check_grads(EXP, (X,), step=1e-4)
    with pytest.raises(AssertionError, match="jvp against differences"):
        check_grads(EXP, (X,), step=0.5)  # the third derivative shows


def test_tolerance_is_relative_to_the_numbers():
    (exact, _) = findings(EXP, (X,))
    (strict, _) = findings(EXP, (X,), tolerance=1e-12)
    assert strict.error == pytest.approx(exact.error * 1e6)
    assert not strict.ok
    # numbers of 10^6 are held to 10^6 times the difference
    large = module(lambda b, x: x * 1e6 * x, mind.f64(3))
    check_grads(large, (X,))


def test_the_seed_draws_the_directions():
    a, b, c = (findings(EXP, (X,), seed=s) for s in (0, 0, 1))
    assert a == b
    assert a[0].error != c[0].error


def test_arguments_that_are_left_out_are_drawn_where_the_module_is_finite():
    for m in (LOG, EXP, module(lambda b, x: b.Reciprocal(b.Log(x)), mind.f64(50))):
        assert findings(m) == findings(m)
        assert all(f.compared and f.ok for f in findings(m, order=2))


def test_positions_where_the_value_is_not_finite_are_left_out():
    for x, finite in (([-1.0, 2.0, 3.0], 2), ([0.0, 1.0, 2.0], 2), ([-1.0, -2.0, math.nan], 0), ([math.inf, 1, 1], 2)):
        differences, products = findings(LOG, (np.array(x),))
        assert differences.ok
        assert differences.compared == finite
        assert products.compared == 0
        assert "nothing to compare" in str(products)


def test_a_wrong_rule_is_seen_beside_positions_that_are_left_out(wrong_rule):
    wrong_rule("Log", jvp=lambda self, b, primals, tangents, result: tangents[0])
    with pytest.raises(AssertionError, match=r"output 0 at \[2\]"):
        check_grads(LOG, (np.array([-1.0, -1.0, 3.0]),))


def test_a_module_in_f32_is_checked_in_f64():
    m = module(lambda b, x: b.Exp(x * 1.5), mind.f32(3))
    (differences, products) = findings(m, (X.astype(np.float32),))
    assert differences.error < 1e-2  # of 1e-6; in f32 the step alone loses more
    assert products.ok


def test_functions_of_f32_are_checked_with_a_wider_step_and_tolerance(wrong_rule):
    x = X.astype(np.float32)
    check_grads(exp_times_x, (x,), order=2)
    check_grads(lambda x: mind.mean(mind.log(x * x) / x), (x,), order=2)
    wrong_rule("Exp", jvp=no_product)
    with pytest.raises(AssertionError):
        check_grads(exp_times_x, (x,))


def test_functions_take_and_give_pytrees(wrong_rule):
    def layer(parameters, inputs):
        w, b = parameters["w"], parameters["b"]
        hidden = [mind.relu(x @ w + b) for x in inputs]
        return {"sum": mind.sum(hidden[0] * hidden[1]), "all": (hidden, mind.exp(b))}

    rng = np.random.default_rng(0)
    parameters = {"w": rng.standard_normal((3, 2)), "b": rng.standard_normal(2)}
    inputs = [rng.standard_normal((4, 3)), rng.standard_normal((4, 3))]
    check_grads(layer, (parameters, inputs), order=2)
    (differences, _) = findings(layer, (parameters, inputs))
    assert differences.compared == 1 + 2 + 2 * 8
    wrong_rule("Exp", jvp=no_product)
    with pytest.raises(AssertionError, match="jvp against differences"):
        check_grads(layer, (parameters, inputs))
    check_grads(layer, (parameters, inputs), wrt=(1,))


def test_integers_are_held_fixed_in_modules_and_functions():
    m = module(lambda b, x, i: b.Gather(b.Exp(x), i), mind.f64(4, 2), mind.i64(3))
    i = np.array([3, 0, 3])
    check_grads(m, order=2)
    check_grads(m, (np.ones((4, 2)), i), order=2)
    check_grads(lambda x, i: mind.take(mind.exp(x), i), (np.ones((4, 2)), i), order=2)


def test_results_of_integers_beside_floats_are_passed_over():
    m = module(lambda b, x: [b.Greater(x, b.zeros(mind.f64())), b.Exp(x)], mind.f64(3))
    (differences, _) = findings(m, (X,))
    assert differences.ok
    assert differences.compared == 3
    check_grads(lambda x: (x > 0, mind.exp(x)), (X,), order=2)


def test_a_function_may_close_over_large_arrays():
    large = np.linspace(0.1, 1, 400)
    check_grads(lambda x: mind.sum(mind.exp(x * large)), (np.ones(400),), order=2)


def test_without_a_float_result_there_is_nothing_to_compare():
    assert findings(module(lambda b, x: b.Greater(x, x), mind.f64(3))) == []
    assert findings(module(lambda b, x: x + x, mind.i64(3))) == []
    assert findings(lambda x: x > 0, (X,)) == []


# mind-opt --prove; lit_tests/cli/prove.mindir has the command


def test_prove_reports_a_rule_that_is_wrong_and_counts_what_failed(wrong_rule):
    good = prove(LOG)
    assert good.ok
    assert good.text.splitlines()[-1].startswith("6 comparisons agree; ")
    wrong_rule("Reciprocal", jvp=positive_square)
    bad = prove(LOG)
    assert not bad.ok
    lines = bad.text.splitlines()
    failed = [line for line in lines if "FAILED" in line]
    assert failed
    assert all(line.startswith("order 2 ") for line in failed)
    assert lines[-1].startswith(f"{len(failed)} of 6 comparisons failed; ")


def test_prove_takes_gradient_modules_and_linearized_ones():
    d = mind.differentiate(LOG, seed="input").gradient_module
    assert prove(d).ok
    assert prove(replace(d, gradients=())).ok
