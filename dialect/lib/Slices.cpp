// Slices read and written at positions that are known when the code runs.

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mind;
using utils::IteratorType;

/// The sum of two of MLIR's indices.
static Value plus(ImplicitLocOpBuilder &b, Value x, Value y) { return arith::AddIOp::create(b, x, y); }

/// How many positions along each of `axes` a slice may begin at.
static Shape spansOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes, ArrayRef<int64_t> sizes) {
  Shape spans;
  for (auto [n, axis] : llvm::enumerate(axes))
    spans.push_back(shape[axis] - (sizes.empty() ? 1 : sizes[n]) + 1);
  return spans;
}

/// For a loop of this rank, the maps to each entry of the index vector; its first `lead` dimensions are those.
static SmallVector<AffineMap> entries(Builder &b, int64_t rank, int64_t lead, size_t count) {
  SmallVector<AffineMap> maps;
  for (size_t k = 0; k < count; ++k) {
    SmallVector<AffineExpr> at;
    for (int64_t d = 0; d < lead; ++d)
      at.push_back(b.getAffineDimExpr(d));
    at.push_back(b.getAffineConstantExpr(k));
    maps.push_back(AffineMap::get(rank, 0, at, b.getContext()));
  }
  return maps;
}

/// True if an entry of the index vector names no position where a slice may begin.
static Value anyOutside(const Scalars &i, ValueRange vector, ArrayRef<int64_t> spans) {
  Value found;
  for (auto [k, span] : llvm::zip(vector, spans)) {
    Value here = outside(i, k, span);
    found = found ? i.either(found, here) : here;
  }
  return found;
}

static SmallVector<Value> nearestPlaces(const Scalars &i, ValueRange vector, ArrayRef<int64_t> spans) {
  SmallVector<Value> begins;
  for (auto [k, span] : llvm::zip(vector, spans))
    begins.push_back(nearest(i, k, span));
  return begins;
}

namespace {

/// Which slices: as in mind_mlir/ops/_slices.py.
struct Named {
  int64_t rank;
  ArrayRef<int64_t> axes, batchAxes, sizes;

  /// Where an element of a slice is in the whole.
  SmallVector<Value> place(ImplicitLocOpBuilder &b, ValueRange begins, ValueRange batch, ValueRange window) const {
    SmallVector<Value> place;
    size_t inner = 0;
    for (int64_t a = 0; a < rank; ++a) {
      if (llvm::is_contained(batchAxes, a)) {
        place.push_back(batch[llvm::find(batchAxes, a) - batchAxes.begin()]);
      } else if (!llvm::is_contained(axes, a)) {
        place.push_back(window[inner++]);
      } else {
        Value begin = begins[llvm::find(axes, a) - axes.begin()];
        place.push_back(sizes.empty() ? begin : plus(b, begin, window[inner++]));
      }
    }
    return place;
  }
};

} // namespace

Value Emitter::read(Value x, ValueRange starts, RankedTensorType result) {
  int64_t rank = result.getRank();
  SmallVector<AffineMap> maps(starts.size(), AffineMap::get(rank, 0, builder.getContext()));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
  return generic(maps, kinds, starts, empty(result), [&](ValueRange elements) -> Value {
    SmallVector<Value> at;
    for (auto [d, start] : llvm::enumerate(starts)) {
      int64_t span = shapeOf(x)[d] - result.getDimSize(d) + 1;
      Value begin = nearest(scalars(type(start)), elements[d], span);
      at.push_back(plus(builder, begin, linalg::IndexOp::create(builder, d)));
    }
    return tensor::ExtractOp::create(builder, x, at);
  });
}

Value Emitter::written(Value x, Value update, ValueRange starts) {
  ArrayRef<int64_t> sizes = shapeOf(update);
  SmallVector<Value> begins;
  for (auto [d, start] : llvm::enumerate(starts)) {
    Value k = tensor::ExtractOp::create(builder, start, ValueRange());
    begins.push_back(nearest(scalars(type(start)), k, shapeOf(x)[d] - sizes[d] + 1));
  }
  return loops(sizes, x, [&](ArrayRef<Value> place, Value carried) -> Value {
    SmallVector<Value> at;
    for (auto [begin, p] : llvm::zip(begins, place))
      at.push_back(plus(builder, begin, p));
    Value added = tensor::ExtractOp::create(builder, update, place);
    return tensor::InsertOp::create(builder, added, carried, at);
  });
}

