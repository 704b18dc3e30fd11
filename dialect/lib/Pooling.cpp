// Windows that move over a tensor: their elements joined, or one of them picked or added to.

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mind;
using utils::IteratorType;

/// The most elements of a window that are joined by one formula.
static constexpr int64_t kFew = 16;

/// What elements have become: the value, and its position in the window where that is wanted.
using Part = SmallVector<Value, 2>;

using JoinParts = function_ref<Part(const Part &, const Part &)>;

static int64_t product(ArrayRef<int64_t> numbers) {
  int64_t n = 1;
  for (int64_t k : numbers)
    n *= k;
  return n;
}

/// How many of n elements are joined first: the largest power of 2 below n.
static int64_t half(int64_t n) { return int64_t(1) << llvm::Log2_64(n - 1); }

static Part joinedInPairs(ArrayRef<Part> items, JoinParts join) {
  if (items.size() == 1)
    return items[0];
  int64_t p = half(items.size());
  Part first = joinedInPairs(items.take_front(p), join);
  return join(first, joinedInPairs(items.drop_front(p), join));
}

/// The elements of a window, in row-major order, as one: axis by axis, from the last to the first.
static Part tree(SmallVector<Part> items, ArrayRef<int64_t> window, JoinParts join) {
  for (int64_t n : llvm::reverse(window)) {
    SmallVector<Part> found;
    for (size_t at = 0; at < items.size(); at += n)
      found.push_back(joinedInPairs(ArrayRef(items).slice(at, n), join));
    items = std::move(found);
  }
  return items[0];
}

/// The position in a window of `count` elements that is nearest to an index.
static Value nearest(const Scalars &i, Value index, int64_t count) {
  Value last = i.number(std::min(Int(count - 1), i.largest()));
  Value notBelow = i.maximum(index, i.number(0));
  return i.minimum(notBelow, last);
}

/// Of two values with their positions the first, unless the other is larger, or is NaN and the first is not.
static Part largerOf(const Scalars &v, const Scalars &s, const Part &a, const Part &b) {
  Value later = v.greater(b[0], a[0]);
  if (v.isFloat) {
    Value isNan = v.unordered(b[0], b[0]);
    Value onlyThat = v.both(isNan, v.equal(a[0], a[0]));
    later = v.either(later, onlyThat);
  }
  Value value = v.select(later, b[0], a[0]);
  return {value, s.select(later, b[1], a[1])};
}

Value Emitter::aroundWith(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high, bool isZero, StringRef kind) {
  RankedTensorType t = typeOf(x);
  Shape shape;
  for (auto [l, n, h] : llvm::zip(low, t.getShape(), high))
    shape.push_back(l + n + h);
  RankedTensorType out = withShape(t, shape);
  if (out == t)
    return x;
  Scalars s = scalars(type(x));
  Value around = filledWith(isZero ? s.number(0) : s.neutral(kind), out);
  return isEmpty(t.getShape()) ? around : inserted(x, around, low, out);
}

/// For each position in a window, in row-major order, the elements there of all windows.
SmallVector<Value> Emitter::slicesOf(Value x, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                                     ArrayRef<int64_t> dilation, RankedTensorType result) {
  RankedTensorType t = withShape(typeOf(x), result.getShape());
  SmallVector<Value> found;
  Shape position(window.size(), 0);
  for (int64_t n = 0, count = product(window); n < count; ++n) {
    Shape starts;
    for (auto [k, d] : llvm::zip(position, dilation))
      starts.push_back(k * d);
    found.push_back(slice(x, starts, strides, t));
    for (size_t axis = window.size(); axis-- > 0;) {
      if (++position[axis] < window[axis])
        break;
      position[axis] = 0;
    }
  }
  return found;
}

/// `extent` elements along one axis, `step` apart.
Value Emitter::cutAlong(Value x, int64_t axis, int64_t start, int64_t extent, int64_t step) {
  RankedTensorType t = typeOf(x);
  Shape starts(t.getRank(), 0), steps(t.getRank(), 1), shape(t.getShape());
  starts[axis] = start;
  steps[axis] = step;
  shape[axis] = extent;
  return slice(x, starts, steps, withShape(t, shape));
}

