#include "Mesh.h"

using namespace mlir;
using namespace mlir::mind;

// What a fold returns: an operand in place of the result, or the operation itself once its attributes are in normal
// form.  A value of another type than the result's stands for nothing: folds may meet what no verifier has seen.

template <typename OP> static OpFoldResult instead(OP op, Value value) {
  if (value.getType() != op.getType() || value == op.getResult())
    return {};
  return value;
}

template <typename OP> static OpFoldResult inPlace(OP op, bool changed) {
  return changed ? OpFoldResult(op.getResult()) : OpFoldResult();
}

template <typename OP> static OpFoldResult constantInstead(OP op, DenseElementsAttr data) {
  return data && data.getType() == op.getType() ? OpFoldResult(data) : OpFoldResult();
}

// Elements that a fold copies: attributes stay as long as the context.
static constexpr int64_t foldLimit = 1024;

// The elements of a constant operand under the result's shape, which has as many.
template <typename OP> static OpFoldResult reshapedConstant(OP op, Attribute constant) {
  auto data = dyn_cast_or_null<DenseElementsAttr>(constant);
  ArrayRef<int64_t> shape = op.getType().getShape();
  if (!data || data.getElementType() != op.getType().getElementType() || isEmpty(shape) ||
      elementCount(shape) != elementCount(data.getType().getShape()) ||
      (!data.isSplat() && data.getNumElements() > foldLimit))
    return {};
  return data.reshape(op.getType());
}

// `axes` counted from 0, ascending.
template <typename OP> static bool sortAxes(OP op, StringRef name, int64_t rank) {
  FailureOr<Shape> axes = normalAxes(name, op.getAxes(), rank, refuseSilently);
  if (failed(axes))
    return false;
  llvm::sort(*axes);
  if (ArrayRef<int64_t>(*axes) == op.getAxes())
    return false;
  op.setAxes(*axes);
  return true;
}

// True if `inner` stands before `op`, or before what holds it.  Where operations may form a cycle, as at the top of a
// module, going from one to the one before it comes to an end.
static bool precedes(Operation *inner, Operation *op) {
  Block *block = inner->getBlock();
  Operation *holder = block ? block->findAncestorOpInBlock(*op) : nullptr;
  return holder && inner->isBeforeInBlock(holder);
}

// Element by element

