// Arithmetic on elements: what formulas are written with, inside the body of a linalg operation.
//
// The words are those of mind_mlir/lowering/emit/scalars.py, and emit the same operations in the same order.

#ifndef MIND_LIB_SCALARS_H
#define MIND_LIB_SCALARS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::mind {

/// Builders for elements of one type; integers wrap, floats are rounded after every operation.
class Scalars {
public:
  Scalars(ImplicitLocOpBuilder &builder, Type element)
      : builder(&builder), element(element), isFloat(isa<FloatType>(element)) {}

  /// The builders for another type of elements.
  Scalars of(Type other) const { return {*builder, other}; }
  Scalars f64() const { return of(builder->getF64Type()); }
  Scalars i64() const { return of(builder->getI64Type()); }

  /// Any operation with one result, of this type: `math.tanh`.
  Value op(StringRef name, ValueRange operands) const;

  /// A constant, which the type can hold.
  Value number(int64_t value) const;
  Value number(int value) const { return number(int64_t(value)); }
  Value number(double value) const;

  /// The most negative integer of the type, and the most positive one.
  int64_t smallest() const { return llvm::minIntN(element.getIntOrFloatBitWidth()); }
  int64_t largest() const { return llvm::maxIntN(element.getIntOrFloatBitWidth()); }

  /// `arith.add` and its like: of floats, or of integers.
  Value arithmetic(StringRef name, ValueRange operands) const;
  Value add(Value x, Value y) const { return arithmetic("add", {x, y}); }
  Value sub(Value x, Value y) const { return arithmetic("sub", {x, y}); }
  Value mul(Value x, Value y) const { return arithmetic("mul", {x, y}); }
  /// A float sum whose order is free.
  Value addReordered(Value x, Value y) const;
  /// Quotient; integers truncate, and must neither be divided by 0 nor overflow.
  Value div(Value x, Value y) const { return op(isFloat ? "arith.divf" : "arith.divsi", {x, y}); }
  /// `-x`, of a float.
  Value negative(Value x) const { return op("arith.negf", x); }
  /// `c0 + x·(c1 + x·(c2 + …))`.
  Value polynomial(Value x, ArrayRef<double> coefficients) const;

  Value equal(Value x, Value y) const;
  /// False if either is NaN.
  Value greater(Value x, Value y) const;
  Value less(Value x, Value y) const;
  /// True if either is NaN.
  Value unordered(Value x, Value y) const;
  /// Of two conditions, or of two integers bit by bit.
  Value either(Value a, Value b) const { return of(a.getType()).op("arith.ori", {a, b}); }
  Value both(Value a, Value b) const { return of(a.getType()).op("arith.andi", {a, b}); }

  Value select(Value condition, Value x, Value y) const { return op("arith.select", {condition, x, y}); }
  /// The integer 1 for true, 0 for false.
  Value fromCondition(Value condition) const { return op("arith.extui", condition); }
  /// An integer as MLIR's index.
  Value toIndex(Value x) const { return of(builder->getIndexType()).op("arith.index_cast", x); }
  /// An element of this type as f64, and back.
  Value toF64(Value x) const { return element.isF64() ? x : f64().op("arith.extf", x); }
  Value fromF64(Value x) const { return element.isF64() ? x : op("arith.truncf", x); }
  /// The i64 with the bits of an f64, and back.
  Value toBits(Value x) const { return i64().op("arith.bitcast", x); }
  Value fromBits(Value x) const { return f64().op("arith.bitcast", x); }
  /// The float nearest to an integer.
  Value fromInteger(Value x) const { return op("arith.sitofp", x); }
  /// MLIR's index as a number: integers wrap, floats are rounded once.
  Value fromIndex(Value x) const { return isFloat ? fromInteger(i64().fromIndex(x)) : op("arith.index_cast", x); }
  /// Of an integer; to the right the sign stays.
  Value shiftLeft(Value x, int64_t bits) const { return op("arith.shli", {x, number(bits)}); }
  Value shiftRight(Value x, int64_t bits) const { return op("arith.shrsi", {x, number(bits)}); }

  ImplicitLocOpBuilder *builder;
  Type element;
  bool isFloat;
};

} // namespace mlir::mind

#endif // MIND_LIB_SCALARS_H
