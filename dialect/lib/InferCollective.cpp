// Type rules of operations between ranks, and of Reshard.

#include "Mesh.h"

using namespace mlir;
using namespace mlir::mind;

using Inferred = FailureOr<RankedTensorType>;

// Attributes

using Count = std::pair<StringRef, IntegerAttr>;

static LogicalResult checkCounts(ArrayRef<Count> counts, Refuse refuse) {
  for (auto [name, count] : counts)
    if (count.getInt() < 0)
      return refuse("E4013", say("attribute ", name, ": expected an integer, 0 or more, found ", count.getInt()));
  return success();
}

// Rules that several operations share

namespace {

/// An operation along a mesh axis.
struct Collective {
  StringRef name, axis;
  int64_t size;
  RankedTensorType input;

  template <typename Adaptor>
  Collective(StringRef name, Adaptor op)
      : name(name), axis(op.getAxis()), size(op.getSizeAttr().getInt()), input(typeOf(op.getInput())) {}

  SmallVector<Int> extents() const {
    return llvm::map_to_vector<3>(input.getShape(), [](int64_t n) { return Int(n); });
  }

  LogicalResult checkSize(Refuse refuse) const {
    if (axis.empty())
      return refuse("E8002", say(name, " needs the name of a mesh axis"));
    if (size < 1)
      return refuse("E8006", say(name, " along ", axis, " says ", size, " ranks"));
    return success();
  }

  LogicalResult checkDim(Count dim, Refuse refuse) const {
    int64_t d = dim.second.getInt(), rank = input.getRank();
    if (d < rank)
      return success();
    return refuse("E3004", say(name, " ", dim.first, " ", d, " is out of range for rank ", rank));
  }

  /// The extent of one of `size` equal parts.
  FailureOr<int64_t> part(int64_t dim, Refuse refuse) const {
    int64_t n = input.getDimSize(dim);
    if (n % size)
      return refuse("E8006", say(name, " along ", axis, " cuts extent ", n, " of dimension ", dim, " into ", size,
                                 " parts"));
    return n / size;
  }
};

} // namespace

/// What is true of every one: its name, its counts and its number of ranks.
template <typename Adaptor>
static FailureOr<Collective> collective(StringRef name, Adaptor op, ArrayRef<Count> others, Refuse refuse) {
  SmallVector<Count> counts{{"size", op.getSizeAttr()}};
  llvm::append_range(counts, others);
  if (failed(checkText("axis", "a string", op.getAxisAttr(), refuse)) || failed(checkCounts(counts, refuse)))
    return failure();
  return Collective(name, op);
}

/// A part of the operand along `dim`.
template <typename Adaptor> static Inferred inferPart(StringRef name, Adaptor op, Refuse refuse) {
  Count dim{"dim", op.getDimAttr()};
  FailureOr<Collective> c = collective(name, op, dim, refuse);
  if (failed(c) || failed(c->checkSize(refuse)) || failed(c->checkDim(dim, refuse)))
    return failure();
  FailureOr<int64_t> part = c->part(op.getDim(), refuse);
  if (failed(part))
    return failure();
  Shape shape(c->input.getShape());
  shape[op.getDim()] = *part;
  return withShape(c->input, shape);
}

// Operations

Inferred mlir::mind::inferType(AllReduceOp::Adaptor op, Refuse refuse) {
  FailureOr<Collective> c = collective("AllReduce", op, {}, refuse);
  if (failed(c) || failed(checkChoice("kind", op.getKindAttr(), {"sum", "max", "min"}, refuse)) ||
      failed(c->checkSize(refuse)))
    return failure();
  return c->input;
}

Inferred mlir::mind::inferType(AllGatherOp::Adaptor op, Refuse refuse) {
  Count dim{"dim", op.getDimAttr()};
  FailureOr<Collective> c = collective("AllGather", op, dim, refuse);
  if (failed(c) || failed(c->checkSize(refuse)) || failed(c->checkDim(dim, refuse)))
    return failure();
  SmallVector<Int> extents = c->extents();
  extents[op.getDim()] *= c->size;
  FailureOr<Shape> shape = extentsOf("AllGather", extents, refuse);
  if (failed(shape))
    return failure();
  return withShape(c->input, *shape);
}

Inferred mlir::mind::inferType(AllToAllOp::Adaptor op, Refuse refuse) {
  Count split{"split", op.getSplitAttr()}, concat{"concat", op.getConcatAttr()};
  FailureOr<Collective> c = collective("AllToAll", op, {split, concat}, refuse);
  if (failed(c) || failed(c->checkSize(refuse)) || failed(c->checkDim(split, refuse)) ||
      failed(c->checkDim(concat, refuse)))
    return failure();
  FailureOr<int64_t> part = c->part(op.getSplit(), refuse);
  if (failed(part))
    return failure();
  SmallVector<Int> extents = c->extents();
  extents[op.getSplit()] = Int(*part); // assignment takes int
  extents[op.getConcat()] *= c->size;
  FailureOr<Shape> shape = extentsOf("AllToAll", extents, refuse);
  if (failed(shape))
    return failure();
  return withShape(c->input, *shape);
}

Inferred mlir::mind::inferType(ReduceScatterOp::Adaptor op, Refuse refuse) {
  return inferPart("ReduceScatter", op, refuse);
}

Inferred mlir::mind::inferType(ShardSliceOp::Adaptor op, Refuse refuse) { return inferPart("ShardSlice", op, refuse); }

Inferred mlir::mind::inferType(PVaryOp::Adaptor op, Refuse refuse) {
  FailureOr<Collective> c = collective("PVary", op, {}, refuse);
  if (failed(c) || failed(c->checkSize(refuse)))
    return failure();
  return c->input;
}

Inferred mlir::mind::inferType(ReshardOp::Adaptor op, Refuse refuse) {
  RankedTensorType input = typeOf(op.getInput());
  FailureOr<PartitionSpec> to = readSpec("to", op.getToAttr(), refuse);
  if (failed(to))
    return failure();
  if (int64_t(to->dims.size()) != input.getRank())
    return refuse("E8003", say("Reshard to ", to->text, ", which has ", to->dims.size(), " dimensions, of ", input));
  return input;
}
