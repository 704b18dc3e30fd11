"""Operations that hold functions, from text to native code.

No operation of Core IR holds any yet; two are declared here, as a package of operations would.
"""

import pytest

import mind_mlir as mind
from mind_mlir.ir import OPS, Bodies, Body, Builder, Function, Linearity, Op, Reject, applied, op


@pytest.fixture(scope="module", autouse=True)
def declared():
    """Applied and Chosen, for the tests of this file alone."""
    made = []

    def declare(cls):
        made.append(op(cls))
        return made[-1]

    def takes(function, operands):
        if function.in_types != operands:
            takes = ", ".join(map(str, function.in_types))
            found = ", ".join(map(str, operands))
            raise Reject("E2001", f"@{function.name} takes {takes}; found {found}", at="opcode")

    @declare
    class Applied(Op):
        """The results of a function."""

        body: Body
        linearity = Linearity.CONSTANT
        result_names = ("*results",)

        def infer_type(self, *operands):
            takes(self.body, operands)
            return self.body.out_types

        def evaluate(self, *operands):
            return applied(self.body, *operands)

        def lower(self, e, result, *operands):
            return e.inline(self.body, operands)

        @classmethod
        def samples(cls):
            return [(cls(TWICE), (mind.f32(2),)), (cls(DEEP), (mind.f32(2),))]

    @declare
    class Chosen(Op):
        """The result of the function that an index counts."""

        branches: Bodies
        linearity = Linearity.OPAQUE

        def infer_type(self, index, *operands):
            if not self.branches:
                raise Reject("E4013", "Chosen takes one branch or more", at="branches")
            for f in self.branches:
                takes(f, operands)
            return self.branches[0].out_types[0]

        def evaluate(self, index, *operands):
            return applied(self.branches[int(index)], *operands)[0]

        def lower(self, e, result, index, *operands):
            value = e.inline(self.branches[0], operands)[0]
            for f in self.branches[1:]:
                value = OPS["Add"]().lower(e, result, value, e.inline(f, operands)[0])
            return value

        @classmethod
        def samples(cls):
            return [(cls([TWICE, DEEP]), (mind.i64(), mind.f32(2)))]

    yield
    for cls in made:
        del OPS[cls.__name__]


def twice():
    b = Builder()
    x = b.Input("x", mind.f32(2))
    return Function("twice", b.finish([x + x]))


TWICE = twice()

TEXT = """\
func @double {
  %0 = Input {name = "x"} : tensor<f32[2]>
  %1 = Add (%0, %0) : tensor<f32[2]>
  outputs: %1
}
func @step {
  %0 = Input {name = "x"} : tensor<f32[2]>
  %1 = Applied (%0) {body = @double} : tensor<f32[2]>
  %2 = Exp (%1) : tensor<f32[2]>
  outputs: %2, %0
}
%0 = Input {name = "i"} : tensor<i64[]>
%1 = Input {name = "x"} : tensor<f32[2]>
%2, %3 = Applied (%1) {body = @step} : tensor<f32[2]>, tensor<f32[2]>
%4 = Chosen (%0, %2) {branches = [@step, @double]} : tensor<f32[2]>
outputs: %4, %3
"""
DEEP = None  # see test_nested
