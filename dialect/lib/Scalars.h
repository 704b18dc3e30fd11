// Arithmetic on elements: what the conversion writes its formulas with, inside the body of a linalg operation.

#ifndef MIND_LIB_SCALARS_H
#define MIND_LIB_SCALARS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::mind {

/// Builders for elements of one type; integers wrap, floats are rounded after every operation.
class Scalars {
public:
  Scalars(ImplicitLocOpBuilder &builder, Type element)
      : builder(builder), element(element), isFloat(isa<FloatType>(element)) {}

  /// The builders for another type of elements.
  Scalars of(Type other) const { return {builder, other}; }

  /// A constant, which the type can hold.
  Value number(int64_t value) const;

  /// The most negative integer of the type, and the most positive one.
  int64_t smallest() const { return llvm::minIntN(element.getIntOrFloatBitWidth()); }
  int64_t largest() const { return llvm::maxIntN(element.getIntOrFloatBitWidth()); }

  Value add(Value x, Value y) const;
  /// A float sum whose order is free.
  Value addReordered(Value x, Value y) const;
  Value sub(Value x, Value y) const;
  Value mul(Value x, Value y) const;
  /// Quotient; integers truncate, and must neither be divided by 0 nor overflow.
  Value div(Value x, Value y) const;

  Value equal(Value x, Value y) const;
  /// False if either is NaN.
  Value greater(Value x, Value y) const;
  Value less(Value x, Value y) const;
  /// Of two conditions, or of two integers bit by bit.
  Value either(Value a, Value b) const;
  Value both(Value a, Value b) const;

  Value select(Value condition, Value x, Value y) const;
  /// The integer 1 for true, 0 for false.
  Value fromCondition(Value condition) const;
  /// An integer as MLIR's index.
  Value toIndex(Value x) const;

  ImplicitLocOpBuilder &builder;
  const Type element;
  const bool isFloat;
};

} // namespace mlir::mind

#endif // MIND_LIB_SCALARS_H
