// Where along an axis the largest or the smallest element is.

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mind;

/// The most positions along an axis that are in one constant.
static constexpr int64_t kPositions = 1024;

Value Emitter::argExtreme(StringRef kind, Value x, int64_t axis, RankedTensorType result) {
  Scalars v = scalars(type(x));
  Value extreme = reduceWith(
      x, axis, [&] { return v.neutral(kind); },
      [&](Value acc, Value element) { return v.joined(kind, acc, element); });
  int64_t n = shapeOf(x)[axis];
  Type number = n <= std::numeric_limits<int32_t>::max() ? builder.getI32Type() : builder.getI64Type();
  // Few rows of blocks, of blocks of blocks, and so on, none of more than kPositions.
  int64_t size = kPositions, start = 0;
  size_t depth = 1;
  for (; size <= n / kPositions; size *= kPositions)
    ++depth;
  SmallVector<Value> found;
  for (;; size /= kPositions, --depth) {
    if (int64_t count = (n - start) / size) {
      Shape blocks(depth, kPositions);
      blocks.insert(blocks.begin(), count);
      if (!depth)
        blocks.insert(blocks.begin(), 1);
      found.push_back(firstAt(cut(x, axis, start, count * size), extreme, axis, blocks, start, number));
      start += count * size;
    }
    if (!depth)
      break;
  }
  Value first = found[0];
  for (Value other : ArrayRef(found).drop_front())
    first = map([](const Scalars &s, ValueRange xs) { return s.minimum(xs[0], xs[1]); }, {first, other}, typeOf(first));
  first = reshaped(first, RankedTensorType::get(result.getShape(), number));
  return map(
      [&](const Scalars &s, ValueRange xs) {
        return s.element == number ? xs[0] : s.op("arith.extsi", xs[0]);
      },
      first, result);
}

/// The first position, counted from `start`, at which `x` is the extreme or NaN; the largest number if none.
Value Emitter::firstAt(Value x, Value extreme, int64_t axis, ArrayRef<int64_t> blocks, int64_t start, Type number) {
  RankedTensorType t = typeOf(x);
  ArrayRef<int64_t> before = t.getShape().take_front(axis), after = t.getShape().drop_front(axis + 1);
  auto with = [&](ArrayRef<int64_t> extents, bool isWhole) {
    Shape shape;
    if (isWhole)
      shape.append(before.begin(), before.end());
    shape.append(extents.begin(), extents.end());
    isWhole ? shape.append(after.begin(), after.end()) : shape.append(after.size(), 1);
    return shape;
  };
  x = reshaped(x, withShape(t, with(blocks, true)));
  extreme = reshaped(extreme, withShape(t, with(Shape(blocks.size(), 1), true)));
  SmallVector<Value> inputs{x, extreme};
  for (auto [k, extent] : llvm::enumerate(blocks)) {
    Shape alone(blocks.size() - k, 1);
    alone[0] = extent;
    int64_t step = 1;
    for (int64_t inner : blocks.drop_front(k + 1))
      step *= inner;
    inputs.push_back(positions(number, k ? 0 : start, extent, step, with(alone, false)));
  }
  Scalars v = scalars(t);
  auto position = [&](const Scalars &s, ValueRange xs) {
    Value reached = v.equal(xs[0], xs[1]);
    if (v.isFloat)
      reached = v.either(reached, v.unordered(xs[0], xs[0]));
    Value here = xs[2];
    for (Value step : xs.drop_front(3))
      here = s.add(here, step);
    return s.select(reached, here, s.number(s.largest()));
  };
  auto whole = RankedTensorType::get(shapeOf(x), number);
  Value all = map(position, inputs, whole);
  Scalars i = scalars(whole);
  return reduceWith(
      all, llvm::to_vector(llvm::seq(axis, axis + int64_t(blocks.size()))), [&] { return i.number(i.largest()); },
      [&](Value acc, Value k) { return i.minimum(acc, k); });
}

/// `count` numbers from `start`, `step` apart.
Value Emitter::positions(Type number, int64_t start, int64_t count, int64_t step, ArrayRef<int64_t> shape) {
  SmallVector<APInt> numbers;
  for (int64_t n = 0; n < count; ++n)
    numbers.push_back(APInt(number.getIntOrFloatBitWidth(), start + n * step));
  auto flat = RankedTensorType::get(count, number);
  return reshaped(literal(DenseElementsAttr::get(flat, numbers), flat), RankedTensorType::get(shape, number));
}
