// Cumulative sums and their kind: each element joined with all before it along an axis, one after the other.

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mind;

/// Rows that go together: as many as hide the latency of an addition.
static constexpr int64_t kTogether = 8;

/// The fewest elements of a row that is cut into parts.
static constexpr int64_t kLong = 256;

using Values = SmallVector<Value>;
using LoopStep = function_ref<Values(Value i, ArrayRef<Value> carried)>;

static Value index(ImplicitLocOpBuilder &b, int64_t n) { return arith::ConstantIndexOp::create(b, n); }

/// `scf.for` by 1, which carries values.
static Values loop(ImplicitLocOpBuilder &b, int64_t low, int64_t high, ArrayRef<Value> carried, LoopStep step) {
  Value from = index(b, low), to = index(b, high), one = index(b, 1);
  auto made = scf::ForOp::create(b, from, to, one, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(made.getBody());
  Values inside(made.getRegionIterArgs());
  scf::YieldOp::create(b, step(made.getInductionVar(), inside));
  return Values(made.getResults());
}

/// `out` with what becomes of `count` groups of `size` rows, from row `first` on.  `before` are totals from which the
/// rows of a group begin, null for those that begin at their first element.
Value Emitter::scannedRows(Value x, Value out, int64_t n, int64_t count, int64_t first, int64_t size, bool reverse,
                           Join join, ArrayRef<Value> before) {
  ImplicitLocOpBuilder &b = builder;
  auto at = [&](Value row, Value i) -> Value { return tensor::ExtractOp::create(b, x, ValueRange{row, i}); };
  auto with = [&](Value into, Value element, Value row, Value i) -> Value {
    return tensor::InsertOp::create(b, element, into, ValueRange{row, i});
  };
  return loop(b, 0, count, out, [&](Value group, ArrayRef<Value> carried) -> Values {
    Value start = arith::MulIOp::create(b, group, index(b, size));
    Values rows;
    for (int64_t g = 0; g < size; ++g)
      rows.push_back(arith::AddIOp::create(b, start, index(b, first + g)));
    Value begin = index(b, reverse ? n - 1 : 0);
    Values held{carried[0]};
    for (auto [g, row] : llvm::enumerate(rows)) {
      Value element = at(row, begin);
      held.push_back(before.empty() || !before[g] ? element : join(before[g], element));
      held[0] = with(held[0], held.back(), row, begin);
    }
    return {loop(b, 1, n, held, [&](Value i, ArrayRef<Value> carried) -> Values {
      Values next(carried);
      Value here = i;
      if (reverse)
        here = arith::SubIOp::create(b, index(b, n - 1), i);
      for (auto [g, row] : llvm::enumerate(rows)) {
        next[g + 1] = join(next[g + 1], at(row, here));
        next[0] = with(next[0], next[g + 1], row, here);
      }
      return next;
    })[0]};
  })[0];
}

/// Along the middle axis of three: a row of the last one at a time, each joined with the one before it.
Value Emitter::scannedAcross(Value x, Value out, bool reverse, Join join) {
  ImplicitLocOpBuilder &b = builder;
  int64_t rows = shapeOf(x)[0], n = shapeOf(x)[1], inner = shapeOf(x)[2];
  auto at = [&](Value of, Value r, Value i, Value j) -> Value {
    return tensor::ExtractOp::create(b, of, ValueRange{r, i, j});
  };
  auto with = [&](Value into, Value element, Value r, Value i, Value j) -> Value {
    return tensor::InsertOp::create(b, element, into, ValueRange{r, i, j});
  };
  return loop(b, 0, rows, out, [&](Value r, ArrayRef<Value> carried) -> Values {
    Value begin = index(b, reverse ? n - 1 : 0);
    Values first = loop(b, 0, inner, carried, [&](Value j, ArrayRef<Value> carried) -> Values {
      return {with(carried[0], at(x, r, begin, j), r, begin, j)};
    });
    return loop(b, 1, n, first, [&](Value i, ArrayRef<Value> carried) -> Values {
      Value here = i, before;
      if (reverse)
        here = arith::SubIOp::create(b, index(b, n - 1), i);
      if (reverse)
        before = arith::AddIOp::create(b, here, index(b, 1));
      else
        before = arith::SubIOp::create(b, here, index(b, 1));
      return loop(b, 0, inner, carried, [&](Value j, ArrayRef<Value> carried) -> Values {
        Value total = at(carried[0], r, before, j);
        return {with(carried[0], join(total, at(x, r, here, j)), r, here, j)};
      });
    });
  })[0];
}

/// Sums of few long rows: of parts of a row together, which begin at the sums of the parts before them.
Value Emitter::scannedInParts(Value x, bool reverse, Join join) {
  ImplicitLocOpBuilder &b = builder;
  RankedTensorType t = typeOf(x);
  int64_t rows = t.getDimSize(0), extent = t.getDimSize(1) / kTogether, whole = extent * kTogether;
  int64_t left = t.getDimSize(1) - whole, start = reverse ? left : 0; // `left` are in no part, the last to be added
  Shape ones{1, 1};
  Value found = empty(t);
  for (int64_t row = 0; row < rows; ++row) {
    RankedTensorType cut = withShape(t, {kTogether, extent}), line = withShape(t, {1, whole});
    Value parts = reshaped(slice(x, {row, start}, ones, line), cut);
    Value sums = sum(parts, {1}, withShape(t, {kTogether}));
    Values before(kTogether, Value());
    Value total;
    for (int64_t k = 0; k < kTogether; ++k) {
      int64_t part = reverse ? kTogether - 1 - k : k;
      before[part] = total;
      Value element = tensor::ExtractOp::create(b, sums, ValueRange{index(b, part)});
      total = total ? join(total, element) : element;
    }
    Value done = reshaped(scannedRows(parts, empty(cut), extent, 1, 0, kTogether, reverse, join, before), line);
    found = inserted(done, found, {row, start}, t);
    for (int64_t k = 0; k < left; ++k) {
      Value r = index(b, row), i = index(b, reverse ? left - 1 - k : whole + k);
      total = join(total, tensor::ExtractOp::create(b, x, ValueRange{r, i}));
      found = tensor::InsertOp::create(b, total, found, ValueRange{r, i});
    }
  }
  return found;
}

Value Emitter::cumulative(StringRef kind, Value x, int64_t axis, int64_t reverse, RankedTensorType result) {
  ArrayRef<int64_t> shape = result.getShape();
  auto product = [](ArrayRef<int64_t> extents) {
    int64_t n = 1;
    for (int64_t k : extents)
      n *= k;
    return n;
  };
  int64_t n = shape[axis], rows = product(shape.take_front(axis)), inner = product(shape.drop_front(axis + 1));
  Scalars s = scalars(result);
  auto join = [&](Value total, Value element) { return s.joined(kind, total, element); };
  RankedTensorType t = typeOf(x);
  if (inner > 1) {
    RankedTensorType whole = withShape(t, {rows, n, inner});
    Value turned = reshaped(x, whole);
    return reshaped(scannedAcross(turned, empty(whole), reverse, join), result);
  }
  RankedTensorType flat = withShape(t, {rows, n});
  x = reshaped(x, flat);
  if (kind == "sum" && s.isFloat && !strict && rows < kTogether && n >= kLong)
    return reshaped(scannedInParts(x, reverse, join), result);
  int64_t together = rows / kTogether, left = rows % kTogether;
  Value found = empty(flat);
  if (together > 0)
    found = scannedRows(x, found, n, together, 0, kTogether, reverse, join, {});
  if (left > 0)
    found = scannedRows(x, found, n, 1, together * kTogether, left, reverse, join, {});
  return reshaped(found, result);
}
