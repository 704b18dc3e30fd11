#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::mind;
using utils::IteratorType;

/// Terms of one block of a float sum in strict numerics.
static constexpr int64_t kSumBlock = 128;

static Shape repeated(size_t n, int64_t value) { return Shape(n, value); }

RankedTensorType mlir::mind::paddedType(RankedTensorType t, ArrayRef<Pads> pads, ArrayRef<int64_t> interior) {
  Shape shape;
  for (auto [i, n] : llvm::enumerate(t.getShape())) {
    int64_t gaps = interior.empty() ? 0 : std::max<int64_t>(n - 1, 0) * interior[i];
    shape.push_back(pads[i].first + n + gaps + pads[i].second);
  }
  return withShape(t, shape);
}

// Types

Value Emitter::taken(Value operand) {
  RankedTensorType t = typeOf(operand);
  if (withoutSign(t) == t)
    return operand;
  Value cast = UnrealizedConversionCastOp::create(builder, withoutSign(t), operand).getResult(0);
  signs[cast] = t;
  return cast;
}

Value Emitter::converted(Value x, RankedTensorType result) {
  Type source = type(x).getElementType();
  if (source == result.getElementType())
    return x;
  if (isEmpty(result.getShape()))
    return empty(result);
  return map([&](const Scalars &s, ValueRange elements) { return s.converted(elements[0], s.of(source)); }, x, result);
}

// Sources

Value Emitter::literal(Attribute data, RankedTensorType t) {
  auto elements = dyn_cast<DenseElementsAttr>(data);
  if (!elements)
    elements = DenseElementsAttr::get(t, data);
  return arith::ConstantOp::create(builder, elements.bitcast(withoutSign(t.getElementType())));
}

Value Emitter::empty(RankedTensorType t) { return tensor::EmptyOp::create(builder, withoutSign(t), ValueRange()); }

Value Emitter::filled(RankedTensorType t, int64_t value) { return filledWith(scalars(t).number(value), t); }

Value Emitter::filledWith(Value number, RankedTensorType t) {
  t = withoutSign(t);
  return located(linalg::FillOp::create(builder, TypeRange(t), number, empty(t)));
}

Value Emitter::copied(Value x) {
  RankedTensorType t = typeOf(x);
  return located(linalg::CopyOp::create(builder, TypeRange(t), x, empty(t)));
}

/// The result of an operation whose body MLIR has made, from no place that it names: it comes from here, too.
Value Emitter::located(Operation *made) {
  made->walk([&](Operation *inner) { inner->setLoc(builder.getLoc()); });
  for (BlockArgument argument : made->getRegion(0).getArguments())
    argument.setLoc(builder.getLoc());
  return made->getResult(0);
}

// Element by element

/// An operation of linalg that has a name, onto `out`, with the body that MLIR gives it.
Value Emitter::structured(StringRef name, ValueRange inputs, Value out, ArrayRef<NamedAttribute> attributes) {
  OperationState state(builder.getLoc(), name, inputs, TypeRange(out.getType()), attributes);
  state.addOperands(out);
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({static_cast<int32_t>(inputs.size()), 1}));
  Region *region = state.addRegion();
  auto *dialect = builder.getContext()->getLoadedDialect<linalg::LinalgDialect>();
  auto fill = dialect->getRegionBuilder(name);
  SmallVector<Type> elements =
      llvm::map_to_vector(state.operands, [](Value v) { return typeOf(v).getElementType(); });
  SmallVector<Location> places(elements.size(), builder.getLoc());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(region, {}, elements, places);
    fill(builder, *body, state.attributes.getAttrs(), [&] { return emitError(builder.getLoc()); });
  }
  return located(builder.create(state));
}

Value Emitter::named(StringRef name, ValueRange inputs, RankedTensorType result, std::optional<int64_t> init,
                     ArrayRef<NamedAttribute> attributes) {
  Value out = init ? filled(result, *init) : empty(result);
  if (llvm::any_of(inputs, [](Value v) { return isEmpty(shapeOf(v)); }))
    return out; // nothing to add
  return structured(name, inputs, out, attributes);
}

Value Emitter::elementwise(StringRef name, Formula formula, ValueRange inputs, RankedTensorType result) {
  if (llvm::all_of(inputs, [&](Value v) { return shapeOf(v) == result.getShape(); }))
    return named(name, inputs, result);
  return map(formula, inputs, result);
}

/// Makes the body of a linalg operation whose region is still empty.
void Emitter::fillBody(Operation *made, Body body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> elements =
      llvm::map_to_vector(made->getOperands(), [](Value v) { return typeOf(v).getElementType(); });
  SmallVector<Location> places(elements.size(), builder.getLoc());
  Block *block = builder.createBlock(&made->getRegion(0), {}, elements, places);
  linalg::YieldOp::create(builder, body(block->getArguments()));
}

