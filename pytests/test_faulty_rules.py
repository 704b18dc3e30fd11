"""A faulty derivative rule of someone's own operation is an error at that operation, and never a wrong gradient."""

from __future__ import annotations

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.ir import OPS, Linearity, op
from mind_mlir.ops._elementwise import Unary

FAULTY = '%20 = Input {name = "x"} : tensor<f32[2]>\n%10 = Faulty (%20)\n%30 = Neg (%10)\noutputs: %30\n'


@pytest.fixture
def declare():
    """Declares the identity as the operation Faulty, with rules of its own; it is gone after the test."""

    def declare(linearity, **rules):
        body = {
            "__doc__": "The identity.",
            "__module__": __name__,
            "linearity": linearity,
            "evaluate": lambda self, input: input,
            "lower": lambda self, e, result, input: input,
        }
        return op(type("Faulty", (Unary,), body | rules))

    yield declare
    OPS.pop("Faulty", None)


def error_of_faulty():
    with pytest.raises(mind.MindError) as raised:
        mind.differentiate(mind.parse(FAULTY))
    return raised.value


def test_a_rule_that_fails_is_told_with_its_line(declare):
    def rule(ct):
        return ct.no_such_attribute

    declare(Linearity.JOINT, adjoint=lambda self, b, ct, operands, wrt: rule(ct))
    line = rule.__code__.co_firstlineno + 1
    assert error_of_faulty().diagnostics[0].note.endswith(f", {__file__}:{line}")


def assert_blames_faulty(error, code, message, note=""):
    assert (error.code, error.message) == (code, message)
    assert FAULTY[error.span.start : error.span.end] == "Faulty"
    assert error.diagnostics[0].note.startswith(note)


@pytest.mark.parametrize(
    ("rule", "code", "note"),
    [
        (lambda b, ct, x: b.Sum(ct, axes=[3], keepdims=False), "E5003", "error[E3004]: Sum axis 3 is out of range"),
        (lambda b, ct, x: b.Sum(ct, axes=[0, 0], keepdims=False), "E5003", "error[E3005]: Sum names axis 0 twice"),
        (lambda b, ct, x: ct @ ct, "E5004", "error[E3002]: MatMul takes rank 2 or more"),
        (lambda b, ct, x: b.Reshape(ct, new_shape=[3]), "E5004", "error[E3007]: Reshape of [2] with 2 elements to [3]"),
        (lambda b, ct, x: ct + b.constant(1), "E5002", "error[E2004]: Add mixes f32 and i64"),
        (lambda b, ct, x: b.Sum(ct), "E5002", "error[E4013]: Sum missing 2 required"),
        (lambda b, ct, x: ct * x, "E5002", "ValueError: it uses the value of an operand in which the operation is"),
        (lambda b, ct, x: x * ct, "E5002", "ValueError: it uses the value of an operand in which the operation is"),
        (lambda b, ct, x: b.emit(OPS["Neg"](), x), "E5002", "ValueError: it uses the value of an operand in which"),
        (lambda b, ct, x: b.NoSuchOp(ct), "E5002", "AttributeError: no operation is named NoSuchOp"),
        (lambda b, ct, x: ct * (1 / 0), "E5002", "ZeroDivisionError: division by zero"),
        (lambda b, ct, x: b.Add(ct, 1.0), "E5002", "TypeError: Add takes Values, got 1.0"),
    ],
)
def test_an_adjoint_that_fails_is_an_error_at_its_operation(declare, rule, code, note):
    declare(Linearity.JOINT, adjoint=lambda self, b, ct, operands, wrt: rule(b, ct, operands[0]))
    assert_blames_faulty(error_of_faulty(), code, "rule adjoint of Faulty failed at %10", note)


@pytest.mark.parametrize(
    ("rule", "gives"),
    [
        (lambda b, ct, x: b.Sum(ct, axes=[], keepdims=False), "tensor<f32[]>, expected tensor<f32[2]>"),
        (lambda b, ct, x: None, "None, expected a Value"),
        (lambda b, ct, x: 1.0, "1.0, expected a Value"),
        (lambda b, ct, x: mind.Builder().Input("x", x.type), "%0 of another Builder"),
        (lambda b, ct, x: x, "%1 of another Builder"),
    ],
)
def test_an_adjoint_that_gives_something_else_is_an_error_at_its_operation(declare, rule, gives):
    declare(Linearity.JOINT, adjoint=lambda self, b, ct, operands, wrt: rule(b, ct, operands[0]))
    assert_blames_faulty(error_of_faulty(), "E5002", f"rule adjoint of Faulty at %10 gives {gives}")


