#include "Core.h"

using namespace mlir;
using namespace mlir::mind;

using Inferred = FailureOr<RankedTensorType>;

static bool isFloat(RankedTensorType type) { return type.getElementType().isFloat(); }

// Element by element

template <typename Adaptor> static Inferred inferUnary(StringRef name, Adaptor op, Refuse refuse) {
  if (failed(floatOnly(name, typeOf(op.getInput()), refuse)))
    return failure();
  return typeOf(op.getInput());
}

template <typename Adaptor> static Inferred inferBinary(StringRef name, Adaptor op, Refuse refuse) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
  if (failed(sameDType(name, lhs, rhs, refuse)))
    return failure();
  FailureOr<Shape> shape = broadcastShapes(name, lhs.getShape(), rhs.getShape(), refuse);
  if (failed(shape))
    return failure();
  return withShape(lhs, *shape);
}

Inferred mlir::mind::inferType(AddOp::Adaptor op, Refuse refuse) { return inferBinary("Add", op, refuse); }
Inferred mlir::mind::inferType(SubOp::Adaptor op, Refuse refuse) { return inferBinary("Sub", op, refuse); }
Inferred mlir::mind::inferType(MulOp::Adaptor op, Refuse refuse) { return inferBinary("Mul", op, refuse); }
Inferred mlir::mind::inferType(DivOp::Adaptor op, Refuse refuse) { return inferBinary("Div", op, refuse); }

Inferred mlir::mind::inferType(GreaterOp::Adaptor op, Refuse refuse) {
  Inferred type = inferBinary("Greater", op, refuse);
  if (failed(type))
    return failure();
  return RankedTensorType::get(type->getShape(), IntegerType::get(type->getContext(), 32));
}

Inferred mlir::mind::inferType(ExpOp::Adaptor op, Refuse refuse) { return inferUnary("Exp", op, refuse); }
Inferred mlir::mind::inferType(LogOp::Adaptor op, Refuse refuse) { return inferUnary("Log", op, refuse); }
Inferred mlir::mind::inferType(ReluOp::Adaptor op, Refuse refuse) { return inferUnary("Relu", op, refuse); }
Inferred mlir::mind::inferType(ReciprocalOp::Adaptor op, Refuse refuse) { return inferUnary("Reciprocal", op, refuse); }
Inferred mlir::mind::inferType(NegOp::Adaptor op, Refuse) { return typeOf(op.getInput()); }

Inferred mlir::mind::inferType(SelectOp::Adaptor op, Refuse refuse) {
  RankedTensorType condition = typeOf(op.getCondition()), lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
  if (isFloat(condition))
    return refuse("E2005", say("Select takes an i32 or i64 condition, condition is ", condition));
  if (failed(sameDType("Select", lhs, rhs, refuse)))
    return failure();
  FailureOr<Shape> chosen = broadcastShapes("Select", lhs.getShape(), rhs.getShape(), refuse);
  if (failed(chosen))
    return failure();
  FailureOr<Shape> shape = broadcastShapes("Select", condition.getShape(), *chosen, refuse);
  if (failed(shape))
    return failure();
  return withShape(lhs, *shape);
}

// Constants

static RankedTensorType scalarOf(TypedAttr value) { return RankedTensorType::get({}, value.getType()); }

Inferred mlir::mind::inferType(ConstF32Op::Adaptor op, Refuse) { return scalarOf(op.getValueAttr()); }
Inferred mlir::mind::inferType(ConstF64Op::Adaptor op, Refuse) { return scalarOf(op.getValueAttr()); }
Inferred mlir::mind::inferType(ConstI64Op::Adaptor op, Refuse) { return scalarOf(op.getValueAttr()); }

Inferred mlir::mind::inferType(ConstTensorOp::Adaptor op, Refuse refuse) {
  ElementsAttr data = op.getDataAttr();
  if (!isa<DenseElementsAttr>(data)) {
    std::string found = say(Attribute(data));
    return refuse("E4013", "attribute data: expected dense elements, found " + StringRef(found).take_front(60));
  }
  if (!isCoreTensor(data.getType()))
    return refuse("E2002", say("attribute data is ", Type(data.getType())));
  return cast<RankedTensorType>(data.getType());
}

// Contractions

Inferred mlir::mind::inferType(DotOp::Adaptor op, Refuse refuse) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
  if (failed(sameDType("Dot", lhs, rhs, refuse)))
    return failure();
  for (auto [name, type] : {std::pair("lhs", lhs), std::pair("rhs", rhs)})
    if (type.getRank() != 1 && type.getRank() != 2)
      return refuse("E3002", say("Dot takes rank 1 or 2, ", name, " is ", type));
  ArrayRef<int64_t> a = lhs.getShape(), b = rhs.getShape();
  if (a.back() != b.front())
    return refuse("E3003", say("Dot contracts ", a.back(), " against ", b.front()));
  Shape shape(a.drop_back());
  llvm::append_range(shape, b.drop_front());
  return withShape(lhs, shape);
}

