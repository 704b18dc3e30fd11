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
  int64_t n = shapeOf(x)[axis], blocks = n / kPositions;
  Type number = n <= std::numeric_limits<int32_t>::max() ? builder.getI32Type() : builder.getI64Type();
  SmallVector<Value> found;
  auto look = [&](int64_t start, int64_t count, int64_t extent) {
    if (count * extent > 0)
      found.push_back(firstAt(cut(x, axis, start, count * extent), extreme, axis, count, extent, start, number));
  };
  look(0, blocks, kPositions);
  look(blocks * kPositions, 1, n % kPositions);
  Value first = found[0];
  if (found.size() == 2)
    first = map([](const Scalars &s, ValueRange xs) { return s.minimum(xs[0], xs[1]); }, found, typeOf(first));
  first = reshaped(first, RankedTensorType::get(result.getShape(), number));
  Value position = map(
      [&](const Scalars &s, ValueRange xs) {
        return s.element == number ? xs[0] : s.op("arith.extsi", xs[0]);
      },
      first, result);
  extreme.getDefiningOp()->setAttr("mind.extreme", builder.getUnitAttr());
  position.getDefiningOp()->setAttr("mind.position", builder.getUnitAttr());
  return position;
}

/// The first position, counted from `start`, at which `x` is the extreme or NaN; the largest number if none.
Value Emitter::firstAt(Value x, Value extreme, int64_t axis, int64_t count, int64_t extent, int64_t start,
                       Type number) {
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
  x = reshaped(x, withShape(t, with({count, extent}, true)));
  extreme = reshaped(extreme, withShape(t, with({1, 1}, true)));
  Value high = positions(number, start, count, extent, with({count, 1}, false));
  Value low = positions(number, 0, extent, 1, with({extent}, false));
  Scalars v = scalars(t);
  auto position = [&](const Scalars &s, ValueRange xs) {
    Value reached = v.equal(xs[0], xs[1]);
    if (v.isFloat)
      reached = v.either(reached, v.unordered(xs[0], xs[0]));
    Value here = s.add(xs[2], xs[3]);
    return s.select(reached, here, s.number(s.largest()));
  };
  auto whole = RankedTensorType::get(shapeOf(x), number);
  Value all = map(position, {x, extreme, high, low}, whole);
  Scalars i = scalars(whole);
  return reduceWith(
      all, {axis, axis + 1}, [&] { return i.number(i.largest()); },
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