Value Emitter::generic(ArrayRef<AffineMap> maps, ArrayRef<IteratorType> kinds, ValueRange inputs, Value init,
                       Body body) {
  Operation *made =
      linalg::GenericOp::create(builder, TypeRange(init.getType()), inputs, ValueRange(init), maps, kinds);
  fillBody(made, body);
  return made->getResult(0);
}

static AffineMap broadcastMap(ArrayRef<int64_t> shape, ArrayRef<int64_t> to, Builder &builder) {
  SmallVector<AffineExpr> indices;
  size_t lead = to.size() - shape.size();
  for (auto [i, n] : llvm::enumerate(shape)) {
    bool stretched = n == 1 && to[lead + i] != 1;
    indices.push_back(stretched ? builder.getAffineConstantExpr(0) : builder.getAffineDimExpr(lead + i));
  }
  return AffineMap::get(to.size(), 0, indices, builder.getContext());
}

Value Emitter::map(Formula formula, ValueRange inputs, RankedTensorType result) {
  SmallVector<AffineMap> maps;
  for (Value v : inputs)
    maps.push_back(broadcastMap(shapeOf(v), result.getShape(), builder));
  maps.push_back(builder.getMultiDimIdentityMap(result.getRank()));
  SmallVector<IteratorType> kinds(result.getRank(), IteratorType::parallel);
  return generic(maps, kinds, inputs, empty(result),
                 [&](ValueRange elements) { return formula(scalars(result), elements.drop_back()); });
}

// Contractions