Inferred mlir::mind::inferType(MatMulOp::Adaptor op, Refuse refuse) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
  if (failed(sameDType("MatMul", lhs, rhs, refuse)))
    return failure();
  for (auto [name, type] : {std::pair("lhs", lhs), std::pair("rhs", rhs)})
    if (type.getRank() < 2)
      return refuse("E3002", say("MatMul takes rank 2 or more, ", name, " is ", type));
  ArrayRef<int64_t> a = lhs.getShape(), b = rhs.getShape();
  if (a.back() != b.drop_back().back())
    return refuse("E3003", say("MatMul contracts ", a.back(), " against ", b.drop_back().back()));
  FailureOr<Shape> shape = broadcastShapes("MatMul batch", a.drop_back(2), b.drop_back(2), refuse);
  if (failed(shape))
    return failure();
  shape->append({a.drop_back().back(), b.back()});
  return withShape(lhs, *shape);
}

// Reductions

template <typename Adaptor> static Inferred inferReduction(StringRef name, Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  if (op.getAxes().empty()) // means all, to [], whatever keepdims says
    return withShape(input, {});
  FailureOr<Shape> gone = normalAxes(name, op.getAxes(), input.getRank(), refuse);
  if (failed(gone))
    return failure();
  Shape shape;
  for (auto [i, n] : llvm::enumerate(input.getShape())) {
    if (!llvm::is_contained(*gone, int64_t(i)))
      shape.push_back(n);
    else if (op.getKeepdims())
      shape.push_back(1);
  }
  return withShape(input, shape);
}

Inferred mlir::mind::inferType(SumOp::Adaptor op, Refuse refuse) { return inferReduction("Sum", op, refuse); }

Inferred mlir::mind::inferType(MeanOp::Adaptor op, Refuse refuse) {
  if (failed(floatOnly("Mean", typeOf(op.getInput()), refuse)))
    return failure();
  return inferReduction("Mean", op, refuse);
}

// Shapes

Inferred mlir::mind::inferType(BroadcastOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  if (failed(checkExtents(op.getShape(), refuse)))
    return failure();
  FailureOr<Shape> shape = broadcastShapes("Broadcast", input.getShape(), op.getShape(), refuse);
  if (failed(shape))
    return failure();
  if (ArrayRef<int64_t>(*shape) != op.getShape())
    return refuse("E3001", say("Broadcast of ", input.getShape(), " to ", op.getShape(), " would shrink it"));
  return withShape(input, *shape);
}

Inferred mlir::mind::inferType(ExpandDimsOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  int64_t rank = input.getRank() + op.getAxes().size();
  FailureOr<Shape> fresh = normalAxes("ExpandDims", op.getAxes(), rank, refuse);
  if (failed(fresh))
    return failure();
  Shape shape(rank, -1);
  for (int64_t a : *fresh)
    shape[a] = 1;
  ArrayRef<int64_t> old = input.getShape();
  for (int64_t &n : shape)
    if (n < 0) {
      n = old.front();
      old = old.drop_front();
    }
  return withShape(input, shape);
}

Inferred mlir::mind::inferType(ReshapeOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  FailureOr<Shape> shape = resolvedShape(input.getShape(), op.getNewShape(), refuse);
  if (failed(shape))
    return failure();
  return withShape(input, *shape);
}

Inferred mlir::mind::inferType(SqueezeOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  FailureOr<Shape> gone = normalAxes("Squeeze", op.getAxes(), input.getRank(), refuse);
  if (failed(gone))
    return failure();
  for (int64_t a : *gone)
    if (input.getDimSize(a) != 1)
      return refuse("E3009", say("Squeeze of axis ", a, " with extent ", input.getDimSize(a)));
  Shape shape;
  for (auto [i, n] : llvm::enumerate(input.getShape()))
    if (!llvm::is_contained(*gone, int64_t(i)))
      shape.push_back(n);
  return withShape(input, shape);
}

Inferred mlir::mind::inferType(TransposeOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = input.getRank();
  auto bad = [&](const std::string &why) {
    return refuse("E3008", say("Transpose takes a permutation of ", rank, " axes, found ", permutation, ": ", why));
  };
  if (int64_t(permutation.size()) != rank)
    return bad(say("its length is ", permutation.size()));
  Shape shape;
  for (auto [i, a] : llvm::enumerate(permutation)) {
    if (a < 0 || a >= rank)
      return bad(say("entry ", i, " is ", a));
    if (llvm::is_contained(permutation.take_front(i), a))
      return bad(say(a, " stands twice"));
    shape.push_back(input.getDimSize(a));
  }
  return withShape(input, shape);
}

