// Rows picked and rows added by an index tensor.

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mind;
using utils::IteratorType;

/// The last of `extent` rows, or of those that an index can name.
static Value last(const Scalars &i, int64_t extent) { return i.number(std::min(Int(extent - 1), i.largest())); }

Value mlir::mind::outside(const Scalars &i, Value k, int64_t extent) {
  Value below = i.less(k, i.number(0));
  return i.either(below, i.greater(k, last(i, extent)));
}

Value mlir::mind::nearest(const Scalars &i, Value k, int64_t extent) {
  Value below = i.less(k, i.number(0));
  k = i.select(below, i.number(0), k);
  Value above = i.greater(k, last(i, extent));
  k = i.select(above, last(i, extent), k);
  return i.toIndex(k);
}

/// With oob = error, asserts that no index is out of bounds.
void Emitter::report(StringRef opcode, Value indices, int64_t extent, StringRef oob) {
  RankedTensorType t = type(indices);
  if (oob != "error" || isEmpty(t.getShape()))
    return;
  // a rank-0 i64: 1 if any index is out of bounds
  auto flagType = RankedTensorType::get({}, builder.getI64Type());
  Scalars s = scalars(flagType), i = scalars(t);
  AffineMap maps[] = {builder.getMultiDimIdentityMap(t.getRank()),
                      AffineMap::get(t.getRank(), 0, builder.getContext())};
  SmallVector<IteratorType> kinds(t.getRank(), IteratorType::reduction);
  Value flag = generic(maps, kinds, indices, filled(flagType, 0), [&](ValueRange elements) {
    Value failed = s.fromCondition(outside(i, elements[0], extent));
    return s.either(elements[1], failed);
  });
  Value found = tensor::ExtractOp::create(builder, flag, ValueRange());
  Value within = s.equal(found, s.number(0));
  cf::AssertOp::create(builder, within, say(opcode, " index out of bounds"));
}

Value Emitter::gather(Value x, Value indices, RankedTensorType result, StringRef oob) {
  RankedTensorType indexType = type(indices);
  int64_t extent = shapeOf(x)[0];
  report("Gather", indices, extent, oob);
  if (isEmpty(result.getShape()))
    return empty(result);
  if (extent == 0)
    return filled(result, 0);
  Scalars s = scalars(result), i = scalars(indexType);
  SmallVector<AffineExpr> leading;
  for (int64_t d = 0; d < indexType.getRank(); ++d)
    leading.push_back(builder.getAffineDimExpr(d));
  AffineMap maps[] = {AffineMap::get(result.getRank(), 0, leading, builder.getContext()),
                      builder.getMultiDimIdentityMap(result.getRank())};
  SmallVector<IteratorType> kinds(result.getRank(), IteratorType::parallel);
  return generic(maps, kinds, indices, empty(result), [&](ValueRange elements) {
    SmallVector<Value> at{nearest(i, elements[0], extent)};
    for (int64_t d = indexType.getRank(); d < result.getRank(); ++d)
      at.push_back(linalg::IndexOp::create(builder, d));
    Value element = tensor::ExtractOp::create(builder, x, at);
    if (oob != "fill")
      return element;
    Value none = outside(i, elements[0], extent);
    return s.select(none, s.number(0), element);
  });
}

Value Emitter::scatterAdd(Value x, Value indices, Value updates, StringRef oob) {
  RankedTensorType t = typeOf(x), indexType = type(indices);
  int64_t extent = t.getDimSize(0);
  report("ScatterAdd", indices, extent, oob);
  if (isEmpty(t.getShape()) || isEmpty(shapeOf(updates)))
    return x;
  Scalars s = scalars(t), i = scalars(indexType);
  return loops(indexType.getShape(), x, [&](ArrayRef<Value> position, Value carried) {
    Value k = tensor::ExtractOp::create(builder, indices, position);
    Value row = nearest(i, k, extent);
    Value none = oob == "fill" ? outside(i, k, extent) : Value();
    return loops(t.getShape().drop_front(), carried, [&](ArrayRef<Value> column, Value carried) -> Value {
      SmallVector<Value> at{row}, from(position);
      llvm::append_range(at, column);
      llvm::append_range(from, column);
      Value old = tensor::ExtractOp::create(builder, carried, at);
      Value sum = s.add(old, tensor::ExtractOp::create(builder, updates, from));
      if (none)
        sum = s.select(none, old, sum);
      return tensor::InsertOp::create(builder, sum, carried, at);
    });
  });
}

/// `body(position, carried)` at every position in row-major order: nested scf.for that carry a tensor.
Value Emitter::loops(ArrayRef<int64_t> extents, Value carried, LoopBody body) {
  auto index = [&](int64_t n) -> Value { return arith::ConstantIndexOp::create(builder, n); };
  OpBuilder::InsertionGuard guard(builder);
  Value zero = index(0), one = index(1);
  SmallVector<Value> ends = llvm::map_to_vector(extents, index), position;
  SmallVector<scf::ForOp> nest;
  for (Value end : ends) {
    nest.push_back(scf::ForOp::create(builder, zero, end, one, carried));
    builder.setInsertionPointToStart(nest.back().getBody());
    position.push_back(nest.back().getInductionVar());
    carried = nest.back().getRegionIterArg(0);
  }
  Value result = body(position, carried);
  for (scf::ForOp loop : llvm::reverse(nest)) {
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, result);
    result = loop.getResult(0);
  }
  return result;
}
