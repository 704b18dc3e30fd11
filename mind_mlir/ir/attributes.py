"""The kinds of attribute an operation can have: how each is read, checked and written.

An op class annotates its fields with the aliases at the end of this file (`axes: Axes`); parser, printer, builder and
docs follow from the kind. A kind reads what was written in the form of written.py.
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypeAlias

from .diagnostics import MindError, Reject, short
from .literal import Literal
from .mesh import PartitionSpec, read_spec
from .numbers import element_bits
from .types import MAX_EXTENT, DType, Shape, TensorType
from .written import Call, Quoted, Word, describe, quote


class Kind:
    """How one kind of attribute is read from syntax, taken from Python, and written."""

    wants = "a value"
    """Completes "expected …" in messages, and describes the kind in docs/ops.md."""

    implied = False
    """True for attributes that are not written, because the result type determines them."""

    holds_functions = False
    """True for attributes whose value is a function or a tuple of them; see function_kinds.py."""

    def read(self, name: str, syntax: object) -> Any:
        """The Python value of what was written. E4013 if it is of another kind."""
        raise NotImplementedError  # for implied kinds and Data, whose ops read them themselves

    def take(self, name: str, value: Any) -> Any:
        """The attribute from a Python value, in its one normal form. E4013 if it is of another kind."""
        raise NotImplementedError  # every kind has its own

    def show(self, value: Any) -> str:
        """The attribute as text."""
        raise NotImplementedError  # for implied kinds and Data, as in `read`

    def wrong(self, name: str, found: str) -> Reject:
        return Reject("E4013", f"attribute {name}: expected {self.wants}, found {found}", at=name)


class IntsKind(Kind):
    """A list of i64."""

    wants = "a list of integers"

    def read(self, name: str, syntax: object) -> Any:
        if not isinstance(syntax, list):
            raise self.wrong(name, describe(syntax))
        return tuple(self._read_one(name, x) for x in syntax)

    def _read_one(self, name: str, x: object) -> int:
        if type(x) is not str:
            raise self.wrong(name, f"{describe(x)} in it")
        return _integer(self, name, x)

    def take(self, name: str, value: Any) -> tuple[int, ...]:
        if type(value) is tuple and all(type(x) is int for x in value):
            ints: tuple[int, ...] = value
        else:
            if isinstance(value, (str, bytes)):
                raise self.wrong(name, repr(value))
            try:
                value = tuple(value)
                if any(isinstance(x, bool) for x in value):
                    raise TypeError
                ints = tuple(operator.index(x) for x in value)
            except TypeError:
                raise self.wrong(name, repr(value)) from None
        for x in ints:
            if not -MAX_EXTENT - 1 <= x <= MAX_EXTENT:
                raise Reject("E4013", f"attribute {name}: {short(str(x))} is outside the range of i64", at=name)
        return ints

    def show(self, value: Any) -> str:
        return f"[{', '.join(map(str, value))}]"


class AxesKind(IntsKind):
    """Axes of an operand; --strict-axes checks attributes of this kind."""

    wants = "a list of axes"


class ShapeKind(IntsKind):
    """Extents of a tensor."""

    wants = "a list of extents, none negative"

    def take(self, name: str, value: Any) -> Shape:
        shape = super().take(name, value)
        for i, n in enumerate(shape):
            if n < 0:
                raise Reject("E3006", f"extent {i} of {list(shape)} is {n}", at=name)
        return shape


class FlagKind(Kind):
    """A truth value."""

    wants = "true or false"

    def read(self, name: str, syntax: object) -> Any:
        if isinstance(syntax, Word) and syntax.lower() in ("true", "false"):
            return syntax.lower() == "true"
        raise self.wrong(name, describe(syntax))

    def take(self, name: str, value: Any) -> bool:
        if type(value) is bool:
            return value
        if type(value).__name__ in ("bool_", "bool"):  # NumPy's
            return bool(value)
        raise self.wrong(name, repr(value))

    def show(self, value: Any) -> str:
        return "true" if value else "false"


class NameKind(Kind):
    """Any string, written in quotes."""

    wants = "a string"

    def read(self, name: str, syntax: object) -> Any:
        if isinstance(syntax, (Quoted, Word)):
            return str(syntax)
        raise self.wrong(name, describe(syntax))

    def take(self, name: str, value: Any) -> str:
        if isinstance(value, str) and (value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)):
            return str(value)  # half of a surrogate pair is not text
        raise self.wrong(name, ascii(value))

    def show(self, value: Any) -> str:
        return quote(value)


class DTypeKind(Kind):
    """An element type, also in quotes."""

    wants = f"a dtype: {DType.listed('or')}"

    def read(self, name: str, syntax: object) -> Any:
        if isinstance(syntax, (Quoted, Word)):
            return read_dtype(str(syntax), at=name)
        raise self.wrong(name, describe(syntax))

    def take(self, name: str, value: Any) -> DType:
        try:
            return DType.of(value)
        except (ValueError, TypeError):
            raise self.wrong(name, repr(value)) from None

    def show(self, value: Any) -> str:
        return str(value)


class OptionalDTypeKind(DTypeKind):
    """An element type, or None for that of the operands."""

    wants = f"{DTypeKind.wants}, or none"

    def read(self, name: str, syntax: object) -> Any:
        return None if isinstance(syntax, Word) and syntax == "none" else super().read(name, syntax)

    def take(self, name: str, value: Any) -> Any:
        return None if value is None else super().take(name, value)

    def show(self, value: Any) -> str:
        return "none" if value is None else super().show(value)


class ChoiceKind(Kind):
    """One of a few words, written in quotes."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.wants = " or ".join(f'"{c}"' for c in choices)

    def read(self, name: str, syntax: object) -> Any:
        if isinstance(syntax, (Quoted, Word)):
            return self.take(name, str(syntax))
        raise self.wrong(name, describe(syntax))

    def take(self, name: str, value: Any) -> str:
        if isinstance(value, str) and value in self.choices:
            return str(value)
        raise self.wrong(name, repr(value))

    def show(self, value: Any) -> str:
        return quote(value)