@pytest.mark.parametrize(
    ("rule", "code", "message"),
    [
        (lambda b, t, y: b.Sum(t, axes=[1], keepdims=False), "E5003", "failed at %10"),
        (lambda b, t, y: t @ y, "E5004", "failed at %10"),
        (lambda b, t, y: t.no_such_attribute, "E5002", "failed at %10"),
        (lambda b, t, y: b.ExpandDims(t, axes=[0]), "E5002", "at %10 gives tensor<f32[1, 2]>, expected tensor<f32[2]>"),
        (lambda b, t, y: 3, "E5002", "at %10 gives 3, expected a Value"),
        (lambda b, t, y: b.Exp(t), "E5002", "at %10 is not linear in the tangents, because of its Exp"),
        (lambda b, t, y: t * t, "E5002", "at %10 is not linear in the tangents, because of its Mul"),
        (lambda b, t, y: y / t, "E5002", "at %10 is not linear in the tangents, because of its Div"),
        (lambda b, t, y: t + y, "E5002", "at %10 is not linear in the tangents, because of its Add"),
        (lambda b, t, y: y, "E5002", "at %10 gives a value that depends on no tangent"),
        (lambda b, t, y: y + y, "E5002", "at %10 gives a value that depends on no tangent"),
    ],
)
def test_a_jvp_that_is_wrong_is_an_error_at_its_operation(declare, rule, code, message):
    declare(Linearity.NONLINEAR, jvp=lambda self, b, primals, tangents, result: rule(b, tangents[0], result))
    assert_blames_faulty(error_of_faulty(), code, f"rule jvp of Faulty {message}")


@pytest.mark.parametrize("zero", [lambda b, y: None, lambda b, y: b.zeros(y.type), lambda b, y: -b.zeros(y.type)])
def test_a_jvp_may_give_zero(declare, zero):
    declare(Linearity.NONLINEAR, jvp=lambda self, b, primals, tangents, result: zero(b, result))
    d = mind.differentiate(mind.parse(FAULTY))
    _, gradient = mind.interpret(d.gradient_module, np.float32([1, 2]))
    assert gradient.tolist() == [0, 0]


def test_a_gradient_module_that_does_not_verify_is_an_error(declare):
    declare(Linearity.JOINT, adjoint=lambda self, b, ct, operands, wrt: b.Input("x", ct.type))
    error = error_of_faulty()
    assert (error.code, error.message) == ("E5002", "the gradient module does not verify")
    assert error.diagnostics[0].note == 'error[E4004]: Input "x" exists already, as %0'
    mind.differentiate(mind.parse(FAULTY), verify=False)


def test_an_operation_without_a_derivative_is_an_error_only_where_one_is_needed(declare):
    declare(Linearity.OPAQUE)
    error = error_of_faulty()
    assert_blames_faulty(error, "E5001", "autodiff does not support Faulty")
    assert error.diagnostics[0].help == "give it a jvp, or differentiate another input"
    m = mind.parse(FAULTY.replace("outputs: %30", '%40 = Input {name = "w"} : tensor<f32[2]>\noutputs: %30, %40'))
    assert mind.differentiate(m, wrt="w").gradients.keys() == {40}


def test_the_exception_of_a_rule_is_the_cause_of_the_error(declare):
    def adjoint(self, b, ct, operands, wrt):
        raise ValueError("not on a Sunday")

    declare(Linearity.JOINT, adjoint=adjoint)
    assert str(error_of_faulty().__cause__) == "not on a Sunday"


def test_an_assertion_in_a_rule_is_left_alone(declare):
    def adjoint(self, b, ct, operands, wrt):
        raise AssertionError("impossible")

    declare(Linearity.JOINT, adjoint=adjoint)
    with pytest.raises(AssertionError, match="impossible"):
        mind.differentiate(mind.parse(FAULTY))