OpFoldResult mlir::mind::foldOp(AddOp, AddOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(SubOp, SubOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(DivOp, DivOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(GreaterOp, GreaterOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ExpOp, ExpOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(LogOp, LogOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ReciprocalOp, ReciprocalOp::FoldAdaptor) { return {}; }

static bool isOne(Attribute constant) {
  auto data = dyn_cast_or_null<DenseElementsAttr>(constant);
  if (!data || !data.isSplat())
    return false;
  if (isa<FloatType>(data.getElementType()))
    return data.getSplatValue<APFloat>().isExactlyValue(1.0);
  return data.getElementType().isInteger() && data.getSplatValue<APInt>().isOne();
}

OpFoldResult mlir::mind::foldOp(MulOp op, MulOp::FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs())) // x ⊙ 1 is x for every number, and NaN for NaN
    if (OpFoldResult lhs = instead(op, op.getLhs()))
      return lhs;
  return isOne(adaptor.getLhs()) ? instead(op, op.getRhs()) : OpFoldResult();
}

OpFoldResult mlir::mind::foldOp(NegOp op, NegOp::FoldAdaptor) {
  auto inner = op.getInput().getDefiningOp<NegOp>();
  return inner ? instead(op, inner.getInput()) : OpFoldResult();
}

OpFoldResult mlir::mind::foldOp(ReluOp op, ReluOp::FoldAdaptor) {
  return op.getInput().getDefiningOp<ReluOp>() ? instead(op, op.getInput()) : OpFoldResult();
}

OpFoldResult mlir::mind::foldOp(SelectOp op, SelectOp::FoldAdaptor) {
  return op.getLhs() == op.getRhs() ? instead(op, op.getLhs()) : OpFoldResult();
}

// Constants: one value has one form, a ConstTensor

template <typename OP> static OpFoldResult foldScalar(OP op) {
  auto type = RankedTensorType::get({}, op.getValueAttr().getType());
  return constantInstead(op, DenseElementsAttr::get(type, Attribute(op.getValueAttr())));
}

OpFoldResult mlir::mind::foldOp(ConstF32Op op, ConstF32Op::FoldAdaptor) { return foldScalar(op); }
OpFoldResult mlir::mind::foldOp(ConstF64Op op, ConstF64Op::FoldAdaptor) { return foldScalar(op); }
OpFoldResult mlir::mind::foldOp(ConstI64Op op, ConstI64Op::FoldAdaptor) { return foldScalar(op); }
OpFoldResult mlir::mind::foldOp(ConstTensorOp op, ConstTensorOp::FoldAdaptor) { return op.getDataAttr(); }

// Contractions

OpFoldResult mlir::mind::foldOp(DotOp, DotOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(MatMulOp, MatMulOp::FoldAdaptor) { return {}; }

// "Valid" and "Same" as they are written.
template <typename OP> static OpFoldResult foldConvolution(OP op) {
  auto word = dyn_cast<StringAttr>(op.getPadding());
  FailureOr<Padding> padding = readPadding(op.getPadding(), refuseSilently);
  if (!word || failed(padding))
    return {};
  StringRef normal = padding->kind == Padding::Valid ? "Valid" : "Same";
  bool changed = word.getValue() != normal;
  if (changed)
    op.setPaddingAttr(StringAttr::get(op.getContext(), normal));
  return inPlace(op, changed);
}

OpFoldResult mlir::mind::foldOp(Conv2dOp op, Conv2dOp::FoldAdaptor) { return foldConvolution(op); }
OpFoldResult mlir::mind::foldOp(Conv2dBackwardFilterOp op, Conv2dBackwardFilterOp::FoldAdaptor) {
  return foldConvolution(op);
}
OpFoldResult mlir::mind::foldOp(Conv2dBackwardInputOp op, Conv2dBackwardInputOp::FoldAdaptor) {
  return foldConvolution(op);
}

// Reductions

template <typename OP> static OpFoldResult foldReduction(OP op, StringRef name) {
  int64_t rank = op.getInput().getType().getRank();
  if (rank == 0) // no axis, nothing to add, and x / 1
    return instead(op, op.getInput());
  if (!op.getAxes().empty())
    return inPlace(op, sortAxes(op, name, rank));
  bool changed = op.getKeepdims(); // empty means all, to [], whatever keepdims says
  if (changed)
    op.setKeepdims(false);
  return inPlace(op, changed);
}

OpFoldResult mlir::mind::foldOp(SumOp op, SumOp::FoldAdaptor) { return foldReduction(op, "Sum"); }
OpFoldResult mlir::mind::foldOp(MeanOp op, MeanOp::FoldAdaptor) { return foldReduction(op, "Mean"); }

// Shapes

OpFoldResult mlir::mind::foldOp(BroadcastOp op, BroadcastOp::FoldAdaptor adaptor) {
  if (OpFoldResult input = instead(op, op.getInput()))
    return input;
  auto data = dyn_cast_or_null<SplatElementsAttr>(adaptor.getInput());
  if (!data || data.getElementType() != op.getType().getElementType() || isEmpty(op.getType().getShape()) ||
      !isAddressable(op.getType()))
    return {};
  return data.resizeSplat(op.getType());
}

OpFoldResult mlir::mind::foldOp(ExpandDimsOp op, ExpandDimsOp::FoldAdaptor adaptor) {
  if (op.getAxes().empty())
    return instead(op, op.getInput());
  if (OpFoldResult constant = reshapedConstant(op, adaptor.getInput()))
    return constant;
  return inPlace(op, sortAxes(op, "ExpandDims", op.getType().getRank()));
}

OpFoldResult mlir::mind::foldOp(SqueezeOp op, SqueezeOp::FoldAdaptor adaptor) {
  if (op.getAxes().empty())
    return instead(op, op.getInput());
  if (OpFoldResult constant = reshapedConstant(op, adaptor.getInput()))
    return constant;
  return inPlace(op, sortAxes(op, "Squeeze", op.getInput().getType().getRank()));
}

OpFoldResult mlir::mind::foldOp(ReshapeOp op, ReshapeOp::FoldAdaptor adaptor) {
  if (OpFoldResult input = instead(op, op.getInput()))
    return input;
  if (OpFoldResult constant = reshapedConstant(op, adaptor.getInput()))
    return constant;
  FailureOr<Shape> shape = resolvedShape(op.getInput().getType().getShape(), op.getNewShape(), refuseSilently);
  if (failed(shape))
    return {};
  bool changed = ArrayRef<int64_t>(*shape) != op.getNewShape();
  if (changed)
    op.setNewShape(*shape);
  auto inner = op.getInput().getDefiningOp<ReshapeOp>();
  if (inner && precedes(inner, op)) {
    op.getInputMutable().assign(inner.getInput());
    changed = true;
  }
  return inPlace(op, changed);
}

static bool isPermutation(ArrayRef<int64_t> permutation, int64_t rank) {
  FailureOr<Shape> axes = normalAxes("", permutation, rank, refuseSilently);
  return succeeded(axes) && int64_t(axes->size()) == rank && ArrayRef<int64_t>(*axes) == permutation;
}

OpFoldResult mlir::mind::foldOp(TransposeOp op, TransposeOp::FoldAdaptor) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = op.getInput().getType().getRank();
  if (!isPermutation(permutation, rank))
    return {};
  if (llvm::is_sorted(permutation))
    return instead(op, op.getInput());
  auto inner = op.getInput().getDefiningOp<TransposeOp>();
  if (!inner || !precedes(inner, op) || !isPermutation(inner.getPermutation(), rank))
    return {};
  Shape composed = llvm::map_to_vector<6>(permutation, [&](int64_t a) { return inner.getPermutation()[a]; });
  op.getInputMutable().assign(inner.getInput());
  op.setPermutation(composed);
  return op.getResult();
}

// Elements, ranges and rows

OpFoldResult mlir::mind::foldOp(IndexOp op, IndexOp::FoldAdaptor) {
  ArrayRef<int64_t> extents = op.getInput().getType().getShape();
  if (op.getIndices().size() != extents.size())
    return {};
  Shape position;
  for (auto [i, n] : llvm::zip_equal(op.getIndices(), extents)) {
    if (i < -n || i >= n) // a valid operation; the error comes when it is run
      return {};
    position.push_back(i < 0 ? i + n : i);
  }
  bool changed = ArrayRef<int64_t>(position) != op.getIndices();
  if (changed)
    op.setIndices(position);
  return inPlace(op, changed);
}

// Bounds of a Slice counted from 0; none if they do not fit.
static FailureOr<Shape> bounds(ArrayRef<int64_t> values, ArrayRef<int64_t> extents) {
  Shape normal;
  if (values.size() != extents.size())
    return failure();
  for (auto [v, n] : llvm::zip_equal(values, extents)) {
    if (v < -n || v > n)
      return failure();
    normal.push_back(v < 0 ? v + n : v);
  }
  return normal;
}

OpFoldResult mlir::mind::foldOp(SliceOp op, SliceOp::FoldAdaptor) {
  ArrayRef<int64_t> extents = op.getInput().getType().getShape();
  FailureOr<Shape> starts = bounds(op.getStarts(), extents), ends = bounds(op.getEnds(), extents);
  if (failed(starts) || failed(ends))
    return {};
  auto is = [](int64_t n) { return [n](int64_t m) { return m == n; }; };
  if (llvm::all_of(*starts, is(0)) && ArrayRef<int64_t>(*ends) == extents && llvm::all_of(op.getSteps(), is(1)))
    return instead(op, op.getInput());
  bool changed = ArrayRef<int64_t>(*starts) != op.getStarts() || ArrayRef<int64_t>(*ends) != op.getEnds();
  if (changed) {
    op.setStarts(*starts);
    op.setEnds(*ends);
  }
  return inPlace(op, changed);
}

OpFoldResult mlir::mind::foldOp(PadOp op, PadOp::FoldAdaptor) {
  return instead(op, op.getInput()); // no number is negative, so that equal types mean that nothing was added
}

OpFoldResult mlir::mind::foldOp(GatherOp, GatherOp::FoldAdaptor) { return {}; }

OpFoldResult mlir::mind::foldOp(ScatterAddOp op, ScatterAddOp::FoldAdaptor) {
  return isEmpty(op.getIndices().getType().getShape()) ? instead(op, op.getInput()) : OpFoldResult();
}

// Between ranks: along an axis of one, nothing moves

template <typename OP> static OpFoldResult foldCollective(OP op) {
  return op.getSize() == 1 ? instead(op, op.getInput()) : OpFoldResult();
}

OpFoldResult mlir::mind::foldOp(AllGatherOp op, AllGatherOp::FoldAdaptor) { return foldCollective(op); }
OpFoldResult mlir::mind::foldOp(AllReduceOp op, AllReduceOp::FoldAdaptor) { return foldCollective(op); }
OpFoldResult mlir::mind::foldOp(AllToAllOp op, AllToAllOp::FoldAdaptor) { return foldCollective(op); }
OpFoldResult mlir::mind::foldOp(PVaryOp op, PVaryOp::FoldAdaptor) { return foldCollective(op); }
OpFoldResult mlir::mind::foldOp(ReduceScatterOp op, ReduceScatterOp::FoldAdaptor) { return foldCollective(op); }
OpFoldResult mlir::mind::foldOp(ShardSliceOp op, ShardSliceOp::FoldAdaptor) { return foldCollective(op); }

// Of two placements in a row the second holds, unless it makes sums of what ranks hold.
OpFoldResult mlir::mind::foldOp(ReshardOp op, ReshardOp::FoldAdaptor) {
  auto inner = op.getInput().getDefiningOp<ReshardOp>();
  FailureOr<PartitionSpec> to = readSpec("to", op.getToAttr(), refuseSilently);
  if (!inner || !precedes(inner, op) || failed(to) || !to->unreduced.empty())
    return {};
  op.getInputMutable().assign(inner.getInput());
  return op.getResult();
}
