#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mind;

Value Scalars::number(int64_t value) const {
  if (isFloat)
    return arith::ConstantOp::create(builder, FloatAttr::get(element, static_cast<double>(value)));
  return arith::ConstantOp::create(builder, IntegerAttr::get(element, value));
}

template <typename OfFloats, typename OfIntegers>
static Value arithmetic(const Scalars &s, Value x, Value y) {
  return s.isFloat ? Value(OfFloats::create(s.builder, x, y)) : Value(OfIntegers::create(s.builder, x, y));
}

Value Scalars::add(Value x, Value y) const { return arithmetic<arith::AddFOp, arith::AddIOp>(*this, x, y); }
Value Scalars::sub(Value x, Value y) const { return arithmetic<arith::SubFOp, arith::SubIOp>(*this, x, y); }
Value Scalars::mul(Value x, Value y) const { return arithmetic<arith::MulFOp, arith::MulIOp>(*this, x, y); }
Value Scalars::div(Value x, Value y) const { return arithmetic<arith::DivFOp, arith::DivSIOp>(*this, x, y); }

Value Scalars::addReordered(Value x, Value y) const {
  return arith::AddFOp::create(builder, x, y, arith::FastMathFlags::reassoc);
}

static Value compare(const Scalars &s, arith::CmpFPredicate floats, arith::CmpIPredicate integers, Value x, Value y) {
  if (s.isFloat)
    return arith::CmpFOp::create(s.builder, floats, x, y);
  return arith::CmpIOp::create(s.builder, integers, x, y);
}

Value Scalars::equal(Value x, Value y) const {
  return compare(*this, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq, x, y);
}

Value Scalars::greater(Value x, Value y) const {
  return compare(*this, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt, x, y);
}

Value Scalars::less(Value x, Value y) const {
  return compare(*this, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, x, y);
}

Value Scalars::either(Value a, Value b) const { return arith::OrIOp::create(builder, a, b); }
Value Scalars::both(Value a, Value b) const { return arith::AndIOp::create(builder, a, b); }

Value Scalars::select(Value condition, Value x, Value y) const {
  return arith::SelectOp::create(builder, condition, x, y);
}

Value Scalars::fromCondition(Value condition) const { return arith::ExtUIOp::create(builder, element, condition); }

Value Scalars::toIndex(Value x) const { return arith::IndexCastOp::create(builder, builder.getIndexType(), x); }