/// The elements of each window along one axis as one; `join` gets their distance times `apart`, too.
SmallVector<Value> Emitter::along(int64_t axis, SmallVector<Value> parts, ArrayRef<int64_t> window,
                                  ArrayRef<int64_t> strides, ArrayRef<int64_t> dilation, JoinSpans join,
                                  int64_t apart) {
  int64_t step = dilation[axis], extent = shapeOf(parts[0])[axis];
  std::map<int64_t, SmallVector<Value>> spans{{1, parts}};
  std::function<SmallVector<Value>(int64_t)> span = [&](int64_t n) {
    if (auto known = spans.find(n); known != spans.end())
      return known->second;
    int64_t p = half(n), left = extent - (n - 1) * step;
    SmallVector<Value> first = span(p), other = span(n - p), head, tail;
    for (Value x : first)
      head.push_back(cutAlong(x, axis, 0, left, 1));
    for (Value x : other)
      tail.push_back(cutAlong(x, axis, p * step, left, 1));
    return spans[n] = join(head, tail, p * apart);
  };
  int64_t count = (extent - (window[axis] - 1) * step - 1) / strides[axis] + 1;
  SmallVector<Value> found;
  for (Value x : span(window[axis]))
    found.push_back(cutAlong(x, axis, 0, count, strides[axis]));
  return found;
}

Value Emitter::windowsJoined(StringRef kind, Value x, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                             ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation,
                             RankedTensorType result) {
  x = aroundWith(x, low, high, /*isZero=*/false, kind);
  if (product(window) <= kFew) {
    SmallVector<Value> slices = slicesOf(x, window, strides, dilation, result);
    if (slices.size() == 1)
      return slices[0];
    auto formula = [&](const Scalars &s, ValueRange elements) {
      auto items = llvm::map_to_vector(elements, [](Value v) { return Part{v}; });
      auto join = [&](const Part &a, const Part &b) { return Part{s.joined(kind, a[0], b[0])}; };
      return tree(SmallVector<Part>(items), window, join)[0];
    };
    return map(formula, slices, result);
  }
  auto join = [&](ArrayRef<Value> a, ArrayRef<Value> b, int64_t) {
    auto formula = [&](const Scalars &s, ValueRange xs) { return s.joined(kind, xs[0], xs[1]); };
    return SmallVector<Value>{map(formula, {a[0], b[0]}, typeOf(a[0]))};
  };
  for (int64_t axis = window.size() - 1; axis >= 0; --axis)
    x = along(axis, {x}, window, strides, dilation, join, 1)[0];
  return x;
}

Value Emitter::argMaxOfWindows(Value x, ArrayRef<int64_t> window, ArrayRef<int64_t> strides, ArrayRef<int64_t> low,
                               ArrayRef<int64_t> high, ArrayRef<int64_t> dilation, RankedTensorType result) {
  Scalars v = scalars(type(x));
  x = aroundWith(x, low, high, /*isZero=*/false, "max");
  if (product(window) <= kFew) {
    SmallVector<Value> slices = slicesOf(x, window, strides, dilation, result);
    auto formula = [&](const Scalars &s, ValueRange elements) {
      SmallVector<Part> items;
      for (auto [n, element] : llvm::enumerate(elements))
        items.push_back({element, s.number(int64_t(n))});
      auto join = [&](const Part &a, const Part &b) { return largerOf(v, s, a, b); };
      return tree(items, window, join)[1];
    };
    return map(formula, slices, result);
  }
  auto join = [&](ArrayRef<Value> a, ArrayRef<Value> b, int64_t distance) {
    auto larger = [&](const Scalars &, ValueRange xs) {
      return largerOf(v, v, {xs[0], xs[0]}, {xs[1], xs[1]})[0];
    };
    Value value = map(larger, {a[0], b[0]}, typeOf(a[0]));
    auto position = [&](const Scalars &s, ValueRange xs) {
      return largerOf(v, s, {xs[0], xs[1]}, {xs[2], s.add(xs[3], s.number(distance))})[1];
    };
    return SmallVector<Value>{value, map(position, {a[0], a[1], b[0], b[1]}, typeOf(a[1]))};
  };
  RankedTensorType numbers = withShape(result, shapeOf(x));
  SmallVector<Value> parts{x, filled(numbers, 0)};
  int64_t apart = 1;
  for (int64_t axis = window.size() - 1; axis >= 0; --axis) {
    parts = along(axis, parts, window, strides, dilation, join, apart);
    apart *= window[axis];
  }
  return parts[1];
}