/// The names of every axis of every term of `dims`, the result's last; `...` stands for batch axes, aligned from the
/// right, of which the result has all.
static SmallVector<SmallVector<std::string>> namedAxes(StringRef dims, ArrayRef<int64_t> ranks) {
  SmallVector<StringRef> terms;
  dims.substr(0, dims.find("->")).split(terms, ',');
  terms.push_back(dims.substr(dims.find("->") + 2));
  SmallVector<SmallVector<std::string>> named;
  for (auto [term, rank] : llvm::zip_equal(terms, ranks)) {
    SmallVector<StringRef> axes;
    term.split(axes, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    auto &names = named.emplace_back();
    for (StringRef axis : axes) {
      if (axis == "...")
        for (int64_t back = rank - (axes.size() - 1); back > 0; --back)
          names.push_back(say("batch -", back));
      else
        names.push_back(axis.str());
    }
  }
  return named;
}

Value Emitter::contract(StringRef dims, ValueRange inputs, RankedTensorType result, StringRef sums) {
  Value init = filled(result, 0);
  if (llvm::any_of(inputs, [](Value v) { return isEmpty(shapeOf(v)); }))
    return init; // nothing to add
  auto ranks = llvm::map_to_vector(inputs, [](Value v) { return typeOf(v).getRank(); });
  ranks.push_back(result.getRank());
  SmallVector<SmallVector<std::string>> named = namedAxes(dims, ranks), used;
  llvm::StringMap<int64_t> extents; // of the dimensions, but for those that are 1 everywhere
  for (auto [term, v] : llvm::zip(named, inputs))
    for (auto [d, n] : llvm::zip(term, shapeOf(v)))
      if (n != 1)
        extents[d] = n;
  SmallVector<Value> operands;
  for (auto [term, v] : llvm::zip(named, inputs)) {
    auto &kept = used.emplace_back();
    Shape shape;
    for (auto [d, n] : llvm::zip(term, shapeOf(v)))
      if (n != 1 || !extents.contains(d)) {
        kept.push_back(d);
        shape.push_back(n);
      }
    operands.push_back(dropped(v, withShape(typeOf(v), shape)));
  }
  used.push_back(named.back());
  llvm::SetVector<StringRef> loops(named.back().begin(), named.back().end()); // those of the result are outermost
  SmallVector<StringRef> added;
  sums.split(added, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  loops.insert(added.begin(), added.end());
  for (const auto &term : used)
    loops.insert(term.begin(), term.end());
  auto index = [&](StringRef d) { return builder.getAffineDimExpr(llvm::find(loops, d) - loops.begin()); };
  SmallVector<AffineMap> maps;
  for (const auto &term : used)
    maps.push_back(AffineMap::get(loops.size(), 0, llvm::map_to_vector(term, index), builder.getContext()));
  NamedAttribute attribute = builder.getNamedAttr("indexing_maps", builder.getAffineMapArrayAttr(maps));
  return structured("linalg.contract", operands, init, attribute);
}

Value Emitter::convolved(Value input, Value filter, ArrayRef<int64_t> strides, RankedTensorType result) {
  NamedAttribute attributes[] = {builder.getNamedAttr("strides", builder.getI64TensorAttr(strides)),
                                 builder.getNamedAttr("dilations", builder.getI64TensorAttr({1, 1}))};
  return named("linalg.conv_2d_nhwc_hwcf", {input, filter}, result, 0, attributes);
}

/// A sum of loops, multiples of loops and numbers: `2*y+i`, `0`.
static AffineExpr position(StringRef axis, ArrayRef<StringRef> loops, Builder &builder) {
  AffineExpr total = builder.getAffineConstantExpr(0);
  SmallVector<StringRef> pieces;
  axis.split(pieces, '+');
  for (StringRef piece : pieces) {
    auto [factor, name] = piece.contains('*') ? piece.rsplit('*') : std::pair(StringRef("1"), piece);
    int64_t number = 0;
    const auto *loop = llvm::find(loops, name);
    (loop == loops.end() ? name : factor).getAsInteger(10, number);
    total = total + (loop == loops.end() ? builder.getAffineConstantExpr(number)
                                         : builder.getAffineDimExpr(loop - loops.begin()) * number);
  }
  return total;
}

Value Emitter::overWindows(StringRef dims, StringRef sums, ValueRange inputs, RankedTensorType result) {
  Value init = filled(result, 0);
  if (llvm::any_of(inputs, [](Value v) { return isEmpty(shapeOf(v)); }))
    return init; // nothing to add
  auto words = [](StringRef text) {
    SmallVector<StringRef> out;
    text.split(out, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    return out;
  };
  SmallVector<StringRef> terms, loops = words(dims.substr(dims.find("->") + 2));
  dims.substr(0, dims.find("->")).split(terms, ',');
  terms.push_back(dims.substr(dims.find("->") + 2));
  SmallVector<IteratorType> kinds(loops.size(), IteratorType::parallel);
  llvm::append_range(loops, words(sums));
  kinds.resize(loops.size(), IteratorType::reduction);
  SmallVector<AffineMap> maps;
  for (StringRef term : terms) {
    auto places = llvm::map_to_vector(words(term), [&](StringRef axis) { return position(axis, loops, builder); });
    maps.push_back(AffineMap::get(loops.size(), 0, places, builder.getContext()));
  }
  Scalars s = scalars(result);
  return generic(maps, kinds, inputs, init,
                 [&](ValueRange elements) { return s.add(elements[2], s.mul(elements[0], elements[1])); });
}

/// `result[…] += x[…] · y[…]` from zeros; `indices` of x, y and result are over seven loops, outermost first.
Value Emitter::multipliedAndAdded(ArrayRef<SmallVector<AffineExpr>> indices, ArrayRef<unsigned> parallel,
                                  ValueRange inputs, RankedTensorType result) {
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> index : indices)
    maps.push_back(AffineMap::get(7, 0, index, builder.getContext()));
  SmallVector<IteratorType> kinds(7, IteratorType::reduction);
  for (unsigned d : parallel)
    kinds[d] = IteratorType::parallel;
  Scalars s = scalars(result);
  return generic(maps, kinds, inputs, filled(result, 0),
                 [&](ValueRange elements) { return s.add(elements[2], s.mul(elements[0], elements[1])); });
}

Value Emitter::convolvedBack(Value cotangent, Value filter, ArrayRef<int64_t> strides, RankedTensorType result) {
  RankedTensorType t = typeOf(filter);
  if (isEmpty(t.getShape()) || isEmpty(shapeOf(cotangent)))
    return filled(result, 0); // nothing to add
  ArrayRef<int64_t> shape = t.getShape();
  // c, the inner loop, is contiguous in `turned` too
  Value turned = transposed(filter, {0, 1, 3, 2}, withShape(t, {shape[0], shape[1], shape[3], shape[2]}));
  AffineExpr n, i, oy, j, ox, f, c;
  bindDims(builder.getContext(), n, i, oy, j, ox, f, c);
  SmallVector<AffineExpr> target{n, oy * strides[0] + i, ox * strides[1] + j, c};
  Value copy = copied(cotangent);
  return multipliedAndAdded({{n, oy, ox, f}, {i, j, f, c}, target}, {0, 6}, {copy, turned}, result);
}

Value Emitter::correlated(Value input, ArrayRef<Pads> pads, Value cotangent, ArrayRef<int64_t> strides,
                          RankedTensorType result) {
  Value x = padded(input, pads);
  if (isEmpty(shapeOf(x)) || isEmpty(shapeOf(cotangent)))
    return filled(result, 0); // nothing to add
  if (x == input)
    x = copied(input);
  // the loops over the filter stand within those over n and oy, so that rows of both operands are used while near
  AffineExpr n, oy, i, j, c, ox, f;
  bindDims(builder.getContext(), n, oy, i, j, c, ox, f);
  SmallVector<AffineExpr> source{n, oy * strides[0] + i, ox * strides[1] + j, c};
  Value copy = copied(cotangent);
  return multipliedAndAdded({source, {n, oy, ox, f}, {i, j, c, f}}, {2, 3, 4, 6}, {x, copy}, result);
}

// Reductions

Value Emitter::sum(Value x, ArrayRef<int64_t> axes, RankedTensorType result) {
  if (axes.empty())
    return x;
  if (!scalars(result).isFloat || !strict || isEmpty(shapeOf(x)))
    return reshaped(summed(x, axes, /*inOrder=*/false), result);
  for (int64_t axis : llvm::reverse(axes)) {
    while (shapeOf(x)[axis] > kSumBlock)
      x = blockSums(x, axis);
    x = summed(x, axis, /*inOrder=*/true);
  }
  return reshaped(x, result);
}

/// The sum of every block of 128 along `axis`, whose new extent is the number of blocks.
Value Emitter::blockSums(Value x, int64_t axis) {
  RankedTensorType t = typeOf(x);
  auto withExtents = [&](ArrayRef<int64_t> extents) {
    Shape shape(t.getShape());
    shape.erase(shape.begin() + axis);
    shape.insert(shape.begin() + axis, extents.begin(), extents.end());
    return withShape(t, shape);
  };
  int64_t blocks = t.getDimSize(axis) / kSumBlock, rest = t.getDimSize(axis) % kSumBlock;
  Value whole = rest ? cut(x, axis, 0, blocks * kSumBlock) : x;
  Value sums = summed(reshaped(whole, withExtents({blocks, kSumBlock})), axis + 1, /*inOrder=*/true);
  if (!rest)
    return sums;
  Value last = cut(x, axis, blocks * kSumBlock, rest);
  last = reshaped(summed(last, axis, /*inOrder=*/true), withExtents(1));
  Shape start = repeated(t.getRank(), 0);
  RankedTensorType out = withExtents(blocks + 1);
  Value joined = inserted(sums, empty(out), start, out);
  start[axis] = blocks;
  return inserted(last, joined, start, out);
}

Value Emitter::cut(Value x, int64_t axis, int64_t start, int64_t extent) {
  RankedTensorType t = typeOf(x);
  Shape starts = repeated(t.getRank(), 0), shape(t.getShape());
  starts[axis] = start;
  shape[axis] = extent;
  return slice(x, starts, repeated(t.getRank(), 1), withShape(t, shape));
}

/// Sums from zero.  Floats carry `reassoc` unless they are added in order.
Value Emitter::summed(Value x, ArrayRef<int64_t> axes, bool inOrder) {
  Scalars s = scalars(typeOf(x));
  bool ordered = inOrder || !s.isFloat;
  return reduceWith(x, axes, [&] { return s.number(0); }, [&](Value total, Value element) {
    return ordered ? s.add(total, element) : s.addReordered(total, element);
  });
}

Value Emitter::reduced(StringRef kind, Value x, ArrayRef<int64_t> axes, RankedTensorType result) {
  if (axes.empty())
    return x;
  Scalars s = scalars(result);
  Value all = reduceWith(
      x, axes, [&] { return s.neutral(kind); },
      [&](Value total, Value element) { return s.joined(kind, total, element); });
  return reshaped(all, result);
}

/// `linalg.reduce` from an initial value; the axes go.
Value Emitter::reduceWith(Value x, ArrayRef<int64_t> axes, Initial initial, Join join) {
  RankedTensorType t = typeOf(x);
  Shape kept;
  for (auto [i, n] : llvm::enumerate(t.getShape()))
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      kept.push_back(n);
  RankedTensorType out = withShape(t, kept);
  Value init = filledWith(initial(), out);
  if (isEmpty(t.getShape()))
    return init; // nothing to join
  Operation *made = linalg::ReduceOp::create(builder, TypeRange(out), x, init, axes);
  fillBody(made, [&](ValueRange elements) { return join(elements[1], elements[0]); });
  return made->getResult(0);
}

// Shape

Value Emitter::transposed(Value x, ArrayRef<int64_t> permutation, RankedTensorType result) {
  if (permutation.empty()) // rank 0, which linalg.transpose does not take
    return x;
  return located(linalg::TransposeOp::create(builder, x, empty(result), permutation));
}

Value Emitter::reversed(Value x, ArrayRef<int64_t> axes, RankedTensorType result) {
  SmallVector<AffineExpr> opposite;
  for (auto [i, n] : llvm::enumerate(result.getShape())) {
    AffineExpr dim = builder.getAffineDimExpr(i);
    opposite.push_back(llvm::is_contained(axes, int64_t(i)) ? builder.getAffineConstantExpr(n - 1) - dim : dim);
  }
  AffineMap maps[] = {AffineMap::get(result.getRank(), 0, opposite, builder.getContext()),
                      builder.getMultiDimIdentityMap(result.getRank())};
  SmallVector<IteratorType> kinds(result.getRank(), IteratorType::parallel);
  return generic(maps, kinds, x, empty(result), [](ValueRange elements) { return elements[0]; });
}

Value Emitter::counted(int64_t axis, RankedTensorType result) {
  AffineMap map = builder.getMultiDimIdentityMap(result.getRank());
  SmallVector<IteratorType> kinds(result.getRank(), IteratorType::parallel);
  return generic(map, kinds, {}, empty(result), [&](ValueRange) {
    return scalars(result).fromIndex(linalg::IndexOp::create(builder, axis));
  });
}

Value Emitter::reshaped(Value x, RankedTensorType result) {
  RankedTensorType t = typeOf(x);
  result = withoutSign(result);
  if (t == result)
    return x;
  if (isEmpty(t.getShape())) // no element to move, and reassociations do not hold for extents of 0
    return empty(result);
  RankedTensorType flat = withShape(t, t.getNumElements());
  // between one axis and `rank` axes, which are one group; a scalar has none
  auto group = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.emplace_back(llvm::to_vector<2>(llvm::seq(rank)));
    return groups;
  };
  auto collapse = [&](RankedTensorType to, int64_t rank) {
    x = tensor::CollapseShapeOp::create(builder, to, x, group(rank));
  };
  auto expand = [&](RankedTensorType to, int64_t rank) {
    ArrayAttr groups = getReassociationIndicesAttribute(builder, group(rank));
    x = tensor::ExpandShapeOp::create(builder, to, x, groups, ValueRange(), to.getShape());
  };
  if (t.getRank() == 0)
    expand(flat, 0);
  else if (t.getRank() > 1)
    collapse(flat, t.getRank());
  if (result.getRank() == 0)
    collapse(result, 0);
  else if (result.getRank() > 1)
    expand(result, result.getRank());
  return x;
}

Value Emitter::slice(Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> steps, RankedTensorType result) {
  return typeOf(x) == withoutSign(result) ? x : extracted(x, starts, result.getShape(), steps, result);
}

Value Emitter::inserted(Value x, Value into, ArrayRef<int64_t> starts, RankedTensorType result,
                        ArrayRef<int64_t> steps) {
  Shape ones = repeated(starts.size(), 1);
  return tensor::InsertSliceOp::create(builder, withoutSign(result), x, into, ValueRange(), ValueRange(), ValueRange(),
                                       starts, shapeOf(x), steps.empty() ? ones : steps);
}

Value Emitter::padded(Value x, ArrayRef<Pads> pads, ArrayRef<int64_t> interior) {
  RankedTensorType t = typeOf(x), out = paddedType(t, pads, interior);
  if (out == t)
    return x;
  Value zeros = filled(out, 0);
  if (isEmpty(t.getShape()))
    return zeros;
  Shape steps = repeated(t.getRank(), 1);
  for (auto [i, gap] : llvm::enumerate(interior))
    if (t.getDimSize(i) > 1) // else nothing lies between, however large the gap
      steps[i] += gap;
  return inserted(x, zeros, llvm::map_to_vector(pads, [](Pads p) { return p.first; }), out, steps);
}

Value Emitter::element(Value x, ArrayRef<int64_t> position, RankedTensorType result) {
  if (position.empty())
    return x;
  Shape ones = repeated(position.size(), 1);
  return extracted(x, position, ones, ones, result);
}

Value Emitter::dropped(Value x, RankedTensorType result) {
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape == result.getShape())
    return x;
  return extracted(x, repeated(shape.size(), 0), shape, repeated(shape.size(), 1), result);
}

/// `tensor.extract_slice`; the result may lack axes of extent 1.
Value Emitter::extracted(Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps,
                         RankedTensorType result) {
  return tensor::ExtractSliceOp::create(builder, withoutSign(result), x, ValueRange(), ValueRange(), ValueRange(), starts, sizes,
                                        steps);
}
