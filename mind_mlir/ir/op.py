"""What an operation is: a frozen value holding its attributes, with one method per interpretation.

    infer_type : TensorType  -> TensorType    what type comes out, or why not     (E2xxx, E3xxx, E4xxx)
    evaluate   : ndarray     -> ndarray       the meaning, in NumPy; the oracle of every other rule
    jvp        : Value       -> Value         the tangent of the result, as Core IR
    adjoint    : Value       -> Value         the adjoint of a linear operation, as Core IR
    lower      : MLIR value  -> MLIR value    the same computation, as linalg on tensors
    canonical  : TensorType  -> Op            the same operation with its attributes in normal form
    fold       : Value       -> Value | None  a simpler value with the same bits
    dims       : TensorType  -> str | None    which extents are the same extent
    localized  : TensorType  -> Op            the same operation on pieces, cut as dims allows
    from_row   : Value       -> Value         the same on pieces of rows that indices count, cut as dims allows

Operands keep their names and order in every method, so a rule reads the same at each level.  The base class leaves
them open (`*operands: Any, **_: Any`), since every op names its own.
"""

from __future__ import annotations

import enum
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from .attributes import Kind
from .diagnostics import Reject, count
from .python_function import PythonFunction
from .rounding_growth import Rounding
from .vocabulary import Vocabulary

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:
    from typing_extensions import dataclass_transform

if TYPE_CHECKING:
    import numpy

    from .literal import Literal
    from .mesh import Mesh, PartitionSpec
    from .types import TensorType

RuleBuilder: TypeAlias = Any
"""A `builder.Builder`, which rules emit through.  Builders know operations, and operations nothing of builders."""

Term: TypeAlias = Any
"""A value of that builder, `builder.Value`."""


class Linearity(enum.Enum):
    """How the result depends on the floating-point operands.  It decides which derivative rule an operation owes."""

    JOINT = "linear in all operands together: owes adjoint; its jvp is the operation itself"
    EACH = "linear in each operand: owes adjoint; its jvp is the product rule"
    NONLINEAR = "not linear: owes jvp, written in linear operations"
    CONSTANT = "its derivative is zero wherever it exists: owes nothing"
    OPAQUE = "has no derivative (E5001): owes nothing"


