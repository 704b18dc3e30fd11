// Folds that are written by hand: of constants, and where the fold in mind_mlir/ops makes operations.

#include "Mesh.h"
#include "Rules.h"

using namespace mlir;
using namespace mlir::mind;

// What a fold returns: an operand in place of the result, or the operation itself once its attributes are in normal
// form.  A value of another type than the result's stands for nothing: folds may meet what no verifier has seen.

template <typename OP> static OpFoldResult instead(OP op, Value value) {
  if (value.getType() != op.getType() || value == op.getResult())
    return {};
  return value;
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

// True if `inner` stands before `op`, or before what holds it.  Where operations may form a cycle, as at the top of a
// module, going from one to the one before it comes to an end.
static bool precedes(Operation *inner, Operation *op) {
  Block *block = inner->getBlock();
  Operation *holder = block ? block->findAncestorOpInBlock(*op) : nullptr;
  return holder && inner->isBeforeInBlock(holder);
}

// Element by element

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
  return op.getAxes().empty() ? OpFoldResult() : reshapedConstant(op, adaptor.getInput());
}

OpFoldResult mlir::mind::foldOp(SqueezeOp op, SqueezeOp::FoldAdaptor adaptor) {
  return op.getAxes().empty() ? OpFoldResult() : reshapedConstant(op, adaptor.getInput());
}

OpFoldResult mlir::mind::foldOp(ReshapeOp op, ReshapeOp::FoldAdaptor adaptor) {
  if (OpFoldResult input = instead(op, op.getInput()))
    return input;
  if (OpFoldResult constant = reshapedConstant(op, adaptor.getInput()))
    return constant;
  auto inner = op.getInput().getDefiningOp<ReshapeOp>();
  if (!inner || !precedes(inner, op) || llvm::is_contained(op.getNewShape(), -1)) // which is worked out first
    return {};
  op.getInputMutable().assign(inner.getInput());
  return op.getResult();
}

// Parts without elements are left out, and one part alone is the whole.
OpFoldResult mlir::mind::foldOp(ConcatenateOp op, ConcatenateOp::FoldAdaptor) {
  for (Value part : op.getParts())
    if (part.getType() == op.getType() && !isEmpty(op.getType().getShape()))
      return instead(op, part);
  SmallVector<Value> kept = llvm::filter_to_vector(op.getParts(), [&](Value part) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(part.getType()).getShape();
    return op.getAxis() < shape.size() && shape[op.getAxis()] != 0;
  });
  if (kept.empty() || kept.size() == op.getParts().size())
    return op.getParts().size() == 1 ? instead(op, op.getParts()[0]) : OpFoldResult();
  op.getPartsMutable().assign(kept);
  return op.getResult();
}

static bool isPermutation(ArrayRef<int64_t> permutation, int64_t rank) {
  Shape axes(permutation);
  llvm::sort(axes);
  return llvm::equal(axes, llvm::seq(rank));
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

// Of two placements in a row the second holds, unless it makes sums of what ranks hold.
OpFoldResult mlir::mind::foldOp(ReshardOp op, ReshardOp::FoldAdaptor) {
  auto inner = op.getInput().getDefiningOp<ReshardOp>();
  FailureOr<PartitionSpec> to = readSpec("to", op.getToAttr(), refuseSilently);
  if (!inner || !precedes(inner, op) || failed(to) || !to->unreduced.empty())
    return {};
  op.getInputMutable().assign(inner.getInput());
  return op.getResult();
}
