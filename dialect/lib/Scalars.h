// Arithmetic on elements: what formulas are written with, inside the body of a linalg operation.
//
// The words are those of mind_mlir/lowering/emit/scalars.py, and emit the same operations in the same order.

#ifndef MIND_LIB_SCALARS_H
#define MIND_LIB_SCALARS_H

#include "Core.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::mind {

/// The least integer of a type in the dialect, and the greatest one; of `i1`, 0 and 1.
Int smallestOf(Type dtype);
Int largestOf(Type dtype);

/// Builders for elements of one type; integers wrap, floats are rounded after every operation.
class Scalars {
public:
  Scalars(ImplicitLocOpBuilder &builder, Type element)
      : builder(&builder), dtype(element), element(withoutSign(element)), isFloat(isa<FloatType>(element)) {}

  /// The builders for another type of elements.
  Scalars of(Type other) const { return {*builder, other}; }
  Scalars f32() const { return of(builder->getF32Type()); }
  Scalars f64() const { return of(builder->getF64Type()); }
  Scalars i64() const { return of(builder->getI64Type()); }
  /// The builders for integers of the same width.
  Scalars integers() const { return of(builder->getIntegerType(element.getIntOrFloatBitWidth())); }

  /// Any operation with one result, of this type: `math.tanh`.
  Value op(StringRef name, ValueRange operands) const;

  /// A function on elements by name: `math.tanh`, or `mind.Logistic`, for which MLIR has no operation.
  Value function(StringRef name, ValueRange operands) const;

  /// A constant; integers wrap.
  Value number(const Int &value) const;
  Value number(int64_t value) const { return number(Int(value)); }
  Value number(int value) const { return number(int64_t(value)); }
  Value number(double value) const;

  int64_t bits() const { return element.getIntOrFloatBitWidth(); }
  /// The least integer of the type, and the greatest one.
  Int smallest() const { return smallestOf(dtype); }
  Int largest() const { return largestOf(dtype); }

  /// `arith.add` and its like: of floats, or of integers.
  Value arithmetic(StringRef name, ValueRange operands) const;
  Value add(Value x, Value y) const { return arithmetic("add", {x, y}); }
  Value sub(Value x, Value y) const { return arithmetic("sub", {x, y}); }
  Value mul(Value x, Value y) const { return arithmetic("mul", {x, y}); }
  /// A float sum whose order is free.
  Value addReordered(Value x, Value y) const;
  /// Quotient; integers truncate, and must neither be divided by 0 nor overflow.
  Value div(Value x, Value y) const {
    return op(isFloat ? "arith.divf" : isSigned(dtype) ? "arith.divsi" : "arith.divui", {x, y});
  }
  /// `-x`, of a float.
  Value negative(Value x) const { return op("arith.negf", x); }
  /// `|x|`, of a float; and with the sign of y.
  Value absolute(Value x) const { return op("math.absf", x); }
  Value copySign(Value x, Value y) const { return op("math.copysign", {x, y}); }
  /// Of floats, each rounded once; halves go to the even neighbour.
  Value sqrt(Value x) const { return op("math.sqrt", x); }
  Value floor(Value x) const { return op("math.floor", x); }
  Value ceil(Value x) const { return op("math.ceil", x); }
  Value roundEven(Value x) const { return op("math.roundeven", x); }
  /// `c0 + x·(c1 + x·(c2 + …))`.
  Value polynomial(Value x, ArrayRef<double> coefficients) const;

  Value equal(Value x, Value y) const;
  /// True if either is NaN.
  Value notEqual(Value x, Value y) const;
  /// False if either is NaN, as all orders are.
  Value greater(Value x, Value y) const;
  Value greaterEqual(Value x, Value y) const;
  Value less(Value x, Value y) const;
  Value lessEqual(Value x, Value y) const;
  /// True if either is NaN.
  Value unordered(Value x, Value y) const;
  /// Of two conditions, or of two integers bit by bit.
  Value either(Value a, Value b) const { return of(a.getType()).op("arith.ori", {a, b}); }
  Value both(Value a, Value b) const { return of(a.getType()).op("arith.andi", {a, b}); }
  Value oneOf(Value a, Value b) const { return of(a.getType()).op("arith.xori", {a, b}); }

  /// The larger one; NaN if either is, and +0 is larger than -0.
  Value maximum(Value x, Value y) const { return op(isFloat ? "arith.maximumf" : isSigned(dtype) ? "arith.maxsi" : "arith.maxui", {x, y}); }
  /// The smaller one; NaN if either is, and -0 is smaller than +0.
  Value minimum(Value x, Value y) const { return op(isFloat ? "arith.minimumf" : isSigned(dtype) ? "arith.minsi" : "arith.minui", {x, y}); }
  /// `x` and `y` as one, by a kind of reduction: sum, max, min or prod.
  Value joined(StringRef kind, Value x, Value y) const;
  /// The number that changes no other one when joined with it.
  Value neutral(StringRef kind) const;

  Value select(Value condition, Value x, Value y) const { return op("arith.select", {condition, x, y}); }
  /// `x`, or the nearer of the two numbers where it is not between them; NaN stays NaN.
  Value clamped(Value x, double low, double high) const;
  /// The integer 1 for true, 0 for false.
  Value fromCondition(Value condition) const { return op("arith.extui", condition); }
  /// An integer as MLIR's index.
  Value toIndex(Value x) const {
    return of(builder->getIndexType()).op(isSigned(dtype) ? "arith.index_cast" : "arith.index_castui", x);
  }
  /// `x`, of another type, as this type. docs/semantics.md, Conversions.
  Value converted(Value x, const Scalars &source) const;
  /// The element of this type with the bits of `x`, of a type as wide.
  Value sameBits(Value x) const { return x.getType() == element ? x : op("arith.bitcast", x); }
  /// An element of this type as f64, and back.
  Value toF64(Value x) const { return element.isF64() ? x : f64().op("arith.extf", x); }
  Value fromF64(Value x) const { return element.isF64() ? x : op("arith.truncf", x); }
  /// The integer with the bits of a float, and back.
  Value toBits(Value x) const { return integers().op("arith.bitcast", x); }
  Value fromBits(Value x) const { return op("arith.bitcast", x); }
  /// The float nearest to an integer.
  Value fromInteger(Value x) const { return op("arith.sitofp", x); }
  /// MLIR's index as a number: integers wrap, floats are rounded once.
  Value fromIndex(Value x) const { return isFloat ? fromInteger(i64().fromIndex(x)) : op("arith.index_cast", x); }
  /// Of an integer; to the right the sign stays.
  Value shiftLeft(Value x, int64_t bits) const { return op("arith.shli", {x, number(bits)}); }
  Value shiftRight(Value x, int64_t bits) const { return op("arith.shrsi", {x, number(bits)}); }

  ImplicitLocOpBuilder *builder;
  /// The type in the dialect, and that in arithmetic, where integers have no sign.
  Type dtype, element;
  bool isFloat;

private:
  Value resized(Value x, const Scalars &source, StringRef kind) const;
  Value fromFloat(Value x, const Scalars &source) const;
};

} // namespace mlir::mind

#endif // MIND_LIB_SCALARS_H