class Op:
    """Base of every Core IR operation.  Subclasses are declared with `@op`; their fields are the attributes."""

    linearity: ClassVar[Linearity]
    """Which derivative rule the operation owes.  Integer operands are constants whatever it says."""

    core_v1_gradient: ClassVar[bool] = True
    """False for operations that profile core-v1 does not differentiate (E5001), though they have a rule."""

    commutative: ClassVar[bool] = False
    """True if swapping the operands changes no bit of the result."""

    core_v1: ClassVar[bool] = True
    """False for operations beyond Core v1; profile core-v1 refuses them (E4012)."""

    keeps_nan_bits: ClassVar[bool] = False
    """True if the bits of a NaN in the result follow from the operands alone.

    Elsewhere they depend on the machine, and constant folding writes the quiet NaN.
    """

    across_ranks: ClassVar[bool] = False
    """True for operations between the ranks of a mesh, which stand in modules for one rank."""

    lowers_empty: ClassVar[bool] = False
    """True if `lower` runs although the result has no element: for an argument, and where indices are checked."""

    moves_nothing: ClassVar[bool] = False
    """True if the result has the operand's elements in their order, so that it can be the same memory."""

    updates_operand: ClassVar[bool] = False
    """True if the result is the first operand with some elements changed, and best computed in its memory."""

    foldable: ClassVar[bool] = True
    """False for operations that constant folding leaves alone: Input, and constants themselves."""

    python_function: ClassVar[PythonFunction | None] = None
    """Its function in Python, `mind.tanh` of Tanh; None if it has none that is made from the class."""

    rounding: ClassVar[Rounding] = Rounding()
    """How far the result may be off by rounding, and what it makes of operands that are off."""

    peer: ClassVar[str] = ""
    """The JAX function of its operands that tests compare it with, `jax.numpy.tanh`; empty if there is no such one."""

    opcode: ClassVar[str]
    mnemonic: ClassVar[str]
    """The name in the MLIR dialect `mind`: the opcode in snake case, `expand_dims`, unless the class states another."""

    kinds: ClassVar[dict[str, Kind]]
    defaults: ClassVar[dict[str, Any]]
    operand_names: ClassVar[tuple[str, ...]]
    attribute_names: ClassVar[tuple[str, ...]]
    """The attributes that are written: all but those that the result type says."""

    def infer_type(self, *operands: Any, **_: Any) -> TensorType:
        """The type of the result.  Reject says why there is none."""
        raise NotImplementedError  # never reached: `@op` refuses a class without its own

    def evaluate(self, *operands: Any, **_: Any) -> numpy.ndarray:
        """The value, in NumPy: of the inferred type, in memory of its own or a view."""
        raise NotImplementedError  # never reached: `@op` refuses a class without its own

    def lower(self, e: Any, result: TensorType, *operands: Any, **_: Any) -> Any:
        """The same value as MLIR, of type `result`, through the emitter `e`."""
        raise NotImplementedError  # never reached: `@op` refuses a class without its own

    @property
    def literal(self) -> Literal | None:
        """The elements of a constant; None for every other operation."""
        return None

    @property
    def placement(self) -> PartitionSpec | None:
        """How the value comes to lie on the mesh, for an operation that does nothing else; None for every other one."""
        return None

    def jvp(
        self, b: RuleBuilder, primals: tuple[Term, ...], tangents: tuple[Term | None, ...], result: Term
    ) -> Term | None:
        """The tangent of `result`, linear in the tangents of the operands.  None is a tangent known to be zero.

        Follows from `linearity` unless that is NONLINEAR.
        """
        if self.linearity is Linearity.JOINT:  # y = L(x)  ->  ẏ = L(ẋ)
            return b.emit(self, *(_no_tangent(b, p) if t is None else t for p, t in zip(primals, tangents)))
        assert self.linearity is Linearity.EACH, f"{self.opcode} owes a jvp"
        total: Term | None = None
        for i, t in enumerate(tangents):  # y = x₁·x₂  ->  ẏ = ẋ₁·x₂ + x₁·ẋ₂
            if t is not None:
                term = b.emit(self, *primals[:i], t, *primals[i + 1 :])
                total = term if total is None else total + term
        return total

    def adjoint(self, b: RuleBuilder, ct: Term, operands: tuple[Term, ...], wrt: int) -> Term:
        """What the cotangent of the result contributes to that of operand `wrt`, in which the operation is linear.

        Of operands in which the operation is linear only the type is known: their values are being solved for.
        """
        raise NotImplementedError  # never reached: `@op` refuses a linear class without its own

    def smooth_at(self, *operands: Any, **_: Any) -> bool:
        """True if at these arrays no pole and no edge is so near that differences miss the derivative.

        Random tests of derivatives draw such arrays only.
        """
        return True

    def linear_in(self, operands: frozenset[int]) -> bool:
        """True if the result is linear in these operands together, the others held fixed."""
        return self.linearity is Linearity.JOINT or (self.linearity is Linearity.EACH and len(operands) == 1)

    def check_before_run(self, *operands: Any, **_: Any) -> None:
        """Errors that are known before anything runs although the module is valid (E6xxx)."""

    def check_mesh(self, mesh: Mesh | None, *operands: Any, **_: Any) -> None:
        """Reject, E8xxx, if it does not fit the mesh of its module."""

    def scratch(self, *operands: Any, **_: Any) -> tuple[TensorType, ...]:
        """What is held besides operands and result while this runs; counted before a run (E6004)."""
        return ()

    def check_core_v1(self, *operands: Any, **_: Any) -> None:
        """E4012 if this operation, as written, is not part of Core v1."""
        if not self.core_v1:
            raise Reject(
                "E4012",
                f"{self.opcode} is not part of profile core-v1",
                help="--profile=extended has it; see docs/ops.md",
            )

    def canonical(self, *operands: Any, **_: Any) -> Op:
        """This operation with its attributes in normal form: no negative axes, no -1 in shapes."""
        return self

    def fold(self, b: RuleBuilder, *operands: Any, **_: Any) -> Term | None:
        """A simpler value with the same bits, or None.  What it emits through `b` is simplified in turn."""
        return None

    def dims(self, *operands: Any, **_: Any) -> str | None:
        """Named dimensions, `"i k, k j -> i j"`, or None when the result cannot be computed piece by piece.

        A name in the result may be cut in two and the pieces joined, by the operation that `localized` gives; a name
        only in operands is summed over, and the pieces added; along a name only in the result every piece is computed
        from the whole operands.  `1` is an extent of 1 that broadcasting stretches, `_` a dimension that must stay
        whole, `...` right-aligned batch dimensions, `(d0=4 d1=3)` one of extent 12 that is merged of two.  Where the
        result is linear in all operands together, an operand without the name that is summed over counts in one piece.
        A name that begins with `#` is one of rows that `indices` count: pieces along it are what `from_row` gives.
        """
        return None

    def localized(self, result: TensorType, *operands: Any, **_: Any) -> Op:
        """This operation on pieces, cut as `dims` allows, of these types: extents among its attributes are theirs."""
        return self

    def from_row(self, b: RuleBuilder, start: Term, extent: int, *operands: Any) -> Term:
        """The value on a piece of the rows `#r` of `dims`, which begins at row `start` of `extent`.

        `start` has one element, of the dtype of the indices.  Indices are those of all rows; E6001 is as for all rows.
        """
        raise NotImplementedError  # never reached: an operation whose dims name `#r` has its own

    def decomposed(self, b: RuleBuilder, *operands: Any, **_: Any) -> Term | None:
        """The same value in operations that `dims` lets be cut further; None if there are none."""
        return None

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        """Typical and edge instances with operand types.  The laws in pytests/test_op_laws.py run over these."""
        return []

    @classmethod
    def from_syntax(cls, written: Mapping[str, Any], declared: TensorType | None) -> Op:
        """The operation from its written attributes.  E4013 for one that is missing or of the wrong kind."""
        values: dict[str, Any] = {}
        for name, kind in cls.kinds.items():
            if kind.implied:
                if declared is None:
                    raise Reject("E2003", f"the type of {cls.opcode} cannot be inferred", help="write it after a colon")
                values[name] = declared
            elif name in written:
                values[name] = kind.read(name, written[name])
            elif name not in cls.defaults:
                raise cls._missing(name)
        return cls(**values)

    @classmethod
    def _missing(cls, name: str) -> Reject:
        return Reject("E4013", f"{cls.opcode} needs attribute {name}", help=cls.attributes_help())

    @classmethod
    def attributes_help(cls) -> str:
        """`Sum has: axes, keepdims`, for the help of an error."""
        names = cls.attribute_names
        return f"{cls.opcode} has: {', '.join(names)}" if names else f"{cls.opcode} has no attributes"

    def attributes(self) -> dict[str, Any]:
        """Attributes by name, without those that the result type says or that have their default value."""
        return {n: v for n in self.attribute_names if (v := getattr(self, n)) != self.defaults.get(n, MISSING)}

    def attribute_text(self) -> str:
        """`axes = [0], keepdims = false`, alphabetical; empty if there is nothing to write."""
        return "".join(self.attribute_pieces())

    def attribute_pieces(self) -> Iterator[str]:
        """The attribute text in pieces, so that printing a large constant holds little of it at a time."""
        attributes = self.attributes()
        yield ", ".join(f"{n} = {self.kinds[n].show(attributes[n])}" for n in sorted(attributes))

    def __post_init__(self) -> None:
        for name, kind in self.kinds.items():
            value = getattr(self, name)
            if (taken := kind.take(name, value)) is not value:
                object.__setattr__(self, name, taken)


