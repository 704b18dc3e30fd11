"""Arithmetic for formulas with fused multiply-add: the scalars, and what takes floats apart and puts them together.

The bits depend neither on the number of lanes nor on the kind of CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any, NamedTuple

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..targets.cpus import Cpu
from . import avx512


class Rounded(NamedTuple):
    """An integral float, and a float that has it in its lowest bits."""

    value: Any
    shifted: Any


class FusedScalars(Scalars):
    """`Scalars` of f32 or f64 for a CPU that has fused multiply-add."""

    def __init__(self, dtype: DType, lanes: int | None, cpu: Cpu) -> None:
        super().__init__(dtype, lanes)
        self.cpu = cpu
        self._mantissa = 23 if dtype.width == 4 else 52  # in bits
        self._bias = 127 if dtype.width == 4 else 1023

    def of(self, dtype: DType) -> Scalars:
        return FusedScalars(dtype, self.lanes, self.cpu) if dtype.is_float else super().of(dtype)

    def rarely(self, condition: Any, usual: Any, otherwise: Callable[[], Any]) -> Any:
        """`usual`, and `otherwise()` where the condition holds, which is computed only if it holds in some lane."""
        branch = ir.Operation.create("scf.if", results=[self.type], operands=[self._in_some_lane(condition)], regions=2)
        values: tuple[Callable[[], Any], ...] = (lambda: self.select(condition, otherwise(), usual), lambda: usual)
        for region, value in zip(branch.regions, values):
            with ir.InsertionPoint(region.blocks.append()):
                ir.Operation.create("scf.yield", operands=[value()])
        return branch.result

    def _in_some_lane(self, condition: Any) -> Any:
        if self.lanes is None:
            return condition
        kind = ir.Attribute.parse("#vector.kind<or>")
        return self.op("vector.reduction", condition, type=ir.IntegerType.get_signless(1), kind=kind)

    def rounded(self, x: Any, factor: float = 1.0) -> Rounded:
        """`x · factor` rounded to an integer below 2^22 (f64: 2^51), by adding 1.5 · 2^23 (2^52)."""
        magic = self.number(1.5 * 2.0**self._mantissa)
        shifted = self.fma(x, self.number(factor), magic)
        return Rounded(self.sub(shifted, magic), shifted)

    def rounded_product(self, x: Any, y: Any, more: int = 0) -> tuple[Any, Any]:
        """`x · y` rounded to an integer n, as a float, and 2^(n + more), which must be a normal number."""
        # leaves n, `more` and the bias in the lowest bits
        magic = self.number(1.5 * 2.0**self._mantissa + self._bias + more)
        shifted = self.fma(x, y, magic)
        power = self.from_bits(self.integers.shift_left(self.to_bits(shifted), self._mantissa))
        return self.sub(shifted, magic), power

    def scaled(self, y: Any, n: Rounded) -> Any:
        """`y · 2^n`, rounded once, for y around 1: in two steps, of which the first is exact."""
        if avx512.fits(self, self.cpu):
            return avx512.scale(self, y, n.value)
        low, high = self.powers_of_two(n)
        return self.mul(self.mul(y, low), high)

    def powers_of_two(self, n: Rounded) -> tuple[Any, Any]:
        """Two normal numbers whose product is 2^n, for any n down to that of the smallest subnormal."""
        i = self.integers
        bits = self.to_bits(n.shifted)
        half = i.op("arith.shrui", bits, i.number(1))
        return self._power_of_two(half), self._power_of_two(i.sub(bits, half))

    def power_of_two(self, n: Rounded, more: int = 0) -> Any:
        """2^(n + more), which must be a normal number."""
        return self._power_of_two(self.to_bits(n.shifted), more)

    def _power_of_two(self, bits: Any, more: int = 0) -> Any:
        """From an integer that has n in its lowest bits."""
        i = self.integers
        return self.from_bits(
            i.add(i.shift_left(bits, self._mantissa), i.number((self._bias + more) << self._mantissa))
        )

    def split(self, x: Any) -> tuple[Any, Any]:
        """n and m with x = 2^n · m, n integral and m in [3/4, 3/2).

        If x is not positive and finite, n is its logarithm, and m some finite number or NaN.
        """
        return avx512.split(self, x) if avx512.fits(self, self.cpu) else self._split(x)

    def split_normal(self, x: Any) -> tuple[Any, Any]:
        """The same of a positive normal number; of any other x, n and m are anything."""
        if avx512.fits(self, self.cpu):
            return avx512.split(self, x)
        return self._split_bits(x, self.number(2.0**self._mantissa + self._bias))

    def _split(self, x: Any) -> tuple[Any, Any]:
        more = self._mantissa + 2
        tiny = self.less(x, self.number(2.0 ** (1 - self._bias)))
        normal = self.select(tiny, self.mul(x, self.number(2.0**more)), x)
        offset = 2.0**self._mantissa + self._bias
        n, m = self._split_bits(normal, self.select(tiny, self.number(offset + more), self.number(offset)))
        n = self.select(self.less(x, self.number(inf)), n, x)
        at_most_zero = self.select(self.equal(x, self.number(0.0)), self.number(-inf), self.number(nan))
        return self.select(self.greater(x, self.number(0.0)), n, at_most_zero), m

    def _split_bits(self, x: Any, offset: Any) -> tuple[Any, Any]:
        """n and m, where `offset` is 2^mantissa, the bias, and what has been added to the exponent of x."""
        i, mantissa, bias = self.integers, self._mantissa, self._bias
        half = 1 << (mantissa - 1)  # the mantissa of a half
        bits = i.add(self.to_bits(x), i.number(half))
        m = i.add(i.bit_and(bits, i.number((1 << mantissa) - 1)), i.number(((bias - 1) << mantissa) + half))
        # the biased exponent goes into the low bits of 2^mantissa, so that a subtraction makes a float of it
        exponent = i.op("arith.shrui", bits, i.number(mantissa))
        exponent = i.bit_or(exponent, i.number((bias + mantissa) << mantissa))
        return self.sub(self.from_bits(exponent), offset), self.from_bits(m)
