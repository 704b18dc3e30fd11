"""Module parameters. Spec: Core IR, Reference encoding."""

from typing import Annotated

from ..ir import Linearity, Op, Reject, TensorType, op
from ..ir.attributes import Name, TypeKind


@op
class Input(Op):
    """A parameter of the module, bound by name or by position when it runs. Its type is the declared result type."""

    name: Name
    type: Annotated[TensorType, TypeKind()]

    linearity = Linearity.CONSTANT
    foldable = False
    lowers_empty = True

    def infer_type(self):
        if not self.name:
            raise Reject("E4004", "Input needs a name", help='write {name = "x"}', at="name")
        return self.type

    def evaluate(self):
        raise AssertionError("inputs are bound, not evaluated")

    def lower(self, e, result):
        return e.argument(self.name)

    @classmethod
    def samples(cls):
        return []
