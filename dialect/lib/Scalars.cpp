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

Value Scalars::number(int64_t value) const {
  if (isFloat)
    return number(static_cast<double>(value));
  return arith::ConstantOp::create(*builder, IntegerAttr::get(element, value));
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

static Value compare(const Scalars &s, arith::CmpFPredicate floats, arith::CmpIPredicate integers, Value x, Value y) {
  if (s.isFloat)
    return arith::CmpFOp::create(*s.builder, floats, x, y);
  return arith::CmpIOp::create(*s.builder, integers, x, y);
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

Value Scalars::unordered(Value x, Value y) const {
  return arith::CmpFOp::create(*builder, arith::CmpFPredicate::UNO, x, y);
}