def _no_tangent(b: RuleBuilder, primal: Term) -> Term:
    """What stands for a tangent known to be zero; integer operands are constants."""
    return b.zeros(primal.type) if primal.dtype.is_float else primal


def check_operand_count(op: Op | type[Op], found: int) -> None:
    """E2007 unless `op` takes `found` operands."""
    names = op.operand_names
    if found != len(names):
        takes = count(len(names), "operand") + (f" ({', '.join(names)})" if names else "")
        raise Reject("E2007", f"{op.opcode} takes {takes}, found {found}")


OPS: Vocabulary[type[Op]] = Vocabulary("mind_mlir.ops")
"""Every declared op, by opcode; those of the package mind_mlir.ops are imported when they are looked up."""

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_OWES = ("infer_type", "evaluate", "lower", "samples")
_OWED_RULE: dict[Linearity | None, list[str]] = {
    Linearity.JOINT: ["adjoint"],
    Linearity.EACH: ["adjoint"],
    Linearity.NONLINEAR: ["jvp"],
}


@dataclass_transform(frozen_default=True)
def op(cls: Any) -> Any:
    """Declare an op: freeze it, check that it has what every op owes, and put it in `OPS`.

    TypeError at import if a method, the docstring or an attribute's kind is missing, or the name is taken.
    """
    cls = dataclass(frozen=True)(cls)
    name = cls.__name__
    owed = [*_OWES, *_OWED_RULE.get(getattr(cls, "linearity", None), [])]
    missing = [rule for rule in owed if _plain(cls, rule) is _plain(Op, rule)]
    if not hasattr(cls, "linearity"):
        missing.append("linearity")
    if missing or not cls.__dict__.get("__doc__") or cls.__doc__.startswith(f"{name}("):
        raise TypeError(f"op {name}: missing {missing or 'docstring'}")
    cls.opcode = name
    cls.mnemonic = cls.__dict__.get("mnemonic") or _WORD_STARTS.sub("_", name).lower()
    cls.kinds = {f.name: _kind(cls, f.name, f.type) for f in fields(cls)}
    cls.attribute_names = tuple(n for n, k in cls.kinds.items() if not k.implied)
    cls.defaults = {f.name: f.default for f in fields(cls) if f.default is not MISSING}
    cls.operand_names = _parameter_names(cls.infer_type)[1:]
    _check_function(cls)
    OPS.declare(cls)
    return cls