/// With oob = error, asserts that every slice fits.
void Emitter::reportSlices(StringRef opcode, Value indices, ArrayRef<int64_t> spans, StringRef oob) {
  RankedTensorType t = type(indices);
  if (oob != "error" || isEmpty(t.getShape()))
    return;
  auto flagType = RankedTensorType::get({}, builder.getI64Type());
  Scalars s = scalars(flagType), i = scalars(t);
  int64_t lead = t.getRank() - 1;
  SmallVector<AffineMap> maps = entries(builder, lead, lead, spans.size());
  maps.push_back(AffineMap::get(lead, 0, builder.getContext()));
  SmallVector<IteratorType> kinds(lead, IteratorType::reduction);
  SmallVector<Value> inputs(spans.size(), indices);
  Value flag = generic(maps, kinds, inputs, filled(flagType, 0), [&](ValueRange elements) {
    Value failed = s.fromCondition(anyOutside(i, elements.drop_back(), spans));
    return s.either(elements.back(), failed);
  });
  Value found = tensor::ExtractOp::create(builder, flag, ValueRange());
  Value within = s.equal(found, s.number(0));
  cf::AssertOp::create(builder, within, say(opcode, " index out of bounds"));
}

Value Emitter::gathered(Value x, Value indices, ArrayRef<int64_t> axes, ArrayRef<int64_t> batchAxes,
                        ArrayRef<int64_t> sizes, StringRef oob, RankedTensorType result) {
  Shape spans = spansOf(shapeOf(x), axes, sizes);
  reportSlices("GatherSlices", indices, spans, oob);
  if (isEmpty(result.getShape()))
    return empty(result);
  if (llvm::is_contained(spans, 0))
    return filled(result, 0);
  Named named{typeOf(x).getRank(), axes, batchAxes, sizes};
  Scalars s = scalars(result), i = scalars(type(indices));
  int64_t rank = result.getRank(), lead = typeOf(indices).getRank() - 1;
  SmallVector<AffineMap> maps = entries(builder, rank, lead, axes.size());
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
  SmallVector<Value> inputs(axes.size(), indices);
  return generic(maps, kinds, inputs, empty(result), [&](ValueRange elements) -> Value {
    ValueRange vector = elements.drop_back();
    SmallVector<Value> begins = nearestPlaces(i, vector, spans), window, batch;
    for (int64_t d = lead; d < rank; ++d)
      window.push_back(linalg::IndexOp::create(builder, d));
    for (size_t d = 0; d < batchAxes.size(); ++d)
      batch.push_back(linalg::IndexOp::create(builder, d));
    Value found = tensor::ExtractOp::create(builder, x, named.place(builder, begins, batch, window));
    if (oob != "fill")
      return found;
    Value none = anyOutside(i, vector, spans);
    return s.select(none, s.number(0), found);
  });
}

/// What an element and an update become.
static Value combined(const Scalars &s, StringRef kind, Value old, Value update) {
  if (kind == "add")
    return s.add(old, update);
  if (kind == "max")
    return s.maximum(old, update);
  if (kind == "min")
    return s.minimum(old, update);
  return update;
}

Value Emitter::scattered(Value x, Value indices, Value updates, ArrayRef<int64_t> axes, ArrayRef<int64_t> batchAxes,
                         ArrayRef<int64_t> sizes, StringRef oob, StringRef kind, StringRef opcode) {
  Shape spans = spansOf(shapeOf(x), axes, sizes);
  reportSlices(opcode, indices, spans, oob);
  if (isEmpty(shapeOf(updates)) || llvm::is_contained(spans, 0))
    return x;
  Named named{typeOf(x).getRank(), axes, batchAxes, sizes};
  Scalars s = scalars(type(x)), i = scalars(type(indices));
  int64_t lead = typeOf(indices).getRank() - 1;
  return loops(shapeOf(indices).drop_back(), x, [&](ArrayRef<Value> at, Value carried) {
    SmallVector<Value> vector;
    for (size_t k = 0; k < axes.size(); ++k) {
      SmallVector<Value> entry(at);
      entry.push_back(arith::ConstantIndexOp::create(builder, k));
      vector.push_back(tensor::ExtractOp::create(builder, indices, entry));
    }
    SmallVector<Value> begins = nearestPlaces(i, vector, spans);
    Value beyond = oob == "fill" ? anyOutside(i, vector, spans) : Value();
    return loops(shapeOf(updates).drop_front(lead), carried, [&](ArrayRef<Value> window, Value carried) -> Value {
      SmallVector<Value> place = named.place(builder, begins, at, window), from(at);
      llvm::append_range(from, window);
      Value changed = tensor::ExtractOp::create(builder, updates, from);
      if (kind != "set" || beyond) {
        Value old = tensor::ExtractOp::create(builder, carried, place);
        changed = combined(s, kind, old, changed);
        if (beyond)
          changed = s.select(beyond, old, changed);
      }
      return tensor::InsertOp::create(builder, changed, carried, place);
    });
  });
}