// One element of each window

/// Over windows and positions in them: the indices of elements, of windows, and of positions.
static std::array<AffineMap, 3> loopsOver(ArrayRef<int64_t> strides, ArrayRef<int64_t> dilation, Builder &builder) {
  size_t rank = strides.size();
  SmallVector<AffineExpr> elements, first, within;
  for (size_t d = 0; d < rank; ++d) {
    first.push_back(builder.getAffineDimExpr(d));
    within.push_back(builder.getAffineDimExpr(rank + d));
    elements.push_back(first[d] * strides[d] + within[d] * dilation[d]);
  }
  auto over = [&](ArrayRef<AffineExpr> indices) {
    return AffineMap::get(2 * rank, 0, indices, builder.getContext());
  };
  return {over(elements), over(first), over(within)};
}

/// The position in a window of `count` elements that is nearest to an index.
static Value nearestOf(const Scalars &i, Value index, int64_t count) {
  Value last = i.number(std::min(Int(count - 1), i.largest()));
  Value zero = i.number(0);
  Value least = i.maximum(index, zero);
  return i.minimum(least, last);
}

/// The numbers of the positions in a window, in row-major order.
Value Emitter::numbersOf(Type element, ArrayRef<int64_t> window) {
  SmallVector<APInt> numbers;
  for (int64_t n = 0, count = product(window); n < count; ++n)
    numbers.push_back(APInt(element.getIntOrFloatBitWidth(), n));
  auto flat = RankedTensorType::get(static_cast<int64_t>(numbers.size()), element);
  return reshaped(literal(DenseElementsAttr::get(flat, numbers), flat), RankedTensorType::get(window, element));
}

Value Emitter::windowsGathered(Value x, Value indices, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                               ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation,
                               RankedTensorType result) {
  x = aroundWith(x, low, high, /*isZero=*/true);
  SmallVector<IteratorType> kinds(result.getRank(), IteratorType::parallel);
  kinds.append(result.getRank(), IteratorType::reduction);
  auto [elements, windows, numbers] = loopsOver(strides, dilation, builder);
  Scalars i = scalars(typeOf(indices)), s = scalars(result);
  Value inputs[] = {x, indices, numbersOf(i.element, window)};
  return generic({elements, windows, numbers, windows}, kinds, inputs, filled(result, 0), [&](ValueRange xs) {
    Value chosen = i.equal(nearestOf(i, xs[1], product(window)), xs[2]);
    return s.select(chosen, xs[0], xs[3]);
  });
}

Value Emitter::windowsScattered(Value updates, Value indices, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                                ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation,
                                RankedTensorType result) {
  Shape shape;
  for (auto [l, n, h] : llvm::zip(low, result.getShape(), high))
    shape.push_back(l + n + h);
  Shape ones(result.getRank(), 1);
  Value zeros = filled(withShape(result, shape), 0);
  if (isEmpty(shapeOf(updates)))
    return slice(zeros, low, ones, result);
  SmallVector<IteratorType> kinds;
  for (int64_t n : window)
    kinds.push_back(n == 1 ? IteratorType::parallel : IteratorType::reduction);
  kinds.append(result.getRank(), IteratorType::reduction);
  auto [elements, windows, numbers] = loopsOver(strides, dilation, builder);
  Scalars i = scalars(typeOf(indices)), s = scalars(result);
  Value inputs[] = {updates, indices, numbersOf(i.element, window)};
  Value added = generic({windows, windows, numbers, elements}, kinds, inputs, zeros, [&](ValueRange xs) {
    Value chosen = i.equal(nearestOf(i, xs[1], product(window)), xs[2]);
    return s.select(chosen, s.add(xs[3], xs[0]), xs[3]);
  });
  return slice(added, low, ones, result);
}