def _check_function(cls: type[Op]) -> None:
    """TypeError if the function that a class states cannot be made from it, or is not found by its name."""
    if cls.python_function is None:
        return
    if cls.python_function.name != cls.mnemonic:
        raise TypeError(f"op {cls.opcode}: its function is called {cls.mnemonic}, found {cls.python_function.name}")
    if cls.kinds or len(cls.operand_names) not in (1, 2):
        raise TypeError(f"op {cls.opcode}: a function is made for one or two operands and no attributes")


def _kind(cls: type, name: str, annotation: Any) -> Kind:
    """The attribute kind in a field's annotation, such as `axes: Axes`."""
    if isinstance(annotation, str):
        owner = next(c for c in cls.__mro__ if name in c.__dict__.get("__annotations__", ()))
        annotation = eval(annotation, vars(sys.modules[owner.__module__]))
    found = [m for m in getattr(annotation, "__metadata__", ()) if isinstance(m, Kind)]
    if len(found) != 1:
        raise TypeError(f"op {cls.__name__}: field {name} is not annotated with an attribute kind")
    return found[0]


def _parameter_names(fn: Any) -> tuple[str, ...]:
    code = fn.__code__
    return tuple(code.co_varnames[: code.co_argcount])


def _plain(cls: type, name: str) -> Any:
    return getattr(getattr(cls, name), "__func__", getattr(cls, name))