class PaddingKind(Kind):
    """The padding of a convolution: "Valid", "Same" or ((low, high), (low, high))."""

    wants = '"Valid", "Same" or [[low, high], [low, high]]'

    def read(self, name: str, syntax: object) -> Any:
        match syntax:
            case str() if isinstance(syntax, (Quoted, Word)):
                return str(syntax)
            case Call("Custom", (list() as pairs,)):
                return self.read(name, pairs)
            case [[_, _], [_, _]]:
                return tuple(INTS.read(name, pair) for pair in syntax)  # type: ignore[attr-defined]
        raise Reject("E4010", f"padding: expected {self.wants}, found {describe(syntax)}", at=name)

    def take(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            if value.lower() in ("valid", "same"):
                return value.capitalize()
            raise Reject("E4010", f"padding: expected {self.wants}, found {value!r}", at=name)
        try:
            rows, columns = (INTS.take(name, pair) for pair in value)
            (top, bottom), (left, right) = rows, columns
        except (TypeError, ValueError):
            raise Reject("E4010", f"padding: expected {self.wants}, found {value!r}", at=name) from None
        if min(top, bottom, left, right) < 0:
            raise Reject("E4010", f"padding {self.show((rows, columns))} has a negative entry", at=name)
        return rows, columns

    def show(self, value: Any) -> str:
        return quote(value) if isinstance(value, str) else f"[{INTS.show(value[0])}, {INTS.show(value[1])}]"


class ShardingKind(Kind):
    """The sharding of a value."""

    wants = "a sharding, such as [dp, _] or partial([dp, _], [tp])"

    def read(self, name: str, syntax: object) -> Any:
        try:
            spec = read_spec(syntax)
        except MindError as why:
            raise Reject(why.code, why.message, help=why.diagnostics[0].help, at=name) from None
        if spec is None:
            raise self.wrong(name, describe(syntax))
        return spec

    def take(self, name: str, value: Any) -> PartitionSpec:
        if isinstance(value, PartitionSpec):
            return value
        raise self.wrong(name, repr(value))

    def show(self, value: Any) -> str:
        return str(value)


class ShardingsKind:
    """The shardings of an operation with several results, for the attribute beside the operation."""

    def read(self, name: str, syntax: object, results: int) -> tuple[PartitionSpec | None, ...]:
        """One for each result; `open` leaves it open. E4013, E8003."""
        if not isinstance(syntax, list) or len(syntax) != results:
            wants = f"{name} takes a list of {results}, such as [[dp, _], open], found {describe(syntax)}"
            raise Reject("E4013", wants, at=name)
        return tuple([None if s == "open" else SHARDING.read(name, s) for s in syntax])


class CountKind(Kind):
    """A number from 0 on."""

    wants = "an integer, 0 or more"

    def read(self, name: str, syntax: object) -> Any:
        if type(syntax) is not str:
            raise self.wrong(name, describe(syntax))
        return _integer(self, name, syntax)

    def take(self, name: str, value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            raise self.wrong(name, repr(value)) from None
        if isinstance(value, bool) or not 0 <= number <= MAX_EXTENT:
            raise self.wrong(name, short(repr(value)))
        return number

    def show(self, value: Any) -> str:
        return str(value)


class ScalarKind(Kind):
    """One element of a fixed dtype."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype
        self.wants = f"a number of {dtype}"

    def read(self, name: str, syntax: object) -> Any:
        if type(syntax) is not str:
            raise self.wrong(name, describe(syntax))
        try:
            return Literal(self.dtype, element_bits(self.dtype, syntax))
        except Reject as why:
            why.at = name
            raise

    def take(self, name: str, value: Any) -> Literal:
        if isinstance(value, Literal):
            if value.dtype is self.dtype and value.is_splat:
                return value
            raise self.wrong(name, f"a literal of {value.dtype}")
        try:
            return Literal.scalar(self.dtype, value)
        except Reject as why:
            why.at = name
            raise

    def show(self, value: Any) -> str:
        return str(value.texts()[0])


class DataKind(Kind):
    """All elements of a constant. Reading and writing need the shape, so ConstTensor does both itself."""

    wants = 'nested lists of numbers, splat(number) or base64("…")'

    def take(self, name: str, value: Any) -> Literal:
        if isinstance(value, Literal):
            return value
        message = f"attribute {name}: expected a Literal, found {type(value).__name__}"
        help = "Builder.constant makes a ConstTensor of numbers, lists and arrays"
        raise Reject("E4013", message, help=help, at=name)


class TypeKind(Kind):
    """The result type itself."""

    wants = "a tensor type"
    implied = True

    def take(self, name: str, value: Any) -> TensorType:
        if isinstance(value, TensorType):
            ShapeKind().take(name, value.shape)
            return value
        raise self.wrong(name, repr(value))


def _integer(kind: Kind, name: str, text: str) -> int:
    digits = text.lstrip("+-")
    try:
        if len(digits) > 20:
            raise OverflowError
        return int(text, 16 if digits[:2].lower() == "0x" else 10)
    except ValueError:
        raise kind.wrong(name, f"{short(text)} in it") from None
    except OverflowError:
        raise Reject("E4013", f"attribute {name}: {short(text)} is outside the range of i64", at=name) from None


def read_dtype(text: str, *, at: str) -> DType:
    """The dtype of that name. E2002 if there is none."""
    try:
        return DType(text)
    except ValueError:
        raise Reject("E2002", f"unknown dtype {short(text)}", help=f"Core IR has {DType.listed()}", at=at) from None


INTS = IntsKind()
SHARDING = ShardingKind()
SHARDINGS = ShardingsKind()

Ints: TypeAlias = Annotated[tuple[int, ...], INTS]
Axes: TypeAlias = Annotated[tuple[int, ...], AxesKind()]
Extents: TypeAlias = Annotated[Shape, ShapeKind()]
Flag: TypeAlias = Annotated[bool, FlagKind()]
Name: TypeAlias = Annotated[str, NameKind()]
DTypeAttr: TypeAlias = Annotated[DType, DTypeKind()]
OptionalDType: TypeAlias = Annotated["DType | None", OptionalDTypeKind()]
Padding: TypeAlias = Annotated["str | tuple[tuple[int, int], tuple[int, int]]", PaddingKind()]
I64Scalar: TypeAlias = Annotated[Literal, ScalarKind(DType.I64)]
F32Scalar: TypeAlias = Annotated[Literal, ScalarKind(DType.F32)]
F64Scalar: TypeAlias = Annotated[Literal, ScalarKind(DType.F64)]
Data: TypeAlias = Annotated[Literal, DataKind()]
Spec: TypeAlias = Annotated[PartitionSpec, SHARDING]
Count: TypeAlias = Annotated[int, CountKind()]
ReductionKind: TypeAlias = Annotated[str, ChoiceKind("sum", "max", "min")]
OutOfBounds: TypeAlias = Annotated[str, ChoiceKind("error", "clip", "fill")]
