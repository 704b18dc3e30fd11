"""The base class of operations: a frozen value with the attributes, and a method for each interpretation.

    infer_type : TensorType  -> TensorType    the type of the result, or an error     (E2xxx, E3xxx, E4xxx)
    evaluate   : ndarray     -> ndarray       the value, in NumPy; the oracle of every other rule
    jvp        : Value       -> Value         the tangent of the result, as Core IR
    adjoint    : Value       -> Value         the adjoint of a linear operation, as Core IR
    lower      : MLIR value  -> MLIR value    the same computation, as linalg on tensors
    canonical  : TensorType  -> Op            the same operation with its attributes in normal form
    fold       : Value       -> Value | None  a simpler value with the same bits
    dims       : TensorType  -> str | None    which extents are the same extent
    localized  : TensorType  -> Op            the same operation on pieces, cut as dims allows
    from_row   : Value       -> Value         the same on pieces of rows that indices name, cut as dims allows

Operands keep their names and order in every method, so a rule reads the same at each level. The base class leaves
them open (`*operands: Any, **_: Any`), since every op names its own. An op with any number of operands names the rest
of them `*parts`. Where this text says "the result" and an op has several, as its `result_names` say, a rule gets a
tuple, one for each, and gives a tuple.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from .attributes import Kind
from .diagnostics import Reject, count
from .lazy import np
from .python_function import PythonFunction
from .rounding_growth import Rounding
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy

    from .literal import Literal
    from .mesh import Mesh, PartitionSpec
    from .types import TensorType

RuleBuilder: TypeAlias = Any
"""A `builder.Builder`, through which rules emit. Builders know operations, but operations do not know builders."""

Term: TypeAlias = Any
"""A value of that builder, `builder.Value`."""


class Linearity(enum.Enum):
    """How the result depends on the floating-point operands, which decides the derivative rule that an op defines."""

    JOINT = "linear in all operands together: owes adjoint; its jvp is the operation itself"
    EACH = "linear in each operand: owes adjoint; its jvp is the product rule"
    NONLINEAR = "not linear: owes jvp, written in linear operations"
    CONSTANT = "its derivative is zero wherever it exists: owes nothing"
    OPAQUE = "has no derivative (E5001): owes nothing"


class Op:
    """The base class of operations. Subclasses are declared with `@op`; their fields are the attributes."""

    linearity: ClassVar[Linearity]
    """It decides which derivative rule the operation defines. Integer operands are constants in any case."""

    core_v1_gradient: ClassVar[bool] = True
    """False for operations that profile core-v1 does not differentiate (E5001), though they have a rule."""

    commutative: ClassVar[bool] = False
    """True if swapping the operands changes no bit of the result."""

    core_v1: ClassVar[bool] = True
    """False for operations beyond Core v1; profile core-v1 refuses them (E4012)."""

    keeps_nan_bits: ClassVar[bool] = False
    """True if the bits of a NaN in the result follow from the operands alone.

    Otherwise they depend on the machine, and constant folding writes the quiet NaN.
    """

    across_ranks: ClassVar[bool] = False
    """True for operations between the ranks of a mesh, which occur in modules for one rank."""

    lowers_empty: ClassVar[bool] = False
    """True if `lower` runs although the result has no element: for an argument, and where indices are checked."""

    moves_nothing: ClassVar[bool] = False
    """True if the result has the operand's elements in their order, so that it can be the same memory."""

    updates_operand: ClassVar[bool] = False
    """True if the result is the first operand with some elements changed, and best computed in its memory."""

    foldable: ClassVar[bool] = True
    """False for operations that constant folding leaves alone: Input, and constants themselves."""

    python_function: ClassVar[PythonFunction | None] = None
    """The function in Python that is made from the class, such as `mind.tanh` of Tanh; None if there is none."""

    rounding: ClassVar[Rounding] = Rounding()
    """How far the result may be off by rounding, and by operands that are off."""

    widens: ClassVar[bool] = True
    """True if it computes in f32 on floats of 16 bits, and False if it takes them as they are.

    Unless the class states it, False where `rounding` says that elements are moved, chosen or taken as bits.
    """

    peer: ClassVar[str] = ""
    """The JAX function of the operands with which tests compare it, such as `jax.numpy.tanh`; empty if there is none.

    One takes a list if there may be any number of operands. For several results there is one for each.
    """

    opcode: ClassVar[str]
    mnemonic: ClassVar[str]
    """The name in the MLIR dialect `mind`: the opcode in snake case, `expand_dims`, unless the class states another."""

    kinds: ClassVar[dict[str, Kind]]
    defaults: ClassVar[dict[str, Any]]
    operand_names: ClassVar[tuple[str, ...]]
    """Those of `infer_type`; a last one `*parts` stands for any number of operands."""

    result_names: ClassVar[tuple[str, ...]] = ("result",)
    """One for each result; a last one `*results` stands for any number of them."""

    attribute_names: ClassVar[tuple[str, ...]]
    """The attributes that are written: all except those that the result type determines."""

    function_attributes: ClassVar[tuple[str, ...]] = ()
    """The attributes that hold functions."""

    def infer_type(self, *operands: Any, **_: Any) -> Any:
        """The type of the result, or a tuple of types. Reject says why there is none."""
        raise NotImplementedError  # never reached: `@op` refuses a class without its own

    def result_types(self, *operands: TensorType) -> tuple[TensorType, ...]:
        """The types of the results, one or more. Reject as `infer_type`."""
        found = self.infer_type(*operands)
        return found if isinstance(found, tuple) else (found,)

    def evaluate(self, *operands: Any, **_: Any) -> Any:
        """The value, in NumPy: of the inferred type, in memory of its own or a view."""
        raise NotImplementedError  # never reached: `@op` refuses a class without its own

    def result_arrays(self, *operands: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
        """The values of the results, one or more, as `evaluate` gives them."""
        found = self.evaluate(*operands)
        return tuple(map(np.asarray, found)) if isinstance(found, tuple) else (np.asarray(found),)

    def lower(self, e: Any, result: Any, *operands: Any, **_: Any) -> Any:
        """The same value as MLIR, of type `result`, through the emitter `e`."""
        raise NotImplementedError  # never reached: `@op` refuses a class without its own

    @property
    def literal(self) -> Literal | None:
        """The elements of a constant; None for every other operation."""
        return None

    @property
    def placement(self) -> PartitionSpec | None:
        """The sharding that the operation gives its operand, if it does nothing else; None for any other operation."""
        return None

    def jvp(self, b: RuleBuilder, primals: tuple[Term, ...], tangents: tuple[Term | None, ...], result: Term) -> Any:
        """The tangent of `result`, linear in the tangents of the operands. None stands for a tangent of zero.

        It follows from `linearity` unless that is NONLINEAR.
        """
        if self.linearity is Linearity.JOINT:  # y = L(x)  ->  ẏ = L(ẋ)
            found = b.emit_all(self, *(_no_tangent(b, p) if t is None else t for p, t in zip(primals, tangents)))
        else:
            assert self.linearity is Linearity.EACH, f"{self.opcode} owes a jvp"
            found = None
            for i, t in enumerate(tangents):  # y = x₁·x₂  ->  ẏ = ẋ₁·x₂ + x₁·ẋ₂
                if t is not None:
                    term = b.emit_all(self, *primals[:i], t, *primals[i + 1 :])
                    found = term if found is None else tuple([x + y for x, y in zip(found, term)])
        return found if found is None or isinstance(result, tuple) else found[0]

    def adjoint(self, b: RuleBuilder, ct: Term, operands: tuple[Term, ...], wrt: int) -> Term:
        """The contribution of the result's cotangent to that of operand `wrt`, in which the operation is linear.

        Only the types of operands in which the operation is linear may be used, since their values are not computed. Of
        several results, `ct` has None for those whose cotangent is zero.
        """
        raise NotImplementedError  # never reached: `@op` refuses a linear class without this or `adjoints`

    def adjoints(self, b: RuleBuilder, ct: Term, operands: tuple[Term, ...], wrt: Sequence[int]) -> Iterable[Term]:
        """`adjoint` for each of the operands `wrt`; an op that finds them together has its own."""
        for n in wrt:
            yield self.adjoint(b, ct, operands, n)

    def smooth_at(self, *operands: Any, **_: Any) -> bool:
        """True if no pole and no edge is so near to these arrays that finite differences miss the derivative.

        Random tests of derivatives use such arrays only.
        """
        return True

    @classmethod
    def has_one_result(cls) -> bool:
        """True if there is always one result."""
        return len(cls.result_names) == 1 and not is_open(cls.result_names)

    @classmethod
    def operand_name(cls, n: int) -> str:
        """What operand `n` is called: `lhs`, or `parts[2]` where there may be any number."""
        *fixed, last = cls.operand_names
        if n < len(fixed) or not last.startswith("*"):
            return cls.operand_names[n]
        return f"{last[1:]}[{n - len(fixed)}]"

    @classmethod
    def names_positions(cls, n: int) -> bool:
        """True if operand `n` says where in the first one elements are: it is called `indices` or `starts`."""
        return cls.operand_name(n).partition("[")[0] in ("indices", "starts")

    def span(self, input: TensorType) -> int:
        """How many positions in the first operand every index may name, from 0 on: rows, if not overridden."""
        return input.shape[0] if input.shape else 1

    def linear_in(self, operands: frozenset[int]) -> bool:
        """True if the result is linear in these operands together, the others held fixed."""
        return self.linearity is Linearity.JOINT or (self.linearity is Linearity.EACH and len(operands) == 1)

    def check_before_run(self, *operands: Any, **_: Any) -> None:
        """Errors of a valid module that are known before it runs (E6xxx)."""

    def check_mesh(self, mesh: Mesh | None, *operands: Any, **_: Any) -> None:
        """Reject, E8xxx, if the operation does not fit the mesh of its module."""

    def scratch(self, *operands: Any, **_: Any) -> tuple[TensorType, ...]:
        """The types of memory needed besides operands and result while this runs; counted before a run (E6004)."""
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
        """The operation with its attributes in normal form: no negative axes, no -1 in shapes."""
        return self

    def fold(self, b: RuleBuilder, *operands: Any, **_: Any) -> Term | None:
        """A simpler value with the same bits, or None. Operations emitted through `b` are simplified too."""
        return None

    def dims(self, *operands: Any, **_: Any) -> str | None:
        """Named dimensions, such as `"i k, k j -> i j"`; None if the result cannot be computed piece by piece.

        A name in the result may be cut in two and the pieces joined, by the operation that `localized` gives; a name
        only in operands is summed over, and the pieces added; along a name only in the result every piece is computed
        from the whole operands. `1` is an extent of 1 that broadcasting stretches, `_` a dimension that must stay
        whole, `...` right-aligned batch dimensions, `(d0=4 d1=3)` one of extent 12 that is merged of two. Where the
        result is linear in all operands together, an operand without the name that is summed over counts in one piece.
        A name that begins with `#` is one of rows that `indices` name: `from_row` gives the pieces along it.
        """
        return None

    def localized(self, result: TensorType, *operands: Any, **_: Any) -> Op:
        """The operation on pieces of these types, cut as `dims` allows: its attributes have their extents."""
        return self

    def from_row(self, b: RuleBuilder, start: Term, extent: int, *operands: Any) -> Term:
        """The value on a piece of the rows `#r` of `dims`, which begins at row `start` of `extent`.

        `start` has one element, of the dtype of the indices. Indices are those of all rows; E6001 is as for all rows.
        """
        raise NotImplementedError  # never reached: an operation whose dims name `#r` has its own

    def decomposed(self, b: RuleBuilder, *operands: Any, **_: Any) -> Term | None:
        """The same value by operations that can be cut further; None if there are none."""
        return None

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        """Typical and edge instances with operand types, on which pytests/test_op_laws.py checks the laws."""
        return []

    @classmethod
    def from_syntax(cls, written: Mapping[str, Any], declared: TensorType | None) -> Op:
        """The operation from its written attributes. E4013 for one that is missing or of the wrong kind."""
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
        """The attributes, for the help of an error: `Sum has: axes, keepdims`."""
        names = cls.attribute_names
        return f"{cls.opcode} has: {', '.join(names)}" if names else f"{cls.opcode} has no attributes"

    def attributes(self) -> dict[str, Any]:
        """Attributes by name, without those that the result type determines or that have their default value."""
        return {n: v for n in self.attribute_names if (v := getattr(self, n)) != self.defaults.get(n, MISSING)}

    def functions(self) -> tuple[Any, ...]:
        """The functions that it holds, each a `module.Function`: modules know operations, not the other way round."""
        held: list[Any] = []
        for name in self.function_attributes:
            value = getattr(self, name)
            held += value if isinstance(value, tuple) else (value,)
        return tuple(held)

    def with_functions(self, new: Mapping[Any, Any]) -> Op:
        """The same operation with the functions that it holds replaced."""
        made: dict[str, Any] = {}
        for name in self.function_attributes:
            value = getattr(self, name)
            made[name] = tuple([new[f] for f in value]) if isinstance(value, tuple) else new[value]
        return replace(self, **made) if made else self  # type: ignore[type-var]

    def attribute_text(self) -> str:
        """`axes = [0], keepdims = false`, alphabetical; empty if there is nothing to write."""
        return "".join(self.attribute_pieces())

    def attribute_pieces(self) -> Iterator[str]:
        """The attribute text in pieces, so that printing a large constant takes little memory."""
        attributes = self.attributes()
        yield ", ".join(f"{n} = {self.kinds[n].show(attributes[n])}" for n in sorted(attributes))

    def __post_init__(self) -> None:
        for name, kind in self.kinds.items():
            value = getattr(self, name)
            if (taken := kind.take(name, value)) is not value:
                object.__setattr__(self, name, taken)


def _no_tangent(b: RuleBuilder, primal: Term) -> Term:
    """The value used for a tangent of zero; integer operands are constants."""
    return b.zeros(primal.type) if primal.dtype.is_float else primal


def check_operand_count(op: Op | type[Op], found: int) -> None:
    """E2007 unless `op` takes `found` operands."""
    names = op.operand_names
    if found == len(names) and not is_open(names):
        return
    if is_open(names):
        if found < (least := len(names) - 1):
            named = f" ({', '.join(names[:-1])})"
            raise Reject("E2007", f"{op.opcode} takes {count(least, 'operand')}{named} or more, found {found}")
        return
    takes = count(len(names), "operand") + (f" ({', '.join(names)})" if names else "")
    raise Reject("E2007", f"{op.opcode} takes {takes}, found {found}")


def check_result_count(op: Op | type[Op], named: int, found: int) -> None:
    """E2008 unless a line that names `named` results and has `found` types of results has as many as `op`."""
    names = op.result_names
    if named != found:
        raise Reject(
            "E2008", f"{count(named, 'value')} and {count(found, 'type')} stand beside {op.opcode}", at="value"
        )
    if named != len(names) if not is_open(names) else named < len(names) - 1:
        least = f"{len(names) - 1} or more" if is_open(names) else len(names)
        has = f"{least} results ({', '.join(names)})" if len(names) > 1 else count(1, "result")
        raise Reject("E2008", f"{op.opcode} has {has}, the line names {named}", at="value")


def is_open(names: tuple[str, ...]) -> bool:
    """True if these names of operands or of results leave it open how many there are."""
    return bool(names) and names[-1].startswith("*")


OPS: Vocabulary[type[Op]] = Vocabulary("mind_mlir.ops")
"""Opcode -> declared op; those of the package mind_mlir.ops are imported when they are looked up."""