// Elements and ranges

Inferred mlir::mind::inferType(IndexOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  int64_t rank = input.getRank(), found = op.getIndices().size();
  if (found != rank)
    return refuse("E4006", say("Index of a rank-", rank, " operand takes ", rank, " indices, found ", found));
  return withShape(input, {});
}

Inferred mlir::mind::inferType(SliceOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  ArrayRef<int64_t> starts = op.getStarts(), ends = op.getEnds(), steps = op.getSteps();
  size_t rank = input.getRank();
  if (starts.size() != rank || ends.size() != rank || steps.size() != rank)
    return refuse("E4007", say("Slice of a rank-", rank, " operand takes ", rank, " starts, ends and steps, found ",
                               starts.size(), ", ", ends.size(), " and ", steps.size()));
  for (auto [i, step] : llvm::enumerate(steps))
    if (step <= 0)
      return refuse("E4008", say("step ", i, " of Slice is ", step));
  for (auto [what, values] : {std::pair("start", starts), std::pair("end", ends)})
    for (auto [i, v] : llvm::enumerate(values)) {
      int64_t n = input.getDimSize(i);
      if (v < -n || v > n)
        return refuse("E3011", say(what, " ", v, " of Slice is outside extent ", n, " of dimension ", i));
    }
  Shape shape;
  for (auto [start, end, step, n] : llvm::zip_equal(starts, ends, steps, input.getShape())) {
    int64_t length = (end < 0 ? end + n : end) - (start < 0 ? start + n : start);
    shape.push_back(length <= 0 ? 0 : (length - 1) / step + 1);
  }
  return withShape(input, shape);
}

Inferred mlir::mind::inferType(PadOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  int64_t rank = input.getRank();
  for (auto [name, values] :
       {std::pair("low", op.getLow()), std::pair("high", op.getHigh()), std::pair("interior", op.getInterior())}) {
    if (int64_t(values.size()) != rank)
      return refuse("E4007", say("Pad of a rank-", rank, " operand takes ", rank, " numbers as ", name, ", found ",
                                 values.size()));
    for (auto [i, n] : llvm::enumerate(values))
      if (n < 0)
        return refuse("E4016", say("entry ", i, " of ", name, " of Pad is ", n));
  }
  SmallVector<Int> extents;
  for (auto [n, low, high, interior] : llvm::zip_equal(input.getShape(), op.getLow(), op.getHigh(), op.getInterior()))
    extents.push_back(Int(low) + n + Int(std::max<int64_t>(n - 1, 0)) * interior + high);
  FailureOr<Shape> shape = extentsOf("Pad", extents, refuse);
  if (failed(shape))
    return failure();
  return withShape(input, *shape);
}

// Rows

static LogicalResult checkRows(StringRef name, RankedTensorType input, RankedTensorType indices, StringAttr given,
                               Refuse refuse) {
  if (failed(checkChoice("oob", given, {"error", "clip", "fill"}, refuse)))
    return failure();
  if (input.getRank() < 1)
    return refuse("E3002", say(name, " takes rank 1 or more, input is ", input));
  if (isFloat(indices))
    return refuse("E4011", say(name, " takes i32 or i64 indices, found ", indices.getElementType()));
  bool clips = given && given.getValue() == "clip";
  if (clips && input.getDimSize(0) == 0 && !isEmpty(indices.getShape()))
    return refuse("E3006", say(name, " with oob = \"clip\" finds no row in ", input));
  return success();
}

// The shape of rows of `input`, one for each of `indices`.
static Shape rowsShape(RankedTensorType input, RankedTensorType indices) {
  Shape shape(indices.getShape());
  llvm::append_range(shape, input.getShape().drop_front());
  return shape;
}

Inferred mlir::mind::inferType(GatherOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput()), indices = typeOf(op.getIndices());
  if (failed(checkRows("Gather", input, indices, op.getOobAttr(), refuse)))
    return failure();
  return withShape(input, rowsShape(input, indices));
}

Inferred mlir::mind::inferType(ScatterAddOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput()), indices = typeOf(op.getIndices());
  RankedTensorType updates = typeOf(op.getUpdates());
  if (failed(checkRows("ScatterAdd", input, indices, op.getOobAttr(), refuse)) ||
      failed(sameDType("ScatterAdd", input, updates, refuse)))
    return failure();
  Shape expected = rowsShape(input, indices);
  if (updates.getRank() != int64_t(expected.size()))
    return refuse("E3002", say("ScatterAdd takes updates of rank ", expected.size(), ", updates are ", updates));
  for (auto [axis, found, n] : llvm::enumerate(updates.getShape(), expected))
    if (found != n)
      return refuse("E3003", say("ScatterAdd updates have extent ", found, " at axis ", axis,
                                 ", where indices and rows give ", n));
  return input;
}
