#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mind;

Value Scalars::op(StringRef name, ValueRange operands) const {
  OperationState state(builder->getLoc(), name, operands, TypeRange(element));
  return builder->create(state)->getResult(0);
}

Value Scalars::function(StringRef name, ValueRange operands) const {
  if (!name.starts_with("mind."))
    return op(name, operands);
  SmallVector<StringRef> registers(operands.size() + 1, "r");
  registers[0] = "=r";
  OperationState state(builder->getLoc(), "llvm.inline_asm", operands, TypeRange(element));
  state.addAttribute("asm_string", builder->getStringAttr(name));
  state.addAttribute("constraints", builder->getStringAttr(llvm::join(registers, ",")));
  return builder->create(state)->getResult(0);
}

static Int powerOfTwo(unsigned n) {
  Int power(1);
  for (; n; --n)
    power *= 2;
  return power;
}

Int mlir::mind::smallestOf(Type dtype) {
  return isSigned(dtype) ? -powerOfTwo(dtype.getIntOrFloatBitWidth() - 1) : Int(0);
}

Int mlir::mind::largestOf(Type dtype) { return smallestOf(dtype) + powerOfTwo(dtype.getIntOrFloatBitWidth()) - 1; }

Value Scalars::number(const Int &value) const {
  if (isFloat) { // in two parts, since a number may be 2^64
    Int part = powerOfTwo(32), high = floorDiv(value, part);
    return number(double(int64_t(high)) * 4294967296.0 + double(int64_t(value - high * part)));
  }
  Int half = powerOfTwo(bits() - 1);
  int64_t wrapped(mod(value + half, half * 2) - half);
  return arith::ConstantOp::create(*builder, IntegerAttr::get(element, wrapped));
}

Value Scalars::number(double value) const {
  if (!isFloat)
    return number(static_cast<int64_t>(value));
  return arith::ConstantOp::create(*builder, FloatAttr::get(element, value));
}

Value Scalars::arithmetic(StringRef name, ValueRange operands) const {
  return op(("arith." + name + (isFloat ? "f" : "i")).str(), operands);
}

Value Scalars::addReordered(Value x, Value y) const {
  return arith::AddFOp::create(*builder, x, y, arith::FastMathFlags::reassoc);
}

Value Scalars::joined(StringRef kind, Value x, Value y) const {
  if (kind == "sum" || kind == "prod")
    return kind == "sum" ? add(x, y) : mul(x, y);
  return kind == "max" ? maximum(x, y) : minimum(x, y);
}

Value Scalars::neutral(StringRef kind) const {
  if (kind == "sum" || kind == "prod")
    return number(int64_t(kind == "prod"));
  double infinity = std::numeric_limits<double>::infinity();
  if (isFloat)
    return number(kind == "max" ? -infinity : infinity);
  return number(kind == "max" ? smallest() : largest());
}

Value Scalars::polynomial(Value x, ArrayRef<double> coefficients) const {
  Value total = number(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back())) {
    Value constant = number(c);
    total = add(constant, mul(x, total));
  }
  return total;
}

Value Scalars::clamped(Value x, double low, double high) const {
  Value most = number(high), least = number(low);
  x = select(less(most, x), most, x);
  return select(greater(least, x), least, x);
}

static Value compare(const Scalars &s, arith::CmpFPredicate floats, arith::CmpIPredicate integers,
                     arith::CmpIPredicate withoutSign, Value x, Value y) {
  if (s.isFloat)
    return arith::CmpFOp::create(*s.builder, floats, x, y);
  return arith::CmpIOp::create(*s.builder, isSigned(s.dtype) ? integers : withoutSign, x, y);
}

Value Scalars::equal(Value x, Value y) const {
  using I = arith::CmpIPredicate;
  return compare(*this, arith::CmpFPredicate::OEQ, I::eq, I::eq, x, y);
}

Value Scalars::notEqual(Value x, Value y) const {
  using I = arith::CmpIPredicate;
  return compare(*this, arith::CmpFPredicate::UNE, I::ne, I::ne, x, y);
}

Value Scalars::greater(Value x, Value y) const {
  using I = arith::CmpIPredicate;
  return compare(*this, arith::CmpFPredicate::OGT, I::sgt, I::ugt, x, y);
}

Value Scalars::greaterEqual(Value x, Value y) const {
  using I = arith::CmpIPredicate;
  return compare(*this, arith::CmpFPredicate::OGE, I::sge, I::uge, x, y);
}

Value Scalars::less(Value x, Value y) const {
  using I = arith::CmpIPredicate;
  return compare(*this, arith::CmpFPredicate::OLT, I::slt, I::ult, x, y);
}

Value Scalars::lessEqual(Value x, Value y) const {
  using I = arith::CmpIPredicate;
  return compare(*this, arith::CmpFPredicate::OLE, I::sle, I::ule, x, y);
}

Value Scalars::unordered(Value x, Value y) const {
  return arith::CmpFOp::create(*builder, arith::CmpFPredicate::UNO, x, y);
}

Value Scalars::converted(Value x, const Scalars &source) const {
  if (isHalf(source.dtype) && !dtype.isF32())
    return converted(f32().op("arith.extf", x), f32());
  if (isHalf(dtype) && !source.dtype.isF32())
    return op("arith.truncf", f32().converted(x, source));
  if (element.isInteger(1)) {
    Value zero = source.number(0);
    return source.notEqual(x, zero);
  }
  if (source.isFloat)
    return isFloat ? resized(x, source, "f") : fromFloat(x, source);
  if (isFloat)
    return op(isSigned(source.dtype) ? "arith.sitofp" : "arith.uitofp", x);
  return resized(x, source, isSigned(source.dtype) ? "si" : "ui");
}

Value Scalars::resized(Value x, const Scalars &source, StringRef kind) const {
  if (bits() == source.bits())
    return x;
  if (bits() > source.bits())
    return op(("arith.ext" + kind).str(), x);
  return op(isFloat ? "arith.truncf" : "arith.trunci", x);
}

Value Scalars::fromFloat(Value x, const Scalars &source) const {
  Value zero = source.number(0), least = source.number(smallest()), end = source.number(largest() + 1);
  Value below = source.less(x, least);
  Value above = source.greaterEqual(x, end);
  Value notBelow = source.greaterEqual(x, least);
  Value notAbove = source.less(x, end);
  Value inside = both(notBelow, notAbove);
  Value found = op(isSigned(dtype) ? "arith.fptosi" : "arith.fptoui", source.select(inside, x, zero));
  Value first = number(smallest()), last = number(largest());
  return select(below, first, select(above, last, found));
}
